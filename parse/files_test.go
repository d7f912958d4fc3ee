package parse

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"gatehouse/parse/disk/peek"
)

// TestFilesOfAProject checks that a dashboard reads, or hands to an editor, only files in the project, however a state file or a link
// names them.
func TestFilesOfAProject(t *testing.T) {
	outside := t.TempDir()
	root := filepath.Join(t.TempDir(), "shop")
	write := func(name, text string) {
		t.Helper()
		must(t, os.MkdirAll(filepath.Dir(name), 0o755))
		must(t, os.WriteFile(name, []byte(text), 0o644))
	}
	write(filepath.Join(root, ".planning", "STATE.md"), "status: executing\n")
	write(filepath.Join(root, ".planning", "binary"), "a\x00b")
	write(filepath.Join(root, ".planning", "large"), strings.Repeat("x", peek.Limit+10))
	write(filepath.Join(outside, "secret"), "secret")
	if runtime.GOOS != "windows" {
		for link, target := range map[string]string{
			"link": filepath.Join(outside, "secret"), "dir": outside, "inside": "STATE.md", "nowhere": "gone",
		} {
			must(t, os.Symlink(target, filepath.Join(root, ".planning", link)))
		}
	}
	p, err := Open(root, User{})
	must(t, err)
	l := Files{p}

	if text, err := l.Text(root, ".planning/STATE.md"); text != "status: executing\n" || err != nil {
		t.Errorf("got %q, %v", text, err)
	}
	if text, err := l.Text(root, ".planning/large"); len(text) != peek.Limit || err == nil {
		t.Errorf("of a large file came %d bytes and %v", len(text), err)
	}
	at, err := l.Path(root, ".planning/STATE.md")
	if err != nil || !filepath.IsAbs(at) || filepath.Base(at) != "STATE.md" {
		t.Errorf("path %q, %v", at, err)
	}
	bad := []string{"", ".", "..", "../shop/.planning/STATE.md", "/etc/passwd", ".planning", ".planning/gone", ".planning/binary"}
	if runtime.GOOS != "windows" {
		if text, err := l.Text(root, ".planning/inside"); text == "" || err != nil {
			t.Errorf("a link inside: %q, %v", text, err)
		}
		bad = append(bad, ".planning/link", ".planning/dir/secret", ".planning/nowhere", ".planning/dir/../STATE.md/x")
	}
	for _, name := range bad {
		if text, err := l.Text(root, name); err == nil || text != "" {
			t.Errorf("%q gave %q", name, text)
		}
		if at, err := l.Path(root, name); err == nil && name != ".planning/binary" {
			t.Errorf("%q leads to %s", name, at)
		}
	}
	if _, err := l.Text("/elsewhere", ".planning/STATE.md"); err == nil {
		t.Error("a project that is not open was read")
	}
}
