package main

// gatehouse jump: go to the pane of an agent.

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"gatehouse/parse/agents/pane"
)

// jumpTimeout bounds the terminal's command.
const jumpTimeout = 5 * time.Second

// jumpedJSON is the document of "gatehouse jump --json".
type jumpedJSON struct {
	Schema  int    `json:"schema"`
	There   bool   `json:"there"`             // the pane is in view
	Said    string `json:"said"`              // its place, or why it can't be reached
	Command string `json:"command,omitempty"` // what to type to get there
}

func newJump(s *env) *cobra.Command {
	return s.withJSON(&cobra.Command{
		Use:   "jump ASK|SESSION",
		Short: "Go to the pane of an agent",
		Long: `Go to the pane in which an agent runs, by the ID of an ask or of a session, or its
beginning, in tmux. If that needs a command of yours, as a background session of Claude
Code does, print and copy it. Gatehouse never types into a terminal.`,
		Args:              oneAsk,
		ValidArgsFunction: s.completeAsks,
		RunE: func(cmd *cobra.Command, args []string) error {
			x, err := s.agentSession(args[0])
			if err != nil {
				return err
			}
			way := s.goTo(cmd.Context(), x.Window)
			if s.asJSON {
				err := s.out.printJSON(jumpedJSON{statusSchema, way.There, way.Said, way.Type})
				if err == nil && !way.There {
					err = refusal{}
				}
				return err
			}
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
	}, "print the way as JSON")
}

// goTo switches to a pane.
func (s *env) goTo(ctx context.Context, to pane.Pane) pane.Way {
	ctx, stop := context.WithTimeout(ctx, jumpTimeout)
	defer stop()
	return to.Go(ctx, s.ownPane(), runCommand)
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
