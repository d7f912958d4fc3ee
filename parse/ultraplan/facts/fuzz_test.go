package facts

import (
	"strings"
	"testing"

	"gatehouse/parse/fuzz"
	"gatehouse/parse/ultraplan/fixture"
)

// TestWholeSeeds has every target read what is too long for the fuzzer.
func TestWholeSeeds(t *testing.T) {
	for _, check := range []func(*testing.T, string){checkState, checkPlan, checkSideFiles} {
		for _, s := range fixture.Seeds {
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

func FuzzState(f *testing.F) { fuzz.Text(f, fuzz.Limit, fixture.Seeds, checkState) }

func checkState(t *testing.T, text string) {
	s, _ := ParseState(text)
	for _, b := range s.Blockers {
		lineIn(t, text, b.Line, "a blocker")
	}
	for _, k := range s.Skipped {
		lineIn(t, text, k.Line, "a task left out")
	}
	lineIn(t, text, s.StatusLine, "the status")
	lineIn(t, text, s.ProgressLine, "the progress")
	if s.Gate != nil {
		lineIn(t, text, s.Gate.Line, "the gate")
	}
}

func FuzzPlan(f *testing.F) { fuzz.Text(f, fuzz.Limit, fixture.Seeds, checkPlan) }

func checkPlan(t *testing.T, text string) {
	p, _ := ParsePlan(text)
	last := 0
	for _, task := range p.Tasks {
		lineIn(t, text, task.Line, "a task")
		if task.Line < last {
			t.Errorf("a task on line %d comes after one on line %d", task.Line, last)
		}
		last = task.Line
	}
	for _, b := range p.Boxes {
		lineIn(t, text, b.Line, "a box")
		if got := text[b.Mark : b.Mark+1]; b.End > len(text) || got != "x" && got != "X" && got != " " {
			t.Errorf("the box %q is at %q", b.Name, got)
		}
	}
}

func FuzzSideFiles(f *testing.F) { fuzz.Text(f, fuzz.Limit, fixture.Seeds, checkSideFiles) }

func checkSideFiles(_ *testing.T, text string) {
	_, _ = ParseSession(text)
	_, _ = parseRetries(text)
	_, _ = ParseResume(text)
	_, _ = parseEvents(text)
	_, _ = ParseDaily(text)
	_, _ = ParseSummary(text)
	_, _ = ParseLog(text)
	_, _ = ParseDuration(text)
	ParseTaskKey(text)
}
