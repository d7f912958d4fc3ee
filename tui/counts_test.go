package tui

import (
	"testing"

	"gatehouse/model"
	"gatehouse/tui/index"
	"gatehouse/tui/tuitest"
)

// TestEachCountIsTheHitsOfItsFilter checks that one number has one meaning everywhere: in the header, in the filter bar and in the rows that
// a filter shows.
func TestEachCountIsTheHitsOfItsFilter(t *testing.T) {
	snaps := map[string]*model.Snapshot{"shop": tuitest.Shop(), "shops": tuitest.Shops(), "sessions": tuitest.Sessions(), "loop": tuitest.NewActor().Snapshot(1), "reader": tuitest.Reader(),
		"asks": tuitest.NewAnswerer().Snapshot(1, "one00000", "plan0000", "turn0000"), "fleet": tuitest.Fleet(), "phases": tuitest.Phases(), "chunks": tuitest.Chunks(), "measured": tuitest.Measured(),
		"web": tuitest.Web(40), "forest": tuitest.Forest(12), "many": tuitest.ManyProjects(12), "later": tuitest.Later(2)}
	failed := tuitest.NewActor()
	failed.States["frame-gate"] = "failed"
	snaps["failed gate"] = failed.Snapshot(1)
	for name, snap := range tuitest.ForgedSnapshots() {
		snaps["forged "+name] = snap
	}
	for name, snap := range snaps {
		d := dashboardOf(plainOptions(), snap, 200, 60)
		for i, st := range index.States {
			f := &d.tree.Filter
			*f = index.Filter{}
			f.States = 1 << i
			d.tree.Refilter()
			sums := d.index.Sums
			if n, counted := map[model.Status]int{model.Waiting: sums.Waits, model.Blocked: sums.Blocked, model.Active: sums.Running, model.Failed: sums.Failed}[st.Status]; counted && n != d.tree.Hits {
				t.Errorf("%s: %d %s, and its filter has %d hits", name, n, st.Word(), d.tree.Hits)
			}
		}
		b := d.newBanner()
		if b.number > d.index.Sums.Waits {
			t.Errorf("%s: the banner says %d of %d", name, b.number, d.index.Sums.Waits)
		}
	}
	// A failed task that asks what to do is one wait and one failure, and its notes are no blockers.
	ix := index.New(snaps["failed gate"], nil)
	if s := ix.Sums; s.Waits != 1 || s.Failed != 1 || s.Blocked+s.Blockers != 0 {
		t.Errorf("a failed gate is %+v", s)
	}
}
