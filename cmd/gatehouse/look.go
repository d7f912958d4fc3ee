package main

// The flags that say how things are drawn, for the commands that draw.

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"gatehouse/parse/nearest"
	"gatehouse/tui"
	"gatehouse/tui/draw"
)

// look are the values of the flags.
type look struct {
	theme string
	ascii bool
	color string

	readOnly bool
	noMouse  bool
	notify   string
	command  string // to tell the user by
}

// addTo gives a command the flags.
func (l *look) addTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&l.theme, "theme", "auto", "`colours`: auto, dark, light, basic or mono")
	cmd.Flags().BoolVar(&l.ascii, "ascii", false, "draw with ASCII only")
	cmd.Flags().StringVar(&l.color, "color", "auto", "`when` to use colour: auto, always or never")
	offer(cmd, "theme", draw.Themes()...)
	offer(cmd, "color", "auto", "always", "never")
}

// offer makes shells complete the values of a flag.
func offer(cmd *cobra.Command, flag string, values ...string) {
	complete(cmd, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// addLiveTo gives a command the flags of a dashboard that is looked at for a while.
func (l *look) addLiveTo(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&l.readOnly, "readonly", false, "leave out every key that writes state files")
	cmd.Flags().BoolVar(&l.noMouse, "no-mouse", false, "leave the mouse to the terminal, to select text")
	cmd.Flags().StringVar(&l.notify, "notify", string(tui.NotifyBell), "`how` to call you when something begins to wait: bell, osc9 or off")
	cmd.Flags().StringVar(&l.command, "notify-command", "", "run this `command` too, for each thing; what it is stands in $GATEHOUSE_NOTICE_TEXT and others")
	offer(cmd, "notify", tui.NotifyWays()...)
}

// options turns the flags, the configuration and the environment into the dashboard's options.
func (l *look) options(s *surroundings, cmd *cobra.Command) (tui.Options, error) {
	if err := l.fromConfig(s, cmd); err != nil {
		return tui.Options{}, err
	}
	theme, err := draw.ParseTheme(l.theme)
	if err != nil {
		return tui.Options{}, usageError{fmt.Errorf("--theme: %w", err)}
	}
	opts := tui.Options{Clock: s.now, Input: s.keys, Output: s.stdout, Env: s.env, Theme: theme, ASCII: l.ascii, Empty: emptyScreen,
		ReadOnly: l.readOnly, NoMouse: l.noMouse}
	if opts.Notify, err = tui.ParseNotify(l.notify); err != nil {
		return tui.Options{}, usageError{fmt.Errorf("--notify: %w", err)}
	}
	opts.Notifier = s.notifier(opts.Notify, l.command)
	s.wished(&opts)
	switch l.color {
	case "auto":
		if s.terminal {
			// By the environment alone: to ask tmux as well, as the framework would, costs a process before the first frame.
			opts.Profile = colorprofile.Env(s.env)
		}
	case "always":
		opts.Profile = max(colorprofile.Env(s.env), colorprofile.ANSI)
	case "never":
		opts.Profile = colorprofile.NoTTY
	default:
		return tui.Options{}, usageError{fmt.Errorf("--color: no %q: choose auto, always or never", l.color)}
	}
	if wd, err := os.Getwd(); err == nil {
		opts.TitlePath = shortPath(wd, s.user.Home)
	}
	return opts, nil
}

// emptyScreen is what the dashboard says if it finds nothing.
var emptyScreen = tui.Empty{
	LooksFor: "Looked for " + nearest.LooksFor("") + " here, above and below.",
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
