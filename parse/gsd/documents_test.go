package gsd

import (
	"errors"
	"slices"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/modeltest"
	"gatehouse/parse/disk/mirror"
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
	p, err := parsePlan(text)
	if err != nil {
		t.Fatal(err)
	}
	if p.wave != 2 || !p.attended || !p.gapClosure || p.superseded || !slices.Equal(p.dependsOn, []string{"03-01"}) || p.objective != "Hang the hook." {
		t.Errorf("plan %+v", p)
	}
	if !slices.Equal(p.setup, []string{"harbour-radio"}) || p.setupLine != lineOf(text, "- service") {
		t.Errorf("setup %q on line %d", p.setup, p.setupLine)
	}
	if len(p.tasks) != 3 {
		t.Fatalf("%d tasks, want 3: %+v", len(p.tasks), p.tasks)
	}
	one, two, three := p.tasks[0], p.tasks[1], p.tasks[2]
	if one.name != "Task 1: Forge it" || one.files != "hook.go, hook_test.go" || one.checkpoint() != "" || one.line != lineOf(text, "tdd=") {
		t.Errorf("first task %+v", one)
	}
	if two.checkpoint() != "human-verify" || two.gate != "blocking" || two.asks != "A hook on a rope" || firstLine(two.how) != "1. Pull." || two.line != lineOf(text, "human-verify") {
		t.Errorf("second task %+v", two)
	}
	if three.checkpoint() != "decision" || three.asks != "Iron or steel?" || three.line != lineOf(text, "  <task\n") {
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
		s, err := parseSummary(text)
		if err != nil || s.halted != want {
			t.Errorf("%q: halted %v, %v; want %v", text, s.halted, err, want)
		}
	}
}

func TestUnclosedFrontmatterIsAFault(t *testing.T) {
	_, err := parseSummary("---\nstatus: hal")
	var fault *mirror.Fault
	if !errors.As(err, &fault) || fault.Minor || fault.Line != 1 {
		t.Errorf("error %v, want a fault that holds the last good state", err)
	}
	_, err = parseSummary("---\nstatus: \"x\ncompleted: y\n---\n")
	if !errors.As(err, &fault) || !fault.Minor {
		t.Errorf("error %v, want a minor fault", err)
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
	v, err := parseVerification(text)
	if err != nil {
		t.Fatal(err)
	}
	if v.status != "human_needed" || v.statusLine != 2 || v.score != "4/5 must-haves verified" || !slices.Equal(v.gaps, []string{"No brake"}) {
		t.Errorf("verification %+v", v)
	}
	want := []humanCheck{{"Open the lock", "Water stays out", "needs eyes", 6}, {"Listen to the crane", "", "", 9}}
	if !slices.Equal(v.human, want) {
		t.Errorf("human checks %+v, want %+v", v.human, want)
	}
}

func TestParseVerificationFromItsBody(t *testing.T) {
	v, _ := parseVerification(`---
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
	if len(v.human) != 2 || v.human[0].test != "Open the lock" || v.human[0].expected != "it opens" || v.human[0].why != "hands" || v.human[1].test != "Listen" {
		t.Errorf("headings: %+v", v.human)
	}
	v, _ = parseVerification("---\nstatus: human_needed\n---\n## Human Verification\n\n- **Look** at it\n1. Hear it\n")
	if len(v.human) != 2 || v.human[0].test != "Look at it" || v.human[1].test != "Hear it" {
		t.Errorf("list: %+v", v.human)
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
	u, err := parseUAT(uatText)
	if err != nil {
		t.Fatal(err)
	}
	if u.status != "testing" || u.awaiting != 2 || len(u.tests) != 5 {
		t.Fatalf("uat %+v", u)
	}
	for i, want := range []struct{ name, result, reason string }{
		{"Boom", "pass", ""}, {"Brake", "pending", ""}, {"Hook", "issue", "it does not"}, {"Rope", "skipped", "no rope"}, {"Winch", "blocked", ""},
	} {
		got := u.tests[i]
		if got.number != i+1 || got.name != want.name || got.result != want.result || got.reason != want.reason {
			t.Errorf("test %d is %+v, want %+v", i+1, got, want)
		}
	}
	if got := u.tests[1].resLine; got != lineOf(uatText, "result: [pending]") {
		t.Errorf("the pending result is on line %d", got)
	}
	if len(u.gaps) != 2 || u.gaps[0].truth != "The hook holds" || u.gaps[0].status != "failed" || u.gaps[0].line != lineOf(uatText, "- truth: \"The hook") {
		t.Errorf("gaps %+v", u.gaps)
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
	s, err := parseState(text)
	if err != nil {
		t.Fatal(err)
	}
	if s.current != "3" || s.currentPlan != "2" || s.stoppedAt != "lunch" || s.percentLine != 12 || s.progress["percent"] != 40 {
		t.Errorf("state %+v", s)
	}
	if !s.updated.Equal(time.Date(2026, 2, 3, 4, 5, 6, 789e6, time.UTC)) {
		t.Errorf("updated %v", s.updated)
	}
	want := []stateBlocker{{"no rope", "3", lineOf(text, "no rope"), false}, {"the weather", "", lineOf(text, "the weather"), true}}
	if !slices.Equal(s.blockers, want) {
		t.Errorf("blockers %+v, want %+v", s.blockers, want)
	}
	if _, _, paused := s.paused(); paused {
		t.Error("paused_at: null is a pause")
	}
	s, _ = parseState("\uFEFF---\nstatus: x\npaused_at: at the bridge\n---\n")
	if reason, at, ok := s.paused(); !ok || reason != "at the bridge" || at != 3 {
		t.Errorf("paused %q on line %d, %v", reason, at, ok)
	}
	if s.raw.Status != "" || s.line.Status != "x" {
		t.Errorf("a byte order mark: the prompt reads status %q, want none; the dashboard %q, want x", s.raw.Status, s.line.Status)
	}
}

func TestParseSideFiles(t *testing.T) {
	w, err := parseWaiting(`{"status":"waiting","type":"decision","question":"Iron?","options":["yes",{"label":"no"}],"since":"2026-02-03T04:05:06Z","phase":3}`)
	if err != nil || w.question != "Iron?" || !slices.Equal(w.options, []string{"yes", "no"}) || w.phase != "3" || w.since.IsZero() {
		t.Errorf("waiting %+v, %v", w, err)
	}
	if w, err := parseWaiting(`{"status":"answered"}`); w != nil || err != nil {
		t.Errorf("an answered question waits: %+v, %v", w, err)
	}
	var fault *mirror.Fault
	if _, err := parseWaiting("{\"status\": \"wai\n"); !errors.As(err, &fault) || fault.Line == 0 {
		t.Errorf("half a file: %v, want the place", err)
	}
	h, err := parseHandoff(`{"status":"paused","phase":"3","blockers":[{"description":"no key","type":"external"},"rain"],"human_actions_pending":[{"action":"buy rope","context":"shop","blocking":true}]}`)
	if err != nil || len(h.blockers) != 2 || h.blockers[0].kind != "external" || len(h.actions) != 1 || !h.actions[0].blocking {
		t.Errorf("hand-over %+v, %v", h, err)
	}
	if c, _ := parseConfig(`{"workflow":{"verifier":false}}`); c.verifier {
		t.Error("workflow.verifier: false is not read")
	}
	if c, _ := parseConfig("{"); !c.verifier {
		t.Error("a broken config.json turns the verifier off")
	}
	d, _ := parseTodo("# Old heading\n\ntitle: Oil it\narea: crane\ncreated: 2026-01-02\n")
	if d.title != "Oil it" || d.area != "crane" || d.created.IsZero() {
		t.Errorf("todo %+v", d)
	}
}

// Todos are notes for later: that some are done is no work under way.
func TestTodosDoNotRun(t *testing.T) {
	b := readOne(t, tree(t, map[string]string{"STATE.md": "---\nstatus: executing\n---\n", "todos/pending/oil-it.md": "# Oil it\n", "todos/done/paint-it.md": "# Paint it\n"}))
	if todos := modeltest.Node(t, b, "group/todos"); todos.Status != model.Pending || todos.Count != (model.Count{Done: 1, Total: 2}) {
		t.Errorf("%s, %v", todos.Status, todos.Count)
	}
}

// TestAnEmptyTodoIsNoProblem: its name says what it is.
func TestAnEmptyTodoIsNoProblem(t *testing.T) {
	dir := tree(t, map[string]string{"STATE.md": "---\ngsd_state_version: 1.0\nstatus: executing\n---\n", "todos/done/oil-it.md": "", "todos/pending/paint-it.md": ""})
	if problems := readers(t, dir)[0].Check(now); len(problems) > 0 {
		t.Errorf("problems: %v", problems)
	}
	if n := modeltest.Node(t, readOne(t, dir), "todo/paint-it.md"); n.Title != "paint-it" {
		t.Errorf("%+v", n)
	}
}
