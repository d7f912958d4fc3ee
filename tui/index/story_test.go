package index

import (
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/tuitest"
)

// TestTheStoryHasOneRowForEachThing: the steps of a chunk are one row with their final result; a decision replaces the change that it
// caused; sums over parts and checks that ask nobody are left out.
func TestTheStoryHasOneRowForEachThing(t *testing.T) {
	at := func(second int) time.Time { return tuitest.Noon.Add(time.Duration(second) * time.Second) }
	activity := func(second int, kind, text, node string) model.Activity {
		return model.Activity{At: at(second), Kind: kind, Text: text, Node: node, Family: model.FamilyChunks}
	}
	gate := &model.Node{ID: "gate/a", Kind: model.KindGate, Title: "Look", Status: model.Waiting, Gate: &model.Gate{Asks: "Is it good?", Approval: model.ApprovalHuman}}
	check := &model.Node{ID: "gate/b", Kind: model.KindGate, Title: "lint", Status: model.Active, Gate: &model.Gate{Approval: model.ApprovalAuto}}
	snap := func(version uint64, change func(p *model.Project, b *model.Build)) *model.Snapshot {
		g, c := *gate, *check
		b := &model.Build{ID: "fctry", Protocol: "fctry", Status: model.Active, Nodes: []*model.Node{
			{ID: "phase/1", Kind: model.KindPhase, Title: "One", Status: model.Active, Children: []*model.Node{
				{ID: "chunk/3", Kind: model.KindChunk, Number: "3", Title: "Seed Level", Status: model.Active}, &g, &c}}}}
		p := &model.Project{Root: "/p", Name: "p", Builds: []*model.Build{b}}
		change(p, b)
		return &model.Snapshot{Version: version, At: at(int(version) * 60), Projects: []*model.Project{p}}
	}
	ix := New(snap(1, func(*model.Project, *model.Build) {}), nil)
	ix = New(snap(2, func(p *model.Project, b *model.Build) {
		b.Activity = []model.Activity{activity(1, "context-boundary", "Fresh context", "chunk/3"), activity(2, "chunk-started", "Building Seed Level", "chunk/3"),
			activity(8, "verification-failed", "1/2 checks passed", "chunk/3"), activity(9, "chunk-retrying", "Trying again", "chunk/3"),
			activity(14, "chunk-verified", "2/2 checks passed", "chunk/3"), activity(14, "chunk-completed", "3 Seed Level: built", "chunk/3")}
		b.Status = model.Done
		for _, n := range model.Walk(b.Nodes) {
			n.Status = model.Done
		}
		p.Decisions = []model.Decision{{ID: "1", At: at(60), Project: "/p", Build: "fctry", Node: "gate/a", Name: "Look", Verb: model.VerbApprove, Was: "waiting", Is: "passed"},
			{ID: "0", At: at(30), Project: "/p", Build: "agents", Node: "x", Name: "Which color?", Verb: model.VerbAnswer, Is: "answered", Text: "Teal"}}
	}), ix)
	var got []string
	for i := range ix.Stories {
		s := &ix.Stories[i]
		got = append(got, s.Status.String()+" "+s.Subject+": "+draw.Plain(s.Text))
	}
	want := `done 3 Seed Level: built
done you: answered "Teal" → Which color?
done you: approved Look`
	if have := strings.Join(got, "\n"); have != want {
		t.Errorf("%s\nwant\n%s", have, want)
	}
	if summary := (func() string { ix.Visited = at(0); return ix.SinceVisit(at(0)) })(); summary != "1 done since 12:00" {
		t.Errorf("%q", summary)
	}
}

// TestDecisionsSayWhatWasAnswered: a refusal is told in the word of the journal.
func TestDecisionsSayWhatWasAnswered(t *testing.T) {
	d := model.Decision{Verb: model.VerbAnswer, Is: "denied", Name: "Deploy now?", Text: "not today"}
	if got := draw.Plain(decisionText(&d)); got != `denied "not today" → Deploy now?` {
		t.Errorf("%q", got)
	}
}
