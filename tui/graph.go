package tui

// The graph of a build: what needs what, in the pane of the tree and with its selection. Narrow, it is a list by layers; wide,
// columns with edges.

import (
	"gatehouse/tui/draw"
	"strconv"
)

// graph is the view. Which node is selected the tree knows.
type graph struct {
	plan          *graphPlan
	site          *site
	selected      int // -1: what is selected is not in the graph
	top, left     int // the first row or line that is visible, and the first layer
	width, height int
	revision      uint64
}

func (g *graph) Version() uint64 { return g.revision }

// graphColumnsFrom is the width from which the graph is drawn as columns with edges.
const graphColumnsFrom = 84

// selectedGraph returns the graph of the build that is selected, nil where it has none.
func (d *dashboard) selectedGraph() *graphPlan {
	if r, ok := d.tree.at(); ok {
		return r.site.graph
	}
	return nil
}

// graphShown reports whether the build is shown as a graph: wished, and there is one.
func (d *dashboard) graphShown() bool { return d.wishes.graph && d.selectedGraph() != nil }

// toggleGraph shows the build as a graph, or as a tree again.
func (d *dashboard) toggleGraph() {
	d.setGraph(!d.wishes.graph)
	d.focusOn(paneTree)
	if !d.graphShown() {
		return
	}
	if d.tree.filter.active() { // the graph shows all there is
		d.tree.filter = filter{}
		d.tree.refilter()
	}
	p := d.selectedGraph()
	r, _ := d.tree.at()
	if _, in := p.at[r.id()]; in {
		return
	}
	if i, ok := p.at[r.site.build.Now]; ok {
		d.chooseInGraph(i)
		return
	}
	for _, i := range p.order {
		if !p.nodes[i].Status.Closed() {
			d.chooseInGraph(i)
			return
		}
	}
	d.chooseInGraph(p.order[0])
}

// setGraph wishes for a graph or for the tree, and gives it its room.
func (d *dashboard) setGraph(on bool) {
	d.wishes.graph = on
	d.arrange()
}

// id returns that of the row's node, "" where it is a build.
func (r row) id() string {
	if r.node == nil {
		return ""
	}
	return r.node.ID
}

// chooseInGraph selects a node, in the tree too.
func (d *dashboard) chooseInGraph(i int) {
	r, _ := d.tree.at()
	d.tree.goTo(r.site.place(d.selectedGraph().nodes[i].ID))
	d.lead = paneTree
}

// moveInGraph goes some nodes on, or back, layer by layer.
func (d *dashboard) moveInGraph(by int) {
	p := d.graph.plan
	n, _ := d.graph.position()
	d.chooseInGraph(p.order[max(0, min(n-1+by, len(p.order)-1))])
}

// goOut folds in the tree; in the graph it goes to what the node needs: what is open before what is done.
func (d *dashboard) goOut() {
	if !d.graphShown() {
		d.tree.out()
		return
	}
	g := &d.graph
	d.follow(g.plan.Needs[g.selected])
}

// goIn unfolds in the tree; in the graph it goes to what needs the node.
func (d *dashboard) goIn() {
	if !d.graphShown() {
		d.tree.in()
		return
	}
	g := &d.graph
	d.follow(g.plan.needed[g.selected])
}

// follow selects the nearest of some nodes, of two as near the one that is open.
func (d *dashboard) follow(all []int) {
	g := &d.graph
	best, least := -1, 0
	for _, i := range all {
		far := abs(g.plan.layer[i]-g.plan.layer[g.selected])*1000 + abs(g.plan.routes.y[i]-g.plan.routes.y[g.selected])*2
		if g.plan.nodes[i].Status.Closed() {
			far++
		}
		if best < 0 || far < least {
			best, least = i, far
		}
	}
	if best >= 0 {
		d.chooseInGraph(best)
	}
}

func abs(n int) int { return max(n, -n) }

// position returns which of the nodes is selected, counted from 1, and how many there are.
func (g *graph) position() (n, of int) {
	for k, i := range g.plan.order {
		if i == g.selected {
			return k + 1, len(g.plan.order)
		}
	}
	return 0, len(g.plan.order)
}

// fitGraph takes in what is selected and how much room there is.
func (d *dashboard) fitGraph() {
	if !d.graphShown() {
		d.graph.plan, d.graph.site = nil, nil // not to keep a snapshot that is over
		return
	}
	g, a := &d.graph, d.screen.inner(paneTree)
	r, _ := d.tree.at()
	selected := -1
	if i, ok := r.site.graph.at[r.id()]; ok {
		selected = i
	}
	if g.plan != r.site.graph || g.site != r.site || g.selected != selected || g.width != a.Width || g.height != a.Height {
		g.plan, g.site, g.selected, g.width, g.height = r.site.graph, r.site, selected, a.Width, a.Height
		g.revision++
	}
	g.show()
}

// asColumns reports whether there is room for columns with edges: for all, or for so many nodes side by side that a list would
// be longer still. A long chain is a list.
func (g *graph) asColumns(width int) bool {
	if width < graphColumnsFrom {
		return false
	}
	total := 1
	for k, w := range g.columnWidths(width) {
		total += w + g.plan.routes.gutters[k].width()
	}
	return total <= width || g.plan.routes.rows > len(g.plan.layers)
}

// above returns how many lines stand above the graph.
func (g *graph) above() int {
	n := len(g.plan.notes) + 1
	if g.height < 3*n {
		return 1
	}
	return n
}

// show moves the window so that the selection is inside.
func (g *graph) show() {
	room := max(g.height-g.above(), 1)
	var top, left int
	if g.asColumns(g.width) {
		rows := room / g.spacing(room)
		y, layer := g.top, 0
		if g.selected >= 0 {
			y, layer = g.plan.routes.y[g.selected], g.plan.layer[g.selected]
		}
		top = draw.Scrolled(g.top, y, g.plan.routes.rows, max(rows, 1))
		left = g.leftFor(layer)
	} else {
		line := g.top
		for k, i := range g.plan.lines {
			if i >= 0 && i == g.selected {
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

// leftFor returns the first visible layer for one that must be seen: it moves no further than it has to.
func (g *graph) leftFor(layer int) int {
	widths := g.columnWidths(g.width)
	last := func(left int) int { // the last layer that is seen in full from there
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

// note says how much of the graph is not in view.
func (g *graph) note(l *draw.Look) string {
	room := max(g.height-g.above(), 1)
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
	more := draw.MoreNote(l, g.top, room/g.spacing(room), g.plan.routes.rows)
	if more == "" || layers == "" {
		return more + layers
	}
	return more + draw.PartJoint + layers
}
