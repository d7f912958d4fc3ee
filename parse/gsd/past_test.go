package gsd

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"gatehouse/model"
)

const needsHuman = "---\nstatus: human_needed\nhuman_verification:\n  - test: look\n---\n"

// TestWhatWaitsNoMore holds waits of other milestones, and hand-overs that are out of date, to be found and not counted.
func TestWhatWaitsNoMore(t *testing.T) {
	b := readOne(t, tree(t, map[string]string{
		"STATE.md":                       "---\nmilestone: v1.1\nstatus: executing\nlast_updated: 2026-02-10T10:00:00Z\n---\n",
		"ROADMAP.md":                     "- ✅ **v1.0 Old** — Phases 1-1\n- 🚧 **v1.1 New** — Phases 2-3\n\n## v1.1 New\n### Phase 2: B\n### Phase 3: C\n",
		"HANDOFF.json":                   `{"status":"paused","timestamp":"2026-02-01T10:00:00Z","phase":"2","human_actions_pending":["buy a key"],"blockers":["no key"]}`,
		"phases/01-a/01-01-PLAN.md":      "x",
		"phases/01-a/01-01-SUMMARY.md":   "x",
		"phases/01-a/01-VERIFICATION.md": needsHuman,
		"phases/02-b/02-01-PLAN.md":      "x",
	}))
	if len(b.Waits) > 0 || len(b.Blockers) > 0 || b.Pause != nil {
		t.Errorf("waits %+v, blockers %+v, pause %+v", b.Waits, b.Blockers, b.Pause)
	}
	var why []string
	for _, w := range b.Past {
		why = append(why, w.Place+": "+w.Over)
	}
	want := []string{"Phase 01: it is of v1.0, which is shipped", "Phase 02: work went on: STATE.md is of 2026-02-10, this of 2026-02-01"}
	if !slices.Equal(why, want) {
		t.Errorf("past %q, want %q", why, want)
	}
	if b.Next == nil || b.Next.Command != "execute-phase 02" {
		t.Errorf("next %+v", b.Next)
	}
}

// TestAnsweredVerification: the tests that a verification left to a human have passed, so the next turn is an agent's.
func TestAnsweredVerification(t *testing.T) {
	files := map[string]string{
		"STATE.md": "---\nstatus: executing\n---\n", "phases/01-a/01-01-PLAN.md": "x", "phases/01-a/01-01-SUMMARY.md": "x",
		"phases/01-a/01-VERIFICATION.md": needsHuman,
		"phases/01-a/01-HUMAN-UAT.md":    "---\nstatus: complete\n---\n## Tests\n### 1. look\n\nresult: PASS — on the phone\n",
	}
	b := readOne(t, tree(t, files))
	if n := node(t, b, "phase/01"); n.Status != model.Waiting || !strings.HasPrefix(n.Why, "answered, verify-work next") {
		t.Errorf("the phase is %s: %s", n.Status, n.Why)
	}
	if len(b.Waits) > 0 || b.Next == nil || b.Next.Command != "verify-work 01" {
		t.Errorf("waits %+v, next %+v", b.Waits, b.Next)
	}
	open := maps.Clone(files)
	open["phases/01-a/01-HUMAN-UAT.md"] = "---\nstatus: partial\n---\n## Tests\n### 1. look\nresult: pass\n### 2. hear\nresult: skipped\n"
	if b := readOne(t, tree(t, open)); len(b.Certain()) != 1 || b.Certain()[0].Evidence != model.Verified {
		t.Errorf("with a test skipped, %+v waits", b.Waits)
	}
}

// TestReachedCheckpoint: a checkpoint waits when STATE.md says that a human is awaited, and not before.
func TestReachedCheckpoint(t *testing.T) {
	for said, waits := range map[string]bool{
		"Status: Awaiting human verification (Task 3 checkpoint)": true,
		"Plan: 01-01 CHECKPOINT (Task 3, approval pending)":       true,
		"Stopped at: 01-01 Task 4 (human-verify) PENDING":         true,
		"Status: Ready to execute":                                false,
		"Status: Awaiting next milestone":                         false,
		"Status: Phase complete — ready for verification":         false,
		"Status: 3 plans pending":                                 false,
	} {
		b := readOne(t, tree(t, map[string]string{
			"STATE.md":                  "---\nstatus: executing\n---\n\nPhase: 1 of 2 (A)\n" + said + "\n",
			"phases/01-a/01-01-PLAN.md": "<task type=\"checkpoint:human-verify\"><name>look</name></task>",
		}))
		if got := len(b.Certain()) == 1; got != waits {
			t.Errorf("%s: %+v", said, b.Certain())
		}
	}
}

func TestResultWords(t *testing.T) {
	for value, want := range map[string]string{
		"PASS — note": "pass", "passed – seen": "passed", "PASS (after a restart)": "pass", "[pending deploy]": "pending", "`pass`": "`pass`",
		"skipped because of rain": "skipped", "pass with a crash": "pass with a crash", "**PASS**": "pass", "pass, twice": "pass", "": "",
	} {
		if got := resultWord(value); got != want {
			t.Errorf("%q is %q, want %q", value, got, want)
		}
	}
}
