package record

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"gatehouse/parse/conformance"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/statemd"
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
		spans, outcome := syncPlan(string(r.Plan), r.Result.Status, r.Result.Task_Name, r.Date)
		got, err := protocol.Apply(string(r.Plan), spans)
		if err != nil || got != string(r.Expected) || outcome != r.Outcome || (len(spans) > 0) != r.Changed {
			t.Errorf("%s, %v, changed %v, want %s, %v\n%s\nwant\n%s", outcome, err, len(spans) > 0, r.Outcome, r.Changed, got, r.Expected)
		}
	})
}

func TestConformanceResults(t *testing.T) {
	type row struct {
		YAML          string
		PlanTasks     []core.TaskDoc `json:"plan_tasks"`
		ExistingFiles []string       `json:"existing_files"`
		Expected      string
		Reasons       []string
		Errors        []string
		Warnings      []string
	}
	conformance.Rows(t, "results.jsonl", func(t *testing.T, r row) {
		v := validateResult(r.YAML, against{tasks: r.PlanTasks, exists: func(file string) bool { return slices.Contains(r.ExistingFiles, file) }})
		if v.Outcome != r.Expected || !slices.Equal(v.Reasons(), r.Reasons) || !slices.Equal(v.Errors, r.Errors) || !slices.Equal(v.Warnings, r.Warnings) {
			t.Errorf("%s %q %q %q\nwant %s %q %q %q\n%s", v.Outcome, v.Reasons(), v.Errors, v.Warnings, r.Expected, r.Reasons, r.Errors, r.Warnings, r.YAML)
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
		var results []*core.Log
		for _, x := range r.Results {
			d := &core.Log{Plan: x.Plan, Status: x.Status, Attempt: x.Attempt, Files: len(x.Files)}
			if x.Took != nil {
				d.TookMS, d.Timed = *x.Took, true
			}
			results = append(results, d)
		}
		var got map[string]any
		d := &statemd.Daily{Date: r.Date}
		for _, l := range results {
			d.AddLog(l)
		}
		text, err := dailyText("", d)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil || !reflect.DeepEqual(got, r.Expected) {
			t.Errorf("%v\n%s\nwant\n%v", err, text, r.Expected)
		}
	})
}

func TestConformanceTransitions(t *testing.T) {
	type row struct {
		Machine, From, To, Event string
		Error                    *string
		GateStep                 int `json:"gate_step"`
		AttemptDelta             int `json:"attempt_delta"`
	}
	conformance.RowsFrom(t, "../../loop", "transitions.jsonl", func(t *testing.T, r row) {
		if r.Machine != "ultraplan_gate" {
			return
		}
		got, refused := row{}, "E_FORBIDDEN"
		if s := findStep(r.From, r.Event); s != nil {
			got, refused = row{To: s.to, GateStep: s.step, AttemptDelta: s.attempts}, ""
		} else if r.Event == "user_skip" && core.CanDecide(r.From, core.Skip, false) {
			got, refused = row{To: core.GateSkipped}, ""
		} else if core.GateStatus(r.From) != r.From {
			refused = "E_UNKNOWN_STATUS"
		}
		want := ""
		if r.Error != nil {
			want = *r.Error
		}
		if refused != want || got != (row{To: r.To, GateStep: r.GateStep, AttemptDelta: r.AttemptDelta}) {
			t.Errorf("%+v, %q, want %+v", got, refused, r)
		}
	})
}
