package gsd

import (
	"maps"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/model/modeltest"
	"gatehouse/parse/gsd/core"
)

// closedPhase are the files of a phase that is done and verified.
func closedPhase(dir, number string) map[string]string {
	at := "phases/" + dir + "/" + number
	return map[string]string{at + "-01-PLAN.md": "x", at + "-01-SUMMARY.md": "x", at + "-VERIFICATION.md": passed}
}

// TestNothingOpenIsCalledComplete checks that neither form of the header nor the status of the build claims completion: each of these
// trees has work left, or an unknown amount of it.
func TestNothingOpenIsCalledComplete(t *testing.T) {
	const executing = "---\nmilestone: v1.1\nstatus: executing\n---\n"
	for name, files := range map[string]map[string]string{
		"the roadmap is gone, STATE.md counts five": {
			"STATE.md": "---\nmilestone: v1.1\nstatus: executing\nprogress:\n  total_phases: 5\n  completed_phases: 1\n  percent: 20\n---\n"},
		"the roadmap is gone, the position says of five": {"STATE.md": executing + "\nPhase: 1 of 5 (A)\n"},
		"a list without boxes":                           {"STATE.md": executing, "ROADMAP.md": "1. **Phase 1: A**\n2. **Phase 2: B**\n"},
		"a plain list under Phases":                      {"STATE.md": executing, "ROADMAP.md": "## Phases\n- Phase 1: A\n- PHASE 2: B\n"},
		"bold without a colon":                           {"STATE.md": executing, "ROADMAP.md": "- [x] **Phase 01 A**\n- [ ] **Phase 02 B**\n"},
		"the next milestone, old directories left": {
			"STATE.md": executing, "ROADMAP.md": "- ✅ **v1.0 Old** - Phases 1-1\n- 🚧 **v1.1 New** - Phases 2-3\n\n### 🚧 v1.1 New\n- [ ] **Phase 2: B**\n- [ ] **Phase 3: C**\n"},
		"numbers start over": {
			"STATE.md": executing, "ROADMAP.md": "<details>\n<summary>✅ v1.0 Old</summary>\n\n- [x] Phase 1: A\n- [x] Phase 2: B\n</details>\n\n### 🚧 v1.1 New\n- [x] **Phase 1: A**\n- [ ] **Phase 2: B**\n"},
		"a milestone called Closed Beta":      {"STATE.md": executing, "ROADMAP.md": "- 📋 **v1.1 Closed Beta** (planned)\n\n## v1.1 Closed Beta (planned)\n- [x] **Phase 1: A**\n- [ ] **Phase 2: B**\n"},
		"a version of something else":         {"STATE.md": executing, "ROADMAP.md": "## 🚧 v1.1 New\n### Phase 1: A\n## Migration to Node v22.1\n### Phase 2: B\n"},
		"the title's version":                 {"STATE.md": executing, "ROADMAP.md": "# Roadmap: App v1.0\n- ✅ **v1.0 Old**\n- 🚧 **v1.1 New** - Phases 1-2\n\n- [x] **Phase 1: A**\n- [ ] **Phase 2: B**\n"},
		"a phase of the progress table alone": {"STATE.md": executing, "ROADMAP.md": "- 🚧 **v1.1 New**\n\n| Phase | Milestone | Status |\n|---|---|---|\n| 1. A | v1.1 New | Complete |\n| 2. B | v1.1 New | Not started |\n"},
		"a test with an issue":                {"STATE.md": executing, "phases/01-a/01-UAT.md": "---\nstatus: diagnosed\n---\n## Tests\n### 1. T\nresult: issue\n"},
		"a test left pending in a closed file": {
			"STATE.md": executing, "phases/01-a/01-UAT.md": "---\nstatus: complete\n---\n## Test Results\n### 1. T\nresult: pending (needs a phone)\n"},
		"an issue in a complete file":       {"STATE.md": executing, "phases/01-a/01-UAT.md": "---\nstatus: complete\n---\n## Tests\n### 1. T\nresult: issue\n"},
		"a failed test in a complete file":  {"STATE.md": executing, "phases/01-a/01-UAT.md": "---\nstatus: complete\n---\n## Tests\n### 1. T\nresult: failed\n"},
		"a blocked test in a complete file": {"STATE.md": executing, "phases/01-a/01-UAT.md": "---\nstatus: complete\n---\n## Tests\n### 1. T\nresult: blocked\n"},
		"a blocked test in a resolved file": {"STATE.md": executing, "phases/01-a/01-UAT.md": "---\nstatus: resolved\n---\n## Tests\n### 1. T\nresult: blocked\n"},
		"an invalid result, while testing":  {"STATE.md": executing, "phases/01-a/01-UAT.md": "---\nstatus: testing\n---\n## Tests\n### 1. T\nresult: not passed\n"},
		"an invalid result, in a file left partial": {
			"STATE.md": executing, "phases/01-a/01-UAT.md": "---\nstatus: partial\n---\n## Tests\n### 1. T\nresult: okay-ish\n"},
		"an invalid result, in a complete file": {
			"STATE.md": executing, "phases/01-a/01-UAT.md": "---\nstatus: complete\n---\n## Tests\n### 1. T\nresult: pass with a crash\n"},
		"a test that stands in Current Test alone": {
			"STATE.md": executing, "phases/01-a/01-UAT.md": "---\nstatus: testing\n---\n## Current Test\nnumber: 1\nname: T\nawaiting: user response\n"},
		"an agent asks":                  {"STATE.md": executing, "WAITING.json": `{"status":"waiting","question":{"text":"Which?"}}`},
		"an agent asks, half written":    {"STATE.md": executing, "WAITING.json": `{"status":"wai`},
		"a hand-over leaves work":        {"STATE.md": executing, "HANDOFF.json": `{"status":"paused","human_actions_pending":"buy a key"}`},
		"STATE.md alone calls it closed": {"STATE.md": "---\nmilestone: v1.1\nstatus: completed\nprogress:\n  percent: 100\n---\n", "phases/01-a/01-02-PLAN.md": "x"},
	} {
		all := closedPhase("01-a", "01")
		maps.Copy(all, files)
		b := readOne(t, tree(t, all))
		full, compact := string(b.Header.AppendFull(nil)), string(b.Header.AppendCompact(nil))
		if strings.Contains(full, "complete") || strings.HasSuffix(compact, "complete") {
			t.Errorf("%s: the header says %q, %q", name, full, compact)
		}
		if b.Status == model.Done {
			t.Errorf("%s: the build is done (%s)", name, b.Why)
		}
	}
}

// TestHeaderAgreesWithTheRow checks that when STATE.md contradicts the status of the build's row, both forms of the header agree with
// the row.
func TestHeaderAgreesWithTheRow(t *testing.T) {
	const shipped = "# Roadmap\n## ✅ v1.1 New\n- [x] **Phase 1: A**\n"
	for name, c := range map[string]struct {
		files         map[string]string
		status        model.Status
		full, compact string
	}{
		"a phase that nobody has is active": {
			map[string]string{"STATE.md": "---\nmilestone: v1.1\nstatus: executing\nactive_phase: \"7\"\n---\n"},
			model.Done, "v1.1 [██████████] 100% of plans · milestone complete", "v1.1 · complete"},
		"the roadmap has shipped it, and plans are left": {
			map[string]string{"STATE.md": "---\nmilestone: v1.1\nstatus: executing\nprogress:\n  percent: 100\n---\n", "ROADMAP.md": shipped + "- [x] **Phase 2: B**\n", "phases/02-b/02-01-PLAN.md": "x"},
			model.Done, "v1.1 New [█████░░░░░] 50% of plans · milestone complete", "v1.1 · complete"},
		"it says so itself": {
			map[string]string{"STATE.md": "---\nmilestone: v1.1\nstatus: Awaiting next milestone\n---\n", "ROADMAP.md": shipped, "phases/01-a/01-02-PLAN.md": "x"},
			model.Done, "v1.1 New [█████░░░░░] 50% of plans · Awaiting next milestone", "v1.1 · Awaiting"},
		"completed, with a next step": {
			map[string]string{"STATE.md": "---\nmilestone: v1.1\nstatus: completed\nnext_action: plan-phase\nnext_phases: [2]\n---\n", "ROADMAP.md": "- [x] **Phase 1: A**\n- [ ] **Phase 2: B**\n"},
			model.Active, "v1.1 [██████████] 100% of plans · next plan-phase 2", "v1.1 · next plan-phase 2"},
		"it recommends a phase that nobody has": {
			map[string]string{"STATE.md": "---\nmilestone: v1.1\nstatus: ready\nnext_action: execute-phase\nnext_phases: [9]\n---\n", "ROADMAP.md": "- [x] **Phase 1: A**\n- [ ] **Phase 2: B**\n"},
			model.Active, "v1.1 [██████████] 100% of plans · ready", "v1.1 · ready"},
		"the words are of the milestone before": {
			map[string]string{"STATE.md": "---\nmilestone: v1.1\nstatus: executing\n---\n", "ROADMAP.md": "## ✅ v1.1 New\n- [x] **Phase 1: A**\n\n## 🚧 v1.2 Next\n- [ ] **Phase 2: B**\n"},
			model.Pending, "v1.2 Next · next discuss-phase 02", "v1.2 · next discuss-phase 02"},
	} {
		all := closedPhase("01-a", "01")
		maps.Copy(all, c.files)
		b := readOne(t, tree(t, all))
		if full, compact := string(b.Header.AppendFull(nil)), string(b.Header.AppendCompact(nil)); b.Status != c.status || full != c.full || compact != c.compact {
			t.Errorf("%s: %v, %q, %q; want %v, %q, %q", name, b.Status, full, compact, c.status, c.full, c.compact)
		}
	}
}

// TestCorrectClaimsAreNoDivergence checks that only wrong claims are divergences.
func TestCorrectClaimsAreNoDivergence(t *testing.T) {
	two := map[string]string{"ROADMAP.md": "- [x] **Phase 1: A**\n- [ ] **Phase 2: B**\n", "phases/02-b/02-01-PLAN.md": "x", "phases/02-b/02-02-PLAN.md": "x"}
	for name, state := range map[string]string{
		"a phase is complete, not the milestone": "---\nstatus: Phase complete — ready for verification\n---\n",
		"a plan is completed":                    "---\nstatus: Plan 01 of 2 completed, executing 02\n---\n",
		"an older milestone shipped":             "---\nstatus: executing (v1.0 shipped, now v1.1)\n---\n",
		"the share of plans":                     "---\nstatus: executing\nprogress:\n  percent: 33\n---\n",
		"the careful share":                      "---\nstatus: executing\nprogress:\n  total_phases: 2\n  completed_phases: 1\n  total_plans: 3\n  completed_plans: 1\n  percent: 33\n---\n",
	} {
		all := closedPhase("01-a", "01")
		maps.Copy(all, two)
		all["STATE.md"] = state
		if b := readOne(t, tree(t, all)); len(b.Divergences) > 0 {
			t.Errorf("%s: %+v", name, b.Divergences)
		}
	}
}

func TestTextsThatMeanNoBlockers(t *testing.T) {
	for text, want := range map[string]bool{
		"None.": true, "_None yet._": true, "N/A": true, "No blockers": true, "Nothing at the moment.": true, "None — milestone completed": true,
		"None of the keys work": false, "Nonexistent table breaks the migration": false, "no rope": false,
	} {
		if got := core.SaysNothing(text); got != want {
			t.Errorf("%q says nothing: %v, want %v", text, got, want)
		}
	}
}

// TestOpenTests checks that a test that no human has passed keeps its phase open, that the worst such test gives the reason, and that
// resolved tests do not count.
func TestOpenTests(t *testing.T) {
	for name, c := range map[string]struct {
		uat    string
		status model.Status
		why    string
	}{
		"no result":                   {"---\nstatus: complete\n---\n## Tests\n### 1. T\nresult: okay-ish\n", model.Executed, "01-UAT.md: “okay-ish” is no result"},
		"the worst":                   {"## Tests\n### 1. T\nresult: okay-ish\n### 2. U\nresult: blocked\n### 3. V\nresult: issue\n### 4. W\nresult: blocked\n", model.Failed, "01-UAT.md has an issue: V"},
		"blocked before no result":    {"## Tests\n### 1. T\nresult: okay-ish\n### 2. U\nresult: blocked\n### 3. V\nresult: hm\n", model.Blocked, "01-UAT.md could not test: U"},
		"an issue in a resolved file": {"---\nstatus: resolved\n---\n## Tests\n### 1. T\nresult: issue\n", model.Done, "its plan has a summary, verification passed"},
		"all gaps are resolved":       {"---\nstatus: complete\n---\n## Tests\n### 1. T\nresult: issue\n## Gaps\n- truth: T\n  status: resolved\n", model.Done, "its plan has a summary, verification passed"},
		"a round below the tests":     {"## Tests\n### 1. T\nresult: pass\n## Round 2\n### 2. U\nresult: [pending]\n", model.Waiting, "1 test of 01-UAT.md for a human to judge"},
		"below the title":             {"---\nstatus: testing\n---\n# UAT\n### 1. T\nresult: pending\n", model.Waiting, "1 test of 01-UAT.md for a human to judge"},
		"of the second level":         {"## 1. T\nexpected: x\nresult: pending\n", model.Waiting, "1 test of 01-UAT.md for a human to judge"},
		"in bold instead of headings": {"## Tests\n**1. T**\nresult: pending\n**2. U**\nresult: pass\n", model.Waiting, "1 test of 01-UAT.md for a human to judge"},
		"titles of groups":            {"## Tests\n### A. Login\n### 2026-11-12. Session\n### 1. T\nresult: pass\n## Summary\n### 2. Not one\n", model.Done, "its plan has a summary, verification passed"},
		"no test yet":                 {"---\nstatus: testing\n---\n## Tests\n", model.Executed, "01-UAT.md has no test that can be read"},
		"failed without a test":       {"---\nstatus: failed\n---\n# UAT\n", model.Executed, "01-UAT.md has no test that can be read"},
		"empty":                       {"", model.Executed, "01-UAT.md has no test that can be read"},
		"torn":                        {"---\nstatus: testing\n", model.Executed, "01-UAT.md has no test that can be read"},
		"complete without tests":      {"---\nstatus: complete\n---\n# UAT\nAll fine.\n", model.Done, "its plan has a summary, verification passed"},
		"a table":                     {"---\nstatus: complete\n---\n## Tests\n| 1 | T | pass |\n| 2 | U | pending |\n", model.Executed, "01-UAT.md has no test that can be read"},
		"a box":                       {"---\nstatus: complete\n---\n## Tests\n### 1. T\nresult: pass\n## Notes\n- [ ] U\n", model.Executed, "line 8 of 01-UAT.md can't be read as a test"},
		"code without an end":         {"---\nstatus: complete\n---\n## Tests\n### 1. T\nresult: pass\n```\n### 2. U\nresult: issue\n", model.Executed, "line 7 of 01-UAT.md can't be read as a test"},
		"code with an end":            {"---\nstatus: complete\n---\n## Tests\n### 1. T\nresult: pass\n```\nlog\n```\n", model.Done, "its plan has a summary, verification passed"},
		"passed and skipped":          {"---\nstatus: complete\n---\n## Tests\n### 1. T\nresult: PASS — on the phone\n### 2. U\nresult: skipped (no phone)\n", model.Done, "its plan has a summary, verification passed"},
	} {
		all := closedPhase("01-a", "01")
		all["STATE.md"], all["phases/01-a/01-UAT.md"] = "x", c.uat
		if n := modeltest.Node(t, readOne(t, tree(t, all)), "phase/01"); n.Status != c.status || n.Why != c.why {
			t.Errorf("%s: %s, %q, want %s, %q", name, n.Status, n.Why, c.status, c.why)
		}
	}
}

// TestOpenVerifications checks that a phase waits for the human items of its verification until a UAT answers all of them, the
// verification is redone, or the milestone is closed in spite of them.
func TestOpenVerifications(t *testing.T) {
	const (
		complete = "its plan has a summary, verification passed"
		asks     = "verification asks for a human"
		part     = "01-VERIFICATION.md has only a part of its fingerprint: verify again"
		items    = "---\nstatus: human_needed\nverified: 2026-11-19T10:00:00Z\nhuman_verification:\n  - test: Phone\n  - test: Bell\n---\n"
		twoTests = "## Tests\n### 1. T\nresult: pass\n### 2. U\nresult: pass\n"
		again    = "---\nstatus: passed\nverified: 2026-11-21\nre_verification:\n  previous_status: gaps_found\n---\n"
		table    = "---\n## Human Verification Required\n| # | Test | Result |\n|---|---|---|\n| 1 | Pay | pass |\n| 2 | Print | pending |\n"
	)
	for name, c := range map[string]struct {
		verification, also, uat string
		status                  model.Status
		why                     string
		waits                   string
	}{
		"answered":                   {items, "", "---\nstatus: complete\nupdated: 2026-11-20T10:00:00Z\n---\n" + twoTests, model.Waiting, "answered, verify-work next: all tests of 01-UAT.md have passed", ""},
		"answered before":            {items, "", "---\nstatus: complete\nupdated: 2026-11-10T10:00:00Z\n---\n" + twoTests, model.Waiting, asks, "verify 2 things by hand"},
		"answered on the day":        {items, "", "---\nstatus: complete\nupdated: 2026-11-19\n---\n" + twoTests, model.Waiting, "answered, verify-work next: all tests of 01-UAT.md have passed", ""},
		"answered in part":           {items, "", "---\nstatus: complete\n---\n## Tests\n### 1. T\nresult: pass\n", model.Waiting, asks, "verify 2 things by hand"},
		"gaps, and an older UAT":     {strings.Replace(items, "human_needed", "gaps_found", 1), "", "---\nupdated: 2026-11-10\n---\n" + twoTests, model.Failed, "01-VERIFICATION.md found gaps", "verify 2 things by hand"},
		"verified again":             {items, again, "", model.Done, complete, ""},
		"gaps, and verified again":   {"---\nstatus: gaps_found\n---\n", again, "", model.Done, complete, ""},
		"verified again before":      {items, strings.Replace(again, "11-21", "11-01", 1), "", model.Waiting, asks, "verify 2 things by hand"},
		"verified elsewhere":         {items, passed, "", model.Waiting, asks, "verify 2 things by hand"},
		"verified again, stale":      {items, strings.Replace(again, "status", "covered_files: []\nstatus", 1), "", model.Waiting, asks, "verify 2 things by hand"},
		"a fingerprint of nothing":   {"---\nstatus: passed\ncovered_files: []\ncovered_digest: \"\"\n---\n", "", "", model.Executed, part, ""},
		"a blank fingerprint":        {"---\nstatus: passed\ncovered_files:\ncovered_digest:\n---\n", "", "", model.Executed, part, ""},
		"acknowledged":               {strings.Replace(items, "human_verification", "audit_acknowledged:\n  milestone: v1.0\n  at: 2026-11-19\n  status: human_needed\nhuman_verification", 1), "", "", model.Waiting, "answered, verify-work next: 01-VERIFICATION.md was acknowledged when v1.0 was closed", ""},
		"acknowledged as gaps":       {strings.Replace(items, "human_verification", "audit_acknowledged:\n  milestone: v1.0\n  at: 2026-11-19\n  status: gaps_found\nhuman_verification", 1), "", "", model.Waiting, asks, "verify 2 things by hand"},
		"a table":                    {"---\nstatus: human_needed\n" + table, "", "", model.Waiting, asks, "verify by hand: Print"},
		"gaps, and a table":          {"---\nstatus: gaps_found\n" + table, "", "", model.Failed, "01-VERIFICATION.md found gaps", "verify by hand: Print"},
		"a table of what has passed": {"---\nstatus: human_needed\n" + strings.Replace(table, "pending", "pass", 1), "", "", model.Waiting, "answered, verify-work next: all that 01-VERIFICATION.md asks is settled", ""},
	} {
		all := closedPhase("01-a", "01")
		all["STATE.md"], all["phases/01-a/01-VERIFICATION.md"] = "x", c.verification
		if c.also != "" {
			all["phases/01-a/01-VERIFICATION-GAPS.md"] = c.also
		}
		if c.uat != "" {
			all["phases/01-a/01-UAT.md"] = c.uat
		}
		b := readOne(t, tree(t, all))
		waits := ""
		for _, w := range b.Waits {
			waits += w.Text
		}
		if n := modeltest.Node(t, b, "phase/01"); n.Status != c.status || n.Why != c.why || waits != c.waits {
			t.Errorf("%s: %s, %q, waits %q, want %s, %q, %q", name, n.Status, n.Why, waits, c.status, c.why, c.waits)
		}
	}
}
