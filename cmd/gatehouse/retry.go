package main

// gatehouse retry: have a gate that failed tried again.

import (
	"github.com/spf13/cobra"

	"gatehouse/model"
)

func newRetry(s *surroundings) *cobra.Command {
	var d deciding
	cmd := d.gateCommand(s, model.VerbRetry, "Have a gate that failed tried again",
		`Have a gate that failed tried again. A loop's is pending then, and can be
approved; that of ultraplan's task begins with its first step. For one that is
blocked it asks for a word on the terminal; scripts say --yes.`,
		func() (model.Action, error) { return model.Action{}, nil })
	cmd.Flags().BoolVar(&d.yes, "yes", false, "do it without asking")
	return cmd
}
