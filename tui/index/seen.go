package index

// The changes that the user has looked at.

import "maps"

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
