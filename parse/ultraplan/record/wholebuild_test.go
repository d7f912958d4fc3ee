package record

import (
	"fmt"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/protocol"
	"gatehouse/parse/protocol/protocoltest"
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
	r := readerOf(dir)
	if b := r.Read(fixture.Now); len(b.Divergences) > 0 || len(b.Can) > 0 {
		t.Errorf("%s: %v %+v", when, b.Can, b.Divergences)
	}
	for _, p := range r.Check(fixture.Now) {
		if strings.HasSuffix(p.File, "STATE.md") && p.Rule != "ultraplan-bar" {
			t.Errorf("%s: %s", when, p.String())
		}
	}
}

// syncOf returns a STATE.md after a sync.
func syncOf(t *testing.T, dir, state string) string {
	t.Helper()
	c, err := protocoltest.Decide(readerOf(dir), protocol.Request{Action: model.Action{Verb: model.VerbSync}, Content: state, Now: fixture.Now})
	fixture.Must(t, err)
	return fixture.Applied(t, state, c.Spans)
}
