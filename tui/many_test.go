package tui

import (
	"runtime"
	"testing"

	"gatehouse/tui/draw"

	tea "charm.land/bubbletea/v2"
)

// allocations returns how often f allocates, which depends on neither the clock nor on other programs.
func allocations(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.Mallocs - before.Mallocs)
}

// TestCostOfManyProjectsIsTheirNumber shows few projects and many, and then has some of them change while others were looked at.
func TestCostOfManyProjectsIsTheirNumber(t *testing.T) {
	const few, times = 100, 8
	type costs struct{ first, next, show, key int }
	measure := func(n int) (c costs) {
		d := newDashboard(testOptions(draw.ThemeDark), func(*index) tea.Cmd { return nil })
		d.resize(200, 60)
		snap := manyProjects(n)
		var ix *index
		c.first = allocations(func() { ix = newIndex(snap, d.index) })
		d.show(ix)
		d.View()
		for range 50 {
			snap = withAnother(snap, 3)
			c.next = allocations(func() { ix = newIndex(snap, ix) })
		}
		c.show = allocations(func() { d.show(ix); d.View() })
		for _, key := range []string{"n", "1", "2", "4", "5", "6", "7", "G", "g"} {
			c.key = max(c.key, allocations(func() { d.press(strokeOf(key)); d.View() }))
		}
		if len(d.index.sites) != n || len(d.index.waits) != n/4 || len(d.index.moments) < n {
			t.Errorf("of %d projects %d sites are shown, %d waits, %d moments", n, len(d.index.sites), len(d.index.waits), len(d.index.moments))
		}
		return c
	}
	small, large := measure(few), measure(few*times)
	for what, c := range map[string]struct{ small, large int }{
		"the first index": {small.first, large.first}, "the next": {small.next, large.next}, "showing it": {small.show, large.show}, "a key": {small.key, large.key},
	} {
		if most := (c.small + 200) * times * 5 / 4; c.large > most {
			t.Errorf("%s of %d projects allocates %d times, of %d %d times; want %d at most", what, few, c.small, few*times, c.large, most)
		}
	}
}

// TestProjectsThatAreNotReadAgainStayAsTheyAre holds that what was made ready of a project serves for the next snapshot.
func TestProjectsThatAreNotReadAgainStayAsTheyAre(t *testing.T) {
	snap := manyProjects(5)
	first := newIndex(snap, nil)
	next := newIndex(withAnother(snap, 2), first)
	for _, p := range snap.Projects {
		again := first.projects[p.Root] == next.projects[p.Root]
		if changed := p.Root == "/src/p00002"; again == changed {
			t.Errorf("%s: as it was: %v", p.Root, again)
		}
	}
	if len(first.sites) != 5 || first.sums != next.sums || len(first.waits) != len(next.waits) {
		t.Errorf("%+v, then %+v", first.sums, next.sums)
	}
}
