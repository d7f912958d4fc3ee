package pane

// The inbox: items that will be worked in later, the newest first, with a filter.

import (
	"strconv"

	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// inbox is the pane.
type inbox struct{ entries }

func newInbox() *inbox {
	b := &inbox{newEntries("Inbox", "the inbox: ideas, wishes and links that wait for their turn")}
	b.title, b.page = func(ix *index.Index) string { return nameWithCount(b.name, ix.Sums.Inbox) }, inboxPage
	return b
}

// Refilter implements [Filtered]; the page follows when it is laid out.
func (b *inbox) Refilter() { b.revision++ }

// Seek shows only items that contain a text.
func (b *inbox) Seek(text string) {
	b.filter.Search(text)
	b.Refilter()
}

// Click switches the chip of the bar at a point, or selects the item there.
func (b *inbox) Click(l *draw.Look, x, y, width int) {
	onBar, changed := b.filterBar.clickBar(l, x, y, width)
	if changed {
		b.Refilter()
	}
	if !onBar {
		b.entries.Click(l, x, y, width)
	}
}

// inboxPage lays out the items that pass the filter.
func inboxPage(e *entries, l *draw.Look, ix *index.Index, _ *index.Site, width int) page {
	p, th, hits := newPage(l, width), l.Theme, 0
	for _, x := range ix.Items {
		n := x.Node
		if !e.filter.Passes(index.StandingOf(n.Status), n.Title, x.Kind, n.Word()) {
			continue
		}
		if hits++; hits > draw.ListLimit {
			continue
		}
		st := draw.Style("")
		if n.Status.Closed() {
			st = th.Dim
		}
		p.beginAbout(x.Site.Place(n.ID), n.Source, n.Title)
		p.Item(th.Status(n.Status), l.Glyphs.Of(n.Status), st, l.Clipped(n.Title, 2*(width-2)))
		p.Below(th.Dim, draw.Join(draw.PartJoint, ix.ProjectName(x.Site), x.Kind, n.Word(), l.Ago(n.Updated)))
		p.End()
	}
	if e.found = ""; e.filter.Active() {
		e.found = strconv.Itoa(hits) + " of " + strconv.Itoa(len(ix.Items))
	}
	switch {
	case hits > draw.ListLimit:
		p.More(hits - draw.ListLimit)
	case hits == 0 && e.filter.Active():
		p.Text(th.Dim, "no item matches; esc clears the filter")
	case hits == 0:
		p.Text(th.Dim, "the inbox is empty")
	}
	return p
}
