package model_test

import (
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/loop/rules"
)

// Whoever asks for a reason counts as the rules do.
func TestLeastReasonIsThatOfTheRules(t *testing.T) {
	skip := func(n int) rules.Code { return rules.SkipReason(strings.Repeat("ä", n)) }
	if got := skip(model.LeastReason); got != rules.OK {
		t.Errorf("a reason of %d characters is refused: %v", model.LeastReason, got)
	}
	if got := skip(model.LeastReason - 1); got != rules.ReasonTooShort {
		t.Errorf("a reason of %d characters: %v", model.LeastReason-1, got)
	}
}
