package tui

// What happened, as one list: what changed while the dashboard ran, and what the agents have logged about their work. It is
// made beside the loop, once for each snapshot.

import (
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

// gatherMoments makes the timeline of all builds, the oldest first, and lists what it is about.
func (ix *index) gatherMoments() {
	list := make([]moment, 0, len(ix.log))
	var last int64
	for i := range ix.log {
		e := &ix.log[i]
		last = max(last, e.At.UnixMilli())
		m := moment{at: last, seen: e, site: ix.site(e.at)}
		if m.site != nil {
			m.node = m.site.nodes[e.at.node].node
		}
		list = append(list, m)
	}
	topics := make(map[string]bool)
	for _, s := range ix.sites {
		if s.build == nil || len(s.build.Activity) == 0 {
			continue
		}
		list = mergeMoments(list, toldIn(s))
		for i := range s.build.Activity {
			topics[string(s.build.Activity[i].Family)] = true
		}
	}
	ix.moments = list
	if len(topics) > 0 {
		topics[topicChanges] = true
	}
	for topic := range topics {
		ix.topics = append(ix.topics, topic)
	}
	slices.Sort(ix.topics)
}

// toldIn returns what a build's agents have told.
func toldIn(s *site) []moment {
	list := make([]moment, len(s.build.Activity))
	var last int64
	for i := range list {
		a := &s.build.Activity[i]
		if !a.At.IsZero() {
			last = max(last, a.At.UnixMilli())
		}
		list[i] = moment{at: last, told: a, site: s, node: s.nodes[a.Node].node}
	}
	return list
}

// mergeMoments makes one list of two, each the oldest first.
func mergeMoments(a, b []moment) []moment {
	if len(a) == 0 {
		return b
	}
	all := make([]moment, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if b[0].at < a[0].at {
			all, b = append(all, b[0]), b[1:]
		} else {
			all, a = append(all, a[0]), a[1:]
		}
	}
	return append(append(all, a...), b...)
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
