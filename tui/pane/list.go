package pane

// The list: lines behind a window. Some of them are entries, of one line or several, and one entry is selected. All panes with entries are
// made of it, and the pages of text too, which have none. A pane says how many lines there are, which belong together, and draws them.

import (
	"gatehouse/tui/draw"
)

// list knows which entry is selected and which lines are in view.
type list struct {
	filterBar
	n        int             // how many lines there are
	owner    func(i int) int // the first line of the entry that a line belongs to, -1 for none; nil where each line is an entry
	selected int             // the first line of the selected entry
	top      int
	height   int // of the window, with what stands above the lines
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
func (l *list) Lines() int { return l.n }

func (l *list) ownerOf(i int) int {
	if l.owner == nil || i < 0 || i >= l.n {
		return i
	}
	return l.owner(i)
}

// isEntry reports whether an entry begins on a line.
func (l *list) isEntry(i int) bool { return i >= 0 && i < l.n && l.ownerOf(i) == i }

// end returns the line behind the entry that begins on a line.
func (l *list) end(i int) int {
	behind := i + 1
	for behind < l.n && l.ownerOf(behind) == i {
		behind++
	}
	return behind
}

// Position returns which of the entries is selected, counted from 1, and how many there are.
func (l *list) Position() (n, of int) {
	if l.owner == nil {
		return l.selected + 1, l.n
	}
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

// entryAt returns the line of the entry that is nearest to a line in a direction, else in the other one, else the line.
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

// selects selects the entry at a line, or the next one in the direction where that is none.
func (l *list) selects(i int) {
	towards := 1
	if i < l.selected {
		towards = -1
	}
	l.selected = l.entryAt(max(0, min(i, l.n-1)), towards)
	l.revision++
}

// step selects an entry some entries further on, or back.
func (l *list) step(by int) {
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

// room returns how many lines the window has, below so many that stand above them.
func (l *list) room(above int) int { return max(l.height-above, 0) }

// fit takes in a height, and moves the window so that the selection is inside, with a heading right above the first entry.
func (l *list) fit(height, above int) {
	l.height = height
	first := l.selected
	if first == 1 && !l.isEntry(0) {
		first = 0
	}
	l.scrollTo(draw.Scrolled(l.top, first, l.n, l.room(above)))
}

// bring moves the window so that all of the selected entry is inside, with what stands before the first one.
func (l *list) bring(above int) {
	first := l.selected
	if l.entryAt(0, 1) == first {
		first = 0
	}
	l.scrollTo(min(max(l.top, l.end(l.selected)-l.room(above)), first))
}

// scroll moves the window as far as there are lines.
func (l *list) scroll(by, above int) { l.scrollTo(max(0, min(l.top+by, l.n-l.room(above)))) }

func (l *list) scrollTo(top int) {
	if top != l.top {
		l.top = top
		l.revision++
	}
}

// hit returns the line of the entry at a row of the window; ok is false where there is none.
func (l *list) hit(y int) (i int, ok bool) {
	if i = l.top + y; y < 0 || i >= l.n {
		return 0, false
	}
	i = l.ownerOf(i)
	return i, i >= 0
}

// render draws what stands above the lines, and those in view. Where there are none it says so.
func (l *list) render(look *draw.Look, width, height int, above []string, none string, line func(i int) string) []string {
	lines := append(make([]string, 0, height), above[:min(len(above), height)]...)
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
