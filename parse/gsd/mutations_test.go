package gsd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// sound are the files of a project that breaks no rule: one phase is verified, one is in progress, one is planned.
var sound = map[string]string{
	"STATE.md": `---
gsd_state_version: '1.0'
milestone: v2.0
milestone_name: Kites
status: executing
active_phase: null
next_action: execute-phase
next_phases: ["2"]
progress:
  total_phases: 3
  completed_phases: 1
  total_plans: 4
  completed_plans: 2
  percent: 50
current_phase: "2"
current_phase_name: Sew
current_plan: "2"
last_updated: "2026-02-20T12:34:56.789Z"
last_activity: "2026-02-20"
stopped_at: "Completed 02-01-PLAN.md"
paused_at: null
---

# Project State

## Current Position

Phase: 2 of 3 (Sew)
Plan: 2 of 3
Status: Executing Phase 2
Last activity: 2026-02-20

### Blockers/Concerns

None yet.
`,
	"ROADMAP.md": `# Roadmap

- ✅ **v1.0 Lines** — Phases 0-0 (shipped 2026-01-01)
- 🚧 **v2.0 Kites** — Phases 1-3

## v2.0 Kites

- [x] **Phase 1: Draw** - lines
- [ ] **Phase 2: Sew** - seams
- [ ] **Phase 3: Fly** - wind
`,
	"phases/01-draw/01-01-PLAN.md":      "---\nphase: 01-draw\nplan: 01\nwave: 1\ndepends_on: []\nautonomous: true\n---\n\n<objective>draw</objective>\n",
	"phases/01-draw/01-01-SUMMARY.md":   "---\nphase: 01-draw\nplan: 01\nduration: 12min\ncompleted: 2026-02-10\n---\n",
	"phases/01-draw/01-VERIFICATION.md": "---\nphase: 01-draw\nverified: 2026-02-11T10:00:00Z\nstatus: passed\nscore: 3/3\n---\n",
	"phases/01-draw/01-UAT.md":          "---\nstatus: complete\nphase: 01-draw\nupdated: 2026-02-12T10:00:00Z\n---\n\n## Tests\n\n### 1. Look\nexpected: it is straight\nresult: pass\n\n### 2. Hear\nexpected: it is still\nresult: skipped\nreason: no wind\n",
	"phases/02-sew/02-01-PLAN.md":       "---\nphase: 02-sew\nplan: 01\nwave: 1\ndepends_on: [\"01-01\"]\n---\n",
	"phases/02-sew/02-01-SUMMARY.md":    "---\nphase: 02-sew\nplan: 01\ncompleted: 2026-02-20\n---\n",
	"phases/02-sew/02-02-PLAN.md":       "---\nphase: 02-sew\nplan: 02\nwave: 2\ndepends_on: [\"02-01\"]\nautonomous: false\n---\n",
	"phases/03-fly/03-01-PLAN.md":       "---\nphase: 03-fly\nplan: 01\nwave: 1\ndepends_on: [\"02-02\"]\n---\n",
	"HANDOFF.json":                      "{\n\"version\": \"1.0\",\n\"timestamp\": \"2026-02-20T12:40:00Z\",\n\"phase\": \"2\",\n\"status\": \"paused\",\n\"blockers\": [],\n\"human_actions_pending\": []\n}\n",
	"WAITING.json":                      "{\n\"status\": \"waiting\",\n\"type\": \"decision\",\n\"question\": \"Which?\",\n\"options\": [\"a\", \"b\"],\n\"since\": \"2026-02-20T12:00:00Z\",\n\"phase\": \"2\"\n}\n",
	"config.json":                       "{\n\"workflow\": {\"verifier\": true}\n}\n",
	"todos/pending/wax.md":              "---\ncreated: 2026-02-01\ntitle: Wax\narea: line\n---\n",
	"phases/02-sew/.continue-here.md":   "---\nphase: 02-sew\ntask: 1\nstatus: in_progress\nlast_updated: 2026-02-20T12:40:00Z\n---\n",
}

// mutants are the replacements of a line of a file: texts that break a rule, and texts that break none, separated by " | ". "-" removes
// the line, "\n" is a line end, "~" stands for the line itself.
var mutants = []struct{ file, line, breaks, keeps string }{
	{"STATE.md", "gsd_state_version: '1.0'", `- | gsd_state_version: | gsd_state_version: "" | gsd_state_version: null | ~\n~`, `gsd_state_version: "1.0" | gsd_state_version: 1.0`},
	{"STATE.md", "milestone: v2.0", `milestone: [v2.0] | milestone: {v: 2} | milestone:\n  - v2.0 | milestone: v1.0 | ~\n~ | milestone: "v2.0 | milestone: a: b`, `~ `},
	{"STATE.md", "milestone_name: Kites", `milestone_name: [Kites] | milestone_name: {a: b} | ~\n~ | milestone_name: "Kites | milestone_name: Kites: two`,
		`- | milestone_name: null | milestone_name: "Kites: two" | milestone_name: 'milestone' | milestone_name: milestone | milestone_name: ""`},
	{"STATE.md", "status: executing", `- | status: | status: "" | status: null | status: dancing | status: on-hold | status: 5 | status: [executing] | ~\n~ | status: "executing`,
		`status: discussing | status: planning | status: verifying | status: paused | status: "executing" | status: Executing | status: Ready to plan | status: In progress | status: ready to execute | status: unknown | status: stopped | status: Verification`},
	{"STATE.md", "status: executing", `status: milestone complete | status: Awaiting next milestone | status: v2.0 milestone complete`, `status: Phase 1 complete | status: completed | status: Done`},
	{"STATE.md", "active_phase: null", `active_phase: "2" | active_phase: "1" | active_phase: "99" | active_phase: [2] | active_phase: {a: 2} | ~\n~`, `- | active_phase: | active_phase: ""`},
	{"STATE.md", "next_action: execute-phase", `- | next_action: null | next_action: "" | next_action: dance-phase | next_action: /gsd:execute-phase | next_action: execute | next_action: [execute-phase] | ~\n~`,
		`next_action: discuss-phase | next_action: plan-phase | next_action: verify-phase | next_action: "execute-phase"`},
	{"STATE.md", `next_phases: ["2"]`, `- | next_phases: null | next_phases: [] | next_phases: "2" | next_phases: 2 | next_phases: {a: 2} | next_phases: ["1"] | next_phases: ["99"] | ~\n~ | next_phases: ["2"`,
		`next_phases: [2] | next_phases: ["2", "3"] | next_phases: ['2'] | next_phases: ["02"] | next_phases:\n  - "2"`},
	{"STATE.md", "progress:", `progress: 5 | progress: [] | progress: done | progress:\n  # of all | progress: {percent: 50} | ~\n  note: x\n~`, ``},
	{"STATE.md", "  total_phases: 3", `  total_phases: "3" | total_phases: x | total_phases: -3 | total_phases: 3.5 | total_phases: 0 | total_phases: 2 | ~\n~ | total_phases: [3]`, `- | total_phases: 7`},
	{"STATE.md", "  completed_phases: 1", `  completed_phases: "1" | completed_phases: one | completed_phases: 4 | completed_phases: 2 | completed_phases: -1 | completed_phases: 0.5 | ~\n~`, `-`},
	{"STATE.md", "  total_plans: 4", `  total_plans: "4" | total_plans: many | total_plans: 3 | total_plans: 5 | total_plans: 1 | total_plans: -4 | ~\n~`, `-`},
	{"STATE.md", "  completed_plans: 2", `  completed_plans: "2" | completed_plans: two | completed_plans: 5 | completed_plans: 1 | completed_plans: 3 | completed_plans: -2 | ~\n~`, `-`},
	{"STATE.md", "  percent: 50", `  percent: "50" | percent: half | percent: 101 | percent: 51 | percent: -1 | percent: 49.5 | percent: 100 | ~\n~ | \n  percent: 50`, `- | percent: 33`},
	{"STATE.md", `current_phase: "2"`, `current_phase: "99" | current_phase: [2] | current_phase: {a: 2} | ~\n~`, `- | current_phase: null | current_phase: 2 | current_phase: "02" | current_phase: "3"`},
	{"STATE.md", "current_phase_name: Sew", `current_phase_name: [Sew] | current_phase_name: {a: b} | ~\n~ | current_phase_name: "Sew`, `- | current_phase_name: null | current_phase_name: "Sew: seams"`},
	{"STATE.md", `current_plan: "2"`, `current_plan: [2] | current_plan: {a: 2} | ~\n~`, `- | current_plan: null | current_plan: 2 | current_plan: "02-02"`},
	{"STATE.md", `last_updated: "2026-02-20T12:34:56.789Z"`, `last_updated: yesterday | last_updated: "2026-13-01T10:00:00Z" | last_updated: "2026-02-30" | last_updated: 12:30 | last_updated: [2026-02-20] | ~\n~`,
		`- | last_updated: 2026-02-20T12:34:56Z | last_updated: "2026-02-20" | last_updated: "2026-02-20T13:34:56+01:00"`},
	{"STATE.md", `last_activity: "2026-02-20"`, `last_activity: [2026-02-20] | last_activity: {a: b} | ~\n~`, `- | last_activity: null | last_activity: 2026-02-20 -- Sewed on`},
	{"STATE.md", `stopped_at: "Completed 02-01-PLAN.md"`, `stopped_at: [a] | stopped_at: {a: b} | stopped_at: a: b | ~\n~`, `- | stopped_at: null | stopped_at: "a: b"`},
	{"STATE.md", "paused_at: null", `paused_at: [a] | paused_at: {a: b} | ~\n~`, `- | paused_at: lunch | paused_at: "Phase 2: lunch"`},
	{"STATE.md", "Phase: 2 of 3 (Sew)", ``, `- | Phase: 2 | **Phase:** 2 of 3 | Phase: 2 of 3`},
	{"STATE.md", "# Project State", ``, `- | ~\n# c`},
	{"STATE.md", "---\ngsd", " ---\ngsd | --- \ngsd | \uFEFF---\ngsd | # top\n---\ngsd | \\n---\ngsd | ----\ngsd", ``},

	{"ROADMAP.md", "- [x] **Phase 1: Draw** - lines", ``, `- [X] **Phase 1: Draw** | - [ ] **Phase 1: Draw** - lines | - [x] **Phase 01 — Draw** - lines`},
	{"ROADMAP.md", "- [ ] **Phase 2: Sew** - seams", `- [x] **Phase 2: Sew** - seams`, `- [ ] **Phase 2: Sew** | - [ ] **Phase 2 – Sew**`},
	{"ROADMAP.md", "- [ ] **Phase 3: Fly** - wind", `- [x] **Phase 3: Fly** - wind | ~\n- [x] **Phase 4: Land**`, `- [ ] **Phase 3: Fly**`},
	{"ROADMAP.md", "- 🚧 **v2.0 Kites** — Phases 1-3", `- ✅ **v2.0 Kites** — Phases 1-3\n- 🚧 **v3.0 Next** — Phases 4-5`, `- | - 🔄 **v2.0 Kites** — Phases 1-3`},

	{"phases/01-draw/01-01-PLAN.md", "depends_on: []", `depends_on: ["99-01"] | depends_on: ["01-01"] | depends_on: ["01-01", "01-01"] | depends_on: [ | ~\n~`, `- | depends_on: | depends_on: none | depends_on: null`},
	{"phases/01-draw/01-01-PLAN.md", "wave: 1", `~\n~ | wave: "1 | wave: 1: 2`, `- | wave: 2`},
	{"phases/01-draw/01-01-PLAN.md", "autonomous: true", `~\n~ | autonomous: "yes`, `- | autonomous: false | user_setup:\n  - service: wind`},
	{"phases/01-draw/01-01-PLAN.md", "phase: 01-draw", `~\n~ | phase: "01`, `- | phase: 1`},
	{"phases/02-sew/02-02-PLAN.md", `depends_on: ["02-01"]`, `depends_on: ["02-02"] | depends_on: ["02-09"] | depends_on: [12a] | depends_on: ["03-01"] | depends_on: "02-07" | ~\n~`,
		`depends_on: [1] | depends_on: ["01"] | depends_on: 02-01 | depends_on: ["02-01-PLAN.md"] | depends_on: ["02-01", "01-01"] | depends_on: ["01"] | depends_on:\n  - "02-01" | -`},
	{"phases/03-fly/03-01-PLAN.md", `depends_on: ["02-02"]`, `depends_on: ["03-01"] | depends_on: ["04-01"] | depends_on: ["02-02", "02-09"]`, `depends_on: ["02-01"] | depends_on: ["2-2"] | depends_on: [] | depends_on: ["Plan 02-02"]`},
	{"phases/02-sew/02-01-SUMMARY.md", "completed: 2026-02-20", ``, `- | completed: "2026-02-20" | status: complete | completed: 2026-02-20T10:00:00Z`},

	{"phases/01-draw/01-VERIFICATION.md", "status: passed", `- | status: | status: ok | status: complete | status: human-needed | status: gaps-found | status: "done" | status: passed! | ~\n~ | status: passed # seen`,
		`status: "passed" | status: PASSED | status: 'passed'`},
	{"phases/01-draw/01-VERIFICATION.md", "status: passed", ``, `status: human_needed | status: gaps_found | status: failed | status: partial`},
	{"phases/01-draw/01-VERIFICATION.md", "verified: 2026-02-11T10:00:00Z", `verified: soon | verified: 2026-13-40 | ~\n~`, `- | verified: 2026-02-11 | verified: "2026-02-11T10:00:00Z"`},
	{"phases/01-draw/01-VERIFICATION.md", "score: 3/3", `score: "3/3 | ~\n~`, `- | score: 3/3 must-haves verified`},
	{"phases/01-draw/01-UAT.md", "result: pass", `result: n/a | result: pass with a crash | result: partial pass | result: ok | result: not passed | result: ✅ | result: yes | result: - | ~\n~`,
		`result: passed | result: PASS | result: [pass] | result: "pass" | result: PASS — on the phone | result: pending | result: [pending] | result: fail | result: issue\nreported: "it creaks" | result: blocked\nblocked_by: rain | result: pass (again)`},
	{"phases/01-draw/01-UAT.md", "result: skipped", `result: later | result: won't do | ~\n~`, `result: [skipped] | result: skipped because of rain | result: pass | -`},
	{"phases/01-draw/01-UAT.md", "updated: 2026-02-12T10:00:00Z", `updated: soon | updated: 2026-02-30 | ~\n~`, `- | updated: 2026-02-12`},
	{"phases/01-draw/01-UAT.md", "status: complete", `status: [a | ~\n~`, `status: testing | status: resolved | - | status: partial`},

	{"HANDOFF.json", `"timestamp": "2026-02-20T12:40:00Z",`, `- | "timestamp": 1771591200, | "timestamp": "soon", | "timestamp": null, | "timestamp": "", | "timestamp": "2026-02-30", | "timestamp": }`, `"timestamp": "2026-02-20", | "timestamp": "2026-02-20T12:40:00+00:00",`},
	{"HANDOFF.json", `"phase": "2",`, `"phase": "2"`, `- | "phase": 2, | "phase": "02", | "phase": "02-sew", | "phase": null,`},
	{"HANDOFF.json", `"status": "paused",`, `"status": paused,`, `- | "status": "completed", | "status": "resumed",`},
	{"HANDOFF.json", `"blockers": [],`, `"blockers": [ , | "blockers":`, `- | "blockers": ["rain"], | "blockers": [{"description": "rain", "type": "external"}],`},
	{"HANDOFF.json", `"human_actions_pending": []`, `"human_actions_pending": [`, `"human_actions_pending": ["buy wax"] | "human_actions_pending": [{"action": "buy wax", "context": "none left", "blocking": true}]`},
	{"WAITING.json", `"question": "Which?",`, `"question": Which?, | "question": "Which?`, `- | "question": {"text": "Which?"},`},
	{"WAITING.json", `"status": "waiting",`, `"status" "waiting",`, `- | "status": "answered",`},
	{"WAITING.json", `"since": "2026-02-20T12:00:00Z",`, `"since": "soon", | "since": 1771591200, | "since": "2026-02-30T00:00:00Z", | "since": now,`, `- | "since": "2026-02-20", | "since": null,`},
	{"WAITING.json", `"options": ["a", "b"],`, `"options": ["a" "b"],`, `- | "options": [], | "options": [{"label": "a"}],`},
	{"config.json", `"workflow": {"verifier": true}`, `"workflow": {"verifier": true | workflow: {} | [1]`, `"workflow": {"verifier": false} | "workflow": {} | "statusline": {"state_format": "compact"}`},
}

// TestMutations checks that each text that breaks a rule is reported, and no other.
func TestMutations(t *testing.T) {
	dir := tree(t, sound)
	put := func(file, text string) {
		t.Helper()
		at := filepath.Join(dir, Planning, file)
		write(t, at, text)
		must(t, os.Chtimes(at, now.Add(-72*time.Hour), now.Add(-72*time.Hour)))
	}
	for file, text := range sound {
		put(file, text)
	}
	problems := func() (all []string) {
		for _, p := range readers(t, dir)[0].Check(now) {
			all = append(all, fmt.Sprint(p))
		}
		return all
	}
	if found := problems(); len(found) > 0 {
		t.Fatalf("without a mutation: %q", found)
	}
	count, of := 0, [2]int{}
	for _, m := range mutants {
		text := sound[m.file]
		if strings.Count(text, m.line) == 0 {
			t.Fatalf("%s has no %q", m.file, m.line)
		}
		indent := m.line[:len(m.line)-len(strings.TrimLeft(m.line, " "))]
		for i, list := range []string{m.breaks, m.keeps} {
			if list == "" {
				continue
			}
			for _, mutant := range strings.Split(list, " | ") {
				count++
				of[i]++
				line := strings.ReplaceAll(strings.ReplaceAll(mutant, `\n`, "\n"), "~", m.line)
				if indent != "" && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\n") {
					line = indent + line
				}
				changed := strings.Replace(text, m.line, line, 1)
				if mutant == "-" {
					changed = strings.Replace(text, m.line+"\n", "", 1)
				}
				put(m.file, changed)
				found := problems()
				if breaks := i == 0; (len(found) > 0) != breaks {
					t.Errorf("%s: %q: breaks a rule: %v, reported: %q", m.file, line, breaks, found)
				}
			}
		}
		put(m.file, text)
	}
	if count < 300 {
		t.Errorf("%d mutations", count)
	}
	t.Logf("%d mutations: %d break a rule, %d break none", count, of[0], of[1])
}
