package record

import (
	"strings"
	"testing"
	"time"

	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
)

const resultText1 = "status: success\ntask_name: \"Task 2: Add: it\"\nfiles_modified: [a]\nverification:\n  command: x\n  exit_code: 0\n  output_summary: ok\ndone_criteria_met: true\nevidence: |\n  one\n\n    two\nerror: null\n"

func TestLogName(t *testing.T) {
	e := loggedResult{LoggedAt: time.Date(2026, 1, 26, 23, 30, 0, 0, time.UTC), Plan: "03-01", Task: "2"}
	for n, want := range []string{"2026-01-26/03-01-task-02-failure.yaml", "2026-01-26/03-01-task-02-failure-2.yaml"} {
		got := e.LogName("failure", n+1)
		if _, ok := core.ParseLogName(got[len("2026-01-26/"):]); got != want || !ok {
			t.Errorf("%s, want %s", got, want)
		}
	}
	e = loggedResult{Plan: "../../etc/x\x1b", Task: "10.1"}
	if got := e.LogName("a/b", 1); strings.Count(got, "/") != 1 || strings.Contains(got, "\x1b") || !strings.HasSuffix(got, "-task-10.1-a_b.yaml") {
		t.Error(got)
	}
}

func TestValidateKeepsWhatItRead(t *testing.T) {
	text := resultText1 + "metadata:\n  duration_ms: 0x10\n  attempt: 2\n  executor_id: e\n"
	v := validateResult("```\n"+text+"```", against{tasks: []core.TaskDoc{{Name: "Task 2: Add: it", Files: []string{"./a"}}}, exists: func(file string) bool { return file == "a" }})
	r := v.Result
	if v.Outcome != validWithWarnings || len(v.Warnings) != 1 || r.TookMS != 16 || !r.Timed || r.Attempt != 2 || v.text != text || v.Task != 0 {
		t.Errorf("%+v", v)
	}
	// No path outside the project is ever checked.
	validateResult(strings.Replace(text, "[a]", `[/etc/passwd, ../x, "C:\\x", a/../../b, '\\srv\x', ""]`, 1), against{exists: func(file string) bool {
		t.Errorf("asked about %q", file)
		return true
	}})
}

// FuzzCheckOff checks that no byte outside the line of the box ever changes.
func FuzzCheckOff(f *testing.F) {
	for _, s := range []string{fixture.PlanText, "\uFEFF" + fixture.PlanText, "", "<success_criteria>\n- [ ] Task 1: a\n</success_criteria>", "<success_criteria>\n```\n- [ ] Task 1: a\n</success_criteria>\n"} {
		f.Add(s, "Task 1: Fill the tank")
	}
	f.Fuzz(func(t *testing.T, text, task string) {
		spans, outcome := syncPlan(text, "success", task, "2026-01-26")
		fixture.Narrow(t, text, spans, 0)
		if outcome == "" {
			t.Errorf("%q: nothing is said of it", text)
		}
	})
}

func FuzzValidate(f *testing.F) {
	for _, s := range []string{resultText1, "", "- a", "a: &a [*a]", "status: success\nverification: *x\n", "```yaml\nstatus: blocked\n```", "metadata: {attempt: 99999999999999999999}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v := validateResult(text, against{tasks: core.ParsePlan(fixture.PlanText).Tasks, exists: func(string) bool { return false }})
		if (v.Outcome == Invalid) != (len(v.Errors) > 0) || v.Outcome == Valid && len(v.Warnings) > 0 {
			t.Errorf("%+v", v)
		}
		if v.Outcome != Invalid {
			e := loggedResult{Plan: "03-02", Task: "2", LoggedAt: fixture.Now}
			if logged := e.formatLog(v, text); core.ParseLog(logged).Lacks == "" && !v.isLoggedBy(core.ParseLog(logged)) {
				t.Errorf("%+v is logged as\n%s", v.Result, logged)
			}
		}
	})
}
