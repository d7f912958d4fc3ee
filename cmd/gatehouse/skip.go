package main

// gatehouse skip: leave a gate out.

import (
	"github.com/spf13/cobra"

	"gatehouse/model"
)

func newSkip(s *surroundings) *cobra.Command {
	var d deciding
	var reason string
	cmd := d.gateCommand(s, model.VerbSkip, "Leave a gate out, for a reason",
		`Leave a gate out. The reason is written into the state file; it needs more than
ten characters.`,
		func() (model.Action, error) { return model.Action{Text: reason}, nil })
	cmd.Flags().StringVar(&reason, "reason", "", "why it is left out, as `text`")
	return cmd
}
