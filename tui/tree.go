package tui

// The tree's state: which rows there are, what is folded, what is selected. How a row looks is in treerow.go.

import (
	"maps"
	"slices"

	"gatehouse/model"
	"gatehouse/tui/draw"
)

// row is one line of the tree: a site, or a node of it.
type row struct {
	site  *site
	node  *model.Node // nil for the site itself
	depth int
	hit   bool // what the filter is about; without a filter no row is
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
	held     map[place]bool // what is open for as long as the selection is in it
	filter   filter
	mode     barMode
	hits     int              // rows that the filter is about, without those above them
	marks    map[place]bool   // see [seen]
	remarks  map[place]string // what is said instead of a row's status
	still    bool             // nobody can press a key: no selection
	unfolded bool             // what is built is shown unfolded at first also where there are several projects
	revision uint64
}

func (t *tree) Version() uint64 { return t.revision }

// load shows another snapshot. What is selected is never folded away.
func (t *tree) load(ix *index) {
	t.index = ix
	if r, ok := t.at(); ok {
		t.hold(r.place())
	}
	t.reflow()
}

// reflow makes the rows anew. The selection stays on its place; where that is gone it moves to the nearest row that is
// not.
func (t *tree) reflow() {
	before, at := t.rows, t.selected
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
	t.rows, t.hits = t.rows[:0:0], 0 // rows of the snapshot before may still be looked at by reflow
	for _, s := range t.index.sites {
		r := row{site: s}
		if t.filter.active() {
			t.appendHits(r)
			continue
		}
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

// appendHits appends a row when the filter is about it or about something below it. What is folded does not matter here,
// and is folded again afterwards.
func (t *tree) appendHits(r row) bool {
	switch {
	case r.node == nil:
		r.hit = t.filter.states == 0 && t.filter.passes(model.Unknown, r.site.name)
	case r.node.Kind != model.KindGroup || t.filter.states == 0: // a heading has no state of its own
		r.hit = t.filter.passes(r.node.Status, r.node.Number, r.node.Title, draw.Word(r.node))
	}
	start, hits := len(t.rows), t.hits
	t.rows = append(t.rows, r)
	if r.hit {
		t.hits++
	}
	own := t.hits
	for _, n := range r.children() {
		t.appendHits(row{site: r.site, node: n, depth: r.depth + 1})
	}
	if r.hit && t.filter.states != 0 && t.hits > own { // its state is that of what is below it, which was found
		t.rows[start].hit = false
		t.hits--
	}
	if t.hits == hits {
		t.rows = t.rows[:start]
		return false
	}
	return true
}

// refilter shows what the filter is about after it changed. The selection moves on to the next hit where it is on none.
func (t *tree) refilter() {
	r, ok := t.at()
	if ok && !t.filter.active() { // what was found stays in view, folded or not
		t.hold(r.place())
	}
	t.reflow()
	if r, ok := t.at(); ok && t.filter.active() && !r.hit {
		t.nextHit(1)
	}
	t.revision++
}

// nextHit selects the next or previous row that the filter is about.
func (t *tree) nextHit(by int) {
	n := len(t.rows)
	for i := 1; i <= n; i++ {
		if j := ((t.selected+i*by)%n + n) % n; t.rows[j].hit {
			t.choose(j)
			return
		}
	}
}

// isOpen reports whether what is below a row is shown: as the user wished it, else when there is something to see.
func (t *tree) isOpen(r row) bool {
	if t.filter.active() || t.held[r.place()] {
		return true
	}
	if folded, wished := t.folded[r.place()]; wished {
		return !folded
	}
	n := r.node
	if n == nil {
		// Of several projects only the rows are shown at first, so that all can be seen; on paper nobody can unfold them.
		if len(t.index.sites) == 1 {
			return true
		}
		return (t.still || t.unfolded || len(t.index.snap.Projects) == 1) && r.site.build != nil && !r.site.build.Status.Closed()
	}
	switch {
	case n.Archived || n.Kind == model.KindGroup:
		return false
	case n.Kind == model.KindMilestone && !n.Status.Closed():
		return true
	}
	return r.site.nodes[n.ID].busy
}

// hold keeps open whatever hides a place until another place is held: the user's folds come back then.
func (t *tree) hold(at place) {
	t.held = nil
	s := t.index.site(at)
	if s == nil || at.node == "" {
		return
	}
	if _, known := s.nodes[at.node]; !known {
		return
	}
	t.held = map[place]bool{s.place(""): true}
	for id := s.nodes[at.node].above; id != ""; id = s.nodes[id].above {
		t.held[s.place(id)] = true
	}
}

// foldLimit is how many folds are remembered before those are forgotten whose rows are gone.
const foldLimit = 1000

func (t *tree) setFolded(r row, folded bool) {
	if t.folded == nil {
		t.folded = make(map[place]bool)
	}
	t.folded[r.place().clone()] = folded
	delete(t.held, r.place())
	if len(t.folded) > foldLimit {
		maps.DeleteFunc(t.folded, func(at place, _ bool) bool { return !t.index.has(at) })
	}
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
	t.hold(at)
	t.flatten()
	if i := t.find(at); i >= 0 {
		t.choose(i)
		return
	}
	t.choose(t.selected)
}

// toggle folds or unfolds the selected row.
func (t *tree) toggle() {
	if r, ok := t.at(); ok && len(r.children()) > 0 {
		t.setFolded(r, t.isOpen(r))
		t.flatten()
		t.choose(t.selected)
	}
}

// in unfolds the selected row, or moves to the first below it when it is unfolded.
func (t *tree) in() {
	r, ok := t.at()
	switch {
	case !ok || len(r.children()) == 0:
	case t.isOpen(r):
		if i := t.selected + 1; i < len(t.rows) && t.rows[i].depth > r.depth {
			t.choose(i)
		}
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
	if len(r.children()) > 0 && t.isOpen(r) && !t.filter.active() {
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

// Move goes some rows down, or up.
func (t *tree) Move(by int) { t.choose(t.selected + by) }

// fit moves the window of visible rows so that the selection is inside, with a row around it where there is room.
func (t *tree) fit(height int) {
	if top := draw.Scrolled(t.top, t.selected, len(t.rows), height-t.barHeight()); top != t.top {
		t.top = top
		t.revision++
	}
}

// barHeight returns how many lines the filter's bar takes.
func (t *tree) barHeight() int {
	if t.filter.active() || t.mode != barResting {
		return 1
	}
	return 0
}

// bar draws the filter's bar.
func (t *tree) bar(l *draw.Look, width int) (string, []chip) {
	found := ""
	if t.filter.active() {
		found = draw.Counted(t.hits, "hit")
	}
	return t.filter.bar(l, width, t.mode, found)
}
