package tty

// The keys: the terminal's line as the framework expects it, filtered.

import (
	"errors"
	"io"
	"os"
	"sync/atomic"
	"syscall"
	"time"
)

// expiry is how long the framework waits for the rest of a sequence; the part that has arrived by then is a key, or nothing.
const expiry = 50 * time.Millisecond

// input is the reader of the framework.
type input struct {
	from   io.Reader
	ended  func()
	closed atomic.Bool

	filter inputFilter
	rest   []byte // passed, and not read yet
	last   time.Time
}

// Read implements [io.Reader]. It may return no bytes if everything was filtered out.
func (in *input) Read(p []byte) (int, error) {
	if len(in.rest) == 0 {
		// Room is left for previously held input: the framework waits for the terminal, not for the rest.
		n, err := in.from.Read(p[:max(1, len(p)-holdLimit)])
		if errors.Is(err, syscall.EAGAIN) { // another program has made the line non-blocking; the framework waits for it
			err = nil
		}
		if err != nil && !in.closed.Load() {
			in.ended()
		}
		now := time.Now()
		if now.Sub(in.last) > expiry {
			in.filter.expire()
		}
		in.last = now
		if in.rest = in.filter.pass(p[:n]); err != nil {
			return 0, err
		}
	}
	n := copy(p, in.rest)
	in.rest = in.rest[n:]
	return n, nil
}

// line is an input that is a terminal, with the interface that the framework and its wait loop need.
type line struct {
	*input
	terminal *Terminal
}

// Write refuses: the output is elsewhere.
func (l line) Write([]byte) (int, error) { return 0, os.ErrInvalid }

// Close leaves the file open, because it belongs to the process.
func (l line) Close() error { return nil }

// Name determines on some systems how to wait for input.
func (l line) Name() string { return l.terminal.keys.Name() }

// Fd returns the descriptor that the framework uses to switch the line's modes and to wait. It is invalid while the modes must not be
// switched: while another process has the line, or if the framework outlives the dashboard.
func (l line) Fd() uintptr {
	if l.closed.Load() || !l.terminal.ownsModes() {
		return ^uintptr(0)
	}
	return l.terminal.keys.Fd()
}
