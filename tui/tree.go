package tui

// The tree's state: which rows there are, what is folded, what is selected. How a row looks is in treerow.go.

import (
	"slices"

	"gatehouse/model"
)

// row is one line of the tree: a site, or a node of it.
type row struct {
	site  *site
	node  *model.Node // nil for the site itself
	depth int
}

func (r row) place() place {
	if r.node == nil {
		return r.site.place("")
	}
	return r.site.place(r.node.ID)
}

// children returns what is below the row, folded or not.
func (r row) children() []*model.Node {
	switch {
	case r.node != nil:
		return r.node.Children
	case r.site.build != nil:
		return r.site.build.Nodes
	}
	return nil
}

// tree is the pane with the rows. Its methods that change it raise the revision, by which drawings are cached.
type tree struct {
	index    *index
	rows     []row
	selected int
	top      int            // first visible row
	folded   map[place]bool // what the user folded or unfolded; all else follows the work
	revision uint64
}

// load shows another snapshot. The selection stays on its place; where that is gone it moves to the nearest row that is
// not. What is selected is never folded away.
func (t *tree) load(ix *index) {
	before, at := t.rows, t.selected
	t.index = ix
	if len(before) > 0 {
		t.reveal(before[at].place())
	}
	t.flatten()
	t.selected = 0
	if len(before) == 0 {
		return
	}
	if i := t.find(before[at].place()); i >= 0 {
		t.selected = i
		return
	}
	now := make(map[place]int, len(t.rows))
	for i, r := range t.rows {
		now[r.place()] = i
	}
	for d := 1; d < len(before); d++ { // the nearest one first, of two as near the lower
		for _, i := range [...]int{at + d, at - d} {
			if i < 0 || i >= len(before) {
				continue
			}
			if found, ok := now[before[i].place()]; ok {
				t.selected = found
				return
			}
		}
	}
}

// find returns the number of the row at a place, -1 where it is gone or folded away.
func (t *tree) find(at place) int {
	return slices.IndexFunc(t.rows, func(r row) bool { return r.place() == at })
}

// flatten makes the rows from the snapshot and the folds.
func (t *tree) flatten() {
	t.rows = t.rows[:0:0] // rows of the snapshot before may still be looked at by load
	for _, s := range t.index.sites {
		r := row{site: s}
		t.rows = append(t.rows, r)
		if t.isOpen(r) {
			t.appendBelow(r)
		}
	}
	t.revision++
}

func (t *tree) appendBelow(r row) {
	for _, n := range r.children() {
		below := row{site: r.site, node: n, depth: r.depth + 1}
		t.rows = append(t.rows, below)
		if len(n.Children) > 0 && t.isOpen(below) {
			t.appendBelow(below)
		}
	}
}

// isOpen reports whether what is below a row is shown: as the user wished it, else when there is something to see.
func (t *tree) isOpen(r row) bool {
	if folded, wished := t.folded[r.place()]; wished {
		return !folded
	}
	n := r.node
	if n == nil {
		return len(t.index.sites) == 1 || r.site.build != nil && !r.site.build.Status.Closed()
	}
	switch {
	case n.Archived || n.Kind == model.KindGroup:
		return false
	case n.Kind == model.KindMilestone && !n.Status.Closed():
		return true
	}
	return r.site.nodes[n.ID].busy
}

// reveal opens whatever hides a place.
func (t *tree) reveal(at place) {
	s := t.index.site(at)
	if s == nil || at.node == "" {
		return
	}
	for id := s.nodes[at.node].above; id != ""; id = s.nodes[id].above {
		t.open(row{site: s, node: s.nodes[id].node})
	}
	if _, known := s.nodes[at.node]; known {
		t.open(row{site: s})
	}
}

func (t *tree) open(r row) {
	if !t.isOpen(r) {
		t.setFolded(r, false)
	}
}

func (t *tree) setFolded(r row, folded bool) {
	if t.folded == nil {
		t.folded = make(map[place]bool)
	}
	t.folded[r.place()] = folded
}

// at returns the selected row; ok is false where there is none.
func (t *tree) at() (r row, ok bool) {
	if t.selected < 0 || t.selected >= len(t.rows) {
		return row{}, false
	}
	return t.rows[t.selected], true
}

// choose selects a row by its number, or the first or last where there is no such row.
func (t *tree) choose(i int) {
	t.selected = max(0, min(i, len(t.rows)-1))
	t.revision++
}

// goTo selects a place and opens what hides it.
func (t *tree) goTo(at place) {
	t.reveal(at)
	t.flatten()
	if i := t.find(at); i >= 0 {
		t.choose(i)
	}
}

// toggle folds or unfolds the selected row.
func (t *tree) toggle() {
	if r, ok := t.at(); ok && len(r.children()) > 0 {
		t.setFolded(r, t.isOpen(r))
		t.flatten()
	}
}

// in unfolds the selected row, or moves to the first below it when it is unfolded.
func (t *tree) in() {
	r, ok := t.at()
	switch {
	case !ok || len(r.children()) == 0:
	case t.isOpen(r):
		t.choose(t.selected + 1)
	default:
		t.toggle()
	}
}

// out folds the selected row, or moves to the one above it when there is nothing to fold.
func (t *tree) out() {
	r, ok := t.at()
	if !ok {
		return
	}
	if len(r.children()) > 0 && t.isOpen(r) {
		t.toggle()
		return
	}
	for i := t.selected - 1; i >= 0; i-- {
		if t.rows[i].depth < r.depth {
			t.choose(i)
			return
		}
	}
}

// scrollTo moves the window of visible rows so that the selection is inside, with a row around it where there is room.
func (t *tree) scrollTo(height int) {
	t.top = scrolled(t.top, t.selected, len(t.rows), height)
}

// scrolled returns the first visible of n lines so that line i is visible.
func scrolled(top, i, n, height int) int {
	around := 0
	if height > 4 {
		around = 1
	}
	top = min(top, i-around)
	top = max(top, i+around-height+1)
	return max(0, min(top, n-height))
}
