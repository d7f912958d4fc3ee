package tui

// Filters: which rows of the tree and of the timeline are shown, by text and by state.

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"gatehouse/model"
)

// state is one of the kinds of statuses that one filters by.
type state struct {
	key    string // that switches it, where states are chosen
	word   string
	shown  model.Status // whose glyph and colour it has
	others []model.Status
}

var states = [...]state{
	{"w", "waiting", model.Waiting, nil},
	{"b", "blocked", model.Blocked, nil},
	{"r", "running", model.Active, []model.Status{model.Retrying}},
	{"x", "failed", model.Failed, nil},
	{"d", "done", model.Done, []model.Status{model.Skipped}},
}

// stateSet is a set of states, a bit each in their order.
type stateSet uint8

func (s stateSet) has(i int) bool { return s&(1<<i) != 0 }

// stateOf returns the state that a status belongs to, -1 for those nobody filters by.
func stateOf(s model.Status) int {
	for i, st := range states {
		if s == st.shown {
			return i
		}
		for _, other := range st.others {
			if s == other {
				return i
			}
		}
	}
	return -1
}

// filter is what is searched for. The zero value lets everything pass.
type filter struct {
	text   string
	states stateSet
	words  []string // of the text, in lower case; all must be found
	topics map[string]bool
}

func (f *filter) active() bool { return f.text != "" || f.states != 0 || len(f.topics) > 0 }

// about reports whether a topic is searched for.
func (f *filter) about(topic string) bool { return len(f.topics) == 0 || f.topics[topic] }

func (f *filter) toggleTopic(topic string) {
	if f.topics[topic] {
		delete(f.topics, topic)
		return
	}
	if f.topics == nil {
		f.topics = make(map[string]bool)
	}
	f.topics[topic] = true
}

func (f *filter) search(text string) {
	f.text, f.words = text, strings.Fields(strings.ToLower(text))
}

// passes reports whether something of some status is searched for, each word of the text in one of its own texts.
func (f *filter) passes(s model.Status, texts ...string) bool {
	if f.states != 0 {
		if i := stateOf(s); i < 0 || !f.states.has(i) {
			return false
		}
	}
	for _, w := range f.words {
		if !slices.ContainsFunc(texts, func(text string) bool { return containsFold(text, w) }) {
			return false
		}
	}
	return true
}

// containsFold reports whether a text contains a word, which is in lower case, in any case. It makes no garbage of ASCII:
// a filter asks it of every row for every key.
func containsFold(text, word string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return strings.Contains(strings.ToLower(text), word)
		}
	}
	for i := 0; i+len(word) <= len(text); i++ {
		j := 0
		for j < len(word) && lower(text[i+j]) == word[j] {
			j++
		}
		if j == len(word) {
			return true
		}
	}
	return false
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// chip is a word in a filter's bar that can be clicked: a topic, a state, or -1 for the text.
type chip struct {
	from, to, state int
	topic           string
}

// bar draws the filter as the first line of what it filters: the text, the chips of the states, and how many were found.
// While states are chosen all of them are there, each with its key.
func (f *filter) bar(l *look, width int, mode barMode, found string) (string, []chip) {
	end := l.ribbon(width)
	end.add(l.theme.dim, found)
	end.gap(1)
	r := l.ribbon(width - end.width)
	var chips []chip
	r.gap(1)
	if f.text != "" || mode == barTyping {
		from := r.width
		r.add(l.theme.accent, "/")
		text := f.text
		if over := l.width(text) - (r.room - r.width - 2); over > 0 && mode == barTyping { // the end is where one types
			text = l.tailOf(text, r.room-r.width-2)
		}
		r.add(l.theme.strong, text)
		if mode == barTyping {
			r.sign(l.theme.accent, l.glyphs.cursor)
		}
		chips = append(chips, chip{from: from, to: r.width, state: -1})
		r.gap(2)
	}
	narrow := r.room-r.width < 62
	for i, st := range states {
		on := f.states.has(i)
		if !on && mode != barChoosing {
			continue
		}
		from := r.width
		style := l.theme.dim
		if on {
			style = l.theme.status(st.shown) + l.theme.chosen
		}
		if mode == barChoosing {
			r.add(l.theme.strong, st.key)
			r.gap(1)
		}
		text := " " + l.glyphs.of(st.shown) + " "
		if !narrow || on && mode != barChoosing {
			text += st.word + " "
		}
		r.exactly(style, text)
		chips = append(chips, chip{from: from, to: r.width, state: i})
		r.gap(1)
	}
	if mode != barChoosing {
		for _, topic := range slices.Sorted(maps.Keys(f.topics)) {
			chips = append(chips, r.topic(l.theme.run+l.theme.chosen, topic))
		}
	}
	return r.line() + end.cut(), chips
}

// topic writes a topic of a filter.
func (r *ribbon) topic(st style, topic string) chip {
	from := r.width
	r.add(st, " "+topic+" ")
	c := chip{from: from, to: r.width, topic: topic}
	r.gap(1)
	return c
}

// bars draws the lines of a filter's bar: texts and states, and topics below while they are chosen.
func (f *filter) bars(l *look, width int, mode barMode, found string, topics []string) (lines []string, chips [][]chip) {
	line, on := f.bar(l, width, mode, found)
	lines, chips = append(lines, line), append(chips, on)
	if f.barHeight(mode, topics) > 1 {
		line, on = f.topicBar(l, width, topics)
		lines, chips = append(lines, line), append(chips, on)
	}
	return lines, chips
}

// topicBar draws the second line of a filter's bar: the topics, each with its key, while they are chosen.
func (f *filter) topicBar(l *look, width int, topics []string) (string, []chip) {
	r := l.ribbon(width)
	r.gap(1)
	var chips []chip
	for i, topic := range topics {
		st := l.theme.dim
		if f.topics[topic] {
			st = l.theme.run + l.theme.chosen
		}
		r.add(l.theme.strong, itoa(i+1))
		r.gap(1)
		chips = append(chips, r.topic(st, topic))
	}
	return r.line(), chips
}

// barHeight returns how many lines the bar takes; while states are chosen, topics have one of their own.
func (f *filter) barHeight(mode barMode, topics []string) int {
	switch {
	case mode == barChoosing && len(topics) > 0:
		return 2
	case f.active() || mode != barResting:
		return 1
	}
	return 0
}

// barMode is what happens to a filter now.
type barMode int

const (
	barResting barMode = iota
	barTyping
	barChoosing
)
