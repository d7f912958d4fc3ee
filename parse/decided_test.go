package parse

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile/faults"
	"gatehouse/parse/disk/watch"
)

// gate returns the current gate "frame" of the project.
func (g *gated) gate() *model.Gate {
	g.Helper()
	g.p.Touch()
	b := g.p.Read(noon).Builds[0]
	n, _ := b.Find("gate/frame")
	if n == nil {
		g.Fatal("the gate is gone")
	}
	return n.Gate
}

func TestRequestIsShown(t *testing.T) {
	g := newGated(t, nil)
	before := g.p.Read(noon)
	g.changes("smaller,\nplease\x1b[2J")
	r := g.gate().Request
	if r == nil || r.Text != "smaller, please\uFFFD[2J" || r.Spans != nil || r.Project != g.p.root {
		t.Fatalf("%+v", r)
	}
	for _, n := range model.Walk(before.Builds[0].Nodes) {
		if n.Gate != nil && n.Gate.Request != nil {
			t.Error("what was handed out before has changed")
		}
	}
	p := g.p.Read(noon)
	if ship, _ := p.Builds[0].Find("gate/ship"); ship.Gate.Request != nil {
		t.Error("another gate has the request")
	}
	if len(p.Decisions) != 1 || p.Decisions[0].ID != r.ID {
		t.Errorf("%+v", p.Decisions)
	}
}

func TestJournalThatCannotBeReadIsAProblem(t *testing.T) {
	g := newGated(t, nil)
	must(t, os.MkdirAll(g.p.ledger.log.File(), 0o755))
	p := g.p.Read(noon)
	if len(p.Problems) != 1 || !strings.Contains(p.Problems[0].String(), g.p.ledger.log.File()) || len(p.Builds) != 1 {
		t.Errorf("%+v", p)
	}
}

func TestDecisionsShownAreBounded(t *testing.T) {
	g := newGated(t, nil)
	log := g.p.openJournal()
	for i := range maxDecisions + 10 {
		d, err := log.Begin(model.Decision{At: noon.Add(time.Duration(i) * time.Second), Build: gatesBuild, Node: "gate/none", Verb: model.VerbApprove})
		must(t, err)
		must(t, log.End(d.ID, true))
	}
	all := g.p.Read(noon).Decisions
	if len(all) != maxDecisions || !all[0].At.Equal(noon.Add((maxDecisions+9)*time.Second)) {
		t.Errorf("%d, the first of %v", len(all), all[0].At)
	}
}

func TestProjectHasOneJournalByEveryPath(t *testing.T) {
	g := newGated(t, nil)
	g.do(g.action(model.VerbApprove))
	way := filepath.Join(t.TempDir(), "way")
	if err := os.Symlink(g.dir, way); err != nil {
		t.Skip("no links on this system: ", err)
	}
	p, err := Open(way, g.p.user)
	must(t, err)
	if all := p.Read(noon).Decisions; len(all) != 1 || all[0].Project != way {
		t.Errorf("%+v", all)
	}
	if all, err := AllDecisions(g.p.user); err != nil || len(all) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestDecisionOfAnotherProcessIsShownAtOnce(t *testing.T) {
	g := newGated(t, nil)
	f := followProjects(t, watch.Options{Poll: time.Hour}, g.p)
	f.until("nothing is asked", func(s *model.Snapshot) bool { return len(s.Projects[0].Decisions) == 0 })
	other, err := Open(g.dir, g.p.user)
	must(t, err)
	g.p, g.as = other, NewActions([]*Project{other}, "test", ticking())
	g.changes("smaller")
	f.until("changes are asked for", func(s *model.Snapshot) bool {
		n, _ := s.Projects[0].Builds[0].Find("gate/frame")
		return n.Gate.Request != nil && n.Gate.Request.Text == "smaller"
	})
	// A change of the journal alone is shown, too.
	must(t, other.openJournal().Reported(g.decisions()[0].ID))
	f.until("it was passed on", func(s *model.Snapshot) bool { return s.Projects[0].Decisions[0].Reported })
}

// TestWriteInProgressIsNoOverwrite checks that a decision whose journal entry has only begun, but whose file is already
// written, is neither interrupted nor overwritten: the journal is read when the decision begins, and the file may be written before the
// entry ends.
func TestWriteInProgressIsNoOverwrite(t *testing.T) {
	g := newGated(t, nil)
	g.p.Read(noon)
	other, err := Open(g.dir, g.p.user)
	must(t, err)
	g.as = NewActions([]*Project{other}, "test", ticking())
	g.do(g.action(model.VerbApprove))
	file := g.p.openJournal().File()
	text, err := os.ReadFile(file)
	must(t, err)
	begun := text[:bytes.IndexByte(text, '\n')+1]
	must(t, os.WriteFile(file, begun, 0o600))
	if mp := g.p.Read(noon); len(mp.Decisions) != 1 || mp.Decisions[0].Interrupted || mp.Decisions[0].Overwritten {
		t.Errorf("%+v", mp.Decisions)
	}
}

// TestLateReadingIsNoOverwrite checks that a decision is not called overwritten when the watcher reports the journal before
// the state file.
func TestLateReadingIsNoOverwrite(t *testing.T) {
	g := newGated(t, nil)
	g.p.Read(noon)
	g.do(g.action(model.VerbApprove)) // nothing has touched the project's own copy of the file
	if mp := g.p.Read(noon); mp.Decisions[0].Overwritten {
		t.Errorf("%+v", mp.Decisions[0])
	}
}

// TestWatchFindsALateOverwrite checks that Watch reports an agent that writes its own copy after the decision has settled.
func TestWatchFindsALateOverwrite(t *testing.T) {
	g := newGated(t, nil)
	o := g.do(g.action(model.VerbApprove))
	must(t, g.as.Settle(t.Context(), o))
	g.rewrite("\nend", "\nnote: on\nend")
	done := make(chan error)
	go func() { done <- g.as.Watch(t.Context(), o, time.Minute) }()
	g.write(gatesText)
	var over *model.Overwritten
	if err := <-done; !errors.As(err, &over) {
		t.Errorf("%v", err)
	}
	must(t, g.as.Watch(t.Context(), &model.Outcome{Proposal: o.Proposal, Note: "it has passed already"}, time.Hour)) // nothing was written
}

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
