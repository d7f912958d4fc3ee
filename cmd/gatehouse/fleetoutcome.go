package main

// gatehouse fleet outcome: what became of a decision of which no answer came.

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

func newFleetOutcome(s *surroundings) *cobra.Command {
	var fleet string
	cmd := &cobra.Command{
		Use:   "outcome HOST ID",
		Short: "Ask what became of a decision of which no answer came",
		Long: `Ask a host what became of a decision of which it was not known whether it was done.
HOST and ID are as it was said then. A decision that has not got there is withdrawn:
it is not done any more, whatever comes.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageError{errors.New("write it as it was said: gatehouse fleet outcome HOST ID")}
			}
			return nil
		},
		ValidArgsFunction: s.completeHosts,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := context.WithCancel(cmd.Context())
			defer cancel()
			f, err := s.openFleet(ctx, fleet, 0)
			if err != nil {
				return err
			}
			if _, err := fleetSnapshot(ctx, f, nil); err != nil {
				return err
			}
			o, err := f.Outcome(ctx, args[0], args[1])
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			if a := o.Asked; a != nil {
				s.out.printf("it was done: %s: %s\n", a.Text, a.Fate)
				return nil
			}
			s.out.printf("it was done: %s: %s\n", o.Decision.Name, o.Proposal.Effect)
			return nil
		},
	}
	s.fleetFlag(cmd, &fleet)
	return cmd
}
