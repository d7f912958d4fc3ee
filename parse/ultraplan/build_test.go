package ultraplan

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/modeltest"
	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
)

// TestLogs checks what logs add to the build.
func TestLogs(t *testing.T) {
	const dir = ".ultraplan/logs/executions/"
	files := fixture.Lamp(map[string]string{
		dir + "2026-01-26/03-02-task-01-failure.yaml":   fixture.Log("03-02", 1, "failure", "2026-01-26T10:00:00Z", "  error: \"no funnel\"\n  metadata:\n    duration_ms: 1000\n    attempt: 1\n"),
		dir + "2026-01-26/03-02-task-01-failure-2.yaml": fixture.Log("03-02", 1, "failure", "2026-01-26T11:00:00Z", "  error: no oil\n  verification:\n    command: \"x\"\n    exit_code: 1\n    output_summary: 2 failed\n  metadata:\n    duration_ms: 3000\n    attempt: 2\n"),
		dir + "2026-01-25/02-01-task-01-success.yaml":   fixture.Log("02-01", 1, "success", "2026-01-25T10:00:00Z", "  evidence: |\n    - done: yes\n  error: null\n"),
		dir + "2026-01-26/notes.txt":                    "x",
		dir + "other/03-02-task-01-failure.yaml":        "x",
		dir + "2026-01-26/half.yaml":                    "logged_at: \"2026",
	})
	b := build(t, fixture.Project(t, files))
	n := modeltest.Node(t, b, "task/03-lamp/03-02/1")
	if n.Status != model.Retrying || modeltest.Fact(n, "result") != "failure, attempt 2, 3 s" || modeltest.Fact(n, "error") != "no oil" {
		t.Errorf("%+v", n)
	}
	if p := modeltest.Node(t, b, "plan/03-lamp/03-02"); p.Status != model.Retrying || b.Status != model.Retrying {
		t.Errorf("plan %v, build %v", p.Status, b.Status)
	}
	// The blocker that was written for the task is listed once, with its task.
	if len(b.Blockers) != 2 || b.Blockers[1].Node != n.ID || b.Blockers[1].Concern || b.Blockers[1].Since.IsZero() {
		t.Errorf("%+v", b.Blockers)
	}
	var items []string
	for _, a := range b.Activity {
		items = append(items, string(a.Family)+" "+a.Kind+" "+a.Node)
	}
	want := "results success task/02-quay/02-01/1, results failure task/03-lamp/03-02/1, results failure task/03-lamp/03-02/1"
	if got := strings.Join(items, ", "); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	m := b.Measured
	if m.All.Executed != 3 || m.All.Succeeded != 1 || m.All.Failed != 2 || m.All.Retries != 1 || m.All.Files != 6 ||
		m.All.Time != (model.Spread{Known: 2, Total: 4000, Min: 1000, Max: 3000}) || len(m.Plans) != 2 || len(m.Tasks) != 2 || m.Plans[1].Node != "plan/03-lamp/03-02" {
		t.Errorf("%+v", m)
	}
	var days []string
	for _, d := range m.Days {
		days = append(days, fmt.Sprintf("%s %d/%d %d", d.Date, d.Succeeded, d.Executed, d.Plans))
	}
	if got := strings.Join(days, ", "); got != "2026-01-25 1/1 1, 2026-01-26 0/2 0" {
		t.Error(got)
	}
	if got := fmt.Sprint(b.Problems); !strings.Contains(got, "half.yaml") || len(b.Problems) != 2 {
		t.Errorf("%d problems: %s", len(b.Problems), got)
	}
}

// TestOneMoreLogCostsOneFile checks that a new log makes the reader read one file, however many logs there are.
func TestOneMoreLogCostsOneFile(t *testing.T) {
	const dir = ".ultraplan/logs/executions/2026-01-26/"
	files := fixture.Lamp(nil)
	for i := range 200 {
		files[dir+fmt.Sprintf("03-02-task-01-failure-%d.yaml", i+2)] = fixture.Log("03-02", 1, "failure", fmt.Sprintf("2026-01-26T10:%02d:%02dZ", i/60, i%60), "")
	}
	root := fixture.Project(t, files)
	for name := range files { // a file that was just written would be read once more
		fixture.Must(t, os.Chtimes(filepath.Join(root, filepath.FromSlash(name)), fixture.Now, fixture.Now))
	}
	m := mirror.New(root, Home, core.Planning)
	r := Readers(m)[0]
	if b := r.Read(fixture.Now); b.Measured.All.Executed != 200 {
		t.Fatalf("%+v", b.Measured.All)
	}
	reads := m.Reads()
	name := filepath.Join(root, filepath.FromSlash(dir), "03-02-task-01-success.yaml")
	fixture.Put(t, name, fixture.Log("03-02", 1, "success", "2026-01-26T12:00:00Z", ""))
	m.Touch(name)
	b := r.Read(fixture.Now)
	if got := m.Reads() - reads; got != 1 || b.Measured.All.Executed != 201 || modeltest.Node(t, b, "task/03-lamp/03-02/1").Status != model.Done {
		t.Errorf("%d files read, %+v", got, b.Measured.All)
	}
}

// build reads the build of a directory.
func build(t testing.TB, dir string) *model.Build {
	t.Helper()
	readers := Readers(mirror.New(dir, Home, core.Planning))
	if len(readers) != 1 {
		t.Fatalf("%d builds", len(readers))
	}
	return readers[0].Read(fixture.Now)
}

// readerOf returns the reader of a directory.
func readerOf(t testing.TB, dir string) *Reader {
	t.Helper()
	all := Readers(mirror.New(dir, Home, core.Planning))
	if len(all) != 1 {
		t.Fatalf("%d builds", len(all))
	}
	return all[0]
}

// TestFreshCaptureIsNotStale checks when a build counts as stale if all files have the same time, as after a checkout, and STATE.md has
// only a date: the time of the newest log or of the session then counts.
func TestFreshCaptureIsNotStale(t *testing.T) {
	const log = ".ultraplan/logs/executions/2026-01-28/03-02-task-01-failure.yaml"
	for name, c := range map[string]struct {
		day   string
		more  map[string]string
		stale time.Time
	}{
		"written after it":       {"2026-01-26", map[string]string{".git/logs/HEAD": "earlier"}, time.Time{}},
		"captured a moment ago":  {"2026-01-28", map[string]string{log: fixture.Log("03-02", 1, "failure", "2026-01-28T11:59:00Z", "")}, time.Time{}},
		"captured this morning":  {"2026-01-28", map[string]string{log: fixture.Log("03-02", 1, "failure", "2026-01-28T08:00:00Z", "")}, time.Date(2026, 1, 28, 8, 0, 0, 0, time.UTC)},
		"a day that is not over": {"2026-01-28", nil, time.Time{}},
		"a day that is over":     {"2026-01-26", nil, time.Date(2026, 1, 27, 0, 0, 0, 0, time.UTC)},
		"a session that goes on": {"2026-01-26", map[string]string{".ultraplan/logs/current-session.json": `{"last_updated": "2026-01-28T11:30:00Z"}`}, time.Time{}},
		"a time that is to come": {"2026-01-26", map[string]string{log: fixture.Log("03-02", 1, "failure", "2026-02-01T11:59:00Z", "")}, time.Date(2026, 1, 27, 0, 0, 0, 0, time.UTC)},
	} {
		state := "## Current Position\n\nPhase: 3 of 3\nPlan: 2 of 2\nStatus: In progress\nLast activity: " + c.day + " - Failed: Task 1: Fill the tank\n"
		files := fixture.Lamp(map[string]string{".planning/STATE.md": state, ".git/logs/HEAD": "now"})
		for file, text := range c.more {
			files[file] = text
		}
		dir := fixture.Project(t, files)
		for file := range files {
			at := fixture.Now
			if files[file] == "earlier" {
				at = at.Add(-time.Hour)
			}
			fixture.Must(t, os.Chtimes(filepath.Join(dir, filepath.FromSlash(file)), at, at))
		}
		b := build(t, dir)
		b.MarkStale(fixture.Now)
		if !b.StaleSince.Equal(c.stale) {
			t.Errorf("%s: %v, stale since %v, want %v (%+v)", name, b.Status, b.StaleSince, c.stale, b.Freshness)
		}
	}
}

func TestResumePlan(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Task 2: x (03-02)": "03-02", "03-01:task-2 was half done": "03-01", "since 2026-01-26, plan 2.5-1": "2.5-1", "06-01-02": "06-01", "see 03-02-PLAN.md": "03-02",
		"v1-2": "", "a 12-": "", "`4-1`.": "4-1", "2026-01-26": "", "x03-02": "",
	} {
		if got := core.FindPlan(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestHistory checks when plans were finished: when their summaries say so, else when the last of their logs does.
func TestHistory(t *testing.T) {
	const dir = ".ultraplan/logs/executions/"
	b := readerOf(t, fixture.Project(t, fixture.Lamp(map[string]string{
		dir + "2026-01-25/02-01-task-01-success.yaml": fixture.Log("02-01", 1, "success", "2026-01-25T10:00:00Z", "  metadata:\n    duration_ms: 60000\n"),
		dir + "2026-01-26/03-01-task-01-failure.yaml": fixture.Log("03-01", 1, "failure", "2026-01-26T10:00:00Z", "  metadata:\n    duration_ms: 120000\n"),
		dir + "2026-01-26/03-01-task-01-success.yaml": fixture.Log("03-01", 1, "success", "2026-01-26T11:00:00Z", "  metadata:\n    duration_ms: 60000\n"),
	}))).Read(fixture.Now)
	b.Reckon(fixture.Now)
	h := b.History
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 1, day, hour, minute, 0, 0, time.UTC) }
	want := []model.Piece{
		{Node: "plan/02-quay/02-01", Phase: "phase/02-quay", Done: true, Began: at(25, 9, 59), Ended: at(25, 10, 0), Took: 223_000},
		{Node: "plan/03-lamp/03-01", Phase: "phase/03-lamp", Done: true, Began: at(26, 9, 58), Ended: at(26, 11, 0), Took: 180_000},
	}
	if h == nil || h.Of != "plans" || h.Count != (model.Count{Done: 2, Total: 3}) || h.Unplanned != 1 || !slices.Equal(h.Pieces, want) {
		t.Fatalf("%+v\nwant %+v", h, want)
	}

	// Without logs the summaries have the days; an empty summary has none.
	b = readerOf(t, fixture.Project(t, fixture.Lamp(nil))).Read(fixture.Now)
	b.Reckon(fixture.Now)
	if h := b.History; h.Dated != 1 || h.Pieces[0].Node != "plan/03-lamp/03-01" || !h.Pieces[1].DayOnly || !h.Pieces[1].Ended.Equal(time.Date(2026, 1, 25, 0, 0, 0, 0, fixture.Now.Location())) {
		t.Errorf("%+v", h.Pieces)
	}
}

// TestMutations checks that each text that breaks a rule is reported, and no other.
func TestMutations(t *testing.T) {
	conformance.Mutations(t, "testdata/mutations.txtar", func(dir string) func() []string {
		return func() (all []string) {
			for _, p := range (&Reader{m: mirror.New(dir, Home, core.Planning)}).Check(fixture.Now) {
				all = append(all, p.String())
			}
			return all
		}
	})
}
