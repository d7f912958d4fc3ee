package main

// What the process has around it: streams, environment, signals.

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"

	"gatehouse/parse"
)

// processSurroundings returns the surroundings of this process.
func processSurroundings() *surroundings {
	home, _ := os.UserHomeDir()
	s := &surroundings{stdout: os.Stdout, stderr: os.Stderr, env: os.Environ(), user: parse.User{Home: home}, now: time.Now}
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

// untilSignal runs f, and ends its context when the process is asked to end,
// so that f can tidy up; the error is an [ended] then. Only what has something
// to tidy up runs this way: all else may die at once. A second signal kills.
func untilSignal(ctx context.Context, f func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	asked := make(chan os.Signal, 1)
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(sig) { // nohup stays what it is
			signal.Notify(asked, sig)
		}
	}
	var end ended
	taken := make(chan struct{})
	go func() {
		defer close(taken)
		sig, ok := <-asked
		if !ok {
			return
		}
		signal.Stop(asked)
		end.by, _ = sig.(syscall.Signal)
		cancel(end)
	}()
	err := f(ctx)
	// After Stop no signal is under way any more, so that the outcome does not depend on who was faster.
	signal.Stop(asked)
	close(asked)
	<-taken
	if end.by != 0 {
		return end
	}
	return err
}
