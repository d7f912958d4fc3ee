package index

// Gates: those that can be decided, counted for every part of a build, and those whose last decision can be undone.

import (
	"slices"
	"strings"

	"gatehouse/model"
)

// undoableGates returns the gates whose last decision holds, and has not been passed on to an agent. Whether it can be undone, only
// the file shows.
func undoableGates(p *model.Project, b *model.Build) map[string]bool {
	last := make(map[string]bool)
	newer := make(map[string]bool)  // whether anything was decided about it later
	for _, e := range p.Decisions { // the newest first
		if e.Build != b.ID || e.Node == "" || e.Interrupted {
			continue
		}
		if _, known := last[e.Node]; !known && !e.Undone && e.Verb != model.VerbUndo {
			last[e.Node] = !e.Reported && stillStands(b, &e, newer[e.Node])
		}
		newer[e.Node] = true
	}
	return last
}

// stillStands reports whether the last decision about a gate still holds: the gate has that status, and no phase after it has begun. A
// request for changes holds until the next decision.
func stillStands(b *model.Build, d *model.Decision, newer bool) bool {
	n, _ := b.Find(d.Node)
	switch {
	case n == nil || n.Gate == nil || d.Overwritten:
		return false
	case d.Was == d.Is:
		return !newer
	case !strings.EqualFold(n.Raw, d.Is):
		return false
	}
	return !slices.ContainsFunc(n.Gate.Opens, func(id string) bool {
		next, _ := b.Find(id)
		return next != nil && next.Kind == model.KindPhase && next.Status != model.Pending && next.Status != model.Unknown
	})
}

// Gates counts the gates that can be decided in a part of a build or right after it. Only is set if there is exactly one.
type Gates struct {
	Count int
	Only  *model.Node
}

func (g *Gates) add(other Gates) {
	g.Count += other.Count
	if other.Count > 0 {
		g.Only = other.Only
	}
}

// wantsDecision reports whether a node is a gate that the work has reached and that can be decided.
func wantsDecision(n *model.Node) bool {
	return n.Gate != nil && !n.IsArchived() && !n.IsUpcoming() && (n.Status == model.Waiting || n.Status == model.Failed) && len(n.Gate.Can) > 0
}

// gatesIn counts the gates of a node and all below it.
func (s *Site) gatesIn(n *model.Node) Gates {
	if wantsDecision(n) {
		return Gates{1, n}
	}
	return s.Nodes[n.ID].Gates
}

// addGates counts the gates of the build, and counts those right after a node for that node, too.
func (s *Site) addGates() {
	for _, n := range s.Build.Nodes {
		s.Gates.add(s.gatesIn(n))
	}
	var behind func(nodes []*model.Node)
	behind = func(nodes []*model.Node) {
		before := ""
		for _, n := range nodes {
			behind(n.Children)
			if n.Kind != model.KindGate {
				before = n.ID
			} else if e, ok := s.Nodes[before]; ok {
				e.Gates.add(s.gatesIn(n))
				s.Nodes[before] = e
			}
		}
	}
	behind(s.Build.Nodes)
}
