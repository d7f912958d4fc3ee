package index

// Filters: which rows of the tree and of the timeline are shown, by text and by state.

import (
	"slices"
	"strings"

	"gatehouse/model"
)

// Standing is the state of a node as filters see it. It differs from the status: waiting is only what waits for the user now, running
// only what moves.
type Standing uint8

// The standings, in the order of States. There is no filter for the first one.
const (
	StandsElsewise Standing = iota
	StandsWaiting
	StandsBlocked
	StandsRunning
	StandsFailed
	StandsDone
)

// StandingOf returns the standing of a status without a node: of a change or an activity.
func StandingOf(s model.Status) Standing {
	switch s {
	case model.Waiting:
		return StandsWaiting
	case model.Blocked:
		return StandsBlocked
	case model.Active, model.Retrying:
		return StandsRunning
	case model.Failed:
		return StandsFailed
	case model.Done, model.Skipped:
		return StandsDone
	}
	return StandsElsewise
}

// state is a standing that has a filter.
type state struct {
	model.Status
	Key string // the key that switches it
}

// States are the standings that have a filter, from [StandsWaiting] on.
var States = [...]state{
	{model.Waiting, "w"}, {model.Blocked, "b"}, {model.Active, "r"}, {model.Failed, "x"}, {model.Done, "d"},
}

// stateSet is a set of states, a bit each in their order.
type stateSet uint16

func (s stateSet) Has(i int) bool { return s&(1<<i) != 0 }

// Filter selects rows by text and state. The zero value passes everything.
type Filter struct {
	Text   string
	States stateSet
	words  []string // of the text, in lower case; all must match
}

func (f *Filter) Active() bool { return f.Text != "" || f.States != 0 }

func (f *Filter) Search(text string) {
	f.Text, f.words = text, strings.Fields(strings.ToLower(text))
}

// PassesRow reports whether a row of the tree matches: it has one of its standings among the states, and one of its texts contains each word.
func (f *Filter) PassesRow(s *Site, n *model.Node, texts ...string) bool {
	stands := f.States == 0
	for i := range States {
		stands = stands || f.States.Has(i) && s.Stands(n, StandsWaiting+Standing(i))
	}
	return stands && f.matchesText(texts)
}

// Keeps reports whether a row is a hit although a row below it is: it asks something itself.
func (f *Filter) Keeps(s *Site, n *model.Node) bool {
	return f.States == 0 || n == nil || f.States.Has(0) && s.isAsked(n, StandsWaiting)
}

// Passes reports whether something in a state, with some texts, passes the filter.
func (f *Filter) Passes(s Standing, texts ...string) bool {
	if f.States != 0 && (s == StandsElsewise || !f.States.Has(int(s-StandsWaiting))) {
		return false
	}
	return f.matchesText(texts)
}

// matchesText reports whether each word of the text is in one of some texts.
func (f *Filter) matchesText(texts []string) bool {
	for _, w := range f.words {
		if !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(strings.ToLower(text), w) }) {
			return false
		}
	}
	return true
}
