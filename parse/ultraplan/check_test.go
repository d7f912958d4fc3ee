package ultraplan

import (
	"maps"
	"strings"
	"testing"

	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/ultraplan/facts"
	"gatehouse/parse/ultraplan/fixture"
)

// TestCheckOfWhatIsThereTwice names what is read once and written twice, and what is written without a text.
func TestCheckOfWhatIsThereTwice(t *testing.T) {
	for _, c := range []struct{ file, old, now, want string }{
		{mutatedState, "Status: In progress\n", "Status: In progress\nStatus: In progress\n", "a second line “Status:”"},
		{mutatedState, "## Performance Metrics\n", "## Current Position\n\nPhase: 1 of 2\n\n## Performance Metrics\n", "a second section “Current Position”"},
		{mutatedState, "## Session Continuity\n", "current_task:\n  name: x\n  gate_status: BLOCKED\n\n## Session Continuity\n", "a second block current_task"},
		{mutatedState, "  attempt: 1\n", "  attempt: 1\n  attempt: 2\n", "attempt is there twice"},
		{mutatedState, "current_task:\n", "\"current_task\":\n", "current_task is in a form that is not read"},
		{mutatedState, "current_task:\n", "current_task :\n", "current_task is in a form that is not read"},
		{mutatedState, "current_task:\n", "current_task: &t\n", "current_task is in a form that is not read"},
		{mutatedPlan, "<verify>go test</verify>", "<verify></verify>", "has no <verify>"},
		{mutatedSession, unbroken[mutatedSession], "null\n", "the document is null"},
		{mutatedSession, unbroken[mutatedSession], "[]\n", "the document is an array"},
	} {
		files := maps.Clone(unbroken)
		files[c.file] = strings.Replace(files[c.file], c.old, c.now, 1)
		var found []string
		for _, p := range (&Reader{m: mirror.New(fixture.Project(t, files), Home, facts.Planning)}).Check(fixture.Now) {
			found = append(found, p.String())
		}
		if len(found) != 1 || !strings.Contains(found[0], c.want) {
			t.Errorf("%q: %q, want %q", c.now, found, c.want)
		}
	}
}
