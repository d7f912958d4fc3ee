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
)

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
