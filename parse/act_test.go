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
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/disk/statefile"
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
		ID: d.ID, At: noon, Who: "ada", By: "test", Project: peek.Resolve(g.dir), Build: gatesBuild, File: gatesFile, Node: "gate/frame", Name: "frame",
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

func TestNoDecisionWithoutAJournal(t *testing.T) {
	g := newGated(t, nil)
	g.p.user.Journal = ""
	if err := g.refused(g.action(model.VerbApprove)); !strings.Contains(err.Error(), "there is no place for the journal") {
		t.Error(err)
	}
	// A journal whose file cannot be created.
	g.p.user.Journal = filepath.Join(g.dir, gatesFile, "journal")
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

// TestShownHasNoTimes checks that a proposal displayed again a second later has the same Shown hash: within the second of the last
// write, the time may not need to be written.
func TestShownHasNoTimes(t *testing.T) {
	status := model.Edit{Label: "gates.frame.status", Old: `"pending"`, New: `"passed"`}
	at := model.Edit{Label: "last_updated", Old: `"2026-03-01T12:00:00Z"`, New: `"2026-03-01T12:00:01Z"`}
	added := model.Edit{Label: "gates.frame.passedAt", New: `"passedAt": "2026-03-01T12:00:01Z"`}
	same := shownOf(&model.Proposal{Effect: "pending → passed", Edits: []model.Edit{status}})
	for _, p := range []*model.Proposal{
		{Effect: "pending → passed", Edits: []model.Edit{status, at}, Since: time.Unix(1, 0)},
		{Effect: "pending → passed", Edits: []model.Edit{added, status, at}},
	} {
		if shownOf(p) != same {
			t.Errorf("%+v is shown as something else", p.Edits)
		}
	}
	status.New = `"failed"`
	if shownOf(&model.Proposal{Effect: "pending → passed", Edits: []model.Edit{status}}) == same {
		t.Error("another value is shown as the same")
	}
}

// TestRevertedSyncIsOverwritten checks that a sync stands until another writer restores its old copy.
func TestRevertedSyncIsOverwritten(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, ".ultraplan/config.json", "{}")
	put(t, dir, ".planning/STATE.md", syncState)
	for _, name := range []string{"01-01-PLAN.md", "01-01-SUMMARY.md", "01-02-PLAN.md"} {
		put(t, dir, ".planning/phases/01-quay/"+name, "x\n")
	}
	p, err := Open(dir, User{Name: "ada", Journal: filepath.Join(t.TempDir(), "journal")})
	must(t, err)
	as := NewActions([]*Project{p}, "test", time.Now)
	a := model.Action{Verb: model.VerbSync, Project: p.Root(), Build: "ultraplan"}
	proposal, err := as.Propose(t.Context(), a)
	if err != nil || len(proposal.Edits) != 1 || proposal.Edits[0].New != "[#####░░░░░] 50%" || proposal.Edits[0].Pos.Line != 7 || proposal.Confirm != "" {
		t.Fatalf("%+v, %v", proposal, err)
	}
	o, err := as.Do(t.Context(), proposal.Action)
	if err != nil || o.Decision.Was != "100%" || o.Decision.Is != "50%" {
		t.Fatalf("%+v, %v", o, err)
	}
	if err := as.Settle(t.Context(), o); err != nil {
		t.Error(err)
	}
	// Another writer that keeps the synced value has not overwritten the decision.
	text, err := os.ReadFile(filepath.Join(dir, ".planning", "STATE.md"))
	must(t, err)
	put(t, dir, ".planning/STATE.md", string(text)+"\nmore\n")
	if err := as.Settle(t.Context(), o); err != nil {
		t.Error(err)
	}
	// A writer that restores its old copy has overwritten it.
	put(t, dir, ".planning/STATE.md", syncState)
	var over *model.Overwritten
	if err := as.Settle(t.Context(), o); !errors.As(err, &over) || strings.Join(over.Lost, ",") != "Progress" {
		t.Error(err)
	}
}
