package tui

// The graph of the build in the pane of the tree, whose selection it shares.

import (
	"gatehouse/tui/graph"
	"gatehouse/tui/index"
)

// selectedGraph returns the graph of the build that is selected, nil where it has none.
func (d *dashboard) selectedGraph() *graph.Plan {
	if r, ok := d.tree.at(); ok {
		return r.Site.Graph
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
	if d.tree.filter.Active() { // the graph shows all there is
		d.tree.filter = index.Filter{}
		d.tree.refilter()
	}
	if r, _ := d.tree.at(); !r.Site.Graph.Has(r.ID()) {
		d.chooseInGraph(r.Site.Graph.Start(r.Site.Build.Now))
	}
}

// setGraph wishes for a graph or for the tree, and gives it its room.
func (d *dashboard) setGraph(on bool) {
	d.wishes.graph = on
	d.arrange()
}

// chooseInGraph selects a node, in the tree too; "" changes nothing.
func (d *dashboard) chooseInGraph(id string) {
	if r, ok := d.tree.at(); ok && id != "" {
		d.tree.goTo(r.Site.Place(id))
		d.lead = paneTree
	}
}

// goOut folds in the tree; in the graph it goes to what the node needs: what is open before what is done.
func (d *dashboard) goOut() {
	if !d.graphShown() {
		d.tree.out()
		return
	}
	d.chooseInGraph(d.graph.Before())
}

// goIn unfolds in the tree; in the graph it goes to what needs the node.
func (d *dashboard) goIn() {
	if !d.graphShown() {
		d.tree.in()
		return
	}
	d.chooseInGraph(d.graph.After())
}

// fitGraph takes in what is selected and how much room there is.
func (d *dashboard) fitGraph() {
	r, _ := d.tree.at()
	if !d.graphShown() {
		d.graph.Fit(nil, "", 0, 0)
		return
	}
	a := d.screen.inner(paneTree)
	d.graph.Fit(r.Site.Graph, r.ID(), a.Width, a.Height)
}
