//go:build unix

package statusline

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// notFiles has the functions that put something other than a good file at a path; outside is a file outside of the project.
func notFiles(outside string) map[string]func(path string) error {
	return map[string]func(path string) error{
		"FIFO":      func(path string) error { return syscall.Mkfifo(path, 0o644) },
		"directory": func(path string) error { return os.Mkdir(path, 0o755) },
		"loop":      func(path string) error { return os.Symlink(filepath.Base(path), path) },
		"dangling":  func(path string) error { return os.Symlink("nothing", path) },
		"outside":   func(path string) error { return os.Symlink(outside, path) },
		"device":    func(path string) error { return os.Symlink("/dev/zero", path) },
	}
}

// TestHostileFiles replaces STATE.md and config.json by everything except a good file. When one is refused, the walk continues as if
// the file did not exist, and nothing blocks.
func TestHostileFiles(t *testing.T) {
	top := t.TempDir()
	outside := filepath.Join(top, "outside.md")
	write(t, outside, "---\nstatus: outside\n---\n")
	write(t, filepath.Join(top, ".planning", "STATE.md"), "---\nmilestone: v1\nmilestone_name: N\nstatus: above\n---\n")
	write(t, filepath.Join(top, "compact.json"), `{"statusline": {"state_format": "compact"}}`)

	for name, make := range notFiles(outside) {
		dir := filepath.Join(top, name)
		must(t, os.MkdirAll(filepath.Join(dir, ".planning"), 0o755))
		must(t, make(filepath.Join(dir, ".planning", "STATE.md")))
		if got := soon(t, dir, top); got != "v1 N · above\n" {
			t.Errorf("%s for STATE.md: %q", name, got)
		}
		dir = filepath.Join(top, name+" config")
		write(t, filepath.Join(dir, ".planning", "STATE.md"), "---\nmilestone: v1\nmilestone_name: N\n---\n")
		must(t, make(filepath.Join(dir, ".planning", "config.json")))
		if got := soon(t, dir, top); got != "v1 N\n" {
			t.Errorf("%s for config.json: %q", name, got)
		}
	}

	place := at(filepath.Join(top, "FIFO"))
	l := ReadLine(place, Options{})
	if got := string(l.AppendExplanation(nil, place.Dir)); !strings.Contains(got, "STATE.md is not a regular file") {
		t.Errorf("the explanation does not name the refused file:\n%s", got)
	}

	dir := filepath.Join(top, "sparse")
	write(t, filepath.Join(dir, ".planning", "STATE.md"), "---\nmilestone: v1\n---\n")
	if err := os.Truncate(filepath.Join(dir, ".planning", "STATE.md"), 5<<30); err != nil {
		t.Skip("no sparse files here:", err)
	}
	if got := soon(t, dir, top); got != "v1\n" {
		t.Errorf("sparse file of 5 GiB: %q", got)
	}
}

// soon returns the line of dir, with a walk that ends at home, and fails the test if it seems to block forever.
func soon(t *testing.T, dir, home string) string {
	t.Helper()
	text := make(chan string, 1)
	go func() {
		place := at(dir)
		place.Home = home
		text <- string(ReadLine(place, Options{}).Text)
	}()
	select {
	case s := <-text:
		return s
	case <-time.After(time.Minute):
		t.Fatalf("the line of %s hangs", dir)
		return ""
	}
}
