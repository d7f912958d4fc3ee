// Package pane records an agent's terminal and pane, and switches to it. It runs only commands that
// move the focus, and never types into a terminal.
package pane

import (
	"cmp"
	"context"
	"path/filepath"
	"regexp"
	"strings"

	"gatehouse/parse/text/shell"
)

// Pane is the terminal pane that shows a process. The zero value is nowhere.
type Pane struct {
	Terminal string   `json:"terminal,omitempty"`  // path: "/dev/pts/3"
	Tmux     string   `json:"tmux,omitempty"`      // path of the server's socket
	TmuxPane string   `json:"tmux_pane,omitempty"` // "%3"
	Attach   []string `json:"attach,omitempty"`    // command that shows a background session: claude attach 6b12ddc4
}

// The forms of fields that become arguments of commands.
var (
	paneID    = regexp.MustCompile(`^%[0-9]{1,19}$`)
	attaching = regexp.MustCompile(`^claude attach [A-Za-z0-9][A-Za-z0-9_-]{0,99}$`)
)

// Of returns the pane of a process from its environment and controlling terminal. Without a terminal it has none: the
// environment is its parent's. A background session of Claude Code has a terminal that no window shows.
func Of(env func(name string) string, terminal string) Pane {
	if job := env("CLAUDE_JOB_DIR"); job != "" {
		return Pane{Terminal: terminal, Attach: []string{"claude", "attach", filepath.Base(job)}}.Valid()
	}
	if terminal == "" {
		return Pane{}
	}
	socket, _, _ := strings.Cut(env("TMUX"), ",")
	return Pane{Terminal: terminal, Tmux: socket, TmuxPane: env("TMUX_PANE")}.Valid()
}

// Valid returns the pane without invalid fields. A pane may come from a file, and its fields become arguments of commands.
func (p Pane) Valid() Pane {
	keep := func(s *string, ok bool) {
		if !ok || len(*s) > 4096 || strings.ContainsFunc(*s, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			*s = ""
		}
	}
	keep(&p.Terminal, strings.HasPrefix(p.Terminal, "/dev/"))
	keep(&p.Tmux, filepath.IsAbs(p.Tmux))
	keep(&p.TmuxPane, p.Tmux != "" && paneID.MatchString(p.TmuxPane))
	if len(p.Attach) != 3 || !attaching.MatchString(strings.Join(p.Attach, " ")) {
		p.Attach = nil
	}
	return p
}

// String returns the place in a few words, "" for nowhere.
func (p Pane) String() string {
	switch {
	case p.Attach != nil:
		return "background"
	case p.TmuxPane != "":
		return "tmux " + p.TmuxPane
	}
	return strings.TrimPrefix(p.Terminal, "/dev/")
}

// Run runs a command and returns its output.
type Run func(ctx context.Context, name string, args ...string) (out string, err error)

// Way is the result of going to a pane.
type Way struct {
	There bool   // the pane is in view now
	Said  string // the result, or the reason for a failure
	Type  string // a command for the user to type that leads there, "" for none
}

// Go brings a pane of tmux into view of a user who is at the pane here.
func (p Pane) Go(ctx context.Context, here Pane, run Run) Way {
	p = p.Valid()
	if way, known := p.goTmux(ctx, here, run); known {
		return way
	}
	switch {
	case p.Attach != nil:
		return Way{Said: "it runs in the background; attach to it", Type: shell.Line(p.Attach...)}
	case p.Terminal != "":
		return Way{Said: "it runs at " + p.Terminal + ", which is not in tmux"}
	}
	return Way{Said: "its terminal is unknown"}
}

// goTmux goes to a pane of tmux. Without a tmux pane on record it looks for the pane's terminal on the user's own server; known is false if
// that has no such pane.
func (p Pane) goTmux(ctx context.Context, here Pane, run Run) (way Way, known bool) {
	socket := cmp.Or(p.Tmux, here.Tmux)
	if socket == "" {
		return way, false
	}
	tmux := func(args ...string) (string, error) {
		return run(ctx, "tmux", append([]string{"-S", socket}, args...)...)
	}
	panes, err := tmux("list-panes", "-a", "-F", "#{pane_id}\t#{pane_tty}\t#{session_id}\t#{session_attached}\t#{session_name}")
	if err != nil {
		return Way{Said: "the tmux server at " + socket + " does not answer"}, p.Tmux != ""
	}
	find := func(column int, value string) []string {
		for row := range strings.Lines(panes) {
			if f := strings.SplitN(strings.TrimRight(row, "\n"), "\t", 5); len(f) == 5 && value != "" && f[column] == value {
				return f
			}
		}
		return nil
	}
	to := find(0, p.TmuxPane)
	if to == nil {
		to = find(1, p.Terminal)
	}
	if to == nil {
		return Way{Said: "its tmux pane " + p.TmuxPane + " is gone"}, p.TmuxPane != ""
	}
	id, session, attached, name := to[0], to[2], to[3], to[4]
	if _, err := tmux("select-window", "-t", id, ";", "select-pane", "-t", id); err != nil {
		return Way{Said: "tmux did not go there: " + err.Error()}, true
	}
	if here.Tmux == socket {
		if from := find(0, here.TmuxPane); from != nil && from[2] == session { // a switch within the session flickers
			return Way{There: true, Said: "went to tmux " + id}, true
		}
		if _, err := tmux("switch-client", "-t", id); err == nil {
			return Way{There: true, Said: "went to tmux " + id + " (" + name + ")"}, true
		}
	}
	if attached != "0" {
		return Way{There: true, Said: "focused it in the terminal that shows the tmux session " + name}, true
	}
	return Way{Said: "no terminal shows the tmux session " + name, Type: shell.Line("tmux", "-S", socket, "attach", "-t", session)}, true
}
