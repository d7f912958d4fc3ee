package milestone

import (
	"slices"
	"testing"
)

// TestSummaries: which summaries close a plan, by their names.
func TestSummaries(t *testing.T) {
	for _, c := range []struct {
		plan, summary string
		closes        bool
	}{
		{"01-01-PLAN.md", "01-01-SUMMARY.md", true},
		{"01-plan.md", "01-SUMMARY.md", true},
		{"PLAN.md", "PLAN-SUMMARY.md", true},
		{"3-PLAN-01-setup.md", "3-01-SUMMARY.md", true},
		{"3.1-PLAN-01-setup.md", "3.1-01-SUMMARY.md", false},
		{"68-01-scaffolding-PLAN.md", "68-01-SUMMARY.md", true},
		{"3A-01-scaffolding-PLAN.md", "3A-01-SUMMARY.md", true},
		{"CK-68-01.2-scaffolding-PLAN.md", "68-01.2-SUMMARY.md", true},
		{"1.5-01-slug-PLAN.md", "1.5-01-SUMMARY.md", false},
		{"46-6-rs-PLAN.md", "46-6-SUMMARY.md", false},
		{"14-2026-photos-PLAN.md", "14-2026-SUMMARY.md", false},
		{"01-01-PLAN.md", "01-SUMMARY.md", false},
	} {
		if got := slices.Contains(slices.Collect(Summaries(c.plan)), c.summary); got != c.closes {
			t.Errorf("%s closes %s: %v, want %v", c.summary, c.plan, got, c.closes)
		}
	}
}
