package record

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/parse/ultraplan/fixture"
)

// TestUnwritableStateIsLeftAlone checks that a result is recorded although STATE.md can't be written. STATE.md keeps every byte, and a note
// says why. Once STATE.md is fixed, the same capture updates it.
func TestUnwritableStateIsLeftAlone(t *testing.T) {
	conflict := strings.Replace(fixture.RestingState, "Status: Ready to plan\n", "<<<<<<< HEAD\nStatus: Ready to plan\n=======\nStatus: Complete\n>>>>>>> other\n", 1)
	for note, state := range map[string]string{"is empty": "", "merge conflict on line 7": conflict} {
		dir := fixture.Project(t, fixture.Lantern(map[string]string{".planning/STATE.md": state}))
		rep := Report{Text: result(1, "failure", 1), Plan: "03-01"}
		c := captureOf(t, dir, rep)
		if got := read1(t, dir, ".planning/STATE.md"); got != state || !strings.Contains(strings.Join(c.Notes, "\n"), note) || c.Log == "" {
			t.Errorf("%s: %q\n%s", note, c.Notes, got)
		}
		if _, err := recorder(dir).Decide(t.Context(), Decision{Text: "oil"}); err == nil || !strings.Contains(err.Error(), note) {
			t.Errorf("%s: a decision: %v", note, err)
		}
		fixture.Put(t, filepath.Join(dir, ".planning/STATE.md"), fixture.RestingState)
		if captureOf(t, dir, rep); !strings.Contains(read1(t, dir, ".planning/STATE.md"), "Fill the tank: no funnel") {
			t.Errorf("%s: mended, it does not follow", note)
		}
	}
}

// TestCaptureRemovesTemporaryFiles checks that the next capture removes the temporary files of killed writers from every directory of
// the project.
func TestCaptureRemovesTemporaryFiles(t *testing.T) {
	dir := fixture.Project(t, fixture.Lantern(nil))
	var left []string
	for _, sub := range []string{".planning", ".planning/phases/03-lamp", ".ultraplan", ".ultraplan/state", ".ultraplan/logs", ".ultraplan/logs/summary", ".ultraplan/logs/executions/2026-01-01"} {
		file := filepath.Join(dir, sub, ".STATE.md.gatehouse-ABCDEFGHIJKLMNOPQRSTUVWXYZ.tmp")
		fixture.Put(t, file, "half")
		long := time.Now().Add(-24 * time.Hour)
		fixture.Must(t, os.Chtimes(file, long, long))
		left = append(left, file)
	}
	captureOf(t, dir, Report{Text: result(1, "success", 1), Plan: "03-01"})
	for _, file := range left {
		if _, err := os.Lstat(file); err == nil {
			t.Errorf("%s is still there", file)
		}
	}
}
