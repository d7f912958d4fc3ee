package randomtest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// RandomUltraplan returns a project of ultraplan: a STATE.md with a position and the gate of a task in any spelling, a tree of
// plans and summaries, and sometimes session, retries and logs.
func RandomUltraplan(rng *rand.Rand) map[string]string {
	o := source{rng}
	files := map[string]string{".ultraplan/config.json": "{}", ".planning/PROJECT.md": "# Lamp\n"}
	if o.IntN(12) > 0 {
		files[oneOf(o, ".planning/STATE.md", ".planning/STATE.md", ".planning/STATE.md", "STATE.md")] = ultraplanState(o)
	}
	if o.IntN(4) > 0 {
		files[".planning/ROADMAP.md"] = "# Roadmap\n\n## Phases\n\n- [" + oneOf(o, "x", " ") + "] **Phase 1: Base** - a\n- [ ] **Phase 2: Wick**\n- [" + oneOf(o, "x", " ", "-") + "] Phase 3: Lamp (skipped)\n- [ ] **Phase 4: Light** - b\n"
	}
	for i, name := range []string{"01-base", "02-wick", "03-lamp"}[:o.IntN(4)] {
		dir := ".planning/phases/" + name + "/"
		for plan := range 1 + o.IntN(3) {
			id := fmt.Sprintf("%02d-%02d", i+1, plan+1)
			files[dir+id+"-PLAN.md"] = "---\nphase: " + name + "\n---\n<tasks>\n<task type=\"auto\">\n  <name>Task 1: Fill the tank</name>\n</task>\n</tasks>\n"
			if o.IntN(2) == 0 {
				files[dir+id+"-SUMMARY.md"] = "done\n"
			}
		}
	}
	if o.IntN(4) == 0 {
		files[".ultraplan/state/continue.md"] = oneOf(o, "", "\x00", "## Last executed task\nTask 1: Fill the tank (01-02)\n", "03-01:task-1, since 2026-01-26\n", "see 09-09")
	}
	if o.IntN(3) == 0 {
		files[".ultraplan/logs/current-session.json"] = oneOf(o, `{"plan_id": "01-01", "tasks": [{"task_name": "Task 1", "status": "success"}]}`, `{`, `[]`, `{"plan_id": 5, "tasks": {}}`,
			`{"plan_id": "01-01", "tasks": [{"task_name": "Task 1: Fill the tank", "status": "`+oneOf(o, "failure", "in_progress", "success", "blocked")+`", "attempts": `+oneOf(o, "3", "2", "7")+`, "plan_id": "`+oneOf(o, "01-02", "2-1", "09-01")+`"}]}`)
	}
	if o.IntN(4) == 0 {
		files[".ultraplan/state/retry-state.json"] = `{"task_retries": {"` + oneOf(o, "01-01:task-1", "01-01-01", "02-01-task-01", "1") + `": {"status": "` + oneOf(o, "escalated", "escalated", "retrying", "done") + `", "retry_count": ` + oneOf(o, "3", "0", "-1") + `}}}`
	}
	if o.IntN(2) == 0 {
		plan := oneOf(o, "01-01", "02-01", "03-02")
		for i := range 1 + o.IntN(4) {
			status := oneOf(o, "failure", "failure", "failure", "success", "blocked")
			day, name := oneOf(o, "2026-01-26", "2026-01-27"), fmt.Sprintf("%s-task-01-%s", plan, status)
			if i > 0 {
				name += fmt.Sprintf("-%d", i+1)
			}
			log := executionLog(plan, status, fmt.Sprintf("%sT10:0%d:00Z", day, o.IntN(3)), 1+o.IntN(4))
			files[".ultraplan/logs/executions/"+day+"/"+name+".yaml"] = oneOf(o, log, log, log, log, log[:len(log)/2])
		}
	}
	return files
}

// ultraplanState returns a STATE.md.
func ultraplanState(o source) string {
	var b strings.Builder
	b.WriteString("# Project State\n\n## Project Reference\n\nSee: .planning/PROJECT.md\n\n## Current Position\n\n")
	for _, field := range []string{
		"Phase: " + oneOf(o, "3 of 4 (Lamp)", "3 of 4", "[X] of [Y]", "2 (Wick)", ""), "Plan: " + oneOf(o, "2 of 3", "03-02", "0 of 5 in current phase", "Not started"),
		"Status: " + oneOf(o, "In progress", "Ready to plan", "COMPLETE", "Ready for execution", "not done", "resting"), "Progress: [█████░░░░░] 50%",
	} {
		if o.IntN(6) > 0 {
			b.WriteString(oneOf(o, "", "", "**", "- ") + field + oneOf(o, "\n", "\n", "\r\n"))
		}
	}
	if o.IntN(3) > 0 {
		quote := oneOf(o, "", `"`, "'")
		lines := []string{
			"  name: " + oneOf(o, `"Task 1: Fill the tank"`, "Task 2", "null", ""), "  phase: " + oneOf(o, "03-lamp", `"03"`, "3"), "  plan: " + oneOf(o, `"03-02"`, "02", "02-01"),
			"  gate_status: " + quote + oneOf(o, "FAILED", "BLOCKED", "executing", "REJECTED", "approved", "VERIFYING", "PENDING", "SKIPPED", "stuck", "") + quote, "  gate_step: " + oneOf(o, "2", "x"),
			"  attempt: " + oneOf(o, "1", "3", "99", "x", "-1"), "  max_attempts: " + oneOf(o, "3", "1", "0", "x"),
			"  last_step_at: " + oneOf(o, `"2026-01-26T10:01:00Z"`, "2026-01-27T10:01:00+00:00", "2026-01-27 10:00", "2026-01-26", "soon", `"2026-02-01T00:00:00Z"`),
		}
		lines = lines[:1+o.IntN(len(lines))]
		o.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		fence := oneOf(o, "```yaml\n", "```\n", "")
		b.WriteString("\n## Current Task\n\n" + fence + "current_task:\n" + strings.Join(lines, oneOf(o, "\n", "\n", "\r\n")) + "\n" + strings.TrimSuffix(fence, "yaml\n"))
	}
	if o.IntN(6) == 0 {
		b.WriteString("\n" + oneOf(o, "skipped_tasks:\n  - task: \"01-01:task-1\"\n    reason: \"x\"\n", "tasks:\n  - name: \"02-01:task-1\"\n    status: complete (unverified)\n", "skipped_tasks:\n- task: 03-02-01\n"))
	}
	return o.sometimes(15, "\ufeff", "") + b.String() + "\n## Session Continuity\n\nResume file: None\n"
}

// executionLog is the log of a result of a plan's first task.
func executionLog(plan, status, at string, attempt int) string {
	exit, reason := 0, "null"
	if status != "success" {
		exit, reason = 1, "it broke"
	}
	return fmt.Sprintf("# Result metadata\nlogged_at: %q\nplan_id: %q\ntask_index: 1\nsession_id: \"s\"\n\nresult:\n  status: %s\n  task_name: \"Task 1: Fill the tank\"\n  files_modified:\n    - a.go\n    - b.go\n", at, plan, status) +
		fmt.Sprintf("  metadata:\n    duration_ms: 1000\n    attempt: %d\n  verification:\n    command: \"go test ./...\"\n    exit_code: %d\n    output_summary: \"ok\"\n  done_criteria_met: %v\n  evidence: seen\n  error: %s\n", attempt, exit, status == "success", reason)
}
