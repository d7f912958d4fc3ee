package index

// The counts in the header, and the order of the next key.

import "gatehouse/model"

// sums are the counts over some sites that the header shows.
type sums struct {
	Waits                          int // waits that can be answered now, even if several are about one row
	Blocked, Problems, Divergences int
	Blocking                       int // blockers other than concerns
	Blockers                       int // those of them that are about no row which is counted itself
	Running                        int // active rows that move
	Failed                         int // and not retried since
	Old                            int // waits untouched for long, not among Waits
	OutOfReach                     int // waits on unreachable hosts, not among Waits
	Turns                          int // finished turns of agents, not among Waits
	WithAgent                      int // gates with a request for changes, not among Waits
	Inbox                          int // open items
}

func (s *sums) add(more sums) {
	s.Waits += more.Waits
	s.Blocked += more.Blocked
	s.Blockers += more.Blockers
	s.Blocking += more.Blocking
	s.Problems += more.Problems
	s.Divergences += more.Divergences
	s.Old += more.Old
	s.OutOfReach += more.OutOfReach
	s.Running += more.Running
	s.Failed += more.Failed
	s.WithAgent += more.WithAgent
	s.Inbox += more.Inbox
	s.Turns += more.Turns
}

func (px *project) countSite(s *Site, b *model.Build) {
	for _, w := range b.Waits {
		switch {
		case w.IsUpcoming():
		case w.IsWithAgent():
			px.sums.WithAgent++
		case w.IsOld():
			px.sums.Old++
		case s.Project.OutOfReach():
			px.sums.OutOfReach++
		case w.IsTurn():
			px.sums.Turns++
		case w.IsCurrent():
			px.sums.Waits++
		}
	}
	count := func(stands Standing, n *int, at *[]Place) {
		for _, node := range s.lowest(b.Nodes, stands) {
			*n++
			*at = append(*at, s.Place(node.ID))
		}
	}
	count(StandsBlocked, &px.sums.Blocked, &px.blocked)
	count(StandsRunning, &px.sums.Running, &px.running)
	count(StandsFailed, &px.sums.Failed, &px.failed)
	for _, x := range s.Blockers() {
		if x.Concern {
			continue
		}
		px.sums.Blocking++
		if !s.isShownElsewhere(x, func(n *model.Node) bool { return s.Stands(n, StandsBlocked) }) {
			px.sums.Blockers++
		}
	}
	px.sums.Problems += len(b.Problems)
	px.sums.Divergences += len(b.Divergences)
}

// gatherStops lists the places of the next key, each once.
func (ix *Index) gatherStops(projects []*project) {
	seen := make(map[Place]bool)
	add := func(at Place) {
		if !seen[at] {
			seen[at] = true
			ix.Stops = append(ix.Stops, at)
		}
	}
	for _, w := range ix.Waits {
		add(w.At())
	}
	for _, p := range projects {
		for _, at := range p.failed {
			add(at)
		}
	}
	for _, p := range projects {
		for _, at := range p.blocked {
			add(at)
		}
	}
}

// findStart finds the first selection: a wait, else a finished turn, else running work.
func (ix *Index) findStart(projects []*project) {
	for _, w := range ix.Waits {
		if w.IsCurrent() && ix.Sums.Waits > 0 || w.IsTurn() && ix.Sums.Turns > 0 {
			ix.Start = w.At()
			return
		}
	}
	for _, p := range projects {
		if len(p.running) > 0 {
			ix.Start = p.running[0]
			return
		}
	}
}
