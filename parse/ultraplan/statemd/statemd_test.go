package statemd

import (
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/conformance"
	"gatehouse/parse/text/edit"
	"gatehouse/parse/ultraplan/fixture"
)

func TestRemoveBlockerTakesOutWhatWasAdded(t *testing.T) {
	for _, text := range []string{"## Blockers\n- a\n", "## Blockers\r\n\r\n- a\r\n\r\n## Next\r\n", "## Blockers\n\n## Next\n"} {
		spans, _ := AddBlocker(text, "Task 1: x: y")
		with, err := edit.Apply(text, spans)
		fixture.Must(t, err)
		if with == text {
			t.Fatalf("%q: nothing added", text)
		}
		without, err := edit.Apply(with, RemoveBlocker(with, "Task 1: x: y"))
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
		got, err := edit.Apply(string(r.Before), spans)
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

// FuzzPhaseRow holds that at most one line of the table changes, or one comes in, and that it can be undone.
func FuzzPhaseRow(f *testing.F) {
	for _, s := range append(fixture.Seeds, fixture.RestingState, strings.ReplaceAll(fixture.RestingState, "\n", "\r\n"), "## Performance Metrics\n|Phase|Plans|Total|Avg/Plan|\n|-|-|-|-|\n|3\\|| | a\\||") {
		f.Add(s, "03", 2)
	}
	f.Fuzz(func(t *testing.T, text, number string, timed int) {
		if strings.Trim(number, "0123456789.") != "" {
			return // no phase is called so
		}
		spans := SetPhaseRow(text, number, model.Count{Done: 1, Total: 2}, 90_000, timed)
		after, err := edit.Apply(text, spans)
		if err != nil {
			t.Fatal(err)
		}
		if old, now := fixture.Changed(text, after); len(old) > 1 || len(now) > 2 {
			t.Errorf("%q became %q", old, now)
		}
		if back, err := edit.Apply(after, edit.Invert(spans)); err != nil || back != text {
			t.Errorf("can't be taken back: %v", err)
		}
	})
}

func TestSetPhaseRow(t *testing.T) {
	const head = "## Performance Metrics\n| Phase | Plans | Total | Avg/Plan |\n|---|---|---|---|\n"
	half := model.Count{Done: 1, Total: 2}
	for name, c := range map[string]struct {
		in, want string
		timed    int
	}{
		"the template's":       {head + "| - | - | - | - |\n", head + "| 3 | 1/2 | 2h 10m | 1h 5m |\n", 2},
		"behind the last":      {head + "| 1 | 5/5 | 1h | 12m |\nx\n", head + "| 1 | 5/5 | 1h | 12m |\n| 3 | 1/2 | 2h 10m | 1h 5m |\nx\n", 2},
		"without a row":        {head + "\nx\n", "## Performance Metrics\n| Phase | Plans | Total | Avg/Plan |\n|---|---|---|---|\n| 3 | 1/2 | 2h 10m | 1h 5m |\n\nx\n", 2},
		"its row, with blanks": {head + "|  03. Lamp |0/2|  -  | -|\r\n", head + "|  03. Lamp |1/2|  2h 10m  | 1h 5m|\r\n", 2},
		"nothing is timed":     {head + "| 3 | 0/2 | - | - |\n", head + "| 3 | 1/2 | - | - |\n", 0},
		"more is known there":  {head + "| 3 | 0/2 | 9h | 4h |\n", head + "| 3 | 1/2 | 9h | 4h |\n", 2},
		"other words":          {head + "| 3 | 0/2 | ~3-5m per plan | x |\n", head + "| 3 | 1/2 | ~3-5m per plan | x |\n", 2},
		"other columns":        {strings.Replace(head, " Avg/Plan |", "", 1) + "| 3 | 0/2 | - |\n", strings.Replace(head, " Avg/Plan |", "", 1) + "| 3 | 0/2 | - |\n", 2},
		"another section":      {strings.Replace(head, "Performance Metrics", "Log", 1) + "| 3 | 0/2 | - | - |\n", strings.Replace(head, "Performance Metrics", "Log", 1) + "| 3 | 0/2 | - | - |\n", 2},
		"an empty cell":        {head + "| 3 | | | |\n", head + "| 3 | 1/2 | 2h 10m | 1h 5m |\n", 2},
	} {
		got := fixture.Applied(t, c.in, SetPhaseRow(c.in, "03", half, 7_800_000, c.timed))
		if got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
		if again := SetPhaseRow(got, "03", half, 7_800_000, c.timed); len(again) > 0 {
			t.Errorf("%s: again %+v", name, again)
		}
	}
}
