package main

// Terminals that read nothing: stopped, or behind a link that is down. Writes to them block, but the program must still end.

import (
	"strings"
	"syscall"
	"testing"
)

func TestTerminalReadsNothing(t *testing.T) {
	bin := built(t)
	signals := func(all ...syscall.Signal) func(*pty) {
		return func(w *pty) {
			for _, s := range all {
				w.signal(s)
			}
		}
	}
	keys := func(keys string) func(*pty) { return func(w *pty) { w.press(keys) } }
	for _, c := range []struct {
		name string
		end  func(*pty)
		code int
	}{
		{"q", keys("q"), 0},
		{"ctrl+c", keys("\x03"), 0},
		{"SIGTERM", signals(syscall.SIGTERM), 128 + int(syscall.SIGTERM)},
		{"SIGINT", signals(syscall.SIGINT), 128 + int(syscall.SIGINT)},
		{"SIGHUP", signals(syscall.SIGHUP), 128 + int(syscall.SIGHUP)},
		{"SIGTERM twice", signals(syscall.SIGTERM, syscall.SIGTERM), 128 + int(syscall.SIGTERM)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := openDrawn(t, large, tenRows(t), bin)
			defer w.close()
			w.stop()
			w.blockOutput()
			c.end(w)
			code, err := w.waitEndStopped()
			if err != nil {
				t.Fatal(err)
			}
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			if modes := w.lineModes(); modes != w.modes {
				t.Errorf("the line is not restored: %+v, was %+v", modes, w.modes)
			}
			w.goOn()
		})
	}
}

// TestTerminalReadsAgain checks that keys worked while the terminal was stopped, and that their effect is drawn.
func TestTerminalReadsAgain(t *testing.T) {
	t.Parallel()
	w := openDrawn(t, large, tenRows(t), built(t))
	defer w.close()
	w.stop()
	w.blockOutput()
	w.press(strings.Repeat("?q", 100) + "?")
	mark := w.mark()
	w.goOn()
	w.waitForWords(mark, "signs") // in the help
	w.press("\x03")
	if _, code := w.waitEnd(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	w.checkRestored()
}
