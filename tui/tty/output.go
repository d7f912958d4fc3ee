package tty

// The output. A terminal may read what is written to it slowly, or not at all: stopped, suspended, on a connection
// that is down. So only one goroutine waits for it.

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
	// backlog limits the pending bytes after one frame: some full frames of a large screen.
	backlog = 1 << 20
	// portion is the size of one write: a full frame of a common screen. Once begun, a write can't be taken back.
	portion = 16 << 10
	// retryAfter is the delay before a write is retried if another program has made the line non-blocking.
	retryAfter = 10 * time.Millisecond
)

// toShell leads from any state of the dashboard back to the shell's screen: it ends any incomplete sequence, and resets every
// mode that the framework or a frame may have switched on. Modes of other programs are not touched.
const toShell = "\x18" + ansi.ResetModeSynchronizedOutput +
	wholeScreen + // before the cursor is restored, because it moves the cursor
	fromDashboard + ansi.ResetStyle

// output is the writer of the framework.
type output struct {
	to     io.Writer
	failed func()

	mu      sync.Mutex
	more    *sync.Cond // something has changed for the writing goroutine
	pending []byte     // not taken by the terminal yet
	room    []byte     // the storage of pending when it is empty
	empty   chan struct{}
	cuts    int  // how often pending was replaced
	drawn   bool // the dashboard's screen was entered and not left, judging by the written bytes
	left    bool // some output was dropped
	leaving bool // no more output is dropped
	closed  bool // no more output is accepted
	over    bool // the writing goroutine has nothing more to do
}

func newOutput(to io.Writer, failed func()) *output {
	o := &output{to: to, failed: failed, empty: make(chan struct{})}
	o.more = sync.NewCond(&o.mu)
	close(o.empty)
	go o.writeLoop()
	return o
}

// Write implements [io.Writer]. It never waits: output that the terminal has not read yet is queued, and dropped beyond a
// limit.
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

// writeLoop writes the queued output to the terminal, until the end.
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

// closeQueue drops the queue and closes the output.
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

// finishWriting ends the output. Queued output has some time to be read; then it is replaced by the sequences that lead to the shell's screen,
// which have some time, too. tidy says that the written output already leads there.
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
