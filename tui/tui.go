// Package tui is the dashboard: it shows what a [model.Feed] hands it, and knows neither files nor protocols.
//
// How it is made, and the rules that keep it fast, calm and safe:
//
//		feed.Next ─ command ─→ snapshot, indexed ─→ Update swaps one pointer ─→ View
//		key, mouse ──────────→ the one key table ─→ changes the state ────────┘
//		a, s, c, R, u, P ────→ a question, about a target frozen by its IDs ─ command ─→ the [model.Actor]
//
//	  - There is one Bubble Tea model, [dashboard]. Panes are plain structs that change by methods and draw themselves by
//	    Render(width, height); none has an Update of its own.
//	  - Update and View do no input or output and take no time that grows with the build: a snapshot is indexed in the
//	    command that waited for it, only visible rows are drawn, and a pane is drawn again only when its revision, size,
//	    focus or look changed.
//	  - Nothing ticks. Ages are brought up to date once a minute; otherwise an idle dashboard writes no byte.
//	  - All text reaches the screen through [ribbon.add], which cleans and measures it: a file can't move the cursor, fake a
//	    row or push a border. Our own glyphs are one column wide.
//	  - A status is told by a glyph and a word, never by colour alone. Colours are roles ([theme]); Lip Gloss is used to
//	    write them, never to lay out.
//	  - Dialogs are a stack that sees keys before the panes do; where panes stand is decided in [screenFor] alone.
//	  - Every key is a row of one table, which feeds Update, the footer, the help, the palette and the README. A key that can't do
//	    anything now says why.
package tui

import (
	"context"
	"errors"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"gatehouse/model"
)

// framesPerSecond bounds how often the terminal is written to. The framework's clock runs at this rate even when nothing
// changes: 33 costs half of what 60 does, and a key is on the screen within 35 ms, which 30 misses by the framework's own
// 4 ms; at 10 the first frame would be late.
const framesPerSecond = 33

// Options says how a dashboard looks and what surrounds it. The zero value is a dashboard on the process's own terminal
// with the look chosen for it.
type Options struct {
	// Clock is asked what time it is, for ages; nil means [time.Now].
	Clock func() time.Time
	// Input and Output are the terminal; nil means standard input and standard output.
	Input  io.Reader
	Output io.Writer
	// Env holds the environment as "NAME=value", from which NO_COLOR, TERM, LANG and their like are read. With nil, the
	// framework asks the process's environment about the terminal, and glyphs are Unicode.
	Env []string

	// Profile is how many colours the output has. Unknown, the zero value, lets Run find out and makes Once and Frame
	// return text without any escape sequence.
	Profile colorprofile.Profile
	// Theme is the set of colours; "" means ThemeAuto.
	Theme Theme
	// ASCII draws with nothing but ASCII. It is also chosen when Env names a terminal or a locale that has no more.
	ASCII bool

	// TitlePath is the directory looked at, as people should read it. It stands where the name of a project stands
	// while there is none: in the header, in the window's title and on the empty screen.
	TitlePath string
	// Empty words the screen for a place where nothing is found.
	Empty Empty

	// Files reads the files behind what is shown, for the file's own pane, the editor and the pager. Without it these
	// say that they can't.
	Files model.Files
	// Actor does what the user decides. With nil nothing can be decided, and the keys for it say so.
	Actor model.Actor
	// ReadOnly takes away every key that writes state, and says so in the header. Your editor is your own: it stays.
	ReadOnly bool
	// Unfolded shows what is built unfolded at first also where there are several projects.
	Unfolded bool
	// NoMouse leaves the mouse to the terminal.
	NoMouse bool
	// Notify is how the user is called when something begins to wait; "" means NotifyBell.
	Notify Notify
}

// Empty is what is said where no build is found. The words come from outside since only the reader knows what it reads.
type Empty struct {
	// LooksFor lists the files that would make a build, one a line: ".planning/STATE.md   where a GSD build stands".
	LooksFor []string
	// Where says in one sentence which directories were searched.
	Where string
	// Try is a command that shows a build all the same, and TryWhat says what it does.
	Try, TryWhat string
}

// now returns the time by the clock of the options.
func (o Options) now() time.Time {
	if o.Clock == nil {
		return time.Now()
	}
	return o.Clock()
}

// Run shows a dashboard on the terminal until the user quits, and returns nil then. When ctx ends first it returns the
// context's error. The terminal is restored in every case, a panic included, which is returned as an error.
func Run(outside context.Context, feed model.Feed, opts Options) error {
	ctx, end := context.WithCancelCause(outside)
	defer end(nil) // releases the command that waits for the feed

	// Signals end the context, from outside: the framework's own handler and its event loop can block each other for good
	// when both happen at the same moment.
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithFPS(framesPerSecond), tea.WithoutSignalHandler()}
	if opts.Input != nil {
		options = append(options, tea.WithInput(opts.Input))
	}
	if opts.Output != nil {
		options = append(options, tea.WithOutput(opts.Output))
	}
	if opts.Env != nil {
		options = append(options, tea.WithEnvironment(opts.Env))
	}
	if opts.Profile != colorprofile.Unknown {
		options = append(options, tea.WithColorProfile(opts.Profile))
	}
	d := newDashboard(opts, waitFor(ctx, feed))
	d.ctx, d.end = ctx, func() { end(errQuit) }
	_, err := tea.NewProgram(d, options...).Run()
	switch {
	case outside.Err() != nil:
		return outside.Err()
	case context.Cause(ctx) == errQuit && !errors.Is(err, tea.ErrProgramPanic):
		return nil
	}
	return err
}

// errQuit is why the context of a program ends that the user has quit.
var errQuit = errors.New("quit")

// snapshotMsg brings a new snapshot, already indexed.
type snapshotMsg struct{ index *index }

// feedEndedMsg says that no snapshot will come any more.
type feedEndedMsg struct{ err error }

// waitFor returns the command that waits for a snapshot newer than another. Indexing, and finding out what changed, is done
// here, off the loop that answers keys.
func waitFor(ctx context.Context, feed model.Feed) func(before *index) tea.Cmd {
	return func(before *index) tea.Cmd {
		return func() tea.Msg {
			snap, err := feed.Next(ctx, before.snap.Version)
			if err != nil {
				return feedEndedMsg{err}
			}
			return snapshotMsg{newIndex(snap, before)}
		}
	}
}
