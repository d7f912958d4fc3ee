package ultraplan

import (
	"errors"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/model/modeltest"
	"gatehouse/parse/ultraplan/fixture"
)

// Nothing is written into an empty STATE.md, or one with both sides of a merge conflict; the check says why.
func TestUnwritableState(t *testing.T) {
	conflict := strings.Replace(gateState("FAILED", ""), "Status: In progress\n", "<<<<<<< HEAD\nStatus: In progress\n=======\nStatus: Complete\n>>>>>>> other\n", 1)
	for name, c := range map[string]struct {
		state, says string
		actions     []model.Action
	}{
		"empty":    {"", "is empty", []model.Action{{Verb: model.VerbSync}}},
		"conflict": {conflict, "merge conflict", []model.Action{{Verb: model.VerbSync}, {Verb: model.VerbRetry, Node: tankGate}}},
	} {
		for _, a := range c.actions {
			var refused *model.Refusal
			if _, _, err := decide(t, c.state, a, false); !errors.As(err, &refused) || refused.Already || !strings.Contains(refused.Error(), c.says) {
				t.Errorf("%s, %s: %v", name, a.Verb, err)
			}
		}
		r := readerOf(t, fixture.Project(t, fixture.Lantern(map[string]string{".planning/STATE.md": c.state})))
		told := false
		for _, p := range r.Check(fixture.Now) {
			told = told || p.File == ".planning/STATE.md" && p.Severity == model.Error && (c.state == "" || p.Line == 6 && strings.Contains(p.Text, c.says))
		}
		if b := r.Read(fixture.Now); !told || len(b.Can) != 0 || len(b.Divergences) != 0 {
			t.Errorf("%s: %v %+v %+v", name, told, b.Can, b.Divergences)
		}
	}
}

// Who leaves a gate out takes out what its failures left among the blockers, and no other; taking it back brings it back.
func TestSkipTakesTheBlockersOfItsTaskOut(t *testing.T) {
	state := gateState("FAILED", "") + "\n### Blockers/Concerns\n\n- the oil is thin\n- Task 1: Fill the tank: no funnel\n- Task 2: Trim the wick: too short\n- Task 1: Fill the tank: it broke\n"
	c, got, err := decide(t, state, model.Action{Verb: model.VerbSkip, Node: tankGate, Text: "the funnel is not needed"}, false)
	fixture.Must(t, err)
	if !strings.HasSuffix(got, "\n### Blockers/Concerns\n\n- the oil is thin\n- Task 2: Trim the wick: too short\n") || c.Is != "SKIPPED" {
		t.Error(got)
	}
	if _, got, err = decide(t, state, model.Action{Verb: model.VerbRetry, Node: tankGate}, false); err != nil || !strings.Contains(got, "no funnel") {
		t.Errorf("a retry: %v\n%s", err, got)
	}
}

// A row says which attempt its task is at, of how many.
func TestAttemptsOnRows(t *testing.T) {
	for _, c := range []struct {
		status, rest string
		n, of        int
	}{
		{"EXECUTING", "  attempt: 2\n  max_attempts: 3\n", 2, 3}, {"FAILED", "  attempt: 4\n  max_attempts: 3\n", 3, 3}, {"FAILED", "  attempt: 2\n", 2, 0}, {"EXECUTING", "", 0, 0},
	} {
		b := build(t, fixture.Project(t, fixture.Lantern(map[string]string{".planning/STATE.md": gateState(c.status, c.rest)})))
		for _, id := range []string{tankGate, "task/03-lamp/03-01/1"} {
			if n := modeltest.Node(t, b, id); n.Attempt != c.n || n.Attempts != c.of {
				t.Errorf("%s %q: %s is at %d of %d", c.status, c.rest, id, n.Attempt, n.Attempts)
			}
		}
	}
}

// While a task's verify command runs its plan is in progress; while it is reviewed, its phase's work is being verified.
func TestOnlyAReviewVerifies(t *testing.T) {
	for status, want := range map[string]string{"EXECUTING": "In progress", "VERIFYING": "In progress", "REVIEWING": "Verifying"} {
		files := fixture.Lantern(map[string]string{".planning/STATE.md": gateState(status, "")})
		delete(files, ".ultraplan/state/continue.md") // nothing was broken off
		b := build(t, fixture.Project(t, files))
		if got := string(b.Header.AppendFull(nil)); !strings.Contains(got, "Phase 3 "+want) {
			t.Errorf("%s: %s", status, got)
		}
	}
}

// A phase is planned before it has a directory.
func TestPlanningOfAPhaseWithoutFiles(t *testing.T) {
	state := strings.NewReplacer("Phase: 3 of 4 (Lamp)", "Phase: 4 of 4 (Sea)", "Status: Ready to plan", "Status: Planning").Replace(fixture.RestingState)
	b := build(t, fixture.Project(t, fixture.Lantern(map[string]string{".planning/STATE.md": state, ".planning/ROADMAP.md": "- [ ] **Phase 4: Sea** - x\n- [ ] **Phase 5: Fog** - x\n"})))
	if n := modeltest.Node(t, b, "phase/4"); n.Status != model.Active || n.Raw != "Planning" {
		t.Errorf("%+v", n)
	}
	if n := modeltest.Node(t, b, "phase/5"); n.Status != model.Pending {
		t.Errorf("%+v", n)
	}
}
