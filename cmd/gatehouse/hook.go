package main

// gatehouse hook: the command that clients of agents run on their events.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"gatehouse/parse/agents/codex"
	"gatehouse/parse/agents/hook"
	"gatehouse/parse/agents/worktree"
)

// maxEvent bounds an event: 32 MiB, because clients pass whole files.
const maxEvent = 32 << 20

func newHook(s *env) *cobra.Command {
	return &cobra.Command{
		Use:   "hook CLIENT",
		Short: "Take an event of an agent's client; the client runs this",
		Long: `Take an event of an agent's client from standard input, and print what a human has
decided, by the client's contract. gatehouse install has the client run it.

What an agent asks appears in gatehouse asks; answered with gatehouse answer, the
agent goes on. Without an answer, and whatever goes wrong, nothing is printed and the exit
code is 0: the client's own prompt decides.

Clients: ` + strings.Join(hook.Clients(), ", ") + ".",
		Args:      oneArg("client", "whose? "+strings.Join(hook.Clients(), ", ")),
		ValidArgs: hook.Clients(),
		RunE: func(cmd *cobra.Command, args []string) error {
			signal.Ignore(syscall.SIGPIPE)
			// No error here may decide anything, or stop the agent.
			if err := s.runHook(cmd.Context(), args[0]); err != nil {
				s.complain("%v", err)
			}
			return nil
		},
	}
}

// hookRoot returns a command line with this command alone: a client runs it at each call of a tool, and building the flags of
// all other commands would double its time.
func hookRoot(s *env) *cobra.Command {
	root := &cobra.Command{Use: "gatehouse", SilenceErrors: true, SilenceUsage: true}
	root.SetOut(s.out)
	root.SetErr(s.stderr)
	root.PersistentPreRun = func(*cobra.Command, []string) { s.isRunning = true }
	root.AddCommand(newHook(s))
	return root
}

// runHook handles one event.
func (s *env) runHook(ctx context.Context, client string) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("a fault of gatehouse's own: %v; please report it", fault)
		}
	}()
	input, err := io.ReadAll(io.LimitReader(s.stdin, maxEvent+1))
	if err != nil || len(input) > maxEvent {
		return errors.Join(err, errors.New("the event can't be read whole"))
	}
	h := hook.Hook{
		Store: s.openAsks(), Env: s.getenv, Home: s.user.Home, Project: s.projectOf,
		Head: worktree.Head,
		Daemon: func(session string) bool {
			return codex.ServesDaemon(ctx, codex.Socket(s.user.Home, s.getenv), session)
		},
		Print: func(text []byte) error {
			s.out.Write(text)
			return s.out.Flush()
		},
	}
	err = s.untilSignal(ctx, func(ctx context.Context) error { return h.Run(ctx, client, input) })
	if errors.As(err, new(endedBySignal)) { // clients send a signal when they need no answer any more
		err = nil
	}
	return err
}
