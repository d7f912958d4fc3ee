package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/model"
	"gatehouse/tui/index"
	"gatehouse/tui/pane"
	"gatehouse/tui/tuitest"
)

// TestCountsAreFilters: a click on a count shows exactly the rows it counts, or the pane that lists them. A second click shows all again.
func TestCountsAreFilters(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		u := atKeyboard(t, tuitest.Shop(), size[0], size[1])
		click := func(text string) {
			t.Helper()
			for y, line := range strings.Split(u.screen(), "\n")[:headerHeight(u.d.screen.kind)] {
				if i := strings.Index(line, text); i >= 0 {
					u.gets(tea.MouseClickMsg{X: ansi.StringWidth(line[:i]) + 1, Y: y, Button: tea.MouseLeft})
					return
				}
			}
			t.Fatalf("%v: %q is not in the header:\n%s", size, text, u.screen())
		}
		sums := u.d.index.Sums
		for _, c := range []struct {
			text  string
			state index.Standing
			n     int
		}{{"╳ 1", index.StandsFailed, sums.Failed}, {"◆ 2 wait", index.StandsWaiting, sums.Waits}} {
			click(c.text)
			if f := u.d.tree.Filter(); !f.Has(c.state) || u.d.tree.Hits != c.n || u.d.focus != pane.TreeID {
				t.Errorf("%v: %s shows %d rows of %d", size, c.text, u.d.tree.Hits, c.n)
			}
			click(c.text)
			if u.d.tree.Filter().Active() {
				t.Errorf("%v: %s still filters", size, c.text)
			}
		}
		click("▲ 2")
		if u.d.focus != pane.BlockersID {
			t.Errorf("%v: the problems are shown in %d", size, u.d.focus)
		}
	}
}

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
		marks := map[index.Standing]int{}
		h := d.newHeader()
		for _, m := range h.counts(d.look) {
			if m.state != index.StandsElsewise {
				marks[m.state] = m.n
			}
		}
		for i, st := range index.States {
			state := index.StandsWaiting + index.Standing(i)
			f := d.tree.Filter()
			*f = index.Filter{}
			f.Only(state)
			d.tree.Refilter()
			if n := d.index.Count(state); n != d.tree.Hits {
				t.Errorf("%s: %d %s, and its filter has %d hits", name, n, st.Word, d.tree.Hits)
			}
			if n, shown := marks[state]; shown && n != d.tree.Hits {
				t.Errorf("%s: the header says %d %s, and its filter has %d hits", name, n, st.Word, d.tree.Hits)
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

// TestFuzzySearch: if nothing contains the text as typed, letters may be skipped.
func TestFuzzySearch(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.press("/", "l", "d", "g", "r").sees("2 hits", "04.5-01 Ledger", "Refunds through the ledger")
	u.seesNo("06 Stock")
	u.press("esc", "/", "i", "n", "d", "e", "x", "enter").sees("05-01 Index").seesNo("06 Stock")
}
