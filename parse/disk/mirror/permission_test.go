//go:build unix

package mirror

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"gatehouse/parse/disk/peek"
)

// nobody is a user without any right, as whom a test runs once more, in a
// process of its own, when root runs it: permissions do not bind root.
const nobody = 65534

// bound reports whether permissions bind this process. If not, the test has
// been run as nobody and is over.
func bound(t *testing.T) bool {
	t.Helper()
	if os.Getuid() != 0 {
		return true
	}
	// Where go test builds is closed to others, and so may TMPDIR be.
	dir, err := os.MkdirTemp("/tmp", "as-nobody-")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	must(t, os.Chown(dir, nobody, nobody))
	self, err := os.Executable()
	must(t, err)
	in, err := os.Open(self)
	must(t, err)
	defer in.Close()
	out, err := os.OpenFile(filepath.Join(dir, "test"), os.O_CREATE|os.O_WRONLY, 0o755)
	must(t, err)
	_, err = io.Copy(out, in)
	must(t, errors.Join(err, out.Close()))

	cmd := exec.Command(out.Name(), "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	report, err := cmd.CombinedOutput()
	switch {
	case errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES):
		t.Skip("no process can be started as another user here: ", err)
	case err != nil:
		t.Errorf("as nobody: %v\n%s", err, report)
	case !strings.Contains(string(report), "--- PASS: "+t.Name()):
		t.Errorf("as nobody nothing ran:\n%s", report)
	}
	return false
}

func (p *project) chmod(rel string, mode os.FileMode) {
	p.Helper()
	must(p.T, os.Chmod(p.absPath(rel), mode))
}

func TestWithoutPermission(t *testing.T) {
	if !bound(t) {
		return
	}
	t.Run("a file", fileWithoutPermission)
	t.Run("a directory shows what it held", directoryShowsWhatItHeld)
	t.Run("a directory from the beginning", directoryForbiddenFromTheBeginning)
	t.Run("a link into a directory", linkIntoAForbiddenDirectory)
}

func fileWithoutPermission(t *testing.T) {
	p := newProject(t)
	p.put("a.md", "one")
	p.chmod("a.md", 0)
	p.refuses("a.md", peek.ErrPermission)
	p.costs(0, "asking again", func() { p.refuses("a.md", peek.ErrPermission) })
	p.chmod("a.md", 0o644)
	p.Touch() // the watcher may have lost the path
	p.says("a.md", "one")
	for _, touched := range [][]string{{"a.md"}, nil} {
		p.chmod("a.md", 0)
		p.Touch(touched...)
		p.holds("a.md", "one", peek.ErrPermission)
		p.chmod("a.md", 0o644)
		p.Touch(touched...)
		p.says("a.md", "one")
	}

	p.put("b.md", "two")
	p.Touch("b.md")
	p.lists(".", "a.md b.md")
	p.chmod("b.md", 0) // after it was listed, so that nothing tells it from a readable file
	p.refuses("b.md", peek.ErrPermission)
	p.chmod("b.md", 0o644)
	p.Touch()
	p.says("b.md", "two")
}

func directoryShowsWhatItHeld(t *testing.T) {
	for name, mode := range map[string]os.FileMode{"not to be listed or entered": 0, "not to be listed": 0o300, "not to be entered": 0o600} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			p.put("dir/a.md", "one")
			p.put("dir/sub/b.md", "two")
			t.Cleanup(func() { os.Chmod(p.absPath("dir"), 0o755) })
			for range 2 {
				p.says("dir/a.md", "one")
				p.says("dir/sub/b.md", "two")
				p.lists("dir", "a.md sub")
				p.chmod("dir", mode)
				p.Touch("dir")
				p.holds("dir/a.md", "one", peek.ErrPermission)
				if mode == 0o300 {
					p.says("dir/sub/b.md", "two")
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

func directoryForbiddenFromTheBeginning(t *testing.T) {
	p := newProject(t)
	p.put("dir/a.md", "one")
	p.put("dir/sub/b.md", "two")
	p.chmod("dir", 0)
	t.Cleanup(func() { os.Chmod(p.absPath("dir"), 0o755) })
	if entries, err := p.List("dir"); len(entries) > 0 || err != peek.ErrPermission {
		t.Errorf("%v, %v", entries, err)
	}
	p.chmod("dir", 0o400) // names, but not what they are
	p.Touch("dir")
	p.refuses("dir/a.md", peek.ErrPermission)
	if e, _ := p.Stat("dir/a.md"); !e.Regular || e.Dir {
		t.Errorf("a file is not known for one: %+v", e)
	}
	if e, _ := p.Stat("dir/sub"); e.Regular || !e.Dir {
		t.Errorf("a directory is not known for one: %+v", e)
	}
	p.chmod("dir", 0o755)
	p.Touch("dir")
	p.says("dir/a.md", "one")
}

func linkIntoAForbiddenDirectory(t *testing.T) {
	p := newProject(t)
	p.put("dir/a.md", "one")
	p.link("dir/a.md", "link.md")
	p.says("link.md", "one")
	p.chmod("dir", 0)
	t.Cleanup(func() { os.Chmod(p.absPath("dir"), 0o755) })
	p.Touch()
	p.holds("link.md", "one", peek.ErrPermission)
	p.chmod("dir", 0o755)
	p.Touch()
	p.says("link.md", "one")
}
