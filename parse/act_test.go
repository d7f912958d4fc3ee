package parse

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/protocol"
)

func TestProposeAndDo(t *testing.T) {
	g := newGated(t, nil)
	p, err := g.as.Propose(t.Context(), g.action(model.VerbApprove))
	must(t, err)
	if g.text() != gatesText {
		t.Fatal("a proposal was written")
	}
	if len(g.decisions()) > 0 {
		t.Fatal("a proposal is in the journal")
	}
	want := model.Edit{Label: "frame", Pos: model.Pos{File: gatesFile, Line: 2, Col: 8}, Old: "pending", New: "passed"}
	if p.Name != "frame" || p.File != gatesFile || len(p.Edits) != 2 || p.Edits[0] != want || p.Action.Seen != statefile.Hash(gatesText) || p.Action.Shown == "" {
		t.Errorf("%+v", p)
	}
	o := g.do(p.Action)
	if !strings.HasPrefix(g.text(), "gates\nframe: passed\nship: pending\nupdated: 2026-03-01T12:00:00.") {
		t.Errorf("%q", g.text())
	}
	must(t, g.as.Settle(t.Context(), o))
	all := g.decisions()
	if len(all) != 1 {
		t.Fatalf("%+v", all)
	}
	d := all[0]
	d.At, d.Spans = noon, nil
	if want := (model.Decision{
		ID: d.ID, At: noon, Who: "ada", By: "test", Project: realDir(g.dir), Build: gatesBuild, File: gatesFile, Node: "gate/frame", Name: "frame",
		Verb: model.VerbApprove, Was: "pending", Is: "passed", Before: statefile.Hash(gatesText), After: statefile.Hash(g.text()),
	}); fmt.Sprint(d) != fmt.Sprint(want) {
		t.Errorf("%+v, want %+v", d, want)
	}
}

func TestActionOnAChangedFile(t *testing.T) {
	g := newGated(t, nil)
	a := g.action(model.VerbApprove)
	ask := func() model.Action {
		p, err := g.as.Propose(t.Context(), a)
		must(t, err)
		return p.Action
	}
	var changed *model.Changed

	seen := ask()
	g.rewrite("\nend", "\nnote: 1\nend") // unrelated to the gate
	if err := g.refused(seen); !errors.As(err, &changed) || changed.Now == nil || changed.Now.Action.Shown != seen.Shown || changed.Now.Action.Seen == seen.Seen {
		t.Fatalf("%v, %+v", err, changed)
	}
	// After seeing that the change is unrelated, the user may go on, even if unrelated lines change again.
	g.rewrite("note: 1", "note: 2")
	seen.Seen = ""
	put(t, g.dir, "warning", "")
	if err := g.refused(seen); !errors.As(err, &changed) || changed.Now == nil || changed.Now.Action.Shown == seen.Shown {
		t.Fatalf("with a warning that was not shown: %v", err)
	}
	looked := a
	var err error
	if looked.Looked, err = g.as.Propose(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	must(t, os.Remove(filepath.Join(g.dir, "warning")))
	if now, err := g.as.Propose(t.Context(), looked); err != nil || len(now.Differences) != 1 || now.Differences[0].Label != "warnings" || now.Action.Looked != nil {
		t.Errorf("what has changed since: %+v, %v", now, err)
	}
	stale := ask()
	g.do(seen)

	// The gate has passed already, so there is no need to look again.
	var refused *model.Refusal
	if err := g.refused(stale); !errors.As(err, &refused) || !refused.Already {
		t.Errorf("%v", err)
	}
	g.rewrite("frame: passed", "frame: failed")
	if err := g.refused(stale); !errors.As(err, &changed) || changed.Now != nil || changed.Why == nil || !strings.Contains(err.Error(), "frame is failed; leave it") {
		t.Errorf("%v", err)
	}
	if n := len(g.decisions()); n != 1 {
		t.Errorf("%d decisions", n)
	}
}

func TestTypedReasonLeavesShownHash(t *testing.T) {
	g := newGated(t, nil)
	p, err := g.as.Propose(t.Context(), g.action(model.VerbSkip))
	must(t, err)
	a := p.Action
	a.Text = "nobody needs it"
	typed, err := g.as.Propose(t.Context(), a)
	must(t, err)
	if typed.Action.Shown != p.Action.Shown {
		t.Error("a reason that is typed changes what was shown")
	}
	if o := g.do(a); o.Decision.Text != a.Text {
		t.Errorf("%+v", o.Decision)
	}
}

func TestRequestWithoutATraceInTheFile(t *testing.T) {
	g := newGated(t, nil)
	g.as.now = func() time.Time { return noon } // all within one second
	for i := range 2 {
		a := g.action(model.VerbChanges)
		a.Text = fmt.Sprint("change ", i)
		o := g.do(a)
		must(t, g.as.Settle(t.Context(), o))
		if r := g.gate().Request; r == nil || r.Text != a.Text {
			t.Errorf("%q is not asked for: %+v", a.Text, r)
		}
	}
	g.do(g.action(model.VerbUndo))
	if r := g.gate().Request; r != nil {
		t.Errorf("after the undo the request %q is open", r.Text)
	}
}

func TestImpossibleActions(t *testing.T) {
	g := newGated(t, nil)
	for what, c := range map[string]struct {
		change func(*model.Action)
		want   string
	}{
		"a project not open": {func(a *model.Action) { a.Project = "/elsewhere" }, "/elsewhere is not open; open it first"},
		"no such build":      {func(a *model.Action) { a.Build = "none" }, "there is no build none in"},
		"no such gate":       {func(a *model.Action) { a.Node = "gate/none" }, "there is no gate gate/none"},
		"no reason":          {func(a *model.Action) { a.Verb = model.VerbSkip }, "a reason is missing"},
		"nothing to undo":    {func(a *model.Action) { a.Verb = model.VerbUndo }, "nothing was decided"},
	} {
		a := g.action(model.VerbApprove)
		c.change(&a)
		var refused *model.Refusal
		if err := g.refused(a); !errors.As(err, &refused) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	register(t, registration{name: "gates", readers: func(p *Project) []reader { return []reader{fakeReader{id: gatesBuild}} }})
	if err := g.refused(g.action(model.VerbApprove)); !strings.Contains(err.Error(), "gates is only read here") {
		t.Error(err)
	}
}

func TestDoWaitsForAnUnfinishedWrite(t *testing.T) {
	g := newGated(t, nil)
	g.write("")
	done := make(chan struct{})
	go func() {
		defer close(done)
		g.do(g.action(model.VerbApprove))
	}()
	g.write(gatesText)
	<-done
}

// brokenLog is a journal whose parts fail.
type brokenLog struct {
	logbook
	begin, end error
}

func (l brokenLog) Begin(d model.Decision) (model.Decision, error) {
	if l.begin != nil {
		return d, l.begin
	}
	return l.logbook.Begin(d)
}

func (l brokenLog) End(id string, done bool) error {
	if l.end != nil {
		return l.end
	}
	return l.logbook.End(id, done)
}

func TestNoDecisionWithoutAJournal(t *testing.T) {
	g := newGated(t, nil)
	full := errors.New("no space left on device")
	g.as.journal = func(p *Project) logbook { return brokenLog{logbook: p.openJournal(), begin: full} }
	if err := g.refused(g.action(model.VerbApprove)); !errors.Is(err, full) {
		t.Error(err)
	}
	g.as.journal = func(*Project) logbook { return nil }
	if err := g.refused(g.action(model.VerbApprove)); !strings.Contains(err.Error(), "there is no place for the journal") {
		t.Error(err)
	}
	// A journal whose file cannot be created.
	g.p.user.Journal = filepath.Join(g.dir, gatesFile, "journal")
	g.as.journal = (*Project).openJournal
	if err := g.refused(g.action(model.VerbApprove)); !strings.Contains(err.Error(), filepath.Join(gatesFile, "journal")) {
		t.Error(err)
	}
}

func TestDoRetriesAfterAnotherWrite(t *testing.T) {
	var g *gated
	tries := 0
	g = newGated(t, func() {
		if tries++; tries == 2 { // the first is before the second reading of the file
			g.rewrite("\nend", "\nnote: between\nend")
		}
	})
	g.do(g.action(model.VerbApprove))
	g.do(model.Action{Verb: model.VerbApprove, Project: g.p.root, Build: gatesBuild, Node: "gate/ship"})
	if text := g.text(); !strings.Contains(text, "note: between") || !strings.Contains(text, "frame: passed") || !strings.Contains(text, "ship: passed") {
		t.Errorf("%q", text)
	}
	if all := g.decisions(); len(all) != 2 {
		t.Errorf("a try that came to nothing is in the journal: %+v", all)
	}
	if tries != 3 {
		t.Errorf("%d tries", tries)
	}
}

func TestDoGivesUpOnAConstantWriter(t *testing.T) {
	var g *gated
	n := 0
	g = newGated(t, func() {
		n++
		g.write(strings.Replace(gatesText, "\nend", fmt.Sprintf("\nnote: %d\nend", n), 1))
	})
	_, err := g.as.Do(t.Context(), g.action(model.VerbApprove))
	if !errors.Is(err, statefile.ErrChanging) || strings.Contains(g.text(), "passed") || len(g.decisions()) > 0 {
		t.Errorf("%v, %q, %+v", err, g.text(), g.decisions())
	}
}

func TestSettleWaitsForHalfAFile(t *testing.T) {
	g := newGated(t, nil)
	o := g.do(g.action(model.VerbApprove))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := g.as.Settle(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	// Half of the file is there for a moment.
	whole := strings.Replace(g.text(), "\nend", "\nnote: on\nend", 1)
	g.write("gates\nframe: pass")
	mended := make(chan struct{})
	go func() {
		defer close(mended)
		must(t, os.WriteFile(filepath.Join(g.dir, gatesFile), []byte(whole), 0o644))
	}()
	if err := g.as.Settle(t.Context(), o); err != nil {
		t.Error(err)
	}
	<-mended
}

// TestWatchSeesAnotherLoop checks that Watch reports a decision as lost when its file now belongs to another loop or was recreated,
// whatever the file says about the gate.
func TestWatchSeesAnotherLoop(t *testing.T) {
	const text = `{"loop": "x", "status": "active", "phases": {"A": {"status": "complete"}}, "gates": {"g1": {"status": "pending", "passedAt": null}}, "started_at": "2026-03-01T09:00:00Z"}`
	for from, c := range map[string]struct {
		to   string
		lost bool
	}{`"x"`: {`"zzz"`, true}, "T09:": {"T10:", true}, `"A"`: {`"B"`, false}} {
		dir := t.TempDir()
		file := filepath.Join(dir, "x-state.json")
		must(t, os.WriteFile(file, []byte(text), 0o644))
		p, err := Open(dir, User{Home: dir, Name: "ada", Journal: filepath.Join(t.TempDir(), "journal")})
		must(t, err)
		as := NewActions([]*Project{p}, "test", ticking())
		o, err := as.Do(t.Context(), model.Action{Project: p.root, Build: "loop:x-state.json", Node: "gate/g1", Verb: model.VerbApprove})
		must(t, err)
		now, err := os.ReadFile(file)
		must(t, err)
		must(t, os.WriteFile(file, []byte(strings.Replace(string(now), from, c.to, 1)), 0o644))
		p.Touch()
		err = as.Watch(t.Context(), o, 10*time.Millisecond)
		var over *model.Overwritten
		if errors.As(err, &over) != c.lost || !c.lost && err != nil {
			t.Errorf("%s became %s: %v", from, c.to, err)
		}
	}
}

func TestConcurrentEqualDecisions(t *testing.T) {
	g := newGated(t, nil)
	const many = 8
	var wg sync.WaitGroup
	outcomes := make(chan string, many)
	for range many {
		wg.Go(func() {
			_, err := NewActions([]*Project{g.p}, "test", g.as.now).Do(t.Context(), g.action(model.VerbApprove))
			var refused *model.Refusal
			switch {
			case err == nil:
				outcomes <- "done"
			case errors.As(err, &refused) && refused.Already:
				outcomes <- "already"
			default:
				outcomes <- err.Error()
			}
		})
	}
	// The project is read at the same time, as a dashboard does.
	for range 20 {
		g.p.Touch()
		g.p.Read(noon)
	}
	wg.Wait()
	close(outcomes)
	count := map[string]int{}
	for o := range outcomes {
		count[o]++
	}
	if count["done"] != 1 || count["already"] != many-1 {
		t.Errorf("%v", count)
	}
	if all := g.decisions(); len(all) != 1 {
		t.Errorf("%+v", all)
	}
}

// countingEditor counts how often an editor looks up the target of an action, and how often it judges a content.
type countingEditor struct {
	editor
	targets, judged *int
}

func (e countingEditor) Target(a model.Action, now time.Time) (protocol.Target, error) {
	*e.targets++
	about, err := e.editor.Target(a, now)
	judge := about.Judge
	about.Judge = func(content string) (protocol.Answer, error) {
		*e.judged++
		return judge(content)
	}
	return about, err
}

// TestADecisionIsJudgedOnce checks that a proposal judges a file once, and that carrying it out judges the file once more, under the
// lock, whatever text is typed.
func TestADecisionIsJudgedOnce(t *testing.T) {
	g := newGated(t, nil)
	targets, judged := 0, 0
	plain := protocols[0].readers
	protocols[0].readers = func(p *Project) []reader {
		all := plain(p)
		for i, r := range all {
			all[i] = countingEditor{r.(editor), &targets, &judged}
		}
		return all
	}
	counts := func(what string, wantTargets int) {
		t.Helper()
		if targets != wantTargets || judged != 1 {
			t.Errorf("%s: looked %d times for what it is about, want %d; judged %d times, want once", what, targets, wantTargets, judged)
		}
		targets, judged = 0, 0
	}
	a := g.action(model.VerbSkip)
	a.Text = "nobody needs it"
	p, err := g.as.Propose(t.Context(), a)
	must(t, err)
	counts("proposed", 1)
	g.do(p.Action)
	counts("done", 1) // the proposal has the file to lock
}
