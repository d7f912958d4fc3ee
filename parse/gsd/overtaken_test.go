package gsd

import (
	"strings"
	"testing"

	"gatehouse/model"
)

// TestWhichMilestone checks what waits and what is done when the files disagree about the current milestone.
func TestWhichMilestone(t *testing.T) {
	executed := map[string]string{"phases/03-c/03-01-PLAN.md": "x", "phases/03-c/03-01-SUMMARY.md": "x"}
	const (
		twoMilestones = "- ✅ **v1.0 One** — Phases 1–2 (shipped 2026-01-01)\n- 🚧 **v1.1 Two** — Phases 3–4\n\n## ✅ v1.0 One\n- [x] **Phase 1: A**\n- [x] **Phase 2: B**\n\n## 🚧 v1.1 Two\n- [ ] **Phase 3: C**\n- [ ] **Phase 4: D**\n"
		one           = "## v1.1 Two\n- [x] **Phase 3: C**\n- [ ] **Phase 4: D**\n"
		unversioned   = "- [x] **Phase 3: C**\n- [ ] **Phase 4: D**\n"
		planned       = "- ✅ **v1.0 One** — Phases 1–2 (shipped 2026-01-01)\n- 📋 **v1.1 Two** — Phases 3–4 (planned)\n\n### 📋 v1.1 Two\n#### Phase 3: C\n#### Phase 4: D\n"
		next          = "- 📋 **v1.2 Three** — Phases 4–5 (planned)\n\n### 📋 v1.2 Three\n#### Phase 4: D\n#### Phase 5: E\n"
		handOver      = `{"timestamp": "2026-11-20T12:00:00Z", "phase": "1", "human_actions_pending": ["put a key"]}`
	)
	for name, c := range map[string]struct {
		state, roadmap string
		files          map[string]string
		status         model.Status
		done, total    int
		waits, past    int
		denied         string
	}{
		"STATE.md is left at one that has shipped": {"v1.0\nstatus: executing", twoMilestones, map[string]string{"phases/03-c/03-VERIFICATION.md": needsHuman},
			model.Waiting, 0, 2, 1, 0, "ROADMAP.md has shipped it; v1.1 is in progress"},
		"and calls that complete": {"v1.0\nstatus: completed", twoMilestones, map[string]string{"phases/03-c/03-VERIFICATION.md": needsHuman}, model.Waiting, 0, 2, 1, 0, ""},
		"work is in one that is planned": {"v1.0\nstatus: verifying\ncurrent_phase: 3", planned, map[string]string{"phases/03-c/03-VERIFICATION.md": needsHuman},
			model.Waiting, 0, 2, 1, 0, "ROADMAP.md has shipped it; work has moved to v1.1"},
		"one that is planned has begun": {"v1.0\nstatus: completed", planned, map[string]string{"phases/03-c/03-VERIFICATION.md": needsHuman}, model.Waiting, 0, 2, 1, 0, ""},
		"it awaits the next, which has begun": {"v1.0\nstatus: Awaiting next milestone", twoMilestones, map[string]string{"phases/03-c/03-VERIFICATION.md": needsHuman},
			model.Waiting, 0, 2, 1, 0, "ROADMAP.md has shipped it; v1.1 is in progress"},
		"an agent asks in one that is planned": {"v1.1\nstatus: executing", twoMilestones + "## 📋 v1.2 Three\n- [ ] **Phase 5: E**\n", map[string]string{
			"WAITING.json": `{"status": "waiting", "question": "Keep?", "phase": "5"}`}, model.Waiting, 0, 2, 1, 0, ""},
		"it has shipped, and the next has not begun":     {"v1.1\nstatus: Awaiting next milestone", "- ✅ **v1.1 Two** — Phase 3 (shipped)\n" + next, nil, model.Done, 1, 1, 0, 0, ""},
		"it is over by word, and the next has not begun": {"v1.1\nstatus: Awaiting next milestone", "- 🚧 **v1.1 Two** — Phase 3\n" + next, nil, model.Done, 1, 1, 0, 0, ""},
		"it has shipped with a plan open": {"v1.1\nstatus: completed", "- ✅ **v1.1 Two** — Phases 3–4 (shipped)\n### Phase 3: C\n### Phase 4: D\n", map[string]string{"phases/04-d/04-01-PLAN.md": "x"},
			model.Done, 1, 2, 0, 0, ""},
		"a hand-over in one that is planned": {"v1.1\nstatus: executing", twoMilestones + "## 📋 v1.2 Three\n- [ ] **Phase 5: E**\n", map[string]string{
			"HANDOFF.json": strings.Replace(handOver, `"1"`, `"5"`, 1)}, model.Waiting, 0, 2, 1, 0, ""},
		"numbers begin again in the next": {"v1.0\nstatus: Awaiting next milestone", "- ✅ **v1.0 One** — Phases 1–3 (shipped)\n\n## 📋 v1.1 Two\n- [ ] **Phase 3: C**\n", nil, model.Done, 1, 1, 0, 0, ""},
		"an earlier one is parked": {"v1.2\nstatus: Awaiting next milestone", "- 📋 **v1.1 Two** — Phases 3–4 (parked)\n- ✅ **v1.2 Three** — Phases 5–6 (shipped)\n",
			map[string]string{"phases/03-c/03-VERIFICATION.md": needsHuman}, model.Done, 1, 1, 0, 1, ""},
		"STATE.md says that it is shipped": {"v1.1\nstatus: shipped", "- [x] **Phase 3: C**\n", map[string]string{"phases/03-c/03-VERIFICATION.md": needsHuman},
			model.Done, 1, 1, 0, 1, ""},
		"so the body says, without any version": {"\n---\nStatus: v1.1 New shipped 2026-02-16.\n", "- [x] **Phase 3: C**\n", map[string]string{"phases/03-c/03-VERIFICATION.md": needsHuman},
			model.Done, 1, 1, 0, 1, ""},
		"STATE.md says that another has shipped": {"v1.1\nstatus: v1.0 shipped", "- [x] **Phase 3: C**\n", map[string]string{"phases/03-c/03-VERIFICATION.md": needsHuman},
			model.Waiting, 0, 1, 1, 0, "1 of 1 phase is open: 03 needs review"},
		"it is shipped, and a plan is open": {"v1.1\nstatus: shipped", one, map[string]string{"phases/04-d/04-01-PLAN.md": "x"},
			model.Active, 1, 2, 0, 0, "1 of 2 phases is open: 04 planned"},
		"a directory of a word": {"v1.1\nstatus: executing", one, map[string]string{"phases/phase-04-d/04-01-PLAN.md": "x", "phases/phase-04-d/04-VERIFICATION.md": needsHuman},
			model.Waiting, 0, 2, 1, 0, ""},
		"the last test was judged": {"v1.1\nstatus: executing", "- [x] **Phase 3: C**\n", map[string]string{"phases/03-c/03-VERIFICATION.md": needsHuman,
			"phases/03-c/03-UAT.md": "---\nstatus: complete\n---\n## Current Test\n- awaiting: user response\n## Tests\n### 1. T\nresult: pass\n"}, model.Executed, 0, 1, 0, 0, ""},
		"the second verification asks": {"v1.1\nstatus: executing", "- [x] **Phase 3: C**\n", map[string]string{
			"phases/03-c/03-A-VERIFICATION.md": "---\nstatus: passed\n---\n", "phases/03-c/03-VERIFICATION.md": needsHuman}, model.Waiting, 0, 1, 1, 0, ""},
		"quotation marks":          {"'v1.1'\nstatus: executing", twoMilestones + "## 📋 v1.2 Three\n- [ ] **Phase 5: E**\n", map[string]string{"phases/03-c/03-VERIFICATION.md": needsHuman, "phases/05-e/05-VERIFICATION.md": needsHuman}, model.Waiting, 0, 2, 1, 0, ""},
		"a name after the version": {"v1.1 Two # now\nstatus: executing", twoMilestones, map[string]string{"phases/03-c/03-VERIFICATION.md": needsHuman, "phases/01-a/01-VERIFICATION.md": needsHuman}, model.Waiting, 0, 2, 1, 1, ""},
		"a human is asked in the body": {"v1.1\nstatus: executing", "- [x] **Phase 3: C**\n", map[string]string{
			"phases/03-c/03-VERIFICATION.md": "# Report\n\n**Status:** human_needed\n\n## Human Verification Required\n\n1. look\n"}, model.Waiting, 0, 1, 1, 0, ""},
		"none is asked in the body": {"v1.1\nstatus: executing", "- [x] **Phase 3: C**\n", map[string]string{
			"phases/03-c/03-VERIFICATION.md": "# Report\n\n- **Status**: passed\n\n### 1. x\n**Status:** human_needed\n"}, model.Executed, 0, 1, 0, 0, ""},
		"some of its phases are not bold": {"v1.1\nstatus: completed", "## v1.1 Two\n- [x] **Phase 3: C**\n- [ ] Phase 4: D\n", map[string]string{
			"phases/03-c/03-VERIFICATION.md": "---\nstatus: passed\n---\n", "phases/04-d/04-01-PLAN.md": "x", "phases/04-d/04-VERIFICATION.md": needsHuman}, model.Waiting, 1, 2, 1, 0, "1 of 2 phases is open: 04 planned"},
		"one that is numbered asks": {"v1.1\nstatus: executing", "- [x] **Phase 3: C**\n", map[string]string{"phases/03-c/03-VERIFICATION-2.md": needsHuman}, model.Waiting, 0, 1, 1, 0, ""},
		"another test is announced": {"v1.1\nstatus: executing", "- [x] **Phase 3: C**\n", map[string]string{
			"phases/03-c/03-UAT.md": "---\nstatus: testing\n---\n## Current Test\nnumber: 2\nawaiting: user response\n## Tests\n### 1. T\nresult: pass\n"}, model.Waiting, 0, 1, 1, 0, ""},
		"it awaits the next, and a plan is open": {"v1.1\nstatus: Awaiting next milestone", one, map[string]string{"phases/04-d/04-01-PLAN.md": "x"},
			model.Active, 1, 2, 0, 0, "1 of 2 phases is open: 04 planned"},
		"it awaits the next, and a phase has not begun": {"v1.1\nstatus: Awaiting next milestone", one, map[string]string{"phases/03-c/03-VERIFICATION.md": needsHuman},
			model.Active, 1, 2, 0, 1, "1 of 2 phases is open: 04 pending"},
		"it awaits the next, and that is so": {"v1.1\nstatus: Awaiting next milestone", "## ✅ v1.1 Two\n- [x] **Phase 3: C**\n- [ ] **Phase 4: D**\n", nil, model.Done, 2, 2, 0, 0, ""},
		"MILESTONES.md has shipped a phase still listed": {"v1.1\nstatus: executing", unversioned, map[string]string{
			"MILESTONES.md": "## v1.0 One (Shipped: 2026-01-01)\n\n**Phases completed:** 1-3\n", "phases/03-c/03-VERIFICATION.md": needsHuman}, model.Pending, 0, 1, 0, 1, ""},
		"whose number may be a new one": {"v1.1\nstatus: executing", "- [x] **Phase 1: A**\n" + unversioned, map[string]string{
			"MILESTONES.md": "## v1.0 One (Shipped: 2026-01-01)\n\n**Phases completed:** 1-3\n", "phases/03-c/03-VERIFICATION.md": needsHuman}, model.Waiting, 0, 3, 1, 0, ""},
		"a hand-over in a phase that is gone": {"v1.1\nstatus: executing\nlast_updated: 2026-11-20T10:00:00Z", "- ✅ **v1.0 One** — Phases 1–2 (shipped 2026-01-01)\n\n" + one,
			map[string]string{"HANDOFF.json": handOver}, model.Active, 0, 2, 0, 1, ""},
		"all have shipped, and STATE.md names none": {"\nstatus: executing", "- ✅ **v1.1 Two** — Phases 3-3 (shipped 2026-01-01)\n", nil, model.Done, 1, 1, 0, 0, ""},
		"a human is asked at 100 %": {"v1.1\nstatus: executing\nprogress:\n  percent: 100", "## v1.1 Two\n- [x] **Phase 3: C**\n",
			map[string]string{"phases/03-c/03-VERIFICATION.md": needsHuman}, model.Waiting, 0, 1, 1, 0, "1 of 1 phase is open: 03 needs review"},
		"gaps were found at 100 %": {"v1.1\nstatus: executing\nprogress:\n  percent: 100", "## v1.1 Two\n- [x] **Phase 3: C**\n",
			map[string]string{"phases/03-c/03-VERIFICATION.md": "---\nstatus: gaps_found\n---\n"}, model.Failed, 0, 1, 0, 0, "1 of 1 phase is open: 03 executed"},
	} {
		files := map[string]string{"STATE.md": "---\nmilestone: " + c.state + "\n---\n", "ROADMAP.md": c.roadmap}
		for _, more := range []map[string]string{executed, c.files} {
			for file, text := range more {
				files[file] = text
			}
		}
		b := readOne(t, tree(t, files))
		denied := ""
		for _, w := range b.Waits {
			if w.Text == "" {
				t.Errorf("%s: %+v says nothing", name, w)
			}
		}
		for _, d := range b.Divergences {
			if strings.HasPrefix(d.Claim, "STATE.md") {
				denied = d.Truth
			}
		}
		pr := b.Progress.Closed
		if b.Status != c.status || pr.Done != c.done || pr.Total != c.total || len(b.Certain()) != c.waits || len(b.Expired) != c.past || denied != c.denied {
			t.Errorf("%s: %s, %d of %d, waits %+v, past %+v, %q", name, b.Status, pr.Done, pr.Total, b.Certain(), b.Expired, denied)
		}
	}
}

// TestShippedMilestoneForms checks in which forms ROADMAP.md and STATE.md assign phases to a shipped milestone.
func TestShippedMilestoneForms(t *testing.T) {
	for line, past := range map[string]bool{
		"- ✅ v1.1 New — Phases 3–4": true, "- v1.1 New: Phases 3-4 — SHIPPED 2026-11-20": true, "- [x] v1.1 New (Phases 3-4) - shipped": true,
		"- ✅ [v1.1 New](milestones/v1.1-ROADMAP.md) — Phases 3–4": true, "| v1.1 New | 3-4 | ✅ Shipped | 2026-11-20 |": true, "- ✅ **Milestone v1.1: New** — Phases 3–4": true,
		"- **v1.1** (phases 3 through 4): shipped": true, "✅ v1.1 phases 03-04 shipped": true, "- 🗄 v1.1 New — Phases 3, 4": true, "- v1.1 New ~ Phases 3..4 (closed)": true,
		"- ✅ earlier phases 3-4": true,
		"- v1.1 New: Phases 3-4": false, "- 🚧 v1.1 New — Phases 3–4": false, "| v1.1-REQ-1 | 3-4 | Complete |": false, "| v1.1 New | 3-4 | Complete |": false,
		"- v1.1 clients: what Phase 3 shipped": false, "- ✅ v1.1-beta-2 Phases 3-4": false,
	} {
		for _, in := range []string{"ROADMAP.md", "STATE.md"} {
			files := map[string]string{
				"STATE.md": "---\nmilestone: v1.2\nstatus: planning\n---\n", "ROADMAP.md": "# R\n", "phases/03-c/03-01-PLAN.md": "x", "phases/03-c/03-01-SUMMARY.md": "x",
				"phases/03-c/03-VERIFICATION.md": needsHuman,
			}
			if in == "ROADMAP.md" {
				files[in] = "# R\n\n## Milestones\n\n" + line + "\n"
				if !strings.Contains(line, "earlier") {
					files[in] += "\n## Phases\n\n- [x] **Phase 3: C**\n"
				}
			} else if files[in] += "\n## Milestones\n\n" + line + "\n"; strings.Contains(line, "earlier") || strings.Contains(line, "🗄") {
				continue
			}
			b := readOne(t, tree(t, files))
			if got := len(b.Certain()) == 0 && len(b.Expired) == 1; got != past {
				t.Errorf("%s, %s: waits %+v, past %+v", in, line, b.Certain(), b.Expired)
			}
		}
	}
}
