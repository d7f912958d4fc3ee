package tui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/tty"
	"gatehouse/tui/tuitest"
)

const patience = 2 * time.Minute

// terminal is an output that can be read while it is written to.
type terminal struct {
	sync.Mutex
	bytes.Buffer
}

func (w *terminal) Write(p []byte) (int, error) {
	w.Lock()
	defer w.Unlock()
	return w.Buffer.Write(p)
}

func (w *terminal) text() string {
	w.Lock()
	defer w.Unlock()
	return w.Buffer.String()
}

// shows waits until a text has been written to the terminal.
func (w *terminal) shows(t *testing.T, text string) {
	t.Helper()
	for end := time.Now().Add(patience); !strings.Contains(w.text(), text); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%q did not come: %q", text, w.text())
		}
	}
}

// restored checks that the terminal was restored to its original state.
func (w *terminal) restored(t *testing.T) {
	t.Helper()
	text := w.text()
	for _, mode := range []string{"1049", "1002", "1006", "2004"} {
		on, off := strings.LastIndex(text, "\x1b[?"+mode+"h"), strings.LastIndex(text, "\x1b[?"+mode+"l")
		if on >= 0 && off < on {
			t.Errorf("mode %s is left on", mode)
		}
	}
	if strings.LastIndex(text, "\x1b[?25h") < strings.LastIndex(text, "\x1b[?25l") {
		t.Error("the cursor is left hidden")
	}
}

func runOptions(in io.Reader, out io.Writer) Options {
	opts := testOptions(draw.ThemeDark)
	opts.Input, opts.Output, opts.Profile = in, out, colorprofile.TrueColor
	opts.Env = []string{"TERM=xterm-256color", "LANG=C.UTF-8"}
	return opts
}

// panicFeed fails in the worst way a feed can.
type panicFeed struct{}

func (panicFeed) Next(context.Context, uint64) (*model.Snapshot, error) { panic("on purpose") }

func TestRunRestoresTheTerminalAfterAPanic(t *testing.T) {
	in, _ := io.Pipe()
	out := &terminal{}
	err := Run(t.Context(), panicFeed{}, runOptions(in, out))
	var fault *Fault
	if !errors.As(err, &fault) || fault.What != "on purpose" || !strings.Contains(string(fault.Stack), "panicFeed") {
		t.Errorf("a panic was reported as %v", err)
	}
	out.restored(t)
}

// TestRunSurvivesPanicsAnywhere makes the clock panic, which Update and View call, once the screen is up.
func TestRunSurvivesPanicsAnywhere(t *testing.T) {
	in, keys := io.Pipe()
	out := &terminal{}
	feed := make(stubFeed, 1)
	feed <- tuitest.Shop()
	opts := runOptions(in, out)
	var fails atomic.Bool
	now := opts.Clock
	opts.Clock = func() time.Time {
		if fails.Load() {
			panic("no time")
		}
		return now()
	}
	done := make(chan error)
	go func() { done <- Run(t.Context(), feed, opts) }()
	out.shows(t, "Cart")
	fails.Store(true)
	keys.Write([]byte("y"))
	var fault *Fault
	if err := <-done; !errors.As(err, &fault) || fault.What != "no time" {
		t.Errorf("a panic was reported as %v", err)
	}
	out.restored(t)
}

// stopped is an output that accepts nothing once hold is closed.
type stopped struct {
	terminal
	stop atomic.Bool
	hold chan struct{}
}

func (w *stopped) Write(p []byte) (int, error) {
	if w.stop.Load() {
		<-w.hold
	}
	return w.terminal.Write(p)
}

// lateFeed has one snapshot, and panics once its channel is closed.
type lateFeed chan struct{}

func (f lateFeed) Next(ctx context.Context, after uint64) (*model.Snapshot, error) {
	if after == 0 {
		return tuitest.Shop(), nil
	}
	select {
	case <-f:
		panic("on purpose")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestRunEnds ends dashboards in every way, and checks that they restore the terminal.
func TestRunEnds(t *testing.T) { runEnds(t, false) }

// TestRunEndsWhileOutputIsBlocked ends dashboards whose output is blocked.
func TestRunEndsWhileOutputIsBlocked(t *testing.T) { runEnds(t, true) }

func runEnds(t *testing.T, blocked bool) {
	for name, c := range map[string]struct {
		end  func(cancel func(), feed lateFeed, keys io.WriteCloser)
		want error
	}{
		"q":         {func(_ func(), _ lateFeed, keys io.WriteCloser) { keys.Write([]byte("q")) }, nil},
		"a signal":  {func(cancel func(), _ lateFeed, _ io.WriteCloser) { cancel() }, context.Canceled},
		"its end":   {func(_ func(), _ lateFeed, keys io.WriteCloser) { keys.Close() }, tty.ErrGone},
		"a failure": {func(_ func(), feed lateFeed, _ io.WriteCloser) { close(feed) }, &Fault{What: "on purpose"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			in, keys := io.Pipe()
			out := &stopped{hold: make(chan struct{})}
			defer close(out.hold)
			feed := make(lateFeed)
			done := make(chan error)
			go func() { done <- Run(ctx, feed, runOptions(in, out)) }()
			out.shows(t, "Cart")
			out.stop.Store(blocked)
			keys.Write([]byte("jk")) // so that there is output
			c.end(cancel, feed, keys)
			select {
			case err := <-done:
				if fmt.Sprint(err) != fmt.Sprint(c.want) {
					t.Errorf("it returned %v, want %v", err, c.want)
				}
			case <-time.After(patience):
				t.Fatal("it has not ended")
			}
			if !blocked {
				out.restored(t)
			}
		})
	}
}

func TestWantsASCII(t *testing.T) {
	for _, c := range []struct {
		env  string
		want bool
	}{
		{"", false}, {"TERM=xterm LANG=C.UTF-8", false}, {"TERM=xterm LANG=de_DE.utf8", false}, {"TERM=linux LANG=C.UTF-8", true},
		{"TERM=dumb", true}, {"TERM=xterm LANG=C", true}, {"TERM=xterm", true}, {"LANG=C LC_ALL=C.UTF-8", false}, {"LANG=C.UTF-8 LC_ALL=C", true},
	} {
		if got := wantsASCII(strings.Fields(c.env)); got != c.want {
			t.Errorf("%q: %v", c.env, got)
		}
	}
}

// testOptions are the options of a wide terminal with all colors.
func testOptions(theme draw.Theme) Options {
	return Options{
		Clock:     func() time.Time { return tuitest.Noon },
		Theme:     theme,
		Profile:   colorprofile.TrueColor,
		TitlePath: "~/src/shop",
		Empty: Empty{
			LooksFor: "Looked for .planning/STATE.md here and above.",
			Try:      []Try{{"claude", "its session appears at once"}, {"gatehouse demo", "a simulated build that moves"}},
		},
	}
}

func plainOptions() Options {
	o := testOptions(draw.ThemeMono)
	o.Profile = colorprofile.Unknown
	return o
}
