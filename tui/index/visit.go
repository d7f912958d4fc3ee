package index

// The state between two runs: saving the state of a project, and finding its changes at the next start.

import (
	"slices"
	"time"

	"gatehouse/model"
)

// Visit is the state of a project at the end of the last visit.
type Visit struct {
	At    time.Time                    `json:"at"`            // when the visit ended
	Stood map[string]map[string]string `json:"stood"`         // the statuses of nodes, by build and node
	Log   []SavedEvent                 `json:"log,omitempty"` // the changes, the oldest first
}

// SavedEvent is a change as saved between visits.
type SavedEvent struct {
	At     time.Time  `json:"at"`
	Build  string     `json:"build,omitempty"`
	Node   string     `json:"node,omitempty"`
	Kind   model.Kind `json:"kind,omitempty"`
	What   string     `json:"what"`
	From   string     `json:"from"`
	To     string     `json:"to"`
	Text   string     `json:"text"`
	Unseen bool       `json:"unseen,omitempty"`
}

// toEvent returns the change as an event of the log.
func (t *SavedEvent) toEvent(s *Site) Event {
	from, _ := model.ParseStatus(t.From)
	to, _ := model.ParseStatus(t.To)
	return s.eventAt(Event{At: t.At, Where: Place{Node: t.Node}, Kind: t.Kind, What: t.What, From: from, To: to, Text: t.Text})
}

// visitLog is the maximum number of saved changes of a project, and visitNodes the maximum number of nodes with saved statuses.
const (
	visitLog   = 200
	visitNodes = 20_000
)

// Leaving is the state of all projects at one time, to be saved.
type Leaving struct {
	ix  *Index
	now time.Time
	log map[string][]SavedEvent // by project
}

// Leave returns the state of an index at the end of a visit. Unseen changes stay unseen next time. It copies only the log;
// [Leaving.Visit] collects the rest and may run outside the event loop.
func (ix *Index) Leave(seen *Seen, now time.Time) Leaving {
	l := Leaving{ix, now.UTC(), make(map[string][]SavedEvent)}
	for i := range ix.Log {
		if e := &ix.Log[i]; !e.seed && e.Where.Build != model.AgentsBuild {
			saved := SavedEvent{e.At.UTC(), e.Where.Build, e.Where.Node, e.Kind, e.What, e.From.String(), e.To.String(), e.Text, seen.isUnseen(e)}
			l.log[e.Where.Project] = append(l.log[e.Where.Project], saved)
		}
	}
	return l
}

// Visit returns the state of a project.
func (l *Leaving) Visit(root string) Visit {
	v := Visit{At: l.now, Stood: map[string]map[string]string{}, Log: l.log[root]}
	v.Log = v.Log[max(0, len(v.Log)-visitLog):]
	px := l.ix.projects[root]
	if px == nil {
		return v
	}
	left := visitNodes
	for _, s := range px.sites {
		if s.Build == nil || s.Build.ID == model.AgentsBuild {
			continue
		}
		stood := make(map[string]string, len(s.Nodes))
		for id, e := range s.Nodes {
			if left--; left < 0 {
				break
			}
			stood[id] = e.Node.Status.String()
		}
		v.Stood[s.Build.ID] = stood
	}
	return v
}

// Return adds the saved log of the projects to the first index, and the changes since.
func (ix *Index) Return(visits map[string]Visit) {
	var known, fresh []Event
	returned := func(root string) bool { v, ok := visits[root]; return ok && len(v.Stood) > 0 }
	for _, v := range visits {
		if v.At.After(ix.Visited) {
			ix.Visited = v.At
		}
	}
	for _, e := range ix.Log { // according to the files, unless the saved log has better data
		if !returned(e.Where.Project) || len(visits[e.Where.Project].Log) == 0 {
			known = append(known, e)
		}
	}
	for _, s := range ix.Sites {
		v := visits[s.Project.Root]
		if s.Build == nil || !returned(s.Project.Root) {
			continue
		}
		for i := range v.Log {
			if saved := &v.Log[i]; saved.Build == s.Build.ID {
				e := saved.toEvent(s)
				if saved.Unseen {
					fresh = append(fresh, e)
				} else {
					known = append(known, e)
				}
			}
		}
		fresh = append(fresh, s.changesSince(v, ix.Snap.At)...)
	}
	byTime := func(a, b Event) int { return a.At.Compare(b.At) }
	slices.SortStableFunc(known, byTime)
	slices.SortStableFunc(fresh, byTime)
	for i := range fresh {
		ix.seq++
		fresh[i].Seq = ix.seq
	}
	ix.Log = limitLog(append(known, fresh...))
	ix.gatherMoments()
}

// changesSince returns the changes of a build since a visit. Each has the time of its node if that is known.
func (s *Site) changesSince(v Visit, now time.Time) (events []Event) {
	stood, known := v.Stood[s.Build.ID]
	if !known {
		return nil
	}
	before := &Site{Nodes: make(map[string]entry, len(stood))}
	old := &model.Build{Nodes: s.nodesBefore(s.Build.Nodes, "", stood, before)}
	for _, e := range dropImplied(before, s, compareBuilds(old, s.Build, now)) {
		if n := s.Nodes[e.Where.Node].Node; n != nil {
			for _, at := range [...]time.Time{n.Since, n.Updated} {
				if at.After(v.At) && at.Before(now) {
					e.At = at
					break
				}
			}
		}
		events = append(events, s.eventAt(e))
	}
	return events
}

// nodesBefore returns nodes with their earlier statuses, without those that did not exist.
func (s *Site) nodesBefore(nodes []*model.Node, above string, was map[string]string, before *Site) (all []*model.Node) {
	for _, n := range nodes {
		word, known := was[n.ID]
		status, ok := model.ParseStatus(word)
		if !known || !ok {
			continue
		}
		old := *n
		if status != n.Status {
			old.Status, old.Raw = status, ""
		}
		old.Children = s.nodesBefore(n.Children, n.ID, was, before)
		before.Nodes[n.ID] = entry{Node: &old, Above: above}
		all = append(all, &old)
	}
	return all
}
