package main

// What the process has around it: streams, environment, signals.

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"
)

// processSurroundings returns the surroundings of this process.
func processSurroundings() *surroundings {
	home, _ := os.UserHomeDir()
	s := &surroundings{stdout: os.Stdout, stderr: os.Stderr, env: os.Environ(), home: home, now: time.Now}
	if term.IsTerminal(os.Stdin.Fd()) {
		s.keys = os.Stdin // else something is piped in, which is no keyboard
	}
	if term.IsTerminal(os.Stdout.Fd()) {
		s.terminal = true
		if w, _, err := term.GetSize(os.Stdout.Fd()); err == nil {
			s.width = w
		}
	}
	return s
}

// ended is the error of what a signal has ended.
type ended struct{ by syscall.Signal }

func (e ended) Error() string { return "ended by signal: " + e.by.String() }

// grace is how long the dashboard's framework has to end by itself on SIGINT
// and SIGTERM, which it takes too: its event loop and its signal handler block
// each other for good when the context ends it at the same moment. The context
// ends it all the same after that, for a signal from before it listened.
const grace = time.Second

// untilSignal runs f, and ends its context when the process is asked to end,
// so that f can tidy up; the error is an [ended] then. On SIGINT and SIGTERM
// the context is left alone for some time first. Only what has something to
// tidy up runs this way: all else may die at once. A second signal kills.
func untilSignal(ctx context.Context, leave time.Duration, f func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	asked := make(chan os.Signal, 1)
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(sig) { // nohup stays what it is
			signal.Notify(asked, sig)
		}
	}
	var end ended
	back, taken := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(taken)
		sig, ok := <-asked
		if !ok {
			return
		}
		signal.Stop(asked)
		end.by, _ = sig.(syscall.Signal)
		if end.by != syscall.SIGHUP && leave > 0 {
			select {
			case <-back:
			case <-time.After(leave):
			}
		}
		cancel(end)
	}()
	err := f(ctx)
	// The framework may be back before the signal is seen here. After Stop none is under way any more, so that the outcome
	// does not depend on who was faster.
	close(back)
	signal.Stop(asked)
	close(asked)
	<-taken
	if end.by != 0 {
		return end
	}
	return err
}
