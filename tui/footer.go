package tui

// The footer: what was just said, else the keys that can be used now; at the right where in the list one is. What it
// offers can be clicked.

import (
	"slices"
	"unicode/utf8"

	"gatehouse/model"
)

// hint is a key and what it does in a word or two; one without words belongs to the next.
type hint struct{ key, words string }

// footer is the last row.
type footer struct {
	toast    toast
	hints    []hint
	position string
}

func (d *dashboard) footer() footer {
	f := footer{toast: d.toast}
	if top := d.top(); top != nil {
		f.hints = top.hints()
		return f
	}
	n, of := 0, 0
	switch d.focus {
	case paneTimeline:
		n, of = d.timeline.selected+1, d.timeline.count()
	case paneWaits, paneBlockers, paneDecisions, paneInbox:
		s := d.sheetOf(d.focus)
		n, of = s.selected+1, len(s.items)
	default:
		n, of = d.tree.selected+1, len(d.tree.rows)
		if d.graphShown() {
			n, of = d.graph.position()
		}
	}
	if of > 0 && !d.index.empty() {
		f.position = itoa(n) + "/" + itoa(of)
	}
	for _, deciding := range []bool{true, false} { // what can be decided about the selection comes first
		for _, b := range d.keys {
			first := b.verbs != nil && !slices.Contains(b.verbs, model.VerbAdd) // an inbox can be added to all the time
			if b.hint != "" && first == deciding && (b.off == nil || b.off(d) == "") {
				words := b.hint
				if len(b.verbs) > 1 {
					verb, _, _ := d.chosen(b.verbs...)
					words = deedOf(verb).word
				}
				f.hints = append(f.hints, hint{b.on.Keys()[0], words})
			}
		}
	}
	return f
}

// spot is a part of the footer that stands for a key.
type spot struct {
	from, to int
	key      string
}

// draw draws the row, and says where each key stands.
func (f footer) draw(l *look, width int) (string, []spot) {
	end := l.ribbon(width)
	if f.position != "" {
		end.add(l.theme.dim, f.position+" ")
	}
	r := l.ribbon(width - end.width)
	r.gap(1)
	if f.toast.text != "" {
		st := l.theme.wait
		if f.toast.good {
			st = l.theme.ok
		}
		r.add(st, f.toast.text)
		return r.line() + end.cut(), nil
	}
	var spots []spot
	for _, h := range f.hints {
		key := keyName(h.key)
		if r.width+utf8.RuneCountInString(key)+1+len(h.words)+2 > r.room {
			break
		}
		from := r.width
		r.exactly(l.theme.strong, key)
		r.gap(1)
		if h.words != "" {
			r.add(l.theme.dim, h.words)
			r.gap(2)
		}
		spots = append(spots, spot{from, r.width, h.key})
	}
	return r.line() + end.cut(), spots
}

// Render draws the row.
func (f footer) Render(l *look, width int) string {
	row, _ := f.draw(l, width)
	return row
}
