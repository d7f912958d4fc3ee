package ultraplan

import (
	"maps"
	"strings"
	"testing"

	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
)

// TestCheckOfWhatIsThereTwice names what is read once and written twice, and what is written without a text.
func TestCheckOfWhatIsThereTwice(t *testing.T) {
	for _, c := range []struct{ file, old, now, want string }{
		{mutatedState, "Status: In progress\n", "Status: In progress\nStatus: In progress\n", "a second line “Status:”"},
		{mutatedState, "## Performance Metrics\n", "## Current Position\n\nPhase: 1 of 2\n\n## Performance Metrics\n", "a second section “Current Position”"},
		{mutatedState, "## Session Continuity\n", "current_task:\n  name: x\n  gate_status: BLOCKED\n\n## Session Continuity\n", "a second block current_task"},
		{mutatedState, "  attempt: 1\n", "  attempt: 1\n  attempt: 2\n", "“attempt” appears twice"},
		{mutatedPlan, "<verify>go test</verify>", "<verify></verify>", "has no <verify>"},
		{mutatedSession, unbroken[mutatedSession], "null\n", "the document is null"},
		{mutatedSession, unbroken[mutatedSession], "[]\n", "the document is a list"},
	} {
		files := maps.Clone(unbroken)
		files[c.file] = strings.Replace(files[c.file], c.old, c.now, 1)
		var found []string
		for _, p := range (&Reader{m: mirror.New(fixture.Project(t, files), Home, core.Planning)}).Check(fixture.Now) {
			found = append(found, p.String())
		}
		if len(found) != 1 || !strings.Contains(found[0], c.want) {
			t.Errorf("%q: %q, want %q", c.now, found, c.want)
		}
	}
}

// TestCheckOfWhatContradictsAnother names what one file says and another denies.
func TestCheckOfWhatContradictsAnother(t *testing.T) {
	const plan, log = ".planning/phases/03-lamp/03-01-PLAN.md", ".ultraplan/logs/executions/2026-01-27/03-01-task-01-success.yaml"
	for name, c := range map[string]struct{ file, text, says string }{
		"a box":            {log, fixture.Log("03-01", 1, "success", "2026-01-27T10:00:00Z", ""), "the box of task 1 is open"},
		"a day":            {log, fixture.Log("03-01", 1, "success", "2026-01-25T10:00:00Z", ""), "it was logged on 2026-01-25, and is in 2026-01-27"},
		"a session's plan": {core.SessionFile, `{"session_id": "s", "plan_id": "09-09", "tasks": []}`, "plan_id is “09-09”, and there is no such plan"},
		"retries":          {core.StateDir + "/retry-state.json", `{"task_retries": {"09-09:task-1": {"status": "retrying"}}}`, "the retries of “09-09:task-1”, and there is no such plan"},
		"a number twice":   {plan, strings.Replace(fixture.TwoTasks, "<name>Task 2:", "<name>Task 1:", 1), "two tasks have the number 1"},
	} {
		found := ""
		for _, p := range readerOf(t, fixture.Project(t, fixture.Lantern(map[string]string{c.file: c.text}))).Check(fixture.Now) {
			found += p.String() + "\n"
		}
		if !strings.Contains(found, c.says) {
			t.Errorf("%s: %q is not among\n%s", name, c.says, found)
		}
		found = ""
		for _, p := range readerOf(t, fixture.Project(t, fixture.Lantern(nil))).Check(fixture.Now) {
			found += p.String() + "\n"
		}
		if strings.Contains(found, c.says) {
			t.Errorf("%s: it is told of a project without it", name)
		}
	}
}
