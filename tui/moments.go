package tui

// What happened, as one list: what changed while the dashboard ran, and what the agents have logged about their work. It is
// made beside the loop, once for each snapshot.

import (
	"container/heap"
	"maps"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
)

// topicChanges is what the changes that were seen are filtered by; all that is told has its family.
const topicChanges = "changes"

// moment is one thing that happened: a change that was seen, or something that an agent has told.
type moment struct {
	at   int64 // milliseconds since 1970; what has no time of its own has that of what it was told after
	site *site // nil where its build is gone
	node *model.Node
	seen *event          // nil for what was told
	told *model.Activity // nil for what was seen
}

// momentLimit is how many moments the timeline of all builds has, the newest: some 5 MiB.
const momentLimit = 100_000

// gatherMoments makes the timeline of all builds, the oldest first, and lists what it is about.
func (ix *index) gatherMoments() {
	changes := make([]moment, 0, len(ix.log))
	var last int64
	for i := range ix.log {
		e := &ix.log[i]
		last = max(last, e.At.UnixMilli())
		m := moment{at: last, seen: e, site: ix.site(e.at)}
		if m.site != nil {
			m.node = m.site.nodes[e.at.node].node
		}
		changes = append(changes, m)
	}
	lists, topics := [][]moment{changes}, map[string]bool{}
	for _, s := range ix.sites {
		if len(s.told) > 0 {
			lists = append(lists, s.told)
			for family := range s.families {
				topics[family] = true
			}
		}
	}
	ix.moments = newestMoments(lists, momentLimit)
	if len(topics) > 0 {
		topics[topicChanges] = true
	}
	ix.topics = slices.Sorted(maps.Keys(topics))
}

// gatherTold lists what the agents of the build have told, and which families that is of.
func (s *site) gatherTold() {
	if len(s.build.Activity) == 0 {
		return
	}
	s.told, s.families = make([]moment, len(s.build.Activity)), map[string]bool{}
	var last int64
	for i := range s.told {
		a := &s.build.Activity[i]
		if !a.At.IsZero() {
			last = max(last, a.At.UnixMilli())
		}
		s.told[i] = moment{at: last, told: a, site: s, node: s.nodes[a.Node].node}
		s.families[string(a.Family)] = true
	}
}

// newestMoments makes one list of several, each the oldest first, as this one is: the newest of them, so many at most. Of
// moments of the same time those of an earlier list come first.
func newestMoments(lists [][]moment, limit int) []moment {
	var left tails
	total := 0
	for i, list := range lists {
		if len(list) > 0 {
			left = append(left, tail{list, i})
			total += len(list)
		}
	}
	if len(left) == 1 && total <= limit {
		return left[0].list
	}
	heap.Init(&left)
	newest := make([]moment, min(total, limit))
	for i := len(newest) - 1; i >= 0; i-- {
		t := &left[0]
		n := len(t.list) - 1
		newest[i], t.list = t.list[n], t.list[:n]
		if n > 0 {
			heap.Fix(&left, 0)
		} else {
			heap.Pop(&left)
		}
	}
	return newest
}

// tail is what is left of a list of moments when the newest have been taken.
type tail struct {
	list  []moment
	order int // of the list among all
}

// tails is a heap of them: on top is the one whose newest moment is the newest of all.
type tails []tail

func (t tails) Len() int      { return len(t) }
func (t tails) Swap(i, j int) { t[i], t[j] = t[j], t[i] }
func (t *tails) Push(x any)   { *t = append(*t, x.(tail)) }

func (t tails) Less(i, j int) bool {
	a, b := t[i].list[len(t[i].list)-1].at, t[j].list[len(t[j].list)-1].at
	return a > b || a == b && t[i].order > t[j].order
}

func (t *tails) Pop() any {
	last := (*t)[len(*t)-1]
	*t = (*t)[:len(*t)-1]
	return last
}

// place returns where it happened.
func (m *moment) place() place {
	switch {
	case m.seen != nil:
		return m.seen.at
	case m.told == nil:
		return place{}
	case m.node == nil:
		return m.site.place("")
	}
	return m.site.place(m.node.ID)
}

// topic returns what it is filtered by.
func (m *moment) topic() string {
	if m.told != nil {
		return string(m.told.Family)
	}
	return topicChanges
}

// time returns when it happened, zero where nobody says.
func (m *moment) time() time.Time {
	if m.told != nil {
		return m.told.At
	}
	return m.seen.At
}

// what returns what it happened to, as people call it.
func (m *moment) what() string {
	switch {
	case m.seen != nil:
		return m.seen.What
	case m.node != nil:
		return m.node.Name()
	case m.told.Chunk != "":
		return m.told.Chunk
	}
	return string(m.told.Family)
}

// text returns what happened, without the name that stands beside it.
func (m *moment) text() string {
	if m.seen != nil {
		return m.seen.Text
	}
	text := m.told.Text
	for _, name := range [...]string{m.what(), m.title()} {
		if rest, ok := strings.CutPrefix(text, name+": "); ok && name != "" {
			return rest
		}
	}
	return text
}

// title returns that of the row it happened to.
func (m *moment) title() string {
	if m.node == nil {
		return ""
	}
	return m.node.Title
}

// line returns it in one line.
func (m *moment) line() string { return m.what() + ": " + m.text() }

// same reports whether a moment of another snapshot is the same.
func (m *moment) same(other *moment) bool {
	switch {
	case m.at != other.at || (m.told == nil) != (other.told == nil):
		return false
	case m.told != nil:
		return m.told == other.told || m.told.Kind == other.told.Kind && m.told.Text == other.told.Text && m.told.Node == other.told.Node
	}
	return m.seen.seq == other.seen.seq && m.seen.at == other.seen.at
}

// passes reports whether a filter is about it.
func (m *moment) passes(f *filter) bool {
	switch {
	case !f.about(m.topic()):
		return false
	case m.seen != nil:
		return f.passes(m.seen.To, m.seen.What, m.seen.Text, m.seen.name)
	case m.node != nil:
		return f.passes(m.told.Status, m.told.Text, m.told.Kind, m.node.Title, m.node.Number)
	}
	return f.passes(m.told.Status, m.told.Text, m.told.Kind, m.told.Chunk)
}

// alarming reports whether somebody should still look at it: it was told as an alert, and what it is about is not done since.
func (m *moment) alarming() bool {
	switch {
	case m.told == nil || !m.told.Alert:
		return false
	case m.node != nil:
		return !m.node.Status.Closed() && !m.node.Archived
	}
	return !m.site.build.Status.Closed()
}
