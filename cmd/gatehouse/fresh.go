package main

// gatehouse fresh: clear a run that was begun.

import (
	"github.com/spf13/cobra"

	"gatehouse/model"
)

func newFresh(s *surroundings) *cobra.Command {
	var d deciding
	cmd := d.buildCommand(s, model.VerbFresh, "Clear a run of fctry, to start fresh",
		`Clear the run that a fctry build has begun, so that the next one is planned anew.
What its chunks have made stays. It asks for the word "fresh" on the terminal;
scripts say --yes. "gatehouse undo RUN" puts it back while nothing else has
changed the file.`)
	cmd.Flags().BoolVar(&d.yes, "yes", false, "do it without asking")
	return cmd
}
