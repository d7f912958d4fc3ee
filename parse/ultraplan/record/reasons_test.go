package record

import (
	"strings"
	"testing"

	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
)

// TestReasonsNameWhatIsAllowed checks that every fault of a result is reported with its line, its field, and what is allowed.
func TestReasonsNameWhatIsAllowed(t *testing.T) {
	whole := result(1, "success", 1)
	tasks := []core.TaskDoc{{Name: "Task 1: Fill the tank"}, {Name: "Task 2: Trim the wick"}}
	for text, want := range map[string]string{
		"status: [":                 "yaml-error: line 1: the result is not YAML: ",
		whole + "status: failure\n": "yaml-error: line 16: the result is not YAML: the key status is there twice",
		"- a":                       "not-one-mapping: the result has to be one mapping, with status, ",
		strings.Replace(whole, "status: success", "status: done", 1):                      "bad-status: line 1: status: it is “done”; write success, failure or blocked",
		strings.Replace(whole, "exit_code: 0", "exit_code: 2", 1):                         "success-exit-nonzero: line 6: verification.exit_code: a success has 0",
		strings.Replace(whole, "  exit_code: 0\n", "", 1):                                 "missing-verification.exit_code: line 5: verification.exit_code: it is missing; write a whole number",
		strings.Replace(whole, "done_criteria_met: true", "done_criteria_met: yes", 1):    "type-done_criteria_met: line 8: done_criteria_met: it has to be true or false",
		strings.Replace(whole, "Fill the tank", "Fill the lamp", 1):                       "fuzzy-task-match: line 2: task_name: “Task 1: Fill the lamp” was taken for task 1 of plan 01-01, “Task 1: Fill the tank”, by its number alone",
		strings.Replace(whole, "Task 1: Fill", "Task 9: Fill", 1):                         "task-not-in-plan: line 2: task_name: the plan has no “Task 9: Fill the tank”; it has “Task 1: Fill the tank”, “Task 2: Trim the wick”",
		"```yaml\n" + strings.Replace(whole, "status: success", "status: x", 1) + "```\n": "bad-status: line 2: status: it is “x”",
		whole + "shift: night\n": "unknown-field:shift: line 16: shift: no result has such a field",
	} {
		v := validateResult(text, against{tasks: tasks, plan: "01-01", exists: func(string) bool { return true }})
		found := false
		for i := range v.Reasoned {
			found = found || strings.HasPrefix(v.Reasoned[i].String(), want)
		}
		if !found || len(v.Reasoned) != len(v.Errors)+len(v.Warnings) {
			t.Errorf("%q is not among %v", want, v.Reasoned)
		}
	}
}

// TestDecide checks that a decision is added once to STATE.md and to the table of PROJECT.md.
func TestDecide(t *testing.T) {
	const project = "# P\n\n## Key Decisions\n\n| Decision | Rationale | Outcome |\n|----------|-----------|---------|\n| Oil | it burns | - |\n\n---\n"
	state := strings.Replace(fixture.RestingState, "### Blockers/Concerns", "### Decisions\n\nNone yet.\n\n### Blockers/Concerns", 1)
	dir := fixture.Project(t, fixture.Lantern(map[string]string{".planning/STATE.md": state, ".planning/PROJECT.md": project}))
	for round := range 2 {
		d, err := recorder(dir).Decide(t.Context(), Decision{Text: "Gas | not oil <!--", Why: "it is cheaper"})
		if err != nil || d.Already != (round == 1) || len(d.Files) != 2*(1-round) {
			t.Errorf("%+v %v", d, err)
		}
		if got := read1(t, dir, ".planning/STATE.md"); got != strings.Replace(state, "### Decisions\n\nNone yet.", "### Decisions\n\n- [Phase 3]: Gas | not oil <! --", 1) {
			t.Error(got)
		}
		if got := read1(t, dir, ".planning/PROJECT.md"); got != strings.Replace(project, "| it burns | - |\n", "| it burns | - |\n| Gas \\| not oil <! -- | it is cheaper | — Pending |\n", 1) {
			t.Error(got)
		}
	}
	dir = fixture.Project(t, fixture.Lantern(nil))
	if _, err := recorder(dir).Decide(t.Context(), Decision{Text: "Gas"}); err == nil || !strings.Contains(err.Error(), "Decisions") {
		t.Error(err)
	}
}

// TestConflictsAreNoted checks that conflicts with other writers are added to their file.
func TestConflictsAreNoted(t *testing.T) {
	dir := fixture.Project(t, fixture.Lantern(map[string]string{conflictsFile: "{}"}))
	for i := range 2 {
		c := conflict{File: "STATE.md", What: "another writer changed it meanwhile", Tries: i + 2}
		fixture.Must(t, recorder(dir).noteConflicts(t.Context(), []conflict{c}))
	}
	if text := read1(t, dir, conflictsFile); strings.Count(text, "\n") != 3 || !strings.Contains(text, `"tries":3`) {
		t.Error(text)
	}
}
