package main

// The environment of the process: streams, variables, signals.

import (
	"context"
	"os"
	"os/signal"
	"os/user"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"

	"gatehouse/cmd/gatehouse/config"
	"gatehouse/parse"
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/process"
	"gatehouse/tui/tty"
)

// processEnv returns the surroundings of this process.
func processEnv() *env {
	s := &env{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, environ: os.Environ(), user: processUser(), now: time.Now, exit: os.Exit, processes: process.System{}}
	s.agents = waiting.StorePath(runtime.GOOS == "windows", s.user.Home, os.Getenv)
	if state := waiting.StatePath(runtime.GOOS == "windows", s.user.Home, os.Getenv); state != "" {
		s.keptDir, s.user.Journal = filepath.Join(state, "kept"), filepath.Join(state, "journal")
	}
	s.configFile = config.Place(runtime.GOOS == "windows", s.user.Home, os.Getenv)
	if s.configFile != "" {
		s.user.Formats = filepath.Join(filepath.Dir(s.configFile), "formats")
	}
	s.user.Allows = s.isAllowed
	if named := os.Getenv("GATEHOUSE_CONFIG"); named != "" {
		if abs, err := filepath.Abs(named); err == nil {
			s.configFile = abs
		}
	}
	if term.IsTerminal(os.Stdin.Fd()) {
		s.keys = os.Stdin // else something is piped in, which is no keyboard
	}
	if term.IsTerminal(os.Stdout.Fd()) {
		s.terminal = true
		if w, _, err := term.GetSize(os.Stdout.Fd()); err == nil {
			s.width = min(w, tty.MaxWidth)
		}
	}
	if w, _, err := term.GetSize(os.Stderr.Fd()); err == nil {
		s.errWidth = w
	}
	return s
}

// processUser returns who runs this process, and where this user keeps things.
func processUser() parse.User {
	home, _ := os.UserHomeDir()
	u := parse.User{Home: home, Name: os.Getenv("USER")}
	if me, err := user.Current(); err == nil && me.Username != "" {
		u.Name = me.Username
	}
	for _, dir := range filepath.SplitList(os.Getenv("GATEHOUSE_LOOPS")) {
		if dir != "" {
			u.Loops = append(u.Loops, dir)
		}
	}
	return u
}

// endedBySignal is the error of what a signal has ended.
type endedBySignal struct{ by syscall.Signal }

func (e endedBySignal) Error() string { return "ended by signal: " + e.by.String() }

// lastSecond is how long the process has to end after it is asked to. It takes some milliseconds; but a terminal that reads
// nothing blocks its writers.
const lastSecond = time.Second

// untilSignal runs f, and ends its context when the process is asked to end,
// so that f can tidy up; the error is an [endedBySignal] then. Only what has something
// to tidy up runs this way: all else may die at once. Whatever f does, the
// process is gone a second after the signal; more signals change nothing.
func (s *env) untilSignal(ctx context.Context, f func(context.Context) error) error {
	return s.untilSignalWithin(ctx, lastSecond, f)
}

// untilSignalWithin is [env.untilSignal] for what may need longer than a second to end what it has begun.
func (s *env) untilSignalWithin(ctx context.Context, limit time.Duration, f func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	asked := make(chan os.Signal, 1)
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(sig) { // nohup stays what it is
			signal.Notify(asked, sig)
		}
	}
	var end endedBySignal
	taken := make(chan struct{})
	go func() {
		defer close(taken)
		for sig := range asked {
			switch {
			case end.by != 0, sig == os.Interrupt && s.lent.Load():
			default:
				end.by, _ = sig.(syscall.Signal)
				s.endWithin(limit, exitSignal+int(end.by))
				cancel(end)
			}
		}
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

// endWithin ends the process after some time, unless it has ended by then. It counts many short sleeps, so that a machine that stands still
// leaves enough time for cleaning up.
func (s *env) endWithin(limit time.Duration, code int) {
	if s.exit == nil {
		return
	}
	go func() {
		const parts = 10
		for range parts {
			time.Sleep(limit / parts)
		}
		s.exit(code)
	}()
}
