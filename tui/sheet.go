package tui

// A page behind a window that scrolls over it. Where the page has items, the window follows the selected one.

import (
	"slices"
	"strings"

	"gatehouse/model"
)

// item is a part of a page that can be selected: what it is about and where it is written.
type item struct {
	from, to int // its lines, to not included
	at       place
	source   model.Pos
	text     string // itself in one line
}

// same reports whether an item of another page is about the same.
func (i item) same(other item) bool {
	return i.at == other.at && i.text == other.text && i.source == other.source
}

// sheet shows a page.
type sheet struct {
	lines    []string
	items    []item
	selected int
	top      int
	height   int // of the window, as of the last fit
	revision uint64
}

func (s *sheet) version() uint64 { return s.revision }

// set shows another page, from its beginning or from where the window stands. The selection stays on its item.
func (s *sheet) set(p *page, fromTop bool) {
	old, had := s.at()
	s.lines, s.items = p.lines, p.items
	if fromTop {
		s.top = 0
	}
	if i := slices.IndexFunc(s.items, old.same); had && i >= 0 {
		s.selected = i
	}
	s.selected = max(0, min(s.selected, len(s.items)-1))
	s.revision++
}

// at returns the selected item; ok is false where there is none.
func (s *sheet) at() (i item, ok bool) {
	if s.selected < len(s.items) {
		return s.items[s.selected], true
	}
	return item{}, false
}

// move goes some items down, or lines where there are no items.
func (s *sheet) move(by int) {
	if len(s.items) == 0 {
		s.scroll(by)
		return
	}
	s.choose(s.selected + by)
}

// choose selects an item by its number, or the first or last where there is no such item.
func (s *sheet) choose(i int) {
	s.selected = max(0, min(i, len(s.items)-1))
	s.revision++
	if it, ok := s.at(); ok {
		first := it.from
		if s.selected == 0 {
			first = 0 // with the heading
		}
		s.top = max(s.top, it.to-s.height)
		s.top = min(s.top, first)
	}
}

// scroll moves the window by some lines as far as there are any.
func (s *sheet) scroll(by int) {
	top := max(0, min(s.top+by, len(s.lines)-s.height))
	if top != s.top {
		s.top = top
		s.revision++
	}
}

// fit takes a new height of the window in.
func (s *sheet) fit(height int) {
	s.height = height
	s.scroll(0)
}

// hit returns the number of the item on a line of the window.
func (s *sheet) hit(y int) (i int, ok bool) {
	i = slices.IndexFunc(s.items, func(it item) bool { return s.top+y >= it.from && s.top+y < it.to })
	return i, i >= 0
}

// Render draws the window. The page was laid out for two columns less: one before it is for the selection's mark, one is
// left blank behind it.
func (s *sheet) Render(l *look, width, height int, focused bool) []string {
	lines := make([]string, 0, height)
	marked, on := s.at()
	for i := s.top; i < len(s.lines) && len(lines) < height; i++ {
		margin := " "
		if on && focused && i >= marked.from && i < marked.to {
			r := l.ribbon(1)
			r.sign(l.theme.marker(focused), l.glyphs.marker)
			margin = r.line()
		}
		lines = append(lines, margin+s.lines[i]+" ")
	}
	return filled(lines, width, height)
}

// note says that there is more above or below, for the edge of a box.
func (s *sheet) note(l *look) string { return moreNote(l, s.top, s.height, len(s.lines)) }

// moreNote says what a window of some height over n lines leaves out.
func moreNote(l *look, top, height, n int) string {
	up, down := top > 0, top+height < n
	switch {
	case up && down:
		return l.glyphs.moreAbove + " " + l.glyphs.moreBelow + " more"
	case up:
		return l.glyphs.moreAbove
	case down:
		return l.glyphs.moreBelow + " more"
	}
	return ""
}

// begin starts an item of the page; what is added until end belongs to it. A page may outlive its snapshot, out of view, and
// so has copies of the texts.
func (p *page) begin(at place, source model.Pos, text string) {
	source.File = strings.Clone(source.File)
	p.items = append(p.items, item{from: len(p.lines), at: at.clone(), source: source, text: strings.Clone(text)})
}

func (p *page) end() { p.items[len(p.items)-1].to = len(p.lines) }

// pageWidth returns the columns of a page in an area.
func (a area) pageWidth() int { return max(a.width-2, 1) }

// tailOf returns the end of a text, as much as fits.
func (l *look) tailOf(text string, columns int) string {
	runes := []rune(text)
	for len(runes) > 0 && l.width(string(runes)) > columns {
		runes = runes[1:]
	}
	return strings.TrimLeft(string(runes), " ")
}
