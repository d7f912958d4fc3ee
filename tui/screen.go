package tui

// The layout of the screen: the kinds of screens by size, and the slots that show panes.

import (
	"slices"

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
	return draw.InBox(a)
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
	// empty are the panes without content and without the focus. Other panes of their slots are shown first.
	empty [pane.Count]bool
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

// The panes that share a slot: about the selection, what wants attention, and what happened.
var (
	aboutPanes   = []pane.ID{pane.DetailID, pane.FileID, pane.MetricsID}
	wantsPanes   = []pane.ID{pane.WaitsID, pane.BlockersID, pane.InboxID}
	historyPanes = []pane.ID{pane.TimelineID, pane.DecisionsID}
)

// add adds a slot with some panes; the one without panes is the tree's.
func (s *screen) add(a draw.Area, panes ...[]pane.ID) {
	s.slots = append(s.slots, slot{area: a, panes: slices.Concat(panes...)})
}

// laySingle is for narrow screens: the tree alone, or with the preview below.
func (s *screen) laySingle(w layout) {
	b := s.body
	if w.still || w.preview == previewOff || b.Height < belowFrom || w.preview == previewRight && b.Height < tallFrom {
		s.add(b)
	} else {
		up, down := b.Rows(b.Height * 55 / 100)
		s.add(up)
		s.add(down, aboutPanes, wantsPanes, historyPanes)
	}
	s.slots[0].bare = true
}

// stripBelow returns a body without the strip at its bottom, and the strip if it has one.
func (w *layout) stripBelow(b draw.Area) (up, strip draw.Area, ok bool) {
	if w.still || b.Height < stripFrom {
		return b, strip, false
	}
	height := min(max(b.Height/4, 7), 14)
	if w.preview == previewBottom {
		height = b.Height * 2 / 5
	}
	up, strip = b.SharedRows(b.Height - height + 1)
	return up, strip, true
}

// layDouble is for screens of two columns, with a strip below them if they are high enough.
func (s *screen) layDouble(w layout) {
	share := 54
	if w.table {
		share = 64
	}
	treeWidth := min(s.body.Width*share/100, 84)
	up, strip, ok := w.stripBelow(s.body)
	left, right := up.SharedColumns(treeWidth)
	stripLeft, stripRight := strip.SharedColumns(treeWidth)
	switch {
	case w.preview == previewBottom && ok:
		s.add(up)
		s.add(stripLeft, aboutPanes)
		s.add(stripRight, wantsPanes, historyPanes)
		return
	case w.preview == previewOff:
		s.add(up)
	case ok || w.still:
		s.add(left)
		s.add(right, aboutPanes)
	default:
		s.add(left)
		s.add(right, aboutPanes, wantsPanes, historyPanes)
	}
	if ok {
		s.add(stripLeft, historyPanes)
		s.add(stripRight, wantsPanes)
	}
}

// layTriple is for wide screens: what waits and what blocks have a column of their own, the timeline the strip.
func (s *screen) layTriple(w layout) {
	up, strip, ok := w.stripBelow(s.body)
	sideWidth := min(s.body.Width/4, 60)
	main, side := up.SharedColumns(up.Width - sideWidth)
	if w.preview == previewRight || w.preview == previewBottom && !ok {
		share := 44
		if w.table {
			share = 50
		}
		tree, mid := main.SharedColumns(min(s.body.Width*share/100, 104))
		s.add(tree)
		s.stack(mid, !w.still, aboutPanes)
	} else {
		s.add(main)
	}
	switch {
	case w.still: // on paper everything is in the overview
		s.add(side, wantsPanes[:1])
	case !ok:
		s.add(side, wantsPanes, historyPanes)
	case w.preview == previewBottom:
		s.stack(side, true, wantsPanes)
		left, rest := strip.SharedColumns(s.body.Width / 3)
		mid, right := rest.SharedColumns(rest.Width / 2)
		s.add(left, aboutPanes[:1])
		s.add(mid, aboutPanes[1:])
		s.add(right, historyPanes)
	default:
		s.stack(side, true, wantsPanes)
		s.add(strip, historyPanes)
	}
}

// stack puts the first pane above the others if they fit, else all into one slot.
func (s *screen) stack(a draw.Area, apart bool, panes []pane.ID) {
	if !apart || a.Height < stackFrom {
		s.add(a, panes)
		return
	}
	up, down := a.SharedRows(a.Height * 55 / 100)
	s.add(up, panes[:1])
	s.add(down, panes[1:])
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
