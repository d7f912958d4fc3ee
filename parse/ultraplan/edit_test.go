package ultraplan

import (
	"errors"
	"fmt"
	"gatehouse/model/line"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/modeltest"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
	"gatehouse/parse/ultraplan/statemd"
)

// Edit judges an action by a content and says what it changes there.
func (r *Reader) Edit(q protocol.Request) (*protocol.Change, error) {
	t, err := r.Target(q.Action, q.Now)
	if err != nil {
		return nil, err
	}
	answer, err := t.Judge(q.Content)
	if err != nil {
		return nil, err
	}
	return answer(q)
}

// gateState returns a STATE.md with a current_task.
func gateState(status, rest string) string {
	return "# Project State\n\n## Current Position\n\nPhase: 3 of 4 (Lamp)\nStatus: In progress\nProgress: [█████░░░░░] 50%\n\n## Current Task\n\n```yaml\ncurrent_task:\n  name: \"Task 1: Fill the tank\"\n  phase: 03-lamp\n  plan: 01\n  gate_status: " + status + "\n" + rest + "```\n\n## Session Continuity\n\nResume file: None\n"
}

const tankGate = "task/03-lamp/03-01/1/gate"

// decide asks what an action changes in STATE.md.
func decide(t testing.TB, state string, a model.Action, asking bool) (*protocol.Change, string, error) {
	t.Helper()
	dir := fixture.Project(t, fixture.Lantern(map[string]string{".planning/STATE.md": state}))
	r := readerOf(t, dir)
	if _, err := r.Target(a, time.Time{}); err != nil {
		return nil, "", err
	}
	c, err := r.Edit(protocol.Request{Action: a, Content: state, Now: fixture.Now, Who: "ada", Asking: asking})
	if err != nil {
		return nil, "", err
	}
	return c, fixture.Applied(t, state, c.Spans), nil
}

func TestGateOfATask(t *testing.T) {
	const why = "the funnel is not needed"
	skip, retry := model.Action{Verb: model.VerbSkip, Node: tankGate, Text: why}, model.Action{Verb: model.VerbRetry, Node: tankGate}
	steps := "  gate_step: 2\n  executor_status: success\n  verify_status: failed # at last\n  architect_status: pending\n  attempt: 4\n  max_attempts: 3\n  last_step_at: '2026-01-26T10:00:00Z'\n  previous_failures:\n    - gate_status: x\n"

	c, got, err := decide(t, gateState("FAILED  # so far", steps), skip, false)
	fixture.Must(t, err)
	want := gateState("SKIPPED  # so far", strings.Replace(steps, "'2026-01-26T10:00:00Z'", `"2026-01-28T12:00:00Z"`, 1)+
		"  skip_reason: \"the funnel is not needed\"\n  skipped_by: \"ada\"\n  skipped_at: \"2026-01-28T12:00:00Z\"\n  requires_manual_commit: true\n")
	if got != want || c.Was != "FAILED" || c.Is != core.GateSkipped || c.Wants != "reason" || c.Effect != "FAILED → SKIPPED" {
		t.Errorf("%+v\n%s", c, got)
	}
	// What was written is read: the task is complete, and nobody has verified it.
	b := build(t, fixture.Project(t, fixture.Lantern(map[string]string{".planning/STATE.md": got})))
	if n := modeltest.Node(t, b, tankGate); n.Status != model.Skipped || n.Gate.Reason != why || modeltest.Fact(n, "skipped by") != "ada" || len(n.Gate.Can) != 0 {
		t.Errorf("%+v %+v", n, n.Gate)
	}
	if n := modeltest.Node(t, b, "task/03-lamp/03-01/1"); n.Raw != "complete (unverified)" {
		t.Errorf("%+v", n)
	}

	c, got, err = decide(t, gateState("FAILED", steps), retry, false)
	fixture.Must(t, err)
	again := strings.NewReplacer("gate_step: 2", "gate_step: 1", "executor_status: success", "executor_status: pending", "verify_status: failed", "verify_status: pending", "max_attempts: 3", "max_attempts: 6",
		"'2026-01-26T10:00:00Z'", `"2026-01-28T12:00:00Z"`).Replace(steps)
	if got != gateState("EXECUTING", again) || c.Confirm != "" {
		t.Errorf("%+v\n%s", c, got)
	}
	// One that its failures have overtaken is as one that has failed for good.
	dir := fixture.Project(t, fixture.Lantern(map[string]string{".planning/STATE.md": gateState("EXECUTING", "  attempt: 1\n"),
		".ultraplan/logs/executions/2026-01-27/03-01-task-01-failure.yaml":   fixture.Log("03-01", 1, "failure", "2026-01-27T10:00:00Z", "  metadata:\n    duration_ms: 1\n    attempt: 3\n"),
		".ultraplan/logs/executions/2026-01-27/03-01-task-01-failure-2.yaml": fixture.Log("03-01", 1, "failure", "2026-01-27T11:00:00Z", ""),
		".ultraplan/logs/executions/2026-01-27/03-01-task-01-failure-3.yaml": fixture.Log("03-01", 1, "failure", "2026-01-27T12:00:00Z", "")}))
	r := readerOf(t, dir)
	if c, err = r.Edit(protocol.Request{Action: retry, Content: gateState("EXECUTING", "  attempt: 1\n"), Now: fixture.Now, Who: "ada"}); err != nil || c.Is != core.GateExecuting || len(c.Spans) == 0 {
		t.Errorf("%+v, %v", c, err)
	}
	early, err := r.Edit(protocol.Request{Action: retry, Content: gateState("EXECUTING", "  attempt: 1\n"), Now: fixture.Now.AddDate(0, -1, 0), Who: "ada"})
	if err != nil || !slices.ContainsFunc(early.Spans, func(s model.Span) bool { return strings.Contains(s.New, "2026-01-27T12:00:00Z") }) {
		t.Errorf("a clock that is behind: %+v, %v", early, err)
	}
	if d := r.Read(fixture.Now).Divergences; !slices.ContainsFunc(d, func(d model.Divergence) bool {
		return strings.Contains(d.Claim, "the gate of Task 1: Fill the tank is EXECUTING")
	}) {
		t.Errorf("%+v", d)
	}
	if c, _, err = decide(t, gateState("blocked", ""), retry, false); err != nil || c.Confirm != "retry" {
		t.Errorf("%+v, %v", c, err)
	}
	// Windows' ends of lines, and a file that ends with the block.
	text := "\uFEFF# x\r\ncurrent_task:\r\n  name: Task 1\r\n  gate_status: >-\r\n    VERIFYING\r\n"
	if spans, err := statemd.SetTask(text, []statemd.TaskValue{{Key: "gate_status", Value: "SKIPPED"}}); err != nil || !strings.HasSuffix(fixture.Applied(t, text, spans), "\r\n  gate_status: SKIPPED\r\n") {
		t.Errorf("%+v, %v", spans, err)
	}
	if _, err := statemd.SetTask("current_task:\n\tname: Task 1\n\tgate_status: FAILED\n", []statemd.TaskValue{{Key: "gate_status", Value: "SKIPPED"}}); err == nil {
		t.Error("tabs are no YAML")
	}
	text = "current_task:\n  name: a\n  gate_status: FAILED"
	spans, err := statemd.SetTask(text, []statemd.TaskValue{{Key: "gate_status", Value: "SKIPPED"}, {Key: "skip_reason", Value: "x"}, {Key: "skipped_by", Value: "y"}})
	fixture.Must(t, err)
	if got := fixture.Applied(t, text, spans); got != "current_task:\n  name: a\n  gate_status: SKIPPED\n  skip_reason: x\n  skipped_by: y" {
		t.Errorf("%q", got)
	}
}

func TestGateRefuses(t *testing.T) {
	long := "a reason that is long enough"
	for name, c := range map[string]struct {
		state string
		a     model.Action
		code  string
		says  string
	}{
		"no reason":         {gateState("FAILED", ""), model.Action{Verb: model.VerbSkip, Node: tankGate}, protocol.ReasonRequired, "needs a reason"},
		"a short one":       {gateState("FAILED", ""), model.Action{Verb: model.VerbSkip, Node: tankGate, Text: "ten chars."}, protocol.ReasonTooShort, "too short"},
		"it has passed":     {gateState("APPROVED", ""), model.Action{Verb: model.VerbSkip, Node: tankGate, Text: long}, protocol.Forbidden, "has passed"},
		"skipped already":   {gateState("SKIPPED", ""), model.Action{Verb: model.VerbSkip, Node: tankGate, Text: long}, protocol.Forbidden, "already"},
		"nothing to retry":  {gateState("EXECUTING", ""), model.Action{Verb: model.VerbRetry, Node: tankGate}, protocol.Forbidden, "wait for it"},
		"retry of the done": {gateState("SKIPPED", ""), model.Action{Verb: model.VerbRetry, Node: tankGate}, protocol.Forbidden, "nothing is left"},
		"approve":           {gateState("FAILED", ""), model.Action{Verb: model.VerbApprove, Node: tankGate}, protocol.Forbidden, "has no"},
		"another gate":      {gateState("FAILED", ""), model.Action{Verb: model.VerbSkip, Node: "task/03-lamp/03-01/2/gate", Text: long}, protocol.NoGate, "no such gate"},
		"a task":            {gateState("FAILED", ""), model.Action{Verb: model.VerbSkip, Node: "task/03-lamp/03-01/1", Text: long}, protocol.NoGate, "is no gate"},
		"a key twice":       {gateState("FAILED", "  last_step_at: x\n  last_step_at: y\n"), model.Action{Verb: model.VerbRetry, Node: tankGate}, "", "twice"},
		"nothing to undo":   {gateState("FAILED", ""), model.Action{Verb: model.VerbUndo, Node: tankGate}, protocol.Forbidden, "no decision"},
	} {
		_, _, err := decide(t, c.state, c.a, false)
		var refused *model.Refusal
		if !errors.As(err, &refused) || refused.Code != c.code || !strings.Contains(refused.Error(), c.says) || refused.Already != (name == "skipped already") {
			t.Errorf("%s: %#v", name, err)
		}
	}
	// A reason that is still to be typed is asked for.
	if c, _, err := decide(t, gateState("FAILED", ""), model.Action{Verb: model.VerbSkip, Node: tankGate}, true); err != nil || c.Wants != "reason" {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestTaskWithoutAGateIsDecided holds that a task which failed for good by other files than STATE.md is skipped or retried by name, in a
// list of STATE.md.
func TestTaskWithoutAGateIsDecided(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"logs":    {".ultraplan/logs/executions/2026-01-27/03-01-task-01-failure.yaml": fixture.Log("03-01", 1, "failure", "2026-01-27T10:00:00Z", "  metadata:\n    duration_ms: 1\n    attempt: 3\n")},
		"retries": {".ultraplan/state/retry-state.json": `{"task_retries": {"03-01:task-1": {"status": "escalated", "retry_count": 3}}}`},
		"session": {".ultraplan/logs/current-session.json": `{"plan_id": "03-01", "tasks": [{"task_name": "Task 1: Fill the tank", "status": "failure", "attempts": 3}]}`},
		"odd YAML": {
			".ultraplan/logs/executions/2026-01-27/03-01-task-01-failure.yaml":   strings.Replace(fixture.Log("03-01", 1, "failure", "2026-01-27T10:00:00Z", ""), "status: failure", "status: !!str failure", 1),
			".ultraplan/logs/executions/2026-01-27/03-01-task-01-failure-2.yaml": strings.Replace(fixture.Log("03-01", 1, "failure", "2026-01-27T11:00:00Z", ""), "status: failure", "status: &f failure", 1),
			".ultraplan/logs/executions/2026-01-27/03-01-task-01-failure-3.yaml": strings.Replace(fixture.Log("03-01", 1, "failure", "2026-01-27T12:00:00Z", ""), "  status: failure", "  ? status\n  : failure", 1),
		},
	} {
		dir := fixture.Project(t, fixture.Lantern(files))
		r := readerOf(t, dir)
		b := r.Read(fixture.Now)
		i := slices.IndexFunc(b.Waits, func(w model.Wait) bool { return w.Node == tankGate })
		if i < 0 || b.Waits[i].Text != "Task 1: Fill the tank failed 3 times: retry or skip it" {
			t.Errorf("%s: %+v", name, b.Waits)
			continue
		}
		if n := modeltest.Node(t, b, tankGate); !slices.Equal(n.Gate.Can, []model.Verb{model.VerbSkip, model.VerbRetry}) {
			t.Errorf("%s: %v", name, n.Gate.Can)
		}
		for verb, want := range map[model.Verb]model.Status{model.VerbSkip: model.Done, model.VerbRetry: model.Pending} {
			text, err := os.ReadFile(filepath.Join(dir, ".planning/STATE.md"))
			fixture.Must(t, err)
			c, err := r.Edit(protocol.Request{Action: model.Action{Verb: verb, Node: tankGate, Text: "the funnel is not needed"}, Content: string(text), Now: fixture.Now, Who: "ada"})
			if err != nil {
				t.Errorf("%s, %s: %v", name, verb, err)
				continue
			}
			after := fixture.Applied(t, string(text), c.Spans)
			files[".planning/STATE.md"] = after
			b := build(t, fixture.Project(t, fixture.Lantern(files)))
			if n := modeltest.Node(t, b, "task/03-lamp/03-01/1"); n.Status != want || slices.ContainsFunc(b.Waits, func(w model.Wait) bool { return w.Node == tankGate }) {
				t.Errorf("%s, %s: %s, %+v\n%s", name, verb, n.Status, b.Waits, after)
			}
			delete(files, ".planning/STATE.md")
		}
	}
}

func TestUndoOfAGate(t *testing.T) {
	state := gateState("FAILED", "")
	a := model.Action{Verb: model.VerbSkip, Node: tankGate, Text: "the funnel is not needed"}
	c, after, err := decide(t, state, a, false)
	fixture.Must(t, err)
	last := &model.Decision{Verb: a.Verb, Node: a.Node, Was: c.Was, Is: c.Is, Spans: c.Spans, After: statefile.Hash(after), Name: c.Name}
	r := readerOf(t, fixture.Project(t, fixture.Lantern(map[string]string{".planning/STATE.md": after})))
	undo := protocol.Request{Action: model.Action{Verb: model.VerbUndo, Node: tankGate}, Content: after, Last: last, Now: fixture.Now}
	back, err := r.Edit(undo)
	fixture.Must(t, err)
	if fixture.Applied(t, after, back.Spans) != state || back.Is != "FAILED" {
		t.Errorf("%+v", back)
	}
	told := *last
	told.Reported = true
	undo.Last = &told
	if _, err := r.Edit(undo); err == nil || !strings.Contains(err.Error(), "an agent has acted on the decision already") {
		t.Error(err)
	}
	undo.Last, undo.Content = last, after+"\n"+"gate_status: SKIPPED\n"
	if back, err = r.Edit(undo); err != nil || fixture.Applied(t, undo.Content, back.Spans) != state+"\n"+"gate_status: SKIPPED\n" {
		t.Errorf("%+v, %v", back, err)
	}
	undo.Content = strings.Replace(after, "gate_status: SKIPPED", "gate_status: FAILED", 1)
	if _, err := r.Edit(undo); err == nil || !strings.Contains(err.Error(), "has changed since: current_task.gate_status is FAILED now, not SKIPPED") {
		t.Error(err)
	}
}

func TestSync(t *testing.T) {
	claims := strings.NewReplacer("0% (0/2", "100% (2/2", "░░░░░░░░░░", "██████████", "Ready to plan", "COMPLETE - at last", "completed: 0", "completed: 2", "3 of 4", "3 of 0").Replace(fixture.RestingState)
	dir := fixture.Project(t, fixture.Lantern(map[string]string{".planning/STATE.md": claims}))
	b := build(t, dir)
	if len(b.Can) != 1 || b.Can[0] != model.VerbSync || len(b.Divergences) != 5 {
		t.Errorf("%v %+v", b.Can, b.Divergences)
	}
	c, got, err := decide(t, claims, model.Action{Verb: model.VerbSync}, false)
	fixture.Must(t, err)
	want := strings.NewReplacer("0% (0/2", "50% (1/2", "░░░░░░░░░░", "█████░░░░░", "Ready to plan", "In progress", "completed: 0", "completed: 1", "3 of 4", "3 of 3", "| - | - | - | - |", "| 3 | 1/2 | 3m | 3m |").Replace(fixture.RestingState)
	if got != want || c.Was != "100%" || c.Is != "50%" || len(c.Checks) != 5 {
		t.Errorf("%+v\n%s\nwant\n%s", c, got, want)
	}
	fixture.Put(t, filepath.Join(dir, ".planning", "STATE.md"), got)
	if b := build(t, dir); len(b.Can) != 0 || len(b.Divergences) != 0 {
		t.Errorf("%v %+v", b.Can, b.Divergences)
	}
	var refused *model.Refusal
	if _, _, err := decide(t, got, model.Action{Verb: model.VerbSync}, false); !errors.As(err, &refused) || !refused.Already {
		t.Error(err)
	}
	// A percentage that was written exactly stays.
	for _, state := range []string{strings.Replace(got, "50%", "50.5%", 1), "# x\n"} {
		if b := build(t, fixture.Project(t, fixture.Lantern(map[string]string{".planning/STATE.md": state}))); len(b.Can) != 0 {
			t.Errorf("%q: %v %+v", state, b.Can, b.Divergences)
		}
	}
	bare := fixture.Project(t, map[string]string{".planning/phases/03-lamp/03-01-PLAN.md": fixture.TwoTasks})
	if _, err := readerOf(t, bare).Target(model.Action{Verb: model.VerbSync}, time.Time{}); !errors.As(err, &refused) {
		t.Error(err)
	}
}

func TestResume(t *testing.T) {
	r := readerOf(t, fixture.Project(t, fixture.Lantern(map[string]string{".ultraplan/state/continue.md": "## Last executed task\nTask 1\n## Next steps\n1. fill\x1b[2J it\n- [ ] trim it\n"}))).Resume(fixture.Now)
	if r.Action != resumeOffer || r.File != core.ResumeFile || len(r.Text) != 5 || strings.Join(r.Steps, "|") != "fill\uFFFD[2J it|trim it" {
		t.Errorf("%+v", r)
	}
	files := fixture.Lantern(nil)
	delete(files, ".ultraplan/state/continue.md")
	if r := readerOf(t, fixture.Project(t, files)).Resume(fixture.Now); r.Action != resumePlan || r.Phase != "03-01" || r.File != "" {
		t.Errorf("%+v", r)
	}
	files[".planning/phases/03-lamp/03-01-SUMMARY.md"] = "x"
	files[".planning/STATE.md"] = strings.Replace(fixture.RestingState, "3 of 4", "3 of 3", 1)
	if r := readerOf(t, fixture.Project(t, files)).Resume(fixture.Now); r.Action != resumeComplete {
		t.Errorf("%+v", r)
	}
	files[".ultraplan/state/continue.md"] = "## Last executed task\nTask 1\n" // left behind, and still there to be put away
	if r := readerOf(t, fixture.Project(t, files)).Resume(fixture.Now); r.Action != resumeOffer || r.Why != "work was broken off: Task 1" {
		t.Errorf("%+v", r)
	}
}

// FuzzTask holds that only lines of the current_task block change, that what is set is read back, and that it can be undone.
func FuzzTask(f *testing.F) {
	for _, s := range append(fixture.Seeds, gateState("FAILED", "  attempt: 2\n"), "current_task:\n  gate_status: FAILED", "current_task:\r\n  gate_status:\r\n", "current_task:\n  a: |\n    gate_status: x\n  gate_status: \"FA\\\"\" # x\n", "current_task: #\n\n  gate_status:#x\n") {
		f.Add(s, "a reason, long enough")
	}
	f.Fuzz(func(t *testing.T, text, why string) {
		skip := func(why string) []statemd.TaskValue {
			return []statemd.TaskValue{{Key: "gate_status", Value: core.GateSkipped}, {Key: "skip_reason", Value: statemd.Quote(line.Tidy(why))}}
		}
		spans, err := statemd.SetTask(text, skip(why))
		if err != nil {
			return
		}
		after, err := protocol.Apply(text, spans)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := protocol.Apply(after, protocol.Invert(spans)); err != nil || back != text {
			t.Errorf("can't be taken back: %v", err)
		}
		again, err := statemd.SetTask(after, skip(why))
		if err != nil || len(again) > 0 {
			t.Errorf("%q is set once more in %q: %v, %v", text, after, again, err)
		}
		for _, s := range spans {
			if strings.Contains(s.Old, "\n") || !strings.HasPrefix(s.Label, "current_task.") {
				t.Errorf("%+v", s)
			}
		}
	})
}

// TestRetryCountsResultsOfItsSecond holds that failures count anew after a retry, though all fall into one second.
func TestRetryCountsResultsOfItsSecond(t *testing.T) {
	const at = "2026-01-28T12:00:00Z"
	files := map[string]string{}
	add := func(n int) {
		files[fmt.Sprintf(".ultraplan/logs/executions/2026-01-28/03-01-task-01-failure-%d.yaml", n)] = strings.Replace(fixture.Log("03-01", 1, "failure", at, ""), "session_id", fmt.Sprintf("sequence: %d\nsession_id", n), 1)
	}
	for n := 1; n <= 3; n++ {
		add(n)
	}
	dir := fixture.Project(t, fixture.Lantern(files))
	text, err := os.ReadFile(filepath.Join(dir, ".planning/STATE.md"))
	fixture.Must(t, err)
	c, err := readerOf(t, dir).Edit(protocol.Request{Action: model.Action{Verb: model.VerbRetry, Node: tankGate}, Content: string(text), Now: fixture.Now, Who: "ada"})
	fixture.Must(t, err)
	files[".planning/STATE.md"] = fixture.Applied(t, string(text), c.Spans)
	for n := 4; n <= 6; n++ {
		add(n)
		b := build(t, fixture.Project(t, fixture.Lantern(files)))
		if waits := slices.ContainsFunc(b.Waits, func(w model.Wait) bool { return w.Node == tankGate }); waits != (n == 6) {
			t.Errorf("after failure %d: waits %v", n, waits)
		}
	}
}

// TestDecisionsInAnyList holds that a decision is added to a list as it is found there, and read again, or refused.
func TestDecisionsInAnyList(t *testing.T) {
	const item = `{task: "03-02:task-2", reason: "agreed, by hand"}`
	logs := map[string]string{}
	for i := range 3 {
		logs[fmt.Sprintf(".ultraplan/logs/executions/2026-01-27/03-01-task-01-failure-%d.yaml", i+1)] = fixture.Log("03-01", 1, "failure", fmt.Sprintf("2026-01-27T1%d:00:00Z", i), "")
	}
	for name, c := range map[string]struct {
		list      string
		want      int // entries of the list
		isRefused bool
	}{
		"none":            {"", 1, false},
		"empty":           {"skipped_tasks: []\n", 1, false},
		"empty, a remark": {"```yaml\nskipped_tasks: [] # so far\n```\n", 1, false},
		"without a value": {"skipped_tasks:\n", 1, false},
		"in brackets":     {"skipped_tasks: [" + item + "]\n", 2, false},
		"on lines":        {"skipped_tasks:\n- " + item + "\n", 2, false},
		"a mapping":       {"skipped_tasks:\n  \"03-02:task-2\": {reason: x}\n", 0, true},
		"a word":          {"skipped_tasks: {a: b}\n", 0, true},
	} {
		files := maps.Clone(logs)
		files[".planning/STATE.md"] = "# Project State\n\n" + c.list + "\n## Session Continuity\n\nResume file: None\n"
		dir := fixture.Project(t, fixture.Lantern(files))
		change, err := readerOf(t, dir).Edit(protocol.Request{Action: model.Action{Verb: model.VerbSkip, Node: tankGate, Text: "the funnel is not needed"}, Content: files[".planning/STATE.md"], Now: fixture.Now, Who: "ada"})
		if isRefused := err != nil; isRefused != c.isRefused {
			t.Errorf("%s: %v", name, err)
			continue
		} else if isRefused {
			continue
		}
		files[".planning/STATE.md"] = fixture.Applied(t, files[".planning/STATE.md"], change.Spans)
		b := build(t, fixture.Project(t, fixture.Lantern(files)))
		if n := modeltest.Node(t, b, tankGate); n.Status != model.Skipped || len(core.ParseState(files[".planning/STATE.md"]).Decisions) != c.want {
			t.Errorf("%s: %v\n%s", name, n.Status, files[".planning/STATE.md"])
		}
	}
}

// TestWhichTaskADecisionIsAbout holds that an entry without a plan is about the only task of its exact name, whatever is at work.
func TestWhichTaskADecisionIsAbout(t *testing.T) {
	for entry, want := range map[string]model.Status{"03-01:task-1": model.Done, "Task 1: Fill the tank": model.Done, "1": model.Pending, "Task 1": model.Pending, "Task 1: Another": model.Pending} {
		state := gateState("EXECUTING", "  attempt: 1\n")
		state = strings.Replace(state, "Task 1: Fill the tank", "Task 2: Trim the wick", 1) + "\nskipped_tasks:\n  - task: \"" + entry + "\"\n    reason: \"it is not needed\"\n"
		dir := fixture.Project(t, map[string]string{".planning/STATE.md": state, ".planning/phases/03-lamp/03-01-PLAN.md": fixture.Lantern(nil)[".planning/phases/03-lamp/03-01-PLAN.md"]})
		if n := modeltest.Node(t, build(t, dir), "task/03-lamp/03-01/1"); n.Status != want {
			t.Errorf("%s: %v, want %v", entry, n.Status, want)
		}
		isTold := slices.ContainsFunc(readerOf(t, dir).Check(fixture.Now), func(p model.Problem) bool { return p.Rule == "ultraplan-decision" })
		if isTold != (want != model.Done) {
			t.Errorf("%s: told: %v", entry, isTold)
		}
	}
}

// TestWaitsThatFilesCouldHide holds that a task waits whatever else its files say.
func TestWaitsThatFilesCouldHide(t *testing.T) {
	unnumbered := strings.NewReplacer("Task 1: Fill", "Fill", "Task 2: Trim", "Trim").Replace(fixture.Lantern(nil)[".planning/phases/03-lamp/03-01-PLAN.md"])
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"torn logs, and the session counts": {map[string]string{
			".ultraplan/logs/executions/2026-01-27/03-01-task-01-failure.yaml": "logged_at: \"2026-01", ".ultraplan/logs/executions/2026-01-27/03-01-task-01-failure-2.yaml": "",
			".ultraplan/logs/current-session.json": `{"plan_id": "03-01", "tasks": [{"task_name": "Task 1: Fill the tank", "status": "failure", "attempts": 3}]}`,
		}, "failed 3 times"},
		"no status, and a step that failed": {map[string]string{".planning/STATE.md": gateState("", "  verify_status: failed\n  attempt: 4\n")}, "has no status"},
		"a blocked result":                  {map[string]string{".ultraplan/logs/executions/2026-01-27/03-01-task-01-blocked.yaml": fixture.Log("03-01", 1, "blocked", "2026-01-27T10:00:00Z", "")}, "is blocked"},
		"a name without a number": {map[string]string{".planning/phases/03-lamp/03-01-PLAN.md": unnumbered,
			".planning/STATE.md": strings.Replace(gateState("BLOCKED", "  attempt: 1\n"), "Task 1: Fill", "Fill", 1)}, "is blocked"},
	} {
		dir := fixture.Project(t, fixture.Lantern(c.files))
		r := readerOf(t, dir)
		b := r.Read(fixture.Now)
		i := slices.IndexFunc(b.Waits, func(w model.Wait) bool { return w.Node == tankGate })
		if i < 0 || !strings.Contains(b.Waits[i].Text, c.want) {
			t.Errorf("%s: %+v", name, b.Waits)
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, ".planning/STATE.md"))
		fixture.Must(t, err)
		for _, verb := range []model.Verb{model.VerbSkip, model.VerbRetry} {
			q := protocol.Request{Action: model.Action{Verb: verb, Node: tankGate, Text: "the funnel is not needed"}, Content: string(text), Now: fixture.Now, Who: "ada"}
			change, err := r.Edit(q)
			if err != nil {
				t.Errorf("%s, %s: %v", name, verb, err)
				continue
			}
			fixture.Put(t, filepath.Join(dir, ".planning/STATE.md"), fixture.Applied(t, string(text), change.Spans))
			if b := readerOf(t, dir).Read(fixture.Now); slices.ContainsFunc(b.Waits, func(w model.Wait) bool { return w.Node == tankGate }) {
				t.Errorf("%s: it waits after %s: %+v", name, verb, b.Waits)
			}
			fixture.Put(t, filepath.Join(dir, ".planning/STATE.md"), string(text))
		}
	}
}
