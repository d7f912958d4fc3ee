package index

// The order of projects.

import (
	"cmp"
	"slices"

	"gatehouse/model"
)

// rank orders projects by urgency; the lowest comes first.
type rank int

const (
	rankWaits   rank = iota // for a human, and not for weeks
	rankTurn                // an agent has finished its turn
	rankBlocked             // or failed
	rankRuns                // something runs
	rankAway                // its host is out of reach
	rankOpen
	rankClosed
	rankEmpty // there is no build
)

// rankOf returns the rank of a project.
func (px *project) rankOf() rank {
	if px.project.OutOfReach() {
		return rankAway
	}
	best := rankEmpty
	for _, b := range px.project.Builds {
		switch {
		case slices.ContainsFunc(b.Certain(), func(w model.Wait) bool { return !w.IsOld() }):
			best = min(best, rankWaits)
		case len(b.FinishedTurns()) > 0:
			best = min(best, rankTurn)
		case b.Status == model.Blocked || b.Status == model.Failed:
			best = min(best, rankBlocked)
		case !b.Status.Closed():
			best = min(best, rankOpen)
		default:
			best = min(best, rankClosed)
		}
	}
	if px.sums.Blocking > 0 {
		best = min(best, rankBlocked)
	}
	if px.sums.Running > 0 {
		best = min(best, rankRuns)
	}
	return best
}

// urgentFirst orders projects by rank. Projects of the same rank keep their order, so that nothing moves needlessly. In the first
// snapshot the newest wait comes first, then the order of the projects decides.
func urgentFirst(projects []*project, before *Index) {
	was := make(map[string]int)
	if before != nil {
		for _, s := range before.Sites {
			if _, known := was[s.Project.Root]; !known {
				was[s.Project.Root] = len(was)
			}
		}
	}
	slices.SortStableFunc(projects, func(a, b *project) int {
		place := func(p *project) int {
			if i, known := was[p.project.Root]; known {
				return i
			}
			return len(was) // after the projects that were there
		}
		if d := cmp.Or(int(a.rank-b.rank), place(a)-place(b)); d != 0 {
			return d
		}
		return newestFirst(a.first, b.first)
	})
}

// closedLast orders the builds of a project: finished ones come last.
func closedLast(a, b *Site) int {
	isClosed := func(s *Site) int {
		if s.Build != nil && s.Build.Status.Closed() {
			return 1
		}
		return 0
	}
	return isClosed(a) - isClosed(b)
}

// firstWait returns the most urgent certain wait of a project, or the zero value.
func firstWait(p *model.Project) (first model.Wait) {
	for _, b := range p.Builds {
		for _, w := range b.Certain() {
			if first.Evidence == 0 || newestFirst(w, first) < 0 {
				first = w
			}
		}
	}
	return first
}

// newestFirst orders waits: by standing, then the nearest deadline, then the newest, then the better evidence.
func newestFirst(a, b model.Wait) int {
	return cmp.Or(int(a.Standing.Status)-int(b.Standing.Status), model.CompareAges(a.Deadline, b.Deadline), b.Since.Compare(a.Since),
		int(a.Evidence)-int(b.Evidence))
}

// waitClass orders waits if some are out of reach.
func waitClass(w Waiting) int {
	if w.OutOfReach() {
		return 1
	}
	return 2 * int(w.Standing.Status)
}
