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

// TestWaitForAnOpenGateOfAnEndedLoop checks that a wait for an undecided gate continues although the loop calls itself ended, by
// any word, until the gate is decided.
func TestWaitForAnOpenGateOfAnEndedLoop(t *testing.T) {
	dir := t.TempDir()
	state := `{"loop": "x", "status": "complete", "phases": {"A": {"status": "complete"}}, "gates": {"g1": {"status": "pending"}}}`
	write := func(text string) { must(t, os.WriteFile(filepath.Join(dir, "x-state.json"), []byte(text), 0o644)) }
	must(t, os.WriteFile(filepath.Join(dir, "loop.json"), []byte(`{"id": "x", "phases": ["A"], "gates": [{"id": "g1", "afterPhase": "A"}]}`), 0o644))
	write(state)
	verdict := func(ctx context.Context) (*Verdict, error) {
		p, err := Open(dir, User{Home: dir})
		must(t, err)
		return NewWait(p, "loop:x-state.json", "gate/g1").Verdict(ctx, time.Now)
	}
	short, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	if v, err := verdict(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%+v, %v", v, err)
	}
	if v, err := waitForX(t, dir, 300*time.Millisecond); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it is to be resumed first, and the wait for that: %+v, %v", v, err)
	}
	write(strings.Replace(state, "complete", "active", 1))
	if v, err := waitForX(t, dir, patience); err != nil || v.Answer != Resumed {
		t.Errorf("resumed: %+v, %v", v, err)
	}
	must(t, os.Remove(filepath.Join(dir, "x-state.json")))
	must(t, os.Mkdir(filepath.Join(dir, "x-state.json"), 0o755)) // a directory of that name does not mean that the gate is gone
	long, stop := context.WithTimeout(t.Context(), 2*grace)
	defer stop()
	if v, err := verdict(long); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a directory: %+v, %v", v, err)
	}
	must(t, os.Remove(filepath.Join(dir, "x-state.json")))
	write(strings.Replace(state, "pending", "passed", 1))
	if v, err := verdict(t.Context()); err != nil || v.Answer != Passed {
		t.Errorf("%+v, %v", v, err)
	}
}

// waitForX waits until the loop of a directory is running.
func waitForX(t *testing.T, dir string, limit time.Duration) (*Verdict, error) {
	t.Helper()
	p, err := Open(dir, User{Home: dir})
	must(t, err)
	ctx, stop := context.WithTimeout(t.Context(), limit)
	defer stop()
	return WaitFor(ctx, p, "loop:x-state.json", Resumed, time.Now)
}
