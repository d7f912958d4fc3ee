package tui

// The tree's pane, where it shows the graph of the build instead, which has the same selection.

import (
	"gatehouse/tui/draw"
	"gatehouse/tui/graph"
	"gatehouse/tui/index"
)

// plan returns the graph of the build that is selected, nil where it has none.
func (t *tree) plan() *graph.Plan {
	if r, ok := t.at(); ok {
		return r.Site.Graph
	}
	return nil
}

// showsGraph reports whether the build is shown as a graph: that is wanted, and there is one.
func (t *tree) showsGraph() bool { return t.asGraph && t.plan() != nil }

// outsideGraph reports whether the build is shown as a graph in which the selected row is not.
func (t *tree) outsideGraph() bool { return t.showsGraph() && t.graph.Selected < 0 }

// setGraph shows the build as a graph, or as a tree.
func (t *tree) setGraph(on bool) { t.asGraph = on; t.revision++ }

// enterGraph selects something that is in the graph, which shows all there is.
func (t *tree) enterGraph() {
	if t.filter.Active() {
		t.clearFilter()
	}
	if r, _ := t.at(); !r.Site.Graph.Has(r.ID()) {
		t.goToNode(r.Site.Graph.Start(r.Site.Build.Now))
	}
}

// clearFilter lets everything pass again.
func (t *tree) clearFilter() {
	t.filter = index.Filter{}
	t.Refilter()
}

// goToNode selects a node of the build by its ID; "" changes nothing.
func (t *tree) goToNode(id string) {
	if r, ok := t.at(); ok && id != "" {
		t.goTo(r.Site.Place(id))
	}
}

// Title implements [content].
func (t *tree) Title(bool) string {
	if t.showsGraph() {
		return "Graph"
	}
	return t.Name()
}

// Note implements [content].
func (t *tree) Note(l *draw.Look) string {
	if t.showsGraph() {
		return t.graph.Note(l)
	}
	return ""
}

// Position implements [list].
func (t *tree) Position() (n, of int) {
	if t.showsGraph() {
		return t.graph.Position()
	}
	return t.selected + 1, len(t.rows)
}

// Lines returns how many rows there are.
func (t *tree) Lines() int { return len(t.rows) }

// Lay implements [content].
func (t *tree) Lay(_ *scene, a draw.Area, _ bool) {
	t.fit(a.Height)
	t.layGraph(a)
}

// layGraph takes in what is selected and how much room there is.
func (t *tree) layGraph(a draw.Area) {
	if r, _ := t.at(); t.showsGraph() {
		t.graph.Fit(r.Site.Graph, r.ID(), a.Width, a.Height)
		return
	}
	t.graph.Fit(nil, "", 0, 0)
}

// Render implements [content].
func (t *tree) Render(l *draw.Look, width, height int, focused bool) []string {
	if t.showsGraph() {
		return t.graph.Render(l, width, height, focused)
	}
	return t.renderRows(l, width, height, focused)
}

// Move goes some rows down, or up; in the graph some nodes, layer by layer.
func (t *tree) Move(by int) {
	if t.showsGraph() {
		t.goToNode(t.graph.Step(by))
		return
	}
	t.choose(t.selected + by)
}

// Out folds the selected row, or moves to the one above it; in the graph it goes to what the node needs.
func (t *tree) Out() {
	if t.showsGraph() {
		t.goToNode(t.graph.Before())
		return
	}
	t.out()
}

// In unfolds the selected row, or moves to the first below it; in the graph it goes to what needs the node.
func (t *tree) In() {
	if t.showsGraph() {
		t.goToNode(t.graph.After())
		return
	}
	t.in()
}

// Click selects the row or the node at a point, folds or unfolds the row, or switches what is in the bar there.
func (t *tree) Click(l *draw.Look, x, y, width int) {
	if t.showsGraph() {
		t.goToNode(t.graph.Hit(x, y, width))
		return
	}
	n := t.barHeight()
	if y < n {
		if _, chips := t.bar(l, width); t.switchAt(chips, x) {
			t.Refilter()
		}
		return
	}
	if i := t.top + y - n; i < len(t.rows) {
		t.choose(i)
		if r := t.rows[i]; x == 1+2*max(r.Depth-1, 0) && !t.filter.Active() {
			t.toggle()
		}
	}
}
