// Package graph shows the dependencies in a build. A [Plan] is laid out once for each snapshot, outside the event loop: layers from
// [gatehouse/model.Graph], without implied edges, columns ordered to avoid crossings, tracks between them. A [View] is a window over a
// plan and draws only the visible part.
package graph

// The graph in its window, with the selection of the tree. Narrow, it is a list by layers; wide,
// columns with edges.

import (
	"strconv"

	"gatehouse/tui/draw"
)

// View is a graph in a window. The selection is set from outside.
type View struct {
	plan          *Plan
	Selected      int // -1: the selected row is not in the graph
	top, left     int // the first visible row or line, and the first visible layer
	width, height int
	revision      uint64
	// Part restricts the view to the surroundings of the selection. The part stays the same until the selection reaches its rim, so that
	// nothing moves during navigation.
	Part bool
	near *Plan
	back int   // steps back in time
	now  *Plan // the current graph
	past *Plan // the graph on the screen
	at   int
}

func (g *View) Version() uint64 { return g.revision }

// columnsFrom is the smallest width with columns and edges.
const columnsFrom = 84

// Position returns the position of the selected node, counted from 1, and the number of nodes.
func (g *View) Position() (n, of int) {
	for k, i := range g.plan.order {
		if i == g.Selected {
			return k + 1, len(g.plan.order)
		}
	}
	return 0, len(g.plan.order)
}

// Fit sets the plan, the ID of the selection, and the size. A nil plan drops everything: an old snapshot would stay in memory.
func (g *View) Fit(p *Plan, id string, width, height int) {
	if p == nil {
		g.plan, g.near, g.now, g.past = nil, nil, nil, nil
		return
	}
	if g.back = min(g.back, max(0, len(p.times)-1)); g.back > 0 {
		if g.now != p || g.at != g.back {
			g.now, g.past, g.at = p, p.statusesAt(g.back), g.back
		}
		p = g.past
	}
	switch {
	case !g.Part || !p.Has(id):
		g.near = nil
	case g.near == nil || g.near.of != p || !g.near.coversNeighbors(id):
		g.near = p.Near(id)
	}
	if g.near != nil {
		p = g.near
	}
	selected := -1
	if i, ok := p.at[id]; ok {
		selected = i
	}
	if g.plan != p || g.Selected != selected || g.width != width || g.height != height {
		g.plan, g.Selected, g.width, g.height = p, selected, width, height
		g.revision++
	}
	g.scrollToSelection()
}

// Step returns the ID of the node some nodes later, or earlier, layer by layer.
func (g *View) Step(by int) string {
	n, _ := g.Position()
	return g.nodeID(g.plan.order[max(0, min(n-1+by, len(g.plan.order)-1))])
}

// Before returns the ID of a node that the selected one needs, After that of a node that needs it, or "". The nearest one is chosen; at
// the same distance an open one.
func (g *View) Before() string { return g.nearestID(g.plan.Needs[g.Selected]) }
func (g *View) After() string  { return g.nearestID(g.plan.needed[g.Selected]) }

func (g *View) nodeID(i int) string { return g.plan.nodes[i].ID }

func (g *View) nearestID(all []int) string {
	best, least := "", 0
	for _, i := range all {
		far := abs(g.plan.layer[i]-g.plan.layer[g.Selected])*1000 + abs(g.plan.routes.y[i]-g.plan.routes.y[g.Selected])*2
		if g.plan.nodes[i].Status.Closed() {
			far++
		}
		if best == "" || far < least {
			best, least = g.nodeID(i), far
		}
	}
	return best
}

func abs(n int) int { return max(n, -n) }

// asColumns reports whether the layers are drawn side by side with edges. If they do not all fit, a part of them is shown; but a chain,
// with a single node in each layer, becomes a list then.
func (g *View) asColumns(width int) bool {
	if width < columnsFrom {
		return false
	}
	total := 1
	for k, w := range g.columnWidths(width) {
		total += w + g.plan.routes.gutters[k].width()
	}
	return total <= width || len(g.plan.layers) < len(g.plan.nodes)
}

// notesHeight returns the number of lines above the graph.
func (g *View) notesHeight() int {
	n := len(g.plan.notes) + 1
	if g.height < 3*n {
		return 1
	}
	return n
}

// scrollToSelection moves the window so that the selection is inside.
func (g *View) scrollToSelection() {
	room := max(g.height-g.notesHeight(), 1)
	var top, left int
	if g.asColumns(g.width) {
		rows := room / g.rowSpacing(room)
		y, layer := g.top, 0
		if g.Selected >= 0 {
			y, layer = g.plan.routes.y[g.Selected], g.plan.layer[g.Selected]
		}
		top = draw.Scrolled(g.top, y, g.plan.routes.rows, max(rows, 1))
		left = g.leftFor(layer)
	} else {
		line := g.top
		for k, i := range g.plan.lines {
			if i >= 0 && i == g.Selected {
				line = k
			}
		}
		top = draw.Scrolled(g.top, line, len(g.plan.lines), room)
	}
	if top = max(top, 0); top != g.top || left != g.left {
		g.top, g.left = top, left
		g.revision++
	}
}

// leftFor returns the first visible layer so that a certain layer is visible: the window moves no further than necessary.
func (g *View) leftFor(layer int) int {
	widths := g.columnWidths(g.width)
	last := func(left int) int { // the last fully visible layer from there
		x := 1
		for k := left; k < len(widths); k++ {
			if x += widths[k]; x > g.width && k > left {
				return k - 1
			}
			x += g.plan.routes.gutters[k].width()
		}
		return len(widths) - 1
	}
	left := min(g.left, max(layer-1, 0))
	for left < layer && last(left) < layer {
		left++
	}
	for left > 0 && last(left-1) == len(widths)-1 {
		left--
	}
	return left
}

// Note says how much of the graph is not in view.
func (g *View) Note(l *draw.Look) string {
	return draw.Join(" "+l.Glyphs.Dot+" ", g.asOf(l.Now), g.inView(l))
}

// inView says which part of the graph is in view.
func (g *View) inView(l *draw.Look) string {
	room := max(g.height-g.notesHeight(), 1)
	if !g.asColumns(g.width) {
		return draw.MoreNote(l, g.top, room, len(g.plan.lines))
	}
	layers := ""
	x, last := 1, g.left
	for k, w := range g.columnWidths(g.width) {
		if k < g.left {
			continue
		}
		if x += w; x > g.width && k > g.left {
			break
		}
		last = k
		x += g.plan.routes.gutters[k].width()
	}
	if n := len(g.plan.layers); g.left > 0 || last < n-1 {
		layers = "layers " + strconv.Itoa(g.left+1) + " to " + strconv.Itoa(last+1) + " of " + strconv.Itoa(n)
	}
	more := draw.MoreNote(l, g.top, room/g.rowSpacing(room), g.plan.routes.rows)
	if more == "" || layers == "" {
		return more + layers
	}
	return more + draw.PartJoint + layers
}
