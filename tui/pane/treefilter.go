package pane

// The tree's filter: which rows it shows, with those above them, and going from hit to hit.

import (
	"gatehouse/model"
	"gatehouse/tui/index"
)

// appendHits appends a row when the filter is about it or about something below it. What is folded does not matter here,
// and is folded again afterwards.
func (t *Tree) appendHits(r index.Row) bool {
	switch {
	case r.Node == nil:
		r.Hit = t.filter.States == 0 && t.filter.Passes(index.StandsElsewise, r.Site.Name, hostTexts(r.Site))
	case r.Node.Kind != model.KindGroup || t.filter.States == 0: // a heading has no state of its own
		r.Hit = t.filter.Passes(r.Site.Standing(r.Node), r.Node.Number, r.Node.Title, r.Node.Called, r.Node.Word())
	}
	start, hits := len(t.rows), t.Hits
	t.rows = append(t.rows, r)
	if r.Hit {
		t.Hits++
	}
	own := t.Hits
	for _, n := range r.Children() {
		t.appendHits(index.Row{Site: r.Site, Node: n, Depth: r.Depth + 1})
	}
	if r.Hit && t.filter.States != 0 && t.Hits > own { // its state is that of what is below it, which was found
		t.rows[start].Hit = false
		t.Hits--
	}
	if t.Hits == hits {
		t.rows = t.rows[:start]
		return false
	}
	return true
}

// Refilter shows what the filter is about after it changed. The selection moves on to the next hit where it is on none.
func (t *Tree) Refilter() {
	r, ok := t.At()
	if ok && !t.filter.Finds() { // what was found stays in view, folded or not
		t.hold(r.Place())
	}
	t.reflow()
	if r, ok := t.At(); ok && t.filter.Finds() && !r.Hit {
		t.NextHit(1)
	}
	t.revision++
}

// NextHit selects the next or previous row that the filter is about.
func (t *Tree) NextHit(by int) {
	n := len(t.rows)
	for i := 1; i <= n; i++ {
		if j := ((t.selected+i*by)%n + n) % n; t.rows[j].Hit {
			t.Choose(j)
			return
		}
	}
}
