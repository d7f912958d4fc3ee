package tui

// The layout of the screen: the kinds of screens by size, and the slots that show panes.

import (
	"gatehouse/tui/draw"
	"gatehouse/tui/pane"
)

// kind is one of the layouts of a screen.
type kind int

const (
	tooSmall kind = iota
	sidebar       // one pane and a short header
	single        // one pane at a time, or two in one column
	double        // tree, preview and, if it is high enough, a strip at the bottom
	triple        // everything at the same time
)

// The sizes from which a kind of screen is used, in columns and rows.
const (
	smallestWidth, smallestHeight = 40, 10
	singleFrom                    = 61
	doubleFrom                    = 100
	tripleFrom                    = 160
)

// The smallest heights of the body for an additional pane: below them it would show two lines and take the space of ten.
const (
	stripFrom = 26 // the strip at the bottom
	stackFrom = 28 // two panes in one column
	belowFrom = 18 // a preview below the tree
	tallFrom  = 32 // a preview by default
)

// preview is the position of the preview pane.
type preview int

const (
	previewRight preview = iota
	previewBottom
	previewOff
)

func (p preview) String() string { return [...]string{"right", "bottom", "off"}[p] }

// slot is a part of the body with the panes that share it, one of them visible.
type slot struct {
	area  draw.Area // with the edges of its box
	panes []pane.ID
	bare  bool // the tree is in it, without a box
}

// innerArea returns the area of a pane in the slot.
func (s slot) innerArea(p pane.ID) draw.Area {
	a := s.area
	if s.bare && p == pane.TreeID {
		return a
	}
	return draw.Area{X: a.X + 1, Y: a.Y + 1, Width: max(a.Width-2, 0), Height: max(a.Height-2, 0)}
}

// screen has the slots of a size. Every pane is in one of them.
type screen struct {
	kind          kind
	width, height int
	body          draw.Area // between header and footer
	slots         []slot
	split         bool    // there is more than the tree
	edges         []uint8 // of the boxes: the directions of the lines in each cell of the body
}

// layout has the settings of a screen apart from its size.
type layout struct {
	preview preview
	zoom    bool // one pane has the whole body
	table   bool // there are several builds: their rows are a table, which is wider, too
	still   bool // for paper: nothing will change, so nothing that shows changes
	// empty are the panes without content and without the focus. A slot with only such panes is a single line.
	empty [pane.Count]bool
}

// lineHeight is the height of a slot whose panes are all empty: its upper edge with their names.
const lineHeight = 1

// areEmpty reports whether all of some panes are empty.
func (w *layout) areEmpty(panes []pane.ID) bool {
	for _, p := range panes {
		if !w.empty[p] {
			return false
		}
	}
	return true
}

// screenFor lays out the screen for a terminal of some size.
func screenFor(width, height int, w layout) screen {
	s := screen{width: width, height: height}
	switch {
	case width < smallestWidth || height < smallestHeight:
		return s
	case width < singleFrom:
		s.kind = sidebar
	case width < doubleFrom:
		s.kind = single
	case width < tripleFrom:
		s.kind = double
	default:
		s.kind = triple
	}
	top := headerHeight(s.kind)
	s.body = draw.Area{X: 0, Y: top, Width: width, Height: height - top - 1}
	switch {
	case w.zoom:
		s.slots = []slot{{area: s.body, bare: s.kind <= single}}
	case s.kind <= single:
		s.laySingle(w)
	case s.kind == double:
		s.layDouble(w)
	default:
		s.layTriple(w)
	}
	s.split = len(s.slots) > 1
	s.housePanes()
	s.layEdges()
	return s
}

// layEdges marks the edges of the boxes. Neighbors share them.
func (s *screen) layEdges() {
	b := s.body
	s.edges = make([]uint8, b.Width*b.Height)
	mark := func(x, y int, to uint8) {
		if b.Holds(x, y) {
			s.edges[(y-b.Y)*b.Width+x-b.X] |= to
		}
	}
	for _, sl := range s.slots {
		a := sl.area // the edges are drawn over a tree without a box
		right, bottom := a.X+a.Width-1, a.Y+a.Height-1
		for x := a.X; x < right; x++ {
			for _, y := range [...]int{a.Y, bottom} {
				mark(x, y, draw.ToRight)
				mark(x+1, y, draw.ToLeft)
			}
		}
		for y := a.Y; y < bottom; y++ {
			for _, x := range [...]int{a.X, right} {
				mark(x, y, draw.ToDown)
				mark(x, y+1, draw.ToUp)
			}
		}
	}
}

// housePanes puts the panes without a slot of their own into the tree's slot.
func (s *screen) housePanes() {
	placed := [pane.Count]bool{}
	for _, sl := range s.slots {
		for _, p := range sl.panes {
			placed[p] = true
		}
	}
	var rest []pane.ID
	for p := range pane.Count {
		if !placed[p] {
			rest = append(rest, pane.ID(p))
		}
	}
	s.slots[0].panes = rest
}

// laySingle is for narrow screens: the tree alone, or with the preview below.
func (s *screen) laySingle(w layout) {
	b := s.body
	if w.still || w.preview == previewOff || b.Height < belowFrom || w.preview == previewRight && b.Height < tallFrom {
		s.slots = []slot{{area: b, bare: true}}
		return
	}
	up, down := b.Rows(b.Height * 55 / 100)
	s.slots = []slot{{area: up, bare: true}, {area: down, panes: []pane.ID{pane.DetailID, pane.FileID, pane.WaitsID, pane.BlockersID, pane.TimelineID, pane.DecisionsID, pane.MetricsID, pane.InboxID}}}
}

// layDouble is for screens of two columns.
func (s *screen) layDouble(w layout) {
	b := s.body
	share := 54
	if w.table {
		share = 64
	}
	treeWidth := min(b.Width*share/100, 84)
	lists := []pane.ID{pane.WaitsID, pane.BlockersID, pane.TimelineID, pane.DecisionsID, pane.MetricsID, pane.InboxID}
	if w.preview == previewBottom {
		up, down := b.SharedRows(b.Height * 55 / 100)
		left, right := down.SharedColumns(treeWidth)
		s.slots = []slot{{area: up}, {area: left, panes: []pane.ID{pane.DetailID, pane.FileID}}, {area: right, panes: lists}}
		return
	}
	strip := 0
	if b.Height >= stripFrom && !w.still {
		strip = min(max(b.Height/4, 7), 12)
	}
	history, wants := []pane.ID{pane.TimelineID, pane.DecisionsID}, []pane.ID{pane.WaitsID, pane.BlockersID, pane.InboxID}
	switch noHistory, noWants := w.areEmpty(history), w.areEmpty(wants); {
	case strip == 0:
	case noHistory && noWants:
		strip = lineHeight
	}
	up, down := b.SharedRows(b.Height - max(strip-1, 0))
	left, right := up.SharedColumns(treeWidth)
	switch {
	case w.preview == previewOff:
		s.slots = []slot{{area: up}}
	case strip > 0 || w.still:
		s.slots = []slot{{area: left}, {area: right, panes: []pane.ID{pane.DetailID, pane.FileID, pane.MetricsID}}}
	default:
		s.slots = []slot{{area: left}, {area: right, panes: append([]pane.ID{pane.DetailID, pane.FileID}, lists...)}}
	}
	if strip > 0 {
		left, right := down.SharedColumns(treeWidth)
		if one := w.areEmpty(history); strip > lineHeight && one != w.areEmpty(wants) {
			left, right = down.SharedRows(strip) // one spans both columns, and the other is a line below it
			if one {
				left, right = right, left
			}
		}
		s.slots = append(s.slots, slot{area: left, panes: history}, slot{area: right, panes: wants})
	}
}

// layTriple is for wide screens: what waits and what blocks have a column of their own, the timeline the bottom.
func (s *screen) layTriple(w layout) {
	b := s.body
	strip := 0
	switch {
	case w.still || b.Height < stripFrom:
	case w.preview == previewBottom:
		strip = b.Height * 2 / 5
	default:
		strip = min(max(b.Height/4, 7), 14)
	}
	if strip > 0 && w.preview != previewBottom && w.areEmpty([]pane.ID{pane.TimelineID, pane.DecisionsID}) {
		strip = lineHeight
	}
	up, down := b.SharedRows(b.Height - max(strip-1, 0))
	sideWidth := min(b.Width/4, 60)
	side := []pane.ID{pane.WaitsID, pane.BlockersID, pane.InboxID}
	switch {
	case w.still: // on paper everything is in the overview
		side = side[:1]
	case strip == 0:
		side = append(side, pane.TimelineID, pane.DecisionsID)
	}
	var main, mid draw.Area
	if w.preview == previewRight || strip == 0 && w.preview == previewBottom {
		var rest draw.Area
		share := 44
		if w.table {
			share = 50
		}
		main, rest = up.SharedColumns(min(b.Width*share/100, 104))
		mid, up = rest.SharedColumns(rest.Width - sideWidth)
		s.slots = append(s.slots, slot{area: main})
		s.slots = append(s.slots, w.stackPanes(mid, !w.still, pane.DetailID, pane.FileID, pane.MetricsID)...)
	} else {
		main, up = up.SharedColumns(b.Width - sideWidth)
		s.slots = append(s.slots, slot{area: main})
	}
	s.slots = append(s.slots, w.stackPanes(up, strip > 0, side...)...)
	switch {
	case strip == 0:
	case w.preview == previewBottom:
		left, rest := down.SharedColumns(b.Width / 3)
		mid, right := rest.SharedColumns(rest.Width / 2)
		s.slots = append(s.slots, slot{area: left, panes: []pane.ID{pane.DetailID}}, slot{area: mid, panes: []pane.ID{pane.FileID, pane.MetricsID}}, slot{area: right, panes: []pane.ID{pane.TimelineID, pane.DecisionsID}})
	default:
		s.slots = append(s.slots, slot{area: down, panes: []pane.ID{pane.TimelineID, pane.DecisionsID}})
	}
}

// stackPanes puts the first pane above the others if they fit, else all into one slot. A slot without content is a line.
func (w *layout) stackPanes(a draw.Area, apart bool, panes ...pane.ID) []slot {
	if !apart || a.Height < stackFrom || w.empty[panes[0]] {
		return []slot{{area: a, panes: panes}}
	}
	height := a.Height * 55 / 100
	if w.areEmpty(panes[1:]) {
		height = a.Height
	}
	up, down := a.SharedRows(height)
	return []slot{{area: up, panes: panes[:1]}, {area: down, panes: panes[1:]}}
}

// slotOf returns the number of the slot that a pane is in.
func (s *screen) slotOf(p pane.ID) int {
	for i := range s.slots {
		for _, q := range s.slots[i].panes {
			if p == q {
				return i
			}
		}
	}
	return 0
}

// innerArea returns the area of a pane, visible or not.
func (s *screen) innerArea(p pane.ID) draw.Area {
	if s.kind == tooSmall {
		return draw.Area{}
	}
	return s.slots[s.slotOf(p)].innerArea(p)
}
