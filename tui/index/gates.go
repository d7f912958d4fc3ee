package index

// Gates whose last decision can be undone.

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
