package model

import (
	"encoding/json"
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

func TestWalkStopsWhenTheLoopBreaks(t *testing.T) {
	for _, last := range []string{"m1", "p1", "a", "c", "m0"} {
		count := 0
		for _, n := range Walk(tree().Nodes) {
			count++
			if n.ID == last {
				break
			}
		}
		if want := map[string]int{"m1": 1, "p1": 2, "a": 3, "c": 6, "m0": 7}[last]; count != want {
			t.Errorf("%d nodes up to %s, want %d", count, last, want)
		}
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

func TestPlacesAndProblemsAreOneLine(t *testing.T) {
	for want, p := range map[string]Problem{
		"STATE.md:12:3: no status; add one": {Pos: Pos{File: "STATE.md", Line: 12, Col: 3}, Text: "no status", Fix: "add one"},
		"STATE.md:12: no status":            {Pos: Pos{File: "STATE.md", Line: 12}, Text: "no status"},
		"STATE.md: no status":               {Pos: Pos{File: "STATE.md", Col: 3}, Text: "no status"},
		"no status":                         {Text: "no status"},
		"no status; add one":                {Text: "no status", Fix: "add one"},
	} {
		if got := p.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestUnknownValuesAreLeftOutOfTheJSON(t *testing.T) {
	for want, v := range map[string]any{
		`{"command":"plan-phase 3","why":"","derived":true}`:                                                          Next{Command: "plan-phase 3", Derived: true},
		`{"command":"plan-phase 3","why":"","derived":false,"source":{"file":"STATE.md","line":2}}`:                   Next{Command: "plan-phase 3", Source: Pos{File: "STATE.md", Line: 2}},
		`{"id":"p","kind":"phase","title":"","status":"pending"}`:                                                     Node{ID: "p", Kind: KindPhase, Status: Pending},
		`{"file":"a","severity":"error","text":"b"}`:                                                                  Problem{Pos: Pos{File: "a"}, Severity: Error, Text: "b"},
		`{"node":"","text":"a","place":"","evidence":"test","since":"2026-03-01T12:00:00Z","source":{"file":"b.md"}}`: Wait{Text: "a", Evidence: Tested, Since: noon, Source: Pos{File: "b.md"}},
	} {
		if got, err := json.Marshal(v); string(got) != want || err != nil {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
}
