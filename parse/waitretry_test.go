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

// A gate of ultraplan that has failed for good waits for a human, as it is listed: to be tried again is an answer.
func TestWaitForAGateThatHasFailedForGood(t *testing.T) {
	for _, gate := range []string{"FAILED\n  attempt: 4\n  max_attempts: 3", "BLOCKED\n  attempt: 1"} {
		dir := t.TempDir()
		file := filepath.Join(dir, ".planning", "STATE.md")
		state := syncState + "\n```yaml\ncurrent_task:\n  name: Task 1\n  plan: 01-01\n  gate_status: " + gate + "\n```\n"
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, ".ultraplan"), 0o755), os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(state), 0o644)); err != nil {
			t.Fatal(err)
		}
		p, err := Open(dir, User{Name: "ada", Journal: filepath.Join(t.TempDir(), "journal")})
		if err != nil {
			t.Fatal(err)
		}
		node := "task/current/gate"
		if b := p.Read(time.Now()).Builds[0]; len(b.Certain()) != 1 || b.Certain()[0].Node != node {
			t.Fatalf("%+v", b.Waits)
		}
		waiting, err := Open(dir, p.user)
		if err != nil {
			t.Fatal(err)
		}
		w := NewWait(waiting, "ultraplan", node)
		soon, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
		v, err := w.Verdict(soon, time.Now)
		stop()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("%.7s: it ends at once: %+v, %v", gate, v, err)
		}
		if waiting, err = Open(dir, p.user); err != nil {
			t.Fatal(err)
		}
		w = NewWait(waiting, "ultraplan", node)
		as := NewActions([]*Project{p}, "test", time.Now)
		proposal, err := as.Propose(t.Context(), model.Action{Verb: model.VerbRetry, Project: p.Root(), Build: "ultraplan", Node: node})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := as.Do(t.Context(), proposal.Action); err != nil {
			t.Fatal(err)
		}
		v, err = w.Verdict(t.Context(), time.Now)
		if err != nil || v.Answer != Retried || v.Decision == nil || !strings.Contains(v.Decision.Is, "EXECUTING") {
			t.Errorf("%.7s: %+v, %v", gate, v, err)
		}
		if v == nil {
			continue
		}
		// Whoever comes after it was decided hears of it, too, unless it was passed on.
		again := func(ends error) {
			t.Helper()
			late, err := Open(dir, p.user)
			if err != nil {
				t.Fatal(err)
			}
			limit := 300 * time.Millisecond // in which nothing happens
			if ends == nil {
				limit = patience
			}
			soon, stop := context.WithTimeout(t.Context(), limit)
			defer stop()
			w := NewWait(late, "ultraplan", node)
			v, err := w.Verdict(soon, time.Now)
			if !errors.Is(err, ends) || err == nil && v.Answer != Retried {
				t.Errorf("%.7s: a late wait: %+v, %v", gate, v, err)
			}
			if err == nil && w.Heard(v) != nil {
				t.Errorf("%.7s: not noted as heard", gate)
			}
		}
		if err := w.Lost(v); err != nil {
			t.Fatal(err)
		}
		again(nil)
		again(context.DeadlineExceeded)
	}
}

// TestWaitEndsOnceItsTaskHasSucceeded has a task that needed a human and went on by itself pass, though it has no gate any more.
func TestWaitEndsOnceItsTaskHasSucceeded(t *testing.T) {
	dir := t.TempDir()
	put := func(file, text string) {
		t.Helper()
		file = filepath.Join(dir, filepath.FromSlash(file))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	put(".planning/STATE.md", syncState)
	put(".planning/phases/01-base/01-01-PLAN.md", "---\nphase: 01-base\n---\n<tasks>\n<task type=\"auto\">\n<name>Task 1: Lay the stones</name>\n<action>x</action>\n</task>\n</tasks>\n")
	const session = `{"plan_id": "01-01", "tasks": [{"task_name": "Task 1: Lay the stones", "status": "failure", "attempts": 3}]}`
	put(".ultraplan/logs/current-session.json", session)
	p, err := Open(dir, User{Name: "ada", Journal: filepath.Join(t.TempDir(), "journal")})
	if err != nil {
		t.Fatal(err)
	}
	w := NewWait(p, "ultraplan", "task/01-base/01-01/1/gate")
	late := time.AfterFunc(300*time.Millisecond, func() { put(".ultraplan/logs/current-session.json", strings.Replace(session, "failure", "success", 1)) })
	defer late.Stop()
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	if v, err := w.Verdict(ctx, time.Now); err != nil || v.Answer != Passed {
		t.Errorf("%+v, %v", v, err)
	}
}
