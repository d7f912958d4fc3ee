package pane

// The tree's state: its rows, the folds, and the selection. The drawing of rows is in treerow.go.

import (
	"maps"
	"slices"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// Tree is the pane of rows. Every method that changes it raises the revision, which is the key of cached drawings.
type Tree struct {
	list
	index    *index.Index
	rows     []index.Row
	folded   map[index.Place]bool   // folds set by the user; all other rows follow the work
	held     map[index.Place]bool   // rows that are open while the selection is in them
	target   index.Place            // the place they are held open for
	sites    []*index.Site          // in the order of the rows
	touched  bool                   // the user has moved the selection
	shown    map[index.Place]bool   // folds that stay while the user reads; nil if the tree follows the work
	runs     map[index.Place]int    // and the number of rows in each run
	Hits     int                    // rows that match the filter, without those above them
	marks    map[index.Place]bool   // see [seen]
	remarks  map[index.Place]string // replace the status word of rows
	Still    bool                   // no keys are available: no selection
	Unfolded bool                   // builds are unfolded at first even with several projects
}

func newTree() *Tree { return &Tree{list: list{name: "Build", words: "the tree of the build"}} }

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
	if i := t.memberOf(before[at], now); i >= 0 {
		t.selected = i
		return
	}
	if i, ok := now[sessionAbove(before, at)]; ok { // after the answer to an ask the same agent may ask next
		t.selected = i
		return
	}
	for d := 1; d < len(before); d++ { // the nearest one first; at equal distance the lower one
		for _, i := range [...]int{at + d, at - d} {
			if i < 0 || i >= len(before) {
				continue
			}
			if found, ok := now[before[i].Place()]; ok {
				t.selected = found
				return
			}
		}
	}
}

// sessionAbove returns the place of the session of an ask; the zero place for any other row.
func sessionAbove(rows []index.Row, at int) (place index.Place) {
	if n := rows[at].Node; n == nil || n.Gate == nil || n.Gate.Ask == nil {
		return place
	}
	for i := at - 1; i >= 0; i-- {
		if n := rows[i].Node; n != nil && n.Session != nil && rows[i].Depth < rows[at].Depth {
			return rows[i].Place()
		}
	}
	return place
}

// memberOf returns the row that takes the place of a dissolved run: its first member that deserves attention, else its first; -1 without
// one.
func (t *Tree) memberOf(run index.Row, now map[index.Place]int) int {
	first := -1
	for _, n := range run.Run {
		i, ok := now[run.Site.Place(n.ID)]
		switch {
		case !ok:
		case !t.rows[i].Site.Quiet(t.rows[i].Node):
			return i
		case first < 0:
			first = i
		}
	}
	return first
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
		if t.filter.Active() {
			t.appendHits(r)
			continue
		}
		t.rows = append(t.rows, r)
		if t.isOpen(r) {
			t.appendBelow(r)
		}
	}
	if t.found = ""; t.filter.Active() {
		t.found = draw.Counted(t.Hits, "hit")
	}
	t.n = len(t.rows)
	t.owner = func(i int) int { return i }
	t.revision++
}

// isOpen reports whether the rows below a row are shown: as the user has set it, else if there is something to see.
func (t *Tree) isOpen(r index.Row) bool {
	if t.filter.Active() || t.held[r.Place()] || t.holdsRun(r) {
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
	if n == nil && r.Site.Build != nil && r.Site.Build.ID == model.AgentsBuild {
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
	t.touched = true
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

// SetMarks marks the rows that the user has not seen.
func (t *Tree) SetMarks(marks map[index.Place]bool) { t.marks = marks; t.revision++ }

// SetRemarks replaces the status words of some rows.
func (t *Tree) SetRemarks(remarks map[index.Place]string) { t.remarks = remarks; t.revision++ }

// Seek shows only rows that contain a text.
func (t *Tree) Seek(text string) {
	t.filter.Search(text)
	t.Refilter()
}
