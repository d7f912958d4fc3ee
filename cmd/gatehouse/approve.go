package main

// gatehouse approve: let a gate pass.

import (
	"github.com/spf13/cobra"

	"gatehouse/model"
)

func newApprove(s *surroundings) *cobra.Command {
	var d deciding
	var recordFailed bool
	cmd := d.gateCommand(s, model.VerbApprove, "Let a gate pass",
		`Let a gate pass: the state file says so, and the agents may go on. Phases are
theirs to advance.

With a deliverable missing it is refused. --record-failed writes the failed check
into the state file then, and exits 1.`,
		func() (model.Action, error) { return model.Action{RecordFailed: recordFailed}, nil })
	cmd.Flags().BoolVar(&recordFailed, "record-failed", false, "with deliverables missing, write the gate failed")
	return cmd
}
