package core

import (
	"slices"
	"testing"
)

func TestParsePlan(t *testing.T) {
	const text = `---
phase: 03-crane
plan: 02
type: execute
wave: 2
depends_on: [03-01]
autonomous: false
gap_closure: true
user_setup:
  - service: harbour-radio
    why: "to call ships"
must_haves: {broken: [yaml: here: too
---

<objective>
Hang the hook.

More of it.
</objective>

` + "```\n<task type=\"auto\">\n<name>an example</name>\n</task>\n```\n" + `
<tasks>

<task type="auto" tdd="true">
  <name>Task 1: Forge it</name>
  <files>hook.go, hook_test.go</files>
  <action>
` + "```go\nfunc unclosed fence\n" + `
  </action>
</task>

<task type="checkpoint:human-verify" gate="blocking">
  <name>Task 2: Look at it</name>
  <what-built>
  A hook on a rope
  </what-built>
  <how-to-verify>
  1. Pull.
  2. It holds.
  </how-to-verify>
</task>

  <task
    type='checkpoint:decision'>
  <decision>Iron or steel?</decision>
</tasks>
`
	p, err := ParsePlan(text, true)
	if err != nil {
		t.Fatal(err)
	}
	if p.Wave != 2 || !p.IsAttended || !p.ClosesGaps || p.IsSuperseded || !slices.Equal(p.DependsOn, []string{"03-01"}) || p.Objective != "Hang the hook." {
		t.Errorf("plan %+v", p)
	}
	if !slices.Equal(p.Setup, []string{"harbour-radio"}) || p.SetupLine != lineOf(text, "- service") {
		t.Errorf("setup %q on line %d", p.Setup, p.SetupLine)
	}
	if len(p.Tasks) != 3 {
		t.Fatalf("%d tasks, want 3: %+v", len(p.Tasks), p.Tasks)
	}
	one, two, three := p.Tasks[0], p.Tasks[1], p.Tasks[2]
	if one.Name != "Task 1: Forge it" || one.Files != "hook.go, hook_test.go" || one.Checkpoint != "" || one.Line != lineOf(text, "tdd=") {
		t.Errorf("first task %+v", one)
	}
	if two.Checkpoint != "human-verify" || two.Gate != "blocking" || two.Asks != "A hook on a rope" || firstLine(two.HowTo) != "1. Pull." || two.Line != lineOf(text, "human-verify") {
		t.Errorf("second task %+v", two)
	}
	if three.Checkpoint != "decision" || three.Asks != "Iron or steel?" || three.Line != lineOf(text, "  <task\n") {
		t.Errorf("third task %+v", three)
	}
}

func TestParseSummaryHalted(t *testing.T) {
	for text, want := range map[string]bool{
		"---\nstatus: halted\n---\n":                      true,
		"---\nstatus: Halted # by design\n---\n":          true,
		"\uFEFF---\r\nstatus: \"halted\"\r\n---\r\nx\r\n": true,
		"---\nstatus: complete\n---\n":                    false,
		"status: halted\n":                                false,
		"# Summary\nstatus: halted\n":                     false,
	} {
		s, err := ParseSummary(text, nil)
		if err != nil || s.IsHalted != want {
			t.Errorf("%q: halted %v, %v; want %v", text, s.IsHalted, err, want)
		}
	}
}

func TestUnclosedFrontmatterIsAnError(t *testing.T) {
	_, err := ParseSummary("---\nstatus: hal", nil)
	if e, ok := err.(*ParseError); !ok || e.Minor || e.Line != 1 {
		t.Errorf("error %v, want one that holds the last good state", err)
	}
	_, err = ParseSummary("---\nstatus: \"x\ncompleted: y\n---\n", nil)
	if e, ok := err.(*ParseError); !ok || !e.Minor {
		t.Errorf("error %v, want a minor error", err)
	}
}

func TestParseVerification(t *testing.T) {
	const text = `---
status: human_needed
score: 4/5 must-haves verified
verified: 2026-02-03T04:05:06Z
human_verification:
  - test: "Open the lock"
    expected: "Water stays out"
    why_human: "needs eyes"
  - Listen to the crane
gaps:
  - truth: "No brake"
    status: failed
---
`
	v, err := ParseVerification(text)
	if err != nil {
		t.Fatal(err)
	}
	if v.Status != "human_needed" || v.StatusLine != 2 || v.Score != "4/5 must-haves verified" || !slices.Equal(v.Gaps, []string{"No brake"}) {
		t.Errorf("verification %+v", v)
	}
	want := []HumanCheck{{"Open the lock", "Water stays out", "needs eyes", 6}, {"Listen to the crane", "", "", 9}}
	if !slices.Equal(v.Human, want) {
		t.Errorf("human checks %+v, want %+v", v.Human, want)
	}
}

func TestParseResult(t *testing.T) {
	for value, want := range map[string]string{
		"pass": ResultPass, "[pass]": ResultPass, "PASSED 2026-08-21 (by hand)": ResultPass, "pass — found an issue, fixed it": ResultPass, "pass # but": ResultPass,
		"✅ pass, no errors": ResultPass, "pass (nothing open)": ResultPass, "issue, but small": ResultIssue, "[pending]": ResultPending, "blocked: no device": ResultBlocked,
		"passed on iOS, pending on Android": "passed on ios, pending on android", "pass? needs second look": "pass? needs second look",
		"pass — but slow": "pass — but slow", "pass (still open: the log)": "pass (still open: the log)", "pass with a crash": "pass with a crash",
		"passed, fails on the tablet": "passed, fails on the tablet",
	} {
		if got := ParseResult(value); got != want {
			t.Errorf("%q is %q, want %q", value, got, want)
		}
	}
}

func TestParseVerificationFromItsBody(t *testing.T) {
	v, _ := ParseVerification(`---
status: human_needed
---
# Phase 3

### Human Verification Required

#### 1. Open the lock
**Test:** push the gate
**Expected:** it opens
**Why human:** hands

#### 2. Listen

### Gaps
- not this
`)
	if len(v.Human) != 2 || v.Human[0].Test != "Open the lock" || v.Human[0].Expected != "it opens" || v.Human[0].Why != "hands" || v.Human[1].Test != "Listen" {
		t.Errorf("headings: %+v", v.Human)
	}
	v, _ = ParseVerification("---\nstatus: human_needed\n---\n## Human Verification\n\n- **Look** at it\n1. Hear it\n")
	if len(v.Human) != 2 || v.Human[0].Test != "Look at it" || v.Human[1].Test != "Hear it" {
		t.Errorf("list: %+v", v.Human)
	}
}

func TestParseState(t *testing.T) {
	const text = `---
gsd_state_version: '1.0'
milestone: v1.1
status: executing
current_phase: "3"
current_plan: "2"
last_updated: "2026-02-03T04:05:06.789Z"
paused_at: null
progress:
  total_phases: 5
  completed_phases: 2
  percent: 40
---

Phase: 3 of 5 (Crane)
Stopped at: lunch

## Blockers

- [Phase 3]: no rope
- None
- ~~old~~
- [x] solved

### Blockers/Concerns

- the weather
`
	s, err := ParseState(text)
	if err != nil {
		t.Fatal(err)
	}
	if s.Phase != "3" || s.Plan != "2" || s.StoppedAt.Text != "lunch" || s.PercentLine != 12 || s.Progress["percent"] != 40 {
		t.Errorf("state %+v", s)
	}
	want := []StateBlocker{{"no rope", "3", lineOf(text, "no rope"), false}, {"the weather", "", lineOf(text, "the weather"), true}}
	if !slices.Equal(s.Blockers, want) {
		t.Errorf("blockers %+v, want %+v", s.Blockers, want)
	}
	if _, paused := s.IsPaused(); paused {
		t.Error("paused_at: null is a pause")
	}
	s, _ = ParseState("\uFEFF---\nstatus: x\npaused_at: at the bridge\n---\n")
	if reason, ok := s.IsPaused(); !ok || reason != (Statement{"at the bridge", 3}) {
		t.Errorf("paused %+v, %v", reason, ok)
	}
	if s.Raw.Status != "" || s.Line.Status != "x" {
		t.Errorf("a byte order mark: the prompt reads status %q, want none; the dashboard %q, want x", s.Raw.Status, s.Line.Status)
	}
}

func TestParseSideFiles(t *testing.T) {
	w, err := ParseSignal(`{"status":"waiting","type":"decision","question":"Iron?","options":["yes",{"label":"no"}],"since":"2026-02-03T04:05:06Z","phase":3}`)
	if err != nil || w.Question != "Iron?" || !slices.Equal(w.Options, []string{"yes", "no"}) || w.Phase != "3" || w.Since == "" {
		t.Errorf("waiting %+v, %v", w, err)
	}
	_, err = ParseSignal("{\"status\": \"wai\n")
	if e, ok := err.(*ParseError); !ok || e.Line == 0 {
		t.Errorf("half a file: %v, want the place", err)
	}
	h, err := ParseHandOff(`{"status":"paused","phase":"3","blockers":[{"description":"no key","type":"external"},"rain"],"human_actions_pending":[{"action":"buy rope","context":"shop","blocking":true}]}`)
	if err != nil || len(h.Blockers) != 2 || h.Blockers[0].Kind != "external" || len(h.Actions) != 1 || !h.Actions[0].IsBlocking {
		t.Errorf("hand-over %+v, %v", h, err)
	}
	if c, _ := ParseConfig(`{"workflow":{"verifier":false}}`); c.Verifies {
		t.Error("workflow.verifier: false is not read")
	}
	if c, _ := ParseConfig("{"); !c.Verifies {
		t.Error("a broken config.json turns the verifier off")
	}
	d, _ := ParseTodo("# Old heading\n\ntitle: Oil it\narea: crane\ncreated: 2026-01-02\n")
	if d.Title != "Oil it" || d.Area != "crane" || d.Created == "" {
		t.Errorf("todo %+v", d)
	}
}

func TestSessionToken(t *testing.T) {
	long := make([]byte, 300)
	for i := range long {
		long[i] = 'x'
	}
	for value, want := range map[string]string{
		"": "", "%3": "3", " a  b ": "a_b", "__a__": "a", "a/é/b": "a_b", "A.b-c_d": "A.b-c_d", "___": "", string(long): string(long[:160]), "a_ b": "a__b",
	} {
		if got := sessionToken(value); got != want {
			t.Errorf("sessionToken(%q) = %q, want %q", value, got, want)
		}
	}
}

func TestAwaitsHuman(t *testing.T) {
	for said, want := range map[string]bool{
		"needs human sign-off": true, "human sign-off pending": true, "awaits sign-off by user": true, "checkpoint:human-verify reached": true, "user must verify": true,
		"human verification required": true, "waiting on you": true, "pending human UI check": true, "human-action checkpoint: set DNS": true, "paused at checkpoint": true,
		"at checkpoint (human-verify)": true, "returned checkpoint to user": true, "awaiting-human": true, "needs your eyes": true, "user sign-off outstanding": true,
		"Stopped at blocking checkpoint in 04-01; user must look at the page": true, "Task 1 complete; Task 2 needs human sign-off": true, "CHECKPOINT: 04-01 Task 2 — human action required": true,
		"Task 2 awaits your review": true, "CHECKPOINT (Task 3, approval pending)": true, "pending-human-verify": true, "UAT of Phase 4 deferred to user": true,
		"Task 2 checkpoint no longer pending": false, "Task 2 checkpoint approved": false, "checkpoint cleared": false, "human verified Task 2": false, "checkpoint reached and approved": false,
		"Task 1 done, next Task 2 (checkpoint)": false, "will pause at Task 2 checkpoint": false, "no human verification needed": false, "human sign-off received": false,
		"sign-off not required": false, "checkpoint passed": false, "human-verify checkpoint skipped": false, "awaiting CI": false, "04-01 has a human-verify checkpoint at Task 2": false,
		"Phase 5 needs user model": false, "user must be able to log in": false, "depending on user input": false, "checkpoint not reached": false, "3 plans pending": false,
		"QA pending": true, "ready for user acceptance testing": true, "blocked on three choices": true, "2 pending user stories": false, "approval obtained": false,
		"awaiting approval was resolved": false, "~~awaiting user decision~~": false, "~~decided~~, awaiting user review": true,
		"human-verify checkpoint: approved": false, "Awaiting next milestone": false, "": false,
	} {
		if got := AwaitsHuman("04-01 Task 2 " + said); got != want {
			t.Errorf("%q: %v", said, got)
		}
	}
}
