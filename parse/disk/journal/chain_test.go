package journal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/model"
)

// TestCutsAndEditsAreReported checks that lines changed, removed or inserted by hand are reported, also after the next decision.
func TestCutsAndEditsAreReported(t *testing.T) {
	for name, change := range map[string]func(lines []string) []string{
		"a changed name":          func(l []string) []string { l[2] = strings.Replace(l[2], "second", "zweite", 1); return l },
		"a removed decision":      func(l []string) []string { return append(l[:2:2], l[4:]...) },
		"without the first lines": func(l []string) []string { return append([]string{}, l[2:]...) },
		"without the last lines":  func(l []string) []string { return l[:4] },
		"without all lines":       func([]string) []string { return nil },
		"a changed last line":     func(l []string) []string { l[5] = strings.Replace(l[5], "done", "void", 1); return l },
		"an inserted decision": func(l []string) []string {
			return append(append(l[:4:4], `{"entry":"begin","id":"z","decision":{"name":"forged"}}`, `{"entry":"done","id":"z"}`), l[4:]...)
		},
		"an appended decision": func(l []string) []string {
			return append(l, `{"entry":"begin","id":"z","decision":{"name":"forged"}}`, `{"entry":"done","id":"z"}`)
		},
	} {
		l := newLog(t)
		for _, name := range []string{"first", "second", "third"} {
			decide(t, l, model.Decision{Name: name}, done)
		}
		if _, err := l.Read(); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(l.File())
		must(t, err)
		lines := change(strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"))
		must(t, os.WriteFile(l.File(), []byte(strings.Join(append(lines, ""), "\n")), 0o600))
		if _, err := l.Read(); err == nil || !strings.Contains(err.Error(), "changed by hand") {
			t.Errorf("%s: %v", name, err)
		}
		decide(t, l, model.Decision{Name: "later"}, done)
		if _, err := l.Read(); err == nil || !strings.Contains(err.Error(), "changed by hand") {
			t.Errorf("%s, and decided again: %v", name, err)
		}
	}
	l := newLog(t)
	decide(t, l, model.Decision{Name: "a"}, done)
	decide(t, l, model.Decision{Name: "b"}, done)
	must(t, os.Remove(filepath.Join(l.dir, l.headName())))
	if _, err := l.Read(); err == nil || !strings.Contains(err.Error(), "newest entry is gone") {
		t.Errorf("without its head: %v", err)
	}
	decide(t, l, model.Decision{Name: "c"}, done)
	must(t, os.Remove(l.File()))
	if ds, err := l.Read(); len(ds) > 0 || err == nil || !strings.Contains(err.Error(), "is gone") {
		t.Errorf("removed: %v, %v", ds, err)
	}
}

// TestForeignJournalIsNotTrusted checks that nothing is read or written if other users could have written there.
func TestForeignJournalIsNotTrusted(t *testing.T) {
	open := func(t *testing.T) *Log {
		l := newLog(t)
		decide(t, l, model.Decision{Name: "a", Verb: model.VerbChanges, Text: "run this"}, done)
		return l
	}
	for name, spoil := range map[string]func(l *Log) error{
		"directory writable by all":   func(l *Log) error { return os.Chmod(l.dir, 0o777) },
		"directory writable by group": func(l *Log) error { return os.Chmod(l.dir, 0o770) },
		"file writable by all":        func(l *Log) error { return os.Chmod(l.File(), 0o666) },
		"directory of another user":   func(l *Log) error { return os.Chown(l.dir, 1234, -1) },
		"file of another user":        func(l *Log) error { return os.Chown(l.File(), 1234, -1) },
		"a link": func(l *Log) error {
			other := filepath.Join(filepath.Dir(l.dir), "other")
			return os.Rename(l.File(), other)
		},
	} {
		l := open(t)
		if err := spoil(l); err != nil {
			t.Logf("%s: %v", name, err) // only root can give files away
			continue
		}
		if name == "a link" {
			must(t, os.Symlink(filepath.Join(filepath.Dir(l.dir), "other"), l.File()))
		}
		if ds, err := l.Read(); len(ds) > 0 || err == nil {
			t.Errorf("%s: read %+v, %v", name, ds, err)
		}
		if ds := l.Unfinished(); len(ds) > 0 {
			t.Errorf("%s: %+v", name, ds)
		}
		if _, err := l.Begin(model.Decision{Name: "b"}); err == nil {
			t.Errorf("%s: written", name)
		}
	}
}
