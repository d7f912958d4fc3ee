package index

// Filters: which rows of the tree and of the timeline are shown, by text and by state.

import (
	"slices"
	"strings"
	"unicode/utf8"

	"gatehouse/model"
)

// state is one of the kinds of statuses that one filters by.
type state struct {
	Key    string // that switches it, where states are chosen
	Word   string
	Shown  model.Status // whose glyph and colour it has
	others []model.Status
}

var States = [...]state{
	{"w", "waiting", model.Waiting, nil},
	{"b", "blocked", model.Blocked, nil},
	{"r", "running", model.Active, []model.Status{model.Retrying}},
	{"x", "failed", model.Failed, nil},
	{"d", "done", model.Done, []model.Status{model.Skipped}},
}

// stateSet is a set of states, a bit each in their order.
type stateSet uint8

func (s stateSet) Has(i int) bool { return s&(1<<i) != 0 }

// stateOf returns the state that a status belongs to, -1 for those nobody filters by.
func stateOf(s model.Status) int {
	for i, st := range States {
		if s == st.Shown {
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

// Filter is what is searched for. The zero value lets everything pass.
type Filter struct {
	Text   string
	States stateSet
	words  []string // of the text, in lower case; all must be found
	Topics map[string]bool
}

func (f *Filter) Active() bool { return f.Text != "" || f.States != 0 || len(f.Topics) > 0 }

// About reports whether a topic is searched for.
func (f *Filter) About(topic string) bool { return len(f.Topics) == 0 || f.Topics[topic] }

func (f *Filter) ToggleTopic(topic string) {
	if f.Topics[topic] {
		delete(f.Topics, topic)
		return
	}
	if f.Topics == nil {
		f.Topics = make(map[string]bool)
	}
	f.Topics[topic] = true
}

func (f *Filter) Search(text string) {
	f.Text, f.words = text, strings.Fields(strings.ToLower(text))
}

// Passes reports whether something of some status is searched for, each word of the text in one of its own texts.
func (f *Filter) Passes(s model.Status, texts ...string) bool {
	if f.States != 0 {
		if i := stateOf(s); i < 0 || !f.States.Has(i) {
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
