package pane

// The tree: its rows, folds, order, filter and selection. The drawing of rows is in treerow.go.

import (
	"cmp"
	"maps"
	"slices"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// Tree is the pane of rows.
//
// While the user reads, nothing in it moves. It is sorted and follows the work while the selection is at the top, or as soon as it goes
// there.
type Tree struct {
	list
	index    *index.Index
	rows     []index.Row
	folded   map[index.Place]bool   // folds set by the user; all other rows follow the work
	held     map[index.Place]bool   // rows that are open while the selection is in them
	target   index.Place            // the place they are held open for
	sites    []*index.Site          // in the order of the rows
	Touched  bool                   // the user has moved the selection since [Tree.Open]
	shown    map[index.Place]bool   // folds that stay while the user reads; nil if the tree follows the work
	runs     map[index.Place]int    // and the number of rows in each run
	Hits     int                    // rows that match the filter, without those above them
	Marks    map[index.Place]bool   // rows that the user has not seen: see [index.Seen]
	Remarks  map[index.Place]string // replace the status word of rows
	Still    bool                   // no keys are available: no selection
	Unfolded bool                   // builds are unfolded at first even with several projects
}

func newTree() *Tree {
	return &Tree{list: list{Name: "Build", Words: "the tree of the build", HasFilter: true}}
}

// Load shows another snapshot. The selected row is never folded away.
func (t *Tree) Load(ix *index.Index) {
	t.rememberRows()
	t.index = ix
	t.orderSites()
	was := t.selected
	r, ok := t.At()
	if ok {
		t.holdOpen(r.Place())
	}
	t.reflowRows()
	if now, _ := t.At(); ok && (t.top > 0 || t.shown != nil) && now.Site != nil && now.Place() == r.Place() {
		t.top = max(t.top+t.selected-was, 0) // the row keeps its position on the screen while rows above it come and go
	}
}

// reflowRows makes the rows again. The selection stays on its place; if that is gone it moves to the nearest remaining row.
func (t *Tree) reflowRows() {
	before, at := t.rows, t.selected
	t.flattenRows()
	t.selected = t.entryAt(0, 1)
	if len(before) == 0 {
		return
	}
	if i := t.findRow(before[at].Place()); i >= 0 {
		t.selected = i
		return
	}
	now := make(map[index.Place]int, len(t.rows))
	for i, r := range t.rows {
		now[r.Place()] = i
	}
	for _, place := range t.heirsOf(before, at) {
		if i, ok := now[place]; ok {
			t.selected = i
			return
		}
	}
}

// heirsOf returns the places to select when a row is gone, the best first: the members of a dissolved run, those that deserve attention
// before the others; the session of an answered ask, because the same agent may ask next; and the nearest rows, at equal distance the
// lower one.
func (t *Tree) heirsOf(rows []index.Row, at int) (all []index.Place) {
	gone := rows[at]
	for _, quiet := range [...]bool{false, true} {
		for _, n := range gone.Run {
			place := gone.Site.Place(n.ID)
			if s := t.index.Site(place); s != nil && s.Nodes[n.ID].Node != nil && s.Quiet(s.Nodes[n.ID].Node) == quiet {
				all = append(all, place)
			}
		}
	}
	isAsk := gone.Node != nil && gone.Node.Gate != nil && gone.Node.Gate.Ask != nil
	for i := at - 1; i >= 0 && isAsk; i-- {
		if n := rows[i].Node; n != nil && n.Session != nil && rows[i].Depth < gone.Depth {
			all = append(all, rows[i].Place())
			break
		}
	}
	for d := 1; d < len(rows); d++ {
		for _, i := range [...]int{at + d, at - d} {
			if i >= 0 && i < len(rows) {
				all = append(all, rows[i].Place())
			}
		}
	}
	return all
}

// findRow returns the number of the row at a place, -1 if it is gone or folded away.
func (t *Tree) findRow(at index.Place) int {
	return slices.IndexFunc(t.rows, func(r index.Row) bool { return r.Place() == at })
}

// flattenRows makes the rows from the snapshot and the folds.
func (t *Tree) flattenRows() {
	// Reflow may still read the rows of the previous snapshot; there will be about as many.
	t.rows, t.Hits = make([]index.Row, 0, len(t.rows)+len(t.rows)/16), 0
	for _, s := range t.sites {
		r := index.Row{Site: s}
		if t.Filter.Active() {
			t.appendHits(r)
			continue
		}
		t.rows = append(t.rows, r)
		if t.isOpen(r) {
			t.appendBelow(r)
		}
	}
	if t.found = ""; t.Filter.Active() {
		t.found = draw.Counted(t.Hits, "hit")
	}
	t.n = len(t.rows)
}

// isOpen reports whether the rows below a row are shown: as the user has set it, else if there is something to see.
func (t *Tree) isOpen(r index.Row) bool {
	if t.Filter.Active() || t.held[r.Place()] || t.holdsRun(r) {
		return true
	}
	if folded, wished := t.folded[r.Place()]; wished {
		return !folded
	}
	if open, known := t.shown[r.Place()]; known {
		return open
	}
	n := r.Node
	if len(r.Run) > 0 {
		return false
	}
	if n == nil && r.Site.IsAgents() {
		return true // each session is shown
	}
	if n == nil {
		// With several projects only their rows are shown at first, so that all fit; on paper they cannot be unfolded.
		if len(t.index.Sites) == 1 {
			return true
		}
		return (t.Still || t.Unfolded || len(t.index.Snap.Projects) == 1) && r.Site.Build != nil && !r.Site.Build.Status.Closed()
	}
	switch {
	case n.IsArchived() || n.Kind == model.KindGroup:
		return false
	case n.Kind == model.KindMilestone && !n.Status.Closed():
		return true
	}
	return r.Site.Nodes[n.ID].Busy
}

// holdOpen opens the rows that hide a place until another place is held: then the user's folds return.
func (t *Tree) holdOpen(at index.Place) {
	t.held, t.target = nil, at.Clone()
	s := t.index.Site(at)
	if s == nil || at.Node == "" {
		return
	}
	if _, known := s.Nodes[at.Node]; !known {
		return
	}
	t.held = map[index.Place]bool{s.Place(""): true}
	for id := s.Nodes[at.Node].Above; id != ""; id = s.Nodes[id].Above {
		t.held[s.Place(id)] = true
	}
}

// foldLimit is the number of folds above which those of rows that are gone are dropped.
const foldLimit = 1000

func (t *Tree) setFolded(r index.Row, folded bool) {
	if t.folded == nil {
		t.folded = make(map[index.Place]bool)
	}
	t.folded[r.Place().Clone()] = folded
	delete(t.held, r.Place())
	if folded && t.holdsRun(r) {
		t.held, t.target = nil, index.Place{}
	}
	if len(t.folded) > foldLimit {
		maps.DeleteFunc(t.folded, func(at index.Place, _ bool) bool { return !t.index.Has(at) })
	}
}

// At returns the selected row; ok is false without one.
func (t *Tree) At() (r index.Row, ok bool) {
	if t.selected < 0 || t.selected >= len(t.rows) {
		return index.Row{}, false
	}
	return t.rows[t.selected], true
}

// Choose selects a row by its number, or the nearest that exists.
func (t *Tree) Choose(i int) {
	t.selectLine(i)
	t.Touched = true
}

// GoTo selects a place and opens the rows that hide it.
func (t *Tree) GoTo(at index.Place) {
	t.holdOpen(at)
	t.flattenRows()
	if i := t.findRow(at); i >= 0 {
		t.Choose(i)
		return
	}
	t.Choose(t.selected)
}

// Toggle folds or unfolds the selected row.
func (t *Tree) Toggle() {
	if r, ok := t.At(); ok && len(r.Children()) > 0 {
		t.setFolded(r, t.isOpen(r))
		t.flattenRows()
		t.Choose(t.selected)
	}
}

// Enter opens the details of the row.
func (t *Tree) Enter() step { return step{To: DetailID} }

// Selected implements [List]: the other panes show the row.
func (t *Tree) Selected() (s selection, ok bool) { return s, false }

// The keys and clicks.

// Note implements [Pane].
func (t *Tree) Note(*draw.Look) string {
	if !slices.Equal(t.sites, t.index.Sites) {
		return "order kept: going to the top sorts"
	}
	return ""
}

// Lay implements [Pane].
func (t *Tree) Lay(_ *Scene, a draw.Area, _ bool) { t.fitHeight(a.Height) }

// Move goes some rows down, or up.
func (t *Tree) Move(by int) {
	if by == -draw.FarAway {
		t.sortAgain()
	}
	t.selectBy(by)
	t.Touched = true
}

// Scroll implements [Pane].
func (t *Tree) Scroll(by int) { t.Move(by) }

// Out folds the selected row, or moves to the one above it.
func (t *Tree) Out() {
	r, ok := t.At()
	if !ok {
		return
	}
	if len(r.Children()) > 0 && t.isOpen(r) && !t.Filter.Active() {
		t.Toggle()
		return
	}
	for i := t.selected - 1; i >= 0; i-- {
		if t.rows[i].Depth < r.Depth {
			t.Choose(i)
			return
		}
	}
}

// In unfolds the selected row, or moves to the first below it.
func (t *Tree) In() {
	r, ok := t.At()
	switch {
	case !ok || len(r.Children()) == 0:
	case t.isOpen(r):
		if i := t.selected + 1; i < len(t.rows) && t.rows[i].Depth > r.Depth {
			t.Choose(i)
		}
	default:
		t.Toggle()
	}
}

func (t *Tree) choose(line, x int) {
	t.Choose(line)
	if r := t.rows[line]; x == 1+2*max(r.Depth-1, 0) && !t.Filter.Active() {
		t.Toggle()
	}
}

// The order.

// rememberRows keeps the shown rows if the user reads them: the selection has moved from the top.
func (t *Tree) rememberRows() {
	isRead := t.Touched && (t.top > 0 || t.selected > t.entryAt(0, 1))
	switch {
	case !isRead:
		t.shown = nil
	case t.Filter.Active(): // the filter shows other rows for a while
	default:
		t.shown, t.runs = make(map[index.Place]bool), make(map[index.Place]int)
		for i, r := range t.rows {
			if len(r.Children()) == 0 && !mayFill(r.Node) {
				continue
			}
			at := r.Place()
			t.shown[at] = i+1 < len(t.rows) && t.rows[i+1].Depth > r.Depth
			if len(r.Run) > 0 {
				t.runs[at] = len(r.Run)
			}
			for _, n := range r.Run { // a row that leaves the run stays folded, too; the rows of an open run have folds of their own
				t.shown[r.Site.Place(n.ID)] = false
			}
		}
	}
}

// mayFill reports whether a row without rows below it may get some: a node, or a project without a build.
func mayFill(n *model.Node) bool {
	return n == nil || !n.Status.Closed() && (n.Kind == model.KindPhase || n.Kind == model.KindMilestone || n.Kind == model.KindSession)
}

// orderSites takes in the builds of a snapshot: in its order or, while the user reads, in the current order, with new ones at the end.
func (t *Tree) orderSites() {
	if t.shown == nil {
		t.sites = t.index.Sites
		return
	}
	order := make(map[index.Place]int) // of projects and of builds
	for i, s := range t.sites {
		for _, at := range [...]index.Place{{Project: s.Project.Root}, s.Place("")} {
			if _, known := order[at]; !known {
				order[at] = i
			}
		}
	}
	numberOf := func(at index.Place) int {
		if i, known := order[at]; known {
			return i
		}
		return len(order)
	}
	t.sites = slices.SortedStableFunc(slices.Values(t.index.Sites), func(a, b *index.Site) int {
		return cmp.Or(numberOf(index.Place{Project: a.Project.Root})-numberOf(index.Place{Project: b.Project.Root}), numberOf(a.Place(""))-numberOf(b.Place("")))
	})
}

// sortAgain sorts the tree, which follows the work again.
func (t *Tree) sortAgain() {
	t.shown, t.held, t.target = nil, nil, index.Place{}
	t.orderSites()
	t.reflowRows()
}

// Open goes to the place that waits, or runs, when the tree is opened. The tree follows the work until the user moves.
func (t *Tree) Open(at index.Place) {
	t.GoTo(at)
	t.Touched = false
}

// The filter.

// appendHits appends a row if it matches the filter, or a row below it does. Folds do not matter here,
// and apply again afterwards.
func (t *Tree) appendHits(r index.Row) bool {
	if n := r.Node; n == nil {
		host := r.Site.Host()
		if r.Site.Project.OutOfReach() {
			host += " " + r.Site.Project.Host.Word()
		}
		r.Hit = t.Filter.PassesRow(r.Site, nil, r.Site.Name, host)
	} else {
		r.Hit = t.Filter.PassesRow(r.Site, n, n.Number, n.Title, n.Called, n.Word())
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
	if r.Hit && t.Hits > own && !t.Filter.Keeps(r.Site, r.Node) { // it has the state only because of a row below it that is a hit itself
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
	if ok && !t.Filter.Active() { // the selected hit stays visible, folded or not
		t.holdOpen(r.Place())
	}
	t.reflowRows()
	if r, ok := t.At(); ok && t.Filter.Active() && !r.Hit {
		t.NextHit(1)
	}
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
