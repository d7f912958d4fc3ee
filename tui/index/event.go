package index

import (
	"strings"
	"time"

	"gatehouse/model"
)

// Event is one thing that changed between two snapshots of a build.
type Event struct {
	At   time.Time
	Node string // "" for the build as a whole
	Kind model.Kind
	// What names the node as people do, "Plan 03-02 api"; From and To are its
	// statuses. From equals To where only a count or the word changed.
	What string
	From model.Status
	To   model.Status
	Text string // "pending → running", "in the file: Draft → Review", "1/3 → 2/3", "appeared: pending", "gone"
}

// diff returns what changed from one snapshot of a build to the next, dated at:
// what is there, in tree order, then what is gone. Of a node one change is told:
// that of its status, else of its word, else of its count. Groups only gather
// others and are left out. Without a snapshot before there is nothing to tell.
func diff(before, after *model.Build, at time.Time) []Event {
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
		e := Event{At: at, Node: n.ID, Kind: n.Kind, What: n.Name(), To: n.Status}
		switch {
		case n.Kind == model.KindGroup:
			continue
		case !known:
			e.From, e.Text = model.Unknown, "appeared: "+n.Word()
		case n.Session != nil && old.Session != nil:
			if old.Session.State == n.Session.State {
				continue
			}
			e.From, e.Text = old.Status, old.Word()+" → "+n.Word()
		case old.Status != n.Status:
			e.From, e.Text = old.Status, old.Status.Word()+" → "+n.Status.Word()
		case old.Raw != n.Raw:
			e.From, e.Text = old.Status, "in the file: "+wordOf(old.Raw)+" → "+wordOf(n.Raw)
		case old.Count != n.Count:
			e.From, e.Text = old.Status, old.Count.String()+" → "+n.Count.String()
		default:
			continue
		}
		events = append(events, e)
	}
	for _, n := range model.Walk(before.Nodes) {
		if _, gone := was[n.ID]; gone && n.Kind != model.KindGroup {
			events = append(events, Event{At: at, Node: n.ID, Kind: n.Kind, What: n.Name(), From: n.Status, To: model.Unknown, Text: "gone"})
		}
	}
	return events
}

// wordOf returns a file's word for a status, in which no arrow can pass for the one between two.
func wordOf(word string) string {
	if word == "" {
		return "no status"
	}
	return strings.ReplaceAll(word, "→", "->")
}
