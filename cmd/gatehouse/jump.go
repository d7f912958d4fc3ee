package main

// gatehouse jump: go to the pane of an agent.

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"gatehouse/parse/agents"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/pane"
)

// jumpPatience bounds the command of a terminal.
const jumpPatience = 5 * time.Second

func newJump(s *surroundings) *cobra.Command {
	return &cobra.Command{
		Use:   "jump ASK|SESSION",
		Short: "Go to the pane of an agent",
		Long: `Go to the pane in which an agent runs, by the ID of an ask or of a session, or its
beginning: in tmux, zellij, WezTerm and kitty. If that needs a command of yours, as a
background session of Claude Code does, print and copy it. Gatehouse never types into a
terminal.`,
		Args:              oneAsk,
		ValidArgsFunction: s.completeAsks,
		RunE: func(cmd *cobra.Command, args []string) error {
			to, err := s.paneOf(args[0])
			if err != nil {
				return err
			}
			way := s.goTo(cmd.Context(), to)
			if way.Type != "" {
				s.out.printf("%s\n", way.Type)
				if s.terminal {
					s.out.WriteString(ansi.SetSystemClipboard(way.Type))
				}
			}
			if !way.There {
				return errors.New(way.Said)
			}
			s.complain("%s", way.Said)
			return nil
		},
	}
}

// goTo brings a pane into view.
func (s *surroundings) goTo(ctx context.Context, to pane.Pane) pane.Way {
	ctx, stop := context.WithTimeout(ctx, jumpPatience)
	defer stop()
	return to.Go(ctx, s.pane(), runCommand)
}

// answerer answers agents from the dashboard.
func (s *surroundings) answerer() agents.Answerer {
	return agents.Answerer{Store: s.user.Asks, Go: func(ctx context.Context, to pane.Pane) (said, command string) {
		way := s.goTo(ctx, to)
		return way.Said, way.Type
	}, Refuses: func(a *ask.Ask) error {
		if a.Asker == s.processes.Self() { // the demo runs its agent in the process of its dashboard
			return nil
		}
		return s.refuses(&ask.Item{Ask: *a})
	}}
}

// paneOf returns the pane of an ask or a session, by its ID or the beginning of one.
func (s *surroundings) paneOf(word string) (to pane.Pane, err error) {
	switch item, err := s.store().Get(word); {
	case err == nil:
		return item.Pane, nil
	case !errors.Is(err, ask.ErrNone):
		return to, err
	}
	sessions, err := s.store().Sessions()
	found := slices.DeleteFunc(sessions, func(in ask.Session) bool { return !strings.HasPrefix(in.ID, word) })
	switch {
	case len(found) == 1:
		return found[0].Pane, nil
	case len(found) > 1:
		return to, usageError{fmt.Errorf("%q: several sessions begin with it; write more of the ID", word)}
	case err != nil:
		return to, err
	}
	return to, usageError{fmt.Errorf("%q: no ask and no session has this ID; gatehouse asks lists asks", word)}
}

// runCommand runs a command and returns its output. The error has what it printed on standard error.
func runCommand(ctx context.Context, name string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) && len(failed.Stderr) > 0 {
		err = errors.New(strings.TrimSpace(string(failed.Stderr)))
	}
	return string(out), err
}
