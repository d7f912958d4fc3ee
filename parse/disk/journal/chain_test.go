package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile/faults"
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

func TestProve(t *testing.T) {
	step := func(name, before, after string) model.Decision {
		return model.Decision{Name: name, File: "f", Before: before, After: after}
	}
	for name, c := range map[string]struct {
		entries func(l *Log) // the oldest first; a result of "" is an interrupted one
		is      string       // hash of the file now
		want    string
	}{
		"the file matches":             {func(l *Log) { decide(t, l, step("a", "1", "2"), "") }, "2", "a"},
		"the file is unchanged":        {func(l *Log) { decide(t, l, step("a", "1", "2"), "") }, "1", "a?"},
		"the file has changed since":   {func(l *Log) { decide(t, l, step("a", "1", "2"), "") }, "3", "a?"},
		"the file can't be read":       {func(l *Log) { decide(t, l, step("a", "1", "2"), "") }, "", "a?"},
		"the decision changes nothing": {func(l *Log) { decide(t, l, step("a", "1", "1"), "") }, "1", "a"},
		"another file":                 {func(l *Log) { d := step("a", "1", "2"); d.File = "g"; decide(t, l, d, "") }, "2", "a?"},
		"a later decision":             {func(l *Log) { decide(t, l, step("a", "1", "2"), ""); decide(t, l, step("b", "2", "3"), done) }, "4", "b a"},
		"a later interrupted decision": {func(l *Log) { decide(t, l, step("a", "1", "2"), ""); decide(t, l, step("b", "2", "3"), "") }, "4", "b? a"},
		"an earlier decision":          {func(l *Log) { decide(t, l, step("b", "2", "3"), done); decide(t, l, step("a", "1", "2"), "") }, "4", "a? b"},
		"a later void decision":        {func(l *Log) { decide(t, l, step("a", "1", "2"), ""); decide(t, l, step("b", "2", "3"), void) }, "4", "a?"},
		"an undo": {func(l *Log) {
			id := decide(t, l, step("a", "1", "2"), done)
			d := step("u", "2", "1")
			d.Undoes = id
			decide(t, l, d, "")
		}, "1", "u a~"},
		"an undo that was not carried out": {func(l *Log) {
			id := decide(t, l, step("a", "1", "2"), done)
			d := step("u", "2", "1")
			d.Undoes = id
			decide(t, l, d, "")
		}, "2", "u? a"},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLog(t)
			c.entries(l)
			all, err := l.Read()
			must(t, err)
			before := marked(all)
			got := marked(Prove(all, func(file string) string {
				if file == "f" {
					return c.is
				}
				return "another"
			}))
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if marked(all) != before {
				t.Error("the argument has changed")
			}
		})
	}
}

func TestUnfinished(t *testing.T) {
	l := newLog(t)
	if ds := l.Unfinished(); len(ds) > 0 {
		t.Error(marked(ds))
	}
	decide(t, l, model.Decision{Name: "far back", Text: strings.Repeat("x", unfinishedLimit)}, "")
	decide(t, l, model.Decision{Name: "a"}, "")
	decide(t, l, model.Decision{Name: "b"}, done)
	decide(t, l, model.Decision{Name: "c"}, void)
	decide(t, l, model.Decision{Name: "d", Spans: []model.Span{{Old: "o", New: "x"}}}, "")
	ds := l.Unfinished()
	if got := marked(ds); got != "d? a?" || ds[0].Spans[0].Old != "o" {
		t.Errorf("%s, %+v", got, ds)
	}
	if ds := Open(nil, "", "/x").Unfinished(); ds != nil {
		t.Error(ds)
	}
}

// TestEveryCallFails: every failing call is reported, and earlier and later entries stay readable.
func TestEveryCallFails(t *testing.T) {
	for _, errno := range []syscall.Errno{syscall.ENOSPC, syscall.EIO, syscall.EROFS, syscall.EACCES} {
		for n := 1; ; n++ {
			dir := t.TempDir()
			system, hit := faults.At(n, errno)
			d, err := Open(system, dir+"/journal", "/x").Begin(model.Decision{Name: "a"})
			when := fmt.Sprintf("%v at %d, %s: %v", errno, n, hit(), err)
			if hit() == "" {
				break
			}
			l := Open(nil, dir+"/journal", "/x")
			switch {
			case err == nil && n <= 5 && hit() != faults.SyncDir, err != nil && (!errors.Is(err, errno) || !strings.Contains(err.Error(), "the journal cannot be written: ") || !strings.HasSuffix(err.Error(), "nothing can be decided before that is fixed")):
				t.Error(when)
			case err == nil:
				must(t, l.End(d.ID, true))
			}
			decide(t, l, model.Decision{Name: "b"}, done)
			if got := readMarked(t, l); got != "b" && got != "b a" && got != "b a?" {
				t.Errorf("%s: %s", when, got)
			}
			if info, err := os.Stat(l.File()); err != nil || info.Mode() != fs.FileMode(0o600) {
				t.Errorf("%s: %v, %v", when, info, err)
			}
		}
	}
}
