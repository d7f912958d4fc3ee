//go:build unix

package mirror

import (
	"os"
	"testing"

	"gatehouse/parse/disk/peek"
	"gatehouse/parse/unprivileged"
)

func (p *project) chmod(rel string, mode os.FileMode) {
	p.Helper()
	must(p.T, os.Chmod(p.absPath(rel), mode))
}

func TestWithoutPermission(t *testing.T) {
	if !unprivileged.IsBound(t) {
		return
	}
	t.Run("a file", fileWithoutPermission)
	t.Run("a directory shows its last content", directoryShowsLastContent)
	t.Run("a directory forbidden from the start", directoryForbiddenFromStart)
	t.Run("a link into a directory", linkIntoForbiddenDirectory)
}

func fileWithoutPermission(t *testing.T) {
	p := newProject(t)
	p.put("a.md", "one")
	p.chmod("a.md", 0)
	p.refuses("a.md", peek.ErrPermission)
	p.costs(0, "asking again", func() { p.refuses("a.md", peek.ErrPermission) })
	p.chmod("a.md", 0o644)
	p.Touch() // the watcher may have lost the path
	p.hasText("a.md", "one")
	for _, touched := range [][]string{{"a.md"}, nil} {
		p.chmod("a.md", 0)
		p.Touch(touched...)
		p.holds("a.md", "one", peek.ErrPermission)
		p.chmod("a.md", 0o644)
		p.Touch(touched...)
		p.hasText("a.md", "one")
	}

	p.put("b.md", "two")
	p.Touch("b.md")
	p.lists(".", "a.md b.md")
	p.chmod("b.md", 0) // after it was listed, so that it looks like a readable file
	p.refuses("b.md", peek.ErrPermission)
	p.chmod("b.md", 0o644)
	p.Touch()
	p.hasText("b.md", "two")
}

func directoryShowsLastContent(t *testing.T) {
	for name, mode := range map[string]os.FileMode{"not to be listed or entered": 0, "not to be listed": 0o300, "not to be entered": 0o600} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			p.put("dir/a.md", "one")
			p.put("dir/sub/b.md", "two")
			t.Cleanup(func() { os.Chmod(p.absPath("dir"), 0o755) })
			for range 2 {
				p.hasText("dir/a.md", "one")
				p.hasText("dir/sub/b.md", "two")
				p.lists("dir", "a.md sub")
				p.chmod("dir", mode)
				p.Touch("dir")
				p.holds("dir/a.md", "one", peek.ErrPermission)
				if mode == 0o300 {
					p.hasText("dir/sub/b.md", "two")
				} else {
					p.holds("dir/sub/b.md", "two", peek.ErrPermission)
				}
				if e, ok := p.Stat("dir/a.md"); !ok {
					t.Errorf("a.md is gone: %+v", e)
				}
				p.missing("dir/none.md")
				p.chmod("dir", 0o755)
				p.Touch("dir")
			}
		})
	}
}

func directoryForbiddenFromStart(t *testing.T) {
	p := newProject(t)
	p.put("dir/a.md", "one")
	p.put("dir/sub/b.md", "two")
	p.chmod("dir", 0)
	t.Cleanup(func() { os.Chmod(p.absPath("dir"), 0o755) })
	if entries, err := p.List("dir"); len(entries) > 0 || err != peek.ErrPermission {
		t.Errorf("%v, %v", entries, err)
	}
	p.chmod("dir", 0o400) // the names can be listed, but not examined
	p.Touch("dir")
	p.refuses("dir/a.md", peek.ErrPermission)
	if e, _ := p.Stat("dir/a.md"); !e.Regular || e.Dir {
		t.Errorf("not recognized as a file: %+v", e)
	}
	if e, _ := p.Stat("dir/sub"); e.Regular || !e.Dir {
		t.Errorf("not recognized as a directory: %+v", e)
	}
	p.chmod("dir", 0o755)
	p.Touch("dir")
	p.hasText("dir/a.md", "one")
}

func linkIntoForbiddenDirectory(t *testing.T) {
	p := newProject(t)
	p.put("dir/a.md", "one")
	p.link("dir/a.md", "link.md")
	p.hasText("link.md", "one")
	p.chmod("dir", 0)
	t.Cleanup(func() { os.Chmod(p.absPath("dir"), 0o755) })
	p.Touch()
	p.holds("link.md", "one", peek.ErrPermission)
	p.chmod("dir", 0o755)
	p.Touch()
	p.hasText("link.md", "one")
}
