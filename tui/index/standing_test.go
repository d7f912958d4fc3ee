package index

import (
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/tui/draw"
)

// TestStanding: filters and counts include only what waits and runs now.
func TestStanding(t *testing.T) {
	old := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	gate := func(id string, s model.Status) *model.Node {
		return &model.Node{ID: id, Kind: model.KindGate, Status: s, Gate: &model.Gate{}}
	}
	test := gate("gate/uat/2", model.Waiting)
	over := gate("gate/over", model.Waiting)
	over.Archive()
	b := &model.Build{
		ID: "gsd", Protocol: "gsd", Status: model.Waiting, File: "STATE.md",
		Waits:   []model.Wait{{Node: "gate/uat/1", Text: "look"}, {Node: "gate/old", Text: "well?", Standing: model.Standing{Status: model.Old}}, {Node: "gate/later", Text: "well?", Standing: model.Standing{Status: model.Upcoming}}},
		Expired: []model.Wait{{Node: "gate/handoff", Text: "buy a key", Standing: model.Standing{Status: model.Expired, Reason: "work went on"}}},
		Nodes: []*model.Node{
			{ID: "waits", Kind: model.KindPhase, Status: model.Waiting, Children: []*model.Node{gate("gate/uat/1", model.Waiting), test}},
			{ID: "answered", Kind: model.KindPhase, Status: model.Waiting, Standing: model.Standing{Status: model.Answered}},
			{ID: "executed", Kind: model.KindPhase, Status: model.Executed},
			{ID: "runs", Kind: model.KindPhase, Status: model.Active},
			{ID: "stale", Kind: model.KindPhase, Status: model.Active, Standing: model.Standing{Status: model.Stale, Since: old}},
			{ID: "shipped", Kind: model.KindPhase, Status: model.Active, Standing: model.Standing{Status: model.Expired}, Children: []*model.Node{over}},
			gate("gate/handoff", model.Skipped),
			{ID: "untouched", Kind: model.KindPhase, Status: model.Waiting, Children: []*model.Node{gate("gate/old", model.Waiting)}},
			gate("gate/later", model.Waiting),
		},
	}
	ix := New(&model.Snapshot{Version: 1, Projects: []*model.Project{{Root: "/p", Name: "p", Builds: []*model.Build{b}}}}, nil)
	s := ix.Sites[0]
	for id, want := range map[string]Standing{
		"waits": StandsWaiting, "gate/uat/1": StandsWaiting, "gate/uat/2": StandsElsewise, "answered": StandsElsewise, "executed": StandsElsewise,
		"runs": StandsRunning, "stale": StandsElsewise, "shipped": StandsElsewise, "gate/over": StandsElsewise, "gate/handoff": StandsElsewise,
		"untouched": StandsElsewise, "gate/old": StandsElsewise, "gate/later": StandsElsewise,
	} {
		if got := s.Standing(s.Nodes[id].Node); got != want {
			t.Errorf("%s stands as %d, want %d", id, got, want)
		}
		f := Filter{}
		for i := range States {
			f.States = 1 << i
			if f.Passes(want) != (want == StandsWaiting+Standing(i)) {
				t.Errorf("%s passes the filter %q: %v", id, States[i].Word, f.Passes(want))
			}
		}
	}
	l := &draw.Look{Theme: draw.NewStyles(draw.ThemeMono), Glyphs: draw.NewGlyphs(false)}
	for id, want := range map[string]string{"gate/uat/1": "waiting", "gate/uat/2": "pending", "untouched": "old", "gate/old": "old"} {
		if _, _, word := s.StatusOf(l, s.Nodes[id].Node); word != want {
			t.Errorf("%s is said to be %q, want %q", id, word, want)
		}
	}
	if waiting := s.countLowest(b.Nodes, StandsWaiting, nil); waiting != ix.Sums.Waits || ix.Sums.Old != 1 {
		t.Errorf("%d rows wait: %+v", waiting, ix.Sums)
	}
	if ix.Sums.Waits != 1 || ix.Sums.Running != 1 {
		t.Errorf("%+v", ix.Sums)
	}
}

// TestTwoWaitsOfOneRow: both are counted, because both need an answer.
func TestTwoWaitsOfOneRow(t *testing.T) {
	b := &model.Build{ID: "spec-kit:001", Protocol: "spec-kit", Status: model.Waiting, Waits: []model.Wait{{Node: "spec", Text: "Which login?"}, {Node: "spec", Text: "Which store?"}},
		Nodes: []*model.Node{{ID: "spec", Status: model.Waiting}}}
	ix := New(&model.Snapshot{Version: 1, Projects: []*model.Project{{Root: "/p", Builds: []*model.Build{b}}}}, nil)
	if ix.Sums.Waits != 2 || len(ix.Waits) != 2 {
		t.Errorf("%d counted, %d listed", ix.Sums.Waits, len(ix.Waits))
	}
}

// TestPendingWaitsAreNotLogged: the timeline never says that a row waits while it is pending behind another wait, neither for past nor for new events.
func TestPendingWaitsAreNotLogged(t *testing.T) {
	at := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	snap := func(version uint64, status model.Status) *model.Snapshot {
		gate := func(id string, s model.Status) *model.Node {
			return &model.Node{ID: id, Kind: model.KindGate, Title: id, Status: s, Since: at, Gate: &model.Gate{}}
		}
		b := &model.Build{ID: "gsd", Protocol: "gsd", Status: model.Waiting, Waits: []model.Wait{{Node: "first", Text: "look"}},
			Nodes: []*model.Node{gate("first", model.Waiting), gate("behind", model.Waiting), gate("next", status)}}
		return &model.Snapshot{Version: version, At: at, Projects: []*model.Project{{Root: "/p", Name: "p", Builds: []*model.Build{b}}}}
	}
	ix := New(snap(2, model.Waiting), New(snap(1, model.Pending), nil))
	if len(ix.Log) != 1 || ix.Log[0].What != "first" {
		t.Errorf("told: %+v", ix.Log)
	}
}

// TestBuildsOfAProject: the name of a build is just long enough to be unique in its project.
func TestBuildsOfAProject(t *testing.T) {
	build := func(protocol, id string) *model.Build { return &model.Build{Protocol: protocol, ID: id} }
	gsd, a, b, agents := build("gsd", "gsd"), build("loop", "loop:a-state.json"), build("loop", "loop:b-state.json"), build(model.AgentsBuild, model.AgentsBuild)
	for _, c := range []struct {
		builds []*model.Build
		want   []string
	}{
		{[]*model.Build{a}, []string{"p"}},
		{[]*model.Build{a, agents}, []string{"p", "p · agents"}},
		{[]*model.Build{gsd, a}, []string{"p · gsd", "p · loop"}},
		{[]*model.Build{gsd, a, b}, []string{"p · gsd", "p · loop:a-state.json", "p · loop:b-state.json"}},
	} {
		for i, s := range New(&model.Snapshot{Version: 1, Projects: []*model.Project{{Root: "/p", Name: "p", Builds: c.builds}}}, nil).Sites {
			if strings.ReplaceAll(s.Name, "\x1f", "") != c.want[i] {
				t.Errorf("%q, want %q", s.Name, c.want[i])
			}
		}
	}
}
