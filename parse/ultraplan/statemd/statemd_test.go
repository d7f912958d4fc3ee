package statemd

import (
	"fmt"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/conformance"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
)

// TestConformanceStateMD runs the edits of state_md.jsonl and compares texts and outcomes.
func TestConformanceStateMD(t *testing.T) {
	type row struct {
		Op          string
		Args        []any
		Before      []byte `json:"before_b64"`
		Expected    []byte `json:"expected_b64"`
		Outcome     string
		MustContain []string `json:"must_contain"`
	}
	conformance.Rows(t, "state_md.jsonl", func(t *testing.T, r row) {
		var spans []model.Span
		var outcome string
		switch before := string(r.Before); r.Op {
		case "set_field":
			spans, outcome = SetField(before, r.Args[0].(string), r.Args[1].(string))
		case "set_progress":
			spans, outcome = setProgress(before, int(r.Args[0].(float64)), int(r.Args[1].(float64)))
		case "add_blocker":
			spans, outcome = AddBlocker(before, r.Args[0].(string))
		default:
			t.Fatalf("op %q", r.Op)
		}
		got, err := protocol.Apply(string(r.Before), spans)
		if err != nil || got != string(r.Expected) || outcome != r.Outcome {
			t.Errorf("%s, %v, want %s\n%s\nwant\n%s", outcome, err, r.Outcome, got, r.Expected)
		}
		for _, part := range r.MustContain {
			if !strings.Contains(got, part) {
				t.Errorf("%q is missing", part)
			}
		}
	})
}

// setProgress sets the line "Progress:" to done of total plans. The bar keeps its width and characters; other text on the line stays.
func setProgress(text string, done, total int) (spans []model.Span, outcome string) {
	p := parsePage(text)
	if _, ok := p.findSection("Progress"); !ok {
		return nil, stateNoSection
	}
	v, ok := p.findField("Progress")
	if _, _, hasBar := BarIn(v.text); !ok || PercentIn(v.text) == "" && !hasBar && !countForm.MatchString(v.text) {
		return nil, stateNoField
	}
	return v.setValue(drawProgress(v.text, model.Count{Done: max(0, min(done, total)), Total: max(0, total)})), stateSet
}

// FuzzEdits checks that an edit changes no byte outside the one intended line, and that repeating it changes nothing.
func FuzzEdits(f *testing.F) {
	for _, s := range []string{fixture.StateText, strings.ReplaceAll(fixture.StateText, "\n", "\r\n"), "", "## Blockers",
		"## Current Position\nStatus:\nProgress: []%\n## Blockers\nNone\n", "## Current Position\r\rStatus: \xff\n"} {
		f.Add(s, "Task 1: Fill the tank", 1, 3)
		f.Add(s, "\u06DD", 1, 3)
		f.Add(s, " ", 1, 3)
	}
	f.Fuzz(func(t *testing.T, text, value string, done, total int) {
		for name, change := range map[string]func(string) ([]model.Span, string){
			"status":   func(s string) ([]model.Span, string) { return SetField(s, "Status", value) },
			"resume":   func(s string) ([]model.Span, string) { return SetField(s, "Resume file", value) },
			"progress": func(s string) ([]model.Span, string) { return setProgress(s, done, total) },
			"blocker":  func(s string) ([]model.Span, string) { return AddBlocker(s, value) },
		} {
			spans, outcome := change(text)
			added := 0
			if name == "blocker" {
				added = 1
			}
			after := fixture.Narrow(t, text, spans, added)
			if again, _ := change(after); outcome == "" || len(again) > 0 {
				t.Errorf("%s, %q: is not idempotent: %+v, then %+v", name, outcome, spans, again)
			}
		}
	})
}

// figuresOf returns the figures of one phase with two plans, some of them done. all is the time of the phase, finished that of the
// finished plans.
func figuresOf(number string, done int, all, finished model.Millis, isWhole bool, state ...string) *Figures {
	files := map[string]string{core.StateFile: strings.Join(state, "")}
	for i := range 2 {
		id := fmt.Sprintf("%s-%02d", number, i+1)
		files[core.PhasesDir+"/"+number+"-lamp/"+id+"-PLAN.md"] = ""
		if i < done {
			files[core.PhasesDir+"/"+number+"-lamp/"+id+"-SUMMARY.md"] = ""
		}
	}
	is := NewFigures(core.Open(fixture.Source(files)), nil, false)
	for _, t := range []*tally{&is.velocity, &is.phases[0].velocity} {
		t.all, t.untimed = all, 0
		if !isWhole {
			t.untimed = 1
		}
		for i := range t.done {
			t.done[i].Took = finished / model.Millis(len(t.done))
		}
	}
	is.phases[0].hasBegun, is.phases[0].Title = true, "Lamp"
	return is
}

// FuzzDifferences checks that, for any text, the proposed edits correct every difference and can be undone.
func FuzzDifferences(f *testing.F) {
	for _, s := range append(fixture.Seeds, fixture.RestingState, strings.ReplaceAll(fixture.RestingState, "\n", "\r\n"), "## Performance Metrics\n|Phase|Plans|Total|Avg/Plan|\n|-|-|-|-|\n|3\\|| | a\\||") {
		f.Add(s, "03", 2, true)
	}
	f.Fuzz(func(t *testing.T, text, number string, done int, event bool) {
		if number == "" || strings.Trim(number, "0123456789") != "" {
			return // no phase has such a number
		}
		is := figuresOf(number, max(0, min(done, 2)), 90_000, 45_000, done > 2)
		is.IsEvent = event
		if event {
			is.at, is.last = core.PlanKey(number+"-01"), &core.Log{Plan: number + "-01", Task: "1", Name: "Task 1: <!-- x", Status: "failure", File: "2026-01-28/x.yaml"}
		}
		spans := Spans(FindDifferences(text, is))
		after, err := protocol.Apply(text, spans)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range FindDifferences(after, is) {
			if len(d.Spans) > 0 {
				t.Errorf("it is not in line yet: %+v\n%s", d, after)
			}
		}
		if back, err := protocol.Apply(after, protocol.Invert(spans)); err != nil || back != text {
			t.Errorf("can't be taken back: %v", err)
		}
	})
}

// TestPhaseRows checks how the row of a phase is added to the table By Phase or corrected there.
func TestPhaseRows(t *testing.T) {
	conformance.OwnRows(t, "phaserows.jsonl", func(t *testing.T, c struct {
		ID, In, Want string
		Took         model.Millis
	}) {
		is := figuresOf("03", 1, max(c.Took, -c.Took), max(c.Took, -c.Took), c.Took >= 0, c.In)
		got := fixture.Applied(t, c.In, Spans(FindDifferences(c.In, is)))
		if got != c.Want {
			t.Errorf("%s:\n%s\nwant\n%s", c.ID, got, c.Want)
		}
		if again := FindDifferences(got, is); len(again) > 0 {
			t.Errorf("%s: again %+v", c.ID, again)
		}
	})
}

// TestDurationsInTheirUnit checks that a duration is compared and corrected in the unit that it is written in.
func TestDurationsInTheirUnit(t *testing.T) {
	conformance.OwnRows(t, "durationsintheirunit.jsonl", func(t *testing.T, c struct {
		ID, In, Want string
		Took, Plans  int
	}) {
		took := model.Millis(c.Took) * 1000
		is := figuresOf("03", 1, took, took, c.Plans > 0)
		for len(is.velocity.done) < c.Plans {
			is.velocity.done = append(is.velocity.done, is.velocity.done[0])
		}
		text := "## Performance Metrics\n- " + c.ID + ": " + c.In + "\n"
		want := c.Want
		if want == "" {
			want = c.In
		}
		got := fixture.Applied(t, text, Spans(FindDifferences(text, is)))
		if got != strings.Replace(text, c.In, want, 1) || len(FindDifferences(got, is)) > 0 {
			t.Errorf("%s: %s is %q, want %q; then %+v", c.ID, c.In, got, want, FindDifferences(got, is))
		}
	})
}

// TestOddPositions checks that reader and writer use the same lines of an unusual position.
func TestOddPositions(t *testing.T) {
	is := figuresOf("03", 1, 0, 0, true)
	for name, c := range map[string]struct{ in, want string }{
		"an example in a fence": {"## Current Position\n```\nPhase: 1 of 2\nProgress: 9%\n```\nPhase: 3 of 3\nPlan: 9 of 2\nProgress: 0%\n", "## Current Position\n```\nPhase: 1 of 2\nProgress: 9%\n```\nPhase: 3 of 3\nPlan: 1 of 2\nProgress: 50%\n"},
		"a heading in a fence":  {"~~~~\n## Current Position\nPhase: 1 of 2\n~~~\n~~~~\n## Current Position\nPhase: 3 of 3\nPlan: 9 of 2\n", "~~~~\n## Current Position\nPhase: 1 of 2\n~~~\n~~~~\n## Current Position\nPhase: 3 of 3\nPlan: 1 of 2\n"},
		"without any heading":   {"Phase: 3\nPlan: 03-01\nStatus: Complete\nProgress: 0%\n", "Phase: 3\nPlan: 03-01\nStatus: In progress\nProgress: 50%\n"},
	} {
		got := fixture.Applied(t, c.in, Spans(FindDifferences(c.in, is)))
		if got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
		if again := FindDifferences(got, is); len(again) > 0 {
			t.Errorf("%s: again %+v", name, again)
		}
		if s := core.ParseState(c.in); s.Phase != "3" {
			t.Errorf("%s: the phase is read as %q", name, s.Phase)
		}
	}
}
