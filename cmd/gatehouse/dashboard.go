package main

// The dashboard and its flags, what it keeps between runs, and the command line with all commands.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/agents"
	"gatehouse/parse/agents/notice"
	"gatehouse/parse/disk/watch"
	"gatehouse/parse/nearest"
	"gatehouse/statusline"
	"gatehouse/tui"
	"gatehouse/tui/draw"
	"gatehouse/tui/tty"
)

// newRoot returns the command line: the dashboard, and the commands below it.
func newRoot(s *env) *cobra.Command {
	var l displayFlags
	var once, plain, version bool
	var size, fleet string
	root := &cobra.Command{
		Use:   "gatehouse [DIR...]",
		Short: "What your coding agents are building, and what waits for you",
		Long: `Gatehouse shows what coding agents are building: phases, plans and gates, what is
blocked, and above all what waits for you. It reads the state files that the
agents keep (.planning, .ultraplan, .fctry, and the states of loops) and follows
them as they change.

Without a command it opens the dashboard on each DIR. DIR means the same to every
command: a directory inside a project stands for the project, any other for all
projects below it, and a state file for its build. Without a DIR it is the project
here, else all that you have: the projects below, those below the roots of your
configuration (gatehouse config), and those seen before.

Commands exit 0 when done, 1 when something is refused or problems are found,
2 when the command line is wrong; for wait and ask see their help. What --json prints
is described in docs/schema.`,
		Example:           "  gatehouse\n  gatehouse ~/src/shop ~/src/api\n  gatehouse --once --size 100x40\n  gatehouse demo",
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true}, // see newCompletion
		SilenceErrors:     true,
		SilenceUsage:      true,
		// The edit distance at which a word is taken for a command.
		SuggestionsMinimumDistance: 2,
		Args:                       cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if version {
				return s.printVersion()
			}
			opts, err := l.tuiOptions(s, cmd)
			if err != nil {
				return err
			}
			if size != "" && !once {
				return usageError{errors.New("--size: it is for --once; the dashboard has the size of the terminal")}
			}
			within := dashboardSearch
			if once {
				within = commandSearch
			}
			d, err := s.discover(cmd.Context(), args, within)
			if err != nil {
				return orCommand(cmd, args, err)
			}
			opts.At, opts.TitlePath = d.file, cmp.Or(s.shortPath(d.titlePath()), opts.TitlePath)
			if once {
				return s.printOnce(cmd.Context(), args, opts, size, fleet)
			}
			if plain {
				return s.printPlain(cmd.Context(), d.open, opts)
			}
			return s.showDashboard(cmd.Context(), d.open, opts, fleet)
		},
	}
	root.SetOut(s.out)
	root.SetErr(s.stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if _, name, ok := strings.Cut(err.Error(), "unknown flag: "); ok && (name == "--remote" || name == "--fleet") {
			return usageError{fmt.Errorf("%s takes no %s: it is about this machine alone; run it on the host, like ssh HOST %s", cmd.CommandPath(), name, cmd.CommandPath())}
		}
		var own usageError
		if errors.As(err, &own) { // in the words of the flag itself
			return own
		}
		return usageError{err}
	})
	root.PersistentPreRun = func(*cobra.Command, []string) { s.isRunning = true }
	l.addTo(root)
	root.PersistentFlags().Func("color", "`when` to use color: auto (default), always or never", s.setColor)
	completeWords(root, "color", colorAuto, colorAlways, colorNever)
	root.PersistentFlags().Func("config", "read this configuration `file`; $GATEHOUSE_CONFIG names one, too", s.useConfig)
	completeFlag(root, "config", cobra.FixedCompletions([]string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt))
	root.PersistentFlags().Func("loops", "look for the definitions of loops in this `directory`, too; $GATEHOUSE_LOOPS names more", s.addLoops)
	completeFlag(root, "loops", completeDirs)
	// Not the framework's own function, which uses templates: they make the linker keep every method, 3.6 MB of them.
	root.Flags().BoolVarP(&version, "version", "v", false, "version for gatehouse")
	s.remoteBuildsFlag(root, &fleet)
	root.Flags().BoolVar(&once, "once", false, "print one frame and exit")
	root.Flags().BoolVar(&plain, "plain", false, "print a line for each event, without a screen")
	root.Flags().StringVar(&size, "size", "", "`WIDTHxHEIGHT` of the frame for --once, by default the terminal's width or 100, and everything in one column")
	completeWords(root, "size", "80x24", "120x40", "200x60")
	root.AddCommand(newStatus(s), newGates(s), newCheck(s), newFormat(s), newDemo(s), newWait(s), newVerify(s), newJournal(s), newLoop(s),
		newCapture(s), newTask(s), newSession(s), newDecision(s), newMetrics(s), newInbox(s), newCompletion(s),
		newAskCommand(s), newAsks(s), newAnswer(s), newReply(s), newHook(s), newJump(s), newInstall(s), newUninstall(s), newDoctor(s), newMCP(s), newConfig(s), newVersion(s), newShow(s), newRemote(s), newJoin(s))
	for _, v := range verbTable() {
		root.AddCommand(v.newCommand(s))
	}
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for name := range strings.FieldsSeq(g.commands) {
			if i := slices.IndexFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == name }); i >= 0 {
				root.Commands()[i].GroupID = g.title
			}
		}
	}
	root.SetHelpCommandGroupID(groups[len(groups)-1].title)
	root.AddCommand(newMan(root, s))
	strictUsage(root)
	return root
}

// withCommands adds the commands below one.
func withCommands(cmd *cobra.Command, below ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(below...)
	return cmd
}

// groups are the headings of the commands in --help, and the commands below each; all other commands are below the last heading.
var groups = []struct{ title, commands string }{
	{"See what runs and what waits:", "status gates asks show journal check metrics"},
	{"Decide and answer:", "approve skip changes retry undo answer reply"},
	{"For agents and scripts:", "ask wait verify mcp hook"},
	{"Loops:", "loop pause resume abort complete restart skip-phase"},
	{"ultraplan:", "capture task session decision sync"},
	{"fctry:", "inbox fresh"},
	{"Other machines:", "remote join"},
	{"Set up:", "demo install uninstall doctor config format completion jump version help"},
}

// strictUsage completes all commands: one whose usage names no argument takes none, one that only groups others prints its help, and
// shells are offered plain names, or the files and directories that the usage names.
func strictUsage(root *cobra.Command) {
	root.SetHelpCommand(&cobra.Command{
		Use: "help [COMMAND]", Short: "Help about any command", GroupID: groups[len(groups)-1].title,
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return usageError{fmt.Errorf("%q: there is no such command%s", strings.Join(args, " "), suggestCommand(root, args[0]))}
			}
			return cmd.Help()
		},
	})
	root.InitDefaultHelpCmd()
	all := []*cobra.Command{root}
	for i := 0; i < len(all); i++ {
		cmd := all[i]
		all = append(all, cmd.Commands()...)
		if cmd.HasSubCommands() && !cmd.Runnable() {
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
		if !strings.Contains(cmd.Use, " ") {
			cmd.Args = func(cmd *cobra.Command, args []string) error {
				if len(args) > 0 {
					return usageError{fmt.Errorf("%q: %s takes no arguments", args[0], cmd.CommandPath())}
				}
				return nil
			}
		}
		if cmd.Flags().Lookup("dir") != nil {
			completeFlag(cmd, "dir", completeDirs)
		}
		switch {
		case cmd.ValidArgsFunction != nil:
			cmd.ValidArgsFunction = plainOnly(cmd.ValidArgsFunction)
		case strings.HasSuffix(cmd.Use, "[DIR...]"):
			cmd.ValidArgsFunction = completeDirs
		case cmd.ValidArgs == nil && !strings.Contains(cmd.Use, "FILE") && !strings.Contains(cmd.Use, "DIR"):
			cmd.ValidArgsFunction = cobra.NoFileCompletions
		}
	}
}

// orCommand adds to an error about a directory which command may be meant.
func orCommand(root *cobra.Command, args []string, err error) error {
	if len(args) == 0 || strings.ContainsAny(args[0], `./\`) {
		return err
	}
	if _, statErr := os.Stat(args[0]); !os.IsNotExist(statErr) {
		return err
	}
	return usageError{fmt.Errorf("%s: there is neither a command nor a directory of this name%s", args[0], suggestCommand(root, args[0]))}
}

// suggestCommand proposes commands for an unknown word.
func suggestCommand(root *cobra.Command, word string) string {
	if names := root.SuggestionsFor(word); len(names) > 0 {
		return fmt.Sprintf("; did you mean %q?", slices.Min(names))
	}
	return ""
}

// completeDirs makes shells complete directories.
func completeDirs(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// openDirs opens the projects of the named directories, or of the current one.
func openDirs(s *env, dirs []string) ([]*parse.Project, error) {
	places, err := placesOf(dirs)
	if err != nil {
		return nil, err
	}
	projects, err := parse.OpenAll(context.Background(), places, s.user)
	if err != nil {
		return nil, usageError{err}
	}
	return projects, nil
}

// placesOf returns the named directories and files, or the current directory.
func placesOf(dirs []string) (places []parse.Place, err error) {
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	for _, dir := range dirs {
		if dir == "" { // an unset variable of a script must not mean the current directory
			return nil, usageError{errors.New("the name of a directory is empty; write . for this one")}
		}
		place, err := parse.Named(dir)
		if err != nil {
			return nil, usageError{err}
		}
		places = append(places, place)
	}
	return places, nil
}

// needsTerminal returns why the dashboard can't be shown, or nil.
func (s *env) needsTerminal() error {
	const scripts = `for scripts there is --once, "gatehouse status" and "gatehouse gates"`
	switch {
	case !s.terminal:
		return usageError{errors.New("the dashboard needs a terminal; " + scripts)}
	case slices.Contains(s.environ, "TERM=dumb"):
		return usageError{errors.New("the dashboard needs a terminal that can move its cursor, and TERM is dumb; " + scripts)}
	}
	return nil
}

// showDashboard shows the projects until the user quits. It appears at once and can be quit at once: projects are opened and
// read in the background. With a remote, its builds are shown, too.
func (s *env) showDashboard(ctx context.Context, open func(context.Context) ([]*parse.Project, error), opts tui.Options, fleet string) error {
	if err := s.needsTerminal(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	who, err := s.recognizeDecider(model.HowKey)
	if err != nil && !s.apart && !opts.ReadOnly { // the demo decides nothing in the user's name
		opts.ReadOnly = true
		s.notifyUser("read only: " + err.Error())
	}
	if s.apart {
		s.user.Agents = func() *agents.Reader { // the store of the demo has all its asks
			o := s.agentOptions()
			o.Records = nil
			return agents.NewReader(o)
		}
	} else if s.user.Asks != nil {
		s.followAgents(ctx, !opts.ReadOnly)
	}
	scope := s.scope
	scope.Only = s.apart
	feed := parse.FollowAgents(ctx, open, s.now, watch.Options{}, s.user, scope)
	defer saveMemory(ctx, feed)()
	opts.Files = feed
	if s.user.Asks != nil {
		opts.Answerer = s.newAnswerer(s.user.Asks.By(who, s.signAnswer(nil)))
	}
	if !opts.ReadOnly {
		opts.Actor = signingActor{feed.Actions(byDashboard, s.now).WithCaller(who), s, nil}
		if s.user.Asks != nil && !s.apart {
			if here, err := s.user.Asks.Attend(); err == nil { // on an error, agents ask only in their own prompt, as without a dashboard
				defer here.Close()
			}
		}
	}
	if !s.apart && s.keptDir != "" {
		opts.Keeper, opts.Unsaved = keeper{s.keptStore()}, func(err error) { s.notifyUser(err.Error()) }
	}
	if mistakes := s.readConfig().Mistakes; len(mistakes) > 0 {
		s.notifyUser(fmt.Sprintf("%s (%s); \"gatehouse config check\" tells all", s.describeMistake(mistakes[0]), countOf(len(mistakes), "mistake")))
	}
	opts.Notices, opts.Lent, s.shown = s.notices, s.lent.Store, true
	defer s.rememberProjects(ctx, feed)()
	var shown model.Feed = feed
	if s.apart {
		shown = builtOnly{feed}
	}
	if fleet != "" {
		f, err := s.openRemote(ctx, fleet)
		if err != nil {
			return err
		}
		u := remote.NewUnion(ctx, feed, feed, opts.Actor, opts.Answerer, f)
		if opts.Actor != nil {
			opts.Actor = checkedActor{u, func(project, node string) error {
				if !f.Has(project) {
					return nil
				}
				return s.checkSignable(project, node)
			}}
		}
		opts.Fleet = f.Name
		shown, opts.Files, opts.Answerer = u, u, foreignAnswerer{u, s}
	}
	return s.untilSignal(ctx, func(ctx context.Context) error {
		err := tui.Run(ctx, shown, opts)
		if errors.Is(err, tty.ErrGone) { // as if a signal had ended it
			return endedBySignal{syscall.SIGHUP}
		}
		return err
	})
}

// printPlain prints what waits, and then a line for each event.
func (s *env) printPlain(ctx context.Context, open func(context.Context) ([]*parse.Project, error), opts tui.Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if s.user.Asks != nil {
		s.followAgents(ctx, false)
	}
	feed := parse.FollowAgents(ctx, open, s.now, watch.Options{}, s.user, s.scope)
	return s.untilSignal(ctx, func(ctx context.Context) error {
		if err := tui.Plain(ctx, feed, s.out, opts); !errors.Is(err, context.Canceled) {
			return err
		}
		return nil
	})
}

// printOnce prints one frame of the dashboard.
func (s *env) printOnce(ctx context.Context, dirs []string, opts tui.Options, size, fleet string) error {
	width, height := s.width, 0
	if width == 0 {
		width = 100
	}
	if size != "" {
		switch n, err := fmt.Sscanf(strings.ToLower(size)+" ", "%dx%d ", &width, &height); {
		case n != 2 || err != nil || width < 1 || height < 0:
			return usageError{fmt.Errorf("--size %s: write it as WIDTHxHEIGHT, like 80x24", size)}
		case width > tty.MaxWidth || height > tty.MaxHeight:
			return usageError{fmt.Errorf("--size %s: a frame has at most %dx%d; a height of 0 shows all rows", size, tty.MaxWidth, tty.MaxHeight)}
		}
	}
	snap, err := s.readEverywhere(ctx, fleet, dirs)
	if err != nil {
		return err
	}
	opts.Fleet = fleet
	_, err = s.out.WriteString(tui.Once(snap, width, height, opts))
	return errors.Join(err, s.remoteTrouble(snap.Watch))
}

// The values of --color.
const (
	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"
)

// setColor takes the value of --color.
func (s *env) setColor(when string) error {
	if when != colorAuto && when != colorAlways && when != colorNever {
		return usageError{fmt.Errorf("--color: no %q: choose auto, always or never", when)}
	}
	s.color = when
	return nil
}

// isColored reports whether standard output gets colors. --color decides, then NO_COLOR, CLICOLOR_FORCE and FORCE_COLOR in this order,
// then whether it is a terminal with colors.
func (s *env) isColored() bool {
	isForced := func(name string) bool { value := s.getenv(name); return value != "" && value != "0" }
	switch {
	case s.color == colorAlways || s.color == colorNever:
		return s.color == colorAlways
	case s.getenv("NO_COLOR") != "":
		return false
	case isForced("CLICOLOR_FORCE") || isForced("FORCE_COLOR"):
		return true
	}
	return s.terminal && s.getenv("TERM") != "" && s.getenv("TERM") != "dumb"
}

// displayFlags are the values of the flags.
type displayFlags struct {
	theme string
	ascii bool

	readOnly bool
	noMouse  bool
	notify   string
	command  string // runs for each notification
}

// addTo gives a command the flags.
func (l *displayFlags) addTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&l.theme, "theme", "auto", "`colors`: auto, dark, light, basic or mono")
	cmd.Flags().BoolVar(&l.ascii, "ascii", false, "draw with ASCII only")
	cmd.Flags().BoolVar(&l.readOnly, "readonly", false, "leave out every key that writes state files")
	cmd.Flags().BoolVar(&l.noMouse, "no-mouse", false, "leave the mouse to the terminal, to select text")
	cmd.Flags().StringVar(&l.notify, "notify", string(tui.NotifyBell), "`how` to call you when something begins to wait: bell, osc9 or off")
	cmd.Flags().StringVar(&l.command, "notify-command", "", "also run this `command` for each thing; $GATEHOUSE_NOTICE_TEXT and other variables describe it")
	completeWords(cmd, "theme", draw.Themes()...)
	completeWords(cmd, "notify", tui.NotifyWays()...)
}

// completeWords makes shells complete the values of a flag.
func completeWords(cmd *cobra.Command, flag string, values ...string) {
	completeFlag(cmd, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// tuiOptions turns the flags, the configuration and the environment into the dashboard's options.
func (l *displayFlags) tuiOptions(s *env, cmd *cobra.Command) (tui.Options, error) {
	c := s.readConfig()
	for flag, setting := range flagSettings {
		f := cmd.Flags().Lookup(flag)
		if v, ok := c.Set(setting); ok && !f.Changed {
			if err := f.Value.Set(v.Texts[0]); err != nil { // it was checked before
				return tui.Options{}, err
			}
		}
	}
	theme, err := draw.ParseTheme(l.theme)
	if err != nil {
		return tui.Options{}, usageError{fmt.Errorf("--theme: %w", err)}
	}
	opts := tui.Options{Clock: s.now, Input: s.keys, Output: s.stdout, Env: s.environ, Theme: theme, ASCII: l.ascii, Empty: emptyScreen,
		ReadOnly: l.readOnly, NoMouse: l.noMouse || c.Text(settingMouse) == "false", Keys: map[string][]string{}}
	if opts.Notify, err = tui.ParseNotify(l.notify); err != nil {
		return tui.Options{}, usageError{fmt.Errorf("--notify: %w", err)}
	}
	opts.Notifier = s.newNotifier(opts.Notify, l.command)
	for _, row := range tui.KeyRows() {
		if v, ok := c.Set(sectionKeys + row.Name); ok {
			opts.Keys[row.Name] = v.Texts
		}
	}
	switch { // from the environment alone: asking tmux too, as the framework does, starts a process before the first frame
	case s.color == colorNever:
	case s.isColored():
		opts.Profile = max(colorprofile.Env(s.environ), colorprofile.ANSI)
	case s.terminal:
		opts.Profile = colorprofile.Env(s.environ)
	}
	if wd, err := os.Getwd(); err == nil {
		opts.TitlePath = s.shortPath(wd)
	}
	return opts, nil
}

// emptyScreen is the text of a dashboard without builds.
var emptyScreen = tui.Empty{
	LooksFor: "Looked for " + nearest.LooksFor() + " here, above and below.",
	Try: []tui.Try{
		{Do: "gatehouse demo", Result: "shows a simulated build, live"},
		{Do: "claude, codex or opencode", Result: "start one here or in a directory below: its session appears at once"},
		{Do: "gatehouse install claude", Result: "answer its questions and permissions here; gatehouse doctor says whether it is installed"},
	},
}

// shortPath writes ~ for the home directory.
func (s *env) shortPath(path string) string {
	if rel, err := filepath.Rel(s.user.Home, path); s.user.Home != "" && err == nil && filepath.IsLocal(rel) {
		return filepath.Join("~", rel)
	}
	return path
}

// newNotifier returns a notifier that sends each notification once. Its marks are next to the store of asks. command is the user's own, "" for none.
func (s *env) newNotifier(how tui.Notify, command string) model.Notifier {
	n := &notice.Notifier{Command: command, Env: s.environ, Now: s.now}
	if s.agents != "" {
		n.Dir = filepath.Join(filepath.Dir(s.agents), "told")
	}
	if how == tui.NotifyOSC9 {
		n.InTmux = s.ownPane().TmuxPane != ""
	}
	return n
}

// gcPercent halves the usual threshold of garbage collection: each change of a large build leaves some megabytes behind. It costs a
// dashboard less than a millisecond per change.
const gcPercent = 50

// Memory is returned to the system when nothing has changed for quietFor, if it is giveBack or more: the first reading of a hundred
// projects leaves as much garbage as they need, a small build never does. For ten thousand nodes it costs some ten milliseconds; the
// runtime alone keeps unused memory for minutes.
const (
	quietFor = time.Second
	giveBack = 4 << 20
)

// saveMemory makes a dashboard use little memory. The returned function ends that.
func saveMemory(ctx context.Context, feed model.Feed) (end func()) {
	percent := debug.SetGCPercent(gcPercent)
	ctx, cancel := context.WithCancel(ctx)
	go giveBackWhenQuiet(ctx, feed)
	return func() {
		cancel() // without waiting for memory that is being returned
		debug.SetGCPercent(percent)
	}
}

// giveBackWhenQuiet returns memory to the system until the feed or the context ends.
func giveBackWhenQuiet(ctx context.Context, feed model.Feed) {
	var shown, kept uint64 // the last snapshot; memory held after the last return
	for {
		snap, err := feed.Next(ctx, shown)
		if err != nil {
			return
		}
		shown = snap.Version
		waiting, cancel := context.WithTimeout(ctx, quietFor)
		_, err = feed.Next(waiting, shown)
		cancel()
		if now := heldBytes(); err == nil || now < kept+giveBack {
			kept = min(kept, now)
			continue
		}
		debug.FreeOSMemory()
		kept = heldBytes()
	}
}

// heldBytes returns the memory that is held from the system for data, in use or not.
func heldBytes() (bytes uint64) {
	of := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(of)
	for _, s := range of {
		bytes += s.Value.Uint64()
	}
	return bytes
}

// versionJSON is the document of "gatehouse version --json".
type versionJSON struct {
	Schema  int    `json:"schema"`
	Version string `json:"version"` // of the release
	Commit  string `json:"commit"`  // of the build, with a suffix if files were changed; "" if unknown
	Go      string `json:"go"`      // version of the toolchain
	System  string `json:"system"`  // like linux/amd64
}

func newVersion(s *env) *cobra.Command {
	return s.withJSON(&cobra.Command{
		Use: "version", Short: "Print the version", Long: "Print the version, the commit and the toolchain.",
		RunE: func(*cobra.Command, []string) error { return s.printVersion() },
	}, "print it as JSON")
}

// printVersion prints the version.
func (s *env) printVersion() error {
	system := runtime.GOOS + "/" + runtime.GOARCH
	out := versionJSON{remote.Schema, statusline.Version, statusline.Commit, runtime.Version(), system}
	if out.Commit == "" {
		out.Commit = recordedCommit()
	}
	if s.asJSON {
		return s.out.printJSON(out)
	}
	commit := ""
	if out.Commit != "" {
		commit = " (" + out.Commit + ")"
	}
	s.out.printf("gatehouse version %s%s\n%s %s\n", out.Version, exact(commit), out.Go, out.System)
	return nil
}

// recordedCommit returns the commit that Go recorded for this build, "" without one.
func recordedCommit() (commit string) {
	const shown = 12 // hex digits, as in pseudo-versions
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(len(s.Value), shown)]
		case s.Key == "vcs.modified" && s.Value == "true" && commit != "":
			commit += ", changed"
		}
	}
	return commit
}
