package main

// gatehouse abort: give a build up.

import (
	"github.com/spf13/cobra"

	"gatehouse/model"
)

func newAbort(s *surroundings) *cobra.Command {
	var d deciding
	cmd := d.buildCommand(s, model.VerbAbort, "Give a loop up",
		"Write the loop failed. It asks for the word \"abort\" on the terminal; scripts say\n--yes.")
	cmd.Flags().BoolVar(&d.yes, "yes", false, "do it without asking")
	return cmd
}
