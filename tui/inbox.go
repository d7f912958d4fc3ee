package tui

// The inbox: what waits for its turn to be worked in, the newest first, with a filter of its own.

import (
	"slices"
	"strconv"

	"gatehouse/model"
	"gatehouse/tui/draw"
)

// inboxGroup is the ID of the row below which a build has the items of its inbox.
const inboxGroup = "group/inbox"

// inboxItem is an item, and where.
type inboxItem struct {
	site *site
	node *model.Node
	kind string // "reference"; "" where nobody says
}

// gatherItems adds the items of a build's inbox, and counts those that nobody has dealt with.
func (px *projectIndex) gatherItems(s *site) {
	group := s.nodes[inboxGroup].node
	if group == nil {
		return
	}
	for _, n := range group.Children {
		x := inboxItem{site: s, node: n}
		for _, f := range n.Facts {
			if f.Label == "type" {
				x.kind = f.Value
			}
		}
		px.items = append(px.items, x)
		if !n.Status.Closed() {
			px.sums.inbox++
		}
	}
}

// inbox is the pane.
type inbox struct {
	draw.Sheet
	index    *index
	filter   filter
	mode     barMode
	filtered uint64 // grows with every change of what is listed
	found    int
}

func (b *inbox) its() *filter     { return &b.filter }
func (b *inbox) inMode(m barMode) { b.mode = m; b.Revision++ }
func (b *inbox) refilter()        { b.filtered++; b.Revision++ }
func (b *inbox) barHeight() int   { return b.filter.barHeight(b.mode, b.topics()) }

// topics are the kinds of items there are.
func (b *inbox) topics() []string {
	var all []string
	for _, x := range b.index.items {
		if i, known := slices.BinarySearch(all, x.kind); !known && x.kind != "" {
			all = slices.Insert(all, i, x.kind)
		}
	}
	return all
}

func (b *inbox) bar(l *draw.Look, width int) (lines []string, chips [][]chip) {
	found := ""
	if b.filter.active() {
		found = strconv.Itoa(b.found) + " of " + strconv.Itoa(len(b.index.items))
	}
	return b.filter.bars(l, width, b.mode, found, b.topics())
}

// chips returns what can be clicked in a line of the bar.
func (b *inbox) chips(l *draw.Look, width, y int) []chip {
	_, chips := b.bar(l, width)
	return chips[y]
}

func (b *inbox) fit(height int) { b.Sheet.Fit(max(height-b.barHeight(), 0)) }

// Render draws the bar and what can be seen of the list.
func (b *inbox) Render(l *draw.Look, width, height int, focused bool) []string {
	var lines []string
	if b.barHeight() > 0 {
		lines, _ = b.bar(l, width)
	}
	lines = lines[:min(len(lines), height)]
	return append(lines, b.Sheet.Render(l, width, height-len(lines), focused)...)
}

// page lays out the items that pass the filter.
func (b *inbox) page(l *draw.Look, width int) *page {
	p := newPage(l, width)
	th := l.Theme
	b.found = 0
	for _, x := range b.index.items {
		n := x.node
		if !b.filter.about(x.kind) || !b.filter.passes(n.Status, n.Title, x.kind, draw.Word(n)) {
			continue
		}
		b.found++
		if b.found > draw.ListLimit {
			continue
		}
		st := draw.Style("")
		if n.Status.Closed() {
			st = th.Dim
		}
		p.beginAbout(x.site.place(n.ID), n.Source, n.Title)
		p.Item(th.Status(n.Status), l.Glyphs.Of(n.Status), st, l.Clipped(n.Title, 2*(width-2)))
		p.Below(th.Dim, draw.Join(" · ", b.index.projectName(x.site), x.kind, draw.Word(n), l.Ago(n.Updated)))
		p.End()
	}
	switch {
	case b.found > draw.ListLimit:
		p.More(b.found - draw.ListLimit)
	case b.found == 0 && b.filter.active():
		p.Text(th.Dim, "no item is like this; esc clears the filter")
	case b.found == 0:
		p.Text(th.Dim, "the inbox is empty")
	}
	return p
}
