package pane

// Runs: finished neighbors in the tree share one row, which unfolds like any other. A node that deserves attention is never in a run.

import (
	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// leastRun is the minimum number of neighbors in a run: the names of two are no longer than a run's name.
const leastRun = 3

// appendBelow appends the rows below an open row, with runs. Below a finished row there are no runs: a user who opens it wants to see everything.
func (t *Tree) appendBelow(r index.Row) {
	nodes, runs := r.Children(), len(r.Run) == 0 && (r.Node == nil || !r.Node.Status.Closed())
	left := 0 // the rest of a run, while the user reads
	for len(nodes) > 0 {
		n := 1
		if runs {
			if n = t.runOf(r.Site, nodes, &left); n >= leastRun {
				run := index.Row{Site: r.Site, Run: nodes[:n:n], Depth: r.Depth + 1}
				t.rows = append(t.rows, run)
				if t.isOpen(run) {
					t.appendBelow(run)
				}
				nodes = nodes[n:]
				continue
			}
			n = max(n, 1)
		}
		for _, node := range nodes[:n] {
			below := index.Row{Site: r.Site, Node: node, Depth: r.Depth + 1}
			t.rows = append(t.rows, below)
			if len(node.Children) > 0 && t.isOpen(below) {
				t.appendBelow(below)
			}
		}
		nodes = nodes[n:]
	}
}

// runOf returns how many neighbors, from the first on, share one row. While the user reads, these are the members of earlier runs; left
// counts the remaining ones.
func (t *Tree) runOf(s *index.Site, nodes []*model.Node, left *int) (n int) {
	for ; n < len(nodes); n++ {
		at, rest := s.Place(nodes[n].ID), 0
		if t.shown != nil {
			at.Run = true
			rest = max(*left-1, t.runs[at])
			at.Run = false
		}
		_, marked := t.Marks[at]
		if marked || t.shown != nil && rest <= 0 || t.Remarks[at] != "" || !s.Quiet(nodes[n]) || nodes[n].Status != nodes[0].Status {
			if n == 0 { // the node has a row of its own; a later one is checked again
				*left = rest
			}
			return n
		}
		*left = rest
	}
	return n
}

// holdsRun reports whether a run contains the target of the selection.
func (t *Tree) holdsRun(run index.Row) bool {
	if t.target.Node == "" || t.target.Run {
		return false
	}
	for _, n := range run.Run {
		if at := run.Site.Place(n.ID); at == t.target || t.held[at] {
			return true
		}
	}
	return false
}

// runRow returns the row of a run: the first node, the last, and the number of nodes.
func runRow(l *draw.Look, r index.Row) treeRow {
	from, to, many := runName(r)
	status, dim := r.Run[0].Status, l.Theme.Dim
	row := treeRow{sign: l.Glyphs.Of(status), signStyle: dim, title: from, last: to, titleStyle: dim, hints: []string{many}, word: status.Word(), wordStyle: dim}
	newest := r.Run[0]
	for _, n := range r.Run {
		if n.Since.IsZero() || n.SinceFile { // the age of the run is unknown
			return row
		}
		if n.Since.After(newest.Since) {
			newest = n
		}
	}
	row.since = ageFrom(newest.Since, false, newest.StaleSince())
	return row
}

// runName returns the first and the last node of a run, by numbers if both have one, and the count: "01", "31", "31 phases".
func runName(r index.Row) (from, to, many string) {
	first, last := r.Run[0], r.Run[len(r.Run)-1]
	from, to = first.Number, last.Number
	if from == "" || to == "" {
		from, to = first.Name()+" ", " "+last.Name()
	}
	noun := string(first.Kind)
	for _, n := range r.Run {
		if n.Kind != first.Kind {
			noun = "step"
		}
	}
	return from, to, draw.Counted(len(r.Run), noun)
}

// runPage lays out the details of a run: its nodes.
func runPage(l *draw.Look, r index.Row, width int) page {
	p := newPage(l, width)
	from, to, many := runName(r)
	p.Text(l.Theme.Strong, from+"–"+to)
	st := r.Run[0].Status
	p.addStatus(l.Theme.Status(st), l.Glyphs.Of(st), st.Word(), "", "")
	p.Heading(many)
	for _, n := range draw.Limited(p.Page, r.Run) {
		st, sign := l.StatusOf(n)
		p.Item(st, sign, "", draw.Join(draw.PartJoint, n.Name(), l.Since(n.Since, n.SinceFile)))
	}
	return p
}
