package parse

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gatehouse/model"
)

// TestSignedEvidence checks that a decision signed with some evidence is refused for other evidence, and that the journal keeps the
// decider and the signature.
func TestSignedEvidence(t *testing.T) {
	g := newGated(t, nil)
	file := filepath.Join(g.dir, "frame.md")
	must(t, os.WriteFile(file, []byte("good"), 0o644))
	a := g.action(model.VerbApprove)
	evidence, err := g.as.Evidence(a)
	must(t, err)
	if len(evidence) != 1 || evidence[0].File != "frame.md" {
		t.Fatalf("%+v", evidence)
	}
	a.Signature = &model.Signature{Project: "p", Is: "passed", Evidence: model.HashEvidence(evidence, "x"), Text: "signed"}
	must(t, os.WriteFile(file, []byte("evil"), 0o644))
	var changed *model.Changed
	if err := g.refused(a); !errors.As(err, &changed) {
		t.Errorf("with swapped evidence: %v", err)
	}
	must(t, os.WriteFile(file, []byte("good"), 0o644))
	other, failed := a, *a.Signature
	failed.Is, other.Signature = "failed", &failed
	if err := g.refused(other); !errors.As(err, &changed) {
		t.Errorf("signed with another outcome: %v", err)
	}
	who := model.Caller{Actor: model.Automation, Client: "bot", Session: "1", Chain: []string{"gatehouse", "make"}, TTY: model.NoTTY, How: model.HowCommand}
	g.as = g.as.WithCaller(who)
	g.do(a)
	d := g.decisions()[0]
	if d.Actor != who.Actor || d.Client != "bot" || d.Session != "1" || !slices.Equal(d.Chain, who.Chain) || d.TTY != model.NoTTY || d.How != model.HowCommand {
		t.Errorf("%+v", d.Caller)
	}
	if d.Signature == nil || d.Signature.Text != "signed" {
		t.Errorf("%+v", d.Signature)
	}
}

// TestHashEvidenceWithoutTheStateFile checks that the file that a decision changes is not part of its evidence: its hash would differ
// afterwards.
func TestHashEvidenceWithoutTheStateFile(t *testing.T) {
	files := []model.Evidenced{{File: "a.md", Hash: "1"}, {File: "STATE.md", Hash: "2"}}
	if model.HashEvidence(files, "STATE.md") != model.HashEvidence(files[:1], "") || model.HashEvidence(files, "a.md") == model.HashEvidence(files, "") {
		t.Error("the state file counts as evidence")
	}
}
