package index

import (
	"slices"
	"testing"
	"time"

	"gatehouse/model"
)

func TestCompareBuilds(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	before := &model.Build{Nodes: []*model.Node{
		{ID: "g", Kind: model.KindGroup, Title: "Quick tasks", Status: model.Active, Count: model.Count{Done: 0, Total: 2}},
		{ID: "p1", Kind: model.KindPhase, Number: "01", Title: "Base", Status: model.Active, Count: model.Count{Done: 1, Total: 3}, Children: []*model.Node{
			{ID: "a", Kind: model.KindPlan, Number: "01-01", Status: model.Pending, Raw: "planned"},
			{ID: "b", Kind: model.KindPlan, Number: "01-02", Status: model.Active},
			{ID: "c", Kind: model.KindPlan, Number: "01-03", Status: model.Done, Title: "same"},
		}},
		{ID: "p2", Kind: model.KindPhase, Number: "02", Status: model.Pending},
		{ID: "h", Kind: model.KindGroup, Title: "Notes"},
	}}
	after := &model.Build{Nodes: []*model.Node{
		{ID: "g", Kind: model.KindGroup, Title: "Quick tasks", Status: model.Done, Count: model.Count{Done: 2, Total: 2}},
		{ID: "p1", Kind: model.KindPhase, Number: "01", Title: "Base", Status: model.Active, Count: model.Count{Done: 2, Total: 3}, Children: []*model.Node{
			{ID: "c", Kind: model.KindPlan, Number: "01-03", Status: model.Done, Title: "another title"},
			{ID: "a", Kind: model.KindPlan, Number: "01-01", Status: model.Done, Raw: "complete"},
			{ID: "b", Kind: model.KindPlan, Number: "01-02", Status: model.Active, Raw: "halted"},
			{ID: "d", Kind: model.KindPlan, Number: "01-04", Status: model.Waiting},
		}},
		{ID: "i", Kind: model.KindGroup, Title: "Ideas"},
	}}
	want := []Event{
		{Where: Place{Node: "p1"}, Kind: model.KindPhase, What: "Phase 01 Base", From: model.Active, To: model.Active, Text: "1/3 → 2/3"},
		{Where: Place{Node: "a"}, Kind: model.KindPlan, What: "Plan 01-01", From: model.Pending, To: model.Done, Text: "pending → done"},
		{Where: Place{Node: "b"}, Kind: model.KindPlan, What: "Plan 01-02", From: model.Active, To: model.Active, Text: "in the file: no status → halted"},
		{Where: Place{Node: "d"}, Kind: model.KindPlan, What: "Plan 01-04", From: model.Unknown, To: model.Waiting, Text: "appeared: waiting"},
		{Where: Place{Node: "p2"}, Kind: model.KindPhase, What: "Phase 02", From: model.Pending, To: model.Unknown, Text: "gone"},
	}
	for i := range want {
		want[i].At = noon
	}
	if got := compareBuilds(before, after, noon); !slices.Equal(got, want) {
		t.Errorf("told\n%+v\nwant\n%+v", got, want)
	}
}

func TestCompareBuildsWithoutChange(t *testing.T) {
	tree := func() *model.Build {
		return &model.Build{Nodes: []*model.Node{{ID: "p1", Kind: model.KindPhase, Children: []*model.Node{{ID: "a", Kind: model.KindPlan}}}, {ID: "t", Kind: model.KindTask}}}
	}
	b, turn := tree(), tree()
	turn.Nodes = append(turn.Nodes, &model.Node{ID: "ask/a", Kind: model.KindGate, Status: model.Waiting, Gate: &model.Gate{Ask: &model.Ask{Kind: model.AskTurn}}})
	for name, pair := range map[string][2]*model.Build{
		"nothing before": {nil, b}, "nothing after": {b, nil}, "the same": {b, tree()},
		"a finished turn is a change of its session": {tree(), turn}, "and so is its end": {turn, tree()},
	} {
		if got := compareBuilds(pair[0], pair[1], time.Time{}); len(got) > 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
