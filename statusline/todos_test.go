package statusline

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestFindTask(t *testing.T) {
	home := t.TempDir()
	task := func(name, form string, age time.Duration) {
		path := filepath.Join(home, "todos", name)
		write(t, path, `[{"status": "in_progress", "activeForm": "`+form+`"}]`)
		when := time.Now().Add(-age)
		must(t, os.Chtimes(path, when, when))
	}
	task("s1-agent-s1.json", "old", time.Hour)
	task("s1-agent-s2.json", "new", time.Minute)
	task("s1-agent-s3.txt", "no list", 0)
	task("s1.json", "no agent", 0)
	task("s2-agent-x.json", "other", 0)
	task("sub/s3-agent-x.json", "below", 0)
	write(t, filepath.Join(home, "outside-agent-x.json"), `[{"status": "in_progress", "activeForm": "outside"}]`)
	write(t, filepath.Join(home, "todos", "s4-agent-x.json"), "[{")
	for session, want := range map[string]string{
		"s1": "new", "s2": "other", "s1-agent-s1": "old", "": "", "none": "", "s4": "", "sub/s3": "", "../outside": "", `..\outside`: "", "..": "", ".": "", "/": "", "s1\x00": "",
	} {
		if got := findTask(home, session); got != want {
			t.Errorf("%q: %q, want %q", session, got, want)
		}
	}
	for _, config := range []string{"", filepath.Join(home, "none"), filepath.Join(home, "todos", "s1.json")} {
		if got := findTask(config, "s1"); got != "" {
			t.Errorf("%q: %q", config, got)
		}
	}
}
