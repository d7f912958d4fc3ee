package gsd

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/modeltest"
)

const needsHuman = "---\nstatus: human_needed\nhuman_verification:\n  - test: look\n---\n"

// TestSinceSeen checks that an observed change outranks the time of a file, but not a time in the file.
func TestSinceSeen(t *testing.T) {
	files := map[string]string{
		"STATE.md": "---\nstatus: executing\n---\n", "phases/01-a/01-01-PLAN.md": "x", "phases/02-b/02-01-PLAN.md": "x",
	}
	dir := tree(t, files)
	must(t, os.Chtimes(filepath.Join(dir, Planning, "phases/02-b/02-01-PLAN.md"), now, now))
	first := readers(t, dir)[0].Read(now)
	done := maps.Clone(files)
	done["phases/01-a/01-01-SUMMARY.md"] = "x"
	done["phases/01-a/01-VERIFICATION.md"] = needsHuman
	b := readOne(t, tree(t, done))
	b.Remember(first, now)
	if n := modeltest.Node(t, b, "phase/01"); !n.Since.Equal(now) || n.SinceFile {
		t.Errorf("phase 1 is %s since %s (file: %v)", n.Status, n.Since, n.SinceFile)
	}
	if n, was := modeltest.Node(t, b, "phase/02"), modeltest.Node(t, first, "phase/02"); !n.Since.Equal(was.Since) || !n.SinceFile {
		t.Errorf("phase 2 is %s since %s (file: %v)", n.Status, n.Since, n.SinceFile)
	}
	if w := b.Certain(); len(w) != 1 || !w[0].Since.Equal(now) || w[0].SinceFile {
		t.Errorf("%+v waits", w)
	}
	later := readOne(t, tree(t, done))
	later.Remember(b, now.Add(time.Hour))
	if n := modeltest.Node(t, later, "phase/01"); !n.Since.Equal(now) {
		t.Errorf("an hour later phase 1 is %s since %s", n.Status, n.Since)
	}
	if w := later.Certain(); len(w) != 1 || !w[0].Since.Equal(now) {
		t.Errorf("an hour later %+v waits", w)
	}
	// A date without an hour is less precise than the observed change on that day.
	done["phases/01-a/01-VERIFICATION.md"] = "---\nstatus: passed\nverified: " + now.Format(time.DateOnly) + "\n---\n"
	passed := readOne(t, tree(t, done))
	passed.Remember(later, now.Add(2*time.Hour))
	if n := modeltest.Node(t, passed, "phase/01"); !n.Since.Equal(now.Add(2 * time.Hour)) {
		t.Errorf("phase 1 is %s since %s", n.Status, n.Since)
	}
}

// TestFutureTimesAreIgnored checks that times in the future are ignored in rows, waits, blockers and the build.
func TestFutureTimesAreIgnored(t *testing.T) {
	b := readOne(t, tree(t, map[string]string{
		"STATE.md": "---\nstatus: paused\nlast_updated: 2199-01-01\n---\n", "HANDOFF.json": `{"timestamp":"2199-01-01","blockers":["rain"]}`,
		"MILESTONES.md":                "## v1.0 One (Shipped: 2199-01-01)\n",
		"ROADMAP.md":                   "- ✅ **v1.0 One** — Phases 1-1\n- 🚧 **v1.1 Two** — Phases 2-5\n\n## v1.1 Two\n### Phase 2: B\n### Phase 3: C\n### Phase 4: D\n### Phase 5: E\n",
		"phases/02-b/02-01-PLAN.md":    "<task><name>x</name></task>",
		"phases/02-b/02-01-SUMMARY.md": "---\ncompleted: 2199-01-01\n---\n", "phases/02-b/02-VERIFICATION.md": "---\nstatus: human_needed\nverified: 2199-01-01\nhuman_verification:\n  - look\n---\n",
		"phases/03-c/03-UAT.md": "---\nstatus: testing\nupdated: 2199-01-01\n---\n## Tests\n### 1. T\nresult: pending\n",
	}))
	for _, n := range model.Walk(b.Nodes) {
		if n.Since.Year() > 2100 {
			t.Errorf("%s is %s since %s", n.ID, n.Status, n.Since)
		}
	}
	for _, w := range b.Waits {
		if w.Since.Year() > 2100 {
			t.Errorf("%s waits since %s", w.Node, w.Since)
		}
	}
	if len(b.Certain()) < 2 || len(b.Blockers) != 1 || b.Blockers[0].Since.Year() > 2100 || b.Pause == nil || b.Pause.Since.Year() > 2100 || b.Since.Year() > 2100 {
		t.Errorf("%+v, %+v, %s", b.Blockers, b.Pause, b.Since)
	}
}

// TestEverythingHasAnAge checks that every row has a time since which its status holds, taken from its file's time if nothing better is
// known.
func TestEverythingHasAnAge(t *testing.T) {
	files := map[string]string{
		"STATE.md":                  "---\nmilestone: v1.1\nstatus: executing\n---\n",
		"ROADMAP.md":                "- ✅ **v0.9 Old** — Phases 1-1 (shipped 2026-01-15)\n- 📋 **v2.0 Next**\n\n## v1.1 Two\n- [x] **Phase 2: B**\n- [ ] **Phase 3: C**\n- [ ] **Phase 4: D**\n\n### Phase 4: D\n- [ ] 04-01: x\n\n## Backlog\n### Phase 999.1: Later\n",
		"phases/02-b/02-01-PLAN.md": "<task><name>x</name></task>", "phases/02-b/02-01-SUMMARY.md": "x", "phases/02-b/02-VERIFICATION.md": "---\nstatus: passed\n---\n",
		"phases/03-c/03-01-PLAN.md": "<task type=\"checkpoint:human-verify\"><name>look</name></task>", "todos/pending/a.md": "# A\n", "milestones/v0.9-phases/01-a/01-01-PLAN.md": "x",
	}
	dir := tree(t, files)
	for name := range files {
		must(t, os.Chtimes(filepath.Join(dir, Planning, name), now, now))
	}
	for _, name := range []string{"milestones/v0.9-phases/01-a", "phases/02-b", "phases/03-c"} {
		must(t, os.Chtimes(filepath.Join(dir, Planning, name), now, now))
	}
	b := readOne(t, dir)
	if b.Since.IsZero() {
		t.Errorf("the build is %s", b.Status)
	}
	for _, n := range model.Walk(b.Nodes) {
		if n.Since.IsZero() {
			t.Errorf("%s is %s", n.ID, n.Status)
		}
	}
	if n := modeltest.Node(t, b, "milestone/v0.9"); !n.Since.Equal(time.Date(2026, 1, 15, 0, 0, 0, 0, time.UTC)) || n.SinceFile {
		t.Errorf("v0.9 is done since %s", n.Since)
	}
}
