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
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/disk/statefile/faults"
)

var errEnough = errors.New("waited for long enough")

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
		w.v, w.err = wait.Verdict(w.ctx, func() time.Time { return noon })
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
	if w.err != nil || w.v.Answer != how || w.v.Text != text || w.v.unmarked != nil {
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

func TestWaitSkipsUndoneDecisions(t *testing.T) {
	g := newGated(t, nil)
	o := g.do(g.action(model.VerbApprove))
	g.do(g.action(model.VerbUndo))
	w := NewWait(g.p, gatesBuild, "gate/frame")
	if v := w.reportVerdict(t.Context(), &Verdict{Answer: Passed, Decision: &o.Decision}); v != nil {
		t.Errorf("%+v", v)
	}
	for _, d := range g.decisions() {
		if d.Reported {
			t.Errorf("%+v", d)
		}
	}
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

func TestWaitOutlastsHalfAFile(t *testing.T) {
	g := newGated(t, nil)
	w := g.wait()
	w.stillWaits(50 * time.Millisecond)
	g.write("gates\nframe: pend")
	w.stillWaits(grace + grace/2)
	g.write(strings.Replace(gatesText, "frame: pending", "frame: passed", 1))
	w.ends(Passed, "")
}

// TestRequestIsDeliveredAgainAfterAKill checks that a request passed on by a wait that was then killed goes to the next wait, too, and
// cannot be undone.
func TestRequestIsDeliveredAgainAfterAKill(t *testing.T) {
	g := newGated(t, nil)
	g.changes("smaller")
	p := g.p.withoutCache()
	p.user.System = &statefile.System{As: faults.Gone()}
	w := NewWait(p, gatesBuild, "gate/frame")
	if v, err := w.Verdict(t.Context(), func() time.Time { return noon }); err != nil || v.Text != "smaller" { // the process ends without calling Heard
		t.Fatal(v, err)
	}
	if d := g.decisions()[0]; !d.Reported || !d.Unheard {
		t.Errorf("%+v", d)
	}
	if err := g.refused(g.action(model.VerbUndo)); !strings.Contains(err.Error(), "too late") {
		t.Error(err)
	}
	g.wait().ends(Changes, "smaller")
	g.wait().stillWaits(50 * time.Millisecond) // as far as this wait knows, the one before is still delivering it
}

// TestRequestedChangesWaitForTheAgents checks that a gate with requested changes waits for the agents only, until they change its evidence, write the
// state or wait again, or a day has passed.
func TestRequestedChangesWaitForTheAgents(t *testing.T) {
	now := noon.Add(time.Minute)
	asked := func(t *testing.T, evidence string) (*gated, string) {
		g := newGated(t, nil)
		file := filepath.Join(g.dir, "frame.md")
		if evidence != "" {
			put(t, g.dir, "frame.md", evidence)
			must(t, os.Chtimes(file, noon.Add(-time.Hour), noon.Add(-time.Hour)))
		}
		g.changes("shorter")
		if !g.isWithAgent(now) {
			t.Fatal("the gate still waits for its human")
		}
		return g, file
	}
	for name, c := range map[string]struct {
		evidence string
		change   func(file string) error
	}{
		"written": {"", func(file string) error {
			return errors.Join(os.WriteFile(file, []byte("shorter"), 0o644), os.Chtimes(file, now, now))
		}},
		"deleted":          {"long", os.Remove},
		"an older version": {"long", func(file string) error { return os.Chtimes(file, noon.Add(-48*time.Hour), noon.Add(-48*time.Hour)) }},
	} {
		g, file := asked(t, c.evidence)
		if must(t, c.change(file)); g.isWithAgent(now) {
			t.Errorf("%s: the evidence has changed", name)
		}
	}
	g, _ := asked(t, "")
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
