package nearest

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"gatehouse/parse/disk/peek"
)

// TestDenied: where the line says that the milestone is complete, and only there, the tree is asked.
func TestDenied(t *testing.T) {
	const complete, executing = "---\nmilestone: v1.1\nprogress:\n  percent: 100\n---\n", "---\nmilestone: v1.1\nstatus: executing\n---\n"
	done := map[string]string{
		"ROADMAP.md": "## v1.0\n### Phase 1: A\n## v1.1\n- [x] **Phase 2: B**\n", "phases/01-a/01-01-PLAN.md": "",
		"phases/02-b/02-01-PLAN.md": "", "phases/02-b/02-01-SUMMARY.md": "",
	}
	for name, c := range map[string]struct {
		state  string
		files  map[string]string
		denied string
	}{
		"all is done":      {complete, nil, ""},
		"a plan is open":   {complete, map[string]string{"phases/02-b/02-02-api-PLAN.md": ""}, "plan 02-02-api-PLAN.md has no summary"},
		"it is superseded": {complete, map[string]string{"phases/02-b/02-02-PLAN.md": "---\nstatus: superseded\n---\n"}, ""},
		"it says by what":  {complete, map[string]string{"phases/02-b/02-02-PLAN.md": "---\nstatus: superseded # by 03\n---\n"}, "plan 02-02-PLAN.md has no summary"},
		"without a blank":  {complete, map[string]string{"phases/02-b/02-02-PLAN.md": "---\nstatus:superseded\n---\n"}, ""},
		"it is Superseded": {complete, map[string]string{"phases/02-b/02-02-PLAN.md": "---\nstatus: Superseded\n---\n"}, ""},
		"the first is passed": {complete, map[string]string{
			"phases/02-b/02-VERIFICATION.md": "---\nstatus: passed\n---\n", "phases/02-b/VERIFICATION.md": "---\nstatus: gaps_found\n---\n"}, ""},
		"the first found gaps": {complete, map[string]string{
			"phases/02-b/02-VERIFICATION.md": "---\nstatus: gaps_found\n---\n", "phases/02-b/VERIFICATION.md": "---\nstatus: passed\n---\n"}, "02-VERIFICATION.md found gaps"},
		"Gaps were Found":      {complete, map[string]string{"phases/02-b/02-VERIFICATION.md": "---\nstatus: Gaps_Found\n---\n"}, "02-VERIFICATION.md found gaps"},
		"gaps and a comment":   {complete, map[string]string{"phases/02-b/02-VERIFICATION.md": "---\nstatus: gaps_found # two\n---\n"}, "02-VERIFICATION.md found gaps"},
		"gaps were found":      {complete, map[string]string{"phases/02-b/02-VERIFICATION.md": "---\nstatus: gaps_found\n---\n"}, "02-VERIFICATION.md found gaps"},
		"a phase is not begun": {complete, map[string]string{"ROADMAP.md": "## v1.1\n- [x] **Phase 2: B**\n- [ ] **Phase 3: C**\n"}, "phase 3 has no directory"},
		"it is shipped":        {complete, map[string]string{"ROADMAP.md": "## ✅ v1.1\n- [x] **Phase 2: B**\n- [ ] **Phase 3: C**\n"}, ""},
		"the second plan is open": {complete, map[string]string{
			"phases/02-b/02-02-PLAN.md": "---\nstatus: superseded\n---\n", "phases/02-b/02-03-PLAN.md": ""}, "plan 02-03-PLAN.md has no summary"},
		"a test is pending":         {complete, map[string]string{"phases/02-b/02-UAT.md": "---\nstatus: complete\n---\n## Tests\n### 1. T\nresult: pass\n### 2. U\nresult: [pending]\n"}, "02-UAT.md has a test that is pending"},
		"a test found issues":       {complete, map[string]string{"phases/02-b/02-UAT.md": "## Tests\n### 1. T\nresult: issue\n"}, "02-UAT.md has a test with an issue"},
		"they are resolved":         {complete, map[string]string{"phases/02-b/02-UAT.md": "---\nstatus: resolved\n---\n## Tests\n### 1. T\nresult: issue\n"}, ""},
		"all tests passed":          {complete, map[string]string{"phases/02-b/02-UAT.md": "## Tests\n### 1. T\nresult: PASS — seen\n### 2. U\n**result:** skipped\n"}, ""},
		"a nested plan is open":     {complete, map[string]string{"phases/02-b/plans/PLAN-01.md": ""}, "plan PLAN-01.md has no summary"},
		"its name is in lower case": {complete, map[string]string{"phases/02-b/plans/plan-04.md": ""}, "plan plan-04.md has no summary"},
		"a directory of a word":     {complete, map[string]string{"phases/phase-02-x/02-02-PLAN.md": ""}, "plan 02-02-PLAN.md has no summary"},
		"it is closed":              {complete, map[string]string{"phases/02-b/plans/PLAN-01-x.md": "", "phases/02-b/plans/SUMMARY-01-x.md": ""}, ""},
		"a human is asked":          {complete, map[string]string{"phases/02-b/02-VERIFICATION.md": "---\nstatus: human_needed\n---\n"}, "02-VERIFICATION.md asks for a human"},
		"a human is asked in another": {complete, map[string]string{
			"phases/02-b/02-A-VERIFICATION.md": "---\nstatus: passed\n---\n", "phases/02-b/02-VERIFICATION.md": "---\nstatus: human_needed\n---\n"}, "02-VERIFICATION.md asks for a human"},
		"a human has answered": {complete, map[string]string{
			"phases/02-b/02-VERIFICATION.md": "---\nstatus: human_needed\n---\n", "phases/02-b/02-UAT.md": "## Tests\n### 1. T\nresult: pass\n"}, ""},
		"only its line is left":                         {complete, map[string]string{"ROADMAP.md": "- ✅ **v1.1 Two** — Phases 2-3 (shipped 2026-01-01)\n", "phases/02-b/02-02-PLAN.md": ""}, ""},
		"the status claims it":                          {"---\nmilestone: v1.1\nstatus: v1.1 milestone complete\n---\n", map[string]string{"phases/02-b/02-02-PLAN.md": ""}, "plan 02-02-PLAN.md has no summary"},
		"the body claims it":                            {"# State\nStatus: Milestone complete\n", map[string]string{"phases/01-a/01-01-SUMMARY.md": "", "phases/01-a/01-VERIFICATION.md": "---\nstatus: passed\n---\n", "phases/02-b/02-02-PLAN.md": ""}, "plan 02-02-PLAN.md has no summary"},
		"its milestone is over":                         {"# State\nStatus: Milestone complete\n", map[string]string{"ROADMAP.md": "- ✅ **v1.0 One** — Phases 1-2 (shipped 2026-01-01)\n"}, ""},
		"the next is not":                               {"# State\nStatus: Milestone complete\n", map[string]string{"ROADMAP.md": "- ✅ **v1.0 One** — Phases 1-1 (shipped)\n", "phases/02-b/02-02-PLAN.md": ""}, "plan 02-02-PLAN.md has no summary"},
		"the body says a phase":                         {"---\nmilestone: v1.1\nstatus: completed\n---\nStatus: Phase 2 complete\n", map[string]string{"phases/02-b/02-02-PLAN.md": ""}, ""},
		"nobody has counted":                            {"---\nmilestone: v1.1\nstatus: planning\nprogress:\n  total_phases: 0\n  completed_phases: 0\n  percent: 0\n---\n", map[string]string{"ROADMAP.md": "## v1.1\n- [x] **Phase 2: B**\n- [ ] **Phase 3: C**\n"}, ""},
		"nobody has counted, and its status claims it":  {"---\nmilestone: v1.1\nstatus: completed\nprogress:\n  total_phases: 0\n  completed_phases: 0\n---\n", map[string]string{"phases/02-b/02-02-PLAN.md": ""}, "plan 02-02-PLAN.md has no summary"},
		"its counts are padded":                         {"---\nmilestone: v1.1\nstatus: executing\nprogress:\n  total_phases: 2\n  completed_phases: 02\n---\n", map[string]string{"phases/02-b/02-02-PLAN.md": ""}, "plan 02-02-PLAN.md has no summary"},
		"another scene":                                 {executing, map[string]string{"phases/02-b/02-02-PLAN.md": ""}, ""},
		"it awaits the next, and a phase has not begun": {"---\nmilestone: v1.1\nstatus: Awaiting next milestone\nprogress:\n  percent: 100\n---\n", map[string]string{"ROADMAP.md": "## 🚧 v1.1\n- [x] **Phase 2: B**\n- [ ] **Phase 3: C**\n"}, "phase 3 has no directory"},
		"a phase is checked off in plain":               {complete, map[string]string{"ROADMAP.md": "## v1.1\n- [x] Phase 2: B\n- [x] Phase 3: C\n- [ ] ~~Phase 4: D~~\n- [ ] Phase 0: Z\n"}, "phase 3 has no directory"},
		"a heading without a colon":                     {complete, map[string]string{"ROADMAP.md": "## v1.1\n### Phase 2: B\n### Phase 3 — C\n## v1.2\n### Phase 4 — D\n"}, "phase 3 has no directory"},
		"no milestone, in plain":                        {complete, map[string]string{"ROADMAP.md": "# Roadmap\n- [x] Phase 2: B\n- [x] Phase 3: C\n", "phases/01-a/01-01-SUMMARY.md": ""}, "phase 3 has no directory"},
		"prose and plain of another":                    {complete, map[string]string{"ROADMAP.md": "## v1.0\n- [x] Phase 1: A\n## v1.1\n- [x] Phase 2: B\n- [ ] Phase 2 was hard\n## v1.2\n- [ ] Phase 3: C\n"}, ""},
		"quotation marks, and another is open":          {"---\nmilestone: \"v1.1\"\nprogress:\n  percent: 100\n---\n", map[string]string{"ROADMAP.md": "## v1.1\n### Phase 2: B\n## 📋 v1.2\n### Phase 3: C\n"}, ""},
		"a human is asked in the body":                  {complete, map[string]string{"phases/02-b/02-VERIFICATION.md": "# Report\n**Status:** human_needed\n"}, "02-VERIFICATION.md asks for a human"},
		"none is asked in the body":                     {complete, map[string]string{"phases/02-b/02-VERIFICATION.md": "# Report\n**Status:** passed, no human needed\n"}, ""},
		"a checkpoint is reached":                       {complete + "Phase: 2 of 2\nStatus: Awaiting human verification at checkpoint\n", nil, "STATE.md says that a human is awaited in phase 02"},
		"a checkpoint of a plan":                        {complete + "Phase: 1 of 2\nPlan: 02-01 checkpoint reached 2026-01-02\n", nil, ""},
		"one that was written since":                    {"---\nmilestone: v1.1\nlast_updated: 2026-01-02T10:00:00Z\nprogress:\n  percent: 100\n---\nPlan: 02-01 checkpoint reached\n", map[string]string{"phases/02-b/02-01-SUMMARY.md": "---\ncompleted: 2026-01-02T09:00:00Z\n---\n"}, "STATE.md says that a human is awaited in phase 02"},
		"one that is past, and another":                 {"---\nmilestone: v1.1\nlast_updated: 2026-01-02T10:00:00Z\nprogress:\n  percent: 100\n---\nPhase: 2 of 2\nStatus: 02-01 checkpoint reached\nStopped at: awaiting human verification\n", map[string]string{"phases/02-b/02-01-SUMMARY.md": "---\ncompleted: 2026-01-02T11:00:00Z\n---\n"}, "STATE.md says that a human is awaited in phase 02"},
		"one in a plan that another replaced":           {complete + "Plan: 02-01 checkpoint reached\n", map[string]string{"phases/02-b/02-01-PLAN.md": "---\nstatus: superseded\n---\n", "phases/02-b/02-02-PLAN.md": "", "phases/02-b/02-02-SUMMARY.md": ""}, ""},
		"one in a phase whose plans were replaced":      {complete + "Phase: 2 of 2\nStatus: Awaiting human verification at checkpoint\n", map[string]string{"phases/02-b/02-01-PLAN.md": "---\nstatus: superseded\n---\n", "phases/02-b/02-01-SUMMARY.md": ""}, "STATE.md says that a human is awaited in phase 02"},
		"one in a phase that is verified":               {complete + "Phase: 2 of 2\nStatus: Awaiting human verification at checkpoint\n", map[string]string{"phases/02-b/02-VERIFICATION.md": "---\nstatus: passed\n---\n"}, ""},
		"one in the milestone after a shipped one":      {complete + "Phase: 3 of 3\nStatus: Awaiting human verification\n", map[string]string{"ROADMAP.md": "- ✅ **v1.1** Phases 2-2 (shipped)\n## ✅ v1.1\n## v1.2\n### Phase 3: C\n", "phases/03-c/03-01-PLAN.md": ""}, "STATE.md says that a human is awaited in phase 03"},
		"one in the next, which is not ours to close":   {complete + "Phase: 3 of 3\nStatus: Awaiting human verification\n", map[string]string{"ROADMAP.md": "## v1.1\n### Phase 2: B\n## v1.2\n### Phase 3: C\n", "phases/03-c/03-01-PLAN.md": ""}, "STATE.md says that a human is awaited in phase 03"},
		"one in the next, where all is done":            {complete + "Phase: 3 of 3\nStatus: Awaiting human verification\n", map[string]string{"ROADMAP.md": "## v1.1\n### Phase 2: B\n## v1.2\n### Phase 3: C\n", "phases/03-c/03-01-PLAN.md": "", "phases/03-c/03-01-SUMMARY.md": "", "phases/03-c/03-VERIFICATION.md": "---\nstatus: passed\n---\n"}, ""},
		"one in what is shipped":                        {complete + "Phase: 2 of 2\nStatus: Awaiting human verification\n", map[string]string{"ROADMAP.md": "- ✅ **v1.1** Phases 2-2 (shipped)\n## ✅ v1.1\n", "phases/02-b/02-02-PLAN.md": ""}, ""},
		"it is shipped, and asked no more":              {"---\nmilestone: v1.1\nstatus: v1.1 shipped\n---\n", map[string]string{"phases/02-b/02-VERIFICATION.md": "---\nstatus: human_needed\n---\n"}, ""},
	} {
		dir := t.TempDir()
		files := maps.Clone(done)
		maps.Copy(files, c.files)
		files["STATE.md"] = c.state
		for file, text := range files {
			path := filepath.Join(dir, ".planning", file)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for _, alerts := range []bool{true, false} {
			p := Place{Dir: dir, Home: dir, Alerts: alerts, Buffer: make([]byte, peek.Limit)}
			found, ok := gsdIn(&p, dir)
			want := c.denied
			if !alerts {
				want = ""
			}
			if !ok || found.Denied != want {
				t.Errorf("%s, alerts %v: %q, want %q", name, alerts, found.Denied, want)
			}
		}
	}
}
