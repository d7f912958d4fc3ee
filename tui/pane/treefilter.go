package pane

// The tree's filter: the rows it shows, with their parents, and moving from hit to hit.

import "gatehouse/tui/index"

// appendHits appends a row if it matches the filter, or a row below it does. Folds do not matter here,
// and apply again afterwards.
func (t *Tree) appendHits(r index.Row) bool {
	if n := r.Node; n == nil {
		host := r.Site.Host()
		if r.Site.Project.OutOfReach() {
			host += " " + r.Site.Project.Host.Word()
		}
		r.Hit = t.filter.PassesRow(r.Site, nil, r.Site.Name, host)
	} else {
		r.Hit = t.filter.PassesRow(r.Site, n, n.Number, n.Title, n.Called, n.Word())
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
	if r.Hit && t.Hits > own && !t.filter.Keeps(r.Site, r.Node) { // it has the state only because of a row below it that is a hit itself
		t.rows[start].Hit = false
		t.Hits--
	}
	if t.Hits == hits {
		t.rows = t.rows[:start]
		return false
	}
	return true
}

// Refilter applies a changed filter. The selection moves to the next hit if it is on none.
func (t *Tree) Refilter() {
	r, ok := t.At()
	if ok && !t.filter.Active() { // the selected hit stays visible, folded or not
		t.holdOpen(r.Place())
	}
	t.reflowRows()
	if r, ok := t.At(); ok && t.filter.Active() && !r.Hit {
		t.NextHit(1)
	}
	t.revision++
}

// NextHit selects the next or previous row that matches the filter.
func (t *Tree) NextHit(by int) {
	n := len(t.rows)
	for i := 1; i <= n; i++ {
		if j := ((t.selected+i*by)%n + n) % n; t.rows[j].Hit {
			t.Choose(j)
			return
		}
	}
}
