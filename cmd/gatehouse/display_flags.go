package main

// The display flags, for commands that draw.

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/parse/agents/notice"
	"gatehouse/parse/nearest"
	"gatehouse/tui"
	"gatehouse/tui/draw"
)

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
	completeWords(cmd, "theme", draw.Themes()...)
}

// completeWords makes shells complete the values of a flag.
func completeWords(cmd *cobra.Command, flag string, values ...string) {
	completeFlag(cmd, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// addLiveTo adds the flags of a dashboard that stays open.
func (l *displayFlags) addLiveTo(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&l.readOnly, "readonly", false, "leave out every key that writes state files")
	cmd.Flags().BoolVar(&l.noMouse, "no-mouse", false, "leave the mouse to the terminal, to select text")
	cmd.Flags().StringVar(&l.notify, "notify", string(tui.NotifyBell), "`how` to call you when something begins to wait: bell, osc9 or off")
	cmd.Flags().StringVar(&l.command, "notify-command", "", "also run this `command` for each thing; $GATEHOUSE_NOTICE_TEXT and other variables describe it")
	completeWords(cmd, "notify", tui.NotifyWays()...)
}

// tuiOptions turns the flags, the configuration and the environment into the dashboard's options.
func (l *displayFlags) tuiOptions(s *env, cmd *cobra.Command) (tui.Options, error) {
	if err := l.fromConfig(s, cmd); err != nil {
		return tui.Options{}, err
	}
	theme, err := draw.ParseTheme(l.theme)
	if err != nil {
		return tui.Options{}, usageError{fmt.Errorf("--theme: %w", err)}
	}
	opts := tui.Options{Clock: s.now, Input: s.keys, Output: s.stdout, Env: s.environ, Theme: theme, ASCII: l.ascii, Empty: emptyScreen,
		ReadOnly: l.readOnly, NoMouse: l.noMouse}
	if opts.Notify, err = tui.ParseNotify(l.notify); err != nil {
		return tui.Options{}, usageError{fmt.Errorf("--notify: %w", err)}
	}
	opts.Notifier = s.newNotifier(opts.Notify, l.command)
	s.applyTUISettings(&opts)
	switch { // from the environment alone: asking tmux too, as the framework does, starts a process before the first frame
	case s.color == colorNever:
	case s.isColored():
		opts.Profile = max(colorprofile.Env(s.environ), colorprofile.ANSI)
	case s.terminal:
		opts.Profile = colorprofile.Env(s.environ)
	}
	if wd, err := os.Getwd(); err == nil {
		opts.TitlePath = shortPath(wd, s.user.Home)
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
func shortPath(path, home string) string {
	if rel, err := filepath.Rel(home, path); home != "" && err == nil && filepath.IsLocal(rel) {
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
