package ultraplan

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/model/modeltest"
	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
	"gatehouse/parse/ultraplan/statemd"
)

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
		// A row may have another root than .planning/phases: its files are put there.
		here := func(name string) string {
			if rest, ok := strings.CutPrefix(name, r.Root); ok {
				name = core.PhasesDir + "/" + rest
			} else if strings.HasPrefix(name, core.PhasesDir+"/") {
				name = core.Planning + "/other/" + name
			}
			return filepath.Join(dir, filepath.FromSlash(name))
		}
		for _, name := range append(r.Dirs, Home+"/logs", core.PhasesDir) {
			fixture.Must(t, os.MkdirAll(here(name+"/"), 0o755))
		}
		for _, name := range r.Files {
			fixture.Put(t, here(name), "# x\n")
		}
		c := (&Reader{m: mirror.New(dir)}).open(fixture.Now)
		var got []phaseRow
		for _, p := range c.Phases {
			n := modeltest.Node(t, c.Build, phaseID(p)).Count
			if done, total := p.Count(); n != (model.Count{Done: done, Total: total}) {
				t.Errorf("%s: the row counts otherwise than %v", p.Dir, n)
			}
			one := phaseRow{Dir: p.Dir, Status: p.Word(), Plans: n.Total, Completed: n.Done, Percent: n.Floor(), PlanStatus: map[string]string{}, Orphans: append([]string{}, p.Orphans...)}
			for _, s := range p.Plans {
				one.PlanStatus[s.ID] = "in_progress"
				if modeltest.Node(t, c.Build, planID(s)).Status == model.Done {
					one.PlanStatus[s.ID] = "complete"
				}
			}
			got = append(got, one)
		}
		e := r.Expected
		if len(got)+len(e.Phases) > 0 && !reflect.DeepEqual(got, e.Phases) {
			t.Errorf("phases\n%+v\nwant\n%+v", got, e.Phases)
		}
		pr := c.Build.Progress
		if pr.Plans != (model.Count{Done: e.Completed, Total: e.Total}) || pr.Percent != e.Percent {
			t.Errorf("%d %%, %v plans, want %d %%, %d/%d", pr.Percent, pr.Plans, e.Percent, e.Completed, e.Total)
		}
		if bar := statemd.DrawBar(pr.Percent, 20, '#', '░'); bar != e.Bar20 {
			t.Errorf("bar %s, want %s", bar, e.Bar20)
		}
		if bar := statemd.DrawBar(pr.Percent, 10, '█', '░'); bar != e.Bar10 {
			t.Errorf("bar %s, want %s", bar, e.Bar10)
		}
		if line := line.Full(c.Build.Header); e.Total > 0 && !strings.Contains(line, fmt.Sprintf("] %d%%", e.Percent)) {
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
