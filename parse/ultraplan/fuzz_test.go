package ultraplan

import (
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/fuzz"
)

// seeds are texts of every kind of file; each target gets all of them.
var seeds = []string{
	"", "---", "---\n---\n", planText, stateText, strings.ReplaceAll(stateText, "\n", "\r\n"), "\uFEFF---\nphase: x\n",
	"current_task:\n  name: a\n  plan: 01-01\n  gate_status: FAILED\n  attempt: 9\n  max_attempts: 3\n  previous_failures: [x, {error: y}, [z]]\nskipped_tasks:\n  - task: 01-01:task-1\n  - x\ntasks:\n- name: 'Task 1: x'\n  status: complete (unverified)\n",
	"- [x] ~~**Phase 2: X** - SKIPPED~~\n### Phase 2.5 (INSERTED): n\n- [ ] **Phase 99999999999999999999: y**\n",
	`{"task_retries": {"01-01:task-1": {"status": "escalated", "retry_count": -1, "failures": [{}]}}, "plan_id": "01-01", "tasks": [{"task_name": "Task 1: x", "status": "in_progress"}]}`,
	`{"timestamp":"2026-01-26T14:30:00Z","event":"attempt","task_id":"01-01:task-1","payload":{"a":"\u001b[2J"}}` + "\n{",
	"logged_at: \"2026-01-26T10:00:00Z\"\nplan_id: 01-01\ntask_index: 1\nresult:\n  status: failure\n  task_name: \"Task 1: x\"\n  error: \"\u202e\"\n",
	"\x00\xff\xfe\x1b]0;title\a\u202e", "<tasks>\n" + strings.Repeat("<task type=\"auto\">\n<action>\n```\n", 40), "<task type=\"auto\"><name>Task 1: \x1b[2J</name>",
}

// treeLimit is how long a text may be, in bytes, that stands in every file of a project: to read them takes a millisecond.
const treeLimit = 120

// TestWholeSeeds has every target read what is too long for the fuzzer.
func TestWholeSeeds(t *testing.T) {
	tree := checkTree(t)
	for _, check := range []func(*testing.T, string){checkState, checkPlan, checkSideFiles, tree} {
		for _, s := range seeds {
			check(t, s)
		}
	}
}

// lineIn fails when a line number points outside of a text.
func lineIn(t *testing.T, text string, no int, what string) {
	t.Helper()
	if no < 0 || no > strings.Count(text, "\n")+1 {
		t.Errorf("%s is on line %d of %d", what, no, strings.Count(text, "\n")+1)
	}
}

func FuzzState(f *testing.F) { fuzz.Text(f, fuzz.Limit, seeds, checkState) }

func checkState(t *testing.T, text string) {
	s, _ := parseState(text)
	for _, b := range s.blockers {
		lineIn(t, text, b.line, "a blocker")
	}
	for _, k := range s.skipped {
		lineIn(t, text, k.line, "a task left out")
	}
	lineIn(t, text, s.statusLine, "the status")
	lineIn(t, text, s.progressLine, "the progress")
	if s.gate != nil {
		lineIn(t, text, s.gate.line, "the gate")
		attempts(s.gate)
	}
}

func FuzzPlan(f *testing.F) { fuzz.Text(f, fuzz.Limit, seeds, checkPlan) }

func checkPlan(t *testing.T, text string) {
	p, _ := parsePlan(text)
	last := 0
	for _, task := range p.tasks {
		lineIn(t, text, task.line, "a task")
		if task.line < last {
			t.Errorf("a task on line %d comes after one on line %d", task.line, last)
		}
		last = task.line
	}
	for _, b := range p.boxes {
		lineIn(t, text, b.line, "a box")
		if got := text[b.mark : b.mark+1]; b.end > len(text) || got != "x" && got != "X" && got != " " {
			t.Errorf("the box %q is at %q", b.name, got)
		}
	}
}

func FuzzSideFiles(f *testing.F) { fuzz.Text(f, fuzz.Limit, seeds, checkSideFiles) }

func checkSideFiles(_ *testing.T, text string) {
	_, _ = parseSession(text)
	_, _ = parseRetries(text)
	_, _ = parseResume(text)
	_, _ = parseEvents(text)
	_, _ = parseDaily(text)
	_, _ = parseSummary(text)
	_, _ = parseLog(text)
	_, _ = parseDuration(text)
	parseKey(text)
}

// texts returns every text of a build that is shown.
func texts(b *model.Build) []string {
	all := []string{b.Title, b.Raw, b.Why}
	facts := func(list []model.Fact) {
		for _, x := range list {
			all = append(all, x.Label, x.Value)
		}
	}
	facts(b.Metrics)
	for _, n := range model.Walk(b.Nodes) {
		all = append(all, n.Title, n.Number, n.Raw, n.Why)
		facts(n.Facts)
		if g := n.Gate; g != nil {
			all = append(all, g.Asks, g.Expects, g.Reason)
		}
	}
	for _, w := range b.Waits {
		all = append(all, w.Text, w.Place)
	}
	for _, x := range b.Blockers {
		all = append(all, x.Text, x.Owner)
	}
	for _, d := range b.Divergences {
		all = append(all, d.Claim, d.Truth)
	}
	for _, a := range b.Activity {
		all = append(all, a.Kind, a.Text)
		facts(a.Details)
	}
	for _, p := range b.Problems {
		all = append(all, p.Text, p.Fix)
	}
	if b.Next != nil {
		all = append(all, b.Next.Command, b.Next.Why)
	}
	if b.Pause != nil {
		all = append(all, b.Pause.Reason)
	}
	return all
}

// FuzzTree reads a whole project in which one text stands in every place.
func FuzzTree(f *testing.F) { fuzz.Text(f, treeLimit, seeds, checkTree(f)) }

// checkTree returns the check, for which there is one directory: to make the files takes longer than to read them.
func checkTree(tb testing.TB) func(t *testing.T, text string) {
	dir := tb.TempDir()
	return func(t *testing.T, text string) {
		if text == "" {
			return
		}
		for _, name := range []string{
			".planning/STATE.md", ".planning/ROADMAP.md", ".planning/phases/01-a/01-01-PLAN.md", ".planning/phases/01-a/01-01-SUMMARY.md", ".planning/phases/01-a/01-02-PLAN.md",
			".planning/phases/01-b/01-01-PLAN.md", ".planning/phases/01-b/01-07-SUMMARY.md", ".ultraplan/state/retry-state.json", ".ultraplan/state/continue.md", ".ultraplan/state/events.jsonl",
			".ultraplan/logs/retry.jsonl", ".ultraplan/logs/current-session.json", ".ultraplan/logs/summary/daily-2026-01-01.json", ".ultraplan/logs/executions/2026-01-26/01-01-task-01-success.yaml",
			".ultraplan/logs/executions/2026-01-26/x.yaml",
		} {
			put(t, filepath.Join(dir, filepath.FromSlash(name)), text)
		}
		readers := Readers(mirror.New(dir, Home))
		if len(readers) == 0 {
			return // GSD's
		}
		b := readers[0].Read(now)
		for _, p := range readers[0].Check(now) {
			if p.Text != line.Clean(p.Text) {
				t.Errorf("reported: %q", p.Text)
			}
		}
		ids := map[string]bool{}
		for _, n := range model.Walk(b.Nodes) {
			if ids[n.ID] {
				t.Errorf("two rows have the ID %q", n.ID)
			}
			ids[n.ID] = true
		}
		for _, s := range texts(b) {
			if s != line.Clean(s) {
				t.Errorf("shown: %q", s)
			}
		}
		for _, w := range b.Waits {
			if !ids[w.Node] {
				t.Errorf("%q waits at %q, which has no row", w.Text, w.Node)
			}
		}
		// There is a plan without a summary: nothing may call this complete.
		if scene, _ := b.Header.Scene(); scene == 3 || b.Status == model.Done || b.Progress.Percent == 100 {
			t.Errorf("the header says %q, the build is %v", b.Header.AppendFull(nil), b.Status)
		}
	}
}
