package tui

import (
	"runtime"
	"testing"

	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/input"
	"gatehouse/tui/tuitest"
)

// allocations returns how often f allocates. It depends neither on the clock nor on other programs.
func allocations(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.Mallocs - before.Mallocs)
}

// TestCostIsProportionalToProjects shows few projects and many, and then changes some of them while others are in view.
func TestCostIsProportionalToProjects(t *testing.T) {
	const few, times = 100, 8
	type costs struct{ first, next, show, key int }
	measure := func(n int) (c costs) {
		d := newDashboard(testOptions(draw.ThemeDark), nil)
		d.resizeTo(200, 60)
		snap := tuitest.ManyProjects(n)
		var ix *index.Index
		c.first = allocations(func() { ix = index.New(snap, d.index) })
		d.showSnapshot(ix)
		d.View()
		for range 50 {
			snap = tuitest.WithAnother(snap, 3)
			c.next = allocations(func() { ix = index.New(snap, ix) })
		}
		c.show = allocations(func() { d.showSnapshot(ix); d.View() })
		for _, key := range []string{"n", "1", "2", "4", "5", "6", "7", "G", "g"} {
			c.key = max(c.key, allocations(func() { d.pressKey(input.StrokeOf(key)); d.View() }))
		}
		if len(d.index.Sites) != n || len(d.index.Waits) != n/4 || len(d.index.Moments) < n {
			t.Errorf("of %d projects %d sites are shown, %d waits, %d moments", n, len(d.index.Sites), len(d.index.Waits), len(d.index.Moments))
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
