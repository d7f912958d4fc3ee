package rules

import (
	"fmt"
	"strings"
	"testing"
)

func TestCompareNumbers(t *testing.T) {
	order := []string{"0", "1", "1.1", "2", "2.5", "2.10", "3", "10", "99999999999999999999999"}
	for i, a := range order {
		for j, b := range order {
			if got := CompareNumbers("0"+a, b); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("%s and %s: %d", a, b, got)
			}
		}
	}
	for in, want := range map[string]string{"9": "10", "199": "200", "0": "1", "08": "9"} {
		if got := successor(in); got != want {
			t.Errorf("after %s comes %s", in, got)
		}
	}
}

// TestPhaseBeyondTheTotal: the phase to plan next is never beyond how many there are.
func TestPhaseBeyondTheTotal(t *testing.T) {
	phases := []Phase{{Dir: "01-x", Number: "01", Plans: []Plan{{ID: "01-01", Done: true}}}, {Dir: "02-y", Number: "02", Plans: []Plan{{ID: "02-01", Done: true}}}}
	for claimed, want := range map[string]string{"": "P3 · next plan-phase 3", "2": "P3/3 · next plan-phase 3", "5": "P3/5 · next plan-phase 3"} {
		u := Line(phases, &State{Phase: "2", PhaseTotal: claimed}, nil, func() []RoadmapPhase { return []RoadmapPhase{{Number: "1"}, {Number: "2"}, {Number: "3"}} })
		if got := string(u.AppendCompact(nil)); got != want {
			t.Errorf("of %q: %q, want %q", claimed, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"03-02-PLAN.md": "03-02 false", "3-2-SUMMARY.md": "3-2 true", "02.5-01-PLAN.md": "02.5-01 false", "03-RESEARCH.md": "", "03-PLAN.md": "",
		"03-02-plan.md": "", "PLAN.md": "", "03-02-PLAN.md.bak": "", "-1-2-PLAN.md": "", "03-02-x-PLAN.md": "",
	} {
		got := ""
		if id, summary, ok := PlanFile(name); ok {
			got = fmt.Sprint(id, " ", summary)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]bool{"03-auth": true, "2.5-x": true, "3": false, "3-": false, "notes": false, "03auth": false, "-x": false} {
		if _, _, ok := PhaseDir(name); ok != want {
			t.Errorf("%s: %v", name, ok)
		}
	}
}

func FuzzLine(f *testing.F) {
	for _, s := range []string{
		"", "## Current Position\n\nPhase: 7 of 8 (x)\nPlan: 2 of 4\nStatus: In progress\n\ncurrent_task:\n  name: 'a\n  plan: 03-01\n  gate_status: FAILED\n",
		"- [x] **Phase 3: N** - SKIPPED\n### Phase 18.5 (X): y\n```\n- [ ] Phase 1: z\n", "Phase: 99999999999999999999 of 1)(\r\nPlan: -\nStatus:", "{\"plan_id\":\"1-1\",\"tasks\":[{\"status\":\"in_progress\"},1,null]}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := ParseState(text)
		a, _, _ := NewPhase("01-a", []string{"01-01-PLAN.md", "01-02-PLAN.md", "01-01-SUMMARY.md"})
		facts := Line([]Phase{a}, &s, SessionPlans(text), func() []RoadmapPhase { return RoadmapPhases(text) })
		if scene, _ := facts.Scene(); scene == 3 || scene == 4 {
			t.Errorf("scene %d with a plan open", scene)
		}
		Line(nil, &s, nil, func() []RoadmapPhase { return RoadmapPhases(text) })
		for _, ph := range RoadmapPhases(text) {
			if ph.Line < 1 || ph.Line > strings.Count(text, "\n")+1 || ph.Number == "" {
				t.Errorf("%+v", ph)
			}
		}
	})
}

func TestDependsOn(t *testing.T) {
	for text, want := range map[string]string{
		"---\ndepends_on: [\"03-01\", 03-02]\n---\n": "03-01|03-02", "---\ndepends_on:\n  - 03-01\n  - '02' # x\nwave: 1\n---\n": "03-01|02", "---\ndepends_on: []\n---\n": "",
		"---\ndepends_on: 03-01, 03-02 # both\n---\n": "03-01|03-02", "depends_on: [1]\n": "", "---\nx: [1]\ndepends_on:\n- a\n---\n": "a", "---\ndepends_on: # none\n---\n": "",
	} {
		if got := strings.Join(DependsOn(text), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for entry, want := range map[string]string{"03-01": "03-01", "01": "02-01", "a/b/03-01-PLAN.md": "03-01", "03-01.md": "03-01", "": "02-"} {
		if got := Dependency(entry, "02"); got != want {
			t.Errorf("%q: %q, want %q", entry, got, want)
		}
	}
}

// What comes next waits for no other plan; where all wait it is the first.
func TestFree(t *testing.T) {
	phases := []Phase{{Dir: "01-a", Number: "01", Plans: []Plan{{ID: "01-01", Done: true}, {ID: "01-02"}, {ID: "01-03"}}}, {Dir: "02-b", Number: "02", Plans: []Plan{{ID: "02-01"}}}}
	for want, texts := range map[string]map[string]string{
		"01-02": {"01-02": "---\ndepends_on: [01]\n---\n"}, "01-03": {"01-02": "---\ndepends_on: [01-03]\n---\n"}, "02-01": {"01-02": "---\ndepends_on: [02-01]\n---\n", "01-03": "---\ndepends_on: [01-02]\n---\n"},
	} {
		u := Line(phases, &State{}, nil, nil)
		Free(&u, phases, func(_, id string) string { return texts[id] })
		if u.Next != want {
			t.Errorf("%q, want %q", u.Next, want)
		}
	}
	u := Line(phases, &State{}, nil, nil)
	Free(&u, phases, func(string, string) string { return "---\ndepends_on: [01-02, 01-03, 02-01]\n---\n" })
	if u.Next != "01-02" || !u.NextWaits {
		t.Error(u.Next, u.NextWaits)
	}
}

// A plan comes once the lower waves of its phase are done; one that names no wave neither waits nor is waited for.
func TestFreeHeedsWaves(t *testing.T) {
	for _, c := range []struct {
		waves [3]string // of 01-01, 01-02 and 01-03
		done  bool      // 01-03 is
		want  string
	}{
		{[3]string{"wave: 3", "wave: 2", "wave: 1"}, false, "01-03"}, {[3]string{"wave: 3", "wave: 2", "wave: 1"}, true, "01-02"},
		{[3]string{"wave: 1", "wave: 2", "wave: \"0\" # first"}, false, "01-03"}, {[3]string{"wave: 10", "wave: 9", ""}, false, "01-02"},
		{[3]string{"", "wave: 2", "wave: 1"}, false, "01-01"}, {[3]string{"wave: 2", "wave: soon", "wave: 1"}, false, "01-02"},
		{[3]string{"wave: 2\nwave: 1", "wave: 1", "wave: 1"}, false, "01-01"}, {[3]string{"wave: 02", "wave: 2", "wave: 2"}, false, "01-01"},
		{[3]string{"wave: 2", "wave: 1\ndepends_on: [01-03]", "wave: 2"}, false, "02-01"},
	} {
		phases := []Phase{
			{Dir: "01-a", Number: "01", Plans: []Plan{{ID: "01-01"}, {ID: "01-02"}, {ID: "01-03", Done: c.done}}},
			{Dir: "02-b", Number: "02", Plans: []Plan{{ID: "02-01"}}}, // waves are those of a phase
		}
		texts := map[string]string{"01-01": c.waves[0], "01-02": c.waves[1], "01-03": c.waves[2], "02-01": "wave: 9"}
		u := Line(phases, &State{}, nil, nil)
		Free(&u, phases, func(_, id string) string { return "---\n" + texts[id] + "\n---\n" })
		if u.Next != c.want || u.NextWaits {
			t.Errorf("%q: %q, want %q", c.waves, u.Next, c.want)
		}
	}
}

// TestPhasesPutInBetween counts phases by their number and by how many there are: "3 of 3" and "3 of 4" are both right of 1, 2, 2.5 and
// 3, and neither has a phase 4 to come.
func TestPhasesPutInBetween(t *testing.T) {
	for _, c := range []struct {
		dirs    []string
		claimed string
		total   string
		toPlan  string
	}{
		{[]string{"01", "02", "02.5", "03"}, "3", "3", ""}, {[]string{"01", "02", "02.5", "03"}, "4", "4", ""}, {[]string{"01", "02", "02.5", "03"}, "2", "3", ""}, {[]string{"01", "02", "02.5", "03"}, "5", "5", "4"},
		{[]string{"00", "01", "02"}, "2", "2", ""}, {[]string{"00", "01", "02"}, "3", "3", ""}, {[]string{"00", "01", "02"}, "1", "2", ""}, {[]string{"03"}, "1", "3", ""}, {[]string{"03"}, "2", "3", ""}, {[]string{"05", "06"}, "2", "6", ""}, {[]string{"05", "06"}, "6", "6", ""}, {[]string{"05", "06"}, "7", "7", "7"},
		{[]string{"01", "02"}, "1", "2", ""}, {[]string{"01", "02"}, "", "", ""}, {[]string{"01", "02"}, "3", "3", "3"}, {[]string{"01", "01", "02.1"}, "2", "2", ""},
	} {
		var phases []Phase
		for _, n := range c.dirs {
			phases = append(phases, Phase{Dir: n + "-x", Number: n, Plans: []Plan{{ID: n + "-01", Done: true}}})
		}
		u := Line(phases, &State{Phase: c.dirs[len(c.dirs)-1], PhaseTotal: c.claimed}, nil, func() []RoadmapPhase { return nil })
		if u.PhaseTotal != c.total || u.ToPlan != c.toPlan || u.Complete != (c.toPlan == "") {
			t.Errorf("%v of %q: of %q, to plan %q, complete %v", c.dirs, c.claimed, u.PhaseTotal, u.ToPlan, u.Complete)
		}
	}
}

// TestPositionBelowAnUnderlinedHeading: the position is that of its section, whichever way its heading is drawn.
func TestPositionBelowAnUnderlinedHeading(t *testing.T) {
	for _, heading := range []string{"## Current Position\n", "Current Position\n================\n", "Current Position\n----------------\n"} {
		s := ParseState("Project State\n=============\nPhase: 9 of 9\n\n" + heading + "Phase: 2 of 3 (Lamp)\nPlan: 1 of 2\n\nSession\n-------\nStatus: old\n")
		if s.Phase != "2" || s.PhaseTotal != "3" || s.Plan != "1" || s.Status != "" {
			t.Errorf("%q: %+v", heading, s)
		}
	}
}
