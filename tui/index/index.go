// Package index prepares a [model.Snapshot] for navigation: builds as sites with their nodes by ID, the waits of all projects, counts,
// a log of changes, one timeline of changes and agents' logs; and filters over them.
//
// It is pure: [New] takes a snapshot and the previous index, in the command that received the snapshot, and an [Index] never changes
// afterwards. Projects that were not read again are reused. Only [Seen], which belongs to the dashboard, changes: it holds what the
// user has looked at.
package index

// A snapshot prepared for navigation: parents, counts, waits, and the changes since the previous one. It is made once for each
// snapshot, in the command that received it.

import (
	"slices"
	"strings"
	"time"

	"gatehouse/model"
)

// Place identifies a row across snapshots. Without a node it is a whole build, without a build a project that has none. With Run it is
// the row that stands for neighbors that are done; Node is the first of them.
type Place struct {
	Project, Build, Node string
	Run                  bool
}

// Clone returns the place with copies of its names, for data that outlives the snapshot: a name may be a part of a file's text, and
// would keep all of it in memory.
func (at Place) Clone() Place {
	return Place{strings.Clone(at.Project), strings.Clone(at.Build), strings.Clone(at.Node), at.Run}
}

// Waiting is a wait with its site.
type Waiting struct {
	model.Wait
	Site *Site
}

func (w Waiting) At() Place { return w.Site.Place(w.Node) }

// OutOfReach reports whether the wait would need the user now if its host were in reach.
func (w Waiting) OutOfReach() bool {
	return w.Site.Project.OutOfReach() && (w.IsCurrent() || w.IsTurn())
}

// project is an indexed project. It is reused by later indexes until the project is read again,
// so that the cost of a snapshot depends on its changes, apart from a glance at each project.
type project struct {
	project *model.Project
	sites   []*Site
	waits   []Waiting
	failed  []Place
	blocked []Place
	running []Place
	items   []InboxItem
	sums    sums
	rank    rank
	first   model.Wait // the most urgent certain wait, or the zero value
}

// Index is a snapshot with its sites. Nothing in it changes once it is made.
type Index struct {
	Snap     *model.Snapshot
	projects map[string]*project // by root
	Sites    []*Site
	Waits    []Waiting // of all projects, the newest first
	Stops    []Place   // the order of the next key: waits, then failures, then blocked nodes
	Start    Place     // the first selection: a wait, else running work, else the zero value
	Began    []Waiting // waits that did not exist in the previous snapshot
	Losses   []Loss    // decisions that were not yet overwritten in the previous snapshot
	Sums     sums
	Log      []Moment  // the changes so far, the newest last
	seq      uint64    // number of the newest event
	Visited  time.Time // the end of the last visit, or zero
	// Moments are the log, the entries of the agents' logs and the decisions as one timeline.
	Moments []Moment
	Stories []Story     // these as a story, the oldest first
	Items   []InboxItem // of the inboxes of all builds, the newest first
}

// New indexes a snapshot after another one; a nil snapshot means that nothing has been read yet.
func New(snap *model.Snapshot, before *Index) *Index {
	ix := &Index{Snap: snap, projects: map[string]*project{}}
	if before != nil {
		ix.Visited = before.Visited
	}
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
	urgentFirst(all, before)
	for _, p := range all {
		ix.Sites = append(ix.Sites, p.sites...)
		ix.Waits = append(ix.Waits, p.waits...)
		ix.Items = append(ix.Items, p.items...)
		ix.Sums.add(p.sums)
	}
	slices.SortStableFunc(ix.Waits, func(a, b Waiting) int {
		if a.OutOfReach() != b.OutOfReach() { // between current and old waits
			return waitClass(a) - waitClass(b)
		}
		return newestFirst(a.Wait, b.Wait)
	})
	ix.gatherStops(all)
	ix.findStart(all)
	slices.SortStableFunc(ix.Items, func(a, b InboxItem) int { return b.Node.Updated.Compare(a.Node.Updated) })
	if before != nil && before.Snap.Version > 0 {
		ix.Began = newWaits(before.Waits, ix.Waits)
		ix.Losses = newLosses(before, ix)
		ix.extendLog(before)
	} else {
		ix.seedLog()
	}
	ix.gatherMoments()
	return ix
}

// newProject indexes one project.
func newProject(p *model.Project) *project {
	px := &project{project: p, first: firstWait(p)}
	px.sums.Problems = len(p.Problems)
	if len(p.Builds) == 0 {
		px.sites = []*Site{{Project: p, Name: p.Name, Where: p.Called(), first: true}}
	}
	for i, b := range p.Builds {
		s := &Site{Project: p, Build: b, Name: siteName(p.Name, p, b), Where: siteName(p.Called(), p, b), first: i == 0, Nodes: make(map[string]entry, model.CountNodes(b.Nodes)), Undoable: undoableGates(p, b)}
		s.addAll(b.Nodes, "")
		s.markWaits()
		s.gatherActivities()
		px.sites = append(px.sites, s)
		px.countSite(s, b)
		for _, w := range b.Waits {
			px.waits = append(px.waits, Waiting{w, s})
		}
		px.gatherItems(s)
	}
	slices.SortStableFunc(px.sites, closedLast)
	px.rank = px.rankOf()
	return px
}

// Site returns the site of a place, or nil.
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

// AgentAt returns the place of a live agent's node, or the zero value.
func (ix *Index) AgentAt(node string) Place {
	for _, s := range ix.Sites {
		if s.IsAgents() && s.Nodes[node].Node != nil {
			return s.Place(node)
		}
	}
	return Place{}
}

// Has reports whether a place exists.
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

// Running returns the sessions of live agents that are working.
func (ix *Index) Running() []model.Session {
	return slices.DeleteFunc(slices.Clone(ix.Snap.Sessions), func(x model.Session) bool { return !x.State.IsRunning() })
}

// OnlyAgents reports whether there are no builds except sessions of live agents.
func (ix *Index) OnlyAgents() bool {
	return !slices.ContainsFunc(ix.Sites, func(s *Site) bool { return s.Build != nil && !s.IsAgents() })
}

// ProjectName returns the name of a site, with the state of a host out of reach. It is "" if there is only one project.
func (ix *Index) ProjectName(s *Site) string {
	switch {
	case len(ix.Snap.Projects) == 1:
		return ""
	case s.Project.OutOfReach():
		return s.Where + ", " + s.Project.Host.Stands(ix.Snap.At)
	}
	return s.Where
}
