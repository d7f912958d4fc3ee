package model

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// tree is a milestone with two phases, the first with two plans, and a milestone
// that is over.
func tree() *Build {
	return &Build{Nodes: []*Node{
		{ID: "m1", Kind: KindMilestone, Children: []*Node{
			{ID: "p1", Kind: KindPhase, Children: []*Node{{ID: "a", Kind: KindPlan}, {ID: "b", Kind: KindPlan}}},
			{ID: "p2", Kind: KindPhase, Children: []*Node{{ID: "c", Kind: KindPlan}}},
		}},
		{ID: "m0", Kind: KindMilestone, Standing: Standing{Status: Archived}, Children: []*Node{{ID: "p0", Kind: KindPhase, Standing: Standing{Status: Archived}}}},
	}}
}

func ids(nodes []*Node) string {
	var all []string
	for _, n := range nodes {
		all = append(all, n.ID)
	}
	return strings.Join(all, " ")
}

func TestWalkYieldsParentsFirstWithTheirDepth(t *testing.T) {
	var seen []string
	for depth, n := range Walk(tree().Nodes) {
		seen = append(seen, fmt.Sprint(n.ID, depth))
	}
	if want := []string{"m10", "p11", "a2", "b2", "p21", "c2", "m00", "p01"}; !slices.Equal(seen, want) {
		t.Errorf("%q, want %q", seen, want)
	}
	for range Walk(nil) {
		t.Error("there is a node in nothing")
	}
}

func TestFindReturnsTheNodesAbove(t *testing.T) {
	b := tree()
	for id, above := range map[string]string{"m1": "", "p1": "m1", "b": "m1 p1", "c": "m1 p2", "m0": "", "p0": "m0"} {
		n, path := b.Find(id)
		if n == nil || n.ID != id || ids(path) != above {
			t.Errorf("%s: %v below %q, want below %q", id, n, ids(path), above)
		}
	}
	if n, above := b.Find("x"); n != nil || above != nil {
		t.Errorf("found %v below %v", n, above)
	}
}

func TestOfKindLeavesArchivedOut(t *testing.T) {
	for kind, want := range map[Kind]string{KindMilestone: "m1", KindPhase: "p1 p2", KindPlan: "a b c", KindTask: ""} {
		if got := ids(tree().OfKind(kind)); got != want {
			t.Errorf("%s: %q, want %q", kind, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	for want, n := range map[string]Node{
		"Phase 04.5 Search": {Kind: KindPhase, Number: "04.5", Title: "Search"},
		"Phase 04.5":        {Kind: KindPhase, Number: "04.5"},
		"Plan api":          {Kind: KindPlan, Title: "api"},
		"1 write it":        {Kind: KindTask, Number: "1", Title: "write it"},
		"v1.0":              {Kind: KindMilestone, Number: "v1.0"},
	} {
		if got := n.Name(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
