package index

// Sites: one build each, with its nodes by ID, their standings and rows, its work, and the decisions that can be undone.

import (
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/tui/draw"
)

// Site is one build of a project, or a project without a build.
type Site struct {
	Project *model.Project
	Build   *model.Build // nil if the project has none
	Name    string       // the name of its row
	Where   string       // the name with the host if it is another machine: "shop on build-7"
	first   bool         // the first of its project
	Nodes   map[string]entry
	waits   map[string]waitMark // by node; the build is ""
	turns   bool                // a finished turn waits
	// Undoable are the gates whose last decision can be undone according to the journal.
	Undoable   map[string]bool
	activities []Moment // the log entries of its agents, the oldest first
}

// waitMark says how a node, or one below it, waits.
type waitMark uint8

const (
	waitsNow   waitMark = 1 << iota // the user has to answer now
	waitsSelf                       // the node itself, not only a node below it
	waitsLong                       // for so long that it is old
	waitsLater                      // it is asked later
	waitsPast                       // it calls itself waiting, but is over; not for nodes below it
)

// entry is a node with facts about its surroundings.
type entry struct {
	Node  *model.Node
	Above string // ID of its parent, "" at the top
	Busy  bool   // a node below it runs, waits or failed, or is open while the node is active
}

// siteName names a build after its project. If the project has several builds the protocol is added, or the ID if they share a
// protocol. Live agents, which come and go, do not change the names of other builds.
func siteName(name string, p *model.Project, b *model.Build) string {
	several := len(p.Builds)
	if b.ID != model.AgentsBuild && slices.ContainsFunc(p.Builds, func(b *model.Build) bool { return b.ID == model.AgentsBuild }) {
		several--
	}
	if several <= 1 {
		return name
	}
	if slices.ContainsFunc(p.Builds, func(other *model.Build) bool { return other != b && other.Protocol == b.Protocol }) {
		id := b.ID
		if b.Selected {
			id += " (active)"
		}
		return draw.Join(draw.PartJoint, name, id)
	}
	return draw.Join(draw.PartJoint, name, b.Protocol)
}

// addAll adds nodes and all below them, and reports whether one of them is lively, and whether one is not closed.
func (s *Site) addAll(nodes []*model.Node, above string) (anyLively, anyOpen bool) {
	for _, n := range nodes {
		livelyBelow, openBelow := s.addAll(n.Children, n.ID)
		e := entry{Node: n, Above: above, Busy: livelyBelow || openBelow && n.Status == model.Active}
		s.Nodes[n.ID] = e
		anyLively = anyLively || livelyBelow || isLively(n)
		anyOpen = anyOpen || !n.Status.Closed()
	}
	return anyLively, anyOpen
}

// isLively reports whether a node needs attention: it runs, waits, or failed.
func isLively(n *model.Node) bool {
	if n.IsOver() || n.IsUpcoming() {
		return false
	}
	switch n.Status {
	case model.Active, model.Waiting, model.Blocked, model.Failed, model.Retrying, model.Executed:
		return true
	}
	return false
}

// Quiet reports whether a node is done, verified or not, and needs no attention.
func (s *Site) Quiet(n *model.Node) bool {
	unverified := n.Status == model.Executed && n.Gate == nil && n.ID != s.Build.Now && (s.Build.Next == nil || n.ID != s.Build.Next.Node)
	if n.Status != model.Done && !unverified || n.Kind == model.KindGroup || n.Held || n.Gate != nil && (n.Gate.Overwritten != nil || n.Gate.Unattributed) {
		return false
	}
	e := s.Nodes[n.ID]
	return !e.Busy && s.waits[n.ID]&(waitsNow|waitsLong|waitsLater) == 0
}

// IsAgents reports whether the site has sessions of live agents instead of a build.
func (s *Site) IsAgents() bool { return s.Build != nil && s.Build.ID == model.AgentsBuild }

// Host returns the name of the machine that the site is on, "" for this one.
func (s *Site) Host() string {
	if s.Project.Host == nil {
		return ""
	}
	return s.Project.Host.Name
}

// OutOfReach says why decisions about a site are impossible because its host is out of reach; "" if they are not.
func (s *Site) OutOfReach(now time.Time) string {
	if !s.Project.OutOfReach() {
		return ""
	}
	return s.Host() + " is " + s.Project.Host.Stands(now) + ": nothing can be decided there until it is back"
}

// Standing returns the current state of a node. On a host out of reach it is unknown whether something still waits or runs.
func (s *Site) Standing(n *model.Node) Standing {
	stands := s.lastKnown(n)
	if s.Project.OutOfReach() && (stands == StandsWaiting || stands == StandsRunning) {
		return StandsElsewise
	}
	return stands
}

// lastKnown returns the state of a node when its host was last in reach. Not every waiting node counts as waiting: not if it
// is old, upcoming, with the agent, or behind another wait of its file.
func (s *Site) lastKnown(n *model.Node) Standing {
	above := s.Nodes[s.Nodes[n.ID].Above].Node
	switch {
	case s.isSpent(n):
		return StandsElsewise
	case n.Status == model.Waiting && s.waits[n.ID]&waitsNow != 0:
		return StandsWaiting
	case n.IsExpired() && StandingOf(n.Status) == StandsRunning:
		return StandsElsewise
	case n.Kind == model.KindTask && n.Status == model.Blocked && above != nil && above.Status == model.Blocked: // the same as its plan
		return StandsElsewise
	case n.Status == model.Waiting && (s.waits[n.ID]&(waitsLong|waitsLater) != 0 || n.IsTurn() || isQuestion(n)):
		return StandsElsewise
	case n.Status == model.Waiting:
		return StandsRunning
	}
	return StandingOf(n.Status)
}

// isSpent reports whether a node still calls itself waiting or running, but is over, answered or stale.
func (s *Site) isSpent(n *model.Node) bool {
	return n.IsExpiredWait() || s.waits[n.ID]&waitsPast != 0 || n.IsAnswered() || n.IsStale()
}

// isQuestion reports whether a node is a question itself, and not only a parent of questions.
func isQuestion(n *model.Node) bool { return n.Kind == model.KindGate || n.Kind == model.KindTask }

// StatusOf returns the style, sign and word of a node's status. Of several tests in a file the first one waits, and the others are
// pending; so are the parts of a gate that waits as a whole.
func (s *Site) StatusOf(l *draw.Look, n *model.Node) (st draw.Style, sign, word string) {
	st, sign = l.StatusOf(n)
	if s.Project.OutOfReach() {
		st = l.Theme.Dim
	}
	switch {
	case n.Status == model.Waiting && s.waits[n.ID]&waitsLong != 0 && s.lastKnown(n) == StandsElsewise && !s.isSpent(n) && !n.IsUpcoming():
		return l.Theme.Dim, sign, model.OldWord
	case s.isBehind(n):
		if !s.Project.OutOfReach() {
			st = l.Theme.Status(model.Pending)
		}
		return st, l.Glyphs.Of(model.Pending), model.Pending.Word()
	}
	return st, sign, n.Word()
}

// isBehind reports whether a node calls itself waiting but is not asked: another wait of its file comes first.
func (s *Site) isBehind(n *model.Node) bool {
	return n.Status == model.Waiting && isQuestion(n) && !n.IsUpcoming() && s.lastKnown(n) == StandsElsewise && !s.isSpent(n) && s.waits[n.ID]&(waitsLong|waitsLater) == 0 && !n.IsTurn() &&
		(n.Gate == nil || n.Gate.Request == nil)
}

// StatusOfBuild returns the same for the build.
func (s *Site) StatusOfBuild(l *draw.Look) (st draw.Style, sign, word string) {
	st, sign = l.StatusOfBuild(s.Build)
	if s.Project.OutOfReach() {
		st = l.Theme.Dim
	}
	if s.Build.Status == model.Waiting && s.waits[""]&(waitsNow|waitsLong) == waitsLong {
		return l.Theme.Dim, sign, model.OldWord
	}
	if s.turns && s.waits[""]&waitsNow == 0 && !s.Project.OutOfReach() {
		return l.Theme.Wait, l.Glyphs.Turn, string(model.SessionTurn)
	}
	if s.IsAgents() && s.Build.Status == model.Pending {
		return st, sign, string(model.SessionIdle)
	}
	return st, sign, s.Build.Word()
}

// markWaits records the nodes that wait, the nodes with expired waits, and their parents.
func (s *Site) markWaits() {
	s.waits = make(map[string]waitMark, 2*len(s.Build.Waits))
	for _, w := range s.Build.Expired {
		s.waits[w.Node] |= waitsPast
	}
	for _, w := range s.Build.Waits {
		mark := waitsNow
		switch {
		case w.IsWithAgent():
			continue
		case w.IsUpcoming():
			mark = waitsLater
		case w.IsOld():
			mark = waitsLong
		case w.IsTurn():
			s.turns = true
			continue
		default:
			if s.Nodes[w.Node].Node == nil {
				w.Node = "" // the node is not in the tree
			}
			s.waits[w.Node] |= waitsSelf
		}
		for id := w.Node; id != ""; id = s.Nodes[id].Above {
			s.waits[id] |= mark
		}
		s.waits[""] |= mark
	}
}

// Stands reports whether a filter by a state is about a node itself. A failed gate that asks what to do has two states. A nil node is
// the build as a whole, which can only wait.
func (s *Site) Stands(n *model.Node, stands Standing) bool {
	asked := stands == StandsWaiting && !s.Project.OutOfReach()
	switch {
	case n == nil:
		return asked && s.waits[""]&waitsSelf != 0
	case n.Kind == model.KindGroup:
		return false
	case n.IsOver() && stands != StandsDone:
		return false
	}
	is := s.Standing(n)
	return is == stands || asked && s.isAsked(n, stands)
}

// isAsked reports whether a node itself asks, whatever is below it.
func (s *Site) isAsked(n *model.Node, stands Standing) bool {
	return stands == StandsWaiting && s.waits[n.ID]&waitsSelf != 0
}

// lowest returns the nodes in a state without others in it below them.
func (s *Site) lowest(nodes []*model.Node, stands Standing) (found []*model.Node) {
	for _, n := range nodes {
		below := s.lowest(n.Children, stands)
		found = append(found, below...)
		if (len(below) == 0 || s.isAsked(n, stands)) && s.Stands(n, stands) {
			found = append(found, n)
		}
	}
	return found
}

// IsBelow reports whether a node is below another one.
func (s *Site) IsBelow(node, above string) bool {
	for node != "" && node != above {
		node = s.Nodes[node].Above
	}
	return node == above
}

// SessionOf returns the session that a node is or belongs to, nil if there is none.
func (s *Site) SessionOf(node string) *model.Session {
	for ; node != ""; node = s.Nodes[node].Above {
		if n := s.Nodes[node].Node; n != nil && n.Session != nil {
			return n.Session
		}
	}
	return nil
}

// Place returns the place of a node of the site, or of the site itself for "".
func (s *Site) Place(node string) Place {
	p := Place{Project: s.Project.Root, Node: node}
	if s.Build != nil {
		p.Build = s.Build.ID
	}
	return p
}

// NameOf returns the name of a node for people, or "".
func (s *Site) NameOf(node string) string {
	if e, ok := s.Nodes[node]; ok {
		return e.Node.Name()
	}
	return ""
}

// Called returns how a build is named in a sentence.
func (s *Site) Called() string {
	return draw.OrElse(s.Title(), s.Name)
}

// Problems returns the problems of a site. Those of the project belong to its first site.
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

// Title returns the title of the build, or "".
func (s *Site) Title() string {
	if s.Build == nil {
		return ""
	}
	return s.Build.Title
}

// RowOf returns the place of the lowest row about a file, which is relative to its project; ok is false if there is none.
func (ix *Index) RowOf(file string) (at Place, ok bool) {
	for _, s := range ix.Sites {
		if s.Build == nil {
			continue
		}
		for _, n := range model.Walk(s.Build.Nodes) {
			if n.Source.File == file || slices.ContainsFunc(n.Artifacts, func(a model.Artifact) bool { return a.Exists && a.File == file }) {
				if at, ok = s.Place(n.ID), true; n.Kind == model.KindPlan {
					return at, true // and not one of its tasks, which are in the same file
				}
			}
		}
	}
	return at, ok
}

// Row is one line of the tree: a site, a node of it, or a run of nodes.
type Row struct {
	Site  *Site
	Node  *model.Node   // nil for the site itself, and for a run
	Run   []*model.Node // neighbors that are done; the row stands for all of them
	Depth int
	Hit   bool // the row passes the filter itself; false without a filter
}

// Row returns the row of a node, or of the build for "".
func (s *Site) Row(node string) Row { return Row{Site: s, Node: s.Nodes[node].Node} }

func (r Row) Place() Place {
	switch {
	case len(r.Run) > 0:
		at := r.Site.Place(r.Run[0].ID)
		at.Run = true
		return at
	case r.Node == nil:
		return r.Site.Place("")
	}
	return r.Site.Place(r.Node.ID)
}

// Children returns the nodes below the row, folded or not.
func (r Row) Children() []*model.Node {
	switch {
	case len(r.Run) > 0:
		return r.Run
	case r.Node != nil:
		return r.Node.Children
	case r.Site.Build != nil:
		return r.Site.Build.Nodes
	}
	return nil
}

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

// WaitOf returns the first wait about a node, or the zero value.
func (s *Site) WaitOf(node string) (w model.Wait) {
	if i := slices.IndexFunc(s.Build.Waits, func(w model.Wait) bool { return w.Node == node }); i >= 0 {
		w = s.Build.Waits[i]
	}
	return w
}

// Question returns the first wait of a build; ok is false if nothing waits.
func (s *Site) Question() (w model.Wait, ok bool) {
	if s.Build == nil {
		return w, false
	}
	for _, x := range s.Build.Waits {
		if (x.IsCurrent() || x.IsTurn()) && (!ok || newestFirst(x, w) < 0) {
			w, ok = x, true
		}
	}
	return w, ok
}

// NextAnswers reports whether the next step of a build is to answer its question.
func (s *Site) NextAnswers() bool {
	w, ok := s.Question()
	next := s.Build.Next
	return ok && next != nil && (next.Node == w.Node && w.Node != "" || strings.Contains(next.Why, w.Text))
}

// Failure returns the last failed node of a build that was not retried since, and the reason in one line; nil if there is none.
func (ix *Index) Failure(s *Site) (n *model.Node, why string) {
	for _, x := range s.lowest(s.Build.Nodes, StandsFailed) {
		if n == nil || x.Since.After(n.Since) {
			n = x
		}
	}
	if n == nil {
		return nil, ""
	}
	for i := len(s.Build.Activity) - 1; i >= 0; i-- {
		if a := &s.Build.Activity[i]; a.Node == n.ID && a.Status == model.Failed {
			m := s.Moment(a)
			return n, m.Text
		}
	}
	return n, ""
}

// Running returns the running node of a build, or nil.
func (s *Site) Running() (n *model.Node) {
	for _, x := range s.lowest(s.Build.Nodes, StandsRunning) {
		if n == nil || x.ID == s.Build.Now {
			n = x
		}
	}
	return n
}
