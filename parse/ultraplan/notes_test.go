package ultraplan

import (
	"strings"
	"testing"

	"gatehouse/parse/ultraplan/fixture"
)

// What STATE.md carries along for the next session is part of the build; what is checked off, or says that there is nothing, is not.
func TestNotesOfTheSession(t *testing.T) {
	state := strings.NewReplacer("### Blockers/Concerns", "### Decisions\n\n- [Phase 3]: **oil**, not gas\n\n### Pending Todos\n\n- [ ] buy wicks\n- [x] buy oil\nNone yet.\n\n### Blockers/Concerns", "Stopped at:", "Last session: 2026-01-27\nStopped at:").Replace(fixture.StateText)
	var got []string
	for _, n := range build(t, fixture.Project(t, fixture.Lamp(map[string]string{".planning/STATE.md": state}))).Notes {
		got = append(got, n.Label+" "+n.Value)
	}
	if want := "decided [Phase 3]: oil, not gas|todo buy wicks|last session 2026-01-27|stopped at the tank"; strings.Join(got, "|") != want {
		t.Errorf("%q, want %q", got, want)
	}
	// A row of the timeline begins with how it ended.
	b := build(t, fixture.Project(t, fixture.Lamp(map[string]string{".ultraplan/logs/executions/2026-01-26/03-02-task-01-failure.yaml": fixture.Log("03-02", 1, "failure", "2026-01-26T10:00:00Z", "  metadata:\n    attempt: 2\n")})))
	if len(b.Activity) != 1 || b.Activity[0].Text != "failure, attempt 2: Task 1: Fill the tank" {
		t.Errorf("%+v", b.Activity)
	}
}
