package tui

// A snapshot made ready to be walked: who is above whom, what is worth seeing, what waits, what changed since the one
// before. Made once for each snapshot, in the command that brought it.

import (
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/tui/draw"
)

// place names one row for good: it means the same after a reload. Without a node it is a whole build, without a build a
// project that has none.
type place struct{ project, build, node string }

// clone returns the place with copies of its names, for whatever outlives the snapshot: a name may be cut out of a file, and
// would keep all of it in memory.
func (at place) clone() place {
	return place{strings.Clone(at.project), strings.Clone(at.build), strings.Clone(at.node)}
}

// site is one build of a project, or a project in which there is none.
type site struct {
	project *model.Project
	build   *model.Build // nil where the project has none
	name    string       // how its row is called
	first   bool         // the first of its project
	nodes   map[string]entry
	gates   gates // of the whole build
	// undoable are the gates about which the last decision can be taken back, as far as the journal tells.
	undoable map[string]bool
	graph    *graphPlan      // nil where nothing depends on anything
	told     []moment        // what its agents have told, the oldest first
	families map[string]bool // of what they have told
}

// entry is a node with what can't be seen from it.
type entry struct {
	node  *model.Node
	above string // ID of its parent, "" at the top
	busy  bool   // something below it goes on, waits or went wrong, or is what it still has to do
	gates gates  // below it, and right behind it
}

// waiting is one thing that waits for somebody, and where.
type waiting struct {
	model.Wait
	site *site
}

func (w waiting) place() place { return w.site.place(w.Node) }

// projectIndex is one project made ready. It is kept from one index to the next for as long as the project is not read again,
// so that what a snapshot costs beyond a glance at each project is what has changed in it.
type projectIndex struct {
	project *model.Project
	sites   []*site
	waits   []waiting
	items   []inboxItem
	sums    sums
	rank    rank
	first   model.Wait // the most urgent thing that waits for certain; the zero value where nothing does
}

// index is a snapshot with its sites. Nothing in it changes once it is made.
type index struct {
	snap     *model.Snapshot
	projects map[string]*projectIndex // by root
	sites    []*site
	waits    []waiting // of all projects, as [model.CompareWaits] orders them
	began    []waiting // those that did not wait in the snapshot before
	sums     sums
	log      []event // what changed so far, the newest last
	seq      uint64  // number of the newest event
	// moments are the log and what the agents have told, as one timeline; topics what they are about.
	moments []moment
	topics  []string
	items   []inboxItem // of the inboxes of all builds, the newest first
}

// sums are the counts over some sites that the header shows.
type sums struct {
	waits, mayWait, blocked, problems, divergences, held int
	inbox                                                int // items that nobody has dealt with
}

func (s *sums) add(more sums) {
	s.waits += more.waits
	s.mayWait += more.mayWait
	s.blocked += more.blocked
	s.problems += more.problems
	s.divergences += more.divergences
	s.held += more.held
	s.inbox += more.inbox
}

// newIndex indexes a snapshot that follows on another; nil means that nothing has been read yet.
func newIndex(snap *model.Snapshot, before *index) *index {
	ix := &index{snap: snap, projects: map[string]*projectIndex{}}
	if snap == nil {
		ix.snap = &model.Snapshot{}
	}
	all := make([]*projectIndex, len(ix.snap.Projects))
	for i, p := range ix.snap.Projects {
		if before != nil {
			all[i] = before.projects[p.Root]
		}
		if all[i] == nil || all[i].project != p {
			all[i] = newProjectIndex(p)
		}
		ix.projects[p.Root] = all[i]
	}
	urgentFirst(all)
	for _, p := range all {
		ix.sites = append(ix.sites, p.sites...)
		ix.waits = append(ix.waits, p.waits...)
		ix.items = append(ix.items, p.items...)
		ix.sums.add(p.sums)
	}
	slices.SortStableFunc(ix.waits, func(a, b waiting) int { return model.CompareWaits(a.Wait, b.Wait) })
	slices.SortStableFunc(ix.items, func(a, b inboxItem) int { return b.node.Updated.Compare(a.node.Updated) })
	if before != nil && before.snap.Version > 0 {
		ix.began = begun(before.waits, ix.waits)
		ix.log, ix.seq = logged(before, ix)
	} else {
		ix.log = seeded(ix)
	}
	ix.gatherMoments()
	return ix
}

// newProjectIndex makes one project ready.
func newProjectIndex(p *model.Project) *projectIndex {
	px := &projectIndex{project: p, rank: rankOfProject(p), first: firstWait(p)}
	px.sums.problems = len(p.Problems)
	if len(p.Builds) == 0 {
		px.sites = []*site{{project: p, name: p.Name, first: true}}
	}
	for i, b := range p.Builds {
		s := &site{project: p, build: b, name: siteName(p, b), first: i == 0, nodes: make(map[string]entry), undoable: undoable(p, b)}
		s.addAll(b.Nodes, "")
		s.addGates()
		s.graph = newGraphPlan(b)
		s.gatherTold()
		px.sites = append(px.sites, s)
		px.count(b)
		for _, w := range b.Waits {
			px.waits = append(px.waits, waiting{w, s})
		}
		px.gatherItems(s)
	}
	return px
}

// rank is how much of a project's matters wants somebody; a lower one comes first.
type rank int

const (
	rankWaits rank = iota // for a human
	rankBlocked
	rankOpen
	rankClosed
	rankEmpty // there is no build
)

func rankOfProject(p *model.Project) rank {
	best := rankEmpty
	for _, b := range p.Builds {
		switch {
		case len(b.Certain()) > 0:
			best = min(best, rankWaits)
		case len(b.Blocking()) > 0 || b.Status == model.Blocked || b.Status == model.Failed:
			best = min(best, rankBlocked)
		case !b.Status.Closed():
			best = min(best, rankOpen)
		default:
			best = min(best, rankClosed)
		}
	}
	return best
}

// urgentFirst orders projects by what they want: a human, then whatever lifts a block, then nothing; what is done or
// holds no build comes last. Equals stay in the order in which they were named.
func urgentFirst(projects []*projectIndex) {
	slices.SortStableFunc(projects, func(a, b *projectIndex) int {
		if r := a.rank - b.rank; r != 0 {
			return int(r)
		}
		return model.CompareWaits(a.first, b.first)
	})
}

// firstWait returns the most urgent thing that waits in a project; the zero value where nothing does.
func firstWait(p *model.Project) (first model.Wait) {
	for _, b := range p.Builds {
		for _, w := range b.Certain() {
			if first.Evidence == 0 || model.CompareWaits(w, first) < 0 {
				first = w
			}
		}
	}
	return first
}

func (px *projectIndex) count(b *model.Build) {
	for _, w := range b.Waits {
		if w.Potential {
			px.sums.mayWait++
		} else {
			px.sums.waits++
		}
	}
	px.sums.blocked += max(len(b.Blocking()), blockedNodes(b.Nodes))
	px.sums.problems += len(b.Problems)
	px.sums.divergences += len(b.Divergences)
	px.sums.held += b.Freshness.Held
}

// blockedNodes counts the nodes that are blocked themselves, not through one below them. A task is blocked with its plan
// and not counted beside it.
func blockedNodes(nodes []*model.Node) int {
	n := 0
	for _, node := range nodes {
		if node.Archived {
			continue
		}
		below := blockedNodes(node.Children)
		if below == 0 && node.Status == model.Blocked && node.Kind != model.KindTask {
			below = 1
		}
		n += below
	}
	return n
}

// siteName calls a build by its project, and by its ID where the project has several.
func siteName(p *model.Project, b *model.Build) string {
	if len(p.Builds) > 1 {
		return draw.Join(" · ", p.Name, b.ID)
	}
	return p.Name
}

// addAll enters nodes and all below them, and reports whether one of them is lively, and whether one is not closed.
func (s *site) addAll(nodes []*model.Node, above string) (anyLively, anyOpen bool) {
	for _, n := range nodes {
		livelyBelow, openBelow := s.addAll(n.Children, n.ID)
		e := entry{node: n, above: above, busy: livelyBelow || openBelow && n.Status == model.Active}
		for _, below := range n.Children {
			e.gates.add(s.gatesIn(below))
		}
		s.nodes[n.ID] = e
		anyLively = anyLively || livelyBelow || lively(n)
		anyOpen = anyOpen || !n.Status.Closed()
	}
	return anyLively, anyOpen
}

// addGates counts the gates of the build, and gives those that stand right behind a node to it, too.
func (s *site) addGates() {
	for _, n := range s.build.Nodes {
		s.gates.add(s.gatesIn(n))
	}
	var behind func(nodes []*model.Node)
	behind = func(nodes []*model.Node) {
		before := ""
		for _, n := range nodes {
			behind(n.Children)
			if n.Kind != model.KindGate {
				before = n.ID
			} else if e, ok := s.nodes[before]; ok {
				e.gates.add(s.gatesIn(n))
				s.nodes[before] = e
			}
		}
	}
	behind(s.build.Nodes)
}

// lively reports whether a node is one that people look for: it goes on, waits, or went wrong.
func lively(n *model.Node) bool {
	if n.Archived || mayWait(n) {
		return false
	}
	switch n.Status {
	case model.Active, model.Waiting, model.Blocked, model.Failed, model.Retrying:
		return true
	}
	return false
}

// mayWait reports whether a node is a stop that the build has not come to yet.
func mayWait(n *model.Node) bool { return n.Gate != nil && n.Gate.Potential && !n.Status.Closed() }

// place returns the place of a node of the site, or of the site itself for "".
func (s *site) place(node string) place {
	p := place{project: s.project.Root, node: node}
	if s.build != nil {
		p.build = s.build.ID
	}
	return p
}

// nameOf returns the name of a node for people, "" where there is none.
func (s *site) nameOf(node string) string {
	if e, ok := s.nodes[node]; ok {
		return e.node.Name()
	}
	return ""
}

// site returns the site that a place is in, nil where that is gone.
func (ix *index) site(at place) *site {
	p := ix.projects[at.project]
	if p == nil {
		return nil
	}
	for _, s := range p.sites {
		if s.build == nil && at.build == "" || s.build != nil && s.build.ID == at.build {
			return s
		}
	}
	return nil
}

// has reports whether there is something at a place.
func (ix *index) has(at place) bool {
	s := ix.site(at)
	return s != nil && (at.node == "" || s.nodes[at.node].node != nil)
}

// empty reports whether there is no build to show.
func (ix *index) empty() bool {
	for _, s := range ix.sites {
		if s.build != nil {
			return false
		}
	}
	return true
}
