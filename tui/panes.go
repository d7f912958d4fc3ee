package tui

// The panes on the screen: which is in view, which has the focus, and how each is laid out, drawn once and then kept.

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// front returns the pane of a slot that is in view: the one that had the focus last, the first without.
func (d *dashboard) front(s slot) pane {
	p := s.panes[0]
	for _, q := range s.panes {
		if d.used[q] > d.used[p] {
			p = q
		}
	}
	return p
}

// inView reports whether a pane is on the screen now.
func (d *dashboard) inView(p pane) bool {
	return d.screen.kind != tooSmall && d.front(d.screen.slots[d.screen.slotOf(p)]) == p
}

// focusOn gives a pane the focus, and with it the view. A list becomes what the other panes are about.
func (d *dashboard) focusOn(p pane) {
	d.focus = p
	d.turn++
	d.used[p] = d.turn
	if _, ok := d.panes[p].(list); ok {
		d.lead = p
	}
}

// nextPane moves the focus to another pane by number.
func (d *dashboard) nextPane(by int) { d.focusOn(pane((int(d.focus) + by + paneCount) % paneCount)) }

// subject returns what the panes beside the tree are about; ok is false where nothing is selected.
func (d *dashboard) subject() (s subject, ok bool) {
	return subjectOf(d.index, d.tree, d.panes[d.lead].(list))
}

// readFile returns the command that reads the file that is to be shown, nil where that is not needed.
func (d *dashboard) readFile() tea.Cmd { return d.file.Read(d.opts.Files, &d.scene) }

// offersFor returns what can be decided about a row, with the keys for it.
func (d *dashboard) offersFor(r index.Row) []draw.Hint { return d.offers(target{r.Site, r.Node}.can()) }

// layOut makes everything fit together after something changed: pages are laid out anew where what they show has changed, and
// windows follow selections. The details come last: they may be about what is selected in another pane.
func (d *dashboard) layOut() {
	if d.screen.kind == tooSmall {
		d.tree.layGraph(draw.Area{}) // keys go through it, seen or not
		return
	}
	for p := range d.panes {
		if pane(p) != paneDetail {
			d.lay(pane(p))
		}
	}
	d.lay(paneDetail)
}

func (d *dashboard) lay(p pane) {
	s := &d.scene
	s.index, s.shown, s.look = d.index, d.shown, d.look
	s.row, _ = d.tree.at()
	d.panes[p].Lay(s, d.screen.inner(p), d.inView(p))
}

// toggleGraph shows the build as a graph, which is wider than a tree, or as a tree again.
func (d *dashboard) toggleGraph() {
	d.setGraph(!d.tree.asGraph)
	d.focusOn(paneTree)
	if d.tree.showsGraph() {
		d.tree.enterGraph()
	}
}

func (d *dashboard) setGraph(on bool) {
	d.tree.setGraph(on)
	d.arrange()
}

// drawKey says what a pane was drawn for.
type drawKey struct {
	look          *draw.Look
	revision      uint64
	width, height int
	focused       bool
}

// drawing is a pane as it was drawn last.
type drawing struct {
	key   drawKey
	lines []string
}

// draw returns a pane's lines, drawn anew only when something in them changed.
func (d *dashboard) draw(p pane) []string {
	a, c := d.screen.inner(p), d.panes[p]
	key := drawKey{d.look, c.Version(), a.Width, a.Height, d.focus == p && !d.still}
	if d.drawings[p].key != key {
		d.drawings[p] = drawing{key, c.Render(d.look, a.Width, a.Height, key.focused)}
	}
	return d.drawings[p].lines
}
