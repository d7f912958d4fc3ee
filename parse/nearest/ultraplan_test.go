package nearest

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatehouse/parse/ultraplan/fixture"
)

// harbour is a project with two phases of plans, one of them done, and a STATE.md with this position.
func harbour(position string, more map[string]string) map[string]string {
	files := map[string]string{
		".ultraplan/":                                 "",
		".planning/STATE.md":                          "# Project State\n\n## Current Position\n\n" + position + "\n\nProgress: [####################] 100%\n\n## Notes\n\nStatus: Complete\n",
		".planning/phases/01-quay/01-01-PLAN.md":      "",
		".planning/phases/01-quay/01-01-SUMMARY.md":   "",
		".planning/phases/01-quay/01-02-PLAN.md":      "",
		".planning/phases/02.5-light/02.5-01-PLAN.md": "",
	}
	for name, text := range more {
		files[name] = text
	}
	return files
}

func TestUltraplanLine(t *testing.T) {
	const session = ".ultraplan/logs/current-session.json"
	done := map[string]string{".planning/phases/01-quay/01-02-SUMMARY.md": "", ".planning/phases/02.5-light/02.5-01-SUMMARY.md": ""}
	with := func(more map[string]string, name, text string) map[string]string {
		all := map[string]string{name: text}
		for k, v := range more {
			all[k] = v
		}
		return all
	}
	for _, c := range []struct {
		name          string
		files         map[string]string
		full, compact string
		scene         int
	}{
		{"named by the position", harbour("Phase: 1 of 3 (Quay)\nPlan: 2 of 2 in current phase\nStatus: In progress", nil), "[███░░░░░░░] 33% · Phase 1 In progress · 01-02", "P1/3 · In progress", 1},
		{"in bold, as an id", harbour("**Phase:** 02.5 of 3\n**Plan:** 02.5-01\n**Status:** Verifying the work", nil), "[███░░░░░░░] 33% · Phase 2.5 Verifying · 02.5-01", "P2.5/3 · Verifying", 1},
		{"as items", harbour("- Phase: 1\n- Plan: 01-02\n- Status: in_progress\r", nil), "[███░░░░░░░] 33% · Phase 1 In progress · 01-02", "P1 · In progress", 1},
		{"a plan that is done is not running", harbour("Phase: 1 of 3 (Quay)\nPlan: 1 of 2\nStatus: In progress", nil), "[███░░░░░░░] 33% · next 01-02", "P1/3 · next 01-02", 2},
		{"nor one that is only planned", harbour("Phase: 1 of 3 (Quay)\nPlan: 2 of 2\nStatus: Ready for execution", nil), "[███░░░░░░░] 33% · next 01-02", "P1/3 · next 01-02", 2},
		{"a claim of completeness changes nothing", harbour("Phase: 3 of 3 (Quay)\nStatus: COMPLETE", nil), "[███░░░░░░░] 33% · next 01-02", "P1/3 · next 01-02", 2},
		{"named by the session", harbour("Status: Ready to plan", map[string]string{session: `{"plan_id": "02.5-01", "tasks": [{"status": "success"}, {"status": "in_progress"}]}`}), "[███░░░░░░░] 33% · Phase 2.5 In progress · 02.5-01", "P2.5 · In progress", 1},
		{"a session with nothing at work", harbour("", map[string]string{session: `{"plan_id": "02.5-01", "tasks": [{"status": "success"}]}`}), "[███░░░░░░░] 33% · next 01-02", "P1 · next 01-02", 2},
		{"a task of another plan", harbour("", map[string]string{session: `{"plan_id": "02.5-01", "tasks": [{"status": "in_progress", "plan_id": "1-2"}]}`}), "[███░░░░░░░] 33% · Phase 1 In progress · 01-02", "P1 · In progress", 1},
		{"a broken session", harbour("", map[string]string{session: `{"plan_id": "02.5-01", "tasks": [`}), "[███░░░░░░░] 33% · next 01-02", "P1 · next 01-02", 2},
		{"named by the gate", harbour("Phase: 1 of 3\nStatus: Ready to plan\n\n```yaml\ncurrent_task:\n  name: \"Task 1: Lamp\"\n  phase: \"02.5-light\"\n  plan: \"01\"\n  gate_status: reviewing # architect\n```\n", nil), "[███░░░░░░░] 33% · Phase 2.5 Verifying · 02.5-01", "P2.5/3 · Verifying", 1},
		{"all done", harbour("Phase: 2 of 2 (Light)\nStatus: Verifying", done), "[██████████] 100% · complete", "P2/2 · complete", 3},
		{"a directory without plans", harbour("Phase: 2 of 2", with(done, ".planning/phases/03-sea/03-RESEARCH.md", "")), "next plan-phase 3", "P3/3 · next plan-phase 3", 2},
		{"a phase of the roadmap", harbour("Phase: 2 of 2", with(done, ".planning/ROADMAP.md", "- [ ] **Phase 1: Quay**\n- [x] **Phase 2: Mole** - done\n")), "next plan-phase 2", "P2/2 · next plan-phase 2", 2},
		{"one that is left out", harbour("Phase: 2 of 2", with(done, ".planning/ROADMAP.md", "- [x] **Phase 2: Mole** - SKIPPED\n- [ ] ~~**Phase 2: Mole**~~\n")), "[██████████] 100% · complete", "P2/2 · complete", 3},
		{"one that STATE.md counts", harbour("Phase: 2 of 9 (Light)", done), "next plan-phase 3", "P3/9 · next plan-phase 3", 2},
		{"a second directory of one number", harbour("Phase: 2 of 2", with(done, ".planning/phases/01-quay-old/", "")), "next plan-phase 1", "P1/2 · next plan-phase 1", 2},
		{"STATE.md alone", map[string]string{".ultraplan/": "", ".planning/STATE.md": "## Current Position\n\nPhase: 1 of 5 (Foundation)\nStatus: Ready to plan\n"}, "Ready to plan · Foundation (1/5)", "P1/5 · Ready to plan", 4},
		{"without a name", map[string]string{".ultraplan/": "", ".planning/STATE.md": "Phase: 1 of 5\nStatus: " + strings.Repeat("x", 60)}, strings.Repeat("x", 39) + "… · ph 1/5", "P1/5 · " + strings.Repeat("x", 39) + "…", 4},
		{"STATE.md in the project", map[string]string{".ultraplan/": "", ".planning/": "", "STATE.md": "Phase: 1 of 5 (Quay)\nStatus: Planning\n"}, "Planning · Quay (1/5)", "P1/5 · Planning", 4},
		{"nothing but the directories", map[string]string{".ultraplan/": "", ".planning/": ""}, "", "", 0},
		{"no ultraplan directory, a task's gate", map[string]string{".planning/STATE.md": "Status: Planning\n\ncurrent_task:\n  gate_status: BLOCKED\n"}, "Planning", "Planning", 4},
	} {
		root := tree(t, c.files)
		found, ok := Find(Place{Dir: root, Home: root})
		if !ok || found.Protocol != "ultraplan" {
			t.Errorf("%s: found %v %q", c.name, ok, found.Protocol)
			continue
		}
		scene, why := found.Facts.Scene()
		if full, compact := string(found.Facts.AppendFull(nil)), string(found.Facts.AppendCompact(nil)); full != c.full || compact != c.compact || scene != c.scene || why == "" {
			t.Errorf("%s: %d %q %q, want %d %q %q", c.name, scene, full, compact, c.scene, c.full, c.compact)
		}
	}
}

// TestPlanningOwner checks which protocol a .planning belongs to.
func TestPlanningOwner(t *testing.T) {
	const gate = "current_task:\n  gate_status: EXECUTING\n"
	for _, c := range []struct {
		name, state string
		home        bool
		want        string
	}{
		{"neither", "Status: Planning\n", false, "gsd"},
		{"its directory", "Status: Planning\n", true, "ultraplan"},
		{"a task's gate", "Status: Planning\n\n" + gate, false, "ultraplan"},
		{"in a fence", "```yaml\n" + gate + "```\n", false, "ultraplan"},
		{"GSD says so", "---\ngsd_state_version: '1.0'\nstatus: executing\n---\n" + gate, true, "gsd"},
		{"other frontmatter", "---\nstatus: executing\n---\n", true, "ultraplan"},
		{"an empty version", "---\ngsd_state_version: ''\n---\n", true, "ultraplan"},
		{"a word of prose", "It sets current_task: soon.\ncurrent_task: see below\n", false, "gsd"},
		{"a key without a block", "current_task:\nother: x\n", false, "gsd"},
	} {
		files := map[string]string{".planning/STATE.md": c.state}
		if c.home {
			files[".ultraplan/"] = ""
		}
		root := tree(t, files)
		found, _ := Find(Place{Dir: root, Home: root})
		if found.Protocol != c.want {
			t.Errorf("%s: %q, want %q", c.name, found.Protocol, c.want)
		}
		// A folder is shown once, but the source "gsd" still reads it.
		all, _ := FindAll(Place{Dir: root, Home: root})
		if len(all) != 1 || all[0].Protocol != c.want {
			t.Errorf("%s: %d in all", c.name, len(all))
		}
		if found, ok := Find(Place{Dir: root, Home: root, Source: "gsd"}); !ok || found.Protocol != "gsd" {
			t.Errorf("%s: not read as GSD", c.name)
		}
		if _, ok := Find(Place{Dir: root, Home: root, Source: "ultraplan"}); ok != (c.want == "ultraplan") {
			t.Errorf("%s: as ultraplan %v", c.name, ok)
		}
	}
}

func TestUltraplanWaits(t *testing.T) {
	for gate, want := range map[string]string{
		"gate_status: BLOCKED":                                 "Task 1: Lamp is blocked",
		"gate_status: FAILED\n  attempt: 4\n  max_attempts: 3": "Task 1: Lamp failed 3 times",
		"gate_status: FAILED\n  attempt: 3\n  max_attempts: 3": "",
		"gate_status: EXECUTING | VERIFYING":                   "Task 1: Lamp has a gate that is “EXECUTING | VERIFYING”, which is no status",
		"gate_status: APPROVED":                                "",
	} {
		root := tree(t, map[string]string{".planning/STATE.md": "current_task:\n  name: 'Task 1: Lamp'\n  " + gate + "\n"})
		if found, _ := Find(Place{Dir: root, Home: root}); found.Waits != want || (found.WaitsPath != "") != (want != "") {
			t.Errorf("%s: %q in %q, want %q", gate, found.Waits, found.WaitsPath, want)
		}
	}
}

func TestUltraplanWatch(t *testing.T) {
	root := tree(t, harbour("Phase: 1 of 3", nil))
	var w Watch
	Find(Place{Dir: root, Home: root, Watch: &w})
	for _, name := range []string{".ultraplan", ".planning/STATE.md", ".planning/phases", ".planning/phases/01-quay", ".planning/phases/02.5-light"} {
		if !slices.Contains(w.Present, filepath.Join(root, filepath.FromSlash(name))) {
			t.Errorf("%s is not watched: %q", name, w.Present)
		}
	}
	if w.Unsure || !slices.Contains(w.Absent, filepath.Join(root, ".ultraplan", "logs")) {
		t.Errorf("unsure %v, absent %q", w.Unsure, w.Absent)
	}
}

// TestUltraplanLargeTree checks that many names or hostile ones do not slow down reading.
func TestUltraplanLargeTree(t *testing.T) {
	root := tree(t, map[string]string{".ultraplan/": "", ".planning/phases/01-a/": "", ".planning/phases/02-file": "x", ".planning/phases/\x1b]0;x\a/": ""})
	for i := range 2000 {
		name := filepath.Join(root, ".planning", "phases", "01-a", fmt.Sprintf("01-%d-PLAN.md", i))
		must(t, os.WriteFile(name, nil, 0o644))
	}
	found, _ := Find(Place{Dir: root, Home: root})
	if got := string(found.Facts.AppendFull(nil)); got != "[░░░░░░░░░░] 0% · next 01-0" {
		t.Error(got)
	}
}

// TestUltraplanWaitsWithoutAGate checks that a task that has failed its last attempt waits, whichever file records it: the dashboard
// lists the same (TestLineAndDashboardAgree of package parse).
func TestUltraplanWaitsWithoutAGate(t *testing.T) {
	const retries, session = ".ultraplan/state/retry-state.json", ".ultraplan/logs/current-session.json"
	plan := "<task type=\"auto\">\n  <name>Task 1: Fill the tank</name>\n</task>\n"
	log := func(day, status string, n, attempt int) (name, text string) {
		name = fmt.Sprintf(".ultraplan/logs/executions/%s/01-02-task-01-%s-%d.yaml", day, status, n)
		return name, fixture.Log("01-02", 1, status, fmt.Sprintf("%sT10:00:0%dZ", day, n), fmt.Sprintf("  metadata:\n    duration_ms: 1\n    attempt: %d\n", attempt))
	}
	logs := func(all ...string) map[string]string { // "27 failure 1"
		files := map[string]string{}
		for i, one := range all {
			var day, attempt int
			var status string
			fmt.Sscan(one, &day, &status, &attempt)
			name, text := log(fmt.Sprintf("2026-01-%d", day), status, i+1, attempt)
			files[name] = text
		}
		return files
	}
	and := func(files map[string]string, name, text string) map[string]string {
		files[name] = text
		return files
	}
	gate := func(status string, attempt int, last string) string {
		if last != "" {
			last = "  last_step_at: \"" + last + "\"\n"
		}
		return fmt.Sprintf("current_task:\n  name: \"Task 1: Fill the tank\"\n  phase: 01-quay\n  plan: \"01-02\"\n  gate_status: %s\n%s  attempt: %d\n  max_attempts: 3\n", status, last, attempt)
	}
	archived := func(files map[string]string, in ...string) map[string]string {
		moved := map[string]string{}
		for name, text := range files {
			moved[strings.Replace(name, "logs/executions/", "logs/archive/"+strings.Join(append(in, "executions/")[:1], ""), 1)] = text
		}
		return moved
	}
	const failed3 = "Task 1: Fill the tank failed 3 times"
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"logs alone":                                 {logs("26 failure 1", "27 failure 2", "27 failure 3"), failed3},
		"one that says which attempt":                {logs("27 failure 4"), "Task 1: Fill the tank failed 4 times"},
		"two failures":                               {logs("26 failure 1", "27 failure 2"), ""},
		"an earlier session, a newer one":            {and(logs("26 failure 1", "26 failure 2", "26 failure 3"), session, `{"session_id": "new", "plan_id": "02.5-01", "tasks": []}`), failed3},
		"a success since":                            {logs("26 failure 1", "26 failure 2", "26 failure 3", "27 success 4"), ""},
		"a success before":                           {logs("26 success 1", "27 failure 1", "27 failure 2", "27 failure 3"), failed3},
		"blocked since":                              {logs("26 failure 3", "27 blocked 4"), "Task 1: Fill the tank is blocked"},
		"somebody is at it":                          {and(logs("27 failure 3"), session, `{"plan_id": "1-2", "tasks": [{"task_name": "Task 1: Fill the tank", "status": "in_progress"}]}`), ""},
		"it is left out":                             {and(logs("27 failure 3"), ".planning/STATE.md", "skipped_tasks:\n  - task: 01-02:task-1\n    reason: later\n"), ""},
		"torn":                                       {and(logs("27 failure 1", "27 failure 2"), ".ultraplan/logs/executions/2026-01-27/01-02-task-01-failure-9.yaml", "logged_at: \"2026-01-27T11:00:00Z\"\nplan_id: \"01-02\"\ntask_index: 1\nresult:\n  status: failure\n"), ""},
		"of a plan that is done":                     {and(logs("27 failure 3"), ".planning/phases/01-quay/01-02-SUMMARY.md", ""), ""},
		"of a task that is not there":                {and(logs("27 failure 3"), ".planning/phases/01-quay/01-02-PLAN.md", ""), ""},
		"retries say so":                             {map[string]string{retries: `{"task_retries": {"01-02:task-1": {"task_name": "Task 1: Fill the tank", "status": "escalated", "retry_count": 3}}}`}, failed3},
		"retries, and a success since":               {and(logs("27 success 4"), retries, `{"task_retries": {"01-02:task-1": {"status": "escalated", "retry_count": 3}}}`), ""},
		"retries say that it is retried":             {and(logs("27 failure 3"), retries, `{"task_retries": {"01-02-01": {"status": "retrying"}}}`), ""},
		"the gate at work, and failures since":       {and(logs("26 failure 1", "27 failure 2", "27 failure 3"), ".planning/STATE.md", gate("EXECUTING", 1, "2026-01-25T00:00:00Z")), failed3},
		"the gate at work, without a time":           {and(logs("27 failure 1", "27 failure 2", "27 failure 3"), ".planning/STATE.md", gate("REVIEWING", 1, "")), failed3},
		"one that has failed, and failures since":    {and(logs("27 failure 1", "27 failure 2", "27 failure 3"), ".planning/STATE.md", gate("FAILED", 1, "2026-01-25T00:00:00Z")), failed3},
		"its third attempt, and a failure since":     {and(logs("26 failure 1", "26 failure 2", "27 failure 3"), ".planning/STATE.md", gate("VERIFYING", 3, "2026-01-26T23:00:00+02:00")), failed3},
		"failures before a human had it tried again": {and(logs("26 failure 1", "26 failure 2", "26 failure 3", "27 failure 4"), ".planning/STATE.md", gate("EXECUTING", 1, "2026-01-26T12:00:00Z")), ""},
		"a failure that the gate has counted":        {and(logs("26 failure 1", "27 failure 2"), ".planning/STATE.md", gate("FAILED", 3, "2026-01-25T00:00:00Z")), ""},
		"blocked, and a success since":               {and(logs("27 success 2"), ".planning/STATE.md", gate("BLOCKED", 1, "2026-01-26T12:00:00Z")), ""},
		"blocked, and a success before":              {and(logs("25 success 2"), ".planning/STATE.md", gate("BLOCKED", 1, "2026-01-26T12:00:00Z")), "Task 1: Fill the tank is blocked"},
		"failed for good, and a success":             {and(logs("27 success 2"), ".planning/STATE.md", gate("FAILED", 4, "")), ""},
		"put into the archive":                       {archived(logs("26 failure 1", "27 failure 2", "27 failure 3")), failed3},
		"put into the archive, in days of its own":   {archived(logs("26 failure 1", "27 failure 2", "27 failure 3"), ""), failed3},
		"the session alone":                          {map[string]string{session: `{"plan_id": "01-02", "tasks": [{"task_name": "Task 1: Fill the tank", "status": "failure", "attempts": 3}]}`}, failed3},
		"the session, and a success since":           {and(logs("27 success 4"), session, `{"plan_id": "01-02", "tasks": [{"task_name": "Task 1: Fill the tank", "status": "failure", "attempts": 3}]}`), ""},
	} {
		files := harbour("Phase: 1 of 3", map[string]string{".planning/phases/01-quay/01-02-PLAN.md": plan})
		for file, text := range c.files {
			files[file] = text
		}
		root := tree(t, files)
		var w Watch
		found, _ := Find(Place{Dir: root, Home: root, Watch: &w, Alerts: true})
		if found.Waits != c.want || (found.WaitsPath != "") != (c.want != "") {
			t.Errorf("%s: %q in %q, want %q", name, found.Waits, found.WaitsPath, c.want)
		}
		for file := range c.files { // the files that decide it are watched
			if dir := filepath.Join(root, filepath.FromSlash(path.Dir(file))); !slices.Contains(w.Present, dir) && !strings.Contains(name, "done") {
				t.Errorf("%s: %s is not watched: %q", name, dir, w.Present)
			}
		}
	}
}
