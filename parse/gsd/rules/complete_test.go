package rules

import "testing"

func TestSaysComplete(t *testing.T) {
	for status, want := range map[string]bool{
		"completed": true, "v1.1 milestone complete": true, "Shipped 2026-01-01": true, "Milestone complete (03-01 was the last)": true, "done": true,
		"": false, "completed 03-01": false, "Completed 32-03-PLAN.md": false, "milestone nearly complete": false, "almost done": false, "incomplete": false, "Phase 3 complete": false, "executing": false,
	} {
		if got := SaysComplete(status); got != want {
			t.Errorf("SaysComplete(%q) = %v", status, got)
		}
	}
}
