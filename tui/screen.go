package tui

// Where everything stands: the kinds of screens by size, and the slots that panes are shown in.

// kind is one of the ways to use a screen.
type kind int

const (
	tooSmall kind = iota
	sidebar       // one pane and a short header
	single        // one pane at a time, or one above the other
	double        // tree, preview and, where it is high enough, a strip at the bottom
	triple        // everything at once
)

// The sizes at which one kind gives way to the next, in columns and rows.
const (
	smallestWidth, smallestHeight = 40, 10
	singleFrom                    = 61
	doubleFrom                    = 100
	tripleFrom                    = 160
)

// The heights of the body from which a pane is worth having: below, it would show two lines and take the room of ten.
const (
	stripFrom = 26 // the strip at the bottom
	stackFrom = 28 // two panes in one column
	belowFrom = 18 // a preview below the tree
	tallFrom  = 32 // one that nobody asked for
)

// preview says where the pane beside the tree goes.
type preview int

const (
	previewRight preview = iota
	previewBottom
	previewOff
)

func (p preview) String() string { return [...]string{"right", "bottom", "off"}[p] }

// area is a part of the screen.
type area struct{ x, y, width, height int }

func (a area) holds(x, y int) bool {
	return x >= a.x && x < a.x+a.width && y >= a.y && y < a.y+a.height
}

// slot is a part of the body with the panes that share it, one of them in view.
type slot struct {
	area  area // with the edges of its box
	panes []pane
	bare  bool // the tree stands in it without a box
}

// inner returns what is left for a pane.
func (s slot) inner(p pane) area {
	a := s.area
	if s.bare && p == paneTree {
		return a
	}
	return area{a.x + 1, a.y + 1, max(a.width-2, 0), max(a.height-2, 0)}
}

// screen says where the slots of a size stand. Every pane is in one of them.
type screen struct {
	kind          kind
	width, height int
	body          area // everything between header and footer
	slots         []slot
	split         bool // the tree is not alone
}

// wishes are what decides about a screen besides its size.
type wishes struct {
	preview preview
	zoom    bool // one pane has the whole body
	graph   bool // the build as a graph, which is wider than a tree
	still   bool // for paper: nothing will change, so nothing that shows changes
}

// screenFor divides a terminal of some size.
func screenFor(width, height int, w wishes) screen {
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
	s.body = area{0, top, width, height - top - 1}
	switch {
	case w.zoom:
		s.slots = []slot{{area: s.body, bare: s.kind <= single}}
	case s.kind <= single:
		s.stack(w)
	case s.kind == double:
		s.pair(w)
	default:
		s.spread(w)
	}
	s.split = len(s.slots) > 1
	s.housePanes()
	return s
}

// housePanes puts the panes that have no slot of their own into the one of the tree.
func (s *screen) housePanes() {
	placed := [paneCount]bool{}
	for _, sl := range s.slots {
		for _, p := range sl.panes {
			placed[p] = true
		}
	}
	var rest []pane
	for p := range paneCount {
		if !placed[p] {
			rest = append(rest, pane(p))
		}
	}
	s.slots[0].panes = rest
}

// stack is for narrow screens: the tree alone, or with the preview below.
func (s *screen) stack(w wishes) {
	b := s.body
	if w.still || w.preview == previewOff || b.height < belowFrom || w.preview == previewRight && b.height < tallFrom {
		s.slots = []slot{{area: b, bare: true}}
		return
	}
	up, down := b.rows(b.height * 55 / 100)
	s.slots = []slot{{area: up, bare: true}, {area: down, panes: []pane{paneDetail, paneFile, paneWaits, paneBlockers, paneTimeline, paneDecisions, paneMetrics, paneInbox}}}
}

// pair is for screens of two columns.
func (s *screen) pair(w wishes) {
	b := s.body
	treeWidth := min(b.width*54/100, 84)
	lists := []pane{paneWaits, paneBlockers, paneTimeline, paneDecisions, paneMetrics, paneInbox}
	if w.preview == previewBottom {
		up, down := b.rows(b.height * 55 / 100)
		left, right := down.columns(treeWidth)
		s.slots = []slot{{area: up}, {area: left, panes: []pane{paneDetail, paneFile}}, {area: right, panes: lists}}
		return
	}
	strip := 0
	if b.height >= stripFrom && !w.still {
		strip = min(max(b.height/4, 7), 12)
	}
	up, down := b.rows(b.height - strip)
	left, right := up.columns(treeWidth)
	switch {
	case w.preview == previewOff:
		s.slots = []slot{{area: up}}
	case strip > 0 || w.still:
		s.slots = []slot{{area: left}, {area: right, panes: []pane{paneDetail, paneFile, paneMetrics}}}
	default:
		s.slots = []slot{{area: left}, {area: right, panes: append([]pane{paneDetail, paneFile}, lists...)}}
	}
	if strip > 0 {
		left, right := down.columns(treeWidth)
		s.slots = append(s.slots, slot{area: left, panes: []pane{paneTimeline, paneDecisions}}, slot{area: right, panes: []pane{paneWaits, paneBlockers, paneInbox}})
	}
}

// spread is for wide screens: what waits and what blocks have a column of their own, the timeline the bottom.
func (s *screen) spread(w wishes) {
	b := s.body
	strip := 0
	switch {
	case w.still || b.height < stripFrom:
	case w.preview == previewBottom:
		strip = b.height * 2 / 5
	default:
		strip = min(max(b.height/4, 7), 14)
	}
	up, down := b.rows(b.height - strip)
	sideWidth := min(b.width/4, 60)
	side := []pane{paneWaits, paneBlockers, paneInbox}
	switch {
	case w.still: // on paper everything is in the overview
		side = side[:1]
	case strip == 0:
		side = append(side, paneTimeline, paneDecisions)
	}
	var main, mid area
	if w.graph && w.preview == previewRight && strip > 0 {
		main, up = up.columns(b.width - sideWidth)
		s.slots = append(s.slots, slot{area: main})
		side = []pane{paneDetail, paneWaits, paneBlockers, paneInbox, paneFile, paneMetrics}
	} else if w.preview == previewRight || strip == 0 && w.preview == previewBottom {
		var rest area
		main, rest = up.columns(min(b.width*44/100, 104))
		mid, up = rest.columns(rest.width - sideWidth)
		s.slots = append(s.slots, slot{area: main})
		s.slots = append(s.slots, stacked(mid, !w.still, paneDetail, paneFile, paneMetrics)...)
	} else {
		main, up = up.columns(b.width - sideWidth)
		s.slots = append(s.slots, slot{area: main})
	}
	s.slots = append(s.slots, stacked(up, strip > 0, side...)...)
	switch {
	case strip == 0:
	case w.preview == previewBottom:
		left, rest := down.columns(b.width / 3)
		mid, right := rest.columns(rest.width / 2)
		s.slots = append(s.slots, slot{area: left, panes: []pane{paneDetail}}, slot{area: mid, panes: []pane{paneFile, paneMetrics}}, slot{area: right, panes: []pane{paneTimeline, paneDecisions}})
	default:
		s.slots = append(s.slots, slot{area: down, panes: []pane{paneTimeline, paneDecisions}})
	}
}

// stacked puts the first pane above the others where there is room, else all into one slot.
func stacked(a area, apart bool, panes ...pane) []slot {
	if !apart || a.height < stackFrom {
		return []slot{{area: a, panes: panes}}
	}
	up, down := a.rows(a.height * 55 / 100)
	return []slot{{area: up, panes: panes[:1]}, {area: down, panes: panes[1:]}}
}

// rows cuts an area below its first n rows.
func (a area) rows(n int) (up, down area) {
	up, down = a, a
	up.height = n
	down.y, down.height = a.y+n, a.height-n
	return up, down
}

// columns cuts an area behind its first n columns.
func (a area) columns(n int) (left, right area) {
	left, right = a, a
	left.width = n
	right.x, right.width = a.x+n, a.width-n
	return left, right
}

// slotOf returns the number of the slot that a pane is in.
func (s *screen) slotOf(p pane) int {
	for i := range s.slots {
		for _, q := range s.slots[i].panes {
			if p == q {
				return i
			}
		}
	}
	return 0
}

// inner returns the area of a pane, whether it is in view or not.
func (s *screen) inner(p pane) area {
	if s.kind == tooSmall {
		return area{}
	}
	return s.slots[s.slotOf(p)].inner(p)
}
