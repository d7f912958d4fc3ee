package ultraplan

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/model/modeltest"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
)

// TestHostileFiles replaces each state file by something hostile: reading does not hang, reads nothing outside the project, and still
// shows the plans.
func TestHostileFiles(t *testing.T) {
	outside := t.TempDir()
	fixture.Put(t, filepath.Join(outside, "secret"), "Status: SECRET\ncurrent_task:\n  name: SECRET\n")
	names := []string{
		".planning/STATE.md", ".planning/ROADMAP.md", ".planning/phases/03-lamp/03-02-PLAN.md", ".ultraplan/state/retry-state.json", ".ultraplan/state/continue.md",
		".ultraplan/state/events.jsonl", ".ultraplan/logs/current-session.json", ".ultraplan/logs/executions/2026-01-26/03-02-task-01-failure.yaml",
	}
	for kind, replace := range map[string]func(file string) error{
		"a directory": func(file string) error { return os.Mkdir(file, 0o755) },
		"a link out":  func(file string) error { return os.Symlink(filepath.Join(outside, "secret"), file) },
		"a dead link": func(file string) error { return os.Symlink("nowhere", file) },
		"binary":      func(file string) error { return os.WriteFile(file, []byte("a\x00b"), 0o644) },
		"half a file": func(file string) error { return os.WriteFile(file, []byte("---\nphase: 'x"), 0o644) },
		"one long line": func(file string) error {
			return os.WriteFile(file, []byte(strings.Repeat("- [ ] Task 1: x | ", 1<<16)), 0o644)
		},
		"many tasks": func(file string) error {
			return os.WriteFile(file, []byte(strings.Repeat("<task type=\"a\">\n<action>\n```\n", 1<<15)), 0o644)
		},
		"deep": func(file string) error { return os.WriteFile(file, []byte(strings.Repeat("[", 1<<16)), 0o644) },
		"aliases": func(file string) error {
			return os.WriteFile(file, []byte("current_task:\n  a: &a [x]\n  b: &b [*a,*a]\n  previous_failures: [*b,*b]\nlogged_at: &x {y: *x}\n"), 0o644)
		},
	} {
		if runtime.GOOS == "windows" && strings.Contains(kind, "link") {
			continue
		}
		dir := fixture.Project(t, fixture.Lamp(nil))
		for _, name := range names {
			file := filepath.Join(dir, filepath.FromSlash(name))
			fixture.Must(t, os.MkdirAll(filepath.Dir(file), 0o755))
			fixture.Must(t, os.RemoveAll(file))
			fixture.Must(t, replace(file))
		}
		start := time.Now()
		r := Readers(mirror.New(dir, Home, core.Planning))[0]
		b := r.Read(fixture.Now)
		r.Check(fixture.Now)
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s: it took %v", kind, took)
		}
		if n := modeltest.Node(t, b, "plan/02-quay/02-01"); n.Status != model.Done {
			t.Errorf("%s: %+v", kind, n)
		}
		for _, s := range modeltest.Texts(b) {
			if strings.Contains(s, "SECRET") {
				t.Errorf("%s: shown: %q", kind, s)
			}
		}
	}
}

// TestHalfWrittenFilesShowTheirLastGoodState rewrites STATE.md in place, as agents do: the build keeps its last good state.
func TestHalfWrittenFilesShowTheirLastGoodState(t *testing.T) {
	dir := fixture.Project(t, fixture.Lamp(nil))
	m := mirror.New(dir, Home, core.Planning)
	r := Readers(m)[0]
	r.Read(fixture.Now)
	file := filepath.Join(dir, ".planning", "STATE.md")
	for _, text := range []string{"", "---\nstatus: x"} {
		fixture.Put(t, file, text)
		m.Touch(file)
		if len(Readers(m)) != 1 {
			t.Fatalf("%q: the build is gone", text)
		}
		b := r.Read(fixture.Now)
		if b.Freshness.Held != 1 || line.Full(b.Header) != "[██████░░░░] 66% · Phase 3 In progress · 03-02" {
			t.Errorf("%q: %q, %+v", text, line.Full(b.Header), b.Freshness)
		}
	}
}
