package parse

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
)

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
