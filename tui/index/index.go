// Package index makes a [model.Snapshot] ready to be walked: builds as sites with their nodes by ID, what waits over all
// projects, counts, a log of what changed, one timeline of changes and of what agents have logged; and filters over them.
//
// It is pure: [New] takes a snapshot and the index before it, in the command that waited for the snapshot, and nothing in an
// [Index] changes afterwards. A project that was not read again is taken over as it is. What the user has looked at, [Seen],
// is the one thing here that changes, and belongs to the dashboard.
package index

// A snapshot made ready to be walked: who is above whom, what is worth seeing, what waits, what changed since the one
// before. Made once for each snapshot, in the command that brought it.

import (
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/graph"
)

// Place names one row for good: it means the same after a reload. Without a node it is a whole build, without a build a
// project that has none.
type Place struct{ Project, Build, Node string }

// Clone returns the place with copies of its names, for whatever outlives the snapshot: a name may be cut out of a file, and
// would keep all of it in memory.
func (at Place) Clone() Place {
	return Place{strings.Clone(at.Project), strings.Clone(at.Build), strings.Clone(at.Node)}
}

// Site is one build of a project, or a project in which there is none.
type Site struct {
	Project *model.Project
	Build   *model.Build // nil where the project has none
	Name    string       // how its row is called
	first   bool         // the first of its project
	Nodes   map[string]entry
	Gates   Gates           // of the whole build
	waits   map[string]bool // the nodes that wait for somebody, and those above them
	past    map[string]bool // the nodes that call themselves waiting and are over
	// Undoable are the gates about which the last decision can be taken back, as far as the journal tells.
	Undoable   map[string]bool
	Graph      *graph.Plan     // nil where nothing depends on anything
	activities []Moment        // what its agents have told, the oldest first
	families   map[string]bool // of what they have told
}

// entry is a node with what can't be seen from it.
type entry struct {
	Node  *model.Node
	Above string // ID of its parent, "" at the top
	Busy  bool   // something below it goes on, waits or went wrong, or is what it still has to do
	Gates Gates  // below it, and right behind it
}

// Waiting is one thing that waits for somebody, and where.
type Waiting struct {
	model.Wait
	Site *Site
}

func (w Waiting) At() Place { return w.Site.Place(w.Node) }

// project is one project made ready. It is kept from one index to the next for as long as the project is not read again,
// so that what a snapshot costs beyond a glance at each project is what has changed in it.
type project struct {
	project *model.Project
	sites   []*Site
	waits   []Waiting
	failed  []Place
	blocked []Place
	items   []InboxItem
	sums    sums
	rank    rank
	first   model.Wait // the most urgent thing that waits for certain; the zero value where nothing does
}

// Index is a snapshot with its sites. Nothing in it changes once it is made.
type Index struct {
	Snap     *model.Snapshot
	projects map[string]*project // by root
	Sites    []*Site
	Waits    []Waiting // of all projects, as [model.CompareWaits] orders them
	Stops    []Place   // where one goes from one to the next: what waits, then what failed, then what is blocked
	Began    []Waiting // those that did not wait in the snapshot before
	Losses   []Loss    // decisions that were not overwritten yet in the snapshot before
	Sums     sums
	Log      []event // what changed so far, the newest last
	seq      uint64  // number of the newest event
	// Moments are the log and what the agents have told, as one timeline; topics what they are about.
	Moments []Moment
	Topics  []string
	Items   []InboxItem // of the inboxes of all builds, the newest first
}

// sums are the counts over some sites that the header shows.
type sums struct {
	Waits, MayWait, Blocked, Problems, Divergences, Held int
	Running, Stale                                       int // what is under way, and moves or not
	Old                                                  int // waits that nobody has touched for long, not among Waits
	WithAgent                                            int // gates with a request for changes, not among Waits
	Inbox                                                int // items that nobody has dealt with
}

func (s *sums) add(more sums) {
	s.Waits += more.Waits
	s.MayWait += more.MayWait
	s.Blocked += more.Blocked
	s.Problems += more.Problems
	s.Divergences += more.Divergences
	s.Held += more.Held
	s.Old += more.Old
	s.Running += more.Running
	s.Stale += more.Stale
	s.WithAgent += more.WithAgent
	s.Inbox += more.Inbox
}

// New indexes a snapshot that follows on another; nil means that nothing has been read yet.
func New(snap *model.Snapshot, before *Index) *Index {
	ix := &Index{Snap: snap, projects: map[string]*project{}}
	if snap == nil {
		ix.Snap = &model.Snapshot{}
	}
	all := make([]*project, len(ix.Snap.Projects))
	for i, p := range ix.Snap.Projects {
		if before != nil {
			all[i] = before.projects[p.Root]
		}
		if all[i] == nil || all[i].project != p {
			all[i] = newProject(p)
		}
		ix.projects[p.Root] = all[i]
	}
	urgentFirst(all)
	for _, p := range all {
		ix.Sites = append(ix.Sites, p.sites...)
		ix.Waits = append(ix.Waits, p.waits...)
		ix.Items = append(ix.Items, p.items...)
		ix.Sums.add(p.sums)
	}
	slices.SortStableFunc(ix.Waits, func(a, b Waiting) int { return model.CompareWaits(a.Wait, b.Wait) })
	ix.stop(all)
	slices.SortStableFunc(ix.Items, func(a, b InboxItem) int { return b.Node.Updated.Compare(a.Node.Updated) })
	if before != nil && before.Snap.Version > 0 {
		ix.Began = begun(before.Waits, ix.Waits)
		ix.Losses = lost(before, ix)
		ix.Log, ix.seq = logged(before, ix)
	} else {
		ix.Log = seeded(ix)
	}
	ix.gatherMoments()
	return ix
}

// newProject makes one project ready.
func newProject(p *model.Project) *project {
	px := &project{project: p, rank: rankOfProject(p), first: firstWait(p)}
	px.sums.Problems = len(p.Problems)
	if len(p.Builds) == 0 {
		px.sites = []*Site{{Project: p, Name: p.Name, first: true}}
	}
	for i, b := range p.Builds {
		s := &Site{Project: p, Build: b, Name: siteName(p, b), first: i == 0, Nodes: make(map[string]entry), Undoable: undoable(p, b)}
		s.addAll(b.Nodes, "")
		s.addGates()
		s.markWaits()
		s.Graph = graph.NewPlan(b)
		s.gatherActivities()
		px.sites = append(px.sites, s)
		px.count(s, b)
		px.sums.Running += s.lowest(b.Nodes, StandsRunning, nil)
		px.sums.Stale += s.lowest(b.Nodes, StandsStale, nil)
		s.lowest(b.Nodes, StandsFailed, func(n *model.Node) { px.failed = append(px.failed, s.Place(n.ID)) })
		for _, w := range b.Waits {
			px.waits = append(px.waits, Waiting{w, s})
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
func urgentFirst(projects []*project) {
	slices.SortStableFunc(projects, func(a, b *project) int {
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

func (px *project) count(s *Site, b *model.Build) {
	for _, w := range b.Waits {
		switch {
		case w.Potential:
			px.sums.MayWait++
		case w.WithAgent:
			px.sums.WithAgent++
		case w.Old:
			px.sums.Old++
		default:
			px.sums.Waits++
		}
	}
	px.sums.Blocked += max(len(b.Blocking()), px.blockedNodes(s, b.Nodes))
	px.sums.Problems += len(b.Problems)
	px.sums.Divergences += len(b.Divergences)
	px.sums.Held += b.Freshness.Held
}

// lowest counts the nodes that stand in some way themselves, not through one below them that does, and tells of each.
func (s *Site) lowest(nodes []*model.Node, stands Standing, found func(*model.Node)) int {
	n := 0
	for _, node := range nodes {
		below := s.lowest(node.Children, stands, found)
		if below == 0 && !node.Archived && !node.Past && node.Kind != model.KindGroup && s.Standing(node) == stands {
			below = 1
			if found != nil {
				found(node)
			}
		}
		n += below
	}
	return n
}

// stop gathers where one goes from one to the next, each place once.
func (ix *Index) stop(projects []*project) {
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

// blockedNodes notes and counts the nodes that are blocked themselves, not through one below them. A task is blocked with its plan
// and not counted beside it.
func (px *project) blockedNodes(s *Site, nodes []*model.Node) int {
	n := 0
	for _, node := range nodes {
		if node.Archived {
			continue
		}
		below := px.blockedNodes(s, node.Children)
		if below == 0 && node.Status == model.Blocked && node.Kind != model.KindTask {
			below = 1
			px.blocked = append(px.blocked, s.Place(node.ID))
		}
		n += below
	}
	return n
}

// siteName calls a build by its project, and by its ID where the project has several. Live agents, which come and go, name no
// other build anew.
func siteName(p *model.Project, b *model.Build) string {
	several := len(p.Builds)
	if b.ID != model.AgentsBuild && slices.ContainsFunc(p.Builds, func(b *model.Build) bool { return b.ID == model.AgentsBuild }) {
		several--
	}
	if several > 1 {
		return draw.Join(draw.PartJoint, p.Name, b.ID)
	}
	return p.Name
}

// addAll enters nodes and all below them, and reports whether one of them is lively, and whether one is not closed.
func (s *Site) addAll(nodes []*model.Node, above string) (anyLively, anyOpen bool) {
	for _, n := range nodes {
		livelyBelow, openBelow := s.addAll(n.Children, n.ID)
		e := entry{Node: n, Above: above, Busy: livelyBelow || openBelow && n.Status == model.Active}
		for _, below := range n.Children {
			e.Gates.add(s.gatesIn(below))
		}
		s.Nodes[n.ID] = e
		anyLively = anyLively || livelyBelow || lively(n)
		anyOpen = anyOpen || !n.Status.Closed()
	}
	return anyLively, anyOpen
}

// Standing is how a node stands: one that calls itself waiting waits where something of it does so for somebody.
func (s *Site) Standing(n *model.Node) Standing {
	switch {
	case n.WaitsNoMore(), s.past[n.ID]:
		return StandsPast
	case n.Status == model.Waiting && (s.waits[n.ID] || n.Kind == model.KindGate || n.Kind == model.KindTask):
		return StandsWaiting // the first of several tests is listed alone
	case n.Answered:
		return StandsExecuted
	case !n.StaleSince.IsZero():
		return StandsStale
	case n.Past && StandingOf(n.Status) == StandsRunning:
		return StandsElsewise
	case n.Status == model.Waiting:
		return StandsRunning
	}
	return StandingOf(n.Status)
}

// markWaits notes the nodes that wait for somebody, and those above them, and the nodes that did.
func (s *Site) markWaits() {
	s.waits, s.past = make(map[string]bool), make(map[string]bool)
	for _, w := range s.Build.Past {
		s.past[w.Node] = true
	}
	for _, w := range s.Build.Waits {
		if w.WithAgent {
			continue
		}
		for id := w.Node; id != ""; id = s.Nodes[id].Above {
			s.waits[id] = true
		}
	}
}

// lively reports whether a node is one that people look for: it goes on, waits, or went wrong.
func lively(n *model.Node) bool {
	if n.Archived || n.Past || MayWait(n) {
		return false
	}
	switch n.Status {
	case model.Active, model.Waiting, model.Blocked, model.Failed, model.Retrying, model.Executed:
		return true
	}
	return false
}

// MayWait reports whether a node is a stop that the build has not come to yet.
func MayWait(n *model.Node) bool { return n.Gate != nil && n.Gate.Potential && !n.Status.Closed() }

// Place returns the place of a node of the site, or of the site itself for "".
func (s *Site) Place(node string) Place {
	p := Place{Project: s.Project.Root, Node: node}
	if s.Build != nil {
		p.Build = s.Build.ID
	}
	return p
}

// NameOf returns the name of a node for people, "" where there is none.
func (s *Site) NameOf(node string) string {
	if e, ok := s.Nodes[node]; ok {
		return e.Node.Name()
	}
	return ""
}

// Site returns the site that a place is in, nil where that is gone.
func (ix *Index) Site(at Place) *Site {
	p := ix.projects[at.Project]
	if p == nil {
		return nil
	}
	for _, s := range p.sites {
		if s.Build == nil && at.Build == "" || s.Build != nil && s.Build.ID == at.Build {
			return s
		}
	}
	return nil
}

// AgentAt returns the place of a live agent's node, the zero value where no project that is shown has it.
func (ix *Index) AgentAt(node string) Place {
	for _, s := range ix.Sites {
		if s.Build != nil && s.Build.ID == model.AgentsBuild && s.Nodes[node].Node != nil {
			return s.Place(node)
		}
	}
	return Place{}
}

// Has reports whether there is something at a place.
func (ix *Index) Has(at Place) bool {
	s := ix.Site(at)
	return s != nil && (at.Node == "" || s.Nodes[at.Node].Node != nil)
}

// Empty reports whether there is no build to show.
func (ix *Index) Empty() bool {
	for _, s := range ix.Sites {
		if s.Build != nil {
			return false
		}
	}
	return true
}

// Called returns how a build is named in a sentence.
func (s *Site) Called() string {
	if s.Build != nil && s.Build.Title != "" {
		return s.Build.Title
	}
	return s.Name
}

// ProjectName returns the name of a site where there are several projects, else "".
func (ix *Index) ProjectName(s *Site) string {
	if len(ix.Snap.Projects) > 1 {
		return s.Name
	}
	return ""
}

// Problems returns the problems of a site; those of a project without a build are its own.
func (s *Site) Problems() []model.Problem {
	var all []model.Problem
	if s.Build != nil {
		all = s.Build.Problems
	}
	if s.first {
		all = slices.Concat(all, s.Project.Problems)
	}
	return all
}

// Title returns that of the build, "" where there is none.
func (s *Site) Title() string {
	if s.Build == nil {
		return ""
	}
	return s.Build.Title
}
