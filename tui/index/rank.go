package index

// The order of projects, and the groups that they stand in.

import (
	"cmp"
	"slices"

	"gatehouse/model"
)

// rank is how much of a project's matters wants somebody; a lower one comes first.
type rank int

const (
	rankWaits   rank = iota // for a human, and not for weeks
	rankTurn                // an agent has finished its turn
	rankBlocked             // or failed
	rankRuns                // something of it moves
	rankAway                // its host is not there, and nobody knows
	rankOpen
	rankClosed
	rankEmpty // there is no build
)

// groups are the headings over projects of each rank; those of the last ranks stand together.
var groups = [...]string{rankWaits: "Waits for you", rankTurn: "Your turn", rankBlocked: "Failed or blocked",
	rankRuns: "Running", rankAway: "Out of reach", rankOpen: restGroup, rankClosed: restGroup, rankEmpty: restGroup}

const restGroup = "The rest"

// groupedFrom is how many projects there are at least where they stand in groups: fewer are seen at a glance.
const groupedFrom = 4

// group names what each project begins: the heading over it, "" where it stands in the group of the one before.
func (ix *Index) group(all []*project) {
	if len(all) < groupedFrom || groups[all[0].rank] == groups[all[len(all)-1].rank] {
		return
	}
	ix.headings = make(map[*Site]string)
	before := ""
	for _, px := range all {
		if g := groups[px.rank]; g != before {
			ix.headings[px.sites[0]], before = g, g
		}
	}
}

// Heading returns the name of the group that begins with a site, "" where none does.
func (ix *Index) Heading(s *Site) string { return ix.headings[s] }

// rankOf returns how much a project wants somebody.
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
		case len(b.Blocking()) > 0 || b.Status == model.Blocked || b.Status == model.Failed:
			best = min(best, rankBlocked)
		case !b.Status.Closed():
			best = min(best, rankOpen)
		default:
			best = min(best, rankClosed)
		}
	}
	if px.sums.Running > 0 {
		best = min(best, rankRuns)
	}
	return best
}

// urgentFirst orders projects by what they want: a human, then whatever lifts a block, then nothing for they run; what is done or
// holds no build comes last. Those that want the same stay in the order that they had before, so that nothing moves without need; at
// first what has begun to wait last comes first, and equals as they were named.
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
			return len(was) // behind those that were there
		}
		if d := cmp.Or(int(a.rank-b.rank), place(a)-place(b)); d != 0 {
			return d
		}
		return newestFirst(a.first, b.first)
	})
}

// firstWait returns the most urgent thing that waits in a project; the zero value where nothing does.
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

// newestFirst is the order of what waits over all projects: by standing, then the nearest deadline, then the newest; better evidence
// comes before worse if both are of the same age.
func newestFirst(a, b model.Wait) int {
	return cmp.Or(int(a.Standing.Status)-int(b.Standing.Status), model.CompareAges(a.Deadline, b.Deadline), b.Since.Compare(a.Since),
		int(a.Evidence)-int(b.Evidence))
}

// waitClass is the first thing that what waits is ordered by, where some of it is out of reach.
func waitClass(w Waiting) int {
	if w.OutOfReach() {
		return 1
	}
	return 2 * int(w.Standing.Status)
}
