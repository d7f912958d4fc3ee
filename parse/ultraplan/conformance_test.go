package ultraplan

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/text/edit"
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
		got, err := edit.Apply(string(r.Plan), spans)
		if err != nil || got != string(r.Expected) || outcome != r.Outcome || (len(spans) > 0) != r.Changed {
			t.Errorf("%s, %v, changed %v, want %s, %v\n%s\nwant\n%s", outcome, err, len(spans) > 0, r.Outcome, r.Changed, got, r.Expected)
		}
	})
}

func TestConformanceResults(t *testing.T) {
	type row struct {
		YAML          string
		PlanTasks     []planTask `json:"plan_tasks"`
		ExistingFiles []string   `json:"existing_files"`
		Expected      string
		Reasons       []string
		Errors        []string
		Warnings      []string
	}
	conformance.Rows(t, "results.jsonl", func(t *testing.T, r row) {
		v := validate(r.YAML, r.PlanTasks, func(file string) bool { return slices.Contains(r.ExistingFiles, file) })
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
			spans, outcome = setField(before, r.Args[0].(string), r.Args[1].(string))
		case "set_progress":
			spans, outcome = setProgress(before, int(r.Args[0].(float64)), int(r.Args[1].(float64)))
		case "add_blocker":
			spans, outcome = addBlocker(before, r.Args[0].(string))
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
		var results []dailyResult
		for _, x := range r.Results {
			d := dailyResult{Plan: x.Plan, Outcome: x.Status, Attempt: x.Attempt, Files: len(x.Files)}
			if x.Took != nil {
				d.Took, d.Timed = model.Millis(*x.Took), true
			}
			results = append(results, d)
		}
		var got map[string]any
		text := newDaily(r.Date, results).Text()
		if err := json.Unmarshal([]byte(text), &got); err != nil || !reflect.DeepEqual(got, r.Expected) {
			t.Errorf("%v\n%s\nwant\n%v", err, text, r.Expected)
		}
	})
}

func TestConformanceFilesystem(t *testing.T) {
	type phaseRow struct {
		Dir        string
		Status     string
		Plans      int
		Completed  int
		Percent    int
		PlanStatus map[string]string `json:"plan_status"`
		Orphans    []string          `json:"orphan_summaries"`
	}
	type row struct {
		Files, Dirs []string
		Root        string
		Expected    struct {
			Phases    []phaseRow
			Total     int `json:"total_plans"`
			Completed int `json:"completed_plans"`
			Percent   int
			Bar20     string
			Bar10     string
		}
	}
	conformance.Rows(t, "filesystem.jsonl", func(t *testing.T, r row) {
		dir := t.TempDir()
		// Another tree than .planning/phases is put into its place.
		here := func(name string) string {
			if rest, ok := strings.CutPrefix(name, r.Root); ok {
				name = phasesDir + "/" + rest
			} else if strings.HasPrefix(name, phasesDir+"/") {
				name = Planning + "/other/" + name
			}
			return filepath.Join(dir, filepath.FromSlash(name))
		}
		for _, name := range append(r.Dirs, Home+"/logs", phasesDir) {
			must(t, os.MkdirAll(here(name+"/"), 0o755))
		}
		for _, name := range r.Files {
			put(t, here(name), "# x\n")
		}
		c := (&Reader{m: mirror.New(dir)}).read(now)
		var got []phaseRow
		for _, p := range c.phases {
			n := p.count()
			if n != nodeOf(t, c.b, p.id).Count {
				t.Errorf("%s: the row counts otherwise than %v", p.Dir, n)
			}
			one := phaseRow{Dir: p.Dir, Status: treeWord(n), Plans: n.Total, Completed: n.Done, Percent: n.Floor(), PlanStatus: map[string]string{}, Orphans: append([]string{}, p.orphans...)}
			for _, s := range p.plans {
				one.PlanStatus[s.ID] = "in_progress"
				if nodeOf(t, c.b, s.node).Status == model.Done {
					one.PlanStatus[s.ID] = "complete"
				}
			}
			got = append(got, one)
		}
		e := r.Expected
		if len(got)+len(e.Phases) > 0 && !reflect.DeepEqual(got, e.Phases) {
			t.Errorf("phases\n%+v\nwant\n%+v", got, e.Phases)
		}
		pr := c.b.Progress
		if pr.Plans != (model.Count{Done: e.Completed, Total: e.Total}) || pr.Percent != e.Percent {
			t.Errorf("%d %%, %v plans, want %d %%, %d/%d", pr.Percent, pr.Plans, e.Percent, e.Completed, e.Total)
		}
		if bar := Bar(pr.Percent, 20, '#', '░'); bar != e.Bar20 {
			t.Errorf("bar %s, want %s", bar, e.Bar20)
		}
		if bar := Bar(pr.Percent, 10, '█', '░'); bar != e.Bar10 {
			t.Errorf("bar %s, want %s", bar, e.Bar10)
		}
		if line := string(c.b.Header.AppendFull(nil)); e.Total > 0 && !strings.Contains(line, fmt.Sprintf("] %d%%", e.Percent)) {
			t.Errorf("the line says %q", line)
		}
	})
}

func TestConformanceTrend(t *testing.T) {
	type row struct {
		Durations []*float64 `json:"durations_oldest_first"`
		Expected  model.Trend
	}
	conformance.Rows(t, "trend.jsonl", func(t *testing.T, r row) {
		var known []model.Millis
		for _, d := range r.Durations {
			if d != nil {
				known = append(known, model.Millis(*d*1000))
			}
		}
		if got := model.TrendOf(known); got != r.Expected {
			t.Errorf("%v is %s, want %s", known, got, r.Expected)
		}
	})
}
