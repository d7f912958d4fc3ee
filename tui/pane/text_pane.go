package pane

// Panes that show a page of text, which may have entries.

import (
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// page is a page about builds.
type page struct{ *draw.Page }

func newPage(l *draw.Look, width int) page { return page{l.Page(width)} }

// beginAbout starts an item about a place. A hidden page may outlive its snapshot, and so has copies of the texts.
func (p page) beginAbout(at index.Place, source model.Pos, text string) {
	source.File = strings.Clone(source.File)
	p.Begin(selection{at: at.Clone(), source: source, text: strings.Clone(text)})
}

// newestLimit is the number of entries about one node in its details; the timeline and the decisions have the others.
const newestLimit = 5

// addNewest adds the newest of n entries about a node under a heading; the newest is number 0.
func (p page) addNewest(heading string, n int, isAbout func(i int) bool, add func(i int)) {
	for i, shown := 0, 0; i < n && shown < newestLimit; i++ {
		if !isAbout(i) {
			continue
		}
		if shown == 0 {
			p.Heading(heading)
		}
		shown++
		add(i)
	}
}

// addShare adds a bar with its percentage and a remark.
func (p page) addShare(c model.Count, percent, cells, gap int, remark string) {
	r := p.Look.Ribbon(p.Width)
	r.Bar(c.Done, c.Total, cells)
	r.Gap(2)
	r.Add("", percentOf(percent))
	r.Gap(gap)
	r.Add(p.Look.Theme.Dim, remark)
	p.Add(&r)
}

// noBuild replaces a missing build in a project without one.
const noBuild = "no build here"

// textPane is a pane with a page. A page out of view stays as it is.
type textPane struct {
	list
	about   index.Place // what the page is about
	lines   []string
	entries []draw.Item
}

func newTextPane(name, words string) textPane { return textPane{list: list{name: name, words: words}} }

// setPage shows a page about a place. The selection stays on its entry; a page about another place begins at its top.
func (p *textPane) setPage(about index.Place, laid page) {
	if about != p.about {
		p.about, p.top = about.Clone(), 0
	}
	if slices.Equal(p.lines, laid.Lines) && slices.Equal(p.entries, laid.Items) {
		return
	}
	old, had := p.selectedEntry()
	p.lines, p.entries, p.n = laid.Lines, laid.Items, len(laid.Lines)
	owners := make([]int, p.n)
	for i := range owners {
		owners[i] = -1
	}
	selected := -1
	for n, it := range p.entries {
		for i := it.From; i < it.To; i++ {
			owners[i] = it.From
		}
		if had && it.Key == old.Key {
			selected = n
		}
	}
	p.owner = func(i int) int { return owners[i] }
	switch {
	case selected >= 0:
		p.selected = p.entries[selected].From
	case len(p.entries) > 0:
		p.selected = p.entryAt(max(0, min(p.selected, p.n-1)), 1)
	default:
		p.selected = 0
	}
	p.revision++
}

// selectedEntry returns the selected entry; ok is false without one.
func (p *textPane) selectedEntry() (it draw.Item, ok bool) {
	for _, it := range p.entries {
		if it.From == p.selected && it.To > it.From {
			return it, true
		}
	}
	return draw.Item{}, false
}

// Move moves by entries, or by lines if there are none.
func (p *textPane) Move(by int) {
	if len(p.entries) == 0 {
		p.Scroll(by)
		return
	}
	p.selectBy(by)
	p.showSelected()
}

// fitHeight sets the height. The window need not show the selection.
func (p *textPane) fitHeight(height int) {
	p.height = height
	p.Scroll(0)
}

// Note says that there is more above or below.
func (p *textPane) Note(l *draw.Look) string { return draw.MoreNote(l, p.top, p.room(), p.n) }

// Scroll implements [Scroller].
func (p *textPane) Scroll(by int) { p.scrollBy(by) }

// Render draws the visible lines. A page is laid out two columns narrower: one before it is for the selection's mark, one is left blank
// after it.
func (p *textPane) Render(l *draw.Look, width, height int, focused bool) []string {
	marked, on := p.selectedEntry()
	return p.drawLines(l, width, height, nil, "", func(i int) string {
		if on && focused && i >= marked.From && i < marked.To {
			return l.Selected(p.lines[i]+" ", true)
		}
		return " " + p.lines[i] + " "
	})
}

// Click selects the entry at a point.
func (p *textPane) Click(_ *draw.Look, _, y, _ int) {
	if i, ok := p.lineAt(y); ok && len(p.entries) > 0 {
		p.selectLine(i)
		p.showSelected()
	}
}
