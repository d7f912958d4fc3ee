package pane

// The bar of a filter: the first line of a filtered pane, with clickable words.

import (
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// chip is a clickable word in a filter's bar: a state, or -1 for the text.
type chip struct{ from, to, state int }

// Filter implements [Pane].
func (b *list) Filter() *index.Filter { return &b.filter }

// clickBar switches the chip in a column, and reports whether there is one. A text that is being typed stays.
func (b *list) clickBar(l *draw.Look, x, width int) (changed bool) {
	_, chips := b.drawBar(l, width)
	for _, c := range chips {
		switch {
		case x < c.from || x >= c.to:
			continue
		case c.state >= 0:
			b.filter.States ^= 1 << c.state
		case b.mode == Resting:
			b.filter.Search("")
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
	if b.filter.Text != "" || b.mode == Typing {
		from := r.Width
		r.Add(l.Theme.Accent, "/")
		text := b.filter.Text
		if over := l.Width(text) - (r.Room - r.Width - 2); over > 0 && b.mode == Typing { // keep the cursor in view
			text = l.TailOf(text, r.Room-r.Width-2)
		}
		r.Add(l.Theme.Strong, text)
		if b.mode == Typing {
			r.Sign(l.Theme.Accent, l.Glyphs.Cursor)
		}
		chips = append(chips, chip{from: from, to: r.Width, state: -1})
		r.Gap(2)
	}
	for i, st := range index.States {
		if !b.filter.States.Has(i) && b.mode != Choosing {
			continue
		}
		text := l.Glyphs.Of(st.Status)
		if b.mode != Choosing || width >= allWordsFrom {
			text += " " + st.Word()
		}
		from, style := r.Width, l.Theme.Dim
		if b.filter.States.Has(i) {
			style = l.Theme.Status(st.Status) + l.Theme.Chosen
		}
		if b.mode == Choosing {
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
	if b.filter.Active() || b.mode != Resting {
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
