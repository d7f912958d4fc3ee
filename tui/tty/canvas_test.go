package tty

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"github.com/charmbracelet/colorprofile"
)

// paper keeps what is written.
type paper struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (p *paper) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

// newCanvas returns a canvas of 20 by 3 without a real terminal, and a function that returns the output since its last call.
func newCanvas(t *testing.T) (*Canvas, func() string) {
	t.Helper()
	out := &paper{}
	terminal := Open(strings.NewReader(""), out)
	t.Cleanup(func() { terminal.Close(true) })
	c := terminal.NewCanvas([]string{"TERM=xterm-256color"}, colorprofile.TrueColor)
	c.Resize(20, 3)
	return c, func() string {
		if !terminal.output.waitEmpty(time.Second) {
			t.Fatal("nothing takes what is written")
		}
		out.mu.Lock()
		defer out.mu.Unlock()
		text := out.text.String()
		out.text.Reset()
		return text
	}
}

func TestCanvas(t *testing.T) {
	c, written := newCanvas(t)
	first := Picture{Frame: "one\ntwo\nthree", Title: "shop", Mouse: true}
	c.Draw(first)
	if got := written(); got != "" {
		t.Fatalf("before the screen is entered: %q", got)
	}
	c.Enter()
	got := written()
	for _, want := range []string{ansi.SetModeAltScreenSaveCursor, ansi.RequestModeSynchronizedOutput, "one", "three", ansi.SetWindowTitle("shop"), mouse} {
		if !strings.Contains(got, want) {
			t.Errorf("entering writes %q, and not %q", got, want)
		}
	}
	c.Draw(first)
	if got := written(); got != "" {
		t.Errorf("the same again: %q", got)
	}
	changed := first
	changed.Frame = "one\ntwo!\nthree"
	c.Draw(changed)
	if got := written(); !strings.Contains(got, "!") || strings.Contains(got, "one") || len(got) > 12 {
		t.Errorf("a letter more: %q", got)
	}
	c.SetMode(ansi.ModeSynchronizedOutput, ansi.ModeReset)
	first.Mouse, first.Title = false, "(1!) shop"
	c.Draw(first)
	got = written()
	if !strings.HasPrefix(got, ansi.SetModeSynchronizedOutput) || !strings.HasSuffix(got, ansi.ResetModeSynchronizedOutput) ||
		!strings.Contains(got, noMouse) || !strings.Contains(got, "(1!) shop") {
		t.Errorf("at once: %q", got)
	}

	c.Leave()
	if got := written(); got != fromDashboard {
		t.Errorf("leaving writes %q", got)
	}
	c.Draw(changed)
	c.Write("\x1b]52;c;\a")
	c.Leave()
	if got := written(); got != "" {
		t.Errorf("the screen is somebody else's: %q", got)
	}
	c.Enter()
	if got := written(); !strings.Contains(got, "two!") || !strings.Contains(got, "three") {
		t.Errorf("coming back draws %q", got)
	}
	c.Redraw()
	c.Draw(changed)
	if got := written(); !strings.Contains(got, "one") || !strings.Contains(got, "three") {
		t.Errorf("all of it: %q", got)
	}
	c.Resize(2, 1)
	c.Draw(changed)
	if got := ansi.Strip(written()); !strings.Contains(got, "on") || strings.Contains(got, "one") || strings.Contains(got, "tw") {
		t.Errorf("on two cells: %q", got)
	}
}

// TestModesThatAGuestLeaves: a killed editor or the bytes of a binary leave modes in which nothing can be drawn. Each is
// switched off before drawing, every time the screen is taken.
func TestModesThatAGuestLeaves(t *testing.T) {
	c, written := newCanvas(t)
	c.Draw(Picture{Frame: "one"})
	for range 2 {
		c.Enter()
		before, _, drawn := strings.Cut(written(), "one")
		for left, off := range map[string]string{
			"a scroll region": "\x1b[r", "origin mode": "\x1b[?6l", "insert mode": "\x1b[4l", "no wrapping": "\x1b[?7h",
			"line drawing": "\x1b(B", "line drawing, shifted out": "\x1b)B\x0f", "a style": "\x1b[m",
		} {
			if at := strings.Index(before, off); !drawn || at < strings.Index(before, enter) {
				t.Errorf("%s stays: %q", left, before)
			}
		}
		c.Leave()
		written()
	}
}

func TestAnswersModes(t *testing.T) {
	for env, want := range map[string]bool{
		"TERM=xterm-256color":                            true,
		"TERM=xterm-256color TERM_PROGRAM=vscode":        true,
		"TERM=xterm TERM_PROGRAM=Apple_Terminal":         false,
		"TERM=xterm SSH_TTY=/dev/pts/1":                  false,
		"TERM=xterm-kitty SSH_TTY=/dev/pts/1":            true,
		"TERM=xterm SSH_TTY=/dev/pts/1 WT_SESSION=1":     true,
		"TERM=xterm-ghostty TERM_PROGRAM=Apple_Terminal": true,
	} {
		if got := answersModes(uv.Environ(strings.Fields(env))); got != want {
			t.Errorf("%s: %v", env, got)
		}
	}
}
