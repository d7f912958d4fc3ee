package record

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
)

// freshState is a STATE.md as the template has it, before any work.
const freshState = `# Project State

## Project Reference

**Current focus:** Phase 1 - Quay

## Current Position

Phase: 1 of 3 (quay)
Plan: 0 of 2 in current phase
Status: Ready to plan
Last activity: 2026-01-01 - Roadmap created

Progress: [░░░░░░░░░░░░░░░░░░░░] 0%

## Performance Metrics

**Velocity:**
- Total plans completed: 0
- Average duration: -
- Total execution time: -

**By Phase:**

| Phase | Plans | Total | Avg/Plan |
|-------|-------|-------|----------|
| - | - | - | - |

**Recent Trend:**
- Last 5 plans: -
- Trend: -

### Blockers/Concerns

None yet.

## Session Continuity

Resume file: None
`

// plannedTasks returns a PLAN.md with a number of open tasks.
func plannedTasks(tasks int) string {
	var list, boxes strings.Builder
	for i := 1; i <= tasks; i++ {
		fmt.Fprintf(&list, "<task type=\"auto\">\n<name>Task %d: Part %d</name>\n<files>a.go</files>\n<action>x</action>\n<verify>y</verify>\n<done>z</done>\n</task>\n", i, i)
		fmt.Fprintf(&boxes, "- [ ] Task %d: Part %d\n", i, i)
	}
	return "---\nphase: x\nwave: 1\n---\n<tasks>\n" + list.String() + "</tasks>\n<success_criteria>\n" + boxes.String() + "</success_criteria>\n"
}

// partResult is what an executor returns about a task of [plannedTasks].
func partResult(task int, status string, attempt int, ms int) string {
	text := result(1, status, attempt)
	text = strings.Replace(text, "Task 1: Fill the tank", fmt.Sprintf("Task %d: Part %d", task, task), 1)
	return strings.Replace(text, "duration_ms: 90000", fmt.Sprintf("duration_ms: %d", ms), 1)
}

// wantTrue fails if check finds a problem in STATE.md, or if a sync is proposed.
func wantTrue(t *testing.T, dir, when string) {
	t.Helper()
	r := ultraplan.Readers(mirror.New(dir, ultraplan.Home, core.Planning))[0]
	if b := r.Read(fixture.Now); len(b.Divergences) > 0 || len(b.Can) > 0 {
		t.Errorf("%s: %v %+v", when, b.Can, b.Divergences)
	}
	for _, p := range r.Check(fixture.Now) {
		if strings.HasSuffix(p.File, "STATE.md") && p.Rule != "ultraplan-bar" {
			t.Errorf("%s: %s", when, p.String())
		}
	}
}

// TestWrongNumbersAreCorrected writes too low and too high values into each number of STATE.md: check finds them, and a sync corrects them.
func TestWrongNumbersAreCorrected(t *testing.T) {
	dir := fixture.Project(t, map[string]string{
		".planning/STATE.md":                     freshState,
		".planning/phases/01-quay/01-01-PLAN.md": plannedTasks(1), ".planning/phases/01-quay/01-02-PLAN.md": plannedTasks(1), ".planning/phases/02-sea/02-01-PLAN.md": plannedTasks(2),
	})
	for _, plan := range []string{"01-01", "01-02", "02-01"} {
		if plan != "02-01" {
			fixture.Put(t, filepath.Join(dir, ".planning/phases/01-quay/"+plan+"-SUMMARY.md"), "")
		}
		captureOf(t, dir, Report{Text: partResult(1, "success", 1, 1_800_000), Plan: plan})
	}
	state := strings.Replace(read1(t, dir, ".planning/STATE.md"), "Average duration: 30 minutes", "Average duration: 45 minutes", 1) // with a plan in progress
	for _, c := range [][3]string{
		{"Total plans completed: 2", "Total plans completed: 1", "Total plans completed: 9"}, {"Average duration: 45 minutes", "Average duration: 3 minutes", "Average duration: 3h 0m"},
		{"Total execution time: 1h 30m", "Total execution time: 10m", "Total execution time: 90h 0m"}, {"| 1 | 2/2 | 1h 0m | 30m |", "| 1 | 1/2 | 6m | 3m |", "| 1 | 9/9 | 10h 0m | 5h 0m |"},
		{"| 2 | 0/1 | 30m |", "| 2 | 0/1 | 3m |", "| 2 | 0/1 | 5h 0m |"}, {"Last 5 plans: 30m, 30m", "Last 5 plans: 3m, 30m", "Last 5 plans: 30m, 5h 0m"}, {"66%", "6%", "99%"},
	} {
		if !strings.Contains(state, c[0]) {
			t.Errorf("STATE.md lacks %q:\n%s", c[0], state)
			continue
		}
		for _, wrong := range c[1:] {
			fixture.Put(t, filepath.Join(dir, ".planning/STATE.md"), strings.Replace(state, c[0], wrong, 1))
			r := readerOf(dir)
			b := r.Read(fixture.Now)
			found := slices.ContainsFunc(r.Check(fixture.Now), func(p model.Problem) bool {
				return p.Rule == "ultraplan-state" || strings.HasSuffix(p.File, "STATE.md") && p.Rule != "ultraplan-bar"
			})
			if len(b.Divergences) == 0 || len(b.Can) == 0 || b.Can[0] != model.VerbSync || !found {
				t.Errorf("%q: %+v, %v, %v", wrong, b.Divergences, b.Can, found)
			} else if got := syncOf(t, dir, read1(t, dir, ".planning/STATE.md")); got != state {
				t.Errorf("%q: brought in line:\n%s", wrong, got)
			}
		}
	}
	// If the time of a plan was not logged, the file may know more.
	fixture.Must(t, os.Remove(filepath.Join(dir, ".planning/phases/02-sea/02-01-PLAN.md")))
	fixture.Put(t, filepath.Join(dir, ".planning/phases/01-quay/01-03-PLAN.md"), plannedTasks(1))
	fixture.Put(t, filepath.Join(dir, ".planning/phases/01-quay/01-03-SUMMARY.md"), "")
	fixture.Put(t, filepath.Join(dir, ".planning/STATE.md"), strings.Replace(state, "1h 30m", "9h 0m", 1))
	if got := syncOf(t, dir, read1(t, dir, ".planning/STATE.md")); !strings.Contains(got, "Total execution time: 9h 0m") {
		t.Error(got)
	}
}

// syncOf returns a STATE.md after a sync.
func syncOf(t *testing.T, dir, state string) string {
	t.Helper()
	target, err := ultraplan.Readers(mirror.New(dir, ultraplan.Home, core.Planning))[0].Target(model.Action{Verb: model.VerbSync}, fixture.Now)
	fixture.Must(t, err)
	answer, err := target.Judge(state)
	fixture.Must(t, err)
	c, err := answer(protocol.Request{Action: model.Action{Verb: model.VerbSync}, Content: state, Now: fixture.Now})
	fixture.Must(t, err)
	return fixture.Applied(t, state, c.Spans)
}
