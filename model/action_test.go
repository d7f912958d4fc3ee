package model_test

import (
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/model/flow"
)

// Whoever asks for a reason counts as the rules do.
func TestLeastReasonIsThatOfTheRules(t *testing.T) {
	loop := &flow.Loop{Status: flow.Active, Gates: []flow.Gate{{ID: "gate", Status: flow.Pending}}}
	skip := func(n int) flow.Code {
		_, _, refused := loop.GateAction(flow.GateAction{Gate: "gate", Verb: flow.Skip, Text: strings.Repeat("ä", n)})
		return refused
	}
	if got := skip(model.LeastReason); got != flow.OK {
		t.Errorf("a reason of %d characters is refused: %v", model.LeastReason, got)
	}
	if got := skip(model.LeastReason - 1); got != flow.ReasonTooShort {
		t.Errorf("a reason of %d characters: %v", model.LeastReason-1, got)
	}
}
