package randomtest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// awaitedLines returns lines of STATE.md, some with a human checkpoint.
func awaitedLines(o source) string {
	if o.IntN(3) > 0 {
		return ""
	}
	return "\n" + oneOf(o, "", "Phase: 2 of 2 (B)\n", "Phase: 1 of 2 (A)\n") + oneOf(o, "", "", "Plan: 02-01 checkpoint reached\n", "Plan: 01-02 CHECKPOINT (Task 3, approval pending)\n") +
		oneOf(o, "", "", "Status: Awaiting human verification\n", "Status: 02-02 awaiting human verification\n") + oneOf(o, "", "", "Stopped at: 01-01 Task 4 (human-verify) PENDING\n", "Stopped at: done\n")
}

// OldFile is part of every file that is older than the others; the caller sets its time.
const OldFile = "an old file"

// RandomCompleteGSD returns a project of GSD whose STATE.md says in one of several ways that everything is done. Parts of its two
// phases may still be open.
func RandomCompleteGSD(rng *rand.Rand) map[string]string {
	o := source{rng}
	const old = "<!-- " + OldFile + " -->\n"
	count := "progress:\n  total_phases: 2\n  completed_phases: 2\n  percent: 100\n"
	files := map[string]string{
		"STATE.md": "---\nmilestone: v1.1\n" + oneOf(o, count, count, "status: completed\n"+count, "status: v1.1 milestone complete\n", "status: v1.1 shipped\n"+count, "status: Awaiting next milestone\n"+count,
			"status: executing\n"+count, "status: completed\n"+strings.Replace(count, "100", "80", 1)) + "---\n" + oneOf(o, "", "", "\nStatus: Milestone complete\n", "\nStatus: Phase 2 complete\n") + awaitedLines(o),
		"ROADMAP.md": "# Roadmap\n\n" + oneOf(o, "## v1.1 New\n", "## ✅ v1.1 New\n", "## 🚧 v1.1 New\n", "## v1.1 New\n") + "- [x] **Phase 1: A**\n- [" + oneOf(o, "x", "x", "x", " ") + "] **Phase 2: B**\n" +
			oneOf(o, "", "", "", "", "- [ ] ~~**Phase 3: C**~~\n", "- [x] **Phase 3: C**\n", "- [ ] **Phase 3: C**\n"),
	}
	if o.IntN(4) == 0 {
		files["STATE.md"] = strings.Replace(files["STATE.md"], "---\n", "---\nlast_updated: 2026-01-02T10:00:00Z\n", 1)
	}
	if o.IntN(6) == 0 {
		files["config.json"] = oneOf(o, `{"workflow": {"verifier": false}}`, `{"workflow": {"verifier": false}}`, `{"workflow": {"verifier": "false"}}`, `{"workflow": false`)
	}
	if o.IntN(8) == 0 {
		files["WAITING.json"] = fmt.Sprintf(`{"status": %q, "question": "Paper?", "phase": %q}`, oneOf(o, "waiting", "answered"), oneOf(o, "2", "02", "7"))
	}
	for i, name := range []string{"01-a", "02-b"} {
		dir, n := "phases/"+name+"/", fmt.Sprintf("%02d", i+1)
		if i > 0 && o.IntN(12) == 0 {
			continue
		}
		for plan := range 1 + o.IntN(2) {
			if o.IntN(25) == 0 {
				continue
			}
			at := fmt.Sprintf("%s%s-%02d-", dir, n, plan+1)
			files[at+"PLAN.md"] = oneOf(o, "x\n", "---\ngap_closure: true\n---\n", "x\n")
			if o.IntN(25) == 0 {
				files[at+"PLAN.md"] = "---\nstatus: superseded\n---\n"
			} else if o.IntN(25) > 0 {
				files[at+"SUMMARY.md"] = oneOf(o, "done\n", old, "done\n", "---\ncompleted: 2026-01-02T09:00:00Z\n---\n", "---\ncompleted: 2026-01-02\n---\n", "---\nstatus: checkpoint reached\n---\n", "---\ncompleted: 2026-01-03\n---\n")
			}
		}
		if o.IntN(8) > 0 {
			files[dir+n+"-VERIFICATION.md"] = "---\nstatus: " + oneOf(o, "passed", "passed", "passed", "passed", "Passed", `"passed"`, "passed # all", "gaps_found", "human_needed", "human-needed # two", "human needed", "looks fine", "") + "\n---\n" + oneOf(o, "", "", "", old)
		}
		if o.IntN(20) == 0 {
			files[dir+"VERIFICATION.md"] = "---\nstatus: " + oneOf(o, "human_needed", "passed", "gaps_found") + "\n---\n"
		}
		if o.IntN(3) == 0 {
			text := "---\nstatus: " + oneOf(o, "complete", "testing", "resolved", "diagnosed") + "\n---\n" + oneOf(o, "", old) + "## Tests\n"
			for test := range o.IntN(3) {
				text += fmt.Sprintf("### %d. T\nresult: %s\n", test+1, oneOf(o, "pass", "PASS. Works", "pass", "[pending]", "issue", "okay-ish", "pass with a crash", "skipped", "blocked", "✅ pass", ""))
			}
			files[dir+n+"-UAT.md"] = text + oneOf(o, "", "", "## Gaps\n- truth: T\n  status: "+oneOf(o, "resolved", "failed")+"\n")
		}
	}
	project := map[string]string{}
	for name, text := range files {
		project[".planning/"+name] = text
	}
	return project
}
