// Package tui is the dashboard: it shows what a [model.Feed] hands it, and knows neither files nor protocols.
//
// How it is built, and the rules that keep it fast, calm and safe:
//
//		feed.Next ─ command ─→ snapshot, indexed ─→ Update swaps one pointer ─→ View
//		key, mouse ──────────→ the one key table ─→ changes the state ────────┘
//		a, s, c, R, u, P ────→ a question, about a target frozen by its IDs ─ command ─→ the [model.Actor]
//
//	  - There is one Bubble Tea model, [dashboard]. Each pane is a type behind one interface, [pane.Pane]: it changes by methods and
//	    draws itself; none has an Update of its own.
//	  - Update and View do no input or output. A snapshot is indexed in the command that waited for it, and only visible rows
//	    are drawn: moving and drawing take no time that grows with the build. A snapshot, a fold and a letter of a filter rebuild
//	    the rows of the tree, which takes some milliseconds with 10,000 of them.
//	  - Nothing ticks. Ages are brought up to date once a minute; otherwise an idle dashboard writes no byte.
//	  - Dialogs are a stack that sees keys before the panes do; where panes stand is decided in [screenFor] alone.
//	  - Every key is a row of one table, which feeds Update, the footer, the help, the palette and the docs. A key that can't do
//	    anything now says why.
package tui

import (
	"io"
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"gatehouse/model"
	"gatehouse/tui/draw"
)

// Options are the look and the environment of a dashboard. The zero value is a dashboard on the process's own terminal
// with the look chosen for it.
type Options struct {
	// Clock returns the current time, for ages; nil means [time.Now].
	Clock func() time.Time
	// Input and Output are the terminal; nil means standard input and standard output.
	Input  io.Reader
	Output io.Writer
	// Env is the environment as "NAME=value", for NO_COLOR, TERM, LANG and the like. With nil, the framework reads the environment of
	// the process, and glyphs are Unicode.
	Env []string

	// Profile is the color profile of the output. With Unknown, the zero value, Run detects it, and Once and Frame
	// return text without any escape sequence.
	Profile colorprofile.Profile
	// Theme is the set of colors; "" means ThemeAuto.
	Theme draw.Theme
	// ASCII restricts the screen to ASCII. It is also chosen if Env names a terminal or a locale without Unicode.
	ASCII bool

	// Keys are the user's keys for rows of the key table, by the names of the rows ([KeyRows]).
	Keys map[string][]string
	// Keeper saves the state of the dashboard between runs; with nil nothing is saved.
	Keeper Keeper
	// Unsaved receives the error if the state could not be saved at the end, after the screen was restored. It may be nil.
	Unsaved func(error)
	// At is the file, relative to the project, whose row is selected at first; "" for none.
	At string
	// Notices are messages to show, one after the other. It may be nil.
	Notices <-chan string

	// TitlePath is the directory in readable form. It replaces the name of a project in the header, in the window's title and on the
	// empty screen.
	TitlePath string
	// Empty has the words for a directory without builds.
	Empty Empty
	// Fleet is the name of the displayed fleet; "" for none.
	Fleet string

	// Files reads the files of nodes, for the file pane, the editor and the pager. Without it these
	// say that they can't.
	Files model.Files
	// Actor carries out the user's decisions. With nil nothing can be decided, and the keys for it say so.
	Actor model.Actor
	// Answerer answers the questions of live agents. With nil they are only shown.
	Answerer model.Answerer
	// ReadOnly removes every key that writes state, and says so in the header. The user's editor stays.
	ReadOnly bool
	// Unfolded opens builds unfolded even if there are several projects.
	Unfolded bool
	// NoMouse leaves the mouse to the terminal.
	NoMouse bool
	// Lent is called when another program gets the terminal and when it ends: in between, ctrl+c is meant for that program. It may be nil.
	Lent func(bool)
	// Notify is how the user is notified of new waits; "" means NotifyBell.
	Notify Notify
	// Notifier records the notices that were announced, and runs the user's own command. With nil every new wait is announced.
	Notifier model.Notifier
}

// Empty has the words for an empty screen. They come from outside, because only the reader knows which files it reads.
type Empty struct {
	// LooksFor says in a sentence or two which files were searched for, and where.
	LooksFor string
	// Try lists ways to see something, the most likely first.
	Try []Try
}

// Try is something that the user can do, such as a command, and its effect.
type Try struct{ Do, Result string }

// currentTime returns the time by the clock of the options.
func (o Options) currentTime() time.Time {
	if o.Clock == nil {
		return time.Now()
	}
	return o.Clock()
}

// wantsASCII reports whether an environment names a terminal or a locale without Unicode. An empty environment does not.
func wantsASCII(env []string) bool {
	if len(env) == 0 {
		return false
	}
	if term := uv.Environ(env).Getenv("TERM"); term == "linux" || term == "dumb" {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} { // the first one that is set counts, as in POSIX
		if locale := strings.ToUpper(uv.Environ(env).Getenv(name)); locale != "" {
			return !strings.Contains(locale, "UTF-8") && !strings.Contains(locale, "UTF8")
		}
	}
	return true
}

func (d *dashboard) envValue(name string) string {
	if d.opts.Env != nil {
		return uv.Environ(d.opts.Env).Getenv(name)
	}
	return os.Getenv(name)
}
