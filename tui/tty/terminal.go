// Package tty is the terminal that the dashboard has for a while. It stands between the framework, which trusts a
// terminal to be there, to read what it is sent and to say what makes sense, and terminals, which do none of it for certain:
//
//		keys ── input: bounded ──→ framework ──→ canvas: what is different ──→ output: never waits ──→ screen
//		             │ at its end, or in error                                        │ in error
//		             └──────────────────────────→ Gone ←──────────────────────────────┘
//
//	  - One that is gone is noticed, also where no signal tells: below make or sudo, or with nohup.
//	  - One that reads nothing holds up nothing. What it has not taken waits, of bounded length; meanwhile nothing new is
//	    drawn ([Terminal.Behind]).
//	  - What it says is cut to a length that makes sense, and so is its size.
//	  - It is given back as it was found, by [Terminal.Close], in bounded time.
package tty

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"
)

// MaxWidth and MaxHeight are the largest screen that is drawn on, in columns and rows. A screen of 7680 by 4320 points has
// no more with letters of 8 by 10. Drawing this much takes some 120 MiB; a size of 65535 by 65535, which a terminal can just
// as well say it has, takes all there is.
const (
	MaxWidth  = 960
	MaxHeight = 432
)

// The size of a terminal that does not know its own, by old custom.
const defaultWidth, defaultHeight = 80, 24

// ErrGone is what ends a dashboard whose terminal is not there any more.
var ErrGone = errors.New("the terminal is gone")

// Terminal is one that is in use.
type Terminal struct {
	input  *input
	output *output
	keys   *os.File // the terminal's line, nil where keys come from elsewhere
	screen *os.File // nil where output goes elsewhere

	modes *term.State // of the line, as it was found; nil where there is none

	mu        sync.Mutex
	elsewhere bool // another program has the terminal
	suspended bool // the shell has
	leaving   bool

	gone      chan struct{}
	vanish    sync.Once
	resized   chan struct{} // holds one when the size may be another
	continued chan struct{} // holds one when others may have changed anything
	closed    chan struct{}
}

// Open begins to use a terminal: its keys come from in, and out is its screen. Neither has to be a file.
func Open(in io.Reader, out io.Writer) *Terminal {
	t := &Terminal{gone: make(chan struct{}), resized: make(chan struct{}, 1), continued: make(chan struct{}, 1), closed: make(chan struct{})}
	t.keys, t.screen = device(in), device(out)
	if t.keys != nil {
		t.modes, _ = term.GetState(t.keys.Fd()) // an error is one of every use, and is noticed then
	}
	t.input = &input{from: in, ended: t.lose}
	t.output = newOutput(out, t.lose)
	t.listen()
	return t
}

// Input is what the framework reads keys from.
func (t *Terminal) Input() io.Reader {
	if t.keys == nil {
		return t.input
	}
	return line{t.input, t}
}

// Output is what the framework writes to. On Unix it does not tell that it is a terminal: the framework would take its size
// from there, as large as it says it is.
func (t *Terminal) Output() io.Writer {
	if t.screen == nil {
		return t.output
	}
	return outputOf(t.output, t.screen)
}

// device returns the terminal that a stream is, or nil.
func device(stream any) *os.File {
	if f, ok := stream.(*os.File); ok && term.IsTerminal(f.Fd()) {
		return f
	}
	return nil
}

// Gone is closed when the terminal is not there any more.
func (t *Terminal) Gone() <-chan struct{} { return t.gone }

func (t *Terminal) lose() { t.vanish.Do(func() { close(t.gone) }) }

// Size returns how many columns and rows there are to draw on.
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

// Resized tells whenever the size may be another.
func (t *Terminal) Resized() <-chan struct{} { return t.resized }

// Continued tells whenever this process was stopped from outside and goes on: the framework has to take hold of the terminal
// anew, for the shell has had it meanwhile.
func (t *Terminal) Continued() <-chan struct{} { return t.continued }

// tell puts one into a channel that has none.
func tell(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Behind reports whether the terminal has not taken yet all that was written, or something of it was left out.
func (t *Terminal) Behind() bool { return t.output.behind() }

// CaughtUp waits until the terminal has taken all that was written. It reports whether something was left out, so that the
// screen has to be drawn anew.
func (t *Terminal) CaughtUp() (redraw bool) { return t.output.caughtUp() }

// Leave says that the terminal will be closed: what is written from now on is kept, whatever it is.
func (t *Terminal) Leave() {
	t.mu.Lock()
	t.leaving = true
	t.mu.Unlock()
	t.output.leave()
}

// ours reports whether the line's modes are this process's to switch. At the end they are not while the shell has the line:
// the system would stop who switches them all the same, and it would never end.
func (t *Terminal) ours() bool {
	t.mu.Lock()
	leaving, suspended := t.leaving, t.suspended
	t.mu.Unlock()
	return !leaving || !suspended && t.foreground()
}

// The time that a terminal has to take what was written before it is closed. The common one takes it at once. One that has
// not after the first part gets a short form of what leads back to the shell's screen, and the second part to take that.
const (
	takeLimit  = 150 * time.Millisecond
	leaveLimit = 75 * time.Millisecond
)

// Close gives the terminal back: what was written is taken by then as far as the terminal takes it in bounded time, and the
// line has its modes back in any case, which takes no writing. tidy says that the framework has ended by itself and written
// what leads back to the shell's screen; else that is done here.
func (t *Terminal) Close(tidy bool) {
	t.Leave()
	t.input.close()
	if t.modes != nil && t.ours() {
		term.Restore(t.keys.Fd(), t.modes) // fails where the terminal is gone
	}
	t.output.finish(tidy, takeLimit, leaveLimit)
	close(t.closed)
}
