package gsd

import (
	"maps"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/modeltest"
)

const needsHuman = "---\nstatus: human_needed\nhuman_verification:\n  - test: look\n---\n"

// TestReachedCheckpoint checks that a checkpoint waits once STATE.md says that a human is awaited, and not before.
func TestReachedCheckpoint(t *testing.T) {
	for statement, waits := range map[string]bool{
		"Status: Awaiting human verification (Task 3 checkpoint)": true,
		"Plan: 01-01 CHECKPOINT (Task 3, approval pending)":       true,
		"Stopped at: 01-01 Task 4 (human-verify) PENDING":         true,
		"Status: Ready to execute":                                false,
		"Status: Awaiting next milestone":                         false,
		"Status: Phase complete — ready for verification":         false,
		"Status: 3 plans pending":                                 false,
	} {
		b := readOne(t, tree(t, map[string]string{
			"STATE.md":                  "---\nstatus: executing\n---\n\nPhase: 1 of 2 (A)\n" + statement + "\n",
			"phases/01-a/01-01-PLAN.md": "<task type=\"checkpoint:human-verify\"><name>look</name></task>",
		}))
		if got := len(b.Certain()) == 1; got != waits {
			t.Errorf("%s: %+v", statement, b.Certain())
		}
	}
}

// TestReachedElsewhere checks that when work has gone past the place where one sentence of STATE.md awaits a human, the next sentence
// counts.
func TestReachedElsewhere(t *testing.T) {
	const state = "---\nlast_updated: 2026-01-02T10:00:00Z\nstatus: executing\n---\n\nPhase: 2 of 2 (B)\nStatus: 01-01 awaiting human verification\nPlan: 02-01 checkpoint reached\n"
	for name, c := range map[string]struct {
		files map[string]string
		waits string
	}{
		"it is in the first":     {nil, "gate/01/STATE.md"},
		"that is finished":       {map[string]string{"phases/01-a/01-01-SUMMARY.md": "---\ncompleted: 2026-01-02T11:00:00Z\n---\n"}, "gate/02/STATE.md"},
		"another took its place": {map[string]string{"phases/01-a/01-01-PLAN.md": "---\nstatus: superseded\n---\n"}, "gate/02/STATE.md"},
		"its phase is closed": {map[string]string{"phases/01-a/01-01-SUMMARY.md": "---\ncompleted: 2026-01-02T09:00:00Z\n---\n", "phases/01-a/01-VERIFICATION.md": "---\nstatus: passed\n---\n",
			"ROADMAP.md": "- [x] **Phase 1: A** (completed 2026-01-02)\n- [ ] **Phase 2: B**\n"}, "gate/02/STATE.md"},
	} {
		files := map[string]string{"STATE.md": state, "phases/01-a/01-01-PLAN.md": "x", "phases/02-b/02-01-PLAN.md": "x"}
		maps.Copy(files, c.files)
		b := readOne(t, tree(t, files))
		if waits := b.Certain(); len(waits) != 1 || waits[0].Node != c.waits {
			t.Errorf("%s: %+v, want %s", name, waits, c.waits)
		}
	}
}

// TestLagIsNoDivergenceForAMinute checks that numbers in STATE.md that lag behind the tree count as one divergence, but only once nothing has changed
// for a minute.
func TestLagIsNoDivergenceForAMinute(t *testing.T) {
	dir := tree(t, map[string]string{
		"STATE.md":                     "---\nstatus: executing\nprogress:\n  total_phases: 2\n  completed_phases: 0\n  total_plans: 2\n  completed_plans: 0\n  percent: 0\n---\n",
		"phases/01-a/01-01-PLAN.md":    "x",
		"phases/01-a/01-01-SUMMARY.md": "x",
		"phases/02-b/02-01-PLAN.md":    "x",
	})
	r := readers(t, dir)[0]
	changed := r.Read(now).Freshness.Changed
	b := r.Read(changed.Add(30 * time.Second))
	if len(b.Divergences) != 0 || len(b.Lags) != 1 || !b.Settles.Equal(changed.Add(model.LagAfter)) {
		t.Errorf("while files change: divergences %+v, lags %+v, settles %s", b.Divergences, b.Lags, b.Settles)
	}
	if b = r.Read(changed.Add(2 * time.Minute)); len(b.Divergences) != 1 || len(b.Lags) != 0 || !b.Settles.IsZero() {
		t.Errorf("later: divergences %+v, lags %+v", b.Divergences, b.Lags)
	}
}

// TestPhaseClaimIsNoMilestoneClaim checks that a status of a phase is not taken as a claim about the milestone.
func TestPhaseClaimIsNoMilestoneClaim(t *testing.T) {
	for status, claims := range map[string]bool{
		"Status: Phase 10 complete": false, "Status: Phase complete — ready for verification": false, "Status: v1.0 milestone complete": true, "Status: Complete": true,
	} {
		for _, front := range []string{"", "---\nstatus: completed\n---\n"} {
			b := readOne(t, tree(t, map[string]string{"STATE.md": front + "\n" + status + "\n", "phases/01-a/01-01-PLAN.md": "x"}))
			if got := len(b.Divergences) > 0; got != claims {
				t.Errorf("%q, %q: %+v", front, status, b.Divergences)
			}
			if line := string(b.Header.AppendFull(nil)); strings.Contains(line, "complete") {
				t.Errorf("%q, %q: the header says %q", front, status, line)
			}
		}
	}
}

// TestExpiredWaits checks how times without an hour, or in the future, decide whether a wait has expired, and how a summary decides it
// for a checkpoint.
func TestExpiredWaits(t *testing.T) {
	const roadmap = "## v1.1\n- [ ] **Phase 1: A**\n- [ ] **Phase 2: B**\n"
	front := func(more string) string {
		return "---\nmilestone: v1.1\nstatus: executing\nlast_updated: 2026-02-10T10:00:00Z\n" + more + "---\nPhase: 2 of 2 (B)\n"
	}
	for name, c := range map[string]struct {
		state string
		files map[string]string
		waits int
		since bool
		next  string // "" if not checked
	}{
		"a hand-over of the same day": {front(""), map[string]string{"HANDOFF.json": `{"timestamp": "2026-02-10", "phase": "1", "human_actions_pending": ["x"]}`}, 1, true, ""},
		"of the day before":           {front(""), map[string]string{"HANDOFF.json": `{"timestamp": "2026-02-09", "phase": "1", "human_actions_pending": ["x"]}`}, 0, false, ""},
		"a verification of tomorrow":  {front(""), map[string]string{"phases/01-a/01-VERIFICATION.md": "---\nstatus: human_needed\nverified: 2199-01-01T00:00:00Z\n---\n"}, 1, false, ""},
		"one with another sign":       {front(""), map[string]string{"phases/01-a/01-VERIFICATION.md": "---\nstatus: Human-Needed\nverified: 2026-02-01T00:00:00Z\n---\n"}, 1, true, ""},
		"an answered one": {front(""), map[string]string{"phases/01-a/01-VERIFICATION.md": needsHuman, "phases/01-a/01-UAT.md": "## Tests\n### 1. T\nresult: pass\n"},
			0, false, "verify-work 01"},
		"a checkpoint": {front("stopped_at: \"waiting for user to verify 01-02 Task 2\"\n"), map[string]string{"phases/01-a/01-02-PLAN.md": "x"}, 1, true, ""},
		"a checkpoint that work went past": {front("stopped_at: \"waiting for user to verify 01-01 Task 2\"\n"),
			map[string]string{"phases/01-a/01-01-SUMMARY.md": "---\ncompleted: 2026-02-11\n---\n"}, 0, false, ""},
		"one that STATE.md knows nothing newer of": {"---\nmilestone: v1.1\nstatus: executing\nstopped_at: \"waiting for user to verify 01-01 Task 2\"\n---\nPhase: 2 of 2 (B)\n",
			nil, 0, false, ""},
		"one that the summary leaves to the human": {front("stopped_at: \"waiting for user to verify 01-01 Task 2\"\n"),
			map[string]string{"phases/01-a/01-01-SUMMARY.md": "---\nstatus: pending-human-verify\ncompleted: 2026-02-11\n---\n"}, 1, true, ""},
		"one written down after the summary": {front("stopped_at: \"waiting for user to verify 01-01 Task 2\"\n"),
			map[string]string{"phases/01-a/01-01-SUMMARY.md": "---\ncompleted: 2026-02-10\n---\n"}, 1, true, ""},
	} {
		files := map[string]string{"STATE.md": c.state, "ROADMAP.md": roadmap, "phases/01-a/01-01-PLAN.md": "x", "phases/01-a/01-01-SUMMARY.md": "x"}
		maps.Copy(files, c.files)
		b := readOne(t, tree(t, files))
		waits := b.Certain()
		if len(waits) != c.waits || len(waits) > 0 && waits[0].Since.IsZero() == c.since {
			t.Errorf("%s: %+v", name, waits)
		}
		if c.next != "" && (b.Next == nil || b.Next.Command != c.next) {
			t.Errorf("%s: next %+v", name, b.Next)
		}
	}
}

// TestQuestionOfAShippedMilestone checks that a question about a phase of a shipped milestone has expired, unless nothing was written
// since it was asked.
func TestQuestionOfAShippedMilestone(t *testing.T) {
	const asks = `{"status": "waiting", "question": "Keep?", "since": "2026-02-10T09:00:00Z", "phase": "1"}`
	for name, c := range map[string]struct {
		question, updated, roadmap string
		waits                      int
	}{
		"the milestone has shipped":  {asks, "2026-02-11", "- ✅ **v1.0 One** — Phases 1-2\n", 0},
		"it was asked since":         {asks, "2026-02-10T08:00:00Z", "- ✅ **v1.0 One** — Phases 1-2\n", 0},
		"it is in progress":          {asks, "2026-02-10T08:00:00Z", "- 🚧 **v1.0 One** — Phases 1-2\n", 1},
		"STATE.md was written since": {asks, "2026-02-11", "- 🚧 **v1.0 One** — Phases 1-2\n", 0},
		"with the same command":      {asks, "2026-02-10T09:05:00Z", "- 🚧 **v1.0 One** — Phases 1-2\n", 1},
		"nothing says of the phase":  {asks, "2026-02-10T09:00:00Z", "", 1},
		"it is about no phase":       {`{"question": "Keep?"}`, "2026-02-11", "- ✅ **v1.0 One** — Phases 1-2\n", 1},
		"its status is ready":        {strings.Replace(asks, "waiting", "ready", 1), "2026-02-10T08:00:00Z", "", 0},
		"it has no question":         {`{"status": "waiting", "question": null, "options": []}`, "2026-02-10T08:00:00Z", "", 0},
		"a number":                   {`{"question": "Keep?", "phase": 1}`, "2026-02-11", "- ✅ **v1.0 One** — Phases 1-2\n", 0},
		"the phase is in an archive": {strings.Replace(asks, `"1"`, `"9"`, 1), "2026-02-11", "", 0},
	} {
		b := readOne(t, tree(t, map[string]string{
			"STATE.md": "---\nmilestone: v1.1\nstatus: executing\nlast_updated: " + c.updated + "\n---\n", "ROADMAP.md": c.roadmap + "\n## v1.1 Two\n- [ ] **Phase 3: C**\n",
			"WAITING.json": c.question, "phases/03-c/03-01-PLAN.md": "x", "milestones/v0.9-phases/09-i/09-01-PLAN.md": "x",
		}))
		if len(b.Certain()) != c.waits || len(b.Expired) != 1-c.waits {
			t.Errorf("%s: waits %+v, past %+v", name, b.Certain(), b.Expired)
		}
		if n := modeltest.Node(t, b, "gate/waiting"); n.IsArchived() != (c.waits == 0) {
			t.Errorf("%s: %+v", name, n)
		}
	}
}

// TestAcknowledgedTests checks that tests acknowledged when a milestone was closed neither wait nor count as debt while the file says
// the same.
func TestAcknowledgedTests(t *testing.T) {
	const uat = "---\nstatus: partial\naudit_acknowledged:\n  milestone: v1.0\n  at: 2026-09-01\n  gap_snapshot: \"partial::scenarios=1\"\n---\n## Tests\n### 1. R\nresult: [pending]\n### 2. S\nresult: issue\n"
	for name, c := range map[string]struct {
		uat    string
		isOpen bool
	}{
		"acknowledged":                          {uat, false},
		"with a test more":                      {uat + "### 3. T\nresult: pending\n", true},
		"of another status":                     {strings.Replace(uat, "status: partial", "status: testing", 1), true},
		"without the milestone that was closed": {strings.Replace(uat, "  milestone: v1.0\n", "", 1), true},
	} {
		b := readOne(t, tree(t, map[string]string{
			"STATE.md": "---\nstatus: executing\nmilestone: v1.1\n---\n", "ROADMAP.md": "## v1.0 Old\n- [x] **Phase 1: A**\n\n## v1.1 New\n- [ ] **Phase 2: B**\n",
			"milestones/v1.0-phases/01-a/01-UAT.md": c.uat, "phases/02-b/02-01-PLAN.md": "x", "phases/02-b/02-UAT.md": c.uat,
		}))
		if isOpen := len(b.Waits) > 0; isOpen != c.isOpen || len(b.Debts()) > 0 != c.isOpen {
			t.Errorf("%s: %+v waits, %+v is debt", name, b.Waits, b.Debts())
		}
	}
}
