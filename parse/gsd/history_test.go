package gsd

import (
	"slices"
	"testing"
	"time"

	"gatehouse/model"
)

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
