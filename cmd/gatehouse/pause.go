package main

// gatehouse pause: have the agents stop.

import (
	"github.com/spf13/cobra"

	"gatehouse/model"
)

func newPause(s *surroundings) *cobra.Command {
	var d deciding
	return d.buildCommand(s, model.VerbPause, "Have a loop's agents stop",
		"Write the loop paused. Agents that keep to its protocol stop then; gates can be\ndecided again when it goes on.")
}
