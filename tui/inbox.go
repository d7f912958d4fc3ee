package tui

// The inbox: what waits for its turn to be worked in, the newest first, with a filter of its own.

import (
	"slices"
	"strconv"

	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// inbox is the pane.
type inbox struct {
	draw.Sheet
	index *index.Index
	filterBar
	filtered uint64 // grows with every change of what is listed
	found    int
}

func (b *inbox) its() *index.Filter { return &b.filter }
func (b *inbox) inMode(m barMode)   { b.mode = m; b.Revision++ }
func (b *inbox) refilter()          { b.filtered++; b.Revision++ }
func (b *inbox) barHeight() int     { return b.filterBar.barHeight(b.topics()) }

// topics are the kinds of items there are.
func (b *inbox) topics() []string {
	var all []string
	for _, x := range b.index.Items {
		if i, known := slices.BinarySearch(all, x.Kind); !known && x.Kind != "" {
			all = slices.Insert(all, i, x.Kind)
		}
	}
	return all
}

func (b *inbox) bar(l *draw.Look, width int) (lines []string, chips [][]chip) {
	found := ""
	if b.filter.Active() {
		found = strconv.Itoa(b.found) + " of " + strconv.Itoa(len(b.index.Items))
	}
	return b.filterBar.bars(l, width, found, b.topics())
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
	for _, x := range b.index.Items {
		n := x.Node
		if !b.filter.About(x.Kind) || !b.filter.Passes(n.Status, n.Title, x.Kind, draw.Word(n)) {
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
		p.beginAbout(x.Site.Place(n.ID), n.Source, n.Title)
		p.Item(th.Status(n.Status), l.Glyphs.Of(n.Status), st, l.Clipped(n.Title, 2*(width-2)))
		p.Below(th.Dim, draw.Join(" · ", b.index.ProjectName(x.Site), x.Kind, draw.Word(n), l.Ago(n.Updated)))
		p.End()
	}
	switch {
	case b.found > draw.ListLimit:
		p.More(b.found - draw.ListLimit)
	case b.found == 0 && b.filter.Active():
		p.Text(th.Dim, "no item is like this; esc clears the filter")
	case b.found == 0:
		p.Text(th.Dim, "the inbox is empty")
	}
	return p
}
