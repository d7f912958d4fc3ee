package ultraplan

import (
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
)

// Work that was broken off is seen: in the line, as something that waits, and in STATE.md.
func TestBrokenOffWorkIsSeen(t *testing.T) {
	const file = ".ultraplan/state/continue.md"
	b := build(t, fixture.Project(t, fixture.Lamp(map[string]string{file: "## Last executed task\nTask 1: Fill the tank (03-02)\n"})))
	if got := string(b.Header.AppendFull(nil)); got != "[██████░░░░] 66% · ⏸ 03-02 · next resume" {
		t.Error(got)
	}
	if certain := b.Certain(); len(certain) != 1 || certain[0].Node != resumeID || certain[0].Place != "Plan 03-02" || certain[0].Text != "work was broken off: Task 1: Fill the tank (03-02)" || b.Status != model.Waiting {
		t.Errorf("%v %+v", b.Status, certain)
	}
	if n, above := b.Find(resumeID); n == nil || n.Kind != model.KindGate || len(above) != 2 || above[1].Number != "03-02" {
		t.Errorf("%+v below %+v", n, above)
	}
	found := false
	for _, d := range b.Divergences {
		found = found || strings.Contains(d.Claim, "Resume file") && strings.HasSuffix(d.Truth, "continue.md is there")
	}
	if !found {
		t.Errorf("%+v", b.Divergences)
	}
	// A file that names no plan, or says nothing, waits too.
	b = build(t, fixture.Project(t, fixture.Lamp(map[string]string{file: ""})))
	if got := string(b.Header.AppendFull(nil)); got != "[██████░░░░] 66% · ⏸ 03-02 · next resume" || len(b.Certain()) != 1 {
		t.Error(got)
	}
	// STATE.md that names a file that is not there says something false.
	for named, want := range map[string]int{file: 1, "`.planning/HANDOFF.md`": 1, "None": 0, "None yet": 0, "look at the tank": 0, ".planning/ROADMAP.md": 0, "../x.md": 0} {
		state := strings.Replace(fixture.StateText, "Resume file: None", "Resume file: "+named, 1)
		n := 0
		for _, d := range build(t, fixture.Project(t, fixture.Lamp(map[string]string{".planning/STATE.md": state}))).Divergences {
			if strings.Contains(d.Claim, "Resume file") {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: %d", named, n)
		}
	}
}

func TestResumePlan(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Task 2: x (03-02)": "03-02", "03-01:task-2 was half done": "03-01", "since 2026-01-26, plan 2.5-1": "2.5-1", "06-01-02": "06-01", "see 03-02-PLAN.md": "03-02",
		"v1-2": "", "a 12-": "", "`4-1`.": "4-1", "2026-01-26": "", "x03-02": "",
	} {
		if got := core.FindPlan(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
