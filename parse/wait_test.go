package parse

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
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

// ends wants the wait to end with this.
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

// goesOn wants the wait to go on for a while.
func (w *waiting) goesOn(d time.Duration) {
	w.g.Helper()
	select {
	case <-w.over:
		w.g.Fatalf("ended: %+v, %v", w.v, w.err)
	case <-time.After(d):
	}
}

// changes asks for changes of the gate.
func (g *gated) changes(text string) *model.Outcome {
	g.Helper()
	a := g.action(model.VerbChanges)
	a.Text = text
	return g.do(a)
}

func TestWaitPassesOnWhatTheJournalDoesNotCallDoneYet(t *testing.T) {
	g := newGated(t, nil)
	g.as.journal = func(p *Project) logbook { return brokenLog{logbook: p.openJournal(), end: errEnough} }
	if _, err := g.as.Do(t.Context(), g.action(model.VerbApprove)); !errors.Is(err, errEnough) {
		t.Fatal(err)
	}
	if v := g.wait().ends(Passed, ""); v.Decision == nil {
		t.Error("the decision is not known")
	}
	if all := g.decisions(); !all[0].Reported {
		t.Error("the journal does not say so")
	}
}

func TestWhatWasTakenBackIsNotPassedOn(t *testing.T) {
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

func TestWaitEndsWhenTheGateIsGone(t *testing.T) {
	g := newGated(t, nil)
	w := g.wait()
	w.goesOn(50 * time.Millisecond)
	begin := time.Now()
	g.rewrite("frame: pending\n", "")
	w.ends(Over, "the gate is gone")
	if d := time.Since(begin); d < grace {
		t.Errorf("after %v already", d)
	}
}

func TestWaitOutlastsWritersThatAreNotCareful(t *testing.T) {
	g := newGated(t, nil)
	file := filepath.Join(g.dir, gatesFile)
	w := g.wait()
	for rounds := 0; rounds < 3; rounds++ {
		gone := time.Now()
		must(t, os.Rename(file, file+".old")) // the dance of those who make a backup
		time.Sleep(grace / 5)
		must(t, os.Rename(file+".old", file))
		g.write("")
		time.Sleep(grace / 5)
		g.write(gatesText[:len(gatesText)/2])
		time.Sleep(grace / 5)
		g.write(gatesText)
		if time.Since(gone) > grace { // on a machine that stood still the wait is right to end
			w, rounds = g.wait(), -1
			continue
		}
		w.goesOn(50 * time.Millisecond)
	}
	// All of it together takes longer than what is granted once.
	g.write(strings.Replace(gatesText, "frame: pending", "frame: passed", 1))
	w.ends(Passed, "")
}

func TestHalfAFileIsNoLossHoweverLong(t *testing.T) {
	g := newGated(t, nil)
	w := g.wait()
	w.goesOn(50 * time.Millisecond)
	g.write("gates\nframe: pend")
	w.goesOn(grace + grace/2)
	g.write(strings.Replace(gatesText, "frame: pending", "frame: passed", 1))
	w.ends(Passed, "")
}

func TestWaitEndsWithItsContext(t *testing.T) {
	g := newGated(t, nil)
	w := g.wait()
	w.stop(errEnough)
	<-w.over
	if w.v != nil || !errors.Is(w.err, errEnough) && !errors.Is(w.err, context.Canceled) {
		t.Errorf("%+v, %v", w.v, w.err)
	}
}

// Whoever waits is told also where the journal can't be, and told again until it can.
func TestWaitThatCannotTellTheJournal(t *testing.T) {
	g := newGated(t, nil)
	g.changes("smaller")
	full := errors.New("no space left on device")
	for _, c := range []struct{ before, after error }{{full, full}, {nil, full}, {full, nil}} {
		w := NewWait(g.p.withoutCache(), gatesBuild, "gate/frame")
		w.ledger.log = unreportable{w.ledger.log, c.before, c.after}
		v, err := w.Verdict(t.Context(), func() time.Time { return noon })
		if err != nil || v.Answer != Changes || v.Text != "smaller" {
			t.Fatalf("%+v, %v", v, err)
		}
		if err := w.Heard(v); !errors.Is(err, c.after) {
			t.Error(err)
		}
		if c.before == nil { // to those who come later, this process passes it on until it ends
			must(t, w.Lost(v))
		}
	}
	if d := g.decisions()[0]; !d.Reported || d.Unheard {
		t.Errorf("%+v", d)
	}
	g.wait().goesOn(50 * time.Millisecond)
}

// unreportable is a journal that can't be told before or after a decision was passed on.
type unreportable struct {
	logbook
	before, after error
}

func (l unreportable) Reporting(id string) error {
	if l.before != nil {
		return l.before
	}
	return l.logbook.Reporting(id)
}

func (l unreportable) Reported(id string) error {
	if l.after != nil {
		return l.after
	}
	return l.logbook.Reported(id)
}

// Who is killed while passing a request on may not have been heard: the next wait is given it, and nobody takes it back.
func TestRequestIsPassedOnAgainAfterAKill(t *testing.T) {
	g := newGated(t, nil)
	g.changes("smaller")
	p := g.p.withoutCache()
	p.user.System = &statefile.System{As: faults.Gone()}
	w := NewWait(p, gatesBuild, "gate/frame")
	if v, err := w.Verdict(t.Context(), func() time.Time { return noon }); err != nil || v.Text != "smaller" { // and no more is heard of it
		t.Fatal(v, err)
	}
	if d := g.decisions()[0]; !d.Reported || !d.Unheard {
		t.Errorf("%+v", d)
	}
	if err := g.refused(g.action(model.VerbUndo)); !strings.Contains(err.Error(), "too late") {
		t.Error(err)
	}
	g.wait().ends(Changes, "smaller")
	g.wait().goesOn(50 * time.Millisecond) // the one before is at it still, as far as this one knows
}

// TestWhoHasTheBall holds that a gate of which changes were asked for waits for nobody but the agents: until they show something
// for it, write the state, wait again, or a day has passed.
func TestWhoHasTheBall(t *testing.T) {
	now := noon.Add(time.Minute)
	look := func(g *gated) *model.Build {
		t.Helper()
		g.p.Touch()
		b := g.p.Read(now).Builds[0]
		n, _ := b.Find("gate/frame")
		i := slices.IndexFunc(b.Waits, func(w model.Wait) bool { return w.Node == n.ID })
		if i < 0 {
			t.Fatalf("it is not listed: %+v", b.Waits)
		}
		if b.Waits[i].IsWithAgent() != !slices.ContainsFunc(b.Certain(), func(w model.Wait) bool { return w.Node == n.ID }) {
			t.Errorf("it is listed as %+v", b.Waits[i])
		}
		if b.Next == nil || b.Next.Node != n.ID || strings.HasPrefix(b.Next.Command, "approve ") == b.Waits[i].IsWithAgent() {
			t.Errorf("with its agent %t, and next comes %+v", b.Waits[i].IsWithAgent(), b.Next)
		}
		return b
	}
	withAgent := func(g *gated) bool {
		t.Helper()
		b := look(g)
		return b.Waits[slices.IndexFunc(b.Waits, func(w model.Wait) bool { return w.Node == "gate/frame" })].IsWithAgent()
	}
	begin := func() *gated {
		g := newGated(t, nil)
		if withAgent(g) {
			t.Fatal("nobody has asked for anything")
		}
		g.changes("shorter")
		if !withAgent(g) {
			t.Fatal("it waits for its human still")
		}
		return g
	}
	g := begin()
	if at := look(g).TurnsAt(now); !at.After(now) || at.After(now.Add(model.WithAgentFor)) {
		t.Errorf("it comes back at %v", at)
	}
	g = begin()
	put(t, g.dir, "frame.md", "shorter")
	must(t, os.Chtimes(filepath.Join(g.dir, "frame.md"), now, now))
	if withAgent(g) {
		t.Error("the evidence has changed")
	}
	for name, change := range map[string]func(file string) error{
		"deleted":          os.Remove,
		"an older version": func(file string) error { return os.Chtimes(file, noon.Add(-48*time.Hour), noon.Add(-48*time.Hour)) },
	} {
		g = newGated(t, nil)
		put(t, g.dir, "frame.md", "long")
		must(t, os.Chtimes(filepath.Join(g.dir, "frame.md"), noon.Add(-time.Hour), noon.Add(-time.Hour)))
		g.changes("shorter")
		if !withAgent(g) {
			t.Fatal("it waits for its human still")
		}
		if must(t, change(filepath.Join(g.dir, "frame.md"))); withAgent(g) {
			t.Errorf("%s: the evidence has changed", name)
		}
	}
	g = begin()
	now = noon.Add(model.WithAgentFor + time.Minute)
	if withAgent(g) {
		t.Error("a day has passed")
	}
	now = noon.Add(time.Minute)
	g = begin()
	left := g.p.openJournal().Wait(gatesBuild, "gate/frame", now)
	if withAgent(g) || g.gate().Awaited.IsZero() {
		t.Error("an agent waits again")
	}
	left()
	if !withAgent(g) || !g.gate().Awaited.IsZero() {
		t.Error("nobody waits any more")
	}
}

// TestWhoWaitsIsSeen holds that a wait is seen as long as it goes on, and that whoever asks for changes is told before where nobody
// would hear it, which is no reason to ask again.
func TestWhoWaitsIsSeen(t *testing.T) {
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
	heard := propose()
	if len(heard.Warnings) > 0 || heard.Action.Shown != alone.Action.Shown {
		t.Errorf("%q", heard.Warnings)
	}
	g.changes("shorter")
	w.ends(Changes, "shorter")
	g.until(func() bool { return g.gate().Awaited.IsZero() })
}

// until waits until something is so.
func (g *gated) until(so func() bool) {
	g.Helper()
	for end := time.Now().Add(patience); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			g.Fatal("it is not so")
		}
	}
}
