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

// seen returns the hash that --if-seen takes for the gate "frame".
func (g *gated) seen() string {
	g.Helper()
	g.p.Touch()
	p := g.p.Read(noon)
	n, _ := p.Builds[0].Find("gate/frame")
	return Seen(p, p.Builds[0], n)
}

// TestIfSeenComparesAndSets checks that a decision with IfSeen is carried out while everything is as it was seen, once however often it
// is repeated, and not after anything about it has changed or it was undone.
func TestIfSeenComparesAndSets(t *testing.T) {
	evidence := func(g *gated) string { return filepath.Join(g.dir, "frame.md") }
	for _, verb := range []model.Verb{model.VerbApprove, model.VerbSkip, model.VerbChanges} {
		g := newGated(t, nil)
		must(t, os.WriteFile(evidence(g), []byte("good"), 0o644))
		a := g.action(verb)
		if verb != model.VerbApprove {
			a.Text = "for a good reason"
		}
		a.IfSeen = g.seen()
		var changed *model.Changed
		var refused *model.Refusal

		// The evidence is replaced by another file of the same size and time.
		info, err := os.Stat(evidence(g))
		must(t, err)
		must(t, os.WriteFile(evidence(g), []byte("evil"), 0o644))
		must(t, os.Chtimes(evidence(g), info.ModTime(), info.ModTime()))
		if _, err := g.as.Propose(t.Context(), a); !errors.As(err, &changed) {
			t.Errorf("%s, proposed with other evidence: %v", verb, err)
		}
		if err := g.refused(a); !errors.As(err, &changed) {
			t.Errorf("%s, with other evidence: %v", verb, err)
		}
		must(t, os.WriteFile(evidence(g), []byte("good"), 0o644))
		must(t, os.Chtimes(evidence(g), info.ModTime(), info.ModTime()))

		g.rewrite("\nend", "\nnote: something else\nend") // unrelated to the decision
		o := g.do(a)
		if e := o.Decision.Evidence; len(e) != 1 || e[0].File != "frame.md" || e[0].Hash != hashFile(g.dir, "frame.md") || o.Decision.Seen != a.IfSeen {
			t.Errorf("%+v", o.Decision)
		}
		for range 3 {
			if err := g.refused(a); !errors.As(err, &refused) || !refused.Already {
				t.Errorf("%s, repeated: %v", verb, err)
			}
			if _, err := g.as.Propose(t.Context(), a); !errors.As(err, &refused) || !refused.Already {
				t.Errorf("%s, repeated: %v", verb, err)
			}
		}
		if n := len(g.decisions()); n != 1 {
			t.Errorf("%s: %d decisions", verb, n)
		}
		other := g.action(model.VerbApprove)
		if verb == model.VerbApprove {
			other.Verb, other.Text = model.VerbSkip, "for a good reason"
		}
		other.IfSeen = a.IfSeen
		if err := g.refused(other); !errors.As(err, &changed) {
			t.Errorf("%s after %s: %v", other.Verb, verb, err)
		}
		g.do(g.action(model.VerbUndo))
		if err := g.refused(a); !errors.As(err, &changed) || !strings.Contains(err.Error(), "taken back") {
			t.Errorf("%s, undone and repeated: %v", verb, err)
		}
		a.IfSeen = g.seen()
		g.do(a)
	}
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
