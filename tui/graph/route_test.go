package graph

import (
	"fmt"
	"strings"
	"testing"

	"gatehouse/tui/tuitest"
)

// TestRoutes: the routes of a graph reach all their targets, and no two stops of a column share a row.
func TestRoutes(t *testing.T) {
	for _, n := range []int{1, 5, 60, 400, 2000} {
		p := NewPlan(tuitest.Web(n + 50).Projects[0].Builds[0], nil)
		for k, column := range p.routes.columns {
			seen := map[int]bool{}
			for _, s := range column {
				at := &p.routes.stops[s]
				if seen[at.y] || at.layer != k || at.y >= p.routes.rows || at.y < 0 {
					t.Fatalf("%d chunks: stop %+v", n, at)
				}
				seen[at.y] = true
			}
		}
		reached := 0
		for _, g := range p.routes.gutters {
			for _, b := range g.bundles {
				reached += len(b.to)
				if b.track >= mostTracks || b.low > b.from || b.high < b.from {
					t.Fatalf("%d chunks: bundle %+v", n, b)
				}
			}
		}
		stops := len(p.routes.stops) - len(p.layers[0])
		if reached < stops {
			t.Errorf("%d chunks: %d pieces lead to %d stops", n, reached, stops)
		}
		if len(p.order) != len(p.nodes) {
			t.Errorf("%d chunks, %d in order", len(p.nodes), len(p.order))
		}
	}
}

// TestRoutesLeaveOutImpliedNeeds: an edge that follows from other edges is not drawn.
func TestRoutesLeaveOutImpliedNeeds(t *testing.T) {
	p := NewPlan(tuitest.ReaderBuild(), nil)
	for i, needs := range p.reducedNeeds() {
		var names []string
		for _, j := range needs {
			names = append(names, p.nodes[j].Number)
		}
		if want := map[string]string{"5": "3 4", "8": "5", "9": "5 6", "10": "7 5", "11": "8 9"}[p.nodes[i].Number]; want != "" && strings.Join(names, " ") != want {
			t.Errorf("%s needs %v, want %s", p.nodes[i].Number, names, want)
		}
	}
	if fmt.Sprint(p.waitText(7)) != "waits for 5 API" {
		t.Error(p.waitText(7))
	}
}
