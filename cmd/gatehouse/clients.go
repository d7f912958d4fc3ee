package main

// The clients of live agents: gatehouse hook, install, uninstall and doctor.

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/codex"
	"gatehouse/parse/agents/hook"
	"gatehouse/parse/agents/setup"
	"gatehouse/parse/agents/worktree"
)

// maxEvent bounds an event: 32 MiB, because clients pass whole files.
const maxEvent = 32 << 20

func newHook(s *env) *cobra.Command {
	return &cobra.Command{
		Use:   "hook CLIENT",
		Short: "Take an event of an agent's client; the client runs this",
		Long: `Take an event of an agent's client from standard input, and print what a human has
decided, by the client's contract. gatehouse install has the client run it.

What an agent asks appears in gatehouse asks; answered with gatehouse answer, the
agent goes on. Without an answer, and whatever goes wrong, nothing is printed and the exit
code is 0: the client's own prompt decides.

Clients: ` + strings.Join(hook.Clients(), ", ") + ".",
		Args:      oneArg("client", "whose? "+strings.Join(hook.Clients(), ", ")),
		ValidArgs: hook.Clients(),
		RunE: func(cmd *cobra.Command, args []string) error {
			signal.Ignore(syscall.SIGPIPE)
			// No error here may decide anything, or stop the agent.
			if err := s.runHook(cmd.Context(), args[0]); err != nil {
				s.complain("%v", err)
			}
			return nil
		},
	}
}

// hookRoot returns a command line with this command alone: a client runs it at each call of a tool, and building the flags of
// all other commands would double its time.
func hookRoot(s *env) *cobra.Command {
	root := &cobra.Command{Use: "gatehouse", SilenceErrors: true, SilenceUsage: true}
	root.SetOut(s.out)
	root.SetErr(s.stderr)
	root.PersistentPreRun = func(*cobra.Command, []string) { s.isRunning = true }
	root.AddCommand(newHook(s))
	return root
}

// runHook handles one event.
func (s *env) runHook(ctx context.Context, client string) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("a fault of gatehouse's own: %v; please report it", fault)
		}
	}()
	input, err := io.ReadAll(io.LimitReader(s.stdin, maxEvent+1))
	if err != nil || len(input) > maxEvent {
		return errors.Join(err, errors.New("the event can't be read whole"))
	}
	h := hook.Hook{
		Store: s.openAsks(), Env: s.getenv, Home: s.user.Home, Project: s.projectOf,
		Head: worktree.Head,
		Daemon: func(session string) bool {
			return codex.ServesDaemon(ctx, codex.Socket(s.user.Home, s.getenv), session)
		},
		Print: func(text []byte) error {
			s.out.Write(text)
			return s.out.Flush()
		},
	}
	err = s.untilSignal(ctx, func(ctx context.Context) error { return h.Run(ctx, client, input) })
	if errors.As(err, new(endedBySignal)) { // clients send a signal when they need no answer any more
		err = nil
	}
	return err
}

// installedJSON is the document of "gatehouse install --json" and "uninstall --json".
type installedJSON struct {
	Schema  int          `json:"schema"`
	Result  string       `json:"result"`         // done, already or dry-run
	File    string       `json:"file"`           // path of the client's settings
	Removed bool         `json:"removed"`        // nothing else was in the file, so it goes
	Edits   []model.Edit `json:"edits"`          // the values that change
	Next    string       `json:"next,omitempty"` // what is left to do
}

func newInstall(s *env) *cobra.Command {
	return newSetup(s, setup.Place.Install, "installed", "all hooks are installed", &cobra.Command{
		Use:   "install CLIENT",
		Short: "Install Gatehouse's hooks in an agent",
		Long: `Install Gatehouse's hooks in an agent: claude, codex or opencode. Then its sessions appear
here, and its questions, plans and permissions wait here too.

The command writes without asking; --dry-run prints each edit instead. Only Gatehouse's
own entries change. Run it again after gatehouse has moved.

The hooks are for all your projects (--user), or for one (--project): then they go to the
file with your own settings of the project, such as .claude/settings.local.json.`,
		Example: "  gatehouse install claude --dry-run\n  gatehouse install claude && gatehouse doctor",
	})
}

func newUninstall(s *env) *cobra.Command {
	return newSetup(s, setup.Place.Uninstall, "uninstalled", "no hooks are installed", &cobra.Command{
		Use:   "uninstall CLIENT",
		Short: "Remove Gatehouse's hooks from an agent",
		Long: `Remove Gatehouse's hooks from an agent. Every other byte of its settings stays as it is. A
file with nothing else in it is removed.`,
	})
}

// newSetup completes a command that plans a change of a client's settings, prints it and executes it.
func newSetup(s *env, plan func(setup.Place) (*setup.Plan, error), done, nothing string, cmd *cobra.Command) *cobra.Command {
	var isUser, isProject, isDry bool
	var dir string
	cmd.ValidArgs = hook.Clients()
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) != 1 || !slices.Contains(hook.Clients(), args[0]) {
			return usageError{errors.New("name one client: " + strings.Join(hook.Clients(), ", "))}
		}
		return nil
	}
	cmd.Flags().BoolVar(&isUser, "user", false, "for all your projects (default)")
	cmd.Flags().BoolVar(&isProject, "project", false, "for one project")
	cmd.Flags().StringVar(&dir, "dir", ".", "`directory` of the project")
	cmd.Flags().BoolVarP(&isDry, "dry-run", "n", false, "print each edit and write nothing")
	s.jsonFlag(cmd, "print what was done as JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if isUser && isProject {
			return usageError{errors.New("use --user or --project, not both")}
		}
		dir, err := workingDir(dir)
		if err != nil {
			return err
		}
		place := s.setupPlace(args[0], dir)
		place.IsProject = isProject
		p, err := plan(place)
		if err != nil {
			return err
		}
		file, out := s.shortPath(p.File), installedJSON{remote.Schema, remote.ResultDone, p.File, p.RemovesFile, nonNil(p.Edits), p.Next}
		if p.IsEmpty() {
			if out.Result = remote.ResultAlready; s.asJSON {
				return s.out.printJSON(out)
			}
			s.out.printf("%s: %s; nothing to do\n", file, nothing)
			return nil
		}
		removed := "removed"
		if isDry {
			done, removed, out.Result = "would write", "would remove", remote.ResultDryRun
		} else if err := p.Write(cmd.Context()); err != nil {
			return err
		}
		if s.asJSON {
			return s.out.printJSON(out)
		}
		for _, e := range p.Edits {
			if isDry {
				s.out.printf("  %s:%d:%d  %s: %s → %s\n", file, e.Pos.Line, e.Pos.Col, e.Label, shortenValue(e.Old), shortenValue(e.New))
			}
		}
		if p.RemovesFile {
			s.out.printf("%s: %s (nothing else was in it)\n", removed, file)
		} else {
			s.out.printf("%s: %s\n", done, file)
		}
		if p.Next != "" && !isDry {
			s.out.printf("%s\n", p.Next)
		}
		return nil
	}
	return cmd
}

// setupPlace returns a client of this user.
func (s *env) setupPlace(client, dir string) setup.Place {
	return setup.Place{Client: client, Home: s.user.Home, Env: s.getenv, Dir: dir, Program: programPath()}
}

// programPath returns the path of this program for hooks: the one in PATH if it is this program, because that path survives an update,
// otherwise the path of the running one.
func programPath() string {
	self, err := os.Executable()
	if err != nil {
		return "gatehouse"
	}
	found, _ := exec.LookPath("gatehouse")
	mine, errMine := os.Stat(self)
	other, errOther := os.Stat(found)
	if filepath.IsAbs(found) && errMine == nil && errOther == nil && os.SameFile(mine, other) {
		return found
	}
	return self
}

// The results of a check.
const (
	findingOK     = "ok"
	findingAdvice = "advice" // it works, but not as well as it could
	findingBroken = "broken" // agents can't ask or be answered here
)

// findingsJSON is the output of "gatehouse doctor --json".
type findingsJSON struct {
	Schema   int       `json:"schema"`
	Findings []finding `json:"findings"` // in the order of the checks
}

// finding is the result of one check.
type finding struct {
	What   string `json:"what"`             // what was checked
	How    string `json:"how"`              // ok, advice or broken
	Said   string `json:"said"`             // what was found
	Remedy string `json:"remedy,omitempty"` // what to do
}

func newDoctor(s *env) *cobra.Command {
	return s.withJSON(&cobra.Command{
		Use:   "doctor",
		Short: "Check whether live agents can ask you here",
		Long: `Check whether live agents can ask you here, and say what to do if not: the programs, the
directory with the asks, the hooks and settings of each client for you and for the project
in this directory, the terminal, and a probe that asks and answers itself by a real hook.

Exits 1 if something is broken.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d := doctor{env: s}
			d.checkPrograms()
			isUsable := d.checkStore()
			d.checkClients()
			d.checkTerminal()
			if isUsable {
				d.checkProbe(cmd.Context())
			}
			return d.printFindings()
		},
	}, "print the findings as JSON")
}

type doctor struct {
	*env
	found []finding
}

func (d *doctor) addFinding(how, what, text, remedy string) {
	d.found = append(d.found, finding{what, how, text, remedy})
}

func (d *doctor) printFindings() error {
	if d.asJSON {
		return cmp.Or(d.out.printJSON(findingsJSON{remote.Schema, d.found}), d.refuseBroken())
	}
	for _, f := range d.found {
		d.out.printf("%-7s %-22s %s\n", f.How, f.What, f.Said)
		if f.Remedy != "" {
			d.out.printf("        %-22s → %s\n", "", f.Remedy)
		}
	}
	return d.refuseBroken()
}

// refuseBroken returns the error that a check ends with if something is broken.
func (d *doctor) refuseBroken() error {
	if slices.ContainsFunc(d.found, func(f finding) bool { return f.How == findingBroken }) {
		return refusal{}
	}
	return nil
}

func (d *doctor) checkPrograms() {
	switch found, err := exec.LookPath("gatehouse"); {
	case err != nil:
		d.addFinding(findingAdvice, "gatehouse", programPath()+", not in PATH", "add its directory to PATH; until then hooks use the full path")
	case found != programPath():
		d.addFinding(findingAdvice, "gatehouse", "another one is in PATH: "+found, "remove the one you do not want; this is "+programPath())
	default:
		d.addFinding(findingOK, "gatehouse", found, "")
	}
}

// checkStore reads the asks, and reports whether it can.
func (d *doctor) checkStore() (isUsable bool) {
	if d.agents == "" {
		d.addFinding(findingBroken, "asks", "no directory for them", "set HOME or XDG_STATE_HOME")
		return false
	}
	items, err := d.openAsks().List(true)
	if errors.Is(err, ask.ErrLater) { // all other asks work
		d.addFinding(findingBroken, "asks", err.Error(), "")
	} else if err != nil {
		d.addFinding(findingBroken, "asks", err.Error(), "fix this first; until then nothing can be asked")
		return false
	}
	waiting := 0
	for _, item := range items {
		if item.State == ask.Waiting {
			waiting++
		}
	}
	d.addFinding(findingOK, "asks", fmt.Sprintf("in %s; %d waiting", d.shortPath(d.agents), waiting), "")
	return true
}

// checkClients checks each client that is in PATH, has hooks, or has unreadable settings.
func (d *doctor) checkClients() {
	dir, _ := filepath.Abs(".")
	hasHooks := false
	for _, name := range hook.Clients() {
		status, err := d.setupPlace(name, dir).Status()
		if err != nil {
			d.addFinding(findingBroken, name, err.Error(), "fix this first")
			continue
		}
		for _, f := range status.Findings {
			f.File = d.shortPath(f.File)
			d.addFinding(severities[f.Severity], name, f.Pos.String()+": "+f.Text, f.Fix)
		}
		hasHooks = hasHooks || status.IsInstalled
		_, err = exec.LookPath(name)
		if err == nil && !status.IsInstalled {
			d.addFinding(findingAdvice, name, "Gatehouse's hooks are not installed", "gatehouse install "+name)
		}
		if err == nil || status.IsInstalled {
			d.checkRecords(name, status.ConfigDir)
		}
	}
	if !hasHooks {
		d.addFinding(findingAdvice, "clients", "no client has Gatehouse's hooks", "gatehouse install "+strings.Join(hook.Clients(), "|"))
	}
}

// severities are the words for findings about settings.
var severities = map[model.Severity]string{"": findingOK, model.Warning: findingAdvice, model.Error: findingBroken}

// checkRecords checks the records and sockets of a client.
func (d *doctor) checkRecords(name, config string) {
	switch name {
	case "claude":
		dir := filepath.Join(config, "sessions")
		if _, err := os.ReadDir(dir); err != nil {
			d.addFinding(findingAdvice, "claude sessions", "no records in "+d.shortPath(dir)+"; hooks alone do not report Esc",
				"start a session of Claude Code 2.1.330 or newer")
			return
		}
		d.addFinding(findingOK, "claude sessions", "recorded in "+d.shortPath(dir), "")
	case "codex":
		socket, has := filepath.Join(config, "app-server-control", "app-server-control.sock"), "socket at "
		if _, err := os.Stat(socket); err != nil {
			has = "no socket at "
		}
		d.addFinding(findingOK, "codex daemon", has+d.shortPath(socket)+"; sessions without it use the hooks", "")
	}
}

func (d *doctor) checkTerminal() {
	how, remedy, term := findingOK, "", d.getenv("TERM")
	if term == "" || term == "dumb" {
		how, remedy, term = findingAdvice, "the dashboard needs a terminal that can move its cursor", "TERM is "+cmp.Or(term, "not set")
	}
	d.addFinding(how, "terminal", strings.TrimSpace(term+" "+d.getenv("TERM_PROGRAM")), remedy)
	if pane := d.ownPane(); pane.TmuxPane != "" {
		d.addFinding(findingOK, "gatehouse jump", "selects an agent's pane ("+pane.String()+")", "")
	} else {
		d.addFinding(findingAdvice, "gatehouse jump", "this terminal can't select another pane", "run agents in tmux")
	}
}

const (
	probeTimeout  = 10 * time.Second
	probeInterval = 2 * time.Millisecond // between looks for the probe's question
)

// checkProbe asks a question through a real hook and answers it.
func (d *doctor) checkProbe(ctx context.Context) {
	took, err := d.runProbe(ctx)
	if err != nil {
		d.addFinding(findingBroken, "probe", "a question did not come back: "+err.Error(), "please report this with the lines above")
		return
	}
	d.addFinding(findingOK, "probe", fmt.Sprintf("asked and answered; the answer took %d ms", took.Milliseconds()), "")
}

// runProbe returns the time from answer to output, in a separate store on the same disk.
func (d *doctor) runProbe(ctx context.Context) (time.Duration, error) {
	ctx, stop := context.WithTimeout(ctx, probeTimeout)
	defer stop()
	if err := os.MkdirAll(filepath.Dir(d.agents), 0o700); err != nil {
		return 0, err
	}
	state, err := os.MkdirTemp(filepath.Dir(d.agents), "probe-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(state)
	cmd := exec.CommandContext(ctx, programPath(), "hook", "claude")
	cmd.Env = append(cmd.Environ(), "XDG_STATE_HOME="+state, "CLAUDE_CODE_SESSION_ATTENDED=1")
	cmd.Stdin = strings.NewReader(`{"session_id":"probe","cwd":"/","hook_event_name":"PermissionRequest","tool_name":"AskUserQuestion",` +
		`"tool_input":{"questions":[{"question":"Does it work?","options":[{"label":"Yes"},{"label":"No"}]}]}}`)
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	store := ask.Open(ask.Options{
		Dir: filepath.Join(state, "gatehouse", "agents"), Journal: filepath.Join(state, "journal"), User: d.user.Name, Table: d.processes, Now: d.now,
	})
	var answered time.Time
	for answered.IsZero() {
		items, err := store.List(false)
		if err == nil && len(items) == 1 {
			answered = time.Now()
			_, err = store.Answer(items[0].ID, ask.Answer{Allow: true, Replies: []ask.Reply{{Picks: []int{0}}}}, ask.ByCommand)
		}
		if err = cmp.Or(err, context.Cause(ctx)); err != nil {
			stop()
			return 0, errors.Join(err, cmd.Wait())
		}
		time.Sleep(probeInterval)
	}
	if err := cmd.Wait(); err != nil {
		return 0, err
	}
	took := time.Since(answered)
	if !strings.Contains(out.String(), `"answers":{"Does it work?":"Yes"}`) {
		return 0, fmt.Errorf("the hook printed %q", out.String())
	}
	return took, nil
}
