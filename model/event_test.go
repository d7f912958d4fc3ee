package model

import (
	"slices"
	"testing"
)

func TestDiff(t *testing.T) {
	before := &Build{Nodes: []*Node{
		{ID: "g", Kind: KindGroup, Title: "Quick tasks", Status: Active, Count: Count{0, 2}},
		{ID: "p1", Kind: KindPhase, Number: "01", Title: "Base", Status: Active, Count: Count{1, 3}, Children: []*Node{
			{ID: "a", Kind: KindPlan, Number: "01-01", Status: Pending, Raw: "planned"},
			{ID: "b", Kind: KindPlan, Number: "01-02", Status: Active},
			{ID: "c", Kind: KindPlan, Number: "01-03", Status: Done, Title: "same"},
		}},
		{ID: "p2", Kind: KindPhase, Number: "02", Status: Pending},
		{ID: "h", Kind: KindGroup, Title: "Notes"},
	}}
	after := &Build{Nodes: []*Node{
		{ID: "g", Kind: KindGroup, Title: "Quick tasks", Status: Done, Count: Count{2, 2}},
		{ID: "p1", Kind: KindPhase, Number: "01", Title: "Base", Status: Active, Count: Count{2, 3}, Children: []*Node{
			{ID: "c", Kind: KindPlan, Number: "01-03", Status: Done, Title: "another title"},
			{ID: "a", Kind: KindPlan, Number: "01-01", Status: Done, Raw: "complete"},
			{ID: "b", Kind: KindPlan, Number: "01-02", Status: Active, Raw: "halted"},
			{ID: "d", Kind: KindPlan, Number: "01-04", Status: Waiting},
		}},
		{ID: "i", Kind: KindGroup, Title: "Ideas"},
	}}
	want := []Event{
		{Node: "p1", Kind: KindPhase, What: "Phase 01 Base", From: Active, To: Active, Text: "1/3 → 2/3"},
		{Node: "a", Kind: KindPlan, What: "Plan 01-01", From: Pending, To: Done, Text: "pending → done"},
		{Node: "b", Kind: KindPlan, What: "Plan 01-02", From: Active, To: Active, Text: "in the file: no status → halted"},
		{Node: "d", Kind: KindPlan, What: "Plan 01-04", From: Unknown, To: Waiting, Text: "appeared: waiting"},
		{Node: "p2", Kind: KindPhase, What: "Phase 02", From: Pending, To: Unknown, Text: "gone"},
	}
	for i := range want {
		want[i].At = noon
	}
	if got := Diff(before, after, noon); !slices.Equal(got, want) {
		t.Errorf("told\n%+v\nwant\n%+v", got, want)
	}
}

func TestDiffHasNothingToTell(t *testing.T) {
	b := tree()
	for name, pair := range map[string][2]*Build{"nothing before": {nil, b}, "nothing after": {b, nil}, "the same": {b, tree()}} {
		if got := Diff(pair[0], pair[1], noon); len(got) > 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestDiffTellsAWordThatWasTakenAway(t *testing.T) {
	before := &Build{Nodes: []*Node{{ID: "a", Kind: KindTask, Raw: "halted"}}}
	after := &Build{Nodes: []*Node{{ID: "a", Kind: KindTask}}}
	if got := Diff(before, after, noon); len(got) != 1 || got[0].Text != "in the file: halted → no status" {
		t.Errorf("%+v", got)
	}
}
