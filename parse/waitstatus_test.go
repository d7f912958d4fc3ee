package parse

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
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

// TestWaitForAGateThatHasFinallyFailed checks that an ultraplan gate that has finally failed waits for a human, and that a retry is an
// answer.
func TestWaitForAGateThatHasFinallyFailed(t *testing.T) {
	const node = "task/current/gate"
	for _, gate := range []string{"FAILED\n  attempt: 4\n  max_attempts: 3", "BLOCKED\n  attempt: 1"} {
		dir := t.TempDir()
		must(t, os.Mkdir(filepath.Join(dir, ".ultraplan"), 0o755))
		put(t, dir, ".planning/STATE.md", syncState+"\n```yaml\ncurrent_task:\n  name: Task 1\n  plan: 01-01\n  gate_status: "+gate+"\n```\n")
		p, err := Open(dir, User{Name: "ada", Journal: filepath.Join(t.TempDir(), "journal")})
		must(t, err)
		if b := p.Read(time.Now()).Builds[0]; len(b.Certain()) != 1 || b.Certain()[0].Node != node {
			t.Fatalf("%+v", b.Waits)
		}
		begin := func() *Wait {
			waiting, err := Open(dir, p.user)
			must(t, err)
			return NewWait(waiting, "ultraplan", node)
		}
		stillWaits := func(w *Wait) {
			t.Helper()
			soon, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer stop()
			if v, err := w.Verdict(soon, time.Now); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%.7s: the wait ends at once: %+v, %v", gate, v, err)
			}
		}
		stillWaits(begin())
		w, as := begin(), NewActions([]*Project{p}, "test", time.Now)
		proposal, err := as.Propose(t.Context(), model.Action{Verb: model.VerbRetry, Project: p.Root(), Build: "ultraplan", Node: node})
		must(t, err)
		_, err = as.Do(t.Context(), proposal.Action)
		must(t, err)
		v, err := w.Verdict(t.Context(), time.Now)
		if err != nil || v.Answer != Retried || v.Decision == nil || !strings.Contains(v.Decision.Is, "EXECUTING") {
			t.Fatalf("%.7s: %+v, %v", gate, v, err)
		}
		// A wait that begins after the decision returns it, too, unless it was delivered.
		w = begin()
		v, err = w.Verdict(t.Context(), time.Now)
		if err != nil || v.Answer != Retried {
			t.Fatalf("%.7s: a late wait: %+v, %v", gate, v, err)
		}
		must(t, w.Heard(v))
		stillWaits(begin())
	}
}

// syncState is a STATE.md of ultraplan.
const syncState = "# Project State\n\n## Current Position\n\nPhase: 1 of 1 (Quay)\nStatus: In progress\nProgress: [##########] 100%\n"
