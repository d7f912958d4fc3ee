package draw

// A page behind a window that scrolls over it. Where the page has items, the window follows the selected one.

import "slices"

// item is a part of a page that can be selected.
type item struct {
	Key      any // what it is about; items of two pages with the same are the same. It must be comparable
	from, to int // its lines, to not included
}

// Holds reports whether a line of the page is one of the item's.
func (i item) Holds(line int) bool { return line >= i.from && line < i.to }

// Rest is lines that are made as they come into view: a page may go on with a megabyte of text.
type Rest interface {
	Len() int
	Line(l *Look, i int) string
}

// Sheet shows a page.
type Sheet struct {
	Lines    []string
	Rest     Rest // what is below them, nil for nothing
	Items    []item
	Selected int
	Top      int
	Height   int // of the window, as of the last fit
	Revision uint64
}

// Len returns how many lines there are.
func (s *Sheet) Len() int {
	if s.Rest == nil {
		return len(s.Lines)
	}
	return len(s.Lines) + s.Rest.Len()
}

func (s *Sheet) Version() uint64 { return s.Revision }

// Set shows another page, from its beginning or from where the window stands. The selection stays on its item.
func (s *Sheet) Set(p *Page, fromTop bool) {
	old, had := s.At()
	s.Lines, s.Items = p.Lines, p.items
	if fromTop {
		s.Top = 0
	}
	if i := slices.IndexFunc(s.Items, func(i item) bool { return i.Key == old.Key }); had && i >= 0 {
		s.Selected = i
	}
	s.Selected = max(0, min(s.Selected, len(s.Items)-1))
	s.Revision++
}

// At returns the selected item; ok is false where there is none.
func (s *Sheet) At() (i item, ok bool) {
	if s.Selected < len(s.Items) {
		return s.Items[s.Selected], true
	}
	return item{}, false
}

// Move goes some items down, or lines where there are no items.
func (s *Sheet) Move(by int) {
	if len(s.Items) == 0 {
		s.Scroll(by)
		return
	}
	s.Choose(s.Selected + by)
}

// Choose selects an item by its number, or the first or last where there is no such item.
func (s *Sheet) Choose(i int) {
	s.Selected = max(0, min(i, len(s.Items)-1))
	s.Revision++
	if it, ok := s.At(); ok {
		first := it.from
		if s.Selected == 0 {
			first = 0 // with the heading
		}
		s.Top = max(s.Top, it.to-s.Height)
		s.Top = min(s.Top, first)
	}
}

// Scroll moves the window by some lines as far as there are any.
func (s *Sheet) Scroll(by int) {
	top := max(0, min(s.Top+by, s.Len()-s.Height))
	if top != s.Top {
		s.Top = top
		s.Revision++
	}
}

// Press scrolls by a key, and reports whether the key scrolls.
func (s *Sheet) Press(key string) bool {
	page := max(s.Height-1, 1)
	by, ok := map[string]int{"j": 1, "down": 1, "k": -1, "up": -1, "ctrl+d": max(page/2, 1), "ctrl+u": -max(page/2, 1), "pgdown": page, "space": page,
		"pgup": -page, "g": -FarAway, "home": -FarAway, "G": FarAway, "end": FarAway}[key]
	if ok {
		s.Scroll(by)
	}
	return ok
}

// Fit takes a new height of the window in.
func (s *Sheet) Fit(height int) {
	s.Height = height
	s.Scroll(0)
}

// Hit returns the number of the item on a line of the window.
func (s *Sheet) Hit(y int) (i int, ok bool) {
	i = slices.IndexFunc(s.Items, func(it item) bool { return s.Top+y >= it.from && s.Top+y < it.to })
	return i, i >= 0
}

// Render draws the window. The page was laid out for two columns less: one before it is for the selection's mark, one is
// left blank behind it.
func (s *Sheet) Render(l *Look, width, height int, focused bool) []string {
	lines := make([]string, 0, height)
	marked, on := s.At()
	for i := s.Top; i < len(s.Lines) && len(lines) < height; i++ {
		if on && focused && marked.Holds(i) {
			lines = append(lines, l.Selected(s.Lines[i]+" ", true))
			continue
		}
		lines = append(lines, " "+s.Lines[i]+" ")
	}
	for i := max(s.Top, len(s.Lines)); i < s.Len() && len(lines) < height; i++ {
		lines = append(lines, " "+s.Rest.Line(l, i-len(s.Lines))+" ")
	}
	return Filled(lines, width, height)
}

// Note says that there is more above or below, for the edge of a box.
func (s *Sheet) Note(l *Look) string { return MoreNote(l, s.Top, s.Height, s.Len()) }

// Begin starts an item of the page; what is added until end belongs to it. A page may outlive its snapshot, out of view, and
// so must the key.
func (p *Page) Begin(key any) { p.items = append(p.items, item{Key: key, from: len(p.Lines)}) }

// End ends the item that was begun last.
func (p *Page) End() { p.items[len(p.items)-1].to = len(p.Lines) }
