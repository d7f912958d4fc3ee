package tui

// What happened, as one list: what changed while the dashboard ran, and what the agents have logged about their work. It is
// made beside the loop, once for each snapshot.

import (
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
	var all []moment
	var ends []int // of each list in all
	for _, list := range lists {
		if len(list) > 0 {
			all = append(all, list[max(0, len(list)-limit):]...)
			ends = append(ends, len(all))
		}
	}
	// Two neighbours are made one, again and again, so that each moment is moved as often as the number of lists can be halved.
	for other := make([]moment, len(all)); len(ends) > 1; all, other = other, all {
		fewer, from := ends[:0], 0
		for i := 0; i < len(ends); i += 2 {
			half, end := ends[i], ends[min(i+1, len(ends)-1)]
			mergeMoments(other[from:end], all[from:half], all[half:end])
			fewer, from = append(fewer, end), end
		}
		ends = fewer
	}
	return all[max(0, len(all)-limit):]
}

// mergeMoments puts two lists, each the oldest first, into one that has room for both.
func mergeMoments(into, a, b []moment) {
	for i := range into {
		if len(a) == 0 || len(b) > 0 && b[0].at < a[0].at {
			into[i], b = b[0], b[1:]
		} else {
			into[i], a = a[0], a[1:]
		}
	}
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
