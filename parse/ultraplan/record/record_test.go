package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
)

// result is what an executor returns about a task.
func result(task int, status string, attempt int) string {
	name := map[int]string{1: "Fill the tank", 2: "Trim the wick"}[task]
	exit, done, reason, command := 0, "true", "null", `"go test"`
	switch status {
	case "failure":
		exit, done, reason = 1, "false", `"no funnel: it broke"`
	case "blocked":
		done, reason, command = "false", `"no oil"`, "null"
	}
	return fmt.Sprintf("status: %s\ntask_name: \"Task %d: %s\"\nfiles_modified: []\nverification:\n  command: %s\n  exit_code: %d\n  output_summary: ok\ndone_criteria_met: %s\nevidence: |\n  seen\nerror: %s\nmetadata:\n  duration_ms: 90000\n  attempt: %d\n  executor_id: e\n",
		status, task, name, command, exit, done, reason, attempt)
}

// recorder returns a recorder without fsync: no test simulates a power failure.
func recorder(dir string) *Recorder {
	return New(dir, &statefile.System{Unsynced: true}, func() time.Time { return fixture.Now })
}

// randomRounds returns the number of rounds of a randomized test and its seed: few rounds with a fixed seed, or with
// GATEHOUSE_BUILDS=1000 that many with a random one.
func randomRounds(t *testing.T, few int) (rounds int, seed uint64) {
	s := os.Getenv("GATEHOUSE_BUILDS")
	if s == "" {
		return few, 4 // with this seed, two of the first 16 builds have many captures at once
	}
	rounds, err := strconv.Atoi(s)
	fixture.Must(t, err)
	return rounds, rand.Uint64()
}

// captureOf captures a result and fails the test on an error.
func captureOf(t testing.TB, dir string, rep Report) *Captured {
	t.Helper()
	c, err := recorder(dir).Capture(t.Context(), rep)
	fixture.Must(t, err)
	return c
}

func read1(t testing.TB, dir, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
	fixture.Must(t, err)
	return string(text)
}

// treeOf returns all files below a directory, except locks and temporary files that a killed process has left.
func treeOf(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	fixture.Must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".tmp") || strings.HasSuffix(path, ".lock") {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		text, err := os.ReadFile(path)
		files[filepath.ToSlash(rel)] = string(text)
		return err
	}))
	return files
}

// sameTree reports every difference between two trees.
func sameTree(t testing.TB, got, want map[string]string, what string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			t.Errorf("%s: %s is\n%s\nwant\n%s", what, name, got[name], want[name])
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %s is left over", what, name)
		}
	}
}

// TestCaptureAgainChangesNothing checks that a capture that is run again finds its log and writes nothing.
func TestCaptureAgainChangesNothing(t *testing.T) {
	dir := fixture.Project(t, fixture.Lantern(nil))
	first, second := Report{Text: result(1, "failure", 1), Plan: "03-01"}, Report{Text: result(1, "success", 2), Plan: "03-01"}
	captureOf(t, dir, first)
	captureOf(t, dir, second)
	before := treeOf(t, dir)
	for _, rep := range []Report{first, second, first} { // an old result does not become the newest again
		r := New(dir, &statefile.System{Unsynced: true}, func() time.Time { return fixture.Now.AddDate(0, 0, 3) })
		c, err := r.Capture(t.Context(), rep)
		fixture.Must(t, err)
		if !c.Already || len(c.Files) > 0 {
			t.Errorf("%+v", c)
		}
	}
	sameTree(t, treeOf(t, dir), before, "run again")
	// The same text counts as another result only with Again, and then only once.
	for range 2 {
		c := captureOf(t, dir, Report{Text: first.Text, Plan: "03-01", Again: 2})
		if !strings.HasSuffix(c.Log, "/03-01-task-01-failure-2.yaml") {
			t.Errorf("%s", c.Log)
		}
	}
	// A dry run writes nothing and lists every change.
	dir = fixture.Project(t, fixture.Lantern(nil))
	before = treeOf(t, dir)
	rep := second
	rep.DryRun = true
	dry := captureOf(t, dir, rep)
	sameTree(t, treeOf(t, dir), before, "dry run")
	if done := captureOf(t, dir, second); fmt.Sprint(done.Files) != fmt.Sprint(dry.Files) {
		t.Errorf("said\n%v\ndone\n%v", dry.Files, done.Files)
	}
}

// TestCaptureRefuses checks that a refused capture writes nothing, except that invalid results are kept in a directory of their own.
func TestCaptureRefuses(t *testing.T) {
	dir := fixture.Project(t, fixture.Lantern(map[string]string{".planning/phases/04-a/03-02-PLAN.md": fixture.TwoTasks, ".planning/phases/05-a/03-02-PLAN.md": "x"}))
	before := treeOf(t, dir)
	const plan = "03-01"
	for name, rep := range map[string]Report{
		"invalid":        {Text: strings.Replace(result(1, "success", 1), "exit_code: 0", "exit_code: 1", 1), Plan: plan},
		"no YAML":        {Text: "[", Plan: plan},
		"another task":   {Text: result(1, "success", 1), Plan: plan, Task: "2"},
		"no such plan":   {Text: result(1, "success", 1), Plan: "09-01"},
		"several plans":  {Text: result(1, "success", 1), Plan: "03-02"},
		"no plan's name": {Text: result(1, "success", 1), Plan: "../../x"},
	} {
		c, err := recorder(dir).Capture(t.Context(), rep)
		if err == nil && c.Outcome != Invalid {
			t.Errorf("%s: %+v", name, c)
		}
		var none *NoPlan
		if strings.Contains(name, "plan") != errors.As(err, &none) {
			t.Errorf("%s: %v", name, err)
		}
	}
	sameTree(t, treeOf(t, dir), before, "refused")
	if c := captureOf(t, dir, Report{Text: result(1, "success", 1), Plan: plan}); c.Box != syncChecked {
		t.Errorf("%+v", c)
	}
}

// TestAgentsWriteBetweenTheSteps checks that what agents write between the steps stays, and that the capture's own changes are added.
func TestAgentsWriteBetweenTheSteps(t *testing.T) {
	for _, at := range []string{"log", "plan", "session", "daily", "continue", "state"} {
		dir := fixture.Project(t, fixture.Lantern(nil))
		r := recorder(dir)
		r.step = func(name string) {
			if name == at {
				fixture.Put(t, filepath.Join(dir, ".planning/STATE.md"), strings.Replace(fixture.RestingState, "# Project State", "# The state\n\nof things", 1))
				fixture.Put(t, filepath.Join(dir, ".ultraplan/logs/current-session.json"), `{"session_id": "agent", "x": 12345678901234567890, "tasks": [{"task_name": "Task 1: Fill the tank", "status": "in_progress", "note": 1.0}], "plan_id": "03-01"}`)
			}
		}
		_, err := r.Capture(t.Context(), Report{Text: result(1, "success", 1), Plan: "03-01"})
		fixture.Must(t, err)
		if got := read1(t, dir, ".planning/STATE.md"); !strings.Contains(got, "of things") || !strings.Contains(got, "Completed Task 1") {
			t.Errorf("at %s: %s", at, got)
		}
		got := read1(t, dir, ".ultraplan/logs/current-session.json")
		if !strings.Contains(got, "12345678901234567890") || !strings.Contains(got, `"note": 1.0`) || !json.Valid([]byte(got)) {
			t.Errorf("at %s: %s", at, got)
		}
		if at == "log" && !strings.Contains(got, `"status": "success"`) {
			t.Errorf("at %s: %s", at, got)
		}
	}
}

// TestSessionEntriesKeepTheLayout checks that a task is added to a session in the session's own layout.
func TestSessionEntriesKeepTheLayout(t *testing.T) {
	c := &capture{Captured: &Captured{Plan: "03-01"}, plan: &core.Plan{Key: "3-1"}, at: fixture.Now}
	c.task = &core.Task{Logs: []*core.Log{{Name: "Task 1: a", Status: "success", At: fixture.Now.Unix(), Attempt: 1}}}
	conformance.OwnRows(t, "sessionentrieskeepthelayout.jsonl", func(t *testing.T, x struct {
		ID, In, Want string
	}) {
		got, err := c.inSession(x.In)
		if err != nil || !strings.Contains(got, x.Want) || !json.Valid([]byte(strings.TrimPrefix(got, "\uFEFF"))) {
			t.Errorf("%s: %v\n%s", x.ID, err, got)
		}
		if again, err := c.inSession(got); err != nil || again != got {
			t.Errorf("%s: again it is\n%s", x.ID, again)
		}
	})
}

// TestRotate checks which old logs and sessions are archived, and that rotating again moves nothing.
func TestRotate(t *testing.T) {
	files := fixture.Lantern(map[string]string{
		".ultraplan/logs/executions/2025-12-28/03-01-task-01-failure.yaml": "old",
		".ultraplan/logs/executions/2025-12-28/notes.txt":                  "old notes",
		".ultraplan/logs/executions/2025-12-29/03-01-task-01-failure.yaml": "thirty days",
		".ultraplan/logs/executions/2025-12-28x/a.yaml":                    "no day",
		".ultraplan/logs/executions/2025-01-01/taken.yaml":                 "other",
		".ultraplan/logs/archive/executions/2025-01-01/taken.yaml":         "first",
		".ultraplan/logs/summary/daily-2025-12-01.json":                    "{}",
		".ultraplan/logs/current-session.json":                             "{}",
	})
	for i := range 13 {
		files[fmt.Sprintf(".ultraplan/logs/sessions/session-%02d.json", i)] = fmt.Sprintf(`{"session_id": "%02d"}`, i)
	}
	dir := fixture.Project(t, files)
	for i := range 13 {
		at := fixture.Now.AddDate(0, 0, i)
		fixture.Must(t, os.Chtimes(filepath.Join(dir, fmt.Sprintf(".ultraplan/logs/sessions/session-%02d.json", i)), at, at))
	}
	before := treeOf(t, dir)
	dry, err := recorder(dir).Rotate(t.Context(), true)
	fixture.Must(t, err)
	sameTree(t, treeOf(t, dir), before, "dry run")
	rot, err := recorder(dir).Rotate(t.Context(), false)
	fixture.Must(t, err)
	if len(rot.Kept) != 1 || !strings.Contains(rot.Kept[0], "exists already") || len(rot.Moved) != 5 || len(dry.Moved) != 6 {
		t.Errorf("%+v", rot)
	}
	want := maps.Clone(before)
	for _, m := range rot.Moved {
		want[m.To] = want[m.From]
		delete(want, m.From)
		if m.To != strings.Replace(m.From, "/logs/", "/logs/archive/", 1) {
			t.Errorf("%+v", m)
		}
	}
	sameTree(t, treeOf(t, dir), want, "rotated")
	if again, err := recorder(dir).Rotate(t.Context(), false); err != nil || len(again.Moved) != 0 {
		t.Errorf("%+v, %v", again, err)
	}
	for _, kept := range []string{"session-00", "session-01", "session-02"} {
		if want[".ultraplan/logs/archive/sessions/"+kept+".json"] == "" {
			t.Errorf("%s is not in the archive", kept)
		}
	}
	if none, err := recorder(t.TempDir()).Rotate(t.Context(), false); err != nil || len(none.Moved) != 0 {
		t.Errorf("%+v, %v", none, err)
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
