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
	// page lays out what the pane shows, and returns what that is about; ok is false if there is nothing to show.
	page   func(p *textPane, s *Scene, width, height int) (laid page, about index.Place, ok bool)
	title  func(s *Scene, front bool) string // nil for the name
	next   ID                                // the pane that opens the selection
	about  index.Place
	lines  []string
	items  []draw.Item
	opened bool // old entries are listed, too
}

// Title implements [Pane].
func (p *textPane) Title(s *Scene, front bool) string {
	if p.title == nil {
		return p.Name
	}
	return p.title(s, front)
}

// Lay implements [Pane]. The window need not show the selection. A page about another place begins at its top.
func (p *textPane) Lay(s *Scene, a draw.Area, inView bool) {
	p.height = a.Height
	if inView {
		if laid, about, ok := p.page(p, s, a.PageWidth(), a.Height); ok {
			if about != p.about {
				p.about, p.top = about.Clone(), 0
			}
			p.setPage(laid)
		}
	}
	p.Scroll(0)
}

// setPage shows a page. The selection stays on its entry.
func (p *textPane) setPage(laid page) {
	if slices.Equal(p.lines, laid.Lines) && slices.Equal(p.items, laid.Items) {
		return
	}
	old, had := p.selectedItem()
	p.lines, p.items, p.n = laid.Lines, laid.Items, len(laid.Lines)
	owners := slices.Repeat([]int{-1}, p.n)
	selected := -1
	for _, it := range p.items {
		for i := it.From; i < it.To; i++ {
			owners[i] = it.From
		}
		if had && it.Key == old.Key {
			selected = it.From
		}
	}
	p.owner = func(i int) int { return owners[i] }
	switch {
	case selected >= 0:
		p.selected = selected
	case len(p.items) > 0:
		p.selected = p.entryAt(max(0, min(p.selected, p.n-1)), 1)
	default:
		p.selected = 0
	}
}

// selectedItem returns the selected entry; ok is false without one.
func (p *textPane) selectedItem() (it draw.Item, ok bool) {
	for _, it := range p.items {
		if it.From == p.selected && it.To > it.From {
			return it, true
		}
	}
	return draw.Item{}, false
}

// Enter implements [Pane].
func (p *textPane) Enter() step { return step{To: p.next} }

// Move moves by entries, or by lines if there are none.
func (p *textPane) Move(by int) {
	if len(p.items) == 0 {
		p.Scroll(by)
		return
	}
	p.selectBy(by)
	p.showSelected()
}

// Note says that there is more above or below.
func (p *textPane) Note(l *draw.Look) string { return draw.MoreNote(l, p.top, p.room(), p.n) }

// Render draws the visible lines. A page is laid out two columns narrower: one before it is for the selection's mark, one is left blank
// after it.
func (p *textPane) Render(l *draw.Look, width, height int, focused bool) []string {
	marked, on := p.selectedItem()
	return p.drawLines(l, width, height, nil, "", func(i int) string {
		if on && focused && i >= marked.From && i < marked.To {
			return l.Selected(p.lines[i]+" ", true)
		}
		return " " + p.lines[i] + " "
	})
}

func (p *textPane) choose(line, _ int) {
	p.selectLine(line)
	p.showSelected()
}
