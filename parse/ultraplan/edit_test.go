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
	"gatehouse/model/line"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/protocol"
	"gatehouse/parse/protocol/protocoltest"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
	"gatehouse/parse/ultraplan/statemd"
)

// gateState returns a STATE.md with a current_task.
func gateState(status, rest string) string {
	return "# Project State\n\n## Current Position\n\nPhase: 3 of 4 (Lamp)\nStatus: In progress\nProgress: [█████░░░░░] 50%\n\n## Current Task\n\n```yaml\ncurrent_task:\n  name: \"Task 1: Fill the tank\"\n  phase: 03-lamp\n  plan: 01\n  gate_status: " + status + "\n" + rest + "```\n\n## Session Continuity\n\nResume file: None\n"
}

// decide returns the change that an action makes in STATE.md, and the text after it.
func decide(t testing.TB, state string, a model.Action, asking bool) (*protocol.Change, string, error) {
	t.Helper()
	dir := fixture.Project(t, fixture.Lantern(map[string]string{".planning/STATE.md": state}))
	r := readerOf(t, dir)
	if _, err := r.Target(a, time.Time{}); err != nil {
		return nil, "", err
	}
	c, err := protocoltest.Decide(r, protocol.Request{Action: a, Content: state, Now: fixture.Now, Who: "ada", Asking: asking})
	if err != nil {
		return nil, "", err
	}
	return c, fixture.Applied(t, state, c.Spans), nil
}

// TestGateOfATask checks retries of a gate that the logs call failed, and unusual blocks current_task.
func TestGateOfATask(t *testing.T) {
	retry := model.Action{Verb: model.VerbRetry, Node: tankGate}
	// If the logs have all failures, the gate counts as failed for good, whatever STATE.md says.
	dir := fixture.Project(t, fixture.Lantern(map[string]string{".planning/STATE.md": gateState("EXECUTING", "  attempt: 1\n"),
		".ultraplan/logs/executions/2026-01-27/03-01-task-01-failure.yaml":   fixture.Log("03-01", 1, "failure", "2026-01-27T10:00:00Z", "  metadata:\n    duration_ms: 1\n    attempt: 3\n"),
		".ultraplan/logs/executions/2026-01-27/03-01-task-01-failure-2.yaml": fixture.Log("03-01", 1, "failure", "2026-01-27T11:00:00Z", ""),
		".ultraplan/logs/executions/2026-01-27/03-01-task-01-failure-3.yaml": fixture.Log("03-01", 1, "failure", "2026-01-27T12:00:00Z", "")}))
	r := readerOf(t, dir)
	c, err := protocoltest.Decide(r, protocol.Request{Action: retry, Content: gateState("EXECUTING", "  attempt: 1\n"), Now: fixture.Now, Who: "ada"})
	if err != nil || c.Is != core.GateExecuting || len(c.Spans) == 0 {
		t.Errorf("%+v, %v", c, err)
	}
	early, err := protocoltest.Decide(r, protocol.Request{Action: retry, Content: gateState("EXECUTING", "  attempt: 1\n"), Now: fixture.Now.AddDate(0, -1, 0), Who: "ada"})
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
	// Windows line endings, and a file that ends with the block.
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

// TestUndoOfAGate checks that a skip can be undone until an agent has acted on it or the gate has changed.
func TestUndoOfAGate(t *testing.T) {
	state := gateState("FAILED", "")
	a := model.Action{Verb: model.VerbSkip, Node: tankGate, Text: "the funnel is not needed"}
	c, after, err := decide(t, state, a, false)
	fixture.Must(t, err)
	last := &model.Decision{Verb: a.Verb, Node: a.Node, Was: c.Was, Is: c.Is, Spans: c.Spans, After: statefile.Hash(after), Name: c.Name}
	r := readerOf(t, fixture.Project(t, fixture.Lantern(map[string]string{".planning/STATE.md": after})))
	undo := protocol.Request{Action: model.Action{Verb: model.VerbUndo, Node: tankGate}, Content: after, Last: last, Now: fixture.Now}
	back, err := protocoltest.Decide(r, undo)
	fixture.Must(t, err)
	if fixture.Applied(t, after, back.Spans) != state || back.Is != "FAILED" {
		t.Errorf("%+v", back)
	}
	reported := *last
	reported.Reported = true
	undo.Last = &reported
	if _, err := protocoltest.Decide(r, undo); err == nil || !strings.Contains(err.Error(), "an agent has acted on the decision already") {
		t.Error(err)
	}
	undo.Last, undo.Content = last, after+"\n"+"gate_status: SKIPPED\n"
	if back, err = protocoltest.Decide(r, undo); err != nil || fixture.Applied(t, undo.Content, back.Spans) != state+"\n"+"gate_status: SKIPPED\n" {
		t.Errorf("%+v, %v", back, err)
	}
	undo.Content = strings.Replace(after, "gate_status: SKIPPED", "gate_status: FAILED", 1)
	if _, err := protocoltest.Decide(r, undo); err == nil || !strings.Contains(err.Error(), "has changed since: current_task.gate_status is not SKIPPED any more") {
		t.Error(err)
	}
}

// FuzzTask checks that an edit changes only values of the current_task block, that repeating it changes nothing, and that it can be undone.
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

// TestRetryCountsResultsOfItsSecond checks that failures count from zero after a retry, even if all fall into the same second.
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
	c, err := protocoltest.Decide(readerOf(t, dir), protocol.Request{Action: model.Action{Verb: model.VerbRetry, Node: tankGate}, Content: string(text), Now: fixture.Now, Who: "ada"})
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
