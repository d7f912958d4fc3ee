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

// waiting is a wait for the gate "frame" in another process.
type waiting struct {
	g    *gated
	ctx  context.Context
	stop context.CancelCauseFunc
	over chan struct{}
	v    *Verdict
	err  error
}

// wait begins a wait.
func (g *gated) wait() *waiting {
	g.Helper()
	p, err := Open(g.dir, g.p.user)
	must(g.T, err)
	w := &waiting{g: g, over: make(chan struct{})}
	w.ctx, w.stop = context.WithCancelCause(g.Context())
	wait := NewWait(p, gatesBuild, "gate/frame")
	go func() {
		defer close(w.over)
		if w.v, w.err = wait.Verdict(w.ctx, func() time.Time { return noon }); w.err == nil {
			w.err = wait.Heard(w.v)
		}
	}()
	g.Cleanup(func() {
		w.stop(nil)
		<-w.over
	})
	return w
}

// ends checks that the wait ends with this answer.
func (w *waiting) ends(how Answer, text string) *Verdict {
	w.g.Helper()
	select {
	case <-w.over:
	case <-time.After(patience):
		w.g.Fatalf("still waiting, not %s", how)
	}
	if w.err != nil || w.v.Answer != how || w.v.Text != text {
		w.g.Fatalf("%+v, %v; want %s %q", w.v, w.err, how, text)
	}
	return w.v
}

// stillWaits checks that the wait continues for this long.
func (w *waiting) stillWaits(d time.Duration) {
	w.g.Helper()
	select {
	case <-w.over:
		w.g.Fatalf("ended: %+v, %v", w.v, w.err)
	case <-time.After(d):
	}
}

// changes asks for changes to the gate.
func (g *gated) changes(text string) *model.Outcome {
	g.Helper()
	a := g.action(model.VerbChanges)
	a.Text = text
	return g.do(a)
}

func TestWaitOutlastsCarelessWriters(t *testing.T) {
	g := newGated(t, nil)
	file := filepath.Join(g.dir, gatesFile)
	w := g.wait()
	for rounds := 0; rounds < 3; rounds++ {
		gone := time.Now()
		must(t, os.Rename(file, file+".old")) // some writers move the old file away as a backup first
		time.Sleep(grace / 5)
		must(t, os.Rename(file+".old", file))
		g.write("")
		time.Sleep(grace / 5)
		g.write(gatesText[:len(gatesText)/2])
		time.Sleep(grace / 5)
		g.write(gatesText)
		if time.Since(gone) > grace { // after a pause of the machine, the wait ends rightly
			w, rounds = g.wait(), -1
			continue
		}
		w.stillWaits(grace / 2) // long enough to read the whole file, also on a busy machine
	}
	// All rounds together take longer than one grace period.
	g.write(strings.Replace(gatesText, "frame: pending", "frame: passed", 1))
	w.ends(Passed, "")
}

// TestVerdictIsPassedOnAgain checks that a verdict that was not heard goes to the next wait, too, and that one that was undone meanwhile is
// not heard.
func TestVerdictIsPassedOnAgain(t *testing.T) {
	g := newGated(t, nil)
	g.changes("smaller")
	w := NewWait(g.p.withoutCache(), gatesBuild, "gate/frame")
	v, err := w.Verdict(t.Context(), func() time.Time { return noon })
	if err != nil || v.Text != "smaller" { // the process ends without calling Heard
		t.Fatal(v, err)
	}
	g.wait().ends(Changes, "smaller")
	g = newGated(t, nil)
	g.do(g.action(model.VerbApprove))
	w = NewWait(g.p.withoutCache(), gatesBuild, "gate/frame")
	v, err = w.Verdict(t.Context(), func() time.Time { return noon })
	must(t, err)
	g.do(g.action(model.VerbUndo))
	if err := w.Heard(v); !errors.Is(err, ErrTakenBack) {
		t.Error(err)
	}
}

// TestRequestedChangesWaitForTheAgents checks that a gate with requested changes waits for the agents only, until they wait
// again or a day has passed; decisions.txtar has the other ends.
func TestRequestedChangesWaitForTheAgents(t *testing.T) {
	now := noon.Add(time.Minute)
	g := newGated(t, nil)
	g.changes("shorter")
	if !g.isWithAgent(now) {
		t.Fatal("the gate still waits for its human")
	}
	if at := g.p.Read(now).Builds[0].TurnsAt(now); !at.After(now) || at.After(now.Add(model.WithAgentFor)) {
		t.Errorf("the gate waits for its human again at %v", at)
	}
	if g.isWithAgent(noon.Add(model.WithAgentFor + time.Minute)) {
		t.Error("a day has passed")
	}
	left := g.p.openJournal().Wait(gatesBuild, "gate/frame", now)
	if g.isWithAgent(now) || g.gate().Awaited.IsZero() {
		t.Error("an agent waits again")
	}
	left()
	if !g.isWithAgent(now) || !g.gate().Awaited.IsZero() {
		t.Error("the wait has ended")
	}
}

// TestWaitIsShown checks that a wait is shown while it lasts, and that asking for changes warns first if no process waits for the
// gate. The warning does not change the Shown hash.
func TestWaitIsShown(t *testing.T) {
	g := newGated(t, nil)
	propose := func() *model.Proposal {
		t.Helper()
		p, err := g.as.Propose(t.Context(), g.action(model.VerbChanges))
		must(t, err)
		return p
	}
	alone := propose()
	if len(alone.Warnings) != 1 || !strings.Contains(alone.Warnings[0], "nobody waits for this gate now") {
		t.Errorf("%q", alone.Warnings)
	}
	w := g.wait()
	g.until(func() bool { return !g.gate().Awaited.IsZero() })
	awaited := propose()
	if len(awaited.Warnings) > 0 || awaited.Action.Shown != alone.Action.Shown {
		t.Errorf("%q", awaited.Warnings)
	}
	g.changes("shorter")
	w.ends(Changes, "shorter")
	g.until(func() bool { return g.gate().Awaited.IsZero() })
}

// until waits until a condition holds.
func (g *gated) until(so func() bool) {
	g.Helper()
	for end := time.Now().Add(patience); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			g.Fatal("the condition never held")
		}
	}
}
