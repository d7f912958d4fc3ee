package tty

// The way to the screen. A terminal may take what is written to it slowly, or not at all: stopped, suspended, behind a link
// that is down. So nothing here waits for it but one goroutine.

import (
	"bytes"
	"errors"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/x/ansi"
)

const (
	// backlog limits the bytes that wait for the terminal after one frame: some full frames of a large screen.
	backlog = 1 << 20
	// portion is how much is written at once: a full frame of a common screen. What is left of it can't be taken back.
	portion = 16 << 10
	// retryAfter is how long a write waits to be tried again where another program has made the line non-blocking.
	retryAfter = 10 * time.Millisecond
)

// toShell leads from anywhere in the dashboard back to the shell's screen: whatever sequence was broken off ends, and every
// mode that the framework or a frame may have switched on is switched off. Others' modes are not ours to end.
const toShell = "\x18" + ansi.ResetModeSynchronizedOutput + ansi.ResetModifyOtherKeys + "\x1b[<1u" + // the keyboard's, of this screen
	wholeScreen + // before the cursor is restored, because it moves the cursor
	ansi.ResetModeAltScreenSaveCursor + ansi.SetModeTextCursorEnable + ansi.ResetModeBracketedPaste + ansi.ResetModeFocusEvent +
	ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent + ansi.ResetModeMouseExtSgr + ansi.ResetModeUnicodeCore +
	ansi.ResetStyle + "\x1b]2;\a" // the title

// output is the writer of the framework.
type output struct {
	to     io.Writer
	failed func()

	mu      sync.Mutex
	more    *sync.Cond // something has changed for the goroutine that writes
	pending []byte     // not taken by the terminal yet
	room    []byte     // where pending begins when nothing is
	empty   chan struct{}
	cuts    int  // how often pending was replaced
	drawn   bool // the dashboard's screen was entered and not left, going by what was written
	left    bool // something was left out
	leaving bool // nothing is left out any more
	closed  bool // nothing is taken any more
	over    bool // the goroutine that writes has nothing more to do
}

func newOutput(to io.Writer, failed func()) *output {
	o := &output{to: to, failed: failed, empty: make(chan struct{})}
	o.more = sync.NewCond(&o.mu)
	close(o.empty)
	go o.writeLoop()
	return o
}

// Write implements [io.Writer]. It waits for nothing: what the terminal has not taken yet is kept, and left out beyond a
// bound.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.closed:
		return 0, os.ErrClosed
	case len(p) == 0:
		return 0, nil
	case len(o.pending) == 0:
		o.pending = append(o.room[:0], p...)
		o.room = o.pending
		o.empty = make(chan struct{})
	case len(o.pending)+len(p) > backlog && !o.leaving:
		o.left = true
		return len(p), nil
	default:
		o.pending = append(o.pending, p...)
	}
	on, off := bytes.LastIndex(p, []byte(ansi.SetModeAltScreenSaveCursor)), bytes.LastIndex(p, []byte(ansi.ResetModeAltScreenSaveCursor))
	if on != off {
		o.drawn = on > off
	}
	o.more.Signal()
	return len(p), nil
}

// writeLoop hands the terminal what was written, until the end.
func (o *output) writeLoop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for {
		for len(o.pending) == 0 && !o.over {
			o.more.Wait()
		}
		if o.over {
			return
		}
		part, cuts := o.pending[:min(len(o.pending), portion)], o.cuts
		o.mu.Unlock()
		n, err := o.to.Write(part)
		if errors.Is(err, syscall.EAGAIN) {
			time.Sleep(retryAfter)
			err = nil
		}
		o.mu.Lock()
		switch {
		case err != nil:
			o.closeQueue()
			o.failed()
		case o.over || cuts != o.cuts:
		default:
			if o.pending = o.pending[n:]; len(o.pending) == 0 {
				close(o.empty)
			}
		}
	}
}

// closeQueue lets go of everything.
func (o *output) closeQueue() {
	if o.over {
		return
	}
	o.closed, o.over = true, true
	if len(o.pending) > 0 {
		o.pending = nil
		close(o.empty)
	}
	o.more.Signal()
}

func (o *output) isBehind() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.pending) > 0 || o.left
}

func (o *output) caughtUp() (redraw bool) {
	o.waitEmpty(0)
	o.mu.Lock()
	defer o.mu.Unlock()
	redraw, o.left = o.left, false
	return redraw
}

// waitEmpty waits until the terminal has taken everything, at most for some time unless that is 0, and reports whether it has.
func (o *output) waitEmpty(limit time.Duration) bool {
	o.mu.Lock()
	empty := o.empty
	o.mu.Unlock()
	var late <-chan time.Time
	if limit > 0 {
		late = time.After(limit)
	}
	select {
	case <-empty:
		return true
	case <-late:
		return false
	}
}

func (o *output) leave() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.leaving = true
}

// finishWriting ends the output. What waits has some time to be taken; then it is left out for what leads to the shell's screen,
// which has some time, too. tidy says that what was written leads there by itself.
func (o *output) finishWriting(tidy bool, take, leave time.Duration) {
	if tidy && o.waitEmpty(take) {
		leave = 0
	}
	o.mu.Lock()
	o.closed = true
	waits := len(o.pending) > 0
	if leave > 0 && !o.over && (waits || o.drawn) {
		o.pending = []byte(toShell)
		o.cuts++
		if !waits {
			o.empty = make(chan struct{})
		}
		o.more.Signal()
	}
	o.mu.Unlock()
	if leave > 0 {
		o.waitEmpty(leave)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closeQueue()
}
