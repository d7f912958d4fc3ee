package rules

import (
	"slices"
	"testing"
)

// The arrows of the protocol, written down a second time, and nothing else is allowed.
var documented = map[string]struct {
	step   func(from, to string) Code
	words  []string
	arrows [][2]string
}{
	"loop": {LoopStep, []string{"active", "paused", "complete", "failed"}, [][2]string{
		{"active", "paused"}, {"active", "complete"}, {"active", "failed"}, {"paused", "active"},
	}},
	"gate": {GateStep, []string{"pending", "passed", "skipped", "failed"}, [][2]string{
		{"pending", "passed"}, {"pending", "skipped"}, {"pending", "failed"}, {"failed", "pending"}, {"failed", "skipped"},
	}},
	"phase": {PhaseStep, []string{"pending", "active", "complete", "skipped"}, [][2]string{
		{"pending", "active"}, {"active", "complete"}, {"pending", "skipped"}, {"active", "pending"},
	}},
}

// others are words that no table knows: a dialect's, another spelling, none.
var others = []string{"", "approved", "completed", "in_progress", "Active", "pending ", "blocked"}

func TestStepsAreTheDocuments(t *testing.T) {
	for name, m := range documented {
		for _, from := range append(slices.Clone(m.words), others...) {
			for _, to := range append(slices.Clone(m.words), others...) {
				want := Forbidden
				switch {
				case !slices.Contains(m.words, from) || !slices.Contains(m.words, to):
					want = UnknownStatus
				case from == to:
					want = SameStatus
				case slices.Contains(m.arrows, [2]string{from, to}):
					want = OK
				}
				if got := m.step(from, to); got != want {
					t.Errorf("%s %q to %q: %q, want %q", name, from, to, got, want)
				}
			}
		}
	}
}

// loop returns an active loop of phases A, B and C with a required gate behind each.
func loop(statuses [3]string, gates [3]string) *Loop {
	l := &Loop{Status: Active, Placed: true}
	for i, name := range []string{"A", "B", "C"} {
		l.Phases = append(l.Phases, Phase{Name: name, Status: statuses[i], Required: true})
		l.Gates = append(l.Gates, Gate{ID: name + "-gate", Status: gates[i], Required: true, After: i})
	}
	return l
}

// TestGateActionWritesWhatTheTableAllows asks for every action on a gate of every status in a loop of every status.
func TestGateActionWritesWhatTheTableAllows(t *testing.T) {
	text := "more than ten characters"
	to := map[string]string{Approve: Passed, Skip: Skipped, Retry: Pending, Changes: Pending}
	for _, status := range append(slices.Clone(documented["loop"].words), others...) {
		for _, gate := range append(slices.Clone(documented["gate"].words), others...) {
			for verb, becomes := range to {
				l := loop([3]string{Complete, Pending, Pending}, [3]string{gate, Pending, Pending})
				l.Status = status
				want := GateStep(gate, becomes)
				switch {
				case status != Active:
					want = LoopNotActive
				case verb == Changes && slices.Contains(documented["gate"].words, gate):
					if want = NotPending; gate == Pending {
						want = OK
					}
				}
				writes, _, got := l.GateAction(GateAction{Gate: "A-gate", Verb: verb, Text: text, Now: "now"})
				if got != want {
					t.Errorf("%s a gate that is %q in a loop that is %q: %q, want %q", verb, gate, status, got, want)
				}
				if (got == OK) != (len(writes) > 0) {
					t.Errorf("%s a gate that is %q: refused %q, and writes %v", verb, gate, got, writes)
				}
				for _, w := range writes {
					if w.Path[0] != "last_updated" && (len(w.Path) != 3 || w.Path[1] != "A-gate") {
						t.Errorf("%s writes %v", verb, w)
					}
				}
			}
		}
	}
}

func TestGateActionChecksInOrder(t *testing.T) {
	l := loop([3]string{Complete, Pending, Pending}, [3]string{Pending, Failed, "odd"})
	for _, c := range []struct {
		a    GateAction
		want Code
	}{
		{GateAction{Gate: "none", Verb: Skip}, NoGate},
		{GateAction{Gate: "C-gate", Verb: Skip}, UnknownStatus},
		{GateAction{Gate: "B-gate", Verb: Approve, Missing: []string{"x.md"}}, Forbidden},
		{GateAction{Gate: "A-gate", Verb: Skip, Text: " \n\t "}, ReasonRequired},
		{GateAction{Gate: "A-gate", Verb: Skip, Text: "  äöüäöüäöüä  "}, ReasonTooShort},
		{GateAction{Gate: "A-gate", Verb: Skip, Text: "äöüäöüäöüäö"}, OK},
		{GateAction{Gate: "B-gate", Verb: Changes}, NotPending},
		{GateAction{Gate: "A-gate", Verb: Changes}, FeedbackRequired},
		{GateAction{Gate: "A-gate", Verb: "open"}, Forbidden},
	} {
		if _, _, got := l.GateAction(c.a); got != c.want {
			t.Errorf("%+v: %q, want %q", c.a, got, c.want)
		}
	}
	writes, _, got := l.GateAction(GateAction{Gate: "A-gate", Verb: Approve, Missing: []string{"x.md"}, Now: "now"})
	if got != DeliverablesMissing || len(writes) != 2 || writes[0].Value != Failed {
		t.Errorf("with a deliverable missing: %q, %v", got, writes)
	}
}

func TestPhaseActionAsksForWhatIsBefore(t *testing.T) {
	for _, c := range []struct {
		name      string
		l         *Loop
		phase, to string
		want      Code
	}{
		{"the phase before is open", loop([3]string{Active, Pending, Pending}, [3]string{Passed}), "B", Active, PrevPhaseIncomplete},
		{"the gate before is pending", loop([3]string{Complete, Pending, Pending}, [3]string{Pending}), "B", Active, GateBlocking},
		{"the gate before has failed", loop([3]string{Skipped, Pending, Pending}, [3]string{Failed}), "B", Active, GateBlocking},
		{"the gate before was skipped", loop([3]string{Complete, Pending, Pending}, [3]string{Skipped}), "B", Active, OK},
		{"another is active", loop([3]string{Complete, Pending, Active}, [3]string{Passed}), "B", Active, OtherPhaseActive},
		{"the first", loop([3]string{Pending, Pending, Pending}, [3]string{Pending}), "A", Active, OK},
		{"it is required", loop([3]string{Pending, Pending, Pending}, [3]string{}), "A", Skipped, PhaseRequired},
		{"there is none", loop([3]string{}, [3]string{}), "D", Active, NoPhase},
	} {
		if got := c.l.PhaseAction(c.phase, c.to); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	paused := loop([3]string{Pending, Pending, Pending}, [3]string{})
	paused.Status = Paused
	if got := paused.PhaseAction("A", Active); got != LoopNotActive {
		t.Errorf("in a paused loop: %q", got)
	}
}

func TestResume(t *testing.T) {
	for _, c := range []struct {
		name    string
		l       *Loop
		want    Resume
		status  string
		flat    bool
		current string
	}{
		{"begins", loop([3]string{Pending, Pending, Pending}, [3]string{Pending, Pending, Pending}), Resume{ContinuePhase, 0, -1, OK, false}, Active, false, "A"},
		{"at a gate", loop([3]string{Complete, Pending, Pending}, [3]string{Pending, Pending, Pending}), Resume{GatePrompt, 1, 0, OK, true}, Active, false, "A"},
		{"paused at a gate", loop([3]string{Complete, Pending, Pending}, [3]string{Pending, Pending, Pending}), Resume{GatePrompt, 1, 0, OK, false}, Paused, false, "B"},
		{"nobody knows where gates are", loop([3]string{Complete, Pending, Pending}, [3]string{Pending, Pending, Pending}), Resume{ContinuePhase, 1, -1, OK, false}, Active, true, "B"},
		{"in a dialect", loop([3]string{"completed", "in_progress", ""}, [3]string{Passed, "", ""}), Resume{ContinuePhase, 1, -1, OK, false}, Active, false, "B"},
		{"approved is not passed", loop([3]string{Complete, "", ""}, [3]string{"approved", "", ""}), Resume{GatePrompt, 1, 0, OK, false}, Active, false, "B"},
		{"rejected in a dialect", loop([3]string{"completed", "", ""}, [3]string{"rejected", "", ""}), Resume{GatePrompt, 1, 0, OK, false}, Active, false, "B"},
		{"the last gate", loop([3]string{Complete, Complete, Skipped}, [3]string{Passed, Passed, Pending}), Resume{GatePrompt, -1, 2, OK, false}, Active, false, "C"},
		{"nothing left", loop([3]string{Complete, Complete, Skipped}, [3]string{Passed, Passed, Skipped}), Resume{OfferComplete, -1, -1, OK, false}, Active, false, "C"},
		{"complete", loop([3]string{Complete, Active, Pending}, [3]string{}), Resume{AskRestart, -1, -1, OK, false}, Complete, false, ""},
		{"failed, by the file's phase", loop([3]string{Complete, Pending, Pending}, [3]string{}), Resume{AskRetryFailedPhase, 2, -1, OK, false}, Failed, false, "C"},
		{"of another word", loop([3]string{}, [3]string{}), Resume{ResumeError, -1, -1, UnknownStatus, false}, "running", false, ""},
		{"without phases", &Loop{Placed: true}, Resume{ResumeError, -1, -1, NoPhase, false}, Active, false, ""},
	} {
		c.l.Status, c.l.Placed, c.l.Phase = c.status, !c.flat, c.current
		if got := c.l.Resume(); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestOlderGates(t *testing.T) {
	l := loop([3]string{Complete, Complete, Active}, [3]string{Failed, Pending, Pending})
	if got := l.Waits().Past; !slices.Equal(got, []int{0}) {
		t.Errorf("older are %v, want the first alone: the second is the one that is asked for", got)
	}
	l.Gates[0].Required = false
	l.Gates[0].Status = Pending
	if got := l.Waits().Past; len(got) != 0 {
		t.Errorf("older are %v; one that is not required holds nobody up", got)
	}
}

// TestGatesWithoutPlace holds that a gate waits of which nobody knows where it stands, as soon as it could be its turn.
func TestGatesWithoutPlace(t *testing.T) {
	l := loop([3]string{Pending, Pending, Pending}, [3]string{Pending, Passed, Passed})
	l.Gates[0].After = -1
	for _, c := range []struct {
		name   string
		phases [3]string
		gate   string
		want   Resume
	}{
		{"nothing is over", [3]string{Active, Pending, Pending}, Pending, Resume{ContinuePhase, 0, -1, OK, false}},
		{"between", [3]string{Complete, Pending, Pending}, Pending, Resume{GatePrompt, 1, 0, OK, false}},
		{"within", [3]string{Complete, Active, Pending}, "asked", Resume{GatePrompt, 1, 0, OK, false}},
		{"all over", [3]string{Complete, Complete, Complete}, Failed, Resume{GatePrompt, -1, 0, OK, false}},
		{"a word that nobody knows", [3]string{Complete, "resting", Complete}, Pending, Resume{ResumeError, 1, -1, UnknownStatus, false}},
		{"behind a word that nobody knows", [3]string{"done", Active, Pending}, Pending, Resume{GatePrompt, 1, 0, OK, false}},
		{"passed", [3]string{Complete, Active, Pending}, Passed, Resume{ContinuePhase, 1, -1, OK, false}},
	} {
		for i := range l.Phases {
			l.Phases[i].Status = c.phases[i]
		}
		l.Gates[0].Status = c.gate
		if got := l.Resume(); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	l = loop([3]string{Complete, Pending, Pending}, [3]string{Pending, Pending, Pending})
	l.Gates[1].After, l.Gates[2].After = -1, -1
	if r := l.Resume(); r.Gate != 0 || !slices.Equal(l.Waits().Past, []int{1, 2}) {
		t.Errorf("besides the gate before the phase: %+v, %v", r, l.Waits().Past)
	}
	l.Phases[0].Status, l.Gates[0].After = "done", -1
	if r := l.Resume(); r.Gate != 0 || !slices.Equal(l.Waits().Past, []int{1, 2}) {
		t.Errorf("behind a word that nobody knows: %+v, %v", r, l.Waits().Past)
	}
	l.Phases[0].Status, l.Gates[0].After = Complete, 0
	if code := l.PhaseAction("B", Active); code != GateBlocking {
		t.Errorf("the next phase begins: %q", code)
	}
	l.Placed = false
	if r := l.Resume(); r.Gate >= 0 || len(l.Waits().Past) > 0 {
		t.Errorf("without a definition: %+v, %v", r, l.Waits().Past)
	}
}

// TestUnknownWordsOpenNothing holds that a word nobody knows never counts as done, passed or out of the way.
func TestUnknownWordsOpenNothing(t *testing.T) {
	loop := func(phase, gate string) *Loop {
		return &Loop{Status: Active, Placed: true,
			Phases: []Phase{{Name: "A", Status: Complete, Required: true}, {Name: "B", Status: phase, Required: true}},
			Gates:  []Gate{{ID: "a-gate", Status: gate, Required: true, After: 0}}}
	}
	if r := loop("resting", Passed).Resume(); r.Action != ResumeError || r.Code != UnknownStatus || r.Phase != 1 {
		t.Errorf("a phase of an unknown word: %+v", r)
	}
	if r := loop(Pending, "asked").Resume(); r.Action != GatePrompt || r.Gate != 0 {
		t.Errorf("a required gate of an unknown word: %+v", r)
	}
	l := loop(Pending, "asked")
	l.Gates[0].Required = false
	if r := l.Resume(); r.Action != ContinuePhase {
		t.Errorf("an optional gate of an unknown word: %+v", r)
	}
	if code := loop(Pending, "asked").PhaseAction("B", Active); code != GateBlocking {
		t.Errorf("behind a required gate of an unknown word: %q", code)
	}
}
