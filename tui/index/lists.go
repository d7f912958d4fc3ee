package index

// Lists over all projects: blockers, decisions, inbox items.

import (
	"slices"

	"gatehouse/model"
)

// Blocker is a blocker with its site.
type Blocker struct {
	model.Blocker
	Site *Site
}

// Blockers returns the blockers of all projects: real ones before concerns, the oldest first.
func (ix *Index) Blockers() []Blocker {
	var all []Blocker
	for _, s := range ix.Sites {
		if s.Build != nil {
			for _, b := range s.Blockers() {
				all = append(all, Blocker{b, s})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Blocker) int {
		if a.Concern != b.Concern {
			if a.Concern {
				return 1
			}
			return -1
		}
		return model.CompareAges(a.Since, b.Since)
	})
	return all
}

// Blockers returns the blockers of a site. Notes about a row that failed, waits or is retried are concerns: the row says the same.
func (s *Site) Blockers() []model.Blocker {
	all := slices.Clone(s.Build.Blockers)
	for i := range all {
		all[i].Concern = all[i].Concern || s.isShownElsewhere(all[i], func(n *model.Node) bool {
			return s.Stands(n, StandsFailed) || s.Stands(n, StandsWaiting) || n.Status == model.Retrying
		})
	}
	return all
}

// isShownElsewhere reports whether a blocker is about a row of some kind, or about one above it.
func (s *Site) isShownElsewhere(b model.Blocker, shows func(*model.Node) bool) bool {
	e, known := s.Nodes[b.Node]
	if !known {
		return false
	}
	for _, n := range model.Walk([]*model.Node{e.Node}) {
		if shows(n) {
			return true
		}
	}
	return false
}

// Hindered reports whether there are blockers or concerns.
func (ix *Index) Hindered() bool {
	return slices.ContainsFunc(ix.Sites, func(s *Site) bool { return s.Build != nil && len(s.Build.Blockers) > 0 })
}

// Decided reports whether there are decisions.
func (ix *Index) Decided() bool {
	return slices.ContainsFunc(ix.Snap.Projects, func(p *model.Project) bool { return len(p.Decisions) > 0 })
}

// Decision is an entry of the journal with its site.
type Decision struct {
	*model.Decision
	Site        *Site // nil if its build is gone
	ProjectName string
}

// Decisions returns the journals of all projects as one, the newest first.
func (ix *Index) Decisions() []Decision {
	var all []Decision
	for _, p := range ix.Snap.Projects {
		for i := range p.Decisions {
			e := &p.Decisions[i]
			x := Decision{Decision: e, Site: ix.Site(Place{Project: p.Root, Build: e.Build})}
			if len(ix.Snap.Projects) > 1 {
				x.ProjectName = p.Called()
			}
			all = append(all, x)
		}
	}
	slices.SortStableFunc(all, func(a, b Decision) int { return b.At.Compare(a.At) })
	return all
}

// inboxGroup is the ID of the row below which a build has the items of its inbox.
const inboxGroup = "group/inbox"

// InboxItem is an item with its site.
type InboxItem struct {
	Site *Site
	Node *model.Node
	Kind string // "reference"; "" if unknown
}

// gatherItems adds the items of a build's inbox, and counts the open ones.
func (px *project) gatherItems(s *Site) {
	group := s.Nodes[inboxGroup].Node
	if group == nil {
		return
	}
	for _, n := range group.Children {
		x := InboxItem{Site: s, Node: n}
		for _, f := range n.Facts {
			if f.Label == "type" {
				x.Kind = f.Value
			}
		}
		px.items = append(px.items, x)
		if !n.Status.Closed() {
			px.sums.Inbox++
		}
	}
}
