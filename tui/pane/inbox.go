package pane

// The inbox: what waits for its turn to be worked in, the newest first, with a filter of its own.

import (
	"slices"
	"strconv"

	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// inbox is the pane.
type inbox struct {
	listPane
	items   []index.InboxItem
	open    int
	changes uint64 // of the filter
	matches int
}

// Name implements [Pane].
func (b *inbox) Name() string { return "Inbox" }

// Words implements [Pane].
func (b *inbox) Words() string { return "the inbox: ideas, wishes and links that wait for their turn" }

// Title implements [Pane].
func (b *inbox) Title(bool) string { return counted(b.Name(), b.open) }

// SetMode implements [Filtered].
func (b *inbox) SetMode(m Mode) { b.list.SetMode(m) }

// Sought implements [Filtered].
func (b *inbox) Sought() string { return b.filter.Text }

// Refilter implements [Filtered].
func (b *inbox) Refilter() { b.changes++; b.revision++ }

func (b *inbox) filterHeight() int { return b.filterBar.barHeight(b.Topics()) }

// Topics are the kinds of items there are.
func (b *inbox) Topics() []string {
	var all []string
	for _, x := range b.items {
		if i, known := slices.BinarySearch(all, x.Kind); !known && x.Kind != "" {
			all = slices.Insert(all, i, x.Kind)
		}
	}
	return all
}

func (b *inbox) bar(l *draw.Look, width int) (lines []string, chips [][]chip) {
	found := ""
	if b.filter.Active() {
		found = strconv.Itoa(b.matches) + " of " + strconv.Itoa(len(b.items))
	}
	return b.filterBar.bars(l, width, found, b.Topics())
}

// Load implements [Loader].
func (b *inbox) Load(ix *index.Index) { b.items, b.open = ix.Items, ix.Sums.Inbox }

// Lay implements [Pane].
func (b *inbox) Lay(s *Scene, a draw.Area, inView bool) {
	if key := s.keyFor(a); inView {
		key.filter = b.changes
		b.set(key, false, func() page { return b.page(s.Look, s.Index, key.width) })
	}
	b.Fit(max(a.Height-b.filterHeight(), 0))
}

// Click switches what is in the bar at a point, or selects the item there.
func (b *inbox) Click(l *draw.Look, x, y, width int) {
	n := b.filterHeight()
	if y >= n {
		b.listPane.Click(l, x, y-n, width)
		return
	}
	_, chips := b.bar(l, width)
	if b.switchAt(chips[y], x) {
		b.Refilter()
	}
}

// Render draws the bar and what can be seen of the list.
func (b *inbox) Render(l *draw.Look, width, height int, focused bool) []string {
	var lines []string
	if b.filterHeight() > 0 {
		lines, _ = b.bar(l, width)
	}
	return b.renderPage(l, width, height, focused, lines)
}

// page lays out the items that pass the filter.
func (b *inbox) page(l *draw.Look, ix *index.Index, width int) page {
	p := newPage(l, width)
	th := l.Theme
	b.matches = 0
	for _, x := range b.items {
		n := x.Node
		if !b.filter.About(x.Kind) || !b.filter.Passes(index.StandingOf(n.Status), n.Title, x.Kind, n.Word()) {
			continue
		}
		b.matches++
		if b.matches > draw.ListLimit {
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
	switch {
	case b.matches > draw.ListLimit:
		p.More(b.matches - draw.ListLimit)
	case b.matches == 0 && b.filter.Active():
		p.Text(th.Dim, "no item is like this; esc clears the filter")
	case b.matches == 0:
		p.Text(th.Dim, "the inbox is empty")
	}
	return p
}

// Seek shows only what has a text.
func (b *inbox) Seek(text string) {
	b.filter.Search(text)
	b.Refilter()
}
