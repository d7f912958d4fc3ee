package mirror

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// project is a directory with a mirror of it.
type project struct {
	*testing.T
	*Mirror
	writes int
}

func newProject(t *testing.T, trusted ...string) *project {
	t.Helper()
	return &project{T: t, Mirror: New(t.TempDir(), trusted...)}
}

// put writes a file whose time is long past and unlike that of any other write.
func (p *project) put(rel, text string) {
	p.Helper()
	must(p.T, os.MkdirAll(filepath.Dir(p.absPath(rel)), 0o755))
	must(p.T, os.WriteFile(p.absPath(rel), []byte(text), 0o644))
	p.writes++
	stamp(p.T, p.absPath(rel), time.Date(2001, 1, 1, 0, 0, p.writes, 0, time.UTC))
}

func stamp(t *testing.T, path string, at time.Time) {
	t.Helper()
	must(t, os.Chtimes(path, at, at))
}

func (p *project) remove(rel string) { p.Helper(); must(p.T, os.RemoveAll(p.absPath(rel))) }
func (p *project) link(target, rel string) {
	p.Helper()
	if err := os.Symlink(target, p.absPath(rel)); err != nil {
		p.Skip("no symbolic links here: ", err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var errBad = &Fault{Line: 3, Text: "bad"}

// parse returns a text unchanged. A text that begins with "bad" is faulty, one
// with "minor" has a minor fault.
func parse(text string) (string, error) {
	switch {
	case strings.HasPrefix(text, "bad"):
		return "rest of " + text, errBad
	case strings.HasPrefix(text, "minor"):
		return text, &Fault{Text: "a line is bad", Minor: true}
	}
	return text, nil
}

func (p *project) read(rel string) Result[string] { return Read(p.Mirror, rel, parse) }

// costs runs do and fails unless it read that many files from disk.
func (p *project) costs(files int, what string, do func()) {
	p.Helper()
	before := p.Reads()
	do()
	if got := p.Reads() - before; got != files {
		p.Errorf("%s: read %d files from disk, want %d", what, got, files)
	}
}

// hasText fails unless the file has this content, without any fault.
func (p *project) hasText(rel, want string) {
	p.Helper()
	if r := p.read(rel); r.Value != want || !r.Exists || r.Held || r.Err != nil {
		p.Errorf("%s: %+v, want %q", rel, r, want)
	}
}

// holds fails unless the last good content of the file is shown because of err.
func (p *project) holds(rel, want string, err error) {
	p.Helper()
	if r := p.read(rel); r.Value != want || !r.Exists || !r.Held || !errors.Is(r.Err, err) {
		p.Errorf("%s: %+v, want %q held because of: %v", rel, r, want, err)
	}
}

// TestFileOfSeveralTypesIsReadOnce checks that all types of a file are parsed from the same bytes, which are read once.
func TestFileOfSeveralTypesIsReadOnce(t *testing.T) {
	p := newProject(t)
	length := func(text string) (int, error) { return len(text), nil }
	has := func(want string) {
		t.Helper()
		p.hasText("a.md", want)
		if r := Read(p.Mirror, "a.md", length); r.Value != len(want) || r.Err != nil {
			t.Errorf("%+v", r)
		}
	}
	p.put("a.md", "one")
	p.costs(1, "at first", func() { has("one"); has("one") })
	p.put("a.md", "longer")
	p.Touch("a.md")
	p.costs(1, "changed", func() { has("longer") })
	p.Sweep()
	p.costs(0, "unchanged", func() { has("longer") })

	p.put("a.md", "newer")
	p.Touch("a.md")
	p.hasText("a.md", "newer")
	p.put("a.md", "while it is read")
	p.costs(0, "the rest of a reading", func() { has("newer") })
}
