package ultraplan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
)

const (
	mutatedState   = ".planning/STATE.md"
	mutatedPlan    = ".planning/phases/01-quay/01-02-PLAN.md"
	mutatedLog     = ".ultraplan/logs/executions/2026-01-28/01-01-task-01-success.yaml"
	mutatedDaily   = ".ultraplan/logs/summary/daily-2026-01-28.json"
	mutatedSession = ".ultraplan/logs/current-session.json"
)

// unbroken holds the files that the mutations start from. They break no rule.
var unbroken = map[string]string{
	mutatedState: `# Project State

## Current Position

Phase: 1 of 2 (quay)
Plan: 2 of 2 in current phase
Status: In progress
Last activity: 2026-01-28 - Completed Task 1: Lay the stone

Progress: [######░░░░░░░░░░░░░░] 33% (1/3 plans complete)

## Performance Metrics

**Velocity:**
- Total plans completed: 1
- Average duration: 30 minutes
- Total execution time: 30m

**By Phase:**

| Phase | Plans | Total | Avg/Plan |
|-------|-------|-------|----------|
| 1 | 1/2 | 30m | 30m |

**Recent Trend:**
- Last 5 plans: 30m
- Trend: -

### Blockers/Concerns

None yet.

## Current Task

current_task:
  name: "Task 1: Carry the sand"
  phase: "01-quay"
  plan: "01-02"
  gate_status: VERIFYING
  gate_step: 2
  executor_status: success
  verify_status: running
  architect_status: pending
  started_at: "2026-01-28T11:00:00Z"
  last_step_at: "2026-01-28T11:30:00Z"
  attempt: 1
  max_attempts: 3
  previous_failures: []

## Session Continuity

Last session: 2026-01-28
Stopped at: nothing
Resume file: None
`,
	".planning/phases/01-quay/01-01-PLAN.md":    mutatedPlanOf("01-quay", "01", "Task 1: Lay the stone"),
	".planning/phases/01-quay/01-01-SUMMARY.md": "---\ncompleted: 2026-01-28\nduration: 30m\n---\n",
	mutatedPlan:                             mutatedPlanOf("01-quay", "02", "Task 1: Carry the sand"),
	".planning/phases/02-sea/02-01-PLAN.md": mutatedPlanOf("02-sea", "01", "Task 1: Sail"),
	mutatedLog: `logged_at: "2026-01-28T10:00:00Z"
plan_id: "01-01"
task_index: 1
session_id: "s"

result:
  status: success
  task_name: "Task 1: Lay the stone"
  files_modified: []
  verification:
    command: "go test"
    exit_code: 0
    output_summary: "ok"
  done_criteria_met: true
  evidence: "seen"
  error: null
  metadata:
    duration_ms: 1800000
    attempt: 1
`,
	mutatedDaily: `{
  "date": "2026-01-28", "tasks_executed": 1, "tasks_succeeded": 1, "tasks_failed": 0, "tasks_blocked": 0, "total_retries": 0, "success_rate": 1,
  "total_duration_ms": 1800000, "average_duration_ms": 1800000,
  "by_plan": {"01-01": {"tasks": 1, "succeeded": 1, "failed": 0, "duration_ms": 1800000}},
  "files_modified_count": 0, "tasks_with_duration": 1, "logs": ["01-01-task-01-success.yaml"], "newest": "01-01-task-01-success.yaml"
}
`,
	mutatedSession: `{
  "session_id": "s", "started_at": "2026-01-28T09:00:00Z", "plan_id": "01-01",
  "tasks": [{"task_name": "Task 1: Lay the stone", "status": "success", "attempts": 1, "completed_at": "2026-01-28T10:00:00Z", "duration_ms": 1800000}],
  "last_updated": "2026-01-28T10:00:00Z"
}
`,
}

func mutatedPlanOf(phase, plan, task string) string {
	return "---\nphase: " + phase + "\nplan: " + plan + "\ntype: execute\nwave: 1\ndepends_on: []\nfiles_modified: []\nautonomous: true\nmust_haves: {}\n---\n<tasks>\n<task type=\"auto\">\n<name>" + task +
		"</name>\n<files>a.go</files>\n<action>do it</action>\n<verify>go test</verify>\n<done>it stands</done>\n</task>\n</tasks>\n<success_criteria>\n- [ ] " + task + "\n</success_criteria>\n"
}

// mutations lists the replacements for one text of a file, separated by ¦; "-" removes the text. keeps has those that break no rule,
// breaks those that break one.
var mutations = []struct{ file, text, keeps, breaks string }{
	// The position.
	{mutatedState, "## Current Position\n", "## Current Position (now)\n¦### Current Position\n¦## current position\n", "-¦## Position\n¦Current Position\n"},
	{mutatedState, "Phase: 1 of 2 (quay)\n", "Phase: 1 of 2\n¦Phase: 01 of 02 (quay)\n¦Phase: 1 of 3 (quay)\n¦**Phase:** 1 of 2 (quay)\n¦- Phase: 1 of 2 (quay)\n¦Phase: 1 of 2 (the quay)\n", "-¦Phase: 1\n¦Phase: one of 2\n¦Phase: 3 of 2\n¦Phase: 1/2\n¦Phase:\n¦Phase: 1 of 1 (quay)\n¦Phase: 9 of 9 (quay)\n¦Phase: quay\n¦Phase: 1 of two\n¦Phase: -1 of 2\n"},
	{mutatedState, "Plan: 2 of 2 in current phase\n", "Plan: 2 of 2\n¦Plan: 02 of 02\n¦Plan: 1 of 2 in current phase\n", "-¦Plan: 2\n¦Plan: 3 of 2\n¦Plan: 2 of 1 in current phase\n¦Plan: two of 2\n¦Plan:\n¦Plan: 01-02\n¦Plan: 2 / 2\n"},
	{mutatedState, "Status: In progress\n", "Status: Verifying\n¦- Status: In progress\n¦**Status:** In progress\n", "-¦Status: Complete\n¦Status: Ready to plan\n¦Status: Planning\n¦Status: in progress\n¦Status: In progress - nearly\n¦Status: Done\n¦Status:\n¦Status: WIP\n"},
	{mutatedState, "2026-01-28 - Completed Task 1: Lay the stone\n", "2026-01-28 - Met the owner\n¦2026-01-29 - Met the owner\n", "2026-01-20 - Completed Task 1: Lay the stone\n¦2026-01-28 - Failed: Task 1: Lay the stone\n¦2026-01-28 - Blocked: Task 1: x\n¦-\n¦\n¦2026-01-20 - Roadmap created\n"},
	{mutatedState, "[######░░░░░░░░░░░░░░] 33% (1/3 plans complete)", "[███░░░░░░░] 33% (1/3 plans complete)¦[######░░░░░░░░░░░░░░] 33%¦[######░░░░░░░░░░░░░░] 33% (v1)", "[######░░░░░░░░░░░░░░]¦33%¦[######░░░░░░░░░░░░░░] 34%¦[#######░░░░░░░░░░░░░] 33%¦[######] 33%¦[######░░░░░░░░░░░░░░] 33.3%¦[######░░░░░░░░░░░░░░] 133%¦[######░░░░░░░░░░░░░░] 33% (2/3 plans complete)¦[######░░░░░░░░░░░░░░] 33% (1/4 plans complete)¦soon¦-¦[████░░░░░░] 33% (1/3 plans complete)"},
	// The numbers.
	{mutatedState, "completed: 1\n", "completed: one\n¦completed: 1 \n", "completed: 0\n¦completed: 2\n¦completed: -\n¦completed: 99\n¦completed: [X]\n"},
	{mutatedState, "Average duration: 30 minutes\n", "Average duration: 30m\n¦Average duration: ~30 minutes\n¦Average duration: half an hour\n¦-", "Average duration: 3 minutes\n¦Average duration: 5h\n¦Average duration: -\n¦Average duration: 29 minutes\n¦Average duration: 31 minutes\n"},
	{mutatedState, "Total execution time: 30m\n", "Total execution time: 30 minutes\n¦Total execution time: 0.5 hours\n¦Total execution time: some\n¦-", "Total execution time: 3m\n¦Total execution time: 30h\n¦Total execution time: -\n¦Total execution time: TBD\n"},
	{mutatedState, "| 1 | 1/2 | 30m | 30m |\n", "| 1 | 1/2 | 30 minutes | 30m |\n¦| 01. Quay | 1/2 | 30m | 30m |\n¦| Phase 1 | 1/2 | 30m | 30m |\n¦| 1 | 1/2 | 30m | 30m |\n| 2 | 0/1 | - | - |\n", "| 1 | 1/2 | 30m | 30m |\n| 9 | 0/1 | - | - |\n¦| 1 | 1/2 | 30m | 30m |\n| 1 | 1/2 | 30m | 30m |\n¦| 1 | 1/2 | 30m | 30m |\n| 01 | 1/2 | 30m | 30m |\n¦| 1 | 0/2 | 30m | 30m |\n¦| 1 | 2/2 | 30m | 30m |\n¦| 1 | 1/2 | 3m | 30m |\n¦| 1 | 1/2 | 30m | 3m |\n¦| 1 | 1/2 | 5h | 30m |\n¦| 1 | 1/2 | 30m | 5h |\n¦| 1 | - | - | - |\n¦| 1 | 1/9 | 30m | 30m |\n¦-"},
	{mutatedState, "Last 5 plans: 30m\n", "Last 5 plans: 30 minutes\n¦Last 5 plans: 01-01\n¦-", "Last 5 plans: 3m\n¦Last 5 plans: 5h\n¦Last 5 plans: 30m, 30m\n¦Last 5 plans: -\n"},
	{mutatedState, "Trend: -\n", "Trend: fine\n¦-", "Trend: Stable\n"},
	{mutatedState, "Resume file: None\n", "Resume file: none\n¦Resume file:\n¦Resume file: `.planning/STATE.md`\n¦-", "Resume file: .ultraplan/state/continue.md\n¦Resume file: notes/gone.md\n"},
	{mutatedState, "None yet.\n\n## Current Task", "- the sand is wet\n\n## Current Task¦None\n\n## Current Task¦\n\n## Current Task", "<<<<<<< ours\nNone\n=======\n- a\n>>>>>>> theirs\n\n## Current Task"},
	// The gate.
	{mutatedState, "name: \"Task 1: Carry the sand\"", "name: 'Task 1: Carry the sand'¦name: \"Task 1:  Carry the sand\"", "name: Task 1 (sand)¦name: \"Task 7: Nothing\"¦name:¦name: \"Lay bricks\""},
	{mutatedState, "phase: \"01-quay\"\n", "phase: 1\n¦phase: \"01\"\n¦phase: quay\n", "phase: 9\n¦phase: 02-sea\n"},
	{mutatedState, "plan: \"01-02\"\n", "plan: 01-02\n¦plan: \"1-2\"\n¦plan: \"02\"\n", "plan: \"09-09\"\n¦plan:\n¦plan: x\n¦-"},
	{mutatedState, "gate_status: VERIFYING\n", "gate_status: EXECUTING\n¦gate_status: REVIEWING\n¦gate_status: APPROVED\n¦gate_status: FAILED\n¦gate_status: BLOCKED\n¦gate_status: SKIPPED\n¦gate_status: \"VERIFYING\" # now\n", "gate_status: PENDING\n¦gate_status: REJECTED\n¦gate_status: verifying\n¦gate_status: DONE\n¦gate_status:\n¦-¦gate_status: [VERIFYING]\n"},
	{mutatedState, "gate_step: 2\n", "gate_step: 1\n¦gate_step: 3\n¦gate_step: \"2\"\n", "gate_step: 0\n¦gate_step: 4\n¦gate_step: two\n¦gate_step: 2.5\n¦gate_step:\n¦-"},
	{mutatedState, "executor_status: success", "executor_status: pending¦executor_status: running¦executor_status: failure¦executor_status: blocked", "executor_status: done¦executor_status: passed¦executor_status: Success"},
	{mutatedState, "verify_status: running", "verify_status: pending¦verify_status: passed¦verify_status: failed¦verify_status: skipped", "verify_status: success¦verify_status: ok¦verify_status: RUNNING"},
	{mutatedState, "architect_status: pending", "architect_status: reviewing¦architect_status: approved¦architect_status: rejected", "architect_status: running¦architect_status: ok"},
	{mutatedState, "gate_status: VERIFYING\n  gate_step: 2\n  executor_status: success\n  verify_status: running", "gate_status: APPROVED\n  gate_step: 3\n  executor_status: success\n  verify_status: passed", "gate_status: APPROVED\n  gate_step: 3\n  executor_status: success\n  verify_status: failed¦gate_status: APPROVED\n  gate_step: 3\n  executor_status: failure\n  verify_status: passed"},
	{mutatedState, "started_at: \"2026-01-28T11:00:00Z\"", "started_at: 2026-01-28T11:00:00Z¦started_at: \"2026-01-28T12:00:00+01:00\"", "started_at: soon¦started_at: \"11:00\""},
	{mutatedState, "last_step_at: \"2026-01-28T11:30:00Z\"", "last_step_at: 2026-01-28T11:30:00Z", "last_step_at: soon¦last_step_at: yesterday"},
	{mutatedState, "attempt: 1\n", "attempt: 2\n¦attempt: 3\n¦attempt: \"1\"\n", "attempt: 0\n¦attempt: -1\n¦attempt: one\n¦attempt: 1.5\n¦attempt: [1]\n¦attempt:\n"},
	{mutatedState, "  max_attempts: 3\n", "  max_attempts: 1\n¦  max_attempts: 5\n¦-", "  max_attempts: many\n¦  max_attempts: 2.5\n¦  max_attempts: [3]\n"},
	// A plan.
	{mutatedPlan, "phase: 01-quay\n", "phase: \"01-quay\"\n¦phase: 1\n¦phase: quay\n", "-¦phase: 03\n¦phase: 03-quay\n¦phase: 9\n"},
	{mutatedPlan, "plan: 02\n", "plan: 2\n¦plan: \"01-02\"\n", "plan: 03\n¦-¦plan: 02\nplan: 02\n"},
	{mutatedPlan, "type: execute\n", "type: tdd\n", "-¦type: play\n¦type:\n"},
	{mutatedPlan, "wave: 1\n", "wave: 2\n¦wave: \"1\"\n", "-¦wave: 0\n¦wave: first\n¦wave: -1\n¦wave: 1.5\n"},
	{mutatedPlan, "depends_on: []\n", "depends_on: [\"01-01\"]\n¦depends_on: 01-01\n¦depends_on:\n  - 01-01\n", "-¦depends_on: [\"09-01\"]\n¦depends_on: [\"01-02\"]\n¦depends_on: [nothing]\n"},
	{mutatedPlan, "files_modified: []\n", "files_modified: [a.go]\n", "-¦files_modified: {a: 1}\n"},
	{mutatedPlan, "autonomous: true\n", "autonomous: false\n", "-¦autonomous: maybe\n¦autonomous: [true]\n"},
	{mutatedPlan, "must_haves: {}\n", "must_haves:\n  truths: []\n", "-¦must_haves: }\n"},
	{mutatedPlan, "<task type=\"auto\">", "<task type=\"auto\" status=\"completed\">¦<task type=\"checkpoint:human-verify\">¦<task type=\"checkpoint:decision\" gate=\"blocking\">", "<task type=\"manual\">¦<task>¦<task type=\"\">"},
	{mutatedPlan, "<name>Task 1: Carry the sand</name>\n", "", "-"},
	{mutatedPlan, "<files>a.go</files>\n", "<files>a.go, b.go</files>\n", "-"},
	{mutatedPlan, "<action>do it</action>\n", "<action>if a < b && c { }</action>\n", "-"},
	{mutatedPlan, "<verify>go test</verify>\n", "<verify>make</verify>\n", "-"},
	{mutatedPlan, "<done>it stands</done>\n", "<done>it is there</done>\n", "-"},
	{mutatedPlan, "</success_criteria>\n", "</success_criteria>\n<output>\n</output>\n", "-"},
	{mutatedPlan, "<success_criteria>\n", "", "-"},
	{mutatedPlan, "- [ ] Task 1: Carry the sand\n", "- [x] it holds\n¦* [ ] Task 1: Carry the sand\n¦- [ ] Task 01: Carry the sand\n¦-", "- [ ] Task 7: Sail\n¦- [ ] Task 1: Carry the sand\n- [x] Task 2: Fly\n"},
	{mutatedPlan, "</task>\n", "  </task>\n", "-"},
	{mutatedPlan, "</task>\n</tasks>", "</task>\n<task type=\"auto\">\n<name>Task 2: x</name>\n<files>a</files>\n<action>a</action>\n<verify>a</verify>\n<done>a</done>\n</task>\n</tasks>", "</task>\n<task type=\"auto\">\n<name>Task 1: Carry the sand</name>\n<files>a</files>\n<action>a</action>\n<verify>a</verify>\n<done>a</done>\n</task>\n</tasks>¦</task>\n<task type=\"auto\">\n<name>Task 2: x</name>\n</task>\n</tasks>"},
	// A log.
	{mutatedLog, "logged_at: \"2026-01-28T10:00:00Z\"\n", "logged_at: 2026-01-28T10:00:00Z\n¦logged_at: \"2026-01-28T11:00:00+01:00\"\n", "-¦logged_at: soon\n¦logged_at:\n"},
	{mutatedLog, "plan_id: \"01-01\"\n", "plan_id: 01-01\n¦plan_id: \"1-1\"\n", "-¦plan_id: \"01-02\"\n¦plan_id:\n"},
	{mutatedLog, "task_index: 1\n", "task_index: \"1\"\n¦task_index: 01\n", "-¦task_index: 2\n¦task_index: one\n¦task_index:\n"},
	{mutatedLog, "session_id: \"s\"\n", "session_id: other\n¦-", ""},
	{mutatedLog, "result:\n", "", "Result:\n¦result: x\n"},
	{mutatedLog, "status: success\n", "status: \"success\"\n", "-¦status: failure\n¦status: blocked\n¦status: done\n¦status: Success\n¦status:\n"},
	{mutatedLog, "task_name: \"Task 1: Lay the stone\"\n", "task_name: 'Task 1: Lay the stone'\n", "-¦task_name: \"Task 2: x\"\n¦task_name:\n"},
	{mutatedLog, "files_modified: []\n", "files_modified:\n    - a.go\n", "-"},
	{mutatedLog, "exit_code: 0\n", "", "exit_code: 1\n¦exit_code: zero\n¦exit_code:\n¦-"},
	{mutatedLog, "done_criteria_met: true\n", "", "-¦done_criteria_met: false\n¦done_criteria_met: yes\n¦done_criteria_met:\n"},
	{mutatedLog, "evidence: \"seen\"\n", "evidence: |\n    seen\n", "-"},
	{mutatedLog, "error: null\n", "error: ~\n", "-¦error: \"it broke\"\n"},
	{mutatedLog, "duration_ms: 1800000\n", "duration_ms: 1\n¦-", ""}, // the day's summary has already counted it
	{mutatedLog, "attempt: 1\n", "-¦attempt: 2\n", ""},
	// The summary of a day.
	{mutatedDaily, `"date": "2026-01-28"`, `"day": 1`, `"date": "2026-01-27"¦"date": 28¦"date": "soon"`},
	{mutatedDaily, `"tasks_executed": 1`, `"tasks_executed": 1.0`, `"tasks_executed": -1¦"tasks_executed": "1"¦"tasks_executed": [1]¦"tasks_executed": 1.5`},
	{mutatedDaily, `"tasks_succeeded": 1`, "", `"tasks_succeeded": -1¦"tasks_succeeded": "1"`},
	{mutatedDaily, `"tasks_failed": 0`, `"note": 0`, `"tasks_failed": -1¦"tasks_failed": {}`},
	{mutatedDaily, `"tasks_blocked": 0`, `"note": 0`, `"tasks_blocked": -1¦"tasks_blocked": true`},
	{mutatedDaily, `"total_retries": 0`, `"note": 0`, `"total_retries": -1¦"total_retries": "no"`},
	{mutatedDaily, `"total_duration_ms": 1800000`, "", `"total_duration_ms": -1¦"total_duration_ms": "30m"`},
	{mutatedDaily, `"average_duration_ms": 1800000`, "", `"average_duration_ms": -1¦"average_duration_ms": null, "average_duration_ms": "x"`},
	{mutatedDaily, `"by_plan": {"01-01": {`, "", `"by_plan": [], "x": {"01-01": {`},
	{mutatedDaily, `"tasks": 1`, "", `"tasks": -1¦"tasks": "1"`},
	{mutatedDaily, "}\n", "}\n\n", "-¦}}\n"},
	// The session.
	{mutatedSession, `"session_id": "s"`, `"session_id": "t"¦"session_id": "s", "more": 1`, `"session_id": 5`},
	{mutatedSession, `"tasks": [`, "", `"tasks": 1, "x": [`},
	{mutatedSession, `"attempts": 1`, `"attempts": 2¦"note": 1`, `"attempts": "one"`},
	{mutatedSession, `"status": "success"`, `"status": "in_progress"`, `"status": 7¦"status": "bogus"¦"state": "success"`},
	{mutatedSession, `"task_name": "Task 1: Lay the stone"`, `"task_name": "Task 1:  Lay the stone"`, `"name": "Task 1"¦"task_name": 5`},
	{mutatedSession, `"tasks": [{`, "", `"tasks": [null, {¦"tasks": [3, {`},
	{mutatedSession, "}\n", "}\n\n", "-¦}]\n"},
}

// TestMutations changes one value at a time in valid files. The check must report every change that breaks a rule, and no other.
func TestMutations(t *testing.T) {
	dir := fixture.Project(t, unbroken)
	problems := func() (found []string) {
		for _, p := range (&Reader{m: mirror.New(dir, Home, core.Planning)}).Check(fixture.Now) {
			found = append(found, p.String())
		}
		return found
	}
	if found := problems(); len(found) > 0 {
		t.Fatalf("the files break rules: %s", strings.Join(found, "\n"))
	}
	count := 0
	seen := map[string]bool{}
	for _, m := range mutations {
		whole := unbroken[m.file]
		if strings.Count(whole, m.text) == 0 {
			t.Errorf("%s has no %q", m.file, m.text)
			continue
		}
		try := func(texts string, breaks bool) {
			for text := range strings.SplitSeq(texts, "¦") {
				if texts == "" {
					return
				}
				if text == "-" {
					text = ""
				}
				at := strings.LastIndex(whole, m.text)
				changed := whole[:at] + text + whole[at+len(m.text):]
				count++
				if seen[m.file+changed] {
					t.Errorf("%s: %q to %q is there twice", m.file, m.text, text)
				}
				seen[m.file+changed] = true
				file := filepath.Join(dir, filepath.FromSlash(m.file))
				fixture.Must(t, os.WriteFile(file, []byte(changed), 0o644))
				if found := problems(); (len(found) > 0) != breaks {
					t.Errorf("%s: %q to %q: breaks a rule: %v, found %q", m.file, m.text, text, breaks, found)
				}
				fixture.Must(t, os.WriteFile(file, []byte(whole), 0o644))
			}
		}
		try(m.keeps, false)
		try(m.breaks, true)
	}
	if count < 300 {
		t.Errorf("only %d mutations", count)
	}
}
