package tui

// The panes: their numbers and names, which of them is in view, and how each is drawn once and then kept.

import "gatehouse/tui/draw"

// pane names what can have the focus. Its number on the screen is one more.
type pane int

const (
	paneTree pane = iota
	paneDetail
	paneFile
	paneWaits
	paneBlockers
	paneTimeline
	paneDecisions
	paneMetrics
	paneInbox
	paneCount = int(iota)
)

var paneNames = [paneCount]string{"Build", "Details", "File", "For you", "Blockers", "Timeline", "Decisions", "Metrics", "Inbox"}

var paneWords = [paneCount]string{
	"the tree of the build",
	"the details of what is selected",
	"the file behind it, at its line",
	"all that waits for you, and what comes next",
	"what blocks, what worries, what cannot be read",
	"what changed while you looked, and what the agents have logged",
	"what was decided, by whom, and what became of it",
	"the numbers: how fast, how well, which way",
	"the inbox: ideas, wishes and links that wait for their turn",
}

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

// focusOn gives a pane the focus, and with it the view.
func (d *dashboard) focusOn(p pane) {
	d.focus = p
	d.turn++
	d.used[p] = d.turn
	if p == paneTree || p >= paneWaits && p != paneMetrics {
		d.lead = p
	}
}

// nextPane moves the focus to another pane by number.
func (d *dashboard) nextPane(by int) { d.focusOn(pane((int(d.focus) + by + paneCount) % paneCount)) }

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

// renderer is a pane's content: it draws itself into exactly height lines of width columns, and its revision grows with
// every change of what it would draw.
type renderer interface {
	Render(l *draw.Look, width, height int, focused bool) []string
	Version() uint64
}

// content returns what a pane shows.
func (d *dashboard) content(p pane) renderer {
	switch p {
	case paneTree:
		if d.graphShown() {
			return &d.graph
		}
		return &d.tree
	case paneFile:
		return &d.file
	case paneTimeline:
		return &d.timeline
	case paneInbox:
		return &d.inbox
	}
	return d.sheetOf(p)
}

// sheetOf returns the text that a pane shows, nil for the panes that are no text.
func (d *dashboard) sheetOf(p pane) *draw.Sheet {
	switch p {
	case paneDetail:
		return &d.detail
	case paneWaits:
		return &d.waits
	case paneBlockers:
		return &d.blockers
	case paneDecisions:
		return &d.decisions
	case paneMetrics:
		return &d.metrics
	case paneInbox:
		return &d.inbox.Sheet
	}
	return nil
}

// draw returns a pane's lines, drawn anew only when something in them changed.
func (d *dashboard) draw(p pane) []string {
	a, c := d.screen.inner(p), d.content(p)
	key := drawKey{d.look, c.Version(), a.Width, a.Height, d.focus == p && !d.still}
	if d.drawings[p].key != key {
		d.drawings[p] = drawing{key, c.Render(d.look, a.Width, a.Height, key.focused)}
	}
	return d.drawings[p].lines
}
