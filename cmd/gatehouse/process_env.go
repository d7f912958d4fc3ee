package main

// The environment of the process: streams, variables, signals.

import (
	"context"
	"os"
	"os/signal"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"

	"gatehouse/cmd/gatehouse/config"
	"gatehouse/parse"
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/process"
	"gatehouse/tui/tty"
)

// processEnv returns the env of this process.
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
	if named := os.Getenv("GATEHOUSE_CONFIG"); named != "" {
		if abs, err := filepath.Abs(named); err == nil {
			s.configFile = abs
		}
	}
	if term.IsTerminal(os.Stdin.Fd()) {
		s.keys = os.Stdin // otherwise input is piped in, which is not a keyboard
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

// getenv returns a variable of the environment, "" if it is not set.
func (s *env) getenv(name string) string {
	for i := len(s.environ) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(s.environ[i], name+"="); ok {
			return value
		}
	}
	return ""
}

// processUser returns the user of this process, with the user's directories.
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

// endedBySignal is the error after a signal.
type endedBySignal struct{ by syscall.Signal }

func (e endedBySignal) Error() string { return "ended by signal: " + e.by.String() }

// lastSecond is how long the process may take to end after a signal. It takes some milliseconds; but a terminal that reads
// nothing blocks its writers.
const lastSecond = time.Second

// untilSignal runs f, and cancels its context when the process gets a signal to end,
// so that f can clean up; the error is an [endedBySignal] then. Only commands that
// clean up need it: all others may end at once. Whatever f does, the
// process ends a second after the signal; further signals change nothing.
func (s *env) untilSignal(ctx context.Context, f func(context.Context) error) error {
	return s.untilSignalWithin(ctx, lastSecond, f)
}

// untilSignalWithin is [env.untilSignal] for commands that may need longer than a second to end.
func (s *env) untilSignalWithin(ctx context.Context, limit time.Duration, f func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	asked := make(chan os.Signal, 1)
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(sig) { // keeps the effect of nohup
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
	// After Stop no signal is pending, so the outcome does not depend on a race.
	signal.Stop(asked)
	close(asked)
	<-taken
	if end.by != 0 {
		return end
	}
	return err
}

// endWithin ends the process after some time, unless it has ended by then. It counts many short sleeps, so that a suspended machine
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
