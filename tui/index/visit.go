package index

// The state between two runs: the statuses that the user has seen, and the changes since then at the next start.

import (
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
	ix.Log = limitLog(append(ix.Log, fresh...))
	ix.gatherMoments()
}

// changesSince returns the changes of a build since a visit. Each has the time of its node if that is known.
func (s *Site) changesSince(v Visit, now time.Time) (all []Moment) {
	stood, known := v.Stood[s.Build.ID]
	if !known {
		return nil
	}
	before := &Site{Build: &model.Build{}, Nodes: make(map[string]entry, len(stood))}
	before.Build.Nodes = s.nodesBefore(s.Build.Nodes, "", stood, before)
	for _, m := range changesBetween(before, s, now) {
		if n := s.Nodes[m.Where.Node].Node; n != nil {
			for _, at := range [...]time.Time{n.Since, n.Updated} {
				if at.After(v.At) && at.Before(now) {
					m.Time = at
					break
				}
			}
		}
		all = append(all, s.logged(m))
	}
	return all
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
