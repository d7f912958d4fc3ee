// Command gatehouse shows what coding agents are building, and what waits for
// you: as a dashboard, and as commands for scripts.
//
// This package connects the parts, with one file per command: flags in, exit
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
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/config"
	"gatehouse/model/line"
	"gatehouse/parse"
	"gatehouse/parse/agents"
	"gatehouse/parse/disk/kept"
	"gatehouse/parse/disk/process"
	"gatehouse/tui"
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
	memory  *kept.Store
	// apart makes the dashboard show only its own projects: none is remembered, and agents elsewhere are ignored.
	apart bool
	// agentReader reads live agents for commands and dialogs; agentLock guards it.
	agentReader *agents.Reader
	agentLock   sync.Mutex
	// scope limits the live agents that are shown.
	scope parse.AgentScope
	// noticeTexts are messages for the user that no key caused; see notifyUser.
	noticeTexts chan string
	noticesOnce sync.Once
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
	s.out.colored = s.isColored
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
	fmt.Fprintln(s.stderr, foldRow("gatehouse: "+asForeign(fmt.Sprintf(format, args...)), s.errWidth))
}
