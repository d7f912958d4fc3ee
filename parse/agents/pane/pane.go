// Package pane knows in which pane of which terminal an agent runs, and the commands that lead there. It types nothing into any.
package pane

import (
	"context"
	"path/filepath"
	"strings"

	"gatehouse/parse/text/shell"
)

// Pane is where a process can be seen. The zero value is nowhere.
type Pane struct {
	Terminal      string `json:"terminal,omitempty"`       // path: "/dev/pts/3"
	Tmux          string `json:"tmux,omitempty"`           // path of the server's socket
	TmuxPane      string `json:"tmux_pane,omitempty"`      // "%3"
	Wezterm       string `json:"wezterm,omitempty"`        // number of the pane
	WeztermSocket string `json:"wezterm_socket,omitempty"` // path
	Kitty         string `json:"kitty,omitempty"`          // number of the window
	KittyAddress  string `json:"kitty_address,omitempty"`  // of its remote control: "unix:/tmp/kitty"
}

// Of returns the pane of a process with an environment and a controlling terminal. Without a terminal it has no pane, whatever
// the environment says: that is then the one of whoever started it.
func Of(env func(name string) string, terminal string) Pane {
	if terminal == "" {
		return Pane{}
	}
	socket, _, _ := strings.Cut(env("TMUX"), ",")
	return Pane{
		Terminal: terminal, Tmux: socket, TmuxPane: env("TMUX_PANE"),
		Wezterm: env("WEZTERM_PANE"), WeztermSocket: env("WEZTERM_UNIX_SOCKET"),
		Kitty: env("KITTY_WINDOW_ID"), KittyAddress: env("KITTY_LISTEN_ON"),
	}.Valid()
}

// Valid returns the pane without what can't be part of one: it may come from a file, and goes into commands.
func (p Pane) Valid() Pane {
	keep := func(s *string, ok bool) {
		if !ok || len(*s) > 4096 || strings.ContainsFunc(*s, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			*s = ""
		}
	}
	keep(&p.Terminal, strings.HasPrefix(p.Terminal, "/dev/"))
	keep(&p.Tmux, filepath.IsAbs(p.Tmux))
	keep(&p.TmuxPane, p.Tmux != "" && strings.HasPrefix(p.TmuxPane, "%") && digits(p.TmuxPane[1:]))
	keep(&p.Wezterm, digits(p.Wezterm))
	keep(&p.WeztermSocket, p.Wezterm != "" && filepath.IsAbs(p.WeztermSocket))
	keep(&p.KittyAddress, strings.HasPrefix(p.KittyAddress, "unix:") || strings.HasPrefix(p.KittyAddress, "tcp:"))
	keep(&p.Kitty, p.KittyAddress != "" && digits(p.Kitty))
	return p
}

func digits(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}

// String returns where it is in a few words, "" for nowhere.
func (p Pane) String() string {
	switch {
	case p.TmuxPane != "":
		return "tmux " + p.TmuxPane
	case p.Wezterm != "":
		return "wezterm " + p.Wezterm
	case p.Kitty != "":
		return "kitty " + p.Kitty
	}
	return strings.TrimPrefix(p.Terminal, "/dev/")
}

// Run runs a command, and returns what it printed.
type Run func(ctx context.Context, name string, args ...string) (out string, err error)

// Way is what came of going to a pane.
type Way struct {
	// There says that the pane is in view now.
	There bool
	// Said says what was done, or why nothing was.
	Said string
	// Type is a command that leads there when it is typed, "" for none.
	Type string
}

// Go brings a pane into view, for somebody who is at another one. Only the terminal's own commands are run, never one that
// types.
func (p Pane) Go(ctx context.Context, here Pane, run Run) Way {
	p = p.Valid()
	if w, known := p.goTmux(ctx, here, run); known {
		return w
	}
	switch {
	case p.Wezterm != "":
		if _, err := run(ctx, "wezterm", "cli", "activate-pane", "--pane-id", p.Wezterm); err == nil {
			return Way{There: true, Said: "went to " + p.String()}
		}
		return Way{Said: "wezterm does not answer", Type: "wezterm cli activate-pane --pane-id " + p.Wezterm}
	case p.Kitty != "":
		if _, err := run(ctx, "kitten", "@", "--to", p.KittyAddress, "focus-window", "--match", "id:"+p.Kitty); err == nil {
			return Way{There: true, Said: "went to " + p.String()}
		}
		return Way{Said: "kitty's remote control does not answer", Type: "kitten @ --to " + shell.Word(p.KittyAddress) + " focus-window --match id:" + p.Kitty}
	case p.Terminal != "":
		return Way{Said: "it runs at " + p.Terminal + ", in a terminal that has no command to show it"}
	}
	return Way{Said: "it is not known in which terminal it runs"}
}

// tmuxFields are what is asked about panes.
const tmuxFields = "#{pane_id}\t#{pane_tty}\t#{session_id}\t#{session_attached}\t#{session_name}"

// goTmux goes to a pane of tmux; known is false for one that tmux does not have. A pane without one of tmux recorded is looked for
// by its terminal, on the server that the user is at.
func (p Pane) goTmux(ctx context.Context, here Pane, run Run) (w Way, known bool) {
	socket := p.Tmux
	if socket == "" {
		socket = here.Tmux
	}
	if socket == "" {
		return w, false
	}
	tmux := func(args ...string) (string, error) {
		return run(ctx, "tmux", append([]string{"-S", socket}, args...)...)
	}
	panes, err := tmux("list-panes", "-a", "-F", tmuxFields)
	if err != nil {
		return Way{Said: "the tmux server at " + socket + " does not answer"}, p.Tmux != ""
	}
	find := func(is func(f []string) bool) []string {
		for l := range strings.Lines(panes) {
			if f := strings.SplitN(strings.TrimRight(l, "\n"), "\t", 5); len(f) == 5 && is(f) {
				return f
			}
		}
		return nil
	}
	to := find(func(f []string) bool { return f[0] == p.TmuxPane })
	if to == nil {
		to = find(func(f []string) bool { return p.Terminal != "" && f[1] == p.Terminal })
	}
	if to == nil {
		return Way{Said: "its pane " + p.TmuxPane + " of tmux is gone"}, p.TmuxPane != ""
	}
	id, session, attached, name := to[0], to[2], to[3], to[4]
	for _, args := range [][]string{{"select-window", "-t", id}, {"select-pane", "-t", id}} {
		if _, err := tmux(args...); err != nil {
			return Way{Said: "tmux did not go there: " + err.Error()}, true
		}
	}
	if here.Tmux == socket {
		from := find(func(f []string) bool { return f[0] == here.TmuxPane })
		if from != nil && from[2] == session { // switching to where one is flickers
			return Way{There: true, Said: "went to tmux " + id}, true
		}
		if _, err := tmux("switch-client", "-t", id); err == nil {
			return Way{There: true, Said: "went to tmux " + id + " (" + name + ")"}, true
		}
	}
	if attached != "0" {
		return Way{There: true, Said: "shown in the terminal where the tmux session " + name + " is"}, true
	}
	return Way{Said: "the tmux session " + name + " is shown in no terminal", Type: "tmux -S " + shell.Word(socket) + " attach -t " + shell.Word(session)}, true
}

// Nested returns in how many multiplexers a terminal is, one in the other: 0 outside of tmux, 2 where a client of its session runs
// in a terminal that is itself one of tmux or screen.
func Nested(ctx context.Context, env func(name string) string, run Run) int {
	socket, _, _ := strings.Cut(env("TMUX"), ",")
	here := Pane{Tmux: socket, TmuxPane: env("TMUX_PANE")}.Valid()
	if here.TmuxPane == "" {
		return 0
	}
	terms, _ := run(ctx, "tmux", "-S", here.Tmux, "list-clients", "-t", here.TmuxPane, "-F", "#{client_termname}")
	for name := range strings.FieldsSeq(terms) {
		if strings.HasPrefix(name, "tmux") || strings.HasPrefix(name, "screen") {
			return 2
		}
	}
	return 1
}
