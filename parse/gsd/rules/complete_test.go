package rules

import "testing"

// TestEnded: which words of STATE.md end the milestone v1.1.
func TestEnded(t *testing.T) {
	for said, want := range map[string]bool{
		"shipped": true, "Shipped 2026-11-20": true, "v1.1 shipped": true, "v1.1 New shipped 2026-02-16. All 2 milestones complete (v1.0, v1.1).": true,
		"milestone_shipped": true, "v1.1 milestone shipped and archived": true, "closed": true, "milestone archived": true, "v1.1 — SHIPPED": true, "abandoned": true,
		"Milestone complete — awaiting next milestone": true, "Between milestones": true,
		"complete": false, "completed": false, "v1.1 milestone complete": false, "v1.0 shipped": false, "executing (v1.0 shipped, now v1.1)": false,
		"Phase 3 shipped": false, "closed 03-01": false, "Closed phase 3": false, "not shipped": false, "ready to be shipped": false, "v1.1 Phase 3 closed": false,
		"shipped v1.0, executing v1.1": false, "archived all plans": false, "": false, "v1.10 shipped": false,
	} {
		if got := Ended(said, "", "", "v1.1"); got != want {
			t.Errorf("%q ends it: %v", said, got)
		}
	}
	for _, c := range []struct {
		status, body, stopped string
		want                  bool
	}{
		{"unknown", "v1.1 shipped 2026-11-20", "", true}, {"executing", "v1.1 shipped", "", false}, {"complete", "", "v1.1 milestone closed", true},
		{"complete", "", "milestone closed and tagged", false}, {"executing", "", "v1.1 milestone closed", false},
	} {
		if got := Ended(c.status, c.body, c.stopped, "v1.1"); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

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
