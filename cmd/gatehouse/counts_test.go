package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/conformance"
	"gatehouse/tui/index"
	"gatehouse/tui/pane"
)

// TestCountsEqualFilterHits compares each count of the header with the hits of its filter, in every real project and in all of them together.
func TestCountsEqualFilterHits(t *testing.T) {
	dir := conformance.Outside(t, "..", "real")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Skip(err)
	}
	for _, at := range []time.Time{time.Date(2026, 4, 18, 12, 0, 0, 0, time.UTC), time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)} {
		all := &model.Snapshot{Version: 1, At: at}
		for _, e := range entries {
			p, err := parse.Open(filepath.Join(dir, e.Name()), parse.User{})
			if err != nil {
				continue
			}
			got := p.Read(at)
			all.Projects = append(all.Projects, got)
			checkCounts(t, e.Name(), &model.Snapshot{Version: 1, At: at, Projects: []*model.Project{got}})
		}
		if len(all.Projects) == 0 {
			t.Fatal("no project is there")
		}
		checkCounts(t, "all", all)
	}
}

// checkCounts compares the counts of a snapshot with the hits of their filters.
func checkCounts(t *testing.T, name string, snap *model.Snapshot) {
	t.Helper()
	ix := index.New(snap, nil)
	listed := 0
	for _, w := range ix.Waits {
		if w.IsCurrent() && !w.OutOfReach() {
			listed++
		}
	}
	if listed != ix.Sums.Waits {
		t.Errorf("%s: %d are listed, and %d counted", name, listed, ix.Sums.Waits)
	}
	tree := pane.New()[pane.TreeID].(*pane.Tree)
	tree.Load(ix)
	for i, st := range index.States {
		state := index.StandsWaiting + index.Standing(i)
		tree.Filter().Only(state)
		tree.Refilter()
		if n := ix.Count(state); tree.Hits != n {
			t.Errorf("%s: %d %s, and the filter has %d hits", name, n, st.Word, tree.Hits)
		}
	}
}
