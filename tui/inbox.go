package tui

// The inbox: what waits for its turn to be worked in, the newest first, with a filter of its own.

import (
	"slices"

	"gatehouse/model"
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
	sheet
	index    *index
	filter   filter
	mode     barMode
	filtered uint64 // grows with every change of what is listed
	found    int
}

func (b *inbox) its() *filter     { return &b.filter }
func (b *inbox) inMode(m barMode) { b.mode = m; b.revision++ }
func (b *inbox) refilter()        { b.filtered++; b.revision++ }
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

func (b *inbox) bar(l *look, width int) (lines []string, chips [][]chip) {
	found := ""
	if b.filter.active() {
		found = itoa(b.found) + " of " + itoa(len(b.index.items))
	}
	return b.filter.bars(l, width, b.mode, found, b.topics())
}

// chips returns what can be clicked in a line of the bar.
func (b *inbox) chips(l *look, width, y int) []chip {
	_, chips := b.bar(l, width)
	return chips[y]
}

func (b *inbox) fit(height int) { b.sheet.fit(max(height-b.barHeight(), 0)) }

// Render draws the bar and what can be seen of the list.
func (b *inbox) Render(l *look, width, height int, focused bool) []string {
	var lines []string
	if b.barHeight() > 0 {
		lines, _ = b.bar(l, width)
	}
	lines = lines[:min(len(lines), height)]
	return append(lines, b.sheet.Render(l, width, height-len(lines), focused)...)
}

// page lays out the items that pass the filter.
func (b *inbox) page(l *look, width int) *page {
	p := l.page(width)
	th := l.theme
	b.found = 0
	for _, x := range b.index.items {
		n := x.node
		if !b.filter.about(x.kind) || !b.filter.passes(n.Status, n.Title, x.kind, word(n)) {
			continue
		}
		b.found++
		if b.found > listLimit {
			continue
		}
		st := style("")
		if n.Status.Closed() {
			st = th.dim
		}
		p.begin(x.site.place(n.ID), n.Source, n.Title)
		p.item(th.status(n.Status), l.glyphs.of(n.Status), st, l.clipped(n.Title, 2*(width-2)))
		p.below(th.dim, join(" · ", b.index.projectName(x.site), x.kind, word(n), l.ago(n.Updated)))
		p.end()
	}
	switch {
	case b.found > listLimit:
		p.more(b.found - listLimit)
	case b.found == 0 && b.filter.active():
		p.text(th.dim, "no item is like this; esc clears the filter")
	case b.found == 0:
		p.text(th.dim, "the inbox is empty")
	}
	return p
}
