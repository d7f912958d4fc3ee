package gsd

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/model/modeltest"
	"gatehouse/parse/disk/mirror"
)

// tree writes a .planning directory and returns the project's directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(dir, Planning, name), text)
	}
	return dir
}

const passed = "---\nstatus: passed\n---\n"

func TestHaltedPlanBlocksWhatDependsOnIt(t *testing.T) {
	b := readOne(t, tree(t, map[string]string{
		"phases/03-crane/03-01-PLAN.md":    "---\nwave: 1\n---\n",
		"phases/03-crane/03-01-SUMMARY.md": "---\nstatus: halted # by design\n---\n",
		"phases/03-crane/03-02-PLAN.md":    "---\nwave: 2\ndepends_on: [03-01]\n---\n",
		"phases/03-crane/03-03-PLAN.md":    "---\nwave: 3\ndepends_on: [\"02\"]\n---\n",
		"phases/03-crane/03-04-PLAN.md":    "---\nstatus: SUPERSEDED\n---\n",
		"phases/04-lock/04-01-PLAN.md":     "---\ndepends_on: [03-03, 03-04]\n---\n",
		"phases/04-lock/04-02-PLAN.md":     "---\n---\n\n",
	}))
	for id, want := range map[string]struct {
		status model.Status
		raw    string
	}{
		"plan/03/03-01-PLAN.md": {model.Blocked, "halted"},
		"plan/03/03-02-PLAN.md": {model.Blocked, "blocked"},
		"plan/03/03-03-PLAN.md": {model.Blocked, "blocked"},
		"plan/03/03-04-PLAN.md": {model.Skipped, "superseded"},
		"plan/04/04-01-PLAN.md": {model.Blocked, "blocked"},
		"plan/04/04-02-PLAN.md": {model.Pending, ""},
		"phase/03":              {model.Blocked, "In Progress"},
	} {
		if n := modeltest.Node(t, b, id); n.Status != want.status || n.Raw != want.raw {
			t.Errorf("%s is %s %q, want %s %q", id, n.Status, n.Raw, want.status, want.raw)
		}
	}
	if got := modeltest.Node(t, b, "plan/03/03-03-PLAN.md").BlockedBy; !slices.Equal(got, []string{"plan/03/03-01-PLAN.md"}) {
		t.Errorf("03-03 is blocked by %q, want the plan that was halted", got)
	}
	if got := modeltest.Node(t, b, "phase/03").Count; got != (model.Count{Done: 1, Total: 3}) {
		t.Errorf("phase 3 counts %+v; a superseded plan does not count, a halted one does", got)
	}
	if len(b.Blocking()) != 1 || b.Blocking()[0].Node != "plan/03/03-01-PLAN.md" {
		t.Errorf("blockers %+v", b.Blockers)
	}
}

func TestDependsOnItselfEndsSomewhere(t *testing.T) {
	dir := tree(t, map[string]string{
		"phases/01-a/01-01-PLAN.md": "---\ndepends_on: [01-02]\n---\n",
		"phases/01-a/01-02-PLAN.md": "---\ndepends_on: [01-01, 01-02, 09-09]\n---\n",
	})
	b := readOne(t, dir)
	if n := modeltest.Node(t, b, "plan/01/01-01-PLAN.md"); n.Status != model.Pending {
		t.Errorf("a plan in a circle is %s, want pending", n.Status)
	}
	var rules []string
	for _, p := range Readers(mirror.New(dir))[0].Check(now) {
		rules = append(rules, p.Rule)
	}
	for _, want := range []string{"gsd-cycle", "gsd-depends-on", "gsd-state-missing"} {
		if !slices.Contains(rules, want) {
			t.Errorf("check does not report %s: %q", want, rules)
		}
	}
}

func TestStaleVerification(t *testing.T) {
	dir := tree(t, map[string]string{
		"phases/01-a/01-01-PLAN.md": "x", "phases/01-a/01-01-SUMMARY.md": "x", "phases/01-a/01-VERIFICATION.md": passed,
	})
	if n := modeltest.Node(t, readOne(t, dir), "phase/01"); n.Status != model.Done || n.Raw != "Complete" {
		t.Fatalf("written at one time: %s %q, want done", n.Status, n.Raw)
	}
	later := time.Now().Add(5 * time.Minute)
	if err := os.Chtimes(filepath.Join(dir, Planning, "phases/01-a/01-01-SUMMARY.md"), later, later); err != nil {
		t.Fatal(err)
	}
	n := modeltest.Node(t, readOne(t, dir), "phase/01")
	if n.Status != model.Executed || !strings.Contains(n.Why, "older than 01-01-SUMMARY.md") {
		t.Errorf("a summary written after the verification: %s, %q", n.Status, n.Why)
	}
}

func TestVerifierOffMakesExecutedDone(t *testing.T) {
	b := readOne(t, tree(t, map[string]string{
		"config.json": `{"workflow":{"verifier":false}}`, "phases/01-a/01-01-PLAN.md": "x", "phases/01-a/01-01-SUMMARY.md": "x",
	}))
	if n := modeltest.Node(t, b, "phase/01"); n.Status != model.Done || n.Raw != "Executed" {
		t.Errorf("%s %q, want done with GSD's word kept", n.Status, n.Raw)
	}
}

// TestNamesThatCannotBeSeen holds that what is called by characters that show as nothing still says what it is.
func TestNamesThatCannotBeSeen(t *testing.T) {
	b := readOne(t, tree(t, map[string]string{
		"phases/01-a/01-01-PLAN.md":      "---\nuser_setup: [\"\\u200b\"]\n---\n<task type=\"checkpoint:\u200b\">\n<name>x</name>\n</task>",
		"phases/02-b/02-01-PLAN.md":      "x",
		"phases/02-b/02-01-SUMMARY.md":   "x",
		"phases/02-b/02-VERIFICATION.md": "---\nstatus: human_needed\nhuman_verification:\n- test: \"\\u200b\"\n  name: \"\\u200e\"\n---\n## Human Verification\n### 1. \u200b\n- \u200d\n",
	}))
	if n := modeltest.Node(t, b, "gate/02/02-VERIFICATION.md"); n.Title != "verify by hand (02-VERIFICATION.md does not say what)" {
		t.Errorf("a verification is %q", n.Title)
	}
	for _, text := range texts(b) {
		if text != line.Tidy(text) {
			t.Errorf("shown: %q", text)
		}
	}
}

func TestWhatWaitsBestEvidenceFirst(t *testing.T) {
	b := readOne(t, tree(t, map[string]string{
		"WAITING.json":                       `{"status":"waiting","question":"Iron or steel?","options":["iron","steel"],"since":"2026-02-20T10:00:00Z","phase":"3"}`,
		"HANDOFF.json":                       `{"status":"paused","timestamp":"2026-02-19T10:00:00Z","context_notes":"lunch","human_actions_pending":[{"action":"buy rope","blocking":true}],"blockers":[{"description":"no key","type":"external"}]}`,
		"phases/01-a/01-01-PLAN.md":          "x",
		"phases/01-a/01-01-SUMMARY.md":       "x",
		"phases/01-a/01-VERIFICATION.md":     "---\nstatus: human_needed\nverified: 2026-02-01\nhuman_verification:\n  - test: look\n    expected: nice\n---\n",
		"phases/02-b/02-01-PLAN.md":          "x",
		"phases/02-b/02-01-SUMMARY.md":       "x",
		"phases/02-b/02-UAT.md":              uatText,
		"phases/02-b/02-VERIFICATION.md":     "---\nstatus: human_needed\n---\n",
		"phases/03-c/03-01-PLAN.md":          "<tasks>\n<task type=\"checkpoint:human-action\" gate=\"blocking\">\n<name>Task 1: pay</name>\n</task>\n</tasks>",
		"phases/04-later/04-01-PLAN.md":      "<tasks>\n<task type=\"checkpoint:decision\">\n<name>far ahead</name>\n</task>\n</tasks>",
		"phases/03-c/03-02-PLAN.md":          "---\ndepends_on: [03-01]\n---\n<task type=\"checkpoint:decision\">\n<name>not before 03-01</name>\n</task>",
		"phases/03-c/.continue-here.md":      "---\nstatus: blocked\ntask: 2\n---\n",
		"phases/999.1-idea/999.1-CONTEXT.md": "x",
	}))
	var got []string
	for _, w := range b.Waits {
		potential := ""
		if w.IsUpcoming() {
			potential = " (later)"
		}
		got = append(got, w.Evidence.String()+" "+w.Place+": "+w.Text+potential)
	}
	want := []string{
		"signal Phase 03: Iron or steel?",
		"test Phase 02: Brake",
		"verification Phase 01: verify by hand: look",
		"hand-over : buy rope",
		"checkpoint Phase 03: pay (later)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("waits\n got %q\nwant %q", got, want)
	}
	for _, w := range b.Waits {
		if n, _ := b.Find(w.Node); n == nil {
			t.Errorf("%q has no row: %s", w.Text, w.Node)
		}
	}
	if b.Status != model.Waiting || b.Pause == nil || b.Pause.Reason != "lunch" {
		t.Errorf("build is %s, pause %+v", b.Status, b.Pause)
	}
	if n := modeltest.Node(t, b, "gate/02/02-UAT.md"); n.Count != (model.Count{Done: 1, Total: 5}) || n.Status != model.Waiting {
		t.Errorf("UAT row %+v", n)
	}
	if n := modeltest.Node(t, b, "gate/02/02-UAT.md/2"); n.Status != model.Waiting || n.Gate.Expects != "It stops" || n.Source.Line != lineOf(uatText, "result: [pending]") {
		t.Errorf("row of the pending test %+v", n)
	}
	if n := modeltest.Node(t, b, "phase/02"); n.Status != model.Waiting {
		t.Errorf("phase 2 is %s while a test waits", n.Status)
	}
	if n := modeltest.Node(t, b, "group/backlog"); len(n.Children) != 1 {
		t.Errorf("backlog %+v", n.Children)
	}
	var blockers []string
	for _, x := range b.Blocking() {
		blockers = append(blockers, x.Text)
	}
	if want := []string{"no key", "gap: The hook holds", "phase 03 is blocked at 2"}; !slices.Equal(blockers, want) || b.Blocking()[1].Source.Line != lineOf(uatText, "- truth: \"The hook") {
		t.Errorf("blockers %q, want %q", blockers, want)
	}
}

func TestFalseCompleteIsCorrected(t *testing.T) {
	b := readOne(t, tree(t, map[string]string{
		"STATE.md":                       "---\nmilestone: v1.0\nmilestone_name: Pier\nstatus: completed\nprogress:\n  total_phases: 3\n  completed_phases: 3\n  percent: 100\n---\n",
		"ROADMAP.md":                     "- [x] **Phase 1: A**\n- [x] **Phase 2: B**\n- [ ] **Phase 3: C**\n",
		"phases/01-a/01-01-PLAN.md":      "x",
		"phases/01-a/01-01-SUMMARY.md":   "x",
		"phases/01-a/01-VERIFICATION.md": passed,
		"phases/02-b/02-01-PLAN.md":      "x",
		"phases/02-b/02-02-PLAN.md":      "x",
		"phases/02-b/02-01-SUMMARY.md":   "x",
	}))
	if got := string(b.Claimed.AppendFull(nil)); got != "v1.0 Pier [██████████] 100% · milestone complete" {
		t.Errorf("statusline says %q", got)
	}
	header := string(b.Header.AppendFull(nil))
	if header != "v1.0 Pier [██████░░░░] 67% of plans · next execute-phase 02" {
		t.Errorf("the header says %q", header)
	}
	if compact := string(b.Header.AppendCompact(nil)); compact != "v1.0 · next execute-phase 02" {
		t.Errorf("the compact header says %q", compact)
	}
	var got []string
	for _, d := range b.Divergences {
		got = append(got, d.Claim+"; "+d.Truth)
	}
	want := []string{
		"STATE.md says 100 %; 2 of 3 phases are open: 02 in progress, 03 pending",
		"ROADMAP.md checks off phase 02; 1 of 2 plans closed by a summary",
	}
	if !slices.Equal(got, want) {
		t.Errorf("divergences\n got %q\nwant %q", got, want)
	}
}

func TestTestBeforeTheUserKeepsAVerifiedPhaseOpen(t *testing.T) {
	files := map[string]string{
		"STATE.md":                       "---\nmilestone: v1.0\nstatus: completed\nprogress:\n  percent: 100\n---\n",
		"phases/01-a/01-01-PLAN.md":      "x",
		"phases/01-a/01-01-SUMMARY.md":   "x",
		"phases/01-a/01-VERIFICATION.md": passed,
		"phases/01-a/01-UAT.md":          uatText,
	}
	b := readOne(t, tree(t, files))
	if n := modeltest.Node(t, b, "phase/01"); n.Status != model.Waiting || n.Raw != "" {
		t.Errorf("phase is %s %q, want waiting", n.Status, n.Raw)
	}
	if got := string(b.Header.AppendFull(nil)); got != "v1.0 [██████████] 100% of plans · next verify-work 01" {
		t.Errorf("the header says %q", got)
	}
	files["phases/01-a/01-UAT.md"] = strings.NewReplacer("status: testing", "status: resolved", "[pending]", "pass", "[blocked]", "skipped").Replace(uatText)
	b = readOne(t, tree(t, files))
	if n := modeltest.Node(t, b, "phase/01"); n.Status != model.Done || len(b.Certain()) != 0 {
		t.Errorf("with the tests closed the phase is %s, %d things wait", n.Status, len(b.Certain()))
	}
	if got := string(b.Header.AppendFull(nil)); got != "v1.0 [██████████] 100% of plans · milestone complete" {
		t.Errorf("the header says %q", got)
	}
}

func TestNewProjectIsNotComplete(t *testing.T) {
	b := readOne(t, tree(t, map[string]string{
		"STATE.md":   "---\nstatus: planning\nprogress:\n  total_phases: 0\n  completed_phases: 0\n  percent: 0\n---\n",
		"ROADMAP.md": "- [ ] **Phase 1: A**\n",
	}))
	for name, l := range map[string]line.Facts{"statusline": b.Claimed, "the header": b.Header} {
		if got := string(l.AppendFull(nil)); got != "planning" {
			t.Errorf("%s says %q, want planning", name, got)
		}
	}
	if len(b.Divergences) != 0 {
		t.Errorf("an untouched template diverges: %+v", b.Divergences)
	}
	if b.Progress.Known {
		t.Errorf("progress %+v of nothing", b.Progress)
	}
}

func TestActivePhaseThatIsOverIsLeftOut(t *testing.T) {
	b := readOne(t, tree(t, map[string]string{
		"STATE.md":                       "---\nmilestone: v1\nstatus: executing\nactive_phase: \"1\"\n---\n",
		"phases/01-a/01-01-PLAN.md":      "x",
		"phases/01-a/01-01-SUMMARY.md":   "x",
		"phases/01-a/01-VERIFICATION.md": passed,
		"phases/02-b/02-01-PLAN.md":      "x",
	}))
	if got := string(b.Header.AppendFull(nil)); strings.Contains(got, "Phase 1") {
		t.Errorf("the header says %q, but phase 1 is done", got)
	}
	if len(b.Divergences) != 1 || !strings.HasPrefix(b.Divergences[0].Claim, "STATE.md says phase 1 is active") {
		t.Errorf("divergences %+v", b.Divergences)
	}
}

func TestMilestonesAndArchives(t *testing.T) {
	b := readOne(t, tree(t, map[string]string{
		"STATE.md": "---\nmilestone: v1.1\nstatus: executing\nprogress:\n  total_plans: 1\n  completed_plans: 0\n---\n",
		"ROADMAP.md": "- ✅ **v1.0 Pier** — Phases 1-2 (shipped 2026-01-10)\n- 🚧 **v1.1 Cranes** — Phases 3-5 (in progress)\n- 📋 **v2.0** — Phases 6+ (planned)\n\n" +
			"<details>\n<summary>✅ v1.0 Pier (Phases 1-2)</summary>\n\n- [x] Phase 1: Piles\n- [x] Phase 2: Planks\n</details>\n\n### 🚧 v1.1 Cranes\n" +
			"- [x] **Phase 3: Crane arms** - lift\n- [X] **Phase 3.1: Crane brakes (INSERTED)**\n- [ ] ~~**Phase 4: Paint**~~ - not any more\n- [ ] **Phase 5: Lock gates**\n\n" +
			"| Phase | Milestone | Status |\n|---|---|---|\n| 6. Ferry | v2.0 | Deferred |\n",
		"milestones/v1.0-phases/01-piles/01-01-PLAN.md":    "x",
		"milestones/v1.0-phases/01-piles/01-01-SUMMARY.md": "x",
		"milestones/v1.0-phases/02-planks/02-01-PLAN.md":   "x",
		"phases/03-crane-arms/03-01-PLAN.md":               "x",
		"phases/03.1-crane-brakes/03.1-CONTEXT.md":         "x",
	}))
	for id, want := range map[string]model.Status{
		"milestone/v1.0": model.Done, "phase/v1.0/01": model.Done, "milestone/v1.1": model.Pending, "phase/03": model.Pending,
		"phase/04": model.Skipped, "phase/05": model.Pending, "milestone/v2.0": model.Pending,
	} {
		if n := modeltest.Node(t, b, id); n.Status != want {
			t.Errorf("%s is %s (%s), want %s", id, n.Status, n.Why, want)
		}
	}
	if n, _ := b.Find("phase/01"); n != nil {
		t.Error("an archived phase is shown twice")
	}
	if !modeltest.Node(t, b, "milestone/v1.0").IsArchived() || modeltest.Node(t, b, "milestone/v1.1").IsArchived() {
		t.Error("want v1.0 archived and v1.1 not")
	}
	if got := b.Progress.Closed; got != (model.Count{Done: 0, Total: 3}) {
		t.Errorf("the current milestone counts %+v; want 3, 3.1 and 5, not the retired 4", got)
	}
	if b.Next == nil || b.Next.Command != "execute-phase 03" {
		t.Errorf("next %+v", b.Next)
	}
}

func TestTwoDirectoriesForOnePhase(t *testing.T) {
	dir := tree(t, map[string]string{"STATE.md": "x", "phases/03-old/03-01-PLAN.md": "x", "phases/3-new/3-01-PLAN.md": "x", "phases/3-new/3-02-PLAN.md": "x"})
	b := readOne(t, dir)
	if got := b.OfKind(model.KindPhase); len(got) != 2 || got[0].Title != "old" || got[1].Title != "new" || got[0].ID == got[1].ID {
		t.Errorf("phases %+v, want both, told apart", got)
	}
	if b.Progress.Plans.Total != 3 {
		t.Errorf("%+v plans, want those of both, as GSD counts", b.Progress.Plans)
	}
	if len(b.Problems) != 1 || !strings.HasSuffix(b.Problems[0].File, "3-new") {
		t.Errorf("problems %+v, want one about the second directory", b.Problems)
	}
}

func TestHostileNamesAreShownClean(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows refuses such file names")
	}
	const evil = "\x1b[2J\u202e\u0007"
	dir := tree(t, map[string]string{
		"STATE.md": "---\nstatus: paused" + evil + "\nstopped_at: x" + evil + "\nnext_action: do" + evil + "\nnext_phases: [1]\n---\n## Blockers\n- no" + evil + "\n",
		"phases/01-a" + evil + "/01-01-x" + evil + "-PLAN.md": "---\ntype: " + evil + "\n---\n<task type=\"checkpoint:x" + evil + "\">\n<name>n" + evil + "</name>\n</task>",
		"phases/01-a" + evil + "/01-02" + evil + "-PLAN.md":   "---\nuser_setup: [{service: s" + evil + "}]\n---\n",
		"phases/01-a" + evil + "/01-03-PLAN.md":               "x",
		"phases/01-a" + evil + "/01-03-SUMMARY.md":            "---\nstatus: halted\n---\n",
		"phases/01-a" + evil + "/01-" + evil + "-UAT.md":      "## Tests\n### 1. t" + evil + "\nexpected: e" + evil + "\nresult: pending\n",
		"phases/02-b/02-01-PLAN.md":                           "x",
		"phases/02-b/02-01-SUMMARY.md":                        "x",
		"phases/02-b/02-" + evil + "-VERIFICATION.md":         "---\nstatus: human_needed\n---\n",
		"todos/pending/t" + evil + ".md":                      "x",
	})
	b := readOne(t, dir)
	if len(b.Waits) == 0 || len(b.Blockers) == 0 || b.Pause == nil || b.Next == nil {
		t.Fatalf("%d waits, %d blockers, pause %v, next %v: the test shows too little", len(b.Waits), len(b.Blockers), b.Pause, b.Next)
	}
	for _, s := range texts(b) {
		if s != line.Tidy(s) {
			t.Errorf("shown: %q", s)
		}
	}
}

func TestMissingStateIsSaid(t *testing.T) {
	b := readOne(t, tree(t, map[string]string{"phases/01-a/01-01-PLAN.md": "x"}))
	if len(b.Problems) != 1 || b.Problems[0].File != ".planning/STATE.md" || b.Problems[0].Severity != model.Warning {
		t.Errorf("problems %+v, want a warning that there is no STATE.md", b.Problems)
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

// The rows of tasks are kept from build to build: as long as they say the same.
func TestTasksAreLaidOutAnewWithTheirPlan(t *testing.T) {
	const task = "<tasks>\n<task type=\"auto\">\n<name>Task 1: Dig</name>\n</task>\n</tasks>\n"
	dir := tree(t, map[string]string{
		"phases/01-pond/01-01-PLAN.md": "---\n---\n" + task,
		"phases/01-pond/01-02-PLAN.md": "---\n---\n" + task,
	})
	file := func(name string) string { return filepath.Join(dir, Planning, "phases/01-pond", name) }
	old := now.Add(-time.Hour) // a file written just now is read again, for it may not be finished
	if err := os.Chtimes(file("01-02-PLAN.md"), old, old); err != nil {
		t.Fatal(err)
	}
	m := mirror.New(dir, Planning)
	r := Readers(m)[0]
	first := r.Read(now)

	write(t, file("01-01-SUMMARY.md"), "---\n---\n")
	m.Touch(file("01-01-SUMMARY.md"))
	done := r.Read(now)
	one, two := "task/01/01-01-PLAN.md/1", "task/01/01-02-PLAN.md/1"
	if got := modeltest.Node(t, done, one).Status; got != model.Done {
		t.Errorf("the task of a plan that has a summary now is %s", got)
	}
	if got := modeltest.Node(t, first, one).Status; got != model.Pending {
		t.Errorf("the task of the build handed out before has become %s", got)
	}
	if modeltest.Node(t, first, two) != modeltest.Node(t, done, two) {
		t.Error("a task in which nothing happened was laid out anew")
	}

	write(t, file("01-02-PLAN.md"), "---\n---\n<tasks>\n<task>\n<name>Task 1: Fill it</name>\n</task>\n</tasks>\n")
	m.Touch(file("01-02-PLAN.md"))
	if got := modeltest.Node(t, r.Read(now), two).Title; got != "Fill it" {
		t.Errorf("the task of a plan that was written again is %q", got)
	}
}

func TestWorkstreams(t *testing.T) {
	dir := tree(t, map[string]string{
		"STATE.md":                  "---\nmilestone: v1\n---\n",
		"active-workstream":         "docs\n",
		"workstreams/docs/STATE.md": "---\nmilestone: d1\n---\n",
		"workstreams/docs/phases/01-a/01-01-PLAN.md": "x",
	})
	var ids []string
	for _, r := range Readers(mirror.New(dir)) {
		b := r.Read(now)
		ids = append(ids, fmt.Sprintf("%s %s %t", b.ID, b.Title, b.Selected))
	}
	if want := []string{"gsd v1 false", "gsd:docs d1 true"}; !slices.Equal(ids, want) {
		t.Errorf("builds %q, want %q", ids, want)
	}
}

func TestWorkstreamsShowASignalOfTheProjectOnce(t *testing.T) {
	dir := tree(t, map[string]string{
		"WAITING.json":               `{"status":"waiting","question":"Which first?"}`,
		"HANDOFF.json":               `{"status":"paused","context_notes":"lunch"}`,
		"workstreams/a/STATE.md":     "---\nmilestone: a\n---\n",
		"workstreams/b/STATE.md":     "---\nmilestone: b\n---\n",
		"workstreams/b/WAITING.json": `{"status":"waiting","question":"Of b alone?"}`,
	})
	var got []string
	for _, r := range Readers(mirror.New(dir)) {
		b := r.Read(now)
		for _, w := range b.Waits {
			got = append(got, b.ID+" "+w.Text)
		}
		if b.Pause != nil {
			got = append(got, b.ID+" paused at "+b.Pause.Reason)
		}
	}
	if want := []string{"gsd:a Which first?", "gsd:a paused at lunch", "gsd:b Of b alone?"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// lineOf returns the number of the first line with a text in it.
func lineOf(text, part string) int {
	before, _, _ := strings.Cut(text, part)
	return 1 + strings.Count(before, "\n")
}
