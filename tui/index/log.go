package index

// The changes while the dashboard ran: a bounded log, extended in the command that received a snapshot.

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
)

// The bounds of the log. The oldest events are dropped.
const (
	logLimit  = 500
	eventText = 512 // of one text of an event, in bytes; only the beginning of a longer text is kept
)

// Event is one observed change of a build.
type Event struct {
	At    time.Time
	Where Place // without a node it is about the whole build
	Kind  model.Kind
	// The name of the node for people, "Plan 03-02 api", and its statuses. From equals To if only a count or the word changed.
	What    string
	From    model.Status
	To      model.Status
	Text    string // "pending → running", "in the file: Draft → Review", "1/3 → 2/3", "appeared: pending", "gone"
	project string // its name
	Seq     uint64 // numbers the events of a session from 1
	seed    bool   // it was not observed: its files say so
}

// compareBuilds returns the changes from one snapshot of a build to the next, dated at: first of the nodes that exist, in tree order, then
// of those that are gone. For each node there is one change: its status, else its word, else its count. There are none if one of the
// builds is missing.
func compareBuilds(before, after *model.Build, at time.Time) []Event {
	if before == nil || after == nil {
		return nil
	}
	var events []Event
	was := make(map[string]*model.Node, model.CountNodes(before.Nodes))
	for _, n := range model.Walk(before.Nodes) {
		was[n.ID] = n
	}
	for _, n := range model.Walk(after.Nodes) {
		old, known := was[n.ID]
		delete(was, n.ID)
		if text := changeOf(old, n); text != "" && hasChanges(n) {
			e := Event{At: at, Where: Place{Node: n.ID}, Kind: n.Kind, What: n.Name(), To: n.Status, Text: text}
			if known {
				e.From = old.Status
			}
			events = append(events, e)
		}
	}
	for _, n := range model.Walk(before.Nodes) {
		if _, gone := was[n.ID]; gone && hasChanges(n) {
			events = append(events, Event{At: at, Where: Place{Node: n.ID}, Kind: n.Kind, What: n.Name(), From: n.Status, Text: "gone"})
		}
	}
	return events
}

// hasChanges reports whether a node has changes of its own: a group has none, and a finished turn is a change of its session.
func hasChanges(n *model.Node) bool {
	return n.Kind != model.KindGroup && (n.Gate == nil || !n.IsTurn())
}

// changeOf returns the text of a node's change, "" if there is none. old is nil for a new node.
func changeOf(old, n *model.Node) string {
	switch {
	case old == nil:
		return "appeared: " + n.Word()
	case n.Session != nil && old.Session != nil:
		if old.Session.State != n.Session.State {
			return old.Word() + " → " + n.Word()
		}
	case old.Status != n.Status:
		return old.Status.Word() + " → " + n.Status.Word()
	case old.Raw != n.Raw:
		return "in the file: " + fileWord(old.Raw) + " → " + fileWord(n.Raw)
	case old.Count != n.Count:
		return old.Count.String() + " → " + n.Count.String()
	}
	return ""
}

// fileWord returns a file's word for a status, without arrows: one stands between two words.
func fileWord(word string) string {
	if word == "" {
		return "no status"
	}
	return strings.ReplaceAll(word, "→", "->")
}

// eventAt completes an event for the log. Its texts are copied, because it outlives the files they are part of. A node with a
// very long ID is dropped from the place.
func (s *Site) eventAt(e Event) Event {
	node := e.Where.Node
	if len(node) > eventText {
		node = ""
	}
	e.Where, e.project = s.Place(node).Clone(), s.Where()
	for _, text := range []*string{&e.What, &e.Text, &e.project} {
		*text = strings.Clone(strings.ToValidUTF8((*text)[:min(len(*text), eventText)], ""))
	}
	e.Kind = model.Kind(strings.Clone(string(e.Kind)))
	return e
}

// limitLog returns the newest events of a log. A project with more than its share loses its oldest events first.
func limitLog(log []Event) []Event {
	over := len(log) - logLimit
	if over <= 0 {
		return log
	}
	count := make(map[string]int)
	for i := range log {
		count[log[i].Where.Project]++
	}
	share := logLimit / len(count)
	kept := make([]Event, 0, logLimit)
	for i := range log { // the oldest first
		if root := log[i].Where.Project; over > 0 && count[root] > share {
			count[root]--
			over--
			continue
		}
		kept = append(kept, log[i])
	}
	return kept[max(0, len(kept)-logLimit):]
}

// nextLog returns the log of the previous index with the changes since.
func nextLog(before, now *Index) (log []Event, seq uint64) {
	seq = before.seq
	log = slices.Clip(before.Log) // appending copies the log: the previous index is still in use
	add := func(s *Site, e Event) {
		seq++
		e.Seq = seq
		log = append(log, s.eventAt(e))
	}
	changed := func(s *Site) bool { return before.projects[s.Project.Root] != now.projects[s.Project.Root] }
	for _, s := range now.Sites {
		if s.Build == nil || !changed(s) {
			continue
		}
		old := before.Site(s.Place(""))
		switch {
		case old == nil && s.Project.Host != nil && before.projects[s.Project.Root] == nil: // its host has come into reach
		case old == nil:
			add(s, Event{At: now.Snap.At, What: s.Where(), To: s.Build.Status, Text: "appeared: " + s.Build.Word()})
		case s.Build != old.Build:
			for _, e := range dropImplied(old, s, compareBuilds(old.Build, s.Build, now.Snap.At)) {
				add(s, e)
			}
		}
	}
	for _, s := range before.Sites {
		if s.Build != nil && changed(s) && now.Site(s.Place("")) == nil {
			add(s, Event{At: now.Snap.At, What: s.Where(), From: s.Build.Status, Text: "gone"})
		}
	}
	return limitLog(log), seq
}

// dropImplied leaves out changes that another change implies: tasks of a plan that changed, nodes that came or went with their parent,
// the count of a parent with a changed child, and what waits behind another wait.
func dropImplied(before, now *Site, events []Event) []Event {
	changed, within := make(map[string]string, len(events)), make(map[string]bool)
	for _, e := range events {
		changed[e.Where.Node] = e.Text
		within[now.Nodes[e.Where.Node].Above] = true
	}
	isCount := func(e Event) bool {
		was, is := before.Nodes[e.Where.Node].Node, now.Nodes[e.Where.Node].Node
		return was != nil && is != nil && e.From == e.To && was.Raw == is.Raw
	}
	isWhole := func(text string) bool { return text == "gone" || strings.HasPrefix(text, "appeared") }
	return slices.DeleteFunc(events, func(e Event) bool {
		in, known := now.Nodes[e.Where.Node]
		if !known {
			in = before.Nodes[e.Where.Node]
		}
		above, too := changed[in.Above]
		isPart := too && in.Above != "" && (e.Kind == model.KindTask || e.Kind == model.KindSkill || isWhole(e.Text) && isWhole(above))
		return e.To == model.Waiting && known && now.isBehind(in.Node) || within[e.Where.Node] && isCount(e) || isPart
	})
}

// seedLimit is the number of changes from before the dashboard ran.
const seedLimit = 50

// seedLog returns the changes before the dashboard ran, according to the files: the newest statuses and their times. The modification
// time of a file does not count, because a checkout sets it. These events have no number and are never marked as unseen.
func seedLog(ix *Index) []Event {
	type change struct {
		site *Site
		node *model.Node
	}
	var newest []change // the oldest first, and never more than the limit: the first frame waits for this
	for _, s := range ix.Sites {
		if s.Build == nil || len(s.Build.Activity) > 0 { // the log of its agents says more than the times of its files
			continue
		}
		for _, n := range model.Walk(s.Build.Nodes) {
			if n.Since.IsZero() || n.SinceFile || n.IsArchived() || len(n.Children) > 0 && n.Kind != model.KindPlan || n.Status == model.Pending || s.isBehind(n) || s.Nodes[n.ID].Above == inboxGroup {
				continue
			}
			if len(newest) == seedLimit && !n.Since.After(newest[0].node.Since) {
				continue
			}
			i, _ := slices.BinarySearchFunc(newest, n.Since, func(o change, at time.Time) int {
				return cmp.Or(o.node.Since.Compare(at), -1) // after events with the same time
			})
			newest = slices.Insert(newest, i, change{s, n})
			newest = newest[max(len(newest)-seedLimit, 0):]
		}
	}
	log := make([]Event, 0, len(newest))
	for _, c := range newest {
		n := c.node
		log = append(log, c.site.eventAt(Event{At: n.Since, Where: Place{Node: n.ID}, Kind: n.Kind, What: n.Name(), From: n.Status, To: n.Status,
			Text: strings.ReplaceAll(n.Word(), "→", "->"), seed: true}))
	}
	return log
}

// Loss is a decision that another writer has overwritten.
type Loss struct {
	model.Decision
	Site *Site
}

// newLosses returns the decisions that are overwritten now and were not before. Only projects that were read again can have some. A
// later decision about the same gate replaces a loss.
func newLosses(before, now *Index) (losses []Loss) {
	for root, px := range now.projects {
		old := before.projects[root]
		if old == nil || old == px {
			continue
		}
		known := map[string]bool{}
		for _, d := range old.project.Decisions {
			known[d.ID] = d.Overwritten
		}
		later := map[Place]bool{}
		for _, d := range px.project.Decisions { // the newest first
			at := Place{Project: root, Build: d.Build, Node: d.Node}
			if s := now.Site(at); d.Overwritten && !known[d.ID] && !later[at] && s != nil {
				losses = append(losses, Loss{d, s})
			}
			later[at] = true
		}
	}
	return losses
}

// newWaits returns the certain waits that did not exist before. A wait on a host out of reach begins when the host is back.
func newWaits(before, now []Waiting) []Waiting {
	type wait struct {
		at   Place
		text string
	}
	known := make(map[wait]bool, len(before))
	for _, w := range before {
		if (w.IsAsked() || w.IsTurn()) && !w.OutOfReach() {
			known[wait{w.At(), w.Text}] = true
		}
	}
	var began []Waiting
	for _, w := range now {
		if (w.IsAsked() || w.IsTurn()) && !w.OutOfReach() && !known[wait{w.At(), w.Text}] {
			began = append(began, w)
		}
	}
	return began
}
