package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile/faults"
)

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
