package pane

// The list: lines in a window, below the search bar. Some lines are entries, of one line or several, and one entry is
// selected. Every pane is based on it; pages of text have no entries. A pane defines the number of lines, their entries, and their drawing.

import (
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// list holds the selected entry and the visible lines.
type list struct {
	Name, Words string // the name of the pane, and its content
	HasFilter   bool
	Filter      index.Filter
	Mode        Mode
	found       string          // the number of hits, at the right end of the filter's bar
	n           int             // number of lines
	owner       func(i int) int // the first line of the entry that a line belongs to, -1 for none; nil if each line is an entry
	selected    int             // the first line of the selected entry
	top         int
	height      int // of the window, including the rows above the lines
	heads       int // lines of the pane's own between the bar and the lines
}

// What most panes have in common.

func (l *list) Base() *list               { return l }
func (l *list) Title(*Scene, bool) string { return l.Name }
func (l *list) Refilter()                 {} // the filter applies when the pane is laid out
func (l *list) choose(int, int)           {}

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
}

// room returns how many lines the window has.
func (l *list) room() int { return max(l.height-l.barHeight()-l.heads, 0) }

// fitHeight sets the height, and moves the window so that the selection is inside, with a heading right above the first entry.
func (l *list) fitHeight(height int) {
	l.height = height
	first := l.selected
	if first == 1 && !l.isEntry(0) {
		first = 0
	}
	l.top = draw.Scrolled(l.top, first, l.n, l.room())
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
	l.top = min(max(l.top, end-l.room()), first)
}

// Scroll moves the window as far as there are lines.
func (l *list) Scroll(by int) { l.top = max(0, min(l.top+by, l.n-l.room())) }

// Click selects, folds or switches the thing at a point of a pane.
func Click(p Pane, l *draw.Look, x, y, width int) {
	b := p.Base()
	if bar := b.barHeight(); y < bar {
		if b.clickBar(l, x, width) {
			p.Refilter()
		}
	} else if line := b.top + y - bar - b.heads; line >= b.top && line < b.n {
		if i := b.ownerOf(line); i >= 0 {
			p.choose(i, x)
		}
	}
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

// The bar of a filter: the first line of a filtered pane, with clickable words.

// chip is a clickable word in a filter's bar: a state, or -1 for the text.
type chip struct{ from, to, state int }

// clickBar switches the chip in a column, and reports whether there is one. A text that is being typed stays.
func (b *list) clickBar(l *draw.Look, x, width int) (changed bool) {
	_, chips := b.drawBar(l, width)
	for _, c := range chips {
		switch {
		case x < c.from || x >= c.to:
			continue
		case c.state >= 0:
			b.Filter.States ^= 1 << c.state
		case b.Mode == Resting:
			b.Filter.Search("")
		default:
			continue
		}
		changed = true
	}
	return changed
}

// allWordsFrom is the width of a bar that has room for all states in words.
const allWordsFrom = 68

// drawBar draws the bar: the text, the chips of the states, and the number of hits. While states are chosen all of them are shown, each
// with its key.
func (b *list) drawBar(l *draw.Look, width int) (string, []chip) {
	end := l.Ribbon(width)
	end.Add(l.Theme.Dim, b.found)
	end.Gap(1)
	r := l.Ribbon(width - end.Width)
	var chips []chip
	r.Gap(1)
	if b.Filter.Text != "" || b.Mode == Typing {
		from := r.Width
		r.Add(l.Theme.Accent, "/")
		text := b.Filter.Text
		if over := l.Width(text) - (r.Room - r.Width - 2); over > 0 && b.Mode == Typing { // keep the cursor in view
			text = l.TailOf(text, r.Room-r.Width-2)
		}
		r.Add(l.Theme.Strong, text)
		if b.Mode == Typing {
			r.Sign(l.Theme.Accent, l.Glyphs.Cursor)
		}
		chips = append(chips, chip{from: from, to: r.Width, state: -1})
		r.Gap(2)
	}
	for i, st := range index.States {
		if !b.Filter.States.Has(i) && b.Mode != Choosing {
			continue
		}
		text := l.Glyphs.Of(st.Status)
		if b.Mode != Choosing || width >= allWordsFrom {
			text += " " + st.Word()
		}
		from, style := r.Width, l.Theme.Dim
		if b.Filter.States.Has(i) {
			style = l.Theme.Status(st.Status) + l.Theme.Chosen
		}
		if b.Mode == Choosing {
			r.Add(l.Theme.Strong, st.Key)
			r.Gap(1)
		}
		r.Exactly(style, " "+text+" ")
		chips = append(chips, chip{from: from, to: r.Width, state: i})
		r.Gap(1)
	}
	return r.Line() + end.Cut(), chips
}

// barHeight returns the height of the bar.
func (b *list) barHeight() int {
	if b.Filter.Active() || b.Mode != Resting {
		return 1
	}
	return 0
}

// Mode is the state of a filter's bar.
type Mode int

const (
	Resting Mode = iota
	Typing
	Choosing
)
