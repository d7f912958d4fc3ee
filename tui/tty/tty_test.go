package tty

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// screen holds what a terminal has accepted. A stopped one accepts nothing until reads is closed.
type screen struct {
	stopped bool
	reads   chan struct{}
	err     error

	mu    sync.Mutex
	taken bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	if s.reads != nil {
		<-s.reads
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	return s.taken.Write(p)
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken.String()
}

// keys is an input that blocks until it ends with an error.
type keys chan error

func (k keys) Read([]byte) (int, error) { return 0, <-k }

// on runs a test with a terminal and a synthetic clock. All goroutines of the test have to end.
func on(t *testing.T, s *screen, test func(*testing.T, *Terminal)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		if s.stopped {
			s.reads = make(chan struct{})
		}
		test(t, Open(make(keys), s))
	})
}

const enter, leave = ansi.SetModeAltScreenSaveCursor, ansi.ResetModeAltScreenSaveCursor

func TestOutputArrives(t *testing.T) {
	s := &screen{}
	on(t, s, func(t *testing.T, term *Terminal) {
		var want strings.Builder
		for i := range 100 {
			text := strings.Repeat(string(rune('a'+i%26)), i*97)
			want.WriteString(text)
			if n, err := io.WriteString(term.Output(), text); n != len(text) || err != nil {
				t.Fatalf("wrote %d of %d: %v", n, len(text), err)
			}
			if i%3 == 0 {
				synctest.Wait()
				if term.IsBehind() || term.CaughtUp() {
					t.Error("it is behind, or has lost something")
				}
			}
		}
		start := time.Now()
		term.Close(true)
		if s.text() != want.String() {
			t.Error("something else has arrived")
		}
		if took := time.Since(start); took > 0 {
			t.Errorf("it took %v for nothing", took)
		}
	})
}

func TestABlockedTerminalBlocksNothing(t *testing.T) {
	s := &screen{stopped: true}
	on(t, s, func(t *testing.T, term *Terminal) {
		io.WriteString(term.Output(), enter)
		frame := strings.Repeat("frame ", 10_000)
		for range 100 {
			io.WriteString(term.Output(), frame)
		}
		synctest.Wait()
		if !term.IsBehind() {
			t.Error("it is not behind")
		}
		if n := len(term.output.pending); n > backlog {
			t.Errorf("%d bytes wait", n)
		}
		start := time.Now()
		term.Leave()
		io.WriteString(term.Output(), leave)
		term.Close(true)
		if took := time.Since(start); took > takeLimit+leaveLimit {
			t.Errorf("closing took %v", took)
		}
		if n, err := io.WriteString(term.Output(), frame); n != 0 || err == nil {
			t.Error("something can still be written")
		}
		close(s.reads)
	})
}

func TestATerminalThatReadsAgainIsRedrawn(t *testing.T) {
	s := &screen{stopped: true}
	on(t, s, func(t *testing.T, term *Terminal) {
		frame := strings.Repeat("frame ", backlog/12)
		for range 4 {
			io.WriteString(term.Output(), frame)
		}
		go close(s.reads)
		if !term.CaughtUp() {
			t.Error("nothing is said of what was left out")
		}
		if s.text() != frame+frame {
			t.Error("what was not left out has not arrived")
		}
		if io.WriteString(term.Output(), "more"); term.CaughtUp() {
			t.Error("nothing was left out this time")
		}
		term.Close(true)
		if !strings.HasSuffix(s.text(), "more") {
			t.Error("what came afterwards has not arrived")
		}
	})
}

// TestAFrameIsBrokenOff closes a terminal that starts reading when little time is left: it gets the bytes that were being written
// and the sequences that lead back to the shell.
func TestAFrameIsBrokenOff(t *testing.T) {
	s := &screen{stopped: true}
	on(t, s, func(t *testing.T, term *Terminal) {
		io.WriteString(term.Output(), enter+strings.Repeat("\x1b[1mframe ", 10_000)+leave)
		time.AfterFunc(takeLimit+leaveLimit/2, func() { close(s.reads) })
		term.Close(true)
		text := s.text()
		if !strings.HasSuffix(text, toShell) || len(text) > portion+len(toShell) {
			t.Errorf("%d bytes have arrived, with %q at the end", len(text), text[max(0, len(text)-40):])
		}
		for _, off := range []string{"\x1b[r", "\x1b[4l", "\x1b[?7h"} { // modes that the rest of the frame would have reset
			if at := strings.LastIndex(text, off); at < 0 || at > strings.LastIndex(text, leave) {
				t.Errorf("%q is not written before the screen is left: %q", off, text[max(0, len(text)-200):])
			}
		}
	})
}

// TestTheFrameworkDidNotEnd closes a terminal that the framework has not restored.
func TestTheFrameworkDidNotEnd(t *testing.T) {
	s := &screen{}
	on(t, s, func(t *testing.T, term *Terminal) {
		io.WriteString(term.Output(), enter+"frame")
		synctest.Wait()
		term.Close(false)
		if s.text() != enter+"frame"+toShell {
			t.Errorf("it ends with %q", s.text())
		}
	})
	s = &screen{}
	on(t, s, func(t *testing.T, term *Terminal) {
		io.WriteString(term.Output(), enter+"frame"+leave)
		synctest.Wait()
		term.Close(false)
		if s.text() != enter+"frame"+leave {
			t.Error("a shell was led to where it is")
		}
	})
}

func TestTheTerminalIsGone(t *testing.T) {
	for _, err := range []error{syscall.EIO, syscall.EPIPE, io.EOF} {
		s := &screen{err: err}
		on(t, s, func(t *testing.T, term *Terminal) {
			io.WriteString(term.Output(), "frame")
			synctest.Wait()
			if !term.IsGone() {
				t.Errorf("%v of the output is not noticed", err)
			}
			if term.IsBehind() || term.CaughtUp() {
				t.Error("it is still waited for")
			}
			term.Close(true)
		})
		synctest.Test(t, func(t *testing.T) {
			k := make(keys, 1)
			term := Open(k, &screen{})
			k <- err
			if n, got := term.Input().Read(make([]byte, 4096)); n != 0 || got != err {
				t.Errorf("read %d, %v", n, got)
			}
			if !term.IsGone() {
				t.Errorf("%v of the input is not noticed", err)
			}
			term.Close(true)
		})
	}
}

// TestANonBlockingTerminal: another program has set the terminal to non-blocking for all programs that share it.
func TestANonBlockingTerminal(t *testing.T) {
	s := &screen{err: syscall.EAGAIN}
	on(t, s, func(t *testing.T, term *Terminal) {
		io.WriteString(term.Output(), "frame")
		time.Sleep(5 * retryAfter)
		if term.IsGone() || !term.IsBehind() {
			t.Error("it is not waited for")
		}
		s.mu.Lock()
		s.err = nil
		s.mu.Unlock()
		if term.CaughtUp(); s.text() != "frame" {
			t.Errorf("%q has arrived", s.text())
		}
		term.Close(true)
	})
	synctest.Test(t, func(t *testing.T) {
		k := make(keys, 1)
		term := Open(k, &screen{})
		k <- syscall.EAGAIN
		if n, err := term.Input().Read(make([]byte, 4096)); n != 0 || err != nil || term.IsGone() {
			t.Errorf("read %d, %v", n, err)
		}
		term.Close(true)
	})
}

func TestClamp(t *testing.T) {
	for _, c := range []struct{ width, height, toWidth, toHeight int }{
		{80, 24, 80, 24}, {1, 1, 1, 1}, {0, 0, 1, 1}, {-5, 10, 1, 10}, {MaxWidth, MaxHeight, MaxWidth, MaxHeight},
		{65535, 65535, MaxWidth, MaxHeight}, {100_000, 24, MaxWidth, 24}, {80, 1 << 40, 80, MaxHeight},
	} {
		if w, h := Clamp(c.width, c.height); w != c.toWidth || h != c.toHeight {
			t.Errorf("%dx%d is clamped to %dx%d", c.width, c.height, w, h)
		}
	}
	if w, h := Open(strings.NewReader(""), io.Discard).Size(); w != defaultWidth || h != defaultHeight {
		t.Errorf("a terminal without a size is %dx%d", w, h)
	}
}
