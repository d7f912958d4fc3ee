package record

import (
	"fmt"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/ultraplan"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
	"gatehouse/parse/ultraplan/statemd"
)

func readerOf(dir string) *ultraplan.Reader {
	return ultraplan.Readers(mirror.New(dir, ultraplan.Home, core.Planning))[0]
}

// TestOnlyWholeLogsCount checks that a file that is torn, empty or no log is a problem and counts as nothing, whatever its name says.
// The next capture names its task as the next one.
func TestOnlyWholeLogsCount(t *testing.T) {
	const log = ".ultraplan/logs/executions/2026-01-27/03-01-task-02-success.yaml"
	whole := fixture.Log("03-01", 2, "success", "2026-01-27T10:00:00Z", "")
	texts := map[string]string{
		"empty": "", "no YAML": "result: [", "another document": "a: b\n", "an empty result": "logged_at: \"2026-01-27T10:00:00Z\"\nplan_id: \"03-01\"\ntask_index: 2\n\nresult:\n",
		"a success that exits 1": strings.Replace(whole, "exit_code: 0", "exit_code: 1", 1), "one not done": strings.Replace(whole, "_met: true", "_met: false", 1),
		"with an error": strings.Replace(whole, "error: null", "error: it broke", 1), "another status": strings.Replace(whole, "status: success", "status: fine", 1),
		"of another task by its name": strings.Replace(whole, "Task 2", "Task 1", 1), "of another task by its number": strings.Replace(whole, "task_index: 2", "task_index: 1", 1),
		"of another plan": strings.Replace(whole, "03-01", "09-09", 1), "no success": fixture.Log("03-01", 2, "failure", "2026-01-27T10:00:00Z", ""),
		"only a result": whole[strings.Index(whole, "result:"):], "without a time": strings.Replace(whole, "logged_at", "logged", 1), "at no time": strings.Replace(whole, "2026-01-27T10", "soon", 1),
		"without a plan": strings.Replace(whole, "plan_id", "plan", 1), "without a task": strings.Replace(whole, "task_index", "task", 1),
		"half": whole[:len(whole)/2], "binary": "\x00\x01", "not a mapping": "- a\n",
	}
	for at := range strings.Count(whole, "\n") - 1 { // torn after any line
		texts[fmt.Sprintf("torn behind line %d", at)] = strings.Join(strings.SplitAfter(whole, "\n")[:at+1], "")
	}
	for name, text := range texts {
		dir := fixture.Project(t, fixture.Lantern(map[string]string{log: text, ".planning/phases/03-lamp/03-01-PLAN.md": strings.Replace(fixture.TwoTasks, "- [ ] Task 2: Trim the wick\n", "", 1)}))
		r := readerOf(dir)
		b := r.Read(fixture.Now)
		if n, _ := b.Find("task/03-lamp/03-01/2"); n.Status != model.Pending || b.Measured != nil && b.Measured.All.Executed > 0 || len(b.Activity) > 0 {
			t.Errorf("%s: %v %+v", name, n.Status, b.Measured)
		}
		found := false
		for _, p := range r.Check(fixture.Now) {
			found = found || p.File == log && p.Severity == model.Error && p.Rule == "ultraplan-log"
		}
		if !found {
			t.Errorf("%s: the check says nothing of it", name)
		}
		if strings.HasPrefix(name, "torn") { // torn logs behave alike, and "half" covers the rest
			continue
		}
		if c := captureOf(t, dir, Report{Text: result(1, "success", 1), Plan: "03-01"}); c.Next.Task != "2" {
			t.Errorf("%s: %+v", name, c.Next)
		}
		if d := dailyOf(t, dir, "2026-01-28"); d.Executed != 1 {
			t.Errorf("%s: %+v", name, d)
		}
		c := captureOf(t, dir, Report{Text: result(2, "success", 1), Plan: "03-01"})
		if c.Next.Kind != planDone || read1(t, dir, log) != text {
			t.Errorf("%s: %+v", name, c.Next)
		}
	}
	dir := fixture.Project(t, fixture.Lantern(map[string]string{log: whole}))
	if n, _ := readerOf(dir).Read(fixture.Now).Find("task/03-lamp/03-01/2"); n.Status != model.Done {
		t.Errorf("a whole log: %v", n.Status)
	}
}

func dailyOf(t *testing.T, dir, date string) *statemd.Daily {
	t.Helper()
	d, syntax := statemd.ParseDaily(read1(t, dir, ".ultraplan/logs/summary/daily-"+date+".json"), date)
	if syntax != nil {
		t.Fatal(syntax)
	}
	return d
}

// TestErrorsOfAnyKindConverge checks that, whatever error an executor returns, a repeated capture changes nothing, and the rest of
// STATE.md stays readable.
func TestErrorsOfAnyKindConverge(t *testing.T) {
	for _, text := range []string{
		"<!-- it broke", "-->", "<!-- a --> <!--", "```", "~~~~", "# Current Position", "## Blockers/Concerns", "---", "- [ ] Task 1: Fill the tank", "| a | b |", "None", "\x1b[2J\u202e",
		"current_task:", "a\nb\r\nc", "<success_criteria>", "Status: Complete", strings.Repeat("long ", 200_000), "\u00a0", "…", "~~x~~",
	} {
		dir := fixture.Project(t, fixture.Lantern(map[string]string{".planning/STATE.md": fixture.RestingState + "\n<!-- a note -->\n"}))
		rep := Report{Text: strings.Replace(result(1, "failure", 1), `"no funnel: it broke"`, fmt.Sprintf("%q", text), 1), Plan: "03-01"}
		if strings.Contains(text, "\x1b") {
			rep.Text = strings.Replace(result(1, "failure", 1), `"no funnel: it broke"`, `"\x1b[2J\u202e"`, 1)
		}
		captureOf(t, dir, rep)
		before := treeOf(t, dir)
		if c := captureOf(t, dir, rep); len(c.Files) > 0 {
			t.Errorf("%.20q: run again it changes %+v", text, c.Files)
		}
		sameTree(t, treeOf(t, dir), before, fmt.Sprintf("%.20q", text))
		state := read1(t, dir, ".planning/STATE.md")
		if n := strings.Count(state, "- Task 1: Fill the tank: "); n != 1 {
			t.Errorf("%.20q: %d blockers:\n%s", text, n, state)
		}
		if _, ok := core.FindSection(core.ContentLines(state), "Session Continuity"); !ok {
			t.Errorf("%.20q: the rest of STATE.md is hidden:\n%s", text, state)
		}
		captureOf(t, dir, Report{Text: result(1, "success", 2), Plan: "03-01"})
		if got := read1(t, dir, ".planning/STATE.md"); strings.Contains(got, "- Task 1: Fill") {
			t.Errorf("%.20q: the blocker stays:\n%s", text, got)
		}
	}
}
