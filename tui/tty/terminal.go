// Package tty is the dashboard's access to its terminal. It stands between the framework, which trusts a
// terminal to exist, to read its output and to send valid input, and terminals, which guarantee nothing of that:
//
//		keys ── input: bounded ──→ framework ──→ canvas: what is different ──→ output: never waits ──→ screen
//		             │ at its end, or in error                                        │ in error
//		             └──────────────────────────→ Gone ←──────────────────────────────┘
//
//	  - The loss of the terminal is detected, even without a signal: below make or sudo, or with nohup.
//	  - A terminal that reads nothing blocks nothing. Its pending output is bounded, and nothing new is drawn as long as
//	    output is pending ([Terminal.IsBehind]).
//	  - Its input is limited to a reasonable length, and so is its size.
//	  - [Terminal.Close] restores its original state in bounded time.
package tty

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"
)

// MaxWidth and MaxHeight limit the screen, in columns and rows. A screen of 7680 by 4320 pixels has no more letters with 8 by 10. This
// takes some 120 MiB; 65535 by 65535, which a terminal may claim, would take all memory.
const (
	MaxWidth  = 960
	MaxHeight = 432
)

// The traditional size of a terminal that does not report one.
const defaultWidth, defaultHeight = 80, 24

// ErrGone ends a dashboard whose terminal is gone.
var ErrGone = errors.New("the terminal is gone")

// Terminal is a terminal in use.
type Terminal struct {
	input  *input
	output *output
	keys   *os.File // the terminal's line, nil if keys come from elsewhere
	screen *os.File // nil if output goes elsewhere

	modes *term.State // the original modes of the line; may be nil

	mu        sync.Mutex
	elsewhere bool // another program has the terminal
	suspended bool // the shell has
	leaving   bool

	gone      chan struct{}
	vanish    sync.Once
	resized   chan struct{} // holds one value if the size may have changed
	continued chan struct{} // holds one value if other programs may have changed anything
	closed    chan struct{}
}

// Open starts using a terminal: its keys come from in, and out is its screen. Neither has to be a file.
func Open(in io.Reader, out io.Writer) *Terminal {
	t := &Terminal{gone: make(chan struct{}), resized: make(chan struct{}, 1), continued: make(chan struct{}, 1), closed: make(chan struct{})}
	t.keys, t.screen = terminalOf(in), terminalOf(out)
	if t.keys != nil {
		t.modes, _ = term.GetState(t.keys.Fd()) // an error would come with every use, and is noticed then
	}
	t.input = &input{from: in, ended: t.markGone}
	t.output = newOutput(out, t.markGone)
	t.listenSignals()
	return t
}

// Input returns the reader of the framework.
func (t *Terminal) Input() io.Reader {
	if t.keys == nil {
		return t.input
	}
	return line{t.input, t}
}

// Output returns the writer of the framework. On Unix it hides that it is a terminal: the framework would trust the size that the
// terminal claims.
func (t *Terminal) Output() io.Writer {
	if t.screen == nil {
		return t.output
	}
	return outputOf(t.output, t.screen)
}

// terminalOf returns the terminal that a stream is, or nil.
func terminalOf(stream any) *os.File {
	if f, ok := stream.(*os.File); ok && term.IsTerminal(f.Fd()) {
		return f
	}
	return nil
}

// Gone is closed when the terminal is gone.
func (t *Terminal) Gone() <-chan struct{} { return t.gone }

// IsGone reports whether the terminal is gone.
func (t *Terminal) IsGone() bool {
	select {
	case <-t.gone:
		return true
	default:
		return false
	}
}

func (t *Terminal) markGone() { t.vanish.Do(func() { close(t.gone) }) }

// Size returns the drawable columns and rows.
func (t *Terminal) Size() (width, height int) {
	if t.screen != nil {
		width, height, _ = term.GetSize(t.screen.Fd())
	}
	if width <= 0 || height <= 0 {
		width, height = defaultWidth, defaultHeight
	}
	return Clamp(width, height)
}

// Clamp returns a size that can be drawn on: at least one cell, at most [MaxWidth] by [MaxHeight].
func Clamp(width, height int) (int, int) {
	return min(max(width, 1), MaxWidth), min(max(height, 1), MaxHeight)
}

// Resized signals that the size may have changed.
func (t *Terminal) Resized() <-chan struct{} { return t.resized }

// Continued signals that this process was stopped and continues: the framework has to set up the terminal again.
func (t *Terminal) Continued() <-chan struct{} { return t.continued }

// notifyOn sends a value on an empty channel.
func notifyOn(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// IsBehind reports whether the terminal has not read all output yet, or some output was dropped.
func (t *Terminal) IsBehind() bool {
	o := t.output
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.pending) > 0 || o.left
}

// CaughtUp waits until the terminal has taken everything that was written. It reports whether something was dropped, so that the screen
// has to be drawn again.
func (t *Terminal) CaughtUp() (redraw bool) {
	o := t.output
	o.waitEmpty(0)
	o.mu.Lock()
	defer o.mu.Unlock()
	redraw, o.left = o.left, false
	return redraw
}

// Leave announces the end: from now on no output is dropped.
func (t *Terminal) Leave() {
	t.mu.Lock()
	t.leaving = true
	t.mu.Unlock()
	t.output.mu.Lock()
	t.output.leaving = true
	t.output.mu.Unlock()
}

// ownsModes reports whether this process may switch the line's modes. At the end it may not while the shell has the line:
// the system would stop a process that tries, and it would never end.
func (t *Terminal) ownsModes() bool {
	t.mu.Lock()
	leaving, suspended := t.leaving, t.suspended
	t.mu.Unlock()
	return !leaving || !suspended && t.isForeground()
}

// How long a terminal may take to read the queued output before it is closed. A normal one takes it at once. If it has
// not after the first part, it gets a short sequence that leads back to the shell's screen, and the second part to read that.
const (
	takeLimit  = 150 * time.Millisecond
	leaveLimit = 75 * time.Millisecond
)

// Close gives the terminal back. It waits a limited time until the terminal has taken what was written, and restores the modes of the
// line in any case. tidy says that the framework has ended by itself and has left the alternate screen; otherwise Close does that.
func (t *Terminal) Close(tidy bool) {
	t.Leave()
	t.input.closed.Store(true)
	if t.modes != nil && t.ownsModes() {
		term.Restore(t.keys.Fd(), t.modes) // fails if the terminal is gone
	}
	t.output.finishWriting(tidy, takeLimit, leaveLimit)
	close(t.closed)
}
