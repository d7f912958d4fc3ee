package parse

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gatehouse/model"
)

// seen returns the hash that --if-seen takes for the gate "frame".
func (g *gated) seen() string {
	g.Helper()
	g.p.Touch()
	p := g.p.Read(noon)
	n, _ := p.Builds[0].Find("gate/frame")
	return Seen(p, p.Builds[0], n)
}

// TestSwappedEvidenceIsNotApproved checks that only displayed evidence is approved: evidence that is swapped between display and
// decision is refused, even if only its bytes differ.
func TestSwappedEvidenceIsNotApproved(t *testing.T) {
	const text = `{"loop": "x", "status": "active", "phases": {"A": {"status": "complete", "deliverables": ["PLAN.md"]}}, "gates": {"g1": {"status": "pending", "passedAt": null, "deliverables": ["PLAN.md"]}}}`
	for _, pause := range []time.Duration{0, 10 * time.Millisecond, 100 * time.Millisecond} {
		dir := t.TempDir()
		put(t, dir, "x-state.json", text)
		put(t, dir, "PLAN.md", "good")
		p, err := Open(dir, User{Home: dir, Name: "ada", Journal: filepath.Join(t.TempDir(), "journal")})
		must(t, err)
		as := NewActions([]*Project{p}, "test", time.Now)
		shown, err := as.Propose(t.Context(), model.Action{Project: p.root, Build: p.Read(noon).Builds[0].ID, Node: "gate/g1", Verb: model.VerbApprove})
		must(t, err)
		if len(shown.Evidence) != 1 || shown.Hashes[0] == "" {
			t.Fatalf("%+v", shown)
		}
		info, err := os.Stat(filepath.Join(dir, "PLAN.md"))
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, "PLAN.md"), []byte("evil"), 0o644))
		must(t, os.Chtimes(filepath.Join(dir, "PLAN.md"), info.ModTime(), info.ModTime()))
		time.Sleep(pause)
		var changed *model.Changed
		if _, err := as.Do(t.Context(), shown.Action); !errors.As(err, &changed) || changed.Now == nil {
			t.Errorf("%v later: %v", pause, err)
		}
		o, err := as.Do(t.Context(), changed.Now.Action)
		if err != nil || len(o.Decision.Evidence) == 0 || o.Decision.Evidence[0].Hash != hashFile(dir, "PLAN.md") {
			t.Errorf("%+v, %v", o, err)
		}
	}
}

// TestGatePassedLongAgo checks that a human's gate counts as decided however old its decision is.
func TestGatePassedLongAgo(t *testing.T) {
	g := newGated(t, nil)
	plain := protocols[0].readers
	protocols[0].readers = func(p *Project) []reader { return []reader{humanGates{plain(p)[0].(gateReader)}} }
	others := func(at time.Time) {
		for range maxDecisions + 10 {
			d, err := g.p.openJournal().Begin(model.Decision{At: at, Build: gatesBuild, Node: "gate/none", Verb: model.VerbApprove})
			must(t, err)
			must(t, g.p.openJournal().End(d.ID, true))
		}
	}
	others(noon)
	g.do(g.action(model.VerbApprove))
	others(noon.Add(time.Hour))
	if g.gate().Unattributed {
		t.Error("the gate counts as passed without a decision")
	}
}

// humanGates is a reader whose gates are for humans.
type humanGates struct{ gateReader }

func (r humanGates) Read(now time.Time) *model.Build {
	b := r.gateReader.Read(now)
	for _, n := range model.Walk(b.Nodes) {
		if n.Gate != nil {
			n.Gate.Approval = model.ApprovalHuman
		}
	}
	return b
}
