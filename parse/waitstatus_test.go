package parse

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/parse/conformance"
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
	conformance.OwnRows(t, "waitforabuild.jsonl", func(t *testing.T, c struct {
		ID, Was, Becomes string
		Until, Want      Answer
	}) {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(dir, c.Was)
			p, err := Open(dir, User{Home: dir})
			must(t, err)
			limit := patience
			if c.Want == "" {
				limit = time.Second
			}
			ctx, stop := context.WithTimeout(t.Context(), limit)
			defer stop()
			switch c.Becomes {
			case "":
			case "-":
				time.AfterFunc(100*time.Millisecond, func() { os.Remove(filepath.Join(dir, "x-state.json")) })
			default:
				time.AfterFunc(100*time.Millisecond, func() { write(dir, c.Becomes) })
			}
			v, err := WaitFor(ctx, p, "loop:x-state.json", c.Until, time.Now)
			switch {
			case c.Want == "":
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%+v, %v", v, err)
				}
			case err != nil || v.Answer != c.Want:
				t.Errorf("%+v, %v; want %s", v, err, c.Want)
			}
		})
	})
}
