package ultraplan

import (
	"path/filepath"
	"testing"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/model/modeltest"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/fuzz"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
)

// treeLimit is the maximum size in bytes of the text that FuzzTree writes into every file. Reading such a project takes a millisecond.
const treeLimit = 120

// TestTreeOfWholeSeeds runs the check of FuzzTree with whole seeds, which may be too long for the fuzzer.
func TestTreeOfWholeSeeds(t *testing.T) {
	check := checkTree(t)
	for _, s := range fixture.Seeds {
		check(t, s)
	}
}

// FuzzTree reads a whole project in which every file has the same text.
func FuzzTree(f *testing.F) { fuzz.Text(f, treeLimit, fixture.Seeds, checkTree(f)) }

// checkTree returns the check. All its runs share one directory, because creating the files takes longer than reading them.
func checkTree(tb testing.TB) func(t *testing.T, text string) {
	dir := tb.TempDir()
	return func(t *testing.T, text string) {
		if text == "" {
			return
		}
		for _, name := range []string{
			".planning/STATE.md", ".planning/ROADMAP.md", ".planning/phases/01-a/01-01-PLAN.md", ".planning/phases/01-a/01-01-SUMMARY.md", ".planning/phases/01-a/01-02-PLAN.md",
			".planning/phases/01-b/01-01-PLAN.md", ".planning/phases/01-b/01-07-SUMMARY.md", ".ultraplan/state/retry-state.json", ".ultraplan/state/continue.md", ".ultraplan/state/events.jsonl",
			".ultraplan/logs/retry.jsonl", ".ultraplan/logs/current-session.json", ".ultraplan/logs/summary/daily-2026-01-01.json", ".ultraplan/logs/executions/2026-01-26/01-01-task-01-success.yaml",
			".ultraplan/logs/executions/2026-01-26/x.yaml",
		} {
			fixture.Put(t, filepath.Join(dir, filepath.FromSlash(name)), text)
		}
		readers := Readers(mirror.New(dir, core.Home))
		if len(readers) == 0 {
			return // GSD's
		}
		b := readers[0].Read(fixture.Now)
		for _, p := range readers[0].Check(fixture.Now) {
			if p.Text != line.Clean(p.Text) {
				t.Errorf("reported: %q", p.Text)
			}
		}
		modeltest.CheckShown(t, b)
		// A plan has no summary, so nothing may call the build complete.
		if scene, _ := b.Header.Scene(); scene == 3 || b.Status == model.Done || b.Progress.Percent == 100 {
			t.Errorf("the header says %q, the build is %v", line.Full(b.Header), b.Status)
		}
	}
}
