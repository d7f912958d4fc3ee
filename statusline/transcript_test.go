package statusline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFindLastCommand(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct{ text, want string }{
		"no line break": {`{"content":"<command-name>/gsd-plan</command-name>"}`, "gsd-plan"},
		"huge":          {strings.Repeat("x", 3<<20) + "<command-name>/a</command-name>\n" + strings.Repeat("y", 100<<10), "a"},
		"too far back":  {"<command-name>/a</command-name>" + strings.Repeat("y", transcriptTail), ""},
		"cut in a tag":  {"<command-name>/a</command-name>" + strings.Repeat("é", (transcriptTail-10)/2), ""},
		"empty":         {"", ""},
		"NUL":           {strings.Repeat("\x00", 300<<10) + "<command-name>/a\x00b</command-name>", "a\x00b"},
	} {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, []byte(c.text), 0o644))
		if got := findLastCommand(path); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	for _, path := range []string{"", dir, filepath.Join(dir, "none"), "/dev/zero", "a\x00b"} {
		if got := findLastCommand(path); got != "" {
			t.Errorf("%q: %q", path, got)
		}
	}
}
