package statemd

import (
	"fmt"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/conformance"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/facts"
	"gatehouse/parse/ultraplan/fixture"
	"gatehouse/parse/ultraplan/rules"
)

func TestRemoveBlockerTakesOutWhatWasAdded(t *testing.T) {
	for _, text := range []string{"## Blockers\n- a\n", "## Blockers\r\n\r\n- a\r\n\r\n## Next\r\n", "## Blockers\n\n## Next\n"} {
		spans, _ := AddBlocker(text, "Task 1: x: y")
		with, err := protocol.Apply(text, spans)
		fixture.Must(t, err)
		if with == text {
			t.Fatalf("%q: nothing added", text)
		}
		without, err := protocol.Apply(with, RemoveBlocker(with, "Task 1: x: y"))
		if err != nil || without != text {
			t.Errorf("%q became %q, %v", text, without, err)
		}
		if spans := RemoveBlocker(text, "Task 1: x: y"); spans != nil {
			t.Errorf("%q: %v", text, spans)
		}
	}
}

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
			spans, outcome = SetProgress(before, int(r.Args[0].(float64)), int(r.Args[1].(float64)))
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

// FuzzEdits holds that no byte outside the one intended line ever changes, and that doing it again changes nothing.
func FuzzEdits(f *testing.F) {
	for _, s := range []string{fixture.StateText, strings.ReplaceAll(fixture.StateText, "\n", "\r\n"), "", "## Blockers",
		"## Current Position\nStatus:\nProgress: []%\n## Blockers\nNone\n", "## Current Position\r\rStatus: \xff\n"} {
		f.Add(s, "Task 1: Fill the tank", 1, 3)
	}
	f.Fuzz(func(t *testing.T, text, value string, done, total int) {
		for name, change := range map[string]func(string) ([]model.Span, string){
			"status":   func(s string) ([]model.Span, string) { return SetField(s, "Status", value) },
			"resume":   func(s string) ([]model.Span, string) { return SetField(s, "Resume file", value) },
			"progress": func(s string) ([]model.Span, string) { return SetProgress(s, done, total) },
			"blocker":  func(s string) ([]model.Span, string) { return AddBlocker(s, value) },
		} {
			spans, outcome := change(text)
			added := 0
			if name == "blocker" {
				added = 1
			}
			after := fixture.Narrow(t, text, spans, added)
			if again, _ := change(after); outcome == "" || len(again) > 0 && strings.TrimSpace(value) != "" {
				t.Errorf("%s, %q: is not idempotent: %+v, then %+v", name, outcome, spans, again)
			}
		}
	})
}

// standing is that of a project with one phase, of two plans, that took so long in all and a plan on average.
func standing(number string, done int, took facts.Time) *facts.Standing {
	p := facts.PhaseStanding{Number: rules.TrimZeros(number), Title: "Lamp", Dir: true, Begun: true, Count: model.Count{Done: done, Total: 2}, Took: took}
	for i := range 2 {
		s := &facts.Plan{Plan: rules.Plan{ID: fmt.Sprintf("%s-%02d", number, i+1), Done: i < done}}
		s.Key = facts.PlanKey(s.ID)
		p.Plans = append(p.Plans, s)
	}
	return &facts.Standing{Phases: []facts.PhaseStanding{p}, Plans: p.Count, Took: took}
}

// FuzzDifferences holds that what brings a text in line does, whatever it is, and can be taken back.
func FuzzDifferences(f *testing.F) {
	for _, s := range append(fixture.Seeds, fixture.RestingState, strings.ReplaceAll(fixture.RestingState, "\n", "\r\n"), "## Performance Metrics\n|Phase|Plans|Total|Avg/Plan|\n|-|-|-|-|\n|3\\|| | a\\||") {
		f.Add(s, "03", 2, true)
	}
	f.Fuzz(func(t *testing.T, text, number string, done int, event bool) {
		if number == "" || strings.Trim(number, "0123456789") != "" {
			return // no phase is called so
		}
		is := standing(number, max(0, min(done, 2)), facts.Time{Total: 90_000, Average: 45_000})
		is.Event = event
		if event {
			is.Last = &facts.Log{LogDoc: &facts.LogDoc{Plan: number + "-01", Task: "1", Name: "Task 1: <!-- x", Status: "failure"}, File: "2026-01-28/x.yaml"}
			is.On = "2026-01-28"
		}
		spans := Spans(Differences(text, is))
		after, err := protocol.Apply(text, spans)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range Differences(after, is) {
			if len(d.Spans) > 0 {
				t.Errorf("it is not in line yet: %+v\n%s", d, after)
			}
		}
		if back, err := protocol.Apply(after, protocol.Invert(spans)); err != nil || back != text {
			t.Errorf("can't be taken back: %v", err)
		}
	})
}

func TestPhaseRows(t *testing.T) {
	const head = "## Performance Metrics\n| Phase | Plans | Total | Avg/Plan |\n|---|---|---|---|\n"
	took := facts.Time{Total: 7_800_000, Average: 3_900_000}
	for name, c := range map[string]struct {
		in, want string
		took     facts.Time
	}{
		"the template's":       {head + "| - | - | - | - |\n", head + "| 3 | 1/2 | 2h 10m | 1h 5m |\n", took},
		"behind the last":      {head + "| 1 | 5/5 | 1h | 12m |\nx\n", head + "| 1 | 5/5 | 1h | 12m |\n| 3 | 1/2 | 2h 10m | 1h 5m |\nx\n", took},
		"before the next":      {head + "| 1 | 5/5 | 1h | 12m |\n| 10 | 0/1 | - | - |\n", head + "| 1 | 5/5 | 1h | 12m |\n| 3 | 1/2 | 2h 10m | 1h 5m |\n| 10 | 0/1 | - | - |\n", took},
		"without a row":        {head + "\nx\n", "## Performance Metrics\n| Phase | Plans | Total | Avg/Plan |\n|---|---|---|---|\n| 3 | 1/2 | 2h 10m | 1h 5m |\n\nx\n", took},
		"its row, with blanks": {head + "|  03. Lamp |0/2|  -  | -|\r\n", head + "|  03. Lamp |1/2|  2h 10m  | 1h 5m|\r\n", took},
		"nothing is timed":     {head + "| 3 | 0/2 | - | - |\n", head + "| 3 | 1/2 | - | - |\n", facts.Time{}},
		"no plan is done":      {head + "| 3 | 0/2 | - | - |\n", head + "| 3 | 1/2 | 2h 10m | - |\n", facts.Time{Total: took.Total}},
		"more is known there":  {head + "| 3 | 0/2 | 9h | 4h |\n", head + "| 3 | 1/2 | 9h | 4h |\n", took},
		"all is known":         {head + "| 3 | 0/2 | 9h | 4h |\n", head + "| 3 | 1/2 | 2h 10m | 1h 5m |\n", facts.Time{Total: took.Total, Average: took.Average, Whole: true}},
		"other words":          {head + "| 3 | 0/2 | ~3-5m per plan | x |\n", head + "| 3 | 1/2 | ~3-5m per plan | x |\n", took},
		"other columns":        {strings.Replace(head, " Avg/Plan |", "", 1) + "| 3 | 0/2 | - |\n", strings.Replace(head, " Avg/Plan |", "", 1) + "| 3 | 0/2 | - |\n", took},
		"another section":      {strings.Replace(head, "Performance Metrics", "Log", 1) + "| 3 | 0/2 | - | - |\n", strings.Replace(head, "Performance Metrics", "Log", 1) + "| 3 | 0/2 | - | - |\n", took},
		"an empty cell":        {head + "| 3 | | | |\n", head + "| 3 | 1/2 | 2h 10m | 1h 5m |\n", took},
	} {
		is := standing("03", 1, c.took)
		got := fixture.Applied(t, c.in, Spans(Differences(c.in, is)))
		if got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
		if again := Differences(got, is); len(again) > 0 {
			t.Errorf("%s: again %+v", name, again)
		}
	}
}

// TestDurationsInTheirUnit has a duration say what is true in the unit that it is written in, neither more nor less.
func TestDurationsInTheirUnit(t *testing.T) {
	whole := func(total, average int) facts.Time {
		return facts.Time{Total: model.Millis(total) * 1000, Average: model.Millis(average) * 1000, Whole: true}
	}
	for _, c := range []struct {
		name, in, want string
		took           facts.Time
	}{
		{"Average duration", "3 minutes", "2 minutes", whole(375, 125)},
		{"Average duration", "2 minutes", "", whole(375, 125)},
		{"Average duration", "2m 5s", "", whole(375, 125)},
		{"Average duration", "2m 50s", "2 minutes", whole(375, 125)},
		{"Average duration", "1 minute", "2 minutes", whole(375, 125)},
		{"Average duration", "3 minutes", "", whole(375, 155)}, // to the nearest
		{"Average duration", "~3 minutes", "", whole(375, 125)},
		{"Total execution time", "0 hours", "0.5 hours", whole(29*60, 0)},
		{"Total execution time", "0.9 hours", "0.5 hours", whole(29*60, 0)},
		{"Total execution time", "0.5 hours", "", whole(29*60, 0)},
		{"Total execution time", "0.4 hours", "", whole(29*60, 0)},
		{"Total execution time", "1 hour", "", whole(62*60, 0)},
		{"Total execution time", "5 hours", "1 hour", whole(62*60, 0)},
		{"Total execution time", "2h", "2h 28m", whole(148*60, 0)},
		{"Total execution time", "2 hours", "2.5 hours", whole(148*60, 0)},
		{"Total execution time", "5 hours", "2 hours", whole(118*60, 0)},
		{"Total execution time", "0 hours", "30s", whole(30, 0)},
		{"Total execution time", "6m", "", whole(375, 0)},
		{"Total execution time", "7m", "6m", whole(375, 0)},
		{"Total execution time", "9h", "", facts.Time{Total: 375_000}}, // it may know of more
	} {
		is := standing("03", 1, c.took)
		text := "## Performance Metrics\n- " + c.name + ": " + c.in + "\n"
		want := c.want
		if want == "" {
			want = c.in
		}
		got := fixture.Applied(t, text, Spans(Differences(text, is)))
		if got != strings.Replace(text, c.in, want, 1) || len(Differences(got, is)) > 0 {
			t.Errorf("%s: %s is %q, want %q; then %+v", c.name, c.in, got, want, Differences(got, is))
		}
	}
}

// TestOddPositions has reader and writer take the same lines.
func TestOddPositions(t *testing.T) {
	is := standing("03", 1, facts.Time{})
	for name, c := range map[string]struct{ in, want string }{
		"an example in a fence": {"## Current Position\n```\nPhase: 1 of 2\nProgress: 9%\n```\nPhase: 3 of 3\nPlan: 9 of 2\nProgress: 0%\n", "## Current Position\n```\nPhase: 1 of 2\nProgress: 9%\n```\nPhase: 3 of 3\nPlan: 1 of 2\nProgress: 50%\n"},
		"a heading in a fence":  {"~~~~\n## Current Position\nPhase: 1 of 2\n~~~\n~~~~\n## Current Position\nPhase: 3 of 3\nPlan: 9 of 2\n", "~~~~\n## Current Position\nPhase: 1 of 2\n~~~\n~~~~\n## Current Position\nPhase: 3 of 3\nPlan: 1 of 2\n"},
		"no-break blanks":       {"## Current Position\nPhase:\u00A03 of 3\nPlan:\u00A0 9 of 2\n", "## Current Position\nPhase:\u00A03 of 3\nPlan:\u00A0 1 of 2\n"},
		"without any heading":   {"Phase: 3\nPlan: 03-01\nStatus: Complete\nProgress: 0%\n", "Phase: 3\nPlan: 03-01\nStatus: In progress\nProgress: 50%\n"},
	} {
		got := fixture.Applied(t, c.in, Spans(Differences(c.in, is)))
		if got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
		if again := Differences(got, is); len(again) > 0 {
			t.Errorf("%s: again %+v", name, again)
		}
		if s, _ := facts.ParseState(c.in); s.Phase != "3" {
			t.Errorf("%s: the phase is read as %q", name, s.Phase)
		}
	}
}
