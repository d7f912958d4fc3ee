package parse

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/parse/nearest"
)

// TestLineAndDashboardDenyAlike: where STATE.md of GSD says that the milestone is complete, the line's sign for "the tree denies
// it" is there exactly where the dashboard lists what is open.
func TestLineAndDashboardDenyAlike(t *testing.T) {
	denied, n := 0, agreeing(t)
	for seed := range n {
		dir := t.TempDir()
		o := odd{rand.New(rand.NewPCG(uint64(seed), 7))}
		files := oddDoneOfGSD(o)
		at := time.Now().Add(-time.Hour)
		for name, text := range files {
			path := filepath.Join(dir, ".planning", name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(text, "an old file") {
				if err := os.Chtimes(path, at, at.Add(-time.Hour)); err != nil {
					t.Fatal(err)
				}
			}
		}
		project, err := Open(dir, User{Home: dir})
		if err != nil {
			t.Fatal(err)
		}
		builds, open := project.Read(time.Now()).Builds, ""
		for _, d := range builds[0].Divergences {
			if strings.Contains(d.Truth, " open: ") {
				open = d.Claim + ": " + d.Truth
			}
		}
		all, _ := nearest.FindAll(nearest.Place{Dir: dir, Home: dir, Alerts: true, Now: time.Now().Unix})
		if (open != "") != (all[0].Denied != "") {
			t.Errorf("seed %d: the dashboard has %q, the line %q\n%s", seed, open, all[0].Denied, contents(files))
		}
		if open != "" {
			denied++
		}
	}
	if denied < n/4 || denied > n*3/4 {
		t.Errorf("%d of %d are denied: the projects are all alike", denied, n)
	}
}

// oddAwaited makes sentences of which some say that a human is awaited, and where.
func oddAwaited(o odd) (said string) {
	if o.IntN(3) > 0 {
		return ""
	}
	return "\n" + oneOf(o, "", "Phase: 2 of 2 (B)\n", "Phase: 1 of 2 (A)\n") + oneOf(o, "", "", "Plan: 02-01 checkpoint reached\n", "Plan: 01-02 CHECKPOINT (Task 3, approval pending)\n") +
		oneOf(o, "", "", "Status: Awaiting human verification\n", "Status: 02-02 awaiting human verification\n") + oneOf(o, "", "", "Stopped at: 01-01 Task 4 (human-verify) PENDING\n", "Stopped at: done\n")
}

// oddDoneOfGSD makes a .planning whose STATE.md says that all is done, in several forms, with two phases of which something may
// be left.
func oddDoneOfGSD(o odd) map[string]string {
	const old = "<!-- an old file -->\n"
	count := "progress:\n  total_phases: 2\n  completed_phases: 2\n  percent: 100\n"
	files := map[string]string{
		"STATE.md": "---\nmilestone: v1.1\n" + oneOf(o, count, count, "status: completed\n"+count, "status: v1.1 milestone complete\n", "status: v1.1 shipped\n"+count, "status: Awaiting next milestone\n"+count,
			"status: executing\n"+count, "status: completed\n"+strings.Replace(count, "100", "80", 1)) + "---\n" + oneOf(o, "", "", "\nStatus: Milestone complete\n", "\nStatus: Phase 2 complete\n") + oddAwaited(o),
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
	return files
}
