package gsd

import (
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/modeltest"
)

func TestNotes(t *testing.T) {
	b := readOne(t, tree(t, map[string]string{"STATE.md": "---\nstatus: executing\nstopped_at: Completed 01-01\n---\n\n### Decisions\n\n- [Phase 1]: **Use** a crane\n- None yet\n\n### Pending Todos\n\n- oil it\n\n## Session Continuity\n\nLast session: 2026-02-02T10:00:00Z\nResume file: None\n"}))
	want := []model.Fact{{Label: "last session", Value: "2026-02-02"}, {Label: "stopped at", Value: "Completed 01-01"}, {Label: "decided", Value: "[Phase 1]: Use a crane"}}
	if !slices.Equal(b.Notes, want) {
		t.Errorf("%+v", b.Notes)
	}
}

func TestDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"12min": 12 * time.Minute, "~9 minutes (includes checkpoint review)": 9 * time.Minute, "1h 5m": 65 * time.Minute, "2.5min": 150 * time.Second,
		"9m 30s": 9*time.Minute + 30*time.Second, "45 s": 45 * time.Second, "1 hour and 2 minutes": 62 * time.Minute,
		"": 0, "pre-committed (1-2-3)": 0, "5": 0, "3 days": 0, "10min or so": 0, "99999999999h": 0,
	} {
		if got, ok := parseDuration(text); got != want || ok != (want > 0) {
			t.Errorf("%q took %s, %v, want %s", text, got, ok, want)
		}
	}
}

// TestMeasured: the numbers come from the summaries of the phases that count.
func TestMeasured(t *testing.T) {
	files := map[string]string{"STATE.md": "x"}
	for plan, front := range map[string]string{"01": "completed: 2026-02-02\nduration: 10min", "02": "completed: 2026-02-01\nduration: 20min", "03": "status: done"} {
		files["phases/01-a/01-"+plan+"-PLAN.md"] = "x"
		files["phases/01-a/01-"+plan+"-SUMMARY.md"] = "---\n" + front + "\n---\n"
	}
	m := readOne(t, tree(t, files)).Measured
	if m == nil || m.PlansDone != 3 || m.PlanTime.Known != 2 || m.PlanTime.Average() != 900_000 || len(m.Days) != 2 || m.Days[0].Date != "2026-02-01" {
		t.Fatalf("%+v", m)
	}
	if len(m.Recent) != 2 || m.Recent[0] != 1_200_000 || m.Recent[1] != 600_000 {
		t.Errorf("the last plans took %v, want the older one first", m.Recent)
	}
	if b := readOne(t, tree(t, map[string]string{"STATE.md": "x", "phases/01-a/01-01-PLAN.md": "x"})); b.Measured != (*model.Metrics)(nil) {
		t.Errorf("without a finished plan: %+v", b.Measured)
	}
}

// TestHistory: the plans of the milestone are done when their summaries say so, whatever the times of the files.
func TestHistory(t *testing.T) {
	files := map[string]string{
		"STATE.md": "x", "phases/01-a/01-VERIFICATION.md": "---\nstatus: passed\nverified: 2026-02-02T12:00:00Z\n---\n",
		"phases/02-b/02-02-PLAN.md": "x", "phases/03-c/03-CONTEXT.md": "x",
	}
	for plan, summary := range map[string]string{
		"01-a/01-01": "---\ncompleted: 2026-02-01\nduration: 10min\n---\n- **Started:** 2026-02-01T10:00:00Z\n- **Completed:** 2026-02-01T10:12:00Z\n",
		"01-a/01-02": "---\nmetrics:\n  completed: 2026-02-02\n---\n",
		"02-b/02-01": "no word of when",
	} {
		files["phases/"+plan+"-PLAN.md"] = "x"
		files["phases/"+plan+"-SUMMARY.md"] = summary
	}
	b := readOne(t, tree(t, files))
	b.Reckon(now)
	h := b.History
	if h == nil || h.Of != "plans" || h.Count != (model.Count{Done: 3, Total: 4}) || h.Dated != 2 || h.Unplanned != 1 || !h.TotalSince.IsZero() {
		t.Fatalf("%+v", h)
	}
	first := time.Date(2026, 2, 1, 10, 0, 0, 0, time.UTC)
	want := []model.Piece{
		{Node: "plan/02/02-01-PLAN.md", Phase: "phase/02", Done: true},
		{Node: "plan/01/01-01-PLAN.md", Phase: "phase/01", Done: true, Began: first, Ended: first.Add(12 * time.Minute), Took: 600_000},
		{Node: "plan/01/01-02-PLAN.md", Phase: "phase/01", Done: true, Ended: time.Date(2026, 2, 2, 0, 0, 0, 0, now.Location()), DayOnly: true},
	}
	if !slices.Equal(h.Pieces, want) {
		t.Errorf("%+v\nwant %+v", h.Pieces, want)
	}
	if len(h.Stretches) != 1 || !h.Stretches[0].From.Equal(first) || h.Stretches[0].To.Sub(first) < 24*time.Hour {
		t.Errorf("%+v", h.Stretches)
	}
	if n, _ := b.Find("plan/01/01-01-PLAN.md"); !n.Since.Equal(first.Add(12*time.Minute)) || n.SinceFile {
		t.Errorf("done since %s, want the time that its summary names", n.Since)
	}
	if b := readOne(t, tree(t, map[string]string{"STATE.md": "x", "phases/01-a/01-01-PLAN.md": "x"})); b.History != nil {
		t.Errorf("nothing is done: %+v", b.History)
	}
}

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
