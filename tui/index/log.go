package index

// What changed while the dashboard ran: kept as a bounded log, made beside the loop when a snapshot arrives.

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
)

// The bounds of the log of changes. Of more the oldest are forgotten.
const (
	logLimit  = 500
	logBytes  = 256 << 10 // of their texts
	eventText = 1 << 10   // of one text of an event, in bytes; what is longer has its beginning kept
)

// event is one change, and where.
type event struct {
	Event
	Where Place
	name  string // of the project
	Seq   uint64 // numbers the events of a session from 1
	seed  bool   // nobody saw it happen: its files say so
}

// kept returns the event as the log keeps it: with copies of its texts, for it outlives the files that they were cut from. A
// place whose names are too long to be kept becomes that of the build.
func (e event) kept() event {
	if len(e.Where.Node) > eventText {
		e.Where.Node = ""
	}
	e.Where = e.Where.Clone()
	e.Node = e.Where.Node
	for _, text := range []*string{&e.What, &e.Text, &e.name} {
		*text = strings.Clone(strings.ToValidUTF8((*text)[:min(len(*text), eventText)], ""))
	}
	e.Kind = model.Kind(strings.Clone(string(e.Kind)))
	return e
}

// size returns how many bytes the event's texts have.
func (e *event) size() int {
	return len(e.What) + len(e.Text) + len(e.name) + len(e.Kind) + len(e.Where.Project) + len(e.Where.Build) + len(e.Where.Node)
}

// bounded returns the newest events of a log, as many as are kept. Where they are too many, those go first of which their project has
// more than its share: a busy one leaves the others theirs.
func bounded(log []event) []event {
	if log = shared(log); len(log) == 0 {
		return log
	}
	from, size := len(log), 0
	for from > 0 {
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

// shared returns at most so many events as are kept, by shares.
func shared(log []event) []event {
	over := len(log) - logLimit
	if over <= 0 {
		return log
	}
	count := make(map[string]int)
	for i := range log {
		count[log[i].Where.Project]++
	}
	share := logLimit / len(count)
	kept := make([]event, 0, logLimit)
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

// logged returns the log of the index before with what changed since.
func logged(before, now *Index) (log []event, seq uint64) {
	seq = before.seq
	log = slices.Clip(before.Log) // appending copies: the index before is still looked at
	add := func(s *Site, e Event) {
		seq++
		log = append(log, event{Event: e, Where: s.Place(e.Node), name: s.Where(), Seq: seq}.kept())
	}
	changed := func(s *Site) bool { return before.projects[s.Project.Root] != now.projects[s.Project.Root] }
	for _, s := range now.Sites {
		if s.Build == nil || !changed(s) {
			continue
		}
		old := before.Site(s.Place(""))
		switch {
		case old == nil && s.Project.Host != nil && before.projects[s.Project.Root] == nil: // it has come into sight
		case old == nil:
			add(s, Event{At: now.Snap.At, What: s.Where(), To: s.Build.Status, Text: "appeared: " + s.Build.Word()})
		case s.Build != old.Build:
			for _, e := range worthTelling(old, s, diff(old.Build, s.Build, now.Snap.At)) {
				add(s, e)
			}
		}
	}
	for _, s := range before.Sites {
		if s.Build != nil && changed(s) && now.Site(s.Place("")) == nil {
			add(s, Event{At: now.Snap.At, What: s.Where(), From: s.Build.Status, Text: "gone"})
		}
	}
	return bounded(log), seq
}

// worthTelling leaves out the changes that another one tells: the tasks of a plan that changed, all that came or went with what it
// is in, the count of what a part was finished of, and what waits behind another.
func worthTelling(before, now *Site, events []Event) []Event {
	changed, within := make(map[string]string, len(events)), make(map[string]bool)
	for _, e := range events {
		changed[e.Node] = e.Text
		within[now.Nodes[e.Node].Above] = true
	}
	counts := func(e Event) bool {
		was, is := before.Nodes[e.Node].Node, now.Nodes[e.Node].Node
		return was != nil && is != nil && e.From == e.To && was.Raw == is.Raw
	}
	told := make(map[string]bool) // the files of deliverables: a phase and its gate may name the same
	again := func(e Event) bool {
		n := now.Nodes[e.Node].Node
		if n == nil || n.Kind != model.KindDeliverable || len(n.Artifacts) != 1 {
			return false
		}
		key := n.Artifacts[0].File + ": " + e.Text
		was := told[key]
		told[key] = true
		return was
	}
	whole := func(text string) bool { return text == "gone" || strings.HasPrefix(text, "appeared") }
	return slices.DeleteFunc(events, func(e Event) bool {
		in, known := now.Nodes[e.Node]
		if !known {
			in = before.Nodes[e.Node]
		}
		above, too := changed[in.Above]
		return e.To == model.Waiting && known && now.behind(in.Node) || within[e.Node] && counts(e) || too && in.Above != "" && (e.Kind == model.KindTask || e.Kind == model.KindSkill || whole(e.Text) && whole(above)) || again(e)
	})
}

// seedLimit is how many changes from before the dashboard ran are listed.
const seedLimit = 50

// seeded returns a log of what the files say happened before the dashboard ran: how those nodes stand that have stood so for the
// shortest time, since then. The time of a file, which a checkout sets anew, is none. These events have no number, and nothing of
// them counts as not seen.
func seeded(ix *Index) []event {
	type old struct {
		site *Site
		node *model.Node
	}
	var newest []old // ordered, the oldest first, and never more than the limit: the first frame waits for this
	for _, s := range ix.Sites {
		if s.Build == nil || len(s.Build.Activity) > 0 { // its log tells more than the times of its files
			continue
		}
		for _, n := range model.Walk(s.Build.Nodes) {
			if n.Since.IsZero() || n.SinceFile || n.IsArchived() || len(n.Children) > 0 && n.Kind != model.KindPlan || n.Status == model.Pending || s.behind(n) || s.Nodes[n.ID].Above == inboxGroup {
				continue
			}
			if len(newest) == seedLimit && !n.Since.After(newest[0].node.Since) {
				continue
			}
			i, _ := slices.BinarySearchFunc(newest, n.Since, func(o old, at time.Time) int {
				return cmp.Or(o.node.Since.Compare(at), -1) // behind its equals
			})
			newest = slices.Insert(newest, i, old{s, n})
			newest = newest[max(len(newest)-seedLimit, 0):]
		}
	}
	log := make([]event, 0, len(newest))
	for _, o := range newest {
		n := o.node
		log = append(log, event{Where: o.site.Place(n.ID), name: o.site.Where(), seed: true,
			Event: Event{At: n.Since, Node: n.ID, Kind: n.Kind, What: n.Name(), From: n.Status, To: n.Status, Text: strings.ReplaceAll(n.Word(), "→", "->")}}.kept())
	}
	return bounded(log)
}

// Loss is a decision that another writer has overwritten.
type Loss struct {
	model.Decision
	Site *Site
}

// lost returns the decisions that are overwritten now and were not before. Only projects that were read again can have any. One
// that was decided anew since is no loss any more.
func lost(before, now *Index) (losses []Loss) {
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

// begun returns what waits for certain now and did not before. What waits on a host that is not there begins when that is back.
func begun(before, now []Waiting) []Waiting {
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
