package record

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
)

// stateWith returns freshState with other field values and other rows of the table.
func stateWith(fields map[string]string, rows ...string) string {
	state := freshState
	for name, value := range fields {
		state = regexp.MustCompile(`(?m)^((?:- |\*\*)?`+regexp.QuoteMeta(name)+`:(?:\*\*)?) .*$`).ReplaceAllString(state, "${1} "+value)
	}
	if len(rows) > 0 {
		state = strings.Replace(state, "| - | - | - | - |", strings.Join(rows, "\n"), 1)
	}
	return state
}

// fieldOf returns the value of a field of a STATE.md.
func fieldOf(state, name string) string {
	m := regexp.MustCompile(`(?m)^(?:- |\*\*)?` + regexp.QuoteMeta(name) + `:(?:\*\*)? (.*)$`).FindStringSubmatch(state)
	if m == nil {
		return ""
	}
	return m[1]
}

// planFile returns the path of a file of a plan in phase 1 "quay", 2 "lamp" or 3 "sea".
func planFile(phase, plan int, kind string) string {
	return fmt.Sprintf(".planning/phases/%02d-%s/%02d-%02d-%s.md", phase, []string{"quay", "lamp", "sea"}[phase-1], phase, plan, kind)
}

// planned returns the PLAN files of phases with the given numbers of plans, each plan with two tasks.
func planned(plans ...int) map[string]string {
	files := map[string]string{}
	for phase, n := range plans {
		for plan := range n {
			files[planFile(phase+1, plan+1, "PLAN")] = plannedTasks(2)
		}
	}
	return files
}

// projectWith creates a project with the summaries of the plans {phase, plan} that are done.
func projectWith(t *testing.T, files map[string]string, state string, done ...[2]int) string {
	t.Helper()
	all := maps.Clone(files)
	all[".planning/STATE.md"] = state
	for _, d := range done {
		all[planFile(d[0], d[1], "SUMMARY")] = "---\n---\n"
	}
	return fixture.Project(t, all)
}

func wantFields(t *testing.T, name, state string, want map[string]string) {
	t.Helper()
	for field, value := range want {
		if got := fieldOf(state, field); got != value {
			t.Errorf("%s: %s is %q, want %q", name, field, got, value)
		}
	}
}

// TestSessionsEnd checks that a session ends after a long pause or by EndSession.
func TestSessionsEnd(t *testing.T) {
	dir := projectWith(t, planned(2), freshState+"Last session: x\nStopped at: y\n")
	now := fixture.Now
	r := New(dir, &statefile.System{Unsynced: true}, func() time.Time { return now })
	captureAt := func(task int, after time.Duration) string {
		now = now.Add(after)
		c, err := r.Capture(t.Context(), Report{Text: partResult(task, "success", 1, 1000), Plan: "01-01", Again: int(after.Hours()) + 1})
		fixture.Must(t, err)
		s, err := parseSession(read1(t, dir, core.SessionFile))
		fixture.Must(t, err)
		if l := core.ParseLog(read1(t, dir, c.Log)); l.Session != s.ID {
			t.Errorf("the log has session %q, and %q is current", l.Session, s.ID)
		}
		return s.ID
	}
	first := captureAt(1, 0)
	if same := captureAt(2, 5*time.Hour); same != first {
		t.Errorf("%q ended after 5 hours", first)
	}
	second := captureAt(1, 13*24*time.Hour)
	if second == first {
		t.Errorf("%q goes on after 13 days", first)
	}
	if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(sessionArchive(first)))); err != nil {
		t.Error(err)
	}
	done, err := r.EndSession(t.Context(), "", false)
	if err != nil || done.Session != second {
		t.Errorf("%+v, %v", done, err)
	}
	if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(core.SessionFile))); !os.IsNotExist(err) {
		t.Errorf("the session goes on: %v", err)
	}
	wantFields(t, "", read1(t, dir, ".planning/STATE.md"), map[string]string{"Last session": now.Format("2006-01-02 15:04"), "Stopped at": "Completed Task 1: Part 1"})
}
