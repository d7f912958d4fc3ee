package model_test

import (
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/model/flow"
)

// Whoever asks for a reason counts as the rules do.
func TestLeastReasonIsThatOfTheRules(t *testing.T) {
	skip := func(n int) flow.Code { return flow.SkipReason(strings.Repeat("ä", n)) }
	if got := skip(model.LeastReason); got != flow.OK {
		t.Errorf("a reason of %d characters is refused: %v", model.LeastReason, got)
	}
	if got := skip(model.LeastReason - 1); got != flow.ReasonTooShort {
		t.Errorf("a reason of %d characters: %v", model.LeastReason-1, got)
	}
}
