package ultraplan

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/conformance"
	"gatehouse/parse/edit"
)

func TestConformancePlanSync(t *testing.T) {
	type row struct {
		Plan     []byte `json:"plan_b64"`
		Result   struct{ Status, Task_Name string }
		Date     string
		Expected []byte `json:"expected_b64"`
		Outcome  string
		Changed  bool
	}
	conformance.Rows(t, "plan_sync.jsonl", func(t *testing.T, r row) {
		spans, outcome := SyncPlan(string(r.Plan), r.Result.Status, r.Result.Task_Name, r.Date)
		got, err := edit.Apply(string(r.Plan), spans)
		if err != nil || got != string(r.Expected) || outcome != r.Outcome || (len(spans) > 0) != r.Changed {
			t.Errorf("%s, %v, changed %v, want %s, %v\n%s\nwant\n%s", outcome, err, len(spans) > 0, r.Outcome, r.Changed, got, r.Expected)
		}
	})
}

func TestConformanceResults(t *testing.T) {
	type row struct {
		YAML          string
		PlanTasks     []PlanTask `json:"plan_tasks"`
		ExistingFiles []string   `json:"existing_files"`
		Expected      string
		Reasons       []string
		Errors        []string
		Warnings      []string
	}
	conformance.Rows(t, "results.jsonl", func(t *testing.T, r row) {
		v := Validate(r.YAML, r.PlanTasks, func(file string) bool { return slices.Contains(r.ExistingFiles, file) })
		if v.Outcome != r.Expected || !slices.Equal(v.Reasons(), r.Reasons) || !slices.Equal(v.Errors, r.Errors) || !slices.Equal(v.Warnings, r.Warnings) {
			t.Errorf("%s %q %q %q\nwant %s %q %q %q\n%s", v.Outcome, v.Reasons(), v.Errors, v.Warnings, r.Expected, r.Reasons, r.Errors, r.Warnings, r.YAML)
		}
	})
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

func TestConformanceDaily(t *testing.T) {
	type row struct {
		Date    string
		Results []struct {
			Status  string
			Took    *int64 `json:"duration_ms"`
			Attempt int
			Plan    string   `json:"plan_id"`
			Files   []string `json:"files_modified"`
		}
		Expected map[string]any
	}
	conformance.Rows(t, "daily.jsonl", func(t *testing.T, r row) {
		var results []DailyResult
		for _, x := range r.Results {
			d := DailyResult{Plan: x.Plan, Outcome: x.Status, Attempt: x.Attempt, Files: len(x.Files)}
			if x.Took != nil {
				d.Took, d.Timed = model.Millis(*x.Took), true
			}
			results = append(results, d)
		}
		var got map[string]any
		text := NewDaily(r.Date, results).Text()
		if err := json.Unmarshal([]byte(text), &got); err != nil || !reflect.DeepEqual(got, r.Expected) {
			t.Errorf("%v\n%s\nwant\n%v", err, text, r.Expected)
		}
	})
}
