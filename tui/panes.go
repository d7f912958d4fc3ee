package tui

// The panes on the screen: which are visible, which has the focus, and how each is laid out.

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/pane"
)

// frontPane returns the visible pane of a slot: the one that had the focus last, else the first one with content.
func (d *dashboard) frontPane(s slot) pane.ID {
	p := s.panes[0]
	for _, q := range s.panes {
		if d.used[q] > d.used[p] || d.used[p] == 0 && d.layout.empty[p] && !d.layout.empty[q] {
			p = q
		}
	}
	return p
}

// inView reports whether a pane is on the screen now.
func (d *dashboard) inView(p pane.ID) bool {
	if d.screen.kind == tooSmall {
		return false
	}
	s := d.screen.slots[d.screen.slotOf(p)]
	return d.frontPane(s) == p
}

// emptyPanes returns the panes that have nothing to show.
func (d *dashboard) emptyPanes() (empty [pane.Count]bool) {
	if d.still || d.index.Empty() {
		return empty
	}
	empty[pane.TimelineID] = len(d.index.Moments) == 0
	empty[pane.DecisionsID] = !d.index.Decided()
	empty[pane.WaitsID] = len(d.index.Waits) == 0 && len(d.index.Running()) == 0
	empty[pane.BlockersID] = d.index.Sums.Problems == 0 && !d.index.Hindered()
	empty[pane.InboxID] = len(d.index.Items) == 0
	if d.index.OnlyAgents() { // agents have no files of their own
		empty[pane.FileID], empty[pane.MetricsID] = true, true
	}
	empty[d.focus] = false
	return empty
}

// focusOn gives a pane the focus, and shows it. A list becomes the one whose selection the other panes show.
func (d *dashboard) focusOn(p pane.ID) {
	d.focus = p
	d.turn++
	d.used[p] = d.turn
	if _, ok := d.panes[p].(pane.List); ok {
		d.master = p
	}
}

// nextPane moves the focus to another pane by number.
func (d *dashboard) nextPane(by int) {
	d.focusOn(pane.ID((int(d.focus) + by + pane.Count) % pane.Count))
}

// selectedSubject returns the subject of the panes next to the tree; ok is false if nothing is selected. A build that was selected because
// of the next question means that question until the selection moves.
func (d *dashboard) selectedSubject() (s pane.Subject, ok bool) {
	s, ok = pane.SubjectOf(d.index, d.tree, d.panes[d.master].(pane.List))
	if !d.still && !d.tree.Touched && ok && s.Node == nil && len(s.Run) == 0 && len(d.index.Waits) > 0 {
		if w := d.index.Waits[0]; w.IsCurrent() && w.Site == s.Site {
			s = pane.SubjectAt(w.Site, w.Node)
		}
	}
	return s, ok
}

// readFile returns the command that reads the file to show, or nil.
func (d *dashboard) readFile() tea.Cmd {
	return d.file.Read(d.opts.Files, &d.scene)
}

// layOut updates everything after a change: the layout of pages, and the visible parts around selections. The details come last, because
// another pane may select their subject.
func (d *dashboard) layOut() {
	if d.screen.kind == tooSmall {
		return
	}
	if empty, table := d.emptyPanes(), len(d.index.Sites) > 1; empty != d.layout.empty || table != d.layout.table {
		d.layout.empty, d.layout.table = empty, table
		d.screen = screenFor(d.screen.width, d.screen.height, d.layout)
	}
	d.tree.Remarks = d.decisions.Remarks()
	for p := range d.panes {
		if pane.ID(p) != pane.DetailID {
			d.layPane(pane.ID(p))
		}
	}
	d.layPane(pane.DetailID)
}

func (d *dashboard) layPane(p pane.ID) {
	s := &d.scene
	s.Index, s.Look = d.index, d.look
	s.Row, _ = d.tree.At()
	d.panes[p].Lay(s, d.screen.innerArea(p), d.inView(p))
}
