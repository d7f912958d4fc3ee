//go:build unix

package peek

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"gatehouse/parse/unprivileged"
)

// soon calls ReadFile and fails the test if that takes too long. It guards against waiting forever, so the limit is
// generous.
func soon(t *testing.T, path, root string) (text string, truncated bool, err error) {
	t.Helper()
	done := make(chan struct{})
	go func() { text, truncated, err = ReadFile(path, root, Limit); close(done) }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatalf("reading %s hangs", path)
	}
	return text, truncated, err
}

func TestNonFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	must(t, syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o644))
	socket, err := net.Listen("unix", filepath.Join(dir, "s"))
	must(t, err)
	defer socket.Close()
	must(t, os.Symlink("fifo", filepath.Join(dir, "link")))
	for _, path := range []string{"fifo", "s", "link", "."} {
		for _, root := range []string{"", dir} {
			if _, _, err := soon(t, filepath.Join(dir, path), root); err != ErrNotRegular {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	for _, device := range []string{"/dev/zero", "/dev/tty", "/dev/null"} {
		if _, _, err := soon(t, device, ""); err == nil {
			t.Errorf("%s was read", device)
		}
	}
}

func TestLinks(t *testing.T) {
	top := t.TempDir()
	root := filepath.Join(top, "project")
	write(t, filepath.Join(root, "in"), "in")
	write(t, filepath.Join(top, "out"), "out")
	write(t, filepath.Join(top, "project-two", "f"), "two")
	write(t, filepath.Join(root, "sub", "f"), "sub")
	for name, target := range map[string]string{
		"good": "in", "twice": "good", "up": "../out", "absolute": filepath.Join(top, "out"), "neighbour": "../project-two/f",
		"through": "sub/../../out", "dangling": "nothing", "loop": "loop", "dirlink": "../project-two", "self": filepath.Join(root, "in"),
	} {
		must(t, os.Symlink(target, filepath.Join(root, name)))
	}
	must(t, os.Symlink("project", filepath.Join(top, "alias")))
	alias := filepath.Join(top, "alias")
	for _, c := range []struct {
		path, root, want string
		err              error
	}{
		{"in", root, "in", nil}, {"good", root, "in", nil}, {"twice", root, "in", nil}, {"self", root, "in", nil}, {"good", alias, "in", nil},
		{"up", root, "", ErrOutside}, {"absolute", root, "", ErrOutside}, {"neighbour", root, "", ErrOutside}, {"through", root, "", ErrOutside},
		{"up", "", "out", nil}, {"neighbour", "", "two", nil}, {"dangling", root, "", ErrNotExist}, {"dangling", "", "", ErrNotExist},
		{"loop", root, "", ErrLoop}, {"loop", "", "", ErrLoop}, {"loop/x", root, "", ErrLoop},
		{"dirlink/f", root, "two", nil}, // links to directories are followed
		{"up", top, "out", nil}, {"up", "/", "out", nil}, {"up", filepath.Join(top, "none"), "", ErrOutside},
	} {
		text, _, err := soon(t, filepath.Join(root, c.path), c.root)
		if text != c.want || err != c.err {
			t.Errorf("%s in %q: %q, %v, want %q, %v", c.path, c.root, text, err, c.want, c.err)
		}
	}
	if !Exists(filepath.Join(root, "good")) || Exists(filepath.Join(root, "dangling")) || Exists(filepath.Join(root, "loop")) {
		t.Error("Exists does not follow links")
	}
	if HasSubdir(filepath.Join(top, "project", "sub")) {
		t.Error("sub has no sub-directory")
	}
	if real, ok := RealPath(alias); !ok || filepath.Base(real) != "project" {
		t.Errorf("the real path of %s is %q, %v", alias, real, ok)
	}
}

func TestSparseFileIsCheap(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sparse")
	f, err := os.Create(path)
	must(t, err)
	defer f.Close()
	if err := f.Truncate(5 << 30); err != nil {
		t.Skip("no sparse files here:", err)
	}
	text, truncated, err := soon(t, path, "")
	if len(text) != Limit || !truncated || err != nil {
		t.Errorf("%d bytes, truncated %v, %v", len(text), truncated, err)
	}
}

func TestWithoutPermission(t *testing.T) {
	if !unprivileged.IsBound(t) {
		return
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "dir", "file"), "x")
	os.Mkdir(filepath.Join(dir, "dir", "sub"), 0o755)
	for _, path := range []string{write(t, filepath.Join(dir, "file"), "x"), filepath.Join(dir, "dir")} {
		must(t, os.Chmod(path, 0))
	}
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "dir"), 0o755) })
	for _, path := range []string{"file", "dir/file"} {
		_, _, err := ReadFile(filepath.Join(dir, path), dir, Limit)
		if !errors.Is(err, ErrPermission) || Missing(err) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if HasSubdir(filepath.Join(dir, "dir")) {
		t.Error("a directory that may not be listed has a sub-directory")
	}
}
