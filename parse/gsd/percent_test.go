package gsd

import (
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/model/modeltest"
)

// TestOnePercentage: the build, its line and the row of its milestone have one percentage, that of its plans, and say so.
func TestOnePercentage(t *testing.T) {
	files := map[string]string{
		"STATE.md":                     "---\nmilestone: v1.1\nstatus: executing\n---\n",
		"ROADMAP.md":                   "- ✅ **v1.0 Old** — Phases 1-1\n- 🚧 **v1.1 New** — Phases 2-4\n\n## v1.1 New\n### Phase 2: B\n### Phase 3: C\n### Phase 4: D\n",
		"phases/01-a/01-01-PLAN.md":    "x",
		"phases/02-b/02-01-PLAN.md":    "x",
		"phases/02-b/02-01-SUMMARY.md": "x",
		"phases/03-c/03-01-PLAN.md":    "x",
		"phases/03-c/03-01-SUMMARY.md": "x",
		"phases/03-c/03-02-PLAN.md":    "x",
	}
	b := readOne(t, tree(t, files))
	if pr := b.Progress; !pr.Known || pr.Percent != 67 || pr.Of() != "plans" || pr.Counted() != (model.Count{Done: 2, Total: 3}) {
		t.Errorf("progress %+v", pr)
	}
	if got := string(b.Header.AppendFull(nil)); got != "v1.1 New [██████░░░░] 67% of plans · executing" {
		t.Errorf("the line says %q", got)
	}
	if n := modeltest.Node(t, b, "milestone/v1.1"); b.Progress.Share(n.Plans) != 67 || n.Count != (model.Count{Total: 3}) {
		t.Errorf("the milestone has %v plans, %v phases", n.Plans, n.Count)
	}

	// Directories of a milestone that is over are all that GSD counts before the next one begins.
	b = readOne(t, tree(t, map[string]string{
		"STATE.md":                     "---\nmilestone: v1.1\nstatus: planning\n---\n",
		"ROADMAP.md":                   "- ✅ **v1.0 Old** — Phases 1-2\n- 🚧 **v1.1 New**\n",
		"phases/02-b/02-01-PLAN.md":    "x",
		"phases/02-b/02-01-SUMMARY.md": "x",
	}))
	if got := string(b.Header.AppendFull(nil)); b.Progress.Known || strings.Contains(got, "%") {
		t.Errorf("progress %+v, the line says %q, and no phase of v1.1 has begun", b.Progress, got)
	}

	// What is put away can't be counted: the claim stands without a number.
	b = readOne(t, tree(t, map[string]string{
		"STATE.md":                               "---\nmilestone: v1.0\nstatus: completed\nprogress:\n  total_phases: 1\n  completed_phases: 1\n  percent: 100\n---\n",
		"ROADMAP.md":                             "## ✅ v1.0 Old\n- [x] **Phase 1: A**\n",
		"milestones/v1.0-phases/01-a/01-PLAN.md": "x",
	}))
	if got := string(b.Header.AppendFull(nil)); b.Progress.Known || got != "v1.0 Old · milestone complete" {
		t.Errorf("progress %+v, the line says %q", b.Progress, got)
	}
}
