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

const uatText = `---
status: testing
phase: 03-crane
started: 2026-02-01T10:00:00Z
updated: 2026-02-02T10:00:00Z
---

## Current Test

number: 2
name: Brake
expected: |
  It stops
awaiting: user response

## Tests

### 1. Boom
expected: It swings
result: pass

### 2. Brake
expected: It stops
result: [pending]

### 3. Hook
expected: It holds
result: issue
reported: "it does not"
severity: major

### 4. Rope
result: skipped
reason: no rope

### 5. Winch
result: [blocked]
blocked_by: 03-04

## Summary

total: 5

## Gaps

- truth: "The hook holds"
  status: failed
  severity: major
- truth: "The boom is red"
  status: resolved
`

func TestParseUAT(t *testing.T) {
	u, err := ParseUAT(uatText)
	if err != nil {
		t.Fatal(err)
	}
	if u.Status != "testing" || u.Awaiting != 2 || len(u.Tests) != 5 {
		t.Fatalf("uat %+v", u)
	}
	for i, want := range []struct{ name, result, reason string }{
		{"Boom", "pass", ""}, {"Brake", "pending", ""}, {"Hook", "issue", "it does not"}, {"Rope", "skipped", "no rope"}, {"Winch", "blocked", ""},
	} {
		got := u.Tests[i]
		if got.Number != i+1 || got.Name != want.name || got.Result != want.result || got.Reason != want.reason {
			t.Errorf("test %d is %+v, want %+v", i+1, got, want)
		}
	}
	if got := u.Tests[1].ResultLine(); got != lineOf(uatText, "result: [pending]") {
		t.Errorf("the pending result is on line %d", got)
	}
	if len(u.Gaps) != 2 || u.Gaps[0].Truth != "The hook holds" || u.Gaps[0].Status != "failed" || u.Gaps[0].Line != lineOf(uatText, "- truth: \"The hook") {
		t.Errorf("gaps %+v", u.Gaps)
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
