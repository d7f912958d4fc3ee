// Command gatehouse shows what coding agents are building, and what waits for
// you: as a dashboard, and as commands for scripts.
//
// This package connects the parts, with one file per group of commands: flags in, exit
// code out. Finding, showing and writing builds is done by other packages.
//
// Commands print to standard output through the [printer], which
// keeps text of state files from acting on the terminal. Errors go to standard
// error, name the problem and end with the next step.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/config"
	"gatehouse/model/line"
	"gatehouse/parse"
	"gatehouse/parse/agents"
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/process"
	"gatehouse/tui"
	"gatehouse/tui/tty"
)

// The exit codes of all commands. A signal ends with 128 and
// its number, as a shell would report it.
const (
	exitDone    = 0
	exitRefused = 1 // refused, or problems were found
	exitUsage   = 2
	exitSignal  = 128
)

// env holds all inputs of commands from outside the program, so that tests can replace them.
type env struct {
	keys    io.Reader // source of keys; nil opens the terminal for them
	stdin   io.Reader // piped input, for the commands that read it
	stdout  io.Writer // the unwrapped terminal or file, for the dashboard
	stderr  io.Writer
	out     *printer // standard output for everything except the dashboard
	environ []string
	user    parse.User
	loops   int // how many of the user's directories with loops come from --loops
	now     func() time.Time
	// agents is the directory of asks, "" if there is no place for it.
	agents    string
	processes process.Table
	// automation is the name of --as-agent, "" without it.
	automation string
	signs      bool   // --sign
	asJSON     bool   // --json of the command that runs
	color      string // --color, "" for auto
	// keptDir is the directory for values kept between runs, "" without one.
	keptDir string
	// apart makes the dashboard show only its own projects: none is remembered, and agents elsewhere are ignored.
	apart bool
	// agentReader reads live agents for commands and dialogs; agentLock guards it.
	agentReader *agents.Reader
	agentLock   sync.Mutex
	// scope limits the live agents that are shown.
	scope parse.AgentScope
	// notices are messages for the user that no key caused; see notifyUser.
	notices chan string
	// configFile is the user's file, "" without one; configuration is its content after it was read.
	configFile    string
	configuration *config.Config
	// terminal is true if standard output is a terminal.
	terminal bool
	// width is the width of the terminal, 0 if there is none; errWidth is for standard error.
	width, errWidth int
	// lent is true while another program uses the dashboard's terminal and its input.
	lent atomic.Bool
	// shown is true after the dashboard was shown.
	shown bool
	// isRunning is true once the command line is known to be right.
	isRunning bool
	// exit ends the process at once.
	exit func(code int)
}

// refusal is an error that has been reported already.
type refusal struct{}

func (refusal) Error() string { return "refused" }

// usageError is an error in the command line.
type usageError struct{ error }

// Unwrap returns the error itself.
func (u usageError) Unwrap() error { return u.error }

func main() {
	os.Exit(run(context.Background(), processEnv(), os.Args[1:]))
}

// run runs one command line and returns its exit code.
func run(ctx context.Context, s *env, args []string) int {
	s.out = newPrinter(s.stdout, s.width)
	s.out.colored, s.notices = s.isColored, make(chan string, noticeRoom)
	cmd, err := buildCommand(ctx, s, args)
	if err != nil && !s.isRunning {
		err = usageError{err}
	}
	code := exitCode(err)
	if s.shown {
		s.endWithin(lastWords, code)
	}
	s.printNotices()
	s.reportError(cmd, err)
	switch err := s.out.Flush(); {
	case err == nil:
	case errors.Is(err, syscall.EPIPE): // the reader has closed the pipe
		code = max(code, exitRefused)
	default:
		s.complain("standard output: %v; not everything was printed", err)
		code = max(code, exitRefused)
	}
	return code
}

func buildCommand(ctx context.Context, s *env, args []string) (*cobra.Command, error) {
	build := newRoot
	if len(args) > 0 && args[0] == "hook" {
		build = hookRoot
	} else {
		s.applyConfig()
	}
	if s.agents != "" {
		s.user.Asks = s.openAsks()
		s.readAgentsOnce()
	}
	root := build(s)
	if len(args) > 0 && args[0] == cobra.ShellCompRequestCmd {
		words, ok := s.typedWords(args[1:])
		if !ok {
			s.out.printf(":%d\n", cobra.ShellCompDirectiveNoFileComp)
			return root, nil
		}
		if len(words) > 1 && words[0] == "statusline" { // the scripts complete statusline, too
			root, words = statuslineCommand(), words[1:]
			root.SetOut(s.out)
			root.SetErr(s.stderr)
		}
		unquoteUsages(root)
		args = append(args[:1:1], words...)
	}
	root.SetArgs(args)
	return root.ExecuteContextC(ctx)
}

// lastWords bounds the time to print why the dashboard ended, because the terminal may read nothing.
const lastWords = 250 * time.Millisecond

// exitCode returns the exit code for an error.
func exitCode(err error) int {
	var usage usageError
	var end endedBySignal
	var verdict verdictCode
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &end):
		return exitSignal + int(end.by)
	case errors.As(err, &verdict):
		return int(verdict)
	case errors.Is(err, refusal{}):
		return exitRefused
	case errors.As(err, &usage):
		return exitUsage
	}
	return exitRefused
}

// reportError prints an error that has not been reported yet; joined errors take a line each.
func (s *env) reportError(cmd *cobra.Command, err error) {
	if several, ok := err.(interface{ Unwrap() []error }); ok && !errors.As(err, new(endedBySignal)) && !errors.As(err, new(verdictCode)) {
		for _, err := range several.Unwrap() {
			s.reportError(cmd, err)
		}
		return
	}
	var usage usageError
	var fault *tui.Fault
	switch {
	case err == nil, errors.As(err, new(endedBySignal)), errors.As(err, new(verdictCode)), errors.Is(err, refusal{}):
	case errors.As(err, &usage):
		s.complain("%v", err)
		if cmd.Name() == "help" {
			cmd = cmd.Parent()
		}
		s.complain("run \"%s --help\" for what there is", cmd.CommandPath())
	case errors.As(err, &fault):
		s.complain("%v; this is a mistake in gatehouse, please report it with what follows", fault)
		for frame := range strings.Lines(string(fault.Stack)) {
			fmt.Fprintln(s.stderr, line.Clean(frame))
		}
	default:
		s.complain("%v", err)
	}
}

// complain prints one line on standard error. The names of files in it may
// come from other people.
func (s *env) complain(format string, args ...any) {
	fmt.Fprintln(s.stderr, foldRow("gatehouse: "+line.Foreign(fmt.Sprintf(format, args...)), s.errWidth))
}

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
