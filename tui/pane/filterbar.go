package pane

// The bar of a filter: the first line of what it filters, and what can be clicked in it.

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// chip is a word in a filter's bar that can be clicked: a topic, a state, or -1 for the text.
type chip struct {
	from, to, state int
	topic           string
}

// filterBar is a filter, and what happens to it now.
type filterBar struct {
	filter index.Filter
	mode   Mode
	topics []string                 // more to filter by than states, in the order of their keys
	found  string                   // how much was found, at the right end
	count  func(index.Standing) int // how many there are of a state; nil if that is unknown
}

// Sought implements [Finder].
func (b *filterBar) Sought() string { return b.filter.Text }

// Filter implements [Filtered].
func (b *filterBar) Filter() *index.Filter { return &b.filter }

// Topics implements [Filtered].
func (b *filterBar) Topics() []string { return b.topics }

// clickBar switches the chip at a point, and reports whether the point is on the bar and whether the filter has changed. A text that is being
// typed stays.
func (b *filterBar) clickBar(l *draw.Look, x, y, width int) (onBar, changed bool) {
	if y >= b.barHeight() {
		return false, false
	}
	_, chips := b.drawBars(l, width)
	for _, c := range chips[y] {
		switch {
		case x < c.from || x >= c.to:
			continue
		case c.topic != "":
			b.filter.ToggleTopic(c.topic)
		case c.state >= 0:
			b.filter.States ^= 1 << c.state
		case b.mode == Resting:
			b.filter.Search("")
		default:
			continue
		}
		changed = true
	}
	return true, changed
}

// drawFirst draws the first line: the text, the chips of the states, and how many were found. While states are chosen all of them are
// there, each with its key.
func (b *filterBar) drawFirst(l *draw.Look, width int) (string, []chip) {
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
	words, columns := [len(index.States)]string{}, 0
	for i, st := range index.States {
		on := b.filter.States.Has(i)
		_, sign := st.Sign(l)
		count := -1
		if b.mode == Choosing && b.count != nil {
			count = b.count(index.StandsWaiting + index.Standing(i))
		}
		if on || b.mode == Choosing && count != 0 {
			words[i] = sign + " " + st.Word
			if count > 0 {
				words[i] += " " + strconv.Itoa(count)
			}
			columns += l.Width(words[i]) + 5
		}
	}
	for i := len(words) - 1; i >= 0 && columns > r.Room-r.Width; i-- { // the rare ones lose their words first
		if words[i] != "" && b.mode == Choosing {
			columns -= l.Width(index.States[i].Word) + 1
			words[i] = strings.Replace(words[i], " "+index.States[i].Word, "", 1)
		}
	}
	for i, st := range index.States {
		if words[i] == "" {
			continue
		}
		from, style := r.Width, l.Theme.Dim
		if b.filter.States.Has(i) {
			shown, _ := st.Sign(l)
			style = shown + l.Theme.Chosen
		}
		if b.mode == Choosing {
			r.Add(l.Theme.Strong, st.Key)
			r.Gap(1)
		}
		r.Exactly(style, " "+words[i]+" ")
		chips = append(chips, chip{from: from, to: r.Width, state: i})
		r.Gap(1)
	}
	if b.mode != Choosing {
		for _, topic := range slices.Sorted(maps.Keys(b.filter.Topics)) {
			chips = append(chips, drawTopic(&r, l.Theme.Run+l.Theme.Chosen, topic))
		}
	}
	return r.Line() + end.Cut(), chips
}

// longestTopic bounds the width of a topic, so that others have room.
const longestTopic = 24

// drawTopic writes a topic of a filter.
func drawTopic(r *draw.Ribbon, st draw.Style, topic string) chip {
	from := r.Width
	r.Add(st, " "+r.Look.Clipped(topic, longestTopic)+" ")
	c := chip{from: from, to: r.Width, topic: topic}
	r.Gap(1)
	return c
}

// drawBars draws the lines of the bar: texts and states, and topics below them while they are chosen.
func (b *filterBar) drawBars(l *draw.Look, width int) (lines []string, chips [][]chip) {
	if b.barHeight() > 0 {
		line, on := b.drawFirst(l, width)
		lines, chips = append(lines, line), append(chips, on)
	}
	if b.barHeight() > 1 {
		line, on := b.drawTopics(l, width)
		lines, chips = append(lines, line), append(chips, on)
	}
	return lines, chips
}

// drawTopics draws the second line: the topics, each with its key.
func (b *filterBar) drawTopics(l *draw.Look, width int) (string, []chip) {
	r := l.Ribbon(width)
	r.Gap(1)
	var chips []chip
	for i, topic := range b.topics {
		st := l.Theme.Dim
		if b.filter.Topics[topic] {
			st = l.Theme.Run + l.Theme.Chosen
		}
		r.Add(l.Theme.Strong, strconv.Itoa(i+1))
		r.Gap(1)
		chips = append(chips, drawTopic(&r, st, topic))
	}
	return r.Line(), chips
}

// barHeight returns how many lines the bar takes; while states are chosen, topics have one of their own.
func (b *filterBar) barHeight() int {
	switch {
	case b.mode == Choosing && len(b.topics) > 0:
		return 2
	case b.filter.Active() || b.mode != Resting:
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
