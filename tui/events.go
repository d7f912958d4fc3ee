package tui

// What changed while the dashboard ran: kept as a bounded log, made beside the loop when a snapshot arrives.

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/tui/draw"
)

// The bounds of the log of changes. Of more the oldest are forgotten.
const (
	logLimit  = 500
	logBytes  = 256 << 10 // of their texts
	eventText = 1 << 10   // of one text of an event, in bytes; what is longer has its beginning kept
)

// event is one change, and where.
type event struct {
	model.Event
	at   place
	name string // of the project
	seq  uint64 // numbers the events of a session from 1
}

// kept returns the event as the log keeps it: with copies of its texts, for it outlives the files that they were cut from. A
// place whose names are too long to be kept becomes that of the build.
func (e event) kept() event {
	if len(e.at.node) > eventText {
		e.at.node = ""
	}
	e.at = e.at.clone()
	e.Node = e.at.node
	for _, text := range []*string{&e.What, &e.Text, &e.name} {
		*text = strings.Clone(strings.ToValidUTF8((*text)[:min(len(*text), eventText)], ""))
	}
	e.Kind = model.Kind(strings.Clone(string(e.Kind)))
	return e
}

// size returns how many bytes the event's texts have.
func (e *event) size() int {
	return len(e.What) + len(e.Text) + len(e.name) + len(e.Kind) + len(e.at.project) + len(e.at.build) + len(e.at.node)
}

// bounded returns the newest events of a log, as many as are kept.
func bounded(log []event) []event {
	from, size := len(log), 0
	for from > max(len(log)-logLimit, 0) {
		if size += log[from-1].size(); size > logBytes {
			break
		}
		from--
	}
	if from == 0 {
		return log
	}
	return slices.Clone(log[from:])
}

// logged returns the log of the index before with what changed since.
func logged(before, now *index) (log []event, seq uint64) {
	seq = before.seq
	log = slices.Clip(before.log) // appending copies: the index before is still looked at
	add := func(s *site, e model.Event) {
		seq++
		log = append(log, event{Event: e, at: s.place(e.Node), name: s.name, seq: seq}.kept())
	}
	changed := func(s *site) bool { return before.projects[s.project.Root] != now.projects[s.project.Root] }
	for _, s := range now.sites {
		if s.build == nil || !changed(s) {
			continue
		}
		old := before.site(s.place(""))
		switch {
		case old == nil:
			add(s, model.Event{At: now.snap.At, What: s.name, To: s.build.Status, Text: "appeared: " + s.build.Status.String()})
		case s.build != old.build:
			for _, e := range told(old, s, model.Diff(old.build, s.build, now.snap.At)) {
				add(s, e)
			}
		}
	}
	for _, s := range before.sites {
		if s.build != nil && changed(s) && now.site(s.place("")) == nil {
			add(s, model.Event{At: now.snap.At, What: s.name, From: s.build.Status, Text: "gone"})
		}
	}
	return bounded(log), seq
}

// told leaves out the changes that another one tells: the tasks of a plan that changed, all that came or went with what it
// is in, and the count of what a part was finished of.
func told(before, now *site, events []model.Event) []model.Event {
	changed, within := make(map[string]string, len(events)), make(map[string]bool)
	for _, e := range events {
		changed[e.Node] = e.Text
		within[now.nodes[e.Node].above] = true
	}
	counts := func(e model.Event) bool {
		was, is := before.nodes[e.Node].node, now.nodes[e.Node].node
		return was != nil && is != nil && e.From == e.To && was.Raw == is.Raw
	}
	whole := func(text string) bool { return text == "gone" || strings.HasPrefix(text, "appeared") }
	return slices.DeleteFunc(events, func(e model.Event) bool {
		in, known := now.nodes[e.Node]
		if !known {
			in = before.nodes[e.Node]
		}
		above, too := changed[in.above]
		return within[e.Node] && counts(e) || too && in.above != "" && (e.Kind == model.KindTask || e.Kind == model.KindSkill || whole(e.Text) && whole(above))
	})
}

// seedLimit is how many changes from before the dashboard ran are listed.
const seedLimit = 50

// seeded returns a log of what the files' times say happened before the dashboard ran: the state of the nodes whose files
// changed last, at those times. These events have no number, and nothing of them counts as not seen.
func seeded(ix *index) []event {
	type old struct {
		site *site
		node *model.Node
	}
	var newest []old // ordered, the oldest first, and never more than the limit: the first frame waits for this
	for _, s := range ix.sites {
		if s.build == nil || len(s.build.Activity) > 0 { // its log tells more than the times of its files
			continue
		}
		for _, n := range model.Walk(s.build.Nodes) {
			if n.Updated.IsZero() || n.Archived || len(n.Children) > 0 && n.Kind != model.KindPlan || n.Status == model.Pending || s.nodes[n.ID].above == inboxGroup {
				continue
			}
			if len(newest) == seedLimit && !n.Updated.After(newest[0].node.Updated) {
				continue
			}
			i, _ := slices.BinarySearchFunc(newest, n.Updated, func(o old, at time.Time) int {
				return cmp.Or(o.node.Updated.Compare(at), -1) // behind its equals
			})
			newest = slices.Insert(newest, i, old{s, n})
			newest = newest[max(len(newest)-seedLimit, 0):]
		}
	}
	log := make([]event, 0, len(newest))
	for _, o := range newest {
		n := o.node
		log = append(log, event{at: o.site.place(n.ID), name: o.site.name,
			Event: model.Event{At: n.Updated, Node: n.ID, Kind: n.Kind, What: n.Name(), From: n.Status, To: n.Status, Text: draw.Word(n)}}.kept())
	}
	return bounded(log)
}

// begun returns what waits for certain now and did not before.
func begun(before, now []waiting) []waiting {
	type wait struct {
		at   place
		text string
	}
	known := make(map[wait]bool, len(before))
	for _, w := range before {
		if !w.Potential {
			known[wait{w.place(), w.Text}] = true
		}
	}
	var began []waiting
	for _, w := range now {
		if !w.Potential && !known[wait{w.place(), w.Text}] {
			began = append(began, w)
		}
	}
	return began
}

// seen is what the user has looked at, and the marks of what they have not.
type seen struct {
	all   uint64           // everything up to this event
	at    map[place]uint64 // and these places up to theirs
	marks map[place]bool   // what changed since; false for what only holds such a row
	count int              // of those that changed themselves
}

// update makes the marks for an index. The log is bounded, and so is the time this takes.
func (s *seen) update(ix *index) {
	s.marks, s.count = nil, 0
	if len(ix.log) > 0 { // what is no longer in the log marks nothing
		oldest := ix.log[0].seq
		maps.DeleteFunc(s.at, func(_ place, seq uint64) bool { return seq < oldest })
	}
	for i := len(ix.log) - 1; i >= 0 && ix.log[i].seq > s.all; i-- {
		e := ix.log[i]
		if e.seq <= s.at[e.at] || s.marks[e.at] {
			continue
		}
		home := ix.site(e.at)
		if home == nil {
			continue
		}
		if _, known := home.nodes[e.at.node]; !known && e.at.node != "" {
			continue // gone: there is no row to mark
		}
		if s.marks == nil {
			s.marks = make(map[place]bool)
		}
		s.marks[e.at] = true
		s.count++
		for id := e.at.node; id != ""; {
			id = home.nodes[id].above
			if above := home.place(id); !s.marks[above] {
				s.marks[above] = false
			}
		}
	}
}

// look remembers that the user looked at a place, and reports whether that was news.
func (s *seen) look(ix *index, at place) bool {
	if !s.marks[at] {
		return false
	}
	if s.at == nil {
		s.at = make(map[place]uint64)
	}
	s.at[at.clone()] = ix.seq
	return true
}

// lookAtAll remembers that the user knows everything so far.
func (s *seen) lookAtAll(ix *index) { s.all, s.at = ix.seq, nil }
