package parse

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestWaitForABuild waits for a loop that is paused, resumes, ends and is removed.
func TestWaitForABuild(t *testing.T) {
	const text = `{"loop": "x", "status": "active", "phases": {"A": {"status": "active"}}, "gates": {}}`
	write := func(dir, status string) {
		t.Helper()
		n := 1
		if status == "complete" {
			n = 2 // together with its phase, or it is not
		}
		must(t, os.WriteFile(filepath.Join(dir, "x-state.json"), []byte(strings.Replace(text, `"status": "active"`, `"status": "`+status+`"`, n)), 0o644))
	}
	for _, c := range []struct {
		name, was, becomes string
		until, want        Answer
	}{
		{"it is so already", "paused", "", Paused, Paused}, {"it is at work already", "active", "", Resumed, Resumed},
		{"paused", "active", "paused", Paused, Paused}, {"resumed", "paused", "active", Resumed, Resumed},
		{"complete", "paused", "complete", Resumed, Over}, {"failed", "active", "failed", Paused, Over}, {"gone", "paused", "-", Resumed, Over},
		{"a word that nobody knows", "paused", "dreaming", Resumed, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(dir, c.was)
			p, err := Open(dir, User{Home: dir})
			must(t, err)
			limit := patience
			if c.want == "" {
				limit = time.Second
			}
			ctx, stop := context.WithTimeout(t.Context(), limit)
			defer stop()
			switch c.becomes {
			case "":
			case "-":
				time.AfterFunc(100*time.Millisecond, func() { os.Remove(filepath.Join(dir, "x-state.json")) })
			default:
				time.AfterFunc(100*time.Millisecond, func() { write(dir, c.becomes) })
			}
			v, err := WaitFor(ctx, p, "loop:x-state.json", c.until, time.Now)
			switch {
			case c.want == "":
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%+v, %v", v, err)
				}
			case err != nil || v.Answer != c.want:
				t.Errorf("%+v, %v; want %s", v, err, c.want)
			}
		})
	}
}
