package tui

// Filters: which rows of the tree and of the timeline are shown, by text and by state.

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gatehouse/model"
	"gatehouse/tui/draw"
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
func (f *filter) bar(l *draw.Look, width int, mode barMode, found string) (string, []chip) {
	end := l.Ribbon(width)
	end.Add(l.Theme.Dim, found)
	end.Gap(1)
	r := l.Ribbon(width - end.Width)
	var chips []chip
	r.Gap(1)
	if f.text != "" || mode == barTyping {
		from := r.Width
		r.Add(l.Theme.Accent, "/")
		text := f.text
		if over := l.Width(text) - (r.Room - r.Width - 2); over > 0 && mode == barTyping { // the end is where one types
			text = l.TailOf(text, r.Room-r.Width-2)
		}
		r.Add(l.Theme.Strong, text)
		if mode == barTyping {
			r.Sign(l.Theme.Accent, l.Glyphs.Cursor)
		}
		chips = append(chips, chip{from: from, to: r.Width, state: -1})
		r.Gap(2)
	}
	narrow := r.Room-r.Width < 62
	for i, st := range states {
		on := f.states.has(i)
		if !on && mode != barChoosing {
			continue
		}
		from := r.Width
		style := l.Theme.Dim
		if on {
			style = l.Theme.Status(st.shown) + l.Theme.Chosen
		}
		if mode == barChoosing {
			r.Add(l.Theme.Strong, st.key)
			r.Gap(1)
		}
		text := " " + l.Glyphs.Of(st.shown) + " "
		if !narrow || on && mode != barChoosing {
			text += st.word + " "
		}
		r.Exactly(style, text)
		chips = append(chips, chip{from: from, to: r.Width, state: i})
		r.Gap(1)
	}
	if mode != barChoosing {
		for _, topic := range slices.Sorted(maps.Keys(f.topics)) {
			chips = append(chips, drawTopic(&r, l.Theme.Run+l.Theme.Chosen, topic))
		}
	}
	return r.Line() + end.Cut(), chips
}

// drawTopic writes a topic of a filter.
func drawTopic(r *draw.Ribbon, st draw.Style, topic string) chip {
	from := r.Width
	r.Add(st, " "+topic+" ")
	c := chip{from: from, to: r.Width, topic: topic}
	r.Gap(1)
	return c
}

// bars draws the lines of a filter's bar: texts and states, and topics below while they are chosen.
func (f *filter) bars(l *draw.Look, width int, mode barMode, found string, topics []string) (lines []string, chips [][]chip) {
	line, on := f.bar(l, width, mode, found)
	lines, chips = append(lines, line), append(chips, on)
	if f.barHeight(mode, topics) > 1 {
		line, on = f.topicBar(l, width, topics)
		lines, chips = append(lines, line), append(chips, on)
	}
	return lines, chips
}

// topicBar draws the second line of a filter's bar: the topics, each with its key, while they are chosen.
func (f *filter) topicBar(l *draw.Look, width int, topics []string) (string, []chip) {
	r := l.Ribbon(width)
	r.Gap(1)
	var chips []chip
	for i, topic := range topics {
		st := l.Theme.Dim
		if f.topics[topic] {
			st = l.Theme.Run + l.Theme.Chosen
		}
		r.Add(l.Theme.Strong, strconv.Itoa(i+1))
		r.Gap(1)
		chips = append(chips, drawTopic(&r, st, topic))
	}
	return r.Line(), chips
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
