package pane

// The list: lines in a window, below the search bar. Some lines are entries, of one line or several, and one entry is
// selected. Every pane is based on it; pages of text have no entries. A pane defines the number of lines, their entries, and their drawing.

import (
	"gatehouse/tui/draw"
)

// list holds the selected entry and the visible lines.
type list struct {
	name, words string // the name of the pane, and its content
	filterBar
	n        int             // number of lines
	owner    func(i int) int // the first line of the entry that a line belongs to, -1 for none; nil if each line is an entry
	selected int             // the first line of the selected entry
	top      int
	height   int // of the window, including the rows above the lines
	heads    int // lines of the pane's own between the bar and the lines
	revision uint64
}

// Name implements [Pane].
func (l *list) Name() string { return l.name }

// Words implements [Pane].
func (l *list) Words() string { return l.words }

// Title implements [Pane].
func (l *list) Title(bool) string { return l.name }

// Version implements [Pane].
func (l *list) Version() uint64 { return l.revision }

// SetMode implements [Filtered].
func (l *list) SetMode(m Mode) {
	l.mode = m
	l.revision++
}

// Lines returns the number of lines.
func (l *list) Lines() int { return l.n }

func (l *list) ownerOf(i int) int {
	if l.owner == nil || i < 0 || i >= l.n {
		return i
	}
	return l.owner(i)
}

// isEntry reports whether an entry begins on a line.
func (l *list) isEntry(i int) bool { return i >= 0 && i < l.n && l.ownerOf(i) == i }

// Position returns the number of the selected entry, counted from 1, and the number of entries.
func (l *list) Position() (n, of int) {
	for i := range l.n {
		if l.isEntry(i) {
			of++
			if i <= l.selected {
				n++
			}
		}
	}
	return n, of
}

// entryAt returns the line of the entry nearest to a line in a direction, else in the other one, else the line.
func (l *list) entryAt(i, towards int) int {
	for _, by := range [...]int{towards, -towards} {
		for k := i; k >= 0 && k < l.n; k += by {
			if l.isEntry(k) {
				return k
			}
		}
	}
	return max(i, 0)
}

// lastEntry returns the line of the last entry.
func (l *list) lastEntry() int { return l.entryAt(max(l.n-1, 0), -1) }

// selectLine selects the entry at a line, or the next one in the direction of the move.
func (l *list) selectLine(i int) {
	towards := 1
	if i < l.selected {
		towards = -1
	}
	l.selected = l.entryAt(max(0, min(i, l.n-1)), towards)
	l.revision++
}

// selectBy selects an entry some entries later, or earlier.
func (l *list) selectBy(by int) {
	towards, left := 1, by
	if by < 0 {
		towards, left = -1, -by
	}
	for i := l.selected + towards; i >= 0 && i < l.n && left > 0; i += towards {
		if l.isEntry(i) {
			l.selected = i
			left--
		}
	}
	l.revision++
}

// aboveHeight returns the number of lines above the window.
func (l *list) aboveHeight() int { return l.barHeight() + l.heads }

// room returns how many lines the window has.
func (l *list) room() int { return max(l.height-l.aboveHeight(), 0) }

// fitHeight sets the height, and moves the window so that the selection is inside, with a heading right above the first entry.
func (l *list) fitHeight(height int) {
	l.height = height
	first := l.selected
	if first == 1 && !l.isEntry(0) {
		first = 0
	}
	l.scrollTo(draw.Scrolled(l.top, first, l.n, l.room()))
}

// showSelected moves the window so that all of the selected entry is inside, with the lines above the first entry.
func (l *list) showSelected() {
	first, end := l.selected, l.selected+1
	if l.entryAt(0, 1) == first {
		first = 0
	}
	for end < l.n && l.ownerOf(end) == l.selected {
		end++
	}
	l.scrollTo(min(max(l.top, end-l.room()), first))
}

// scrollBy moves the window as far as there are lines.
func (l *list) scrollBy(by int) { l.scrollTo(max(0, min(l.top+by, l.n-l.room()))) }

func (l *list) scrollTo(top int) {
	if top != l.top {
		l.top = top
		l.revision++
	}
}

// lineAt returns the line of the entry at a row of the pane; ok is false if there is none.
func (l *list) lineAt(y int) (i int, ok bool) {
	if y -= l.aboveHeight(); y < 0 || l.top+y >= l.n {
		return 0, false
	}
	i = l.ownerOf(l.top + y)
	return i, i >= 0
}

// drawLines draws the bar, the heads, and the visible lines, or a remark if there are no lines.
func (l *list) drawLines(look *draw.Look, width, height int, heads []string, none string, line func(i int) string) []string {
	lines := make([]string, 0, height)
	if l.barHeight() > 0 {
		bar, _ := l.drawBar(look, width)
		lines = append(lines, bar)
	}
	lines = append(lines, heads...)
	lines = lines[:min(len(lines), height)]
	for i := l.top; i < l.n && len(lines) < height; i++ {
		lines = append(lines, line(i))
	}
	if l.n == 0 && none != "" && len(lines) < height {
		r := look.Ribbon(width)
		r.Gap(1)
		r.Add(look.Theme.Dim, none)
		lines = append(lines, r.Line())
	}
	return draw.Filled(lines, width, height)
}
