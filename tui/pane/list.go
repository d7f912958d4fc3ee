package pane

// The list: lines behind a window, one of which is selected, below the bar of a filter. Panes of entries are made of it.

import (
	"gatehouse/tui/draw"
)

// list knows which of some lines is selected and which are in view. Its pane says how many there are and draws them.
type list struct {
	filterBar
	count    int              // of the lines
	skips    func(i int) bool // reports whether a line is no entry: a heading; nil where all are
	selected int
	top      int
	height   int // of the window, with the bar
	revision uint64
}

// Version implements [Pane].
func (l *list) Version() uint64 { return l.revision }

// SetMode implements [Filtered].
func (l *list) SetMode(m Mode) {
	l.mode = m
	l.revision++
}

// Lines returns how many there are.
func (l *list) Lines() int { return l.count }

// Position returns which of the entries is selected, counted from 1, and how many there are.
func (l *list) Position() (n, of int) {
	if l.skips == nil {
		return l.selected + 1, l.count
	}
	for i := range l.count {
		if !l.skips(i) {
			of++
			if i <= l.selected {
				n++
			}
		}
	}
	return n, of
}

// selects selects an entry by its line, or the next one in the direction where that is none.
func (l *list) selects(i int) {
	towards := 1
	if i < l.selected {
		towards = -1
	}
	l.selected = l.entryAt(max(0, min(i, l.count-1)), towards)
	l.revision++
}

// entryAt returns the line of the entry that is nearest to a line in a direction, else in the other one.
func (l *list) entryAt(i, towards int) int {
	if l.skips == nil || i >= l.count {
		return max(i, 0)
	}
	for _, by := range [...]int{towards, -towards} {
		for k := i; k >= 0 && k < l.count; k += by {
			if !l.skips(k) {
				return k
			}
		}
	}
	return i
}

// room returns how many lines the window has for entries, below a bar of some height.
func (l *list) room(bar int) int { return max(l.height-bar, 0) }

// fit takes in a height, and moves the window so that the selection is inside. A heading right above the first line in view is in view, too.
func (l *list) fit(height, bar int) {
	l.height = height
	first := l.selected
	if first == 1 && l.skips != nil && l.skips(0) {
		first = 0
	}
	l.scrollTo(draw.Scrolled(l.top, first, l.count, l.room(bar)))
}

func (l *list) scrollTo(top int) {
	if top != l.top {
		l.top = top
		l.revision++
	}
}

// hit returns the line at a row of the window below the bar; ok is false where there is none that can be selected.
func (l *list) hit(y int) (i int, ok bool) {
	i = l.top + y
	return i, i < l.count && (l.skips == nil || !l.skips(i))
}

// render draws the bar and the lines in view. Where there are none it says so.
func (l *list) render(look *draw.Look, width, height int, bar []string, none string, line func(i int, r *draw.Ribbon) string) []string {
	lines := append(make([]string, 0, height), bar[:min(len(bar), height)]...)
	for i := l.top; i < l.count && len(lines) < height; i++ {
		r := look.Ribbon(width)
		lines = append(lines, line(i, &r))
	}
	if l.count == 0 && len(lines) < height {
		r := look.Ribbon(width)
		r.Gap(1)
		r.Add(look.Theme.Dim, none)
		lines = append(lines, r.Line())
	}
	return draw.Filled(lines, width, height)
}
