package ultraplan

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/modeltest"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/nearest"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
)

func TestBuild(t *testing.T) {
	b := build(t, fixture.Project(t, fixture.Lamp(nil)))
	if got := string(b.Header.AppendFull(nil)); got != "[██████░░░░] 66% · Phase 3 In progress · 03-02" {
		t.Error(got)
	}
	if b.Status != model.Active || b.Now != "plan/03-lamp/03-02" || b.Next != nil || b.Progress.Plans != (model.Count{Done: 2, Total: 3}) || b.Progress.Phases != (model.Count{Done: 1, Total: 3}) {
		t.Errorf("%v %q %v %+v", b.Status, b.Now, b.Next, b.Progress)
	}
	for id, want := range map[string]string{
		"phase/02-quay": "done Complete", "phase/03-lamp": "active In progress", "phase/4": "pending Ready to plan", "phase/5": "skipped skipped",
		"plan/02-quay/02-01": "done ", "plan/03-lamp/03-01": "done ", "plan/03-lamp/03-02": "active In progress",
		"task/02-quay/02-01/1": "done ", "task/03-lamp/03-02/1": "pending ", "task/03-lamp/03-02/2": "done ", "task/03-lamp/03-02/3": "pending checkpoint: decision", "task/03-lamp/03-02/4": "done ",
	} {
		if n := modeltest.Node(t, b, id); n.Status.String()+" "+n.Raw != want {
			t.Errorf("%s is %q, want %q", id, n.Status.String()+" "+n.Raw, want)
		}
	}
	plan := modeltest.Node(t, b, "plan/03-lamp/03-02")
	if plan.Title != "Light the lamp." || plan.Wave != 2 || len(plan.DependsOn) != 1 || plan.DependsOn[0] != "plan/03-lamp/03-01" || plan.Count != (model.Count{Done: 2, Total: 4}) {
		t.Errorf("%+v", plan)
	}
	first := modeltest.Node(t, b, "task/03-lamp/03-02/1")
	if first.Title != "Fill the tank" || first.Number != "1" || first.Wave != 1 || modeltest.Fact(first, "files") != "a.go, b.go" || modeltest.Fact(first, "verify") != "go test ./tank" {
		t.Errorf("%+v", first)
	}
	if stop := modeltest.Node(t, b, "task/03-lamp/03-02/3"); stop.Title != "Oil or gas?" || stop.Number != "3" || stop.Gate == nil || !stop.Gate.Required || !stop.Gate.Upcoming {
		t.Errorf("%+v", stop)
	}
	if len(b.Waits) != 1 || !b.Waits[0].IsUpcoming() || b.Waits[0].Place != "Plan 03-02" {
		t.Errorf("%+v", b.Waits)
	}
	var claims []string
	for _, d := range b.Divergences {
		claims = append(claims, d.Claim+": "+d.Truth+fmt.Sprint(" ", d.Source.Line))
	}
	if got := strings.Join(claims, "\n"); got != strings.Join([]string{
		"STATE.md says 100 % (4/4 plans): the tree says 66 %: 2 of 3 plans with a summary 10",
		"STATE.md has no row of phase 2: 1/1 of its plans have a summary 19",
		"STATE.md has no row of phase 3: 1/2 of its plans have a summary 19",
		"STATE.md says “Trend: Stable”: a trend takes 5 plans; there are 1 23",
	}, "\n") {
		t.Error(got)
	}
	if len(b.Metrics) != 3 || b.Metrics[1] != (model.Fact{Label: "Phase 1", Value: "2/2 · 2h 10m · 26m"}) {
		t.Errorf("%+v", b.Metrics)
	}
	if len(b.Blockers) != 2 || b.Blockers[0].Text != "the oil is thin" || b.Blockers[0].Node != "phase/03-lamp" || !b.Blockers[0].Concern || b.Blockers[1].Concern {
		t.Errorf("%+v", b.Blockers)
	}
	if len(b.Problems) != 1 || !strings.Contains(b.Problems[0].String(), "03-09-SUMMARY.md: this summary has no plan") {
		t.Errorf("%v", b.Problems)
	}
	if m := b.Measured; m == nil || m.PlansDone != 2 || m.PlanTime.Total != 223_000 || m.All.Executed != 0 || m.Trend != model.TrendUnknown {
		t.Errorf("%+v", m)
	}
}

// TestLowerHeadings holds that sections of STATE.md are the same for what is shown and what is brought in line: fields and tables below a
// lower heading belong to the section, and a list ends there.
func TestLowerHeadings(t *testing.T) {
	const state = ".planning/STATE.md"
	files := fixture.Lamp(nil)
	want := build(t, fixture.Project(t, files))
	files[state] = strings.NewReplacer("\nPhase: 3", "\n### Now\n\nPhase: 3", "\n| Phase |", "\n### By Phase\n\n| Phase |", "\n## Session", "\n#### Resolved\n\n- the wick\n\n## Session").Replace(files[state])
	b := build(t, fixture.Project(t, files))
	if !slices.Equal(b.Metrics, want.Metrics) || len(b.Blockers) != len(want.Blockers) || len(b.Divergences) != len(want.Divergences) || string(b.Header.AppendFull(nil)) != string(want.Header.AppendFull(nil)) {
		t.Errorf("%+v\n%+v\n%+v\n%s, want %s", b.Metrics, b.Blockers, b.Divergences, b.Header.AppendFull(nil), want.Header.AppendFull(nil))
	}
}

func TestLogsTellOfTasks(t *testing.T) {
	const dir = ".ultraplan/logs/executions/"
	files := fixture.Lamp(map[string]string{
		dir + "2026-01-26/03-02-task-01-failure.yaml":   fixture.Log("03-02", 1, "failure", "2026-01-26T10:00:00Z", "  error: \"no funnel\"\n  metadata:\n    duration_ms: 1000\n    attempt: 1\n"),
		dir + "2026-01-26/03-02-task-01-failure-2.yaml": fixture.Log("03-02", 1, "failure", "2026-01-26T11:00:00Z", "  error: no oil\n  verification:\n    command: \"x\"\n    exit_code: 1\n    output_summary: 2 failed\n  metadata:\n    duration_ms: 3000\n    attempt: 2\n"),
		dir + "2026-01-25/02-01-task-01-success.yaml":   fixture.Log("02-01", 1, "success", "2026-01-25T10:00:00Z", "  evidence: |\n    - done: yes\n  error: null\n"),
		dir + "2026-01-26/notes.txt":                    "x",
		dir + "other/03-02-task-01-failure.yaml":        "x",
		dir + "2026-01-26/half.yaml":                    "logged_at: \"2026",
		".ultraplan/logs/summary/daily-2026-01-20.json": `{"date": "2026-01-20", "tasks_executed": 4, "tasks_succeeded": 3, "success_rate": 0.75}`,
		".ultraplan/logs/summary/daily-2026-01-26.json": `{"tasks_executed": 99}`,
		".ultraplan/logs/retry.jsonl":                   `{"timestamp":"2026-01-26T11:30:00Z","event":"escalated","task_id":"03-02:task-1","reason":"max"}` + "\nnot json\n",
		".ultraplan/state/events.jsonl":                 `{"id":"1","timestamp":"2026-01-26T09:00:00Z","type":"plan.started","payload":{"plan":"03-02","n":3},"source":"router"}` + "\n",
	})
	b := build(t, fixture.Project(t, files))
	n := modeltest.Node(t, b, "task/03-lamp/03-02/1")
	if n.Status != model.Retrying || modeltest.Fact(n, "result") != "failure, attempt 2, 3 s" || modeltest.Fact(n, "error") != "no oil" {
		t.Errorf("%+v", n)
	}
	if p := modeltest.Node(t, b, "plan/03-lamp/03-02"); p.Status != model.Retrying || b.Status != model.Retrying {
		t.Errorf("plan %v, build %v", p.Status, b.Status)
	}
	// The blocker that was written for the task is told once, with its task.
	if len(b.Blockers) != 2 || b.Blockers[1].Node != n.ID || b.Blockers[1].Concern || b.Blockers[1].Since.IsZero() {
		t.Errorf("%+v", b.Blockers)
	}
	var items []string
	for _, a := range b.Activity {
		items = append(items, string(a.Family)+" "+a.Kind+" "+a.Node)
	}
	want := "results success task/02-quay/02-01/1, session plan.started , results failure task/03-lamp/03-02/1, results failure task/03-lamp/03-02/1, retries escalated task/03-lamp/03-02/1"
	if got := strings.Join(items, ", "); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	m := b.Measured
	if m.All.Executed != 104 || m.All.Succeeded != 4 || m.All.Failed != 2 || m.All.Retries != 1 || m.All.Files != 6 ||
		m.All.Time != (model.Spread{Known: 2, Total: 4000, Min: 1000, Max: 3000}) || len(m.Plans) != 2 || len(m.Tasks) != 2 || m.Plans[1].Node != "plan/03-lamp/03-02" {
		t.Errorf("%+v", m)
	}
	var days []string
	for _, d := range m.Days {
		days = append(days, fmt.Sprintf("%s %d/%d %d", d.Date, d.Succeeded, d.Executed, d.Plans))
	}
	if got := strings.Join(days, ", "); got != "2026-01-20 3/4 0, 2026-01-25 1/1 1, 2026-01-26 0/99 0" {
		t.Error(got)
	}
	if got := fmt.Sprint(b.Problems); !strings.Contains(got, "half.yaml") || !strings.Contains(got, "retry.jsonl:2") || len(b.Problems) != 3 {
		t.Errorf("%d problems: %s", len(b.Problems), got)
	}
}

func TestTaskGates(t *testing.T) {
	gate := func(status, more string) map[string]string {
		return fixture.Lamp(map[string]string{".planning/STATE.md": fixture.StateText + "\n## Current Task\n\n```yaml\ncurrent_task:\n  name: \"Task 1: Fill the tank\"\n  phase: 03-lamp\n  plan: \"03-02\"\n  gate_status: " + status + "\n  gate_step: 2\n  executor_status: success\n  verify_status: running\n  architect_status: pending\n  last_step_at: \"2026-01-26T14:02:30Z\"\n  max_attempts: 3\n" + more + "```\n"})
	}
	since := func(files map[string]string, results ...string) map[string]string {
		for i, status := range results {
			files[fmt.Sprintf(".ultraplan/logs/executions/2026-01-27/03-02-task-01-%s-%d.yaml", status, i+1)] = fixture.Log("03-02", 1, status, fmt.Sprintf("2026-01-27T10:00:0%dZ", i), "")
		}
		return files
	}
	for _, c := range []struct {
		name         string
		files        map[string]string
		task, gate   model.Status
		raw, attempt string
		waits        string
		failures     int
	}{
		{"at its first step", gate("executing", "  attempt: 1\n"), model.Active, model.Active, core.GateExecuting, "1 of 3", "", 0},
		{"again", gate("EXECUTING", "  attempt: 2\n  previous_failures:\n    - two tests failed\n    - {attempt: 2, error: again}\n"), model.Retrying, model.Retrying, core.GateExecuting, "2 of 3", "", 2},
		{"in review", gate("REVIEWING", "  attempt: 1\n"), model.Active, model.Active, core.GateReviewing, "1 of 3", "", 0},
		{"failed, tried again", gate("FAILED", "  attempt: 2\n"), model.Retrying, model.Retrying, core.GateFailed, "1 failed, next 2 of 3", "", 0},
		{"failed for good", gate("REJECTED", "  attempt: 4\n"), model.Failed, model.Failed, core.GateFailed, "3 of 3 failed, none is left", "Task 1: Fill the tank failed 3 times: retry or skip it", 0},
		{"approved, and a step denies it", func() map[string]string {
			files := gate("APPROVED", "  attempt: 1\n")
			files[".planning/STATE.md"] = strings.Replace(files[".planning/STATE.md"], "verify_status: running", "verify_status: failed", 1)
			return files
		}(), model.Failed, model.Failed, core.GateApproved, "1 of 3", "Task 1: Fill the tank has a gate that is APPROVED, but the verify command denies it: retry or skip it", 0},
		{"blocked", gate("BLOCKED", "  attempt: 1\n"), model.Blocked, model.Blocked, core.GateBlocked, "1 of 3", "Task 1: Fill the tank is blocked: retry or skip it", 0},
		{"approved", gate("APPROVED", "  attempt: 1\n"), model.Done, model.Done, core.GateApproved, "1 of 3", "", 0},
		{"left out", gate("SKIPPED", "  attempt: 1\n"), model.Done, model.Skipped, core.GateSkipped, "1 of 3", "", 0},
		{"at work, and failures since", since(gate("EXECUTING", "  attempt: 1\n"), "failure", "failure", "failure"), model.Failed, model.Failed, core.GateExecuting, "1 of 3", "Task 1: Fill the tank failed 3 times: retry or skip it", 3},
		{"its second attempt, and a failure since", since(gate("EXECUTING", "  attempt: 2\n"), "failure"), model.Retrying, model.Retrying, core.GateExecuting, "2 of 3", "", 1},
		{"blocked, and a success since", since(gate("BLOCKED", "  attempt: 1\n"), "success"), model.Done, model.Done, core.GateBlocked, "1 of 3", "", 0},
		{"failed for good, and a success since", since(gate("FAILED", "  attempt: 4\n"), "success"), model.Done, model.Done, core.GateFailed, "3 of 3 failed, none is left", "", 0},
		{"another word", gate("WONDERING", ""), model.Failed, model.Unknown, "WONDERING", "", "Task 1: Fill the tank has a gate that is “WONDERING”, which is no status: retry or skip it", 0},
	} {
		b := build(t, fixture.Project(t, c.files))
		task, g := modeltest.Node(t, b, "task/03-lamp/03-02/1"), modeltest.Node(t, b, "task/03-lamp/03-02/1/gate")
		if task.Status != c.task || g.Status != c.gate || g.Raw != c.raw || g.Kind != model.KindGate || modeltest.Fact(g, "attempt") != c.attempt {
			t.Errorf("%s: task %v, gate %v %q, attempt %q", c.name, task.Status, g.Status, g.Raw, modeltest.Fact(g, "attempt"))
		}
		waits := ""
		if certain := b.Certain(); len(certain) > 0 {
			waits = certain[0].Text
			if b.Status != model.Waiting || certain[0].Node != g.ID || certain[0].Since.IsZero() {
				t.Errorf("%s: %v %+v", c.name, b.Status, certain)
			}
		}
		failures := 0
		for _, f := range g.Facts {
			if strings.HasPrefix(f.Label, "failure") {
				failures++
			}
		}
		if waits != c.waits || failures != c.failures || modeltest.Fact(g, "executor") != "success" {
			t.Errorf("%s: waits %q, %d failures, %+v", c.name, waits, failures, g.Facts)
		}
	}
}

// TestAGateOfAClosedPlanWaitsForNobody takes the summary's word, in the dashboard and the prompt alike.
func TestAGateOfAClosedPlanWaitsForNobody(t *testing.T) {
	for _, name := range []string{"Task 1: Stone", "Task 9: Nowhere"} {
		for _, gate := range []string{"FAILED\n  attempt: 4", "FAILED", "BLOCKED"} {
			state := strings.Replace(fixture.StateText, "## Performance", "current_task:\n  name: \""+name+"\"\n  phase: 02-quay\n  plan: \"01\"\n  gate_status: "+gate+"\n\n## Performance", 1)
			dir := fixture.Project(t, fixture.Lamp(map[string]string{".planning/STATE.md": state}))
			b, node := build(t, dir), "task/02-quay/02-01/1/gate"
			if name == "Task 9: Nowhere" {
				node = "task/current/02-01/9/gate"
			}
			if g := modeltest.Node(t, b, node); len(b.Certain()) > 0 || b.Status == model.Waiting || g.Status != model.Done || len(g.Gate.Can) > 0 {
				t.Errorf("%s, %s: %+v, the gate is %v", name, gate, b.Waits, g.Status)
			}
			if found, _ := nearest.Find(nearest.Place{Dir: dir, Home: dir}); found.Waits != "" {
				t.Errorf("%s, %s: the prompt says %q", name, gate, found.Waits)
			}
		}
	}
}

func TestSkippedTasksCountAsDone(t *testing.T) {
	state := fixture.StateText + "\nskipped_tasks:\n  - task: \"03-02:task-1\"\n    reason: \"no funnel\"\n    timestamp: \"2026-01-26T14:40:00Z\"\n"
	b := build(t, fixture.Project(t, fixture.Lamp(map[string]string{".planning/STATE.md": state})))
	task, g := modeltest.Node(t, b, "task/03-lamp/03-02/1"), modeltest.Node(t, b, "task/03-lamp/03-02/1/gate")
	if task.Status != model.Done || task.Raw != "complete (unverified)" || g.Status != model.Skipped || g.Gate.Reason != "no funnel" {
		t.Errorf("%v %q, %v %q", task.Status, task.Raw, g.Status, g.Gate.Reason)
	}
}

func TestAGateWithoutItsTaskIsShown(t *testing.T) {
	state := "current_task:\n  name: 'Task 9: Nowhere'\n  plan: 09-09\n  gate_status: BLOCKED\n"
	b := build(t, fixture.Project(t, map[string]string{".planning/STATE.md": state}))
	if n := modeltest.Node(t, b, "task/current/09-09/9/gate"); n.Title != "Task 9: Nowhere" || n.Status != model.Blocked || len(b.Certain()) != 1 {
		t.Errorf("%+v", n)
	}
	// Until it has succeeded: the file is behind.
	b = build(t, fixture.Project(t, map[string]string{".planning/STATE.md": state,
		".ultraplan/logs/executions/2026-01-26/09-09-task-08-success.yaml": fixture.Log("09-09", 8, "success", "2026-01-26T10:00:00Z", ""), // another
	}))
	if len(b.Certain()) != 1 {
		t.Errorf("%+v", b.Waits)
	}
	b = build(t, fixture.Project(t, map[string]string{".planning/STATE.md": state,
		".ultraplan/logs/executions/2026-01-26/09-09-task-09-success.yaml": fixture.Log("09-09", 9, "success", "2026-01-26T10:00:00Z", ""),
	}))
	if n := modeltest.Node(t, b, "task/current/09-09/9/gate"); n.Status != model.Done || len(n.Gate.Can) > 0 || len(b.Waits) > 0 || !strings.Contains(fmt.Sprint(b.Divergences), "the gate of Task 9: Nowhere is BLOCKED") {
		t.Errorf("%+v, %+v, %+v", n, b.Waits, b.Divergences)
	}
}

func TestRetriesAndSession(t *testing.T) {
	b := build(t, fixture.Project(t, fixture.Lamp(map[string]string{
		".ultraplan/state/retry-state.json": `{"task_retries": {"03-02:task-1": {"task_name": "Task 1", "retry_count": 2, "max_retries": 3, "status": "retrying", "current_attempt": 3,
			"failures": [{"attempt": 1, "failure_type": "verification_failed", "error_summary": "2 failed", "suggested_fix": "look"}, {"attempt": "x"}], "last_attempt_at": "2026-01-26T14:32:00Z"},
			"99-99:task-1": {}, "x": null}}`,
	})))
	task, g := modeltest.Node(t, b, "task/03-lamp/03-02/1"), modeltest.Node(t, b, "task/03-lamp/03-02/1/gate")
	if task.Status != model.Retrying || modeltest.Fact(g, "attempt") != "3 of 3" || modeltest.Fact(g, "failure 1") != "2 failed (verification_failed) → look" {
		t.Errorf("%v %+v", task.Status, g.Facts)
	}
	if len(b.Problems) != 2 { // a value of a wrong type costs that value
		t.Errorf("%v", b.Problems)
	}
	b = build(t, fixture.Project(t, fixture.Lamp(map[string]string{
		".ultraplan/logs/current-session.json": `{"session_id": "s", "plan_id": "03-02", "tasks": [{"task_name": "Task 1: Fill the tank", "status": "in_progress"}]}`,
	})))
	if n := modeltest.Node(t, b, "task/03-lamp/03-02/1"); n.Status != model.Active {
		t.Errorf("%+v", n)
	}
}

func TestContinue(t *testing.T) {
	for text, want := range map[string]string{
		"# Continue\n\n## Last executed task\n\nTask 1: Fill\n\n## Partial results\n\nhalf\n\n## Next steps\n\n1. Find a funnel\n2. Pour\n": "Task 1: Fill|Find a funnel",
		"it stopped\n": "it stopped|", "": "the tank|",
	} {
		b := build(t, fixture.Project(t, fixture.Lamp(map[string]string{".ultraplan/state/continue.md": text})))
		got := ""
		if b.Pause != nil {
			got = b.Pause.Reason + "|"
		}
		if b.Next != nil {
			got += b.Next.Command
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if b := build(t, fixture.Project(t, fixture.Lamp(map[string]string{".ultraplan/state/continue.md.done": "x"}))); b.Pause != nil {
		t.Errorf("%+v", b.Pause)
	}
}

func TestStatusesThatOnlyTheTextHas(t *testing.T) {
	state := func(status string) string {
		return strings.Replace(strings.Replace(fixture.StateText, "Phase: 3 of 4 (Lamp)", "Phase: 4 of 4 (Sea)", 1), "In progress", status, 1)
	}
	b := build(t, fixture.Project(t, fixture.Lamp(map[string]string{".planning/STATE.md": state("Planning"), ".planning/phases/04-sea/04-RESEARCH.md": "x"})))
	if n := modeltest.Node(t, b, "phase/04-sea"); n.Status != model.Active || n.Raw != "Planning" {
		t.Errorf("%v %q", n.Status, n.Raw)
	}
	b = build(t, fixture.Project(t, fixture.Lamp(map[string]string{".planning/STATE.md": strings.Replace(fixture.StateText, "In progress", "Verifying", 1)})))
	if n := modeltest.Node(t, b, "phase/03-lamp"); n.Status != model.Active || n.Raw != "Verifying" {
		t.Errorf("%v %q", n.Status, n.Raw)
	}
	// A claim alone makes nothing complete.
	b = build(t, fixture.Project(t, map[string]string{".planning/STATE.md": "## Current Position\n\nPhase: 1 of 1 (A)\nStatus: COMPLETE\n\nProgress: [##] 100%\n"}))
	if header := string(b.Header.AppendFull(nil)); b.Status == model.Done || strings.Contains(strings.ToLower(header), "complete") || len(b.Divergences) != 2 {
		t.Errorf("%v %q %v", b.Status, header, b.Divergences)
	}
}

func TestComplete(t *testing.T) {
	files := map[string]string{
		".planning/STATE.md":                  "## Current Position\n\nPhase: 1 of 1 (A)\nStatus: Complete\n\nProgress: [####################] 100%\n",
		".planning/phases/01-a/01-01-PLAN.md": fixture.PlanText, ".planning/phases/01-a/01-01-SUMMARY.md": "x",
	}
	b := build(t, fixture.Project(t, files))
	if b.Status != model.Done || len(b.Divergences)+len(b.Waits)+len(b.Blockers) > 0 || string(b.Header.AppendFull(nil)) != "[██████████] 100% · complete" {
		t.Errorf("%v %+v", b.Status, b)
	}
	// What was broken off once was taken up since.
	files[core.ResumeFile] = "## Last executed task\nTask 1: Fill the tank\n\n## Next step\nfill it\n"
	if b := build(t, fixture.Project(t, files)); b.Status != model.Done || b.Pause != nil || len(b.Waits) > 0 || b.Next != nil {
		t.Errorf("with a hand-over: %v, %+v, %v, %+v", b.Status, b.Pause, b.Waits, b.Next)
	}
}

// TestOneMoreLogCostsOneFile holds what a log among thousands costs when it comes.
func TestOneMoreLogCostsOneFile(t *testing.T) {
	const dir = ".ultraplan/logs/executions/2026-01-26/"
	files := fixture.Lamp(nil)
	for i := range 200 {
		files[dir+fmt.Sprintf("03-02-task-01-failure-%d.yaml", i+2)] = fixture.Log("03-02", 1, "failure", fmt.Sprintf("2026-01-26T10:%02d:%02dZ", i/60, i%60), "")
	}
	root := fixture.Project(t, files)
	for name := range files { // what was written a moment ago is read once more
		fixture.Must(t, os.Chtimes(filepath.Join(root, filepath.FromSlash(name)), fixture.Now, fixture.Now))
	}
	m := mirror.New(root, Home, core.Planning)
	r := Readers(m)[0]
	if b := r.Read(fixture.Now); b.Measured.All.Executed != 200 {
		t.Fatalf("%+v", b.Measured.All)
	}
	reads := m.Reads()
	name := filepath.Join(root, filepath.FromSlash(dir), "03-02-task-01-success.yaml")
	fixture.Put(t, name, fixture.Log("03-02", 1, "success", "2026-01-26T12:00:00Z", ""))
	m.Touch(name)
	b := r.Read(fixture.Now)
	if got := m.Reads() - reads; got != 1 || b.Measured.All.Executed != 201 || modeltest.Node(t, b, "task/03-lamp/03-02/1").Status != model.Done {
		t.Errorf("%d files read, %+v", got, b.Measured.All)
	}
}

func TestDurationsInWords(t *testing.T) {
	for d, want := range map[model.Millis]string{340: "340 ms", 1499: "1 s", 59_499: "59 s", 125_000: "2m 5s", 4_800_000: "1h 20m"} {
		if got := duration(d); got != want {
			t.Errorf("%d: %q, want %q", d, got, want)
		}
	}
}

func TestTimesHaveManyForms(t *testing.T) {
	for _, text := range []string{"2026-01-26T10:30:45Z", `"2026-01-26T10:30:45Z"`, "2026-01-26 10:30:45", "2026-01-26"} {
		if got := protocol.ParseTime(text); got.Format(time.DateOnly) != "2026-01-26" {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// build reads the build of a directory.
func build(t testing.TB, dir string) *model.Build {
	t.Helper()
	readers := Readers(mirror.New(dir, Home, core.Planning))
	if len(readers) != 1 {
		t.Fatalf("%d builds", len(readers))
	}
	return readers[0].Read(fixture.Now)
}

// reader returns the reader of a directory.
func readerOf(t testing.TB, dir string) *Reader {
	t.Helper()
	all := Readers(mirror.New(dir, Home, core.Planning))
	if len(all) != 1 {
		t.Fatalf("%d builds", len(all))
	}
	return all[0]
}

// TestWhatWasJustCapturedIsNotStale has all files written within a minute, as a checkout writes them, and STATE.md name no more than
// a day: what the newest log says tells when something moved.
func TestWhatWasJustCapturedIsNotStale(t *testing.T) {
	const log = ".ultraplan/logs/executions/2026-01-28/03-02-task-01-failure.yaml"
	for name, c := range map[string]struct {
		day   string
		more  map[string]string
		stale time.Time
	}{
		"written after it":       {"2026-01-26", map[string]string{".git/logs/HEAD": "earlier"}, time.Time{}},
		"captured a moment ago":  {"2026-01-28", map[string]string{log: fixture.Log("03-02", 1, "failure", "2026-01-28T11:59:00Z", "")}, time.Time{}},
		"captured this morning":  {"2026-01-28", map[string]string{log: fixture.Log("03-02", 1, "failure", "2026-01-28T08:00:00Z", "")}, time.Date(2026, 1, 28, 8, 0, 0, 0, time.UTC)},
		"a day that is not over": {"2026-01-28", nil, time.Time{}},
		"a day that is over":     {"2026-01-26", nil, time.Date(2026, 1, 27, 0, 0, 0, 0, time.UTC)},
		"a session that goes on": {"2026-01-26", map[string]string{".ultraplan/logs/current-session.json": `{"last_updated": "2026-01-28T11:30:00Z"}`}, time.Time{}},
		"a time that is to come": {"2026-01-26", map[string]string{log: fixture.Log("03-02", 1, "failure", "2026-02-01T11:59:00Z", "")}, time.Date(2026, 1, 27, 0, 0, 0, 0, time.UTC)},
	} {
		state := "## Current Position\n\nPhase: 3 of 3\nPlan: 2 of 2\nStatus: In progress\nLast activity: " + c.day + " - Failed: Task 1: Fill the tank\n"
		files := fixture.Lamp(map[string]string{".planning/STATE.md": state, ".git/logs/HEAD": "now"})
		for file, text := range c.more {
			files[file] = text
		}
		dir := fixture.Project(t, files)
		for file := range files {
			at := fixture.Now
			if files[file] == "earlier" {
				at = at.Add(-time.Hour)
			}
			fixture.Must(t, os.Chtimes(filepath.Join(dir, filepath.FromSlash(file)), at, at))
		}
		b := build(t, dir)
		b.MarkStale(fixture.Now)
		if !b.StaleSince.Equal(c.stale) {
			t.Errorf("%s: %v, stale since %v, want %v (%+v)", name, b.Status, b.StaleSince, c.stale, b.Freshness)
		}
	}
}
