package pane

// Runs: neighbors in the tree that are done, or done and not verified, stand in one row, which opens like any other. What has something
// in it that somebody looks for stands in no run.

import (
	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// leastRun is how many neighbours at least stand in one row: two are no longer than their names together.
const leastRun = 3

// appendBelow appends what is below a row that is open, with runs as rows. Below what is done itself there are none: whoever opened it
// wants to see what is in it.
func (t *Tree) appendBelow(r index.Row) {
	nodes, runs := r.Children(), len(r.Run) == 0 && (r.Node == nil || !r.Node.Status.Closed())
	left := 0 // of a run that somebody reads
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
			below := index.Row{Site: r.Site, Node: node, Depth: r.Depth + 1, InRun: len(r.Run) > 0}
			t.rows = append(t.rows, below)
			if len(node.Children) > 0 && t.isOpen(below) {
				t.appendBelow(below)
			}
		}
		nodes = nodes[n:]
	}
}

// runOf returns how many of some neighbours, from the first on, stand in one row. Where somebody reads, that are only such as stood in
// a run before, of which left are left.
func (t *Tree) runOf(s *index.Site, nodes []*model.Node, left *int) (n int) {
	for ; n < len(nodes); n++ {
		at, rest := s.Place(nodes[n].ID), 0
		if t.shown != nil {
			at.Run = true
			rest = max(*left-1, t.runs[at])
			at.Run = false
		}
		_, marked := t.marks[at]
		if marked || t.shown != nil && rest <= 0 || t.remarks[at] != "" || !s.Quiet(nodes[n]) || nodes[n].Status != nodes[0].Status {
			if n == 0 { // it stands for itself; another one is looked at again
				*left = rest
			}
			return n
		}
		*left = rest
	}
	return n
}

// holds reports whether what is to be seen for now is in a run.
func (t *Tree) holds(run index.Row) bool {
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

// drawRun draws the row of a run: from which to which, and how many.
func drawRun(line *draw.Ribbon, r index.Row, cols columns, edge int) {
	l := line.Look
	line.Sign(l.Theme.Dim, l.Glyphs.Of(r.Run[0].Status))
	line.Gap(1)
	from, to, many := runName(r)
	line.AddWithin(l.Theme.Dim, from, (edge-line.Width-3)/2)
	line.Exactly(l.Theme.Dim, "–")
	line.AddWithin(l.Theme.Dim, to, edge-line.Width)
	drawHint(line, edge, many)
	line.To(edge)
	drawWord(line, l.Theme.Dim, r.Run[0].Status.Word(), cols)
	newest := r.Run[0]
	for _, n := range r.Run {
		if n.Since.IsZero() || n.SinceFile { // the run is done since nobody knows when
			return
		}
		if n.Since.After(newest.Since) {
			newest = n
		}
	}
	drawAge(line, newest.Since, false, newest.StaleSince(), cols)
}

// runName says what a run goes from and to, by numbers where both have one, and how many of what it has: "01", "31", "31 phases".
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

// runPage lays out the details of a run: what is in it.
func runPage(l *draw.Look, r index.Row, width int) page {
	p := newPage(l, width)
	from, to, many := runName(r)
	p.Text(l.Theme.Strong, from+"–"+to)
	st := r.Run[0].Status
	p.status(l.Theme.Status(st), l.Glyphs.Of(st), st.Word(), "", "")
	p.Heading(many)
	for _, n := range draw.Limited(p.Page, r.Run) {
		st, sign := l.StatusOf(n)
		p.Item(st, sign, "", draw.Join(draw.PartJoint, n.Name(), l.Since(n.Since, n.SinceFile)))
	}
	return p
}
