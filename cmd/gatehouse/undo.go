package main

// gatehouse undo: take the last decision about a gate back.

import (
	"github.com/spf13/cobra"

	"gatehouse/model"
)

func newUndo(s *surroundings) *cobra.Command {
	var d deciding
	cmd := d.gateCommand(s, model.VerbUndo, "Take the last decision about a gate back",
		`Take the last decision about a gate back, while nobody has acted on it: it is
refused once the state file is another, a "gatehouse wait" has passed the
decision on, or the next phase has begun.`,
		func() (model.Action, error) { return model.Action{}, nil })
	cmd.ValidArgsFunction = d.completeGates(s, "") // only the journal knows which
	return cmd
}
