package loop

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/model/modeltest"
	"gatehouse/parse/protocol"
)

// TestComplete checks when a loop can be completed.
func TestComplete(t *testing.T) {
	passed := [3]string{"passed", "pending", "passed"} // the second gate is not required
	before := stateText("active", over, passed)
	r := kite(t, before, nil)
	c, err := decide(r, ask(model.VerbComplete, before, ""))
	must(t, err)
	if got := lines(t, before, edited(t, before, c)); got != "5: \"status\": \"complete\",\n18: \"last_updated\": \"2026-03-01T12:00:00Z\"" || c.Effect != "active → complete" {
		t.Errorf("%s\n%s", c.Effect, got)
	}
	for _, x := range []struct{ name, state, code, text string }{
		{"an open phase", stateText("active", sewing, passed), "E_UNFINISHED", "2 phases are open"},
		{"a gate", stateText("active", over, allOpen), "E_UNFINISHED", "sketch-gate is pending, and 1 more gate is undecided"},
		{"a gate that is approved", stateText("active", over, [3]string{"approved", "pending", "passed"}), "E_UNFINISHED", "sketch-gate is approved"},
		{"a phase of another word", stateText("active", [3]string{"complete", "done", "complete"}, passed), "E_UNFINISHED", "1 phase is open"},
		{"paused", stateText("paused", over, passed), "E_FORBIDDEN", "the loop is paused"},
		{"complete", stateText("complete", over, passed), "E_SAME_STATUS", "the loop is complete already"},
		{"dreaming", stateText("dreaming", over, passed), "E_UNKNOWN_STATUS", "the loop is “dreaming”, which the protocol does not know"},
	} {
		_, err := decide(kite(t, x.state, nil), ask(model.VerbComplete, x.state, ""))
		var refused *model.Refusal
		if !errors.As(err, &refused) || refused.Code != x.code || refused.Text != x.text {
			t.Errorf("%s: %+v", x.name, err)
		}
	}
}

// TestSkipPhase checks which phases can be skipped: those that the state does not require.
func TestSkipPhase(t *testing.T) {
	before := stateText("active", sewing, [3]string{"passed", "passed", "pending"})
	r := kite(t, before, nil)
	q := protocol.Request{Action: model.Action{Verb: model.VerbSkipPhase, Node: "phase/FLY"}, Content: before, Now: noon}
	c, err := decide(r, q)
	must(t, err)
	if got := lines(t, before, edited(t, before, c)); !strings.HasPrefix(got, `14: "FLY": { "status": "skipped", "required": false`) || strings.Count(got, "\n") != 1 {
		t.Errorf("%s", got)
	}
	for node, code := range map[string]string{"phase/Sew It": "E_FORBIDDEN", "phase/SKETCH": "E_FORBIDDEN", "phase/NONE": "E_NO_PHASE", "gate/sew-gate": "E_NO_PHASE"} {
		q.Node = node
		_, err := decide(r, q)
		if refused, ok := err.(*model.Refusal); !ok || refused.Code != code || refused.Text == "" {
			t.Errorf("%s: %v", node, err)
		}
	}
	begun := stateText("active", begun, allOpen)
	q.Node, q.Content = "phase/Sew It", begun
	if _, err := decide(kite(t, begun, nil), q); err == nil || !strings.Contains(err.Error(), "phase Sew It is required") {
		t.Errorf("%v", err)
	}
	b := kite(t, before, nil).Read(noon)
	for id, want := range map[string]int{"phase/FLY": 1, "phase/Sew It": 0} {
		if n := modeltest.Node(t, b, id); len(n.Can) != want {
			t.Errorf("%s can %v", id, n.Can)
		}
	}
}

// TestRestart checks that a restart replaces the state by a generated one and keeps a copy of the old one, and when it is refused.
func TestRestart(t *testing.T) {
	for _, status := range []string{"complete", "failed"} {
		before := stateText(status, sewing, [3]string{"passed", "failed", "pending"})
		r := kite(t, before, nil)
		q := ask(model.VerbRestart, before, "")
		c, err := decide(r, q)
		must(t, err)
		after := edited(t, before, c)
		want, _, err := Generate([]byte(definitionText), noon)
		must(t, err)
		if after != want || len(c.Keeps) != 1 || c.Keeps[0] != (protocol.Copy{File: "kite-state-20260301T103000Z.json", Content: before}) || c.Confirm != "restart" || c.Is != "active" {
			t.Errorf("%+v\n%s", c.Keeps, after)
		}
		if len(r.Read(noon).Can) == 0 || !slices.Contains(r.Read(noon).Can, model.VerbRestart) {
			t.Errorf("offered %v", r.Read(noon).Can)
		}
	}
	for _, x := range []struct{ name, state, definition, text string }{
		{"active", stateText("active", sewing, allOpen), definitionText, "the loop is active"},
		{"without a definition", stateText("failed", sewing, allOpen), "", "no loop.json of kite-loop was found"},
		{"with a broken one", stateText("failed", sewing, allOpen), "{", "loop.json can't be read"},
		{"twice the same phase", stateText("failed", sewing, allOpen), strings.Replace(definitionText, `"FLY"`, `"SKETCH"`, 1), `loop.json: the phase “SKETCH” is defined twice`},
	} {
		_, err := decide(kite(t, x.state, map[string]string{"loop.json": x.definition}), ask(model.VerbRestart, x.state, ""))
		if refused, ok := err.(*model.Refusal); !ok || refused.Text != x.text {
			t.Errorf("%s: %v", x.name, err)
		}
	}
}
