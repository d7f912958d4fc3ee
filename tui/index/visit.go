package index

// What the user has seen: the changes that were looked at, and the statuses at the end of a visit, for the next start.

import (
	"maps"
	"slices"
	"time"

	"gatehouse/model"
)

// Visit is the state of a project at the end of the last visit.
type Visit struct {
	At    time.Time                    `json:"at"`    // when the visit ended
	Stood map[string]map[string]string `json:"stood"` // the statuses of nodes by build and node; before changes that were not seen
}

// visitNodes is the maximum number of nodes of a project with saved statuses.
const visitNodes = 20_000

// Leave returns the state of each project, by its root, at the end of a visit. It copies only the changes that were not seen; the returned
// function collects the rest and may run outside the event loop.
func (ix *Index) Leave(seen *Seen, now time.Time) func(root string) Visit {
	unseen := make(map[Place]model.Status) // the statuses before the first change that was not seen
	for i := range ix.Log {
		m := &ix.Log[i]
		if _, known := unseen[m.Where]; !known && seen.isUnseen(m) {
			unseen[m.Where] = m.From
		}
	}
	return func(root string) Visit {
		v, left := Visit{At: now.UTC(), Stood: map[string]map[string]string{}}, visitNodes
		for _, s := range ix.projects[root].sites {
			if s.Build == nil || s.IsAgents() {
				continue
			}
			stood := make(map[string]string, len(s.Nodes))
			for id, e := range s.Nodes {
				if left--; left < 0 {
					break
				}
				status := e.Node.Status
				if was, ok := unseen[s.Place(id)]; ok {
					status = was
				}
				stood[id] = status.String()
			}
			v.Stood[s.Build.ID] = stood
		}
		return v
	}
}

// Return adds the changes since the last visits, by project, to the first index.
func (ix *Index) Return(visits map[string]Visit) {
	var fresh []Moment
	for _, v := range visits {
		if v.At.After(ix.Visited) {
			ix.Visited = v.At
		}
	}
	for _, s := range ix.Sites {
		if s.Build != nil {
			fresh = append(fresh, s.changesSince(visits[s.Project.Root], ix.Snap.At)...)
		}
	}
	slices.SortStableFunc(fresh, func(a, b Moment) int { return a.Time.Compare(b.Time) })
	for i := range fresh {
		ix.seq++
		fresh[i].Seq = ix.seq
	}
	ix.Log = append(ix.Log, fresh...)
	ix.Log = ix.Log[max(0, len(ix.Log)-logLimit):]
	ix.gatherMoments()
}

// changesSince returns the changes of a build since a visit. Each has the time of its node if that is known.
func (s *Site) changesSince(v Visit, now time.Time) (all []Moment) {
	stood, known := v.Stood[s.Build.ID]
	if !known {
		return nil
	}
	for _, n := range model.Walk(s.Build.Nodes) {
		was, known := model.ParseStatus(stood[n.ID])
		if known && was == n.Status || !hasChanges(n) {
			continue
		}
		m := Moment{Time: now, Where: Place{Node: n.ID}, Kind: n.Kind, What: n.Name(), From: was, To: n.Status, Text: was.Word() + " → " + n.Status.Word()}
		if !known {
			m.From, m.Text = model.Unknown, appearedAs(n.Word())
		}
		for _, at := range [...]time.Time{n.Updated, n.Since} {
			if at.After(v.At) && at.Before(now) {
				m.Time = at
			}
		}
		all = append(all, m)
	}
	all = dropImplied(&Site{}, s, all)
	for i := range all {
		all[i] = s.logged(all[i])
	}
	return all
}

// Seen records which changes the user has looked at, and marks the others.
type Seen struct {
	visitedAll uint64           // everything up to this event
	visited    map[Place]uint64 // and these places up to later events
	Marks      map[Place]bool   // changed rows; false for rows that only contain such a row
	Count      int              // the number of rows that changed themselves
}

// Update makes the marks for an index. The log is bounded, and so is the time this takes.
func (s *Seen) Update(ix *Index) {
	s.Marks, s.Count = nil, 0
	if len(ix.Log) > 0 { // events that were dropped from the log mark nothing
		oldest := ix.Log[0].Seq
		maps.DeleteFunc(s.visited, func(_ Place, seq uint64) bool { return seq < oldest })
	}
	for i := len(ix.Log) - 1; i >= 0 && ix.Log[i].Seq > s.visitedAll; i-- {
		e := ix.Log[i]
		if e.Seq <= s.visited[e.Where] || s.Marks[e.Where] {
			continue
		}
		home := ix.Site(e.Where)
		if home == nil {
			continue
		}
		if _, known := home.Nodes[e.Where.Node]; !known && e.Where.Node != "" {
			continue // gone: there is no row to mark
		}
		if s.Marks == nil {
			s.Marks = make(map[Place]bool)
		}
		s.Marks[e.Where] = true
		s.Count++
		for id := e.Where.Node; id != ""; {
			id = home.Nodes[id].Above
			if above := home.Place(id); !s.Marks[above] {
				s.Marks[above] = false
			}
		}
	}
}

// Visit records that the user looked at a place, and reports whether there was something new.
func (s *Seen) Visit(ix *Index, at Place) bool {
	if !s.Marks[at] {
		return false
	}
	if s.visited == nil {
		s.visited = make(map[Place]uint64)
	}
	s.visited[at.Clone()] = ix.seq
	return true
}

// VisitAll records that the user has seen everything so far.
func (s *Seen) VisitAll(ix *Index) { s.visitedAll, s.visited = ix.seq, nil }

// isUnseen reports whether the user has not looked at an event.
func (s *Seen) isUnseen(e *Moment) bool {
	return e.Seq > s.visitedAll && e.Seq > s.visited[e.Where]
}
