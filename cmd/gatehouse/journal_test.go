package main

import (
	"testing"

	"gatehouse/model"
)

func TestDecisionsSayWhatBecameOfThem(t *testing.T) {
	for _, x := range []struct {
		decision model.Decision
		want     string
	}{
		{model.Decision{}, ""},
		{model.Decision{Undone: true}, " (undone since)"},
		{model.Decision{Interrupted: true}, " (interrupted: look at the file)"},
		{model.Decision{Overwritten: true}, " (overwritten: the file no longer says so)"},
		{model.Decision{Overwritten: true, Reported: true}, " (overwritten: the file no longer says so, the agent knows)"},
	} {
		if got := describeFate(&x.decision); got != x.want {
			t.Errorf("%+v: %q, want %q", x.decision, got, x.want)
		}
	}
}
