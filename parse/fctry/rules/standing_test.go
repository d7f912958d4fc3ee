package rules

import (
	"fmt"
	"strings"
	"testing"

	"gatehouse/model/line"
)

// runOf makes a run from its status and chunks such as "a completed", "b planned a c": ID, status, what it needs.
func runOf(status string, chunks ...string) *Run {
	r := &Run{Status: status}
	for _, c := range chunks {
		fields := strings.Fields(c)
		chunk := Chunk{ID: fields[0]}
		if fields[1] != "-" {
			chunk.Status = fields[1]
		}
		chunk.Needs = fields[2:]
		r.Chunks = append(r.Chunks, chunk)
	}
	return r
}

// causes returns what chunks hang on as people call it.
func causes(all []line.FctryCause) (texts []string) {
	for i := range all {
		texts = append(texts, string(all[i].Append(nil)))
	}
	return texts
}

func TestStanding(t *testing.T) {
	for _, c := range []struct {
		name string
		run  *Run
		want string // done/total, busy, open, held, running, waiting, next, blocked on
	}{
		{"empty", runOf("running"), "0/0 0 0 0 -1 -1 -1 []"},
		{"no status at all", runOf("running", "1 -", "2 -"), "0/2 0 2 0 -1 -1 0 []"},
		{"in the middle", runOf("running", "1 completed", "2 active", "3 planned 1", "4 planned 2"), "1/4 1 2 1 1 -1 2 [2]"},
		{"words that are found", runOf("running", "1 completed-partial", "2 running", "3 building", "4 retrying", "5 awaiting-user"), "1/5 3 0 0 1 4 -1 []"},
		{"failed", runOf("partial", "1 failed", "2 planned 1", "3 planned 2"), "0/3 0 2 2 -1 -1 -1 [1]"},
		{"no such chunk", runOf("running", "1 completed", "2 planned 1 x"), "1/2 0 1 1 -1 -1 -1 [x (no such chunk)]"},
		{"a circle", runOf("running", "1 planned 2", "2 planned 1"), "0/2 0 2 2 -1 -1 -1 [circle 1 → 2 → 1]"},
		{"a circle beside a failure", runOf("running", "1 failed", "2 planned 1", "3 planned 4", "4 planned 3", "5 planned 4", "6 planned 6"), "0/6 0 5 5 -1 -1 -1 [1 circle 3 → 4 → 3 circle 6 → 6]"},
		{"circles, and no such chunk", runOf("running", "1 completed", "5 planned 6", "6 planned 7", "7 planned 5", "9 planned 9", "11 planned 99", "12 planned 11", "13 planned 14", "14 planned 13 1"), "1/9 0 8 8 -1 -1 -1 [circle 5 → 6 → 7 → 5 circle 9 → 9 99 (no such chunk) circle 13 → 14 → 13]"},
		{"a circle through a completed chunk", runOf("running", "1 completed 2", "2 planned 1", "3 planned 2"), "1/3 0 2 1 -1 -1 1 [2]"},
		{"a circle through one worked on", runOf("running", "1 active 2", "2 planned 1"), "0/2 1 1 1 0 -1 -1 [1]"},
		{"between circles", runOf("running", "1 planned 2", "2 planned 1", "3 planned 1", "4 planned 3 5", "5 planned 4"), "0/5 0 5 5 -1 -1 -1 [circle 1 → 2 → 1 circle 4 → 5 → 4]"},
		{"circles that share a chunk", runOf("running", "1 planned 2", "2 planned 1 3", "3 planned 2"), "0/3 0 3 3 -1 -1 -1 [circle 1 → 2 → 1]"},
		{"blocked by its own word", runOf("running", "1 completed", "2 blocked 1"), "1/2 0 1 1 -1 -1 -1 [2]"},
		{"behind what waits", runOf("awaiting-user", "1 awaiting-user", "2 planned 1"), "0/2 0 1 1 -1 0 -1 [1]"},
		{"no other word counts as over", runOf("running", "1 skipped", "2 planned 1", "3 done", "4 complete"), "0/4 0 4 1 -1 -1 0 [1]"},
		{"an unknown word is planned", runOf("running", "1 shelved"), "0/1 0 1 0 -1 -1 0 []"},
		{"the first of two", runOf("running", "1 completed", "1 failed", "2 planned 1"), "1/3 0 1 0 -1 -1 2 []"},
	} {
		s := c.run.Standing()
		if got := fmt.Sprintf("%d/%d %d %d %d %d %d %d %v", s.Done, s.Total, s.Busy, s.Open, s.Held, s.Running, s.Waiting, s.Next, causes(s.BlockedOn)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	r := runOf("running", "1 completed")
	if r.Total = 7; r.Standing().Total != 7 {
		t.Error("the plan's total is larger than the list")
	}
}

func TestRunResume(t *testing.T) {
	r := runOf("running", "1 completed", "2 completed", "3 planned 2", "4 planned 3")
	r.Chunks[0].SpecVersion, r.Chunks[1].SpecVersion = "2.3", "2.4"
	if got := r.Resume("2.4", false); !got.Offered || fmt.Sprint(got.Done, got.Left, got.Next, got.Changed) != "[0 1] [2 3] 2 [0]" {
		t.Errorf("%+v", got)
	}
	if got := r.Resume("", false); got.Changed != nil {
		t.Errorf("%v: nobody knows the spec's version", got.Changed)
	}
	for _, status := range []string{"completed", "partial", "paused", "awaiting-user", ""} {
		if r.Status = status; r.Resume("", false).Offered {
			t.Errorf("a run that is %q is offered", status)
		}
	}
	if runOf("running", "1 planned").Resume("", false).Offered {
		t.Error("with nothing completed there is nothing to resume")
	}
}

// TestRunResumeWhereWorked holds where to go on when a chunk says that it is worked on.
func TestRunResumeWhereWorked(t *testing.T) {
	for _, c := range []struct {
		run   *Run
		stale bool
		want  string
	}{
		{runOf("running", "1 completed", "2 active 1", "3 planned 2"), false, "1 []"},
		{runOf("running", "1 completed", "2 active 1", "3 planned 2"), true, "1 []"},
		{runOf("running", "1 completed", "2 active 1", "3 planned 1"), false, "2 []"},
		{runOf("running", "1 completed", "2 active 1", "3 planned 1"), true, "1 []"},
		{runOf("running", "1 completed", "2 failed 1", "3 planned 2"), true, "-1 [2]"},
	} {
		if r := c.run.Resume("", c.stale); fmt.Sprint(r.Next, " ", causes(r.BlockedOn)) != c.want {
			t.Errorf("%v, stale %v: %d %v, want %s", c.run.Chunks, c.stale, r.Next, r.BlockedOn, c.want)
		}
	}
}

func TestPrerequisites(t *testing.T) {
	for _, c := range []struct{ step, command, done, want string }{
		{"state-owner-scan", "init", "", ""},
		{"interviewer", "init", "", "state-owner-scan"},
		{"interviewer", "init", "state-owner-scan", ""},
		{"researcher", "evolve", "", "state-owner-scan"}, {"researcher", "ref", "", ""},
		{"visual-translator", "evolve", "", "state-owner-scan"}, {"visual-translator", "ref", "", ""},
		{"scenario-crafter", "evolve", "state-owner-scan", "interviewer"},
		{"executor-plan", "execute", "", "state-owner-scan"}, {"executor-build", "execute", "executor-plan", "state-owner-scan"},
		{"spec-writer", "init", "interviewer", "scenario-crafter"}, {"spec-writer", "evolve", "", "interviewer, scenario-crafter"},
		{"spec-writer", "ref", "state-owner-scan", "researcher or visual-translator"},
		{"spec-writer", "ref", "state-owner-scan visual-translator", ""},
		{"spec-writer", "ref", "researcher", "state-owner-scan"},
		{"spec-writer", "review", "", "state-owner-scan"}, {"spec-writer", "execute", "", ""},
		{"something-new", "init", "", ""},
	} {
		if got := strings.Join(MissingSteps(c.step, c.command, strings.Fields(c.done)), ", "); got != c.want {
			t.Errorf("%s under %s after %q: %q is missing, want %q", c.step, c.command, c.done, got, c.want)
		}
	}
	for _, s := range Steps() {
		if StepAgent(s.Name) != s.Agent {
			t.Error(s)
		}
	}
	if StepAgent("user-confirmed") != "" {
		t.Error("an agent for a step that nobody knows")
	}
}

func TestNextStep(t *testing.T) {
	for _, c := range []struct {
		advice advice
		want   string
		usual  bool
	}{
		{advice{Untracked: 1}, "/fctry:init to create a spec", false},
		{advice{Spec: true, Untracked: 1, Findings: 2}, "/fctry:evolve to update spec with recent changes", false},
		{advice{Spec: true, Findings: 12, Satisfied: 3, Scenarios: 3}, "/fctry:ref to review 12 overnight findings", false},
		{advice{Spec: true, Satisfied: 3, Scenarios: 3, Specced: 1}, "All scenarios satisfied! /fctry:review to confirm", false},
		{advice{Spec: true, Specced: 2, Evolved: 5, Section: "Search"}, "/fctry:execute to build 5 evolved + 2 specced sections — Search is next", false},
		{advice{Spec: true, Evolved: 5, Scenarios: 9}, "/fctry:execute to build 5 evolved sections", false},
		{advice{Spec: true, Scenarios: 9, Unspecced: 1}, "/fctry:execute to satisfy remaining scenarios", false},
		{advice{Spec: true, Unspecced: 1}, "/fctry:evolve to flesh out 1 unspecced sections", false},
		{advice{Spec: true}, "/fctry:evolve to refine, or /fctry:execute to build", true},
	} {
		if got, usual := c.advice.NextStep(); got != c.want || usual != c.usual {
			t.Errorf("%+v: %q, %v", c.advice, got, usual)
		}
	}
}
