package parse

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile/faults"
)

// killed does an action in a process that is killed at the nth call that changes something, and reports whether there was one.
func (g *gated) killed(a model.Action, n int) bool {
	g.Helper()
	system, hit := faults.At(n, faults.ErrKilled)
	ctx, end := context.WithCancel(g.Context()) // who was killed waits for no lock
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

// brokenOff does an action in a process that is killed as soon as the file is written.
func (g *gated) brokenOff(a model.Action) {
	g.Helper()
	before := g.text()
	for n := 1; g.text() == before; n++ {
		if !g.killed(a, n) {
			g.Fatal("it was never killed behind the write")
		}
	}
}

// only returns the only decision of the journal, as it is told everywhere.
func (g *gated) only() model.Decision {
	g.Helper()
	all := g.decisions()
	g.p.Touch()
	shown := g.p.Read(noon).Decisions
	every, err := AllDecisions(g.p.user)
	must(g.T, err)
	if len(all) != 1 || len(shown) != 1 || len(every) != 1 || shown[0].ID != all[0].ID || every[0].ID != all[0].ID {
		g.Fatalf("%+v, shown %+v, of every project %+v", all, shown, every)
	}
	if all[0].Interrupted != shown[0].Interrupted || all[0].Interrupted != every[0].Interrupted {
		g.Errorf("interrupted %v, shown %v, of every project %v", all[0].Interrupted, shown[0].Interrupted, every[0].Interrupted)
	}
	return all[0]
}

// What somebody decided later about the file tells of it, too, when the file itself does not any more.
func TestDecisionBrokenOffIsProvenByTheNext(t *testing.T) {
	g := newGated(t, nil)
	g.brokenOff(g.action(model.VerbApprove))
	first := g.decisions()[0]
	other := g.action(model.VerbApprove)
	other.Node = "gate/ship"
	g.as.journal = func(p *Project) logbook { return brokenLog{logbook: p.openJournal(), end: errEnough} } // which does not end it
	_, err := g.as.Do(t.Context(), other)
	if !errors.Is(err, errEnough) || !strings.Contains(err.Error(), "gates.txt is written all the same") {
		t.Error(err)
	}
	all := g.decisions()
	if len(all) != 2 || all[0].Interrupted || all[1].ID != first.ID || all[1].Interrupted {
		t.Errorf("%+v", all)
	}
	g.rewrite("\nend", "\nnote: an agent goes on\nend")
	all = g.decisions()
	if !all[0].Interrupted || all[1].Interrupted {
		t.Errorf("%+v", all)
	}
	// What nothing tells of is shown as such, once nobody can be at it any more.
	if w := g.p.Read(noon).Decisions; len(w) != 1 || w[0].ID != first.ID {
		t.Errorf("what may be under way is shown: %+v", w)
	}
	if w := g.p.Read(noon.Add(underWay * 2)).Decisions; len(w) != 2 || !w[0].Interrupted {
		t.Errorf("what was interrupted is not shown: %+v", w)
	}
}

// Whoever runs again what was broken off does it once, wherever that was; and what is done twice on purpose is done twice.
func TestBrokenOffAndDoneAgainIsDoneOnce(t *testing.T) {
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
				continue // it was done wholly, and running it again means to do it once more
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
			if d := g.only(); d.Interrupted {
				t.Errorf("%s, killed at %d: %+v", verb, n, d)
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

// The journal can't be told of what was broken off before: that keeps nobody from deciding.
func TestJournalThatCannotBeEnded(t *testing.T) {
	g := newGated(t, nil)
	g.brokenOff(g.action(model.VerbApprove))
	g.as.journal = func(p *Project) logbook { return brokenLog{logbook: p.openJournal(), end: errEnough} }
	a := g.action(model.VerbChanges)
	a.Node, a.Text = "gate/ship", "smaller"
	if o, err := g.as.Do(t.Context(), a); o == nil || !errors.Is(err, errEnough) || !strings.Contains(err.Error(), "ask again then") {
		t.Errorf("%+v, %v", o, err)
	}
}
