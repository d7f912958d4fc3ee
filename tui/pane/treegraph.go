package pane

// The graph of the build, which replaces the tree and shares its selection.

import (
	"gatehouse/tui/draw"
	"gatehouse/tui/graph"
	"gatehouse/tui/index"
)

// graphPlan returns the graph of the selected build, nil without one.
func (t *Tree) graphPlan() *graph.Plan {
	if r, ok := t.At(); ok {
		return r.Site.Graph
	}
	return nil
}

// HasGraph reports whether the selected build has a graph.
func (t *Tree) HasGraph() bool { return t.graphPlan() != nil }

// ShowsGraph reports whether the build is shown as a graph: it is requested and exists.
func (t *Tree) ShowsGraph() bool { return t.AsGraph && t.HasGraph() }

// OutsideGraph reports whether the graph is shown and lacks the selected row.
func (t *Tree) OutsideGraph() bool { return t.ShowsGraph() && t.graph.Selected < 0 }

// SetGraph shows the build as a graph, or as a tree.
func (t *Tree) SetGraph(on bool) { t.AsGraph = on; t.revision++ }

// togglePart shows only the part of the graph around the selection, or all of it again.
func (t *Tree) togglePart() {
	t.graph.Part = !t.graph.Part
	t.revision++
}

// Replay steps through the times of the graph.
func (t *Tree) Replay(by int) { t.graph.Replay(by) }

// WhyNoReplay says why stepping is impossible.
func (t *Tree) WhyNoReplay(by int) string { return t.graph.WhyNoReplay(by) }

// EnterGraph selects a node in the graph, which shows all nodes.
func (t *Tree) EnterGraph() {
	if t.filter.Active() {
		t.clearFilter()
	}
	t.left, t.entered = index.Place{}, index.Place{}
	if r, _ := t.At(); !r.Site.Graph.Has(r.ID()) {
		t.left = r.Place().Clone()
		t.goToNode(r.Site.Graph.Start(r.Site.Build.Now))
		if r, ok := t.At(); ok {
			t.entered = r.Place().Clone()
		}
	}
}

// LeaveGraph returns to the row that is not in the graph, unless the selection has moved in the graph.
func (t *Tree) LeaveGraph() {
	if r, ok := t.At(); ok && t.left.Project != "" && r.Place() == t.entered && t.index.Has(t.left) {
		t.GoTo(t.left)
	}
	t.left = index.Place{}
}

// clearFilter removes the filter.
func (t *Tree) clearFilter() {
	t.filter = index.Filter{}
	t.Refilter()
}

// goToNode selects a node of the build by its ID; "" changes nothing.
func (t *Tree) goToNode(id string) {
	if r, ok := t.At(); ok && id != "" {
		t.GoTo(r.Site.Place(id))
	}
}

// Title implements [Pane].
func (t *Tree) Title(bool) string {
	if t.ShowsGraph() {
		return "Graph"
	}
	return t.name
}

// Note implements [Pane].
func (t *Tree) Note(l *draw.Look) string {
	if t.ShowsGraph() {
		return t.graph.Note(l)
	}
	if !t.isSorted() {
		return "order kept: going to the top sorts"
	}
	return ""
}

// Position implements [List].
func (t *Tree) Position() (n, of int) {
	if t.ShowsGraph() {
		return t.graph.Position()
	}
	return t.list.Position()
}

// Lay implements [Pane].
func (t *Tree) Lay(_ *Scene, a draw.Area, _ bool) {
	t.fitHeight(a.Height)
	t.LayGraph(a)
}

// LayGraph updates the selection and the size.
func (t *Tree) LayGraph(a draw.Area) {
	if r, _ := t.At(); t.ShowsGraph() {
		t.graph.Fit(r.Site.Graph, r.ID(), a.Width, a.Height)
		return
	}
	t.graph.Fit(nil, "", 0, 0)
}

// Render implements [Pane].
func (t *Tree) Render(l *draw.Look, width, height int, focused bool) []string {
	if t.ShowsGraph() {
		return t.graph.Render(l, width, height, focused)
	}
	return t.renderRows(l, width, height, focused)
}

// Move goes some rows down, or up; in the graph some nodes, layer by layer.
func (t *Tree) Move(by int) {
	if t.ShowsGraph() {
		t.goToNode(t.graph.Step(by))
		return
	}
	if by == -draw.FarAway {
		t.sortAgain()
	}
	t.selectBy(by)
	t.touched = true
}

// Out folds the selected row, or moves to the one above it; in the graph it goes to a node that the selected one needs.
func (t *Tree) Out() {
	if t.ShowsGraph() {
		t.goToNode(t.graph.Before())
		return
	}
	r, ok := t.At()
	if !ok {
		return
	}
	if len(r.Children()) > 0 && t.isOpen(r) && !t.filter.Active() {
		t.Toggle()
		return
	}
	for i := t.selected - 1; i >= 0; i-- {
		if t.rows[i].Depth < r.Depth {
			t.Choose(i)
			return
		}
	}
}

// In unfolds the selected row, or moves to the first below it; in the graph it goes to a node that needs the selected one.
func (t *Tree) In() {
	if t.ShowsGraph() {
		t.goToNode(t.graph.After())
		return
	}
	r, ok := t.At()
	switch {
	case !ok || len(r.Children()) == 0:
	case t.isOpen(r):
		if i := t.selected + 1; i < len(t.rows) && t.rows[i].Depth > r.Depth {
			t.Choose(i)
		}
	default:
		t.Toggle()
	}
}

// Click selects the row or the node at a point, folds or unfolds the row, or switches the chip of the bar there.
func (t *Tree) Click(l *draw.Look, x, y, width int) {
	if t.ShowsGraph() {
		t.goToNode(t.graph.Hit(x, y, width))
		return
	}
	onBar, changed := t.filterBar.clickBar(l, x, y, width)
	if changed {
		t.Refilter()
	}
	if i, ok := t.lineAt(y); ok && !onBar {
		t.Choose(i)
		if r := t.rows[i]; x == 1+2*max(r.Depth-1, 0) && !t.filter.Active() {
			t.Toggle()
		}
	}
}
