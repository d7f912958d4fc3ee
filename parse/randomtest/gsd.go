package randomtest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// RandomGSD returns a project of GSD: a STATE.md whose fields are in any spelling or missing, some of the tree, and sometimes
// WAITING.json and config.json.
func RandomGSD(rng *rand.Rand) map[string]string {
	o := source{rng}
	files := map[string]string{
		".planning/STATE.md": gsdState(o), ".planning/PROJECT.md": "# Kite\n",
		".planning/ROADMAP.md": "# Roadmap\n\n" + oneOf(o, "", "", "- ✅ **v0.9 Old** — Phases 1-1\n\n") + "## Phases\n\n- [x] **Phase 1: Draw** - a\n- [ ] **Phase 2: Cut** - b\n- [" + oneOf(o, " ", "x") + "] **Phase 3: Fly**\n",
	}
	for i, name := range []string{"01-draw", "02-cut", "3-fly"} {
		dir := ".planning/phases/" + name + "/"
		for plan := range o.IntN(3) {
			files[fmt.Sprintf("%s%02d-%02d-PLAN.md", dir, i+1, plan+1)] = "---\nphase: " + name + "\nplan: 1\n---\n"
			if o.IntN(2) == 0 {
				files[fmt.Sprintf("%s%02d-%02d-SUMMARY.md", dir, i+1, plan+1)] = "done\n"
			}
		}
	}
	if o.IntN(3) == 0 {
		files[oneOf(o, ".planning/WAITING.json", ".gsd/WAITING.json")] = oneOf(o, "\ufeff", "", "", "") + oneOf(o,
			`{"status": "waiting", "type": "decision", "question": "Paper or silk?"}`, `{"question": {"text": "Paper?"}, "type": 5}`, `{"status": "answered", "question": "x"}`,
			`{}`, `null`, `[]`, `{"status": 5, "question": " "}`, `{"status": "", "type": "human"`, `{"question": "a", "question": "b", "options": ["x"]}`, `{"status": null, "question": 7, "phase": 1e400}`,
			`{"question": "Silk?", "phase": "1"}`, `{"question": "Silk?", "phase": 1.0, "since": "2026-01-01"}`, `{"question": "Silk?", "phase": "02", "since": "2026-01-01T00:00:00Z"}`)
	}
	if o.IntN(4) == 0 {
		files[".planning/config.json"] = oneOf(o, `{"statusline": {"state_format": "compact"}}`, `{"workflow": {"verifier": false}}`, `{`, `[]`)
	}
	return files
}

// gsdState returns a STATE.md.
func gsdState(o source) string {
	var b strings.Builder
	if o.IntN(4) > 0 {
		keys := []string{
			"gsd_state_version: 1.0", "status: " + oneOf(o, "executing", `"planning"`, "null", "'paused'", "", "completed # done"), "milestone: " + oneOf(o, "v1.0", "null", `"v2"`),
			"milestone_name: " + oneOf(o, "Kites", "null", `"A: b"`), "active_phase: " + oneOf(o, "2", `"02"`, "null"), "next_action: " + oneOf(o, "plan", "null", "/gsd:verify-work"),
			"next_phases: " + oneOf(o, "[2, 3]", "null", "\n  - 2\n  - '3'", "2"), fmt.Sprintf("progress:\n  total_phases: %d\n  completed_phases: %s\n  percent: %s", o.IntN(5), oneOf(o, "1", "x", "-1"), oneOf(o, "40", "400", `"7"`)),
			"status: " + oneOf(o, "verifying", "null"), "? odd",
		}
		o.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		b.WriteString("---\n" + strings.Join(keys[:o.IntN(len(keys)+1)], "\n") + o.sometimes(12, "\n", "\n---\n"))
	}
	b.WriteString("# Project State\n\n## Current Position\n\n")
	for _, field := range []string{
		"Phase: " + oneOf(o, "2 of 3 (Cut)", "2", "02 of 0", "[2] of [3]", "Milestone complete", "2.1 of 3 — Cut", ""), "Plan: " + oneOf(o, "1 of 2", "02-01", "Not started"),
		"Status: " + oneOf(o, "In progress", "Ready to plan", "**Executing**", "Phase complete", "\u001b[2Jodd"), "Last activity: 2026-01-26 - Cut the paper",
	} {
		if o.IntN(5) > 0 {
			b.WriteString(oneOf(o, "", "", "**", "- ") + field + oneOf(o, "\n", "\n", "\r\n", "\u2028"))
		}
	}
	return o.sometimes(15, "\ufeff", "") + b.String()
}
