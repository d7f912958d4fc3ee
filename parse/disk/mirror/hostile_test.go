//go:build unix

package mirror

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatehouse/parse/disk/peek"
)

// soon fails the test if do takes too long. It guards against waiting forever,
// so the limit is generous.
func soon(t *testing.T, what string, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatalf("%s hangs", what)
	}
}

// refuses fails unless the file exists and is not read because of err.
func (p *project) refuses(rel string, err error) {
	p.Helper()
	soon(p.T, rel, func() {
		if r := p.read(rel); !r.Exists || r.Held || r.Value != "" || !errors.Is(r.Err, err) {
			p.Errorf("%s: %+v, want: %v", rel, r, err)
		}
	})
}

func TestNonFilesAreNeverOpened(t *testing.T) {
	p := newProject(t, "dev")
	must(t, syscall.Mkfifo(p.absPath("fifo"), 0o644))
	t.Chdir(p.Root()) // the path of a socket must be short
	socket, err := net.Listen("unix", "s")
	must(t, err)
	defer socket.Close()
	must(t, os.Mkdir(p.absPath("dir"), 0o755))
	p.link("fifo", "link")
	p.link("/dev", "dev")
	p.Touch()
	for _, rel := range []string{"fifo", "s", "link", "dir", "dev/zero", "dev/null"} {
		p.refuses(rel, peek.ErrNotRegular)
		if e, ok := p.Stat(rel); !ok || e.Regular || e.Dir != (rel == "dir") {
			t.Errorf("%s: %+v, %v", rel, e, ok)
		}
	}
}

func TestLinks(t *testing.T) {
	p := newProject(t)
	top := filepath.Dir(p.Root())
	out := filepath.Join(top, "out")
	must(t, os.MkdirAll(filepath.Join(out, "sub"), 0o755))
	must(t, os.WriteFile(filepath.Join(out, "f.md"), []byte("out"), 0o644))
	neighbor := p.Root() + "-two"
	must(t, os.MkdirAll(neighbor, 0o755))
	must(t, os.WriteFile(filepath.Join(neighbor, "f.md"), []byte("two"), 0o644))
	p.put("in.md", "in")
	p.put("sub/f.md", "sub")
	for rel, target := range map[string]string{
		"good": "in.md", "twice": "good", "absolute": p.absPath("in.md"), "dir": "sub",
		"up": "../out/f.md", "far": filepath.Join(out, "f.md"), "through": "sub/../../out/f.md", "beside": neighbor + "/f.md",
		"outdir": "../out", "besidedir": neighbor, "root": "/", "dangling": "none", "loop": "loop", "pair": "riap", "riap": "pair", "danglingdir": "none/none",
	} {
		p.link(target, rel)
	}
	p.Touch()

	p.hasText("good", "in")
	p.hasText("twice", "in")
	p.hasText("absolute", "in")
	p.hasText("dir/f.md", "sub")
	p.lists("dir", "f.md")
	if !p.IsDir("dir") {
		t.Error("a link to a directory inside is not a directory")
	}
	for _, rel := range []string{"up", "far", "through", "beside", "outdir", "besidedir", "root"} {
		p.refuses(rel, peek.ErrOutside)
	}
	p.refuses("dangling", errDangling)
	p.refuses("danglingdir", errDangling)
	p.refuses("loop", peek.ErrLoop)
	p.refuses("pair", peek.ErrLoop)

	// Paths through such links are refused, too.
	for _, rel := range []string{"outdir", "besidedir", "root", "outdir/sub", "..", "../out", "dir/../../out"} {
		if entries, err := p.List(rel); len(entries) > 0 || err != peek.ErrOutside {
			t.Errorf("%s: %v, %v", rel, entries, err)
		}
		if p.IsDir(rel) {
			t.Errorf("%s is a directory of the project", rel)
		}
	}
	for _, rel := range []string{"outdir/f.md", "besidedir/f.md", "../out/f.md", "root/etc/passwd"} {
		p.missing(rel)
		if text, err := p.Text(rel); err == nil {
			t.Errorf("%s says %q", rel, text)
		}
	}
}

func TestFileReplacedByLinkAfterListing(t *testing.T) {
	p := newProject(t)
	p.put("a.md", "one")
	p.lists(".", "a.md")
	p.remove("a.md")
	p.link("/etc/passwd", "a.md")
	p.refuses("a.md", peek.ErrOutside)
}

func TestOutside(t *testing.T) {
	elsewhere := t.TempDir()
	p := newProject(t, ".planning")
	p.put("sub/a.md", "a")
	p.put("unlisted/a.md", "a")
	p.link(elsewhere, "sub/out")
	p.link(elsewhere, "unlisted/out")
	p.link("a.md", "sub/in")
	p.link("nowhere", "sub/dangling")
	p.link(t.TempDir(), ".planning")
	p.link("/etc/passwd", "passwd")
	p.Touch() // .planning was created after the mirror
	p.List(".")
	p.List("sub")
	if got := strings.Join(p.Outside(), " "); got != "passwd sub/out" {
		t.Errorf("%q", got)
	}
	p.remove("sub/out")
	p.Touch()
	p.List("sub")
	if got := strings.Join(p.Outside(), " "); got != "" {
		t.Errorf("%q", got) // the root was not listed again
	}
}

func TestTrustedDirectoryOutsideProject(t *testing.T) {
	elsewhere := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(elsewhere, "phases"), 0o755))
	for rel, text := range map[string]string{"STATE.md": "state", "phases/a.md": "a", "real.md": "real"} {
		must(t, os.WriteFile(filepath.Join(elsewhere, rel), []byte(text), 0o644))
	}
	must(t, os.Symlink("real.md", filepath.Join(elsewhere, "inner.md")))
	must(t, os.Symlink("/etc/passwd", filepath.Join(elsewhere, "outer.md")))

	p := newProject(t, ".planning")
	p.link(elsewhere, "other")
	p.lists(".planning", "")
	p.link(elsewhere, ".planning") // it is created later
	p.Touch(".planning")
	p.lists(".planning", "STATE.md inner.md outer.md phases real.md")
	p.hasText(".planning/STATE.md", "state")
	p.hasText(".planning/phases/a.md", "a")
	p.hasText(".planning/inner.md", "real")
	p.refuses(".planning/outer.md", peek.ErrOutside)

	plain := New(p.Root())
	if entries, err := plain.List(".planning"); len(entries) > 0 || err != peek.ErrOutside {
		t.Errorf("not trusted, but %v, %v", entries, err)
	}
}
