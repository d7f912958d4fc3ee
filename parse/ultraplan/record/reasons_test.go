package record

import (
	"path/filepath"
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

// TestTaskFoundByNumberAlone checks that a result whose task is found by its number alone gets a warning, in the log too, and is refused
// with Strict.
func TestTaskFoundByNumberAlone(t *testing.T) {
	dir := fixture.Project(t, fixture.Lantern(nil))
	other := strings.Replace(result(1, "success", 1), "Fill the tank", "something quite different", 1)
	c := captureOf(t, dir, Report{Text: other, Plan: "03-01", Strict: true})
	if c.Outcome != Invalid || c.Rejected == "" || !strings.Contains(read1(t, dir, c.Rejected), "something quite different") {
		t.Errorf("%+v", c)
	}
	// The check reports the refused result once, and no count includes it.
	again := captureOf(t, dir, Report{Text: other, Plan: "03-01", Strict: true})
	if again.Rejected != c.Rejected || len(again.Files) > 0 {
		t.Errorf("%+v", again)
	}
	rejected := func() (n int) {
		for _, p := range readerOf(dir).Check(fixture.Now) {
			if p.Rule == "ultraplan-rejected" {
				n++
			}
		}
		return n
	}
	if b := readerOf(dir).Read(fixture.Now); rejected() != 1 || b.Measured.All.Executed != 0 {
		t.Errorf("%d, %+v", rejected(), b.Measured.All)
	}
	c = captureOf(t, dir, Report{Text: other, Plan: "03-01"})
	if text := read1(t, dir, c.Log); c.Outcome != validWithWarnings || !strings.Contains(text, "warnings:\n  - \"fuzzy-task-match: line 2: task_name: “Task 1: something quite different” was taken for task 1 of plan 03-01, “Task 1: Fill the tank”, by its number alone\"\n") {
		t.Errorf("%+v\n%s", c, text)
	}
	if rejected() != 0 {
		t.Error("the task has reported since")
	}
	l := core.ParseLog(read1(t, dir, c.Log))
	if len(l.Warnings) != 1 || l.Files != 0 || l.Lacks != "" {
		t.Errorf("%+v", l)
	}
}

// TestMissingBoxIsNoted checks that the log notes a task whose box was not found.
func TestMissingBoxIsNoted(t *testing.T) {
	plan := strings.Replace(fixture.TwoTasks, "- [ ] Task 1: Fill the tank\n", "", 1)
	dir := fixture.Project(t, fixture.Lantern(map[string]string{".planning/phases/03-lamp/03-01-PLAN.md": plan}))
	c := captureOf(t, dir, Report{Text: result(1, "success", 1), Plan: "03-01"})
	if text := read1(t, dir, c.Log); !strings.Contains(text, "warnings:\n  - \"box-not-found: no box of .planning/phases/03-lamp/03-01-PLAN.md was checked off for “Task 1: Fill the tank”\"\n") {
		t.Error(text)
	}
	b := readerOf(dir).Read(fixture.Now)
	if n := len(b.Activity); n != 1 || len(b.Problems) > 0 {
		t.Errorf("%+v", b.Problems)
	}
}

// TestConflictsAreNoted checks that a conflict with another writer is noted in the file of conflicts.
func TestConflictsAreNoted(t *testing.T) {
	dir := fixture.Project(t, fixture.Lantern(nil))
	rep := Report{Text: result(1, "success", 1), Plan: "03-01"}
	done := captureOf(t, dir, rep)
	fixture.Put(t, filepath.Join(dir, ".planning/phases/03-lamp/03-01-PLAN.md"), fixture.TwoTasks)
	if err := recorder(dir).Settle(t.Context(), rep, done); err == nil {
		t.Error("nothing is said of it")
	}
	if text := read1(t, dir, conflictsFile); !strings.Contains(text, `"what":"overwritten: Task 1: Fill the tank"`) || strings.Count(text, "\n") != 1 {
		t.Error(text)
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

// TestRefusedResultOfUnknownTaskStays checks that a refused result whose task is unknown stays reported until no task of its plan is open.
func TestRefusedResultOfUnknownTaskStays(t *testing.T) {
	dir := fixture.Project(t, fixture.Lantern(nil))
	captureOf(t, dir, Report{Text: "status: success\n", Plan: "03-01"})
	for i, want := range []int{1, 1, 0} { // after no success, after task 1, after task 2
		if i > 0 {
			captureOf(t, dir, Report{Text: result(i, "success", 1), Plan: "03-01"})
		}
		n := 0
		for _, p := range readerOf(dir).Check(fixture.Now) {
			if p.Rule == "ultraplan-rejected" {
				n++
			}
		}
		if n != want {
			t.Errorf("after %d tasks %d are named, want %d", i, n, want)
		}
	}
}

// TestDecideAboutPhase checks that a decision may name a phase that a directory or the roadmap has, and no other.
func TestDecideAboutPhase(t *testing.T) {
	for phase, want := range map[string]string{
		"3": "", "03": "", "4": "", "9": `"9": there is no such phase; there is 2, 3, 4, 5`, "3.1": `"3.1": there is no such phase; there is 2, 3, 4, 5`, "lamp": `"lamp": there is no such phase; there is 2, 3, 4, 5`,
	} {
		dir := fixture.Project(t, fixture.Lamp(map[string]string{".planning/STATE.md": "## Current Position\n\nPhase: 3 of 4\n\n### Decisions\n\nNone yet.\n"}))
		_, err := recorder(dir).Decide(t.Context(), Decision{Text: "Gas", Phase: phase})
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%q: %v", phase, err)
		}
		if state := read1(t, dir, ".planning/STATE.md"); strings.Contains(state, "Gas") != (want == "") {
			t.Errorf("%q: %s", phase, state)
		}
	}
}

// TestStrictAcceptsLeadingZeros checks that --strict refuses a task that is found by its number alone, but not one whose number has a
// leading zero.
func TestStrictAcceptsLeadingZeros(t *testing.T) {
	for name, want := range map[string]string{
		"Task 1: Fill the tank": Valid, "Task 01: Fill the tank": validWithWarnings, "Task  1:  Fill the tank": Valid, "Task 1: Fill it": Invalid, "Task 01: Fill it": Invalid, "Task 10: Fill the tank": Invalid,
	} {
		dir := fixture.Project(t, fixture.Lantern(nil))
		c, err := recorder(dir).Capture(t.Context(), Report{Text: strings.Replace(result(1, "success", 1), "Task 1: Fill the tank", name, 1), Plan: "03-01", Strict: true})
		fixture.Must(t, err)
		if c.Outcome != want {
			t.Errorf("%s: %s %v, want %s", name, c.Outcome, c.Errors, want)
		}
	}
}
