package record

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/ultraplan"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
)

// stateWith returns freshState with other values of fields, and other rows of the table.
func stateWith(fields map[string]string, rows ...string) string {
	state := freshState
	for name, value := range fields {
		state = regexp.MustCompile(`(?m)^((?:- |\*\*)?`+regexp.QuoteMeta(name)+`:(?:\*\*)?) .*$`).ReplaceAllString(state, "${1} "+value)
	}
	if len(rows) > 0 {
		state = strings.Replace(state, "| - | - | - | - |", strings.Join(rows, "\n"), 1)
	}
	return state
}

// fieldOf returns a field of a STATE.md.
func fieldOf(state, name string) string {
	m := regexp.MustCompile(`(?m)^(?:- |\*\*)?` + regexp.QuoteMeta(name) + `:(?:\*\*)? (.*)$`).FindStringSubmatch(state)
	if m == nil {
		return ""
	}
	return m[1]
}

// planFile returns the file of a plan in phase 1 "quay", 2 "lamp" or 3 "sea".
func planFile(phase, plan int, kind string) string {
	return fmt.Sprintf(".planning/phases/%02d-%s/%02d-%02d-%s.md", phase, []string{"quay", "lamp", "sea"}[phase-1], phase, plan, kind)
}

// planned returns the PLAN files of phases with so many plans each, each plan with two tasks.
func planned(plans ...int) map[string]string {
	files := map[string]string{}
	for phase, n := range plans {
		for plan := range n {
			files[planFile(phase+1, plan+1, "PLAN")] = plannedTasks(2)
		}
	}
	return files
}

// projectWith makes a project; it adds the summaries of plans {phase, plan}.
func projectWith(t *testing.T, files map[string]string, state string, done ...[2]int) string {
	t.Helper()
	all := maps.Clone(files)
	all[".planning/STATE.md"] = state
	for _, d := range done {
		all[planFile(d[0], d[1], "SUMMARY")] = "---\n---\n"
	}
	return fixture.Project(t, all)
}

// syncState syncs STATE.md if something is left to sync, and fails unless a second sync would change nothing.
func syncState(t *testing.T, dir string) string {
	t.Helper()
	if b := readerOf(dir).Read(fixture.Now); len(b.Can) > 0 {
		fixture.Put(t, filepath.Join(dir, ".planning/STATE.md"), syncOf(t, dir, read1(t, dir, ".planning/STATE.md")))
	}
	wantTrue(t, dir, "synced")
	return read1(t, dir, ".planning/STATE.md")
}

func wantFields(t *testing.T, name, state string, want map[string]string) {
	t.Helper()
	for field, value := range want {
		if got := fieldOf(state, field); got != value {
			t.Errorf("%s: %s is %q, want %q", name, field, got, value)
		}
	}
}

func TestVelocityCountsTheSamePlans(t *testing.T) {
	t.Run("earlier milestones", func(t *testing.T) {
		dir := projectWith(t, planned(3, 3, 3), stateWith(map[string]string{"Total plans completed": "23", "Average duration": "3.7 min", "Total execution time": "85 min", "Last 5 plans": "4m, 3m, 5m, 4m, 3m", "Trend": "Stable"}))
		captureOf(t, dir, Report{Text: partResult(1, "success", 1, 120_000), Plan: "01-01"})
		wantFields(t, "first capture", syncState(t, dir), map[string]string{"Total plans completed": "23", "Average duration": "3.7 min", "Total execution time": "1h 27m", "Last 5 plans": "4m, 3m, 5m, 4m, 3m", "Trend": "Stable"})
		fixture.Put(t, filepath.Join(dir, planFile(1, 1, "SUMMARY")), "")
		captureOf(t, dir, Report{Text: partResult(2, "success", 1, 240_000), Plan: "01-01"})
		wantFields(t, "first plan", syncState(t, dir), map[string]string{"Total plans completed": "24", "Average duration": "3.7 min", "Total execution time": "1h 31m", "Last 5 plans": "3m, 5m, 4m, 3m, 6m", "Trend": "Stable"})
	})
	known := map[string]string{"Phase": "2 of 2 (lamp)", "Current focus": "Phase 2 - lamp", "Total plans completed": "3", "Average duration": "20 minutes", "Total execution time": "1h", "Last 5 plans": "20m, 18m, 22m"}
	for _, isEarly := range []bool{true, false} {
		t.Run(fmt.Sprint("plans without logs, summary first ", isEarly), func(t *testing.T) {
			dir := projectWith(t, planned(3, 3), stateWith(known, "| 1 | 3/3 | 1h | 20m |"), [2]int{1, 1}, [2]int{1, 2}, [2]int{1, 3})
			captureOf(t, dir, Report{Text: partResult(1, "success", 1, 600_000), Plan: "02-01"})
			if isEarly {
				fixture.Put(t, filepath.Join(dir, planFile(2, 1, "SUMMARY")), "")
			}
			captureOf(t, dir, Report{Text: partResult(2, "success", 1, 1_200_000), Plan: "02-01"})
			if !isEarly {
				fixture.Put(t, filepath.Join(dir, planFile(2, 1, "SUMMARY")), "")
			}
			wantFields(t, "", syncState(t, dir), map[string]string{"Total plans completed": "4", "Average duration": "22 minutes", "Total execution time": "1h 30m", "Last 5 plans": "20m, 18m, 22m, 30m"})
		})
	}
	t.Run("one of three plans is timed", func(t *testing.T) {
		files := planned(3, 3)
		files[planFile(1, 1, "SUMMARY")] = "---\nduration: 5min\n---\n"
		said := map[string]string{"Phase": "2 of 2 (lamp)", "Current focus": "Phase 2 - lamp", "Total plans completed": "3", "Average duration": "19 minutes", "Total execution time": "57m", "Last 5 plans": "20m, 18m, 19m"}
		dir := fixture.Project(t, files)
		fixture.Put(t, filepath.Join(dir, planFile(1, 2, "SUMMARY")), "")
		fixture.Put(t, filepath.Join(dir, planFile(1, 3, "SUMMARY")), "")
		fixture.Put(t, filepath.Join(dir, ".planning/STATE.md"), stateWith(said, "| 1 | 3/3 | 57m | 19m |"))
		wantFields(t, "", syncState(t, dir), said)
	})
	t.Run("fewer plans take less time", func(t *testing.T) {
		dir := projectWith(t, planned(3, 3), stateWith(map[string]string{"Total plans completed": "5", "Average duration": "20 minutes", "Total execution time": "1h 40m"}), [2]int{1, 1}, [2]int{1, 2}, [2]int{1, 3})
		wantFields(t, "", syncState(t, dir), map[string]string{"Total plans completed": "3", "Average duration": "20 minutes", "Total execution time": "1h 0m"})
	})
}

// TestOneTreeHasOneVelocity captures results of plans with one task each, and finishes plans, with syncs between the steps and without.
func TestOneTreeHasOneVelocity(t *testing.T) {
	type step struct {
		plan, status string // status "" writes the plan's SUMMARY
		ms           int    // -1 leaves the duration out
	}
	known := map[string]string{"Total plans completed": "1", "Average duration": "20 minutes", "Total execution time": "20m", "Last 5 plans": "20m"}
	for name, c := range map[string]struct {
		before map[string]string
		done   [][2]int
		steps  []step
		want   map[string]string
		rows   string
	}{
		"a result without a duration": {nil, nil, []step{{"01-01", "blocked", -1}, {"01-01", "success", 1_200_000}, {"01-01", "", 0}},
			map[string]string{"Total plans completed": "1", "Average duration": "20 minutes", "Total execution time": "20m", "Last 5 plans": "20m"}, "| 1 | 1/2 | 20m | 20m |\n"},
		"one of another plan": {nil, nil, []step{{"02-01", "failure", -1}, {"01-01", "success", 600_000}, {"01-01", "", 0}, {"01-02", "success", 600_000}, {"01-02", "", 0}},
			map[string]string{"Total plans completed": "2", "Total execution time": "20m", "Last 5 plans": "10m, 10m"}, "| 1 | 2/2 | 20m | - |\n"},
		"a plan at work": {nil, nil, []step{{"01-01", "success", 600_000}, {"01-01", "", 0}, {"01-02", "failure", 1_800_000}},
			map[string]string{"Total plans completed": "1", "Average duration": "40 minutes", "Total execution time": "40m", "Last 5 plans": "10m"}, "| 1 | 1/2 | 40m | 40m |\n"},
		"behind a plan without logs": {known, [][2]int{{1, 1}}, []step{{"01-02", "", 0}, {"01-02", "success", 600_000}, {"02-01", "success", 600_000}, {"02-01", "", 0}},
			map[string]string{"Total plans completed": "3", "Average duration": "13 minutes", "Total execution time": "40m", "Last 5 plans": "20m, 10m, 10m"}, ""},
		"against the order of the tree": {nil, nil, []step{{"02-02", "success", 600_000}, {"02-02", "", 0}, {"02-01", "success", 1_200_000}, {"02-01", "", 0}, {"01-02", "success", 1_800_000}, {"01-02", "", 0}, {"01-01", "success", 2_400_000}, {"01-01", "", 0}},
			map[string]string{"Last 5 plans": "10m, 20m, 30m, 40m"}, "| 1 | 2/2 | 1h 10m | 35m |\n| 2 | 2/2 | 30m | 15m |\n"},
		"an average of tenths": {map[string]string{"Total plans completed": "23", "Average duration": "3.7 min", "Total execution time": "85 min", "Last 5 plans": "4m, 3m, 5m, 4m, 3m"}, nil, []step{{"01-01", "success", 960_000}, {"01-01", "", 0}},
			map[string]string{"Total plans completed": "24", "Average duration": "4.2 min", "Total execution time": "1h 41m", "Last 5 plans": "3m, 5m, 4m, 3m, 16m"}, ""},
	} {
		for _, syncs := range []bool{true, false} {
			dir := projectWith(t, planned(2, 2), stateWith(c.before), c.done...)
			for _, s := range c.steps {
				if s.status == "" {
					fixture.Put(t, filepath.Join(dir, planFile(int(s.plan[1]-'0'), int(s.plan[4]-'0'), "SUMMARY")), "")
				} else {
					captureOf(t, dir, Report{Text: strings.Replace(partResult(1, s.status, 1, s.ms), "  duration_ms: -1\n", "", 1), Plan: s.plan})
				}
				if syncs {
					syncState(t, dir)
				}
			}
			state := syncState(t, dir)
			wantFields(t, fmt.Sprintf("%s, synced at each step %v", name, syncs), state, c.want)
			if !strings.Contains(state, c.rows) {
				t.Errorf("%s, synced at each step %v:\n%s", name, syncs, state)
			}
		}
	}
}

func TestAnnouncedPlansCount(t *testing.T) {
	road := "# Roadmap\n"
	for i, name := range []string{"Quay", "Engine", "Sea"} {
		road += fmt.Sprintf("\n### Phase %d: %s\n**Plans**: 3 plans\n", i+1, name)
	}
	for name, c := range map[string]struct{ road, state string }{
		"in the roadmap": {road, freshState},
		"in the table":   {"", stateWith(nil, "| 1 | 0/3 | - | - |", "| 2 | 0/3 | - | - |", "| 3 | 0/3 | - | - |")},
	} {
		files := map[string]string{planFile(1, 1, "PLAN"): plannedTasks(1)}
		if c.road != "" {
			files[".planning/ROADMAP.md"] = c.road
		}
		dir := projectWith(t, files, c.state)
		fixture.Put(t, filepath.Join(dir, planFile(1, 1, "SUMMARY")), "")
		captureOf(t, dir, Report{Text: partResult(1, "success", 1, 60_000), Plan: "01-01"})
		state := syncState(t, dir)
		wantFields(t, name, state, map[string]string{"Phase": "1 of 3 (quay)", "Plan": "1 of 3 in current phase", "Status": "In progress", "Progress": "[##░░░░░░░░░░░░░░░░░░] 11%"})
		if !strings.Contains(state, "\n| 1 | 1/3 | 1m | 1m |\n") {
			t.Errorf("%s:\n%s", name, state)
		}
	}
	// How many plans phases 2 and 3 will have is unknown.
	dir := projectWith(t, planned(3), stateWith(map[string]string{"Progress": "[######░░░░░░░░░░░░░░] 33%"}), [2]int{1, 1}, [2]int{1, 2}, [2]int{1, 3})
	wantFields(t, "unknown", syncState(t, dir), map[string]string{"Progress": "[######░░░░░░░░░░░░░░] 33%", "Phase": "2 of 3", "Status": "Ready to plan"})
	dir = projectWith(t, planned(3), stateWith(map[string]string{"Progress": "[####################] 100%"}), [2]int{1, 1}, [2]int{1, 2}, [2]int{1, 3})
	if got := fieldOf(syncState(t, dir), "Progress"); strings.Contains(got, "100") {
		t.Errorf("it says %q", got)
	}
}

// TestNothingIsCompleteWhileMoreIsAnnounced has the only plan of phase 1 done, and more announced in words of many kinds. One sync is enough.
func TestNothingIsCompleteWhileMoreIsAnnounced(t *testing.T) {
	oneOf3, none := "[######░░░░░░░░░░░░░░] 33%", "[░░░░░░░░░░░░░░░░░░░░] 0%"
	first := map[string]string{"Phase": "1 of 1 (quay)", "Plan": "0 of 1 in current phase"}
	for name, c := range map[string]struct {
		road     string
		fields   map[string]string
		rows     []string
		progress string
		prompt   int // per cent, -1 for none
	}{
		"a range":                 {"### Phase 1: Quay\n**Plans**: 2-3 plans\n", first, nil, oneOf3, 33},
		"about":                   {"### Phase 1: Quay\n**Plans**: ~3 plans\n", first, nil, oneOf3, 33},
		"in all":                  {"### Phase 1: Quay\n- Plans: 3 total\n", first, nil, oneOf3, 33},
		"one of three":            {"### Phase 1: Quay\n- **Plans:** 1 of 3 complete\n", first, nil, oneOf3, 33},
		"behind the name":         {"- [ ] **Phase 1: Quay** (~3 plans)\n", first, nil, oneOf3, 33},
		"in words":                {"### Phase 1: Quay\n**Plans**: three plans\n", first, nil, none, -1},
		"plans by name":           {"### Phase 1: Quay\n**Plans**: 01-01, 01-02\n", first, nil, none, -1},
		"a table alone":           {"| Phase | Plans Complete | Status |\n|---|---|---|\n| 1. Quay | 1/1 | Done |\n| 2. Lamp | 0/2 | - |\n", first, nil, oneOf3, 33},
		"an item without a box":   {"- **Phase 1: Quay**\n- **Phase 2: Lamp**\n", first, nil, none, -1},
		"an item of a numbering":  {"1. **Phase 1: Quay**\n2. **Phase 2: Lamp**\n", first, nil, none, -1},
		"a dash":                  {"- [ ] **Phase 1 - Quay**\n- [ ] **Phase 2 - Lamp**\n", first, nil, none, -1},
		"a heading with a dash":   {"### Phase 1 – Quay\n\n### Phase 2 – Lamp\n", first, nil, none, -1},
		"the position":            {"", map[string]string{"Phase": "1 of 1 (quay)", "Plan": "1 of 3 in current phase", "Status": "In progress"}, nil, oneOf3, 33},
		"By Phase":                {"", map[string]string{"Phase": "1 of 2 (quay)"}, []string{"| 1 | 0/3 | - | - |", "| 2 | 0/2 | - | - |"}, "[####░░░░░░░░░░░░░░░░] 20%", 20},
		"By Phase, too much done": {"", map[string]string{"Phase": "1 of 1 (quay)"}, []string{"| 1 | 2/3 | - | - |"}, oneOf3, 33},
	} {
		files := planned(1)
		if c.road != "" {
			files[core.RoadmapFile] = c.road
		}
		dir := projectWith(t, files, stateWith(c.fields, c.rows...), [2]int{1, 1})
		state := syncState(t, dir)
		wantFields(t, name, state, map[string]string{"Progress": c.progress})
		if status := fieldOf(state, "Status"); core.ParseStatus(status) == core.StatusComplete {
			t.Errorf("%s: it is %s:\n%s", name, status, state)
		}
		p := core.Open(ultraplan.NewSource(mirror.New(dir, ultraplan.Home, core.Planning), &model.Build{}))
		at, totals, prompt := p.FindPosition(), p.CountPlans(), -1
		if totals.HasPercent() {
			prompt = totals.Percent()
		}
		if b := readerOf(dir).Read(fixture.Now); at.Complete || at.ToPlan == "" || prompt != c.prompt || b.Status == model.Done || b.Progress.Known != (prompt >= 0) || max(b.Progress.Percent, 0) != max(prompt, 0) {
			t.Errorf("%s: %+v, %d %%, %s, %+v", name, at, prompt, b.Status, b.Progress)
		}
	}
	for name, road := range map[string]string{"nothing yet": "**Plans**: TBD", "all": "**Plans**: 1 plan (small)", "checked off": "**Plans**: three plans"} {
		files := planned(1)
		files[core.RoadmapFile] = "### Phase 1: Quay\n" + road + "\n"
		if name == "checked off" {
			files[core.RoadmapFile] = "- [x] **Phase 1: Quay**\n\n" + files[core.RoadmapFile]
		}
		dir := projectWith(t, files, stateWith(first), [2]int{1, 1})
		wantFields(t, name, syncState(t, dir), map[string]string{"Status": "Complete", "Progress": "[####################] 100%"})
	}
}

// TestOneSyncIsEnough has positions that the tree denies in several fields at once.
func TestOneSyncIsEnough(t *testing.T) {
	for name, c := range map[string]struct{ fields, want map[string]string }{
		"begun":        {map[string]string{"Phase": "1 of 1 (quay)", "Plan": "0 of 2 in current phase"}, map[string]string{"Plan": "1 of 1 in current phase", "Status": "Complete"}},
		"planning":     {map[string]string{"Phase": "1 of 1 (quay)", "Plan": "0 of 2 in current phase", "Status": "Planning"}, map[string]string{"Plan": "1 of 1 in current phase", "Status": "Complete"}},
		"out of reach": {map[string]string{"Phase": "4 of 3 (quay)", "Plan": "1 of 1 in current phase", "Status": "Verifying"}, map[string]string{"Phase": "2 of 3", "Plan": "0 of 0 in current phase", "Status": "Ready to plan"}},
		"verifying":    {map[string]string{"Phase": "1 of 3 (quay)", "Plan": "1 of 1 in current phase", "Status": "Verifying"}, map[string]string{"Phase": "1 of 3 (quay)", "Status": "Verifying"}},
	} {
		dir := projectWith(t, planned(1), stateWith(c.fields), [2]int{1, 1})
		wantFields(t, name, syncState(t, dir), c.want)
	}
	state := regexp.MustCompile(`(?m)^\| - .*\n`).ReplaceAllString(freshState, "| - | - | - | - |\n") // phases get their rows in order
	dir := projectWith(t, planned(1, 1, 1), state, [2]int{1, 1}, [2]int{2, 1}, [2]int{3, 1})
	if got := syncState(t, dir); !strings.Contains(got, "\n| 1 | 1/1 | - | - |\n| 2 | 1/1 | - | - |\n| 3 | 1/1 | - | - |\n") {
		t.Error(got)
	}
}

func TestSummaryBeforeOrAfterTheLastCapture(t *testing.T) {
	var states []string
	for _, isEarly := range []bool{true, false} {
		dir := projectWith(t, planned(2, 2, 2), freshState)
		for plan := 1; plan <= 2; plan++ {
			id := fmt.Sprintf("01-%02d", plan)
			captureOf(t, dir, Report{Text: partResult(1, "success", 1, 600_000), Plan: id})
			if isEarly {
				fixture.Put(t, filepath.Join(dir, planFile(1, plan, "SUMMARY")), "")
			}
			c := captureOf(t, dir, Report{Text: partResult(2, "success", 1, 300_000*plan), Plan: id})
			if isSaid := c.Next.Summary == planFile(1, plan, "SUMMARY"); c.Next.Kind != planDone || isSaid == isEarly {
				t.Errorf("summary first %v: %+v", isEarly, c.Next)
			}
			if !isEarly {
				fixture.Put(t, filepath.Join(dir, planFile(1, plan, "SUMMARY")), "")
			}
		}
		states = append(states, syncState(t, dir))
	}
	if states[0] != states[1] {
		t.Errorf("%s\nand\n%s", states[0], states[1])
	}
	wantFields(t, "", states[0], map[string]string{"Phase": "2 of 3 (lamp)", "Plan": "0 of 2 in current phase", "Current focus": "Phase 2 - lamp"})
}

func TestProgressLines(t *testing.T) {
	for in, want := range map[string]string{
		"████████████████████ 9/9 plans (100%)":  "██░░░░░░░░░░░░░░░░░░ 1/9 plans (11%)",
		"████████████████████ 100%":              "██░░░░░░░░░░░░░░░░░░ 11%",
		"[██████████] 100% (9/9 plans complete)": "[█░░░░░░░░░] 11% (1/9 plans complete)",
		"[##########] 11%": "[#░░░░░░░░░] 11%",
		"[██████████] 100% (3 of 3 phases)": "[█░░░░░░░░░] 11% (3 of 3 phases)",
		"9 / 9 plans, 100 %":      "1 / 9 plans, 11 %",
		"[██████████] 100 % (v1)": "[█░░░░░░░░░] 11 % (v1)",
		"[=====>    ] 50%":        "[=         ] 11%",
		"▰▰▰▰▰▱▱▱▱▱ 50%":          "▰▱▱▱▱▱▱▱▱▱ 11%",
		"🟩🟩🟩🟩🟩🟩🟩🟩🟩🟩 100.0%":       "🟩⬜⬜⬜⬜⬜⬜⬜⬜⬜ 11%",
	} {
		dir := projectWith(t, planned(3, 3, 3), stateWith(map[string]string{"Progress": in}), [2]int{1, 1})
		wantFields(t, in, syncState(t, dir), map[string]string{"Progress": want})
	}
	bare := projectWith(t, planned(3, 3, 3), stateWith(map[string]string{"Progress": "[##########]"}), [2]int{1, 1})
	wantFields(t, "a bar alone", syncOf(t, bare, read1(t, bare, ".planning/STATE.md")), map[string]string{"Progress": "[#░░░░░░░░░]"})
	// A backlog is no further phase, whatever its number.
	dir := projectWith(t, planned(1, 1, 1), stateWith(map[string]string{"Phase": "3 of 3 (sea)"}))
	fixture.Put(t, filepath.Join(dir, ".planning/phases/99-backlog/NOTES.md"), "x")
	if got := fieldOf(syncState(t, dir), "Phase"); strings.Contains(got, "99") {
		t.Errorf("the phase is %q", got)
	}
}

func TestGateStepsOfATask(t *testing.T) {
	dir := projectWith(t, planned(2), freshState)
	r := recorder(dir)
	move := func(task, event string) (*GateMoved, error) {
		return r.MoveGate(t.Context(), GateMove{Plan: "1-1", Task: task, Event: event})
	}
	for i, step := range []struct {
		task, event, is string
		attempt         int
	}{
		{"1", EventStart, core.GateExecuting, 1}, {"1", EventExecutorSuccess, core.GateVerifying, 1}, {"1", EventVerifyFailed, core.GateFailed, 2},
		{"1", EventStart, core.GateExecuting, 2}, {"1", EventExecutorFailure, core.GateFailed, 3}, {"1", EventStart, core.GateExecuting, 3},
		{"1", EventExecutorSuccess, core.GateVerifying, 3}, {"1", EventVerifyPassed, core.GateReviewing, 3}, {"1", EventArchitectApproved, core.GateApproved, 3},
		{"2", EventStart, core.GateExecuting, 1}, {"2", EventExecutorBlocked, core.GateBlocked, 1},
	} {
		done, err := move(step.task, step.event)
		if err != nil || done.Is != step.is || done.Attempt != step.attempt {
			t.Fatalf("step %d: %+v, %v", i, done, err)
		}
		g := core.ParseState(read1(t, dir, ".planning/STATE.md")).Gate
		if g == nil || g.Status != step.is || g.Attempt != step.attempt || g.Key() != (core.TaskKey{Plan: "1-1", Task: step.task}) {
			t.Fatalf("step %d: %+v", i, g)
		}
		if again, err := move(step.task, step.event); step.event != EventStart && (err != nil || !again.Already) {
			t.Errorf("step %d again: %+v, %v", i, again, err)
		}
	}
	wantFields(t, "", read1(t, dir, ".planning/STATE.md"), map[string]string{"Phase": "1 of 3 (quay)", "Plan": "1 of 2 in current phase", "Status": "In progress"})
	before := read1(t, dir, ".planning/STATE.md")
	for _, wrong := range [][2]string{{"2", EventVerifyPassed}, {"1", EventVerifyPassed}, {"1", EventStart}} { // task 2 waits for a human
		var refused *model.Refusal
		if _, err := move(wrong[0], wrong[1]); !errors.As(err, &refused) || read1(t, dir, ".planning/STATE.md") != before {
			t.Errorf("%v: %v", wrong, err)
		}
	}
	if _, err := move("9", EventStart); err == nil {
		t.Error("there is no task 9")
	}
}

func TestSessionsEnd(t *testing.T) {
	dir := projectWith(t, planned(2), freshState+"Last session: x\nStopped at: y\n")
	now := fixture.Now
	r := New(dir, &statefile.System{Unsynced: true}, func() time.Time { return now })
	captureAt := func(task int, after time.Duration) string {
		now = now.Add(after)
		c, err := r.Capture(t.Context(), Report{Text: partResult(task, "success", 1, 1000), Plan: "01-01", Again: int(after.Hours()) + 1})
		fixture.Must(t, err)
		s, err := parseSession(read1(t, dir, core.SessionFile))
		fixture.Must(t, err)
		if l := core.ParseLog(read1(t, dir, c.Log)); l.Session != s.ID {
			t.Errorf("the log has session %q, and %q is current", l.Session, s.ID)
		}
		return s.ID
	}
	first := captureAt(1, 0)
	if same := captureAt(2, 5*time.Hour); same != first {
		t.Errorf("%q ended after 5 hours", first)
	}
	second := captureAt(1, 13*24*time.Hour)
	if second == first {
		t.Errorf("%q goes on after 13 days", first)
	}
	if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(sessionArchive(first)))); err != nil {
		t.Error(err)
	}
	done, err := r.EndSession(t.Context(), "", false)
	if err != nil || done.Session != second {
		t.Errorf("%+v, %v", done, err)
	}
	if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(core.SessionFile))); !os.IsNotExist(err) {
		t.Errorf("the session goes on: %v", err)
	}
	wantFields(t, "", read1(t, dir, ".planning/STATE.md"), map[string]string{"Last session": now.Format("2006-01-02 15:04"), "Stopped at": "Completed Task 1: Part 1"})
}

func TestNoAlarmAboutOtherCaptures(t *testing.T) {
	dir := projectWith(t, planned(2, 1), freshState)
	first := Report{Text: partResult(1, "success", 1, 60_000), Plan: "01-01"}
	done := captureOf(t, dir, first)
	captureOf(t, dir, Report{Text: partResult(1, "failure", 1, 60_000), Plan: "01-02"})
	func() { // the third is killed before STATE.md
		defer func() { _ = recover() }()
		r := recorder(dir)
		r.step = func(name string) {
			if name == "state" {
				panic("killed")
			}
		}
		_, _ = r.Capture(t.Context(), Report{Text: partResult(1, "success", 1, 60_000), Plan: "02-01"})
	}()
	fixture.Put(t, filepath.Join(dir, planFile(1, 1, "SUMMARY")), "")
	if err := recorder(dir).Settle(t.Context(), first, done); err != nil {
		t.Error(err)
	}
}

// gatesOf returns what waits for a human, as it is told.
func gatesOf(t *testing.T, dir string) (texts []string) {
	t.Helper()
	for _, w := range readerOf(dir).Read(fixture.Now).Waits {
		texts = append(texts, w.Text)
	}
	return texts
}

// TestWhatAGateSaysOutlastsTheNext holds that a skip, an approval and attempts of a task are known after another task has started.
func TestWhatAGateSaysOutlastsTheNext(t *testing.T) {
	for name, c := range map[string]struct {
		gate    string // what the gate says when the other task starts
		isOver  bool
		attempt int // of the next start
		max     string
	}{
		"skipped":       {"  gate_status: SKIPPED\n  skip_reason: \"it is not needed\"\n  skipped_by: \"ada\"\n  attempt: 4\n", true, 0, ""},
		"approved":      {"  gate_status: APPROVED\n  attempt: 2\n", true, 0, ""},
		"failed twice":  {"  gate_status: FAILED\n  attempt: 3\n  max_attempts: 3\n", false, 3, "max_attempts: 3"},
		"retried":       {"  gate_status: FAILED\n  attempt: 5\n  max_attempts: 6\n", false, 5, "max_attempts: 6"},
		"failed at all": {"  gate_status: FAILED\n  attempt: 2\n", false, 2, "max_attempts: 3"},
	} {
		for _, at := range []string{"## Session Continuity", "*State initialized"} { // behind it there is more, or nothing
			block := "current_task:\n  name: \"Task 1: Part 1\"\n  phase: 01-quay\n  plan: \"01-01\"\n" + c.gate
			state := strings.Replace(freshState, at, block+"\n"+at, 1)
			if state == freshState {
				state += "\n" + block
			}
			files := planned(1)
			files[planFile(1, 1, "PLAN")] = strings.NewReplacer("- [x]", "- [ ]").Replace(plannedTasks(2))
			dir := projectWith(t, files, strings.ReplaceAll(state, "Task 1: Part 1", firstTask(t)))
			r := recorder(dir)
			if _, err := r.MoveGate(t.Context(), GateMove{Plan: "01-01", Task: "2", Event: EventStart}); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			captureOf(t, dir, Report{Text: partResult(2, "success", 1, 1000), Plan: "01-01"})
			done, err := r.MoveGate(t.Context(), GateMove{Plan: "01-01", Task: "1", Event: EventStart})
			if isOver := err != nil; isOver != c.isOver || !isOver && (done.Attempt != c.attempt || !strings.Contains(read1(t, dir, ".planning/STATE.md"), c.max)) {
				t.Errorf("%s: %+v, %v\n%s", name, done, err, read1(t, dir, ".planning/STATE.md"))
			}
		}
	}
}

// firstTask returns the name of the first task of [plannedTasks].
func firstTask(t *testing.T) string {
	t.Helper()
	return core.ParsePlan(plannedTasks(1)).Tasks[0].Name
}

// TestPlansOfOneNumberAreKeptApart holds that the results of a plan count for no other plan of its number, and that a decision is about the
// task that waits.
func TestPlansOfOneNumberAreKeptApart(t *testing.T) {
	files := map[string]string{planFile(1, 1, "PLAN"): plannedTasks(2), ".planning/phases/01-web/01-01-PLAN.md": plannedTasks(2)}
	dir := projectWith(t, files, freshState)
	for i := range 3 {
		done := captureOf(t, dir, Report{Text: partResult(1, "failure", i+1, 60_000), Plan: "01-web/01-01"})
		if done.Plan != "01-web/01-01" || !strings.HasSuffix(strings.TrimRight(filepath.Base(done.Log), "0123456789-.yaml"), "01-01-task-01-failure") {
			t.Errorf("%s: %s", done.Plan, done.Log)
		}
	}
	statuses := func() (all []string) {
		b := readerOf(dir).Read(fixture.Now)
		for _, id := range []string{"task/01-quay/01-01/1", "task/01-web/01-01/1"} {
			n, _ := b.Find(id)
			all = append(all, n.Status.String())
		}
		return all
	}
	if got := fmt.Sprint(statuses()); got != "[pending failed]" {
		t.Errorf("after three failures: %s", got)
	}
	if waits := gatesOf(t, dir); len(waits) != 1 {
		t.Errorf("%q wait", waits)
	}
	captureOf(t, dir, Report{Text: partResult(1, "success", 4, 60_000), Plan: "01-web/01-01"})
	if got := fmt.Sprint(statuses()); got != "[pending done]" {
		t.Errorf("after a success: %s", got)
	}
	wantFields(t, "", read1(t, dir, ".planning/STATE.md"), map[string]string{"Total execution time": "4m"})
}

// TestATaskThatStartsIsBrokenOffNoMore holds that a hand-over about a task waits until the task starts again.
func TestATaskThatStartsIsBrokenOffNoMore(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		stays bool
	}{
		"its own":     {"## Last executed task\n" + firstTask(t) + " (01-01)\n", false},
		"another one": {"## Last executed task\nTask 2: x (01-01)\n", true},
	} {
		dir := projectWith(t, planned(1), stateWith(map[string]string{"Resume file": ".ultraplan/state/continue.md"}))
		fixture.Put(t, filepath.Join(dir, core.ResumeFile), c.text)
		_, err := recorder(dir).MoveGate(t.Context(), GateMove{Plan: "01-01", Task: "1", Event: EventStart})
		fixture.Must(t, err)
		_, err = os.Stat(filepath.Join(dir, core.ResumeFile))
		if stays := err == nil; stays != c.stays || stays != (fieldOf(read1(t, dir, ".planning/STATE.md"), "Resume file") != "None") || stays != (len(gatesOf(t, dir)) > 0) {
			t.Errorf("%s: it is there: %v, %q wait\n%s", name, stays, gatesOf(t, dir), read1(t, dir, ".planning/STATE.md"))
		}
	}
}

// TestTwoTasksOfOneName holds that a capture that is run again checks off no second box.
func TestTwoTasksOfOneName(t *testing.T) {
	files := planned(1)
	name := firstTask(t)
	file := planFile(1, 1, "PLAN")
	files[file] = strings.ReplaceAll(plannedTasks(2), core.ParsePlan(plannedTasks(2)).Tasks[1].Name, name)
	dir := projectWith(t, files, freshState)
	rep := Report{Text: partResult(1, "success", 1, 1000), Plan: "01-01"}
	done := captureOf(t, dir, rep)
	before := read1(t, dir, file)
	if err := recorder(dir).Settle(t.Context(), rep, done); err != nil {
		t.Error(err)
	}
	if captureOf(t, dir, rep); read1(t, dir, file) != before || strings.Count(before, "- [x]") > 1 {
		t.Errorf("%s", read1(t, dir, file))
	}
}

// TestACheckInAnotherZone holds that a log of a day of another zone is where it belongs.
func TestACheckInAnotherZone(t *testing.T) {
	dir := projectWith(t, planned(1), freshState)
	zone := time.FixedZone("", 13*3600)
	r := New(dir, &statefile.System{Unsynced: true}, func() time.Time { return time.Date(2026, 1, 28, 1, 0, 0, 0, zone) })
	_, err := r.Capture(t.Context(), Report{Text: partResult(1, "success", 1, 1000), Plan: "01-01"})
	fixture.Must(t, err)
	for _, p := range readerOf(dir).Check(fixture.Now) {
		if strings.HasSuffix(p.Rule, "log-day") {
			t.Errorf("%+v", p)
		}
	}
}

// TestThreeFailuresInTheSecondOfTheStart holds that a task waits after them as after later ones.
func TestThreeFailuresInTheSecondOfTheStart(t *testing.T) {
	dir := projectWith(t, planned(1), freshState)
	_, err := recorder(dir).MoveGate(t.Context(), GateMove{Plan: "01-01", Task: "1", Event: EventStart})
	fixture.Must(t, err)
	for i := range 3 {
		captureOf(t, dir, Report{Text: partResult(1, "failure", i+1, 1000), Plan: "01-01"})
	}
	if waits := gatesOf(t, dir); len(waits) != 1 || !strings.Contains(waits[0], "failed 3 times") {
		t.Errorf("%q wait", waits)
	}
}
