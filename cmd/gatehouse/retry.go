package main

// gatehouse retry: have a gate that failed tried again.

import (
	"github.com/spf13/cobra"

	"gatehouse/model"
)

func newRetry(s *surroundings) *cobra.Command {
	var d deciding
	return d.gateCommand(s, model.VerbRetry, "Have a gate that failed tried again",
		"Have a gate that failed tried again: it is pending then, and can be approved.",
		func() (model.Action, error) { return model.Action{}, nil })
}
