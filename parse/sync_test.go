package parse

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"gatehouse/model"
)

// syncState is a STATE.md that contradicts a tree with one of two plans finished.
const syncState = "# Project State\n\n## Current Position\n\nPhase: 1 of 1 (Quay)\nStatus: In progress\nProgress: [##########] 100%\n"

func TestSyncIsDoneAsADecision(t *testing.T) {
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
	put(t, dir, ".planning/STATE.md", syncState)
	// Only the displayed change is made: after the tree has changed, the proposal is shown again.
	proposal, err = as.Propose(t.Context(), a)
	must(t, err)
	put(t, dir, ".planning/phases/01-quay/01-03-PLAN.md", "x\n")
	var changed *model.Changed
	if _, err := as.Do(t.Context(), proposal.Action); !errors.As(err, &changed) {
		t.Error(err)
	}
	// A second between display and decision does not change the display.
	clock := time.Now()
	as = NewActions([]*Project{p}, "test", func() time.Time { clock = clock.Add(3 * time.Second); return clock })
	put(t, dir, ".planning/STATE.md", syncState+"\n```yaml\ncurrent_task:\n  name: Task 1\n  plan: 01-01\n  gate_status: FAILED\n```\n")
	skip := model.Action{Verb: model.VerbSkip, Project: p.Root(), Build: "ultraplan", Node: "task/current/gate", Text: "it is not needed any more"}
	if proposal, err = as.Propose(t.Context(), skip); err != nil {
		t.Fatal(err)
	}
	if o, err = as.Do(t.Context(), proposal.Action); err != nil || o.Decision.Is != "SKIPPED" {
		t.Errorf("%+v, %v", o, err)
	}
}
