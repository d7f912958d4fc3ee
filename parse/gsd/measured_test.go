package gsd

import (
	"slices"
	"testing"
	"time"

	"gatehouse/model"
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
