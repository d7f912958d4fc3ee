package agents

// A build at which an agent works is not stale, however long it writes nothing.

import (
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
)

// atWork reports whether an agent works in a project, or waits there for an answer: its session says so, and it is there still. One whose
// process can't be seen from here counts as long as it was heard of lately.
func (h *Heard) atWork(root string, now time.Time) bool {
	there := func(s *ask.Session) bool { return s.Runs || now.Sub(s.Heard).Abs() < model.QuietAfter }
	for i := range h.Sessions {
		s := &h.Sessions[i]
		if s.Project == root && s.Activity != ask.Idle && there(s) {
			return true
		}
	}
	return slices.ContainsFunc(h.Asks, func(i ask.Item) bool { return i.State == ask.Waiting && !i.Kept && i.Project == root })
}

// stale reports whether something of a build is taken for stale.
func stale(b *model.Build) bool {
	if !b.StaleSince.IsZero() {
		return true
	}
	for _, n := range model.Walk(b.Nodes) {
		if n.IsStale() {
			return true
		}
	}
	return false
}

// alive returns a build that somebody works at: it is not stale, nor is what it names as worked on, and what that is part of.
func alive(b *model.Build) *model.Build {
	copied := *b
	copied.StaleSince = time.Time{}
	copied.Nodes = slices.Clone(b.Nodes)
	for i, n := range copied.Nodes {
		copied.Nodes[i], _ = aliveNode(n, b.Now)
	}
	return &copied
}

// aliveNode returns a node without what makes it stale, where it is the one that is worked on or above it.
func aliveNode(n *model.Node, worked string) (*model.Node, bool) {
	found := worked == "" || n.ID == worked
	var below []*model.Node
	for i, child := range n.Children {
		if one, is := aliveNode(child, worked); is {
			if below == nil {
				below = slices.Clone(n.Children)
			}
			below[i], found = one, true
		}
	}
	if !found {
		return n, false
	}
	copied := *n
	if n.IsStale() {
		copied.Standing = model.Standing{}
	}
	if below != nil {
		copied.Children = below
	}
	return &copied, true
}
