package parse

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile/faults"
)

// killed runs an action in a process that is killed at the nth call that changes something, and reports whether there was such a call.
func (g *gated) killed(a model.Action, n int) bool {
	g.Helper()
	system, hit := faults.At(n, faults.ErrKilled)
	ctx, end := context.WithCancel(g.Context()) // a killed process waits for no lock
	defer end()
	call := system.Do
	system.Do = func(name string, do func() error) error {
		err := call(name, do)
		if errors.Is(err, faults.ErrKilled) {
			end()
		}
		return err
	}
	p := g.p.withoutCache()
	p.user.System = system
	as := NewActions([]*Project{p}, "test", g.as.now)
	if _, err := as.Do(ctx, a); err != nil && hit() == "" {
		g.Fatal(err)
	}
	return hit() != ""
}

// interrupt runs an action in a process that is killed as soon as the file is written.
func (g *gated) interrupt(a model.Action) {
	g.Helper()
	before := g.text()
	for n := 1; g.text() == before; n++ {
		if !g.killed(a, n) {
			g.Fatal("it was never killed after the write")
		}
	}
}

// TestInterruptedDecisionRunsOnce checks that repeating an interrupted decision carries it out once, wherever it was interrupted, and
// that deliberately repeating a finished one carries it out twice.
func TestInterruptedDecisionRunsOnce(t *testing.T) {
	for _, verb := range []model.Verb{model.VerbApprove, model.VerbSkip, model.VerbChanges} {
		kills := 0
		for n := 1; ; n++ {
			g := newGated(t, nil)
			a := g.action(verb)
			if verb != model.VerbApprove {
				a.Text = "for a good reason"
			}
			before := g.text()
			if !g.killed(a, n) {
				break
			}
			kills++
			written := g.text() != before
			if written && len(g.p.openJournal().Unfinished()) == 0 {
				continue // the decision was completed, so running it again repeats it
			}
			_, err := g.as.Propose(t.Context(), a)
			var refused *model.Refusal
			if errors.As(err, &refused) {
				if !refused.Already || !written {
					t.Errorf("%s, killed at %d: %v", verb, n, err)
				}
				g.as.Tidy(t.Context(), a)
			} else {
				must(t, err)
				g.do(a)
			}
			if all := g.journal(); all != string(verb) {
				t.Errorf("%s, killed at %d: %s", verb, n, all)
			}
			left, err := filepath.Glob(filepath.Join(g.dir, ".*"))
			must(t, err)
			locks, err := filepath.Glob(filepath.Join(g.dir, "*.lock"))
			must(t, err)
			if left = append(left, locks...); len(left) > 0 {
				t.Errorf("%s, killed at %d: left behind: %q", verb, n, left)
			}
			if verb == model.VerbChanges {
				g.do(a)
				if all := g.decisions(); len(all) != 2 {
					t.Errorf("asked for once more: %+v", all)
				}
			}
		}
		if kills < 10 {
			t.Errorf("%s: only %d kills", verb, kills)
		}
	}
}
