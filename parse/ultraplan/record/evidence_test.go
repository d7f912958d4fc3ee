package record

import (
	"fmt"
	"path/filepath"
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

// TestSummaryIsIncremented checks that a capture adds its result to an existing daily summary and keeps what else is in it.
func TestSummaryIsIncremented(t *testing.T) {
	const file, theirs = ".ultraplan/logs/summary/daily-2026-01-28.json", `{
    "date": "2026-01-28",
    "tasks_executed": 15, "tasks_succeeded": 12, "tasks_failed": 2, "tasks_blocked": 1, "total_retries": 3, "success_rate": 0.80,
    "total_duration_ms": 450000, "average_duration_ms": 30000,
    "by_plan": { "03-01": { "tasks": 5, "succeeded": 5, "failed": 0, "duration_ms": 150000, "note": "theirs" } },
    "files_modified_count": 42, "shift": "night"
}
`
	dir := fixture.Project(t, fixture.Lantern(map[string]string{file: theirs}))
	rep := Report{Text: result(1, "failure", 2), Plan: "03-01"}
	for range 3 { // a repeated capture counts once
		captureOf(t, dir, rep)
		d := dailyOf(t, dir, "2026-01-28")
		if d.Executed != 16 || d.Failed != 3 || d.Retries != 4 || d.Total != 540_000 || d.Average != 33_750 ||
			d.Plans["03-01"].Tasks != 6 || d.Plans["03-01"].Took != 240_000 {
			t.Errorf("%+v", d)
		}
		if text := read1(t, dir, file); !strings.Contains(text, `"shift": "night"`) || !strings.Contains(text, `"note": "theirs"`) {
			t.Error(text)
		}
	}
	// A summary that is torn or no object is set aside, and counted again from the logs.
	for i, text := range []string{theirs[:100], "[]\n", "null"} {
		fixture.Put(t, filepath.Join(dir, filepath.FromSlash(file)), text)
		captureOf(t, dir, Report{Text: result(2, "success", i+1), Plan: "03-01"})
		kept := file + ".unreadable" + []string{"", "-2", "-3"}[i]
		if d := dailyOf(t, dir, "2026-01-28"); d.Executed != i+2 || read1(t, dir, kept) != text {
			t.Errorf("%q: %+v", text, d)
		}
	}
}

// TestImpossibleSummary checks that a summary with impossible values, or of another day, does not count. The logs of its day do, and the
// next capture sets it aside.
func TestImpossibleSummary(t *testing.T) {
	const file = ".ultraplan/logs/summary/daily-2026-01-28.json"
	for name, change := range map[string][2]string{
		"a count as text": {`"tasks_executed": 1`, `"tasks_executed": "1"`}, "a count below 0": {`"tasks_executed": 1`, `"tasks_executed": -1`}, "a part below 0": {`"tasks_failed": 1`, `"tasks_failed": -1`},
		"a list": {`"tasks_executed": 1`, `"tasks_executed": [1]`}, "another day": {`"2026-01-28"`, `"2026-01-27"`}, "no day": {`"2026-01-28"`, `"soon"`},
		"time below 0": {`"total_duration_ms": 90000`, `"total_duration_ms": -90000`}, "of a plan": {`"tasks": 1`, `"tasks": -1`}, "plans as a list": {`"by_plan": {`, `"by_plan": [], "x": {`},
	} {
		dir := fixture.Project(t, fixture.Lantern(map[string]string{".planning/STATE.md": freshState}))
		captureOf(t, dir, Report{Text: result(1, "failure", 1), Plan: "03-01"})
		text := strings.Replace(read1(t, dir, file), change[0], change[1], 1)
		if !strings.Contains(text, change[1]) {
			t.Fatalf("%s: %s", name, text)
		}
		fixture.Put(t, filepath.Join(dir, filepath.FromSlash(file)), text)
		r := readerOf(dir)
		if n := r.Read(fixture.Now).Measured.All; n.Executed != 1 || n.Failed != 1 || n.Time.Total != 90_000 {
			t.Errorf("%s: %+v", name, n)
		}
		found := false
		for _, p := range r.Check(fixture.Now) {
			found = found || p.File == file
			if strings.Contains(p.Text, " a array") || strings.Contains(p.Text, " a object") {
				t.Error(p.Text)
			}
		}
		if !found {
			t.Errorf("%s: check says nothing", name)
		}
		c := captureOf(t, dir, Report{Text: result(1, "failure", 2), Plan: "03-01"})
		if d := dailyOf(t, dir, "2026-01-28"); d.Executed != 2 || d.Total != 180_000 || read1(t, dir, file+".unreadable") != text || !strings.Contains(strings.Join(c.Notes, "\n"), "written again") {
			t.Errorf("%s: %+v, %q", name, d, c.Notes)
		}
		wantTrue(t, dir, name)
	}
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
