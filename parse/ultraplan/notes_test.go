package ultraplan

import (
	"fmt"
	"strings"
	"testing"

	"gatehouse/parse/ultraplan/fixture"
)

// What STATE.md carries along for the next session is part of the build; what is checked off, or says that there is nothing, is not.
func TestNotesOfTheSession(t *testing.T) {
	state := strings.NewReplacer("### Blockers/Concerns", "### Decisions\n\n- [Phase 3]: **oil**, not gas\n\n### Pending Todos\n\n- [ ] buy wicks\n- [x] buy oil\nNone yet.\n\n### Blockers/Concerns", "Stopped at:", "Last session: 2026-01-27\nStopped at:").Replace(fixture.StateText)
	var got []string
	for _, n := range build(t, fixture.Project(t, fixture.Lamp(map[string]string{".planning/STATE.md": state,
		".ultraplan/logs/current-session.json": `{"session_id": "sess-1", "started_at": "2026-01-27T09:30:00Z", "tasks": [{"task_name": "Task 1: Fill the tank", "status": "success"}]}`}))).Notes {
		got = append(got, n.Label+" "+n.Value)
	}
	if want := "session sess-1, since 2026-01-27 09:30, 1 task|decided [Phase 3]: oil, not gas|todo buy wicks|last session 2026-01-27|stopped at the tank"; strings.Join(got, "|") != want {
		t.Errorf("%q, want %q", got, want)
	}
	// A row of the timeline begins with how it ended, and does not repeat the name of its task.
	for _, c := range [][2]string{
		{fixture.Log("03-02", 1, "failure", "2026-01-26T10:00:00Z", "  metadata:\n    attempt: 2\n"), "failure, attempt 2: it broke"},
		{fixture.Log("03-02", 1, "success", "2026-01-26T10:00:00Z", "  metadata:\n    duration_ms: 45000\n"), "success, 45 s"},
		{fixture.Log("09-09", 1, "success", "2026-01-26T10:00:00Z", ""), "success: Task 1: Fill the tank"},
	} {
		b := build(t, fixture.Project(t, fixture.Lamp(map[string]string{".ultraplan/logs/executions/2026-01-26/a.yaml": c[0]})))
		if len(b.Activity) != 1 || b.Activity[0].Text != c[1] {
			t.Errorf("%+v, want %q", b.Activity, c[1])
		}
	}
}

// TestWhichAttemptALoggedTaskIsAt holds that a row says it also where only logs know: of one that failed the next, of how many.
func TestWhichAttemptALoggedTaskIsAt(t *testing.T) {
	for _, c := range []struct{ failed, attempt, of int }{{1, 2, 3}, {2, 3, 3}, {3, 3, 3}, {4, 3, 3}} {
		files := map[string]string{}
		for i := range c.failed {
			files[fmt.Sprintf(".ultraplan/logs/executions/2026-01-27/03-01-task-01-failure-%d.yaml", i+1)] = fixture.Log("03-01", 1, "failure", fmt.Sprintf("2026-01-27T10:00:0%dZ", i), "")
		}
		b := build(t, fixture.Project(t, fixture.Lantern(files)))
		if n, _ := b.Find("task/03-lamp/03-01/1"); n == nil || n.Attempt != c.attempt || n.Attempts != c.of {
			t.Errorf("failed %d times: %+v, want attempt %d of %d", c.failed, n, c.attempt, c.of)
		}
	}
}
