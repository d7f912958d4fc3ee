package tui

// Where everything stands: the kinds of screens by size, and the areas of the panes.

// kind is one of the ways to use a screen.
type kind int

const (
	tooSmall kind = iota
	sidebar       // one pane and a short header
	single        // one pane at a time
	double        // tree and details
	triple        // tree, details and what wants attention
)

// The sizes at which one kind gives way to the next, in columns and rows.
const (
	smallestWidth, smallestHeight = 40, 10
	singleFrom                    = 61
	doubleFrom                    = 100
	tripleFrom                    = 160
)

// pane names what can have the focus.
type pane int

const (
	paneTree pane = iota
	paneDetail
	paneAside
)

// area is a part of the screen. That of a pane is without the edges of the box around it.
type area struct{ x, y, width, height int }

func (a area) holds(x, y int) bool {
	return x >= a.x && x < a.x+a.width && y >= a.y && y < a.y+a.height
}

// screen says where the panes of a size stand. A pane that is not shown has no width.
type screen struct {
	kind          kind
	width, height int
	body          area // everything between header and footer
	panes         [paneAside + 1]area
	boxed         bool // panes stand in boxes
}

// screenFor divides a terminal of some size.
func screenFor(width, height int) screen {
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
	widths := [paneAside + 1]int{width}
	switch s.kind {
	case sidebar, single: // the details open in a box where the tree stands
		s.panes[paneTree] = s.body
		s.panes[paneDetail] = inBox(s.body)
		return s
	case double:
		tree := min(width*54/100, 84)
		widths = [...]int{tree, width - tree, 0}
	case triple:
		tree, aside := min(width*40/100, 84), min(width*27/100, 60)
		widths = [...]int{tree, width - tree - aside, aside}
	}
	s.boxed = true
	x := 0
	for i, w := range widths {
		if w > 0 {
			s.panes[i] = inBox(area{x, top, w, s.body.height})
		}
		x += w
	}
	s.panes[paneTree].x-- // rows begin with a mark of their own and end with a blank
	s.panes[paneTree].width += 2
	return s
}

// inBox returns what is left for text in a box: its edges and a blank beside them are taken.
func inBox(a area) area { return area{a.x + 2, a.y + 1, a.width - 4, a.height - 2} }

// shows reports whether a pane has a place on the screen, with or without the focus.
func (s screen) shows(p pane) bool { return s.panes[p].width > 0 }

// hit returns the pane at a point, of those that are in view while one has the focus.
func (s screen) hit(x, y int, focus pane) (p pane, ok bool) {
	for p := range s.panes {
		if (s.boxed || pane(p) == focus) && s.panes[p].holds(x, y) {
			return pane(p), true
		}
	}
	return 0, false
}
