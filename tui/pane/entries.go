package pane

// The panes that list things of all projects: waits and the next step; blockers, concerns and files that could not be
// read; decisions; the inbox.

import (
	"strconv"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// entries is a pane whose page has entries that other panes show.
type entries struct{ textPane }

func newEntries(name, words string, lay func(e *textPane, s *Scene, width int) page, title func(*index.Index) string) *entries {
	e := &entries{textPane{list: list{Name: name, Words: words}}}
	e.page = func(e *textPane, s *Scene, width, _ int) (page, index.Place, bool) {
		return lay(e, s, width), index.Place{}, true
	}
	if title != nil {
		e.title = func(s *Scene, _ bool) string { return title(s.Index) }
	}
	return e
}

// oldOnes is the entry that stands for all old waits; opening it lists them.
const oldOnes = "old"

// Selected implements [List].
func (e *entries) Selected() (x selection, ok bool) {
	it, ok := e.selectedItem()
	if ok {
		x = it.Key.(selection)
	}
	return x, ok
}

// Enter goes to the row of the selected entry, or lists old waits.
func (e *entries) Enter() step {
	switch x, ok := e.Selected(); {
	case !ok:
		return step{Never: "nothing is selected"}
	case x.at == (index.Place{}) && x.text == oldOnes:
		return step{Do: func() { e.opened = !e.opened }}
	default:
		return step{Row: true, At: x.at}
	}
}

// queueTitle counts the waits, and the finished turns.
func queueTitle(ix *index.Index) string {
	if ix.Sums.Turns == 0 {
		return nameWithCount("For you", ix.Sums.Waits)
	}
	turns := strconv.Itoa(ix.Sums.Turns) + " " + string(model.SessionTurn)
	if ix.Sums.Waits > 0 {
		turns = strconv.Itoa(ix.Sums.Waits) + draw.PartJoint + turns
	}
	return "For you (" + turns + ")"
}

// waitsPage lays out the waits of all projects, and the next step of the selected build. Old waits are one entry until it is
// opened.
func waitsPage(e *textPane, scene *Scene, width int) page {
	p, l, ix, s := newPage(scene.Look, width), scene.Look, scene.Index, scene.Row.Site
	if len(ix.Waits) == 0 {
		p.Item(l.Theme.OK, l.Glyphs.Of(model.Done), l.Theme.Dim, "nothing waits for you")
	}
	for i, w := range draw.Limited(p.Page, ix.Waits) {
		switch {
		case w.OutOfReach():
			if i == 0 || !ix.Waits[i-1].OutOfReach() {
				p.Heading("Out of reach (" + strconv.Itoa(ix.Sums.OutOfReach) + ")")
			}
		case w.IsOld() && (i == 0 || !ix.Waits[i-1].IsOld()):
			sign := map[bool]string{true: l.Glyphs.Open, false: l.Glyphs.Folded}[e.opened]
			p.Gap()
			p.beginAbout(index.Place{}, model.Pos{}, oldOnes)
			p.Item(l.Theme.Dim, sign, l.Theme.Dim, strconv.Itoa(ix.Sums.Old)+" old: untouched for long")
			p.End()
		case w.IsTurn() && i > 0 && !ix.Waits[i-1].IsTurn():
			p.Heading("Your turn")
		}
		if w.IsOld() && !e.opened {
			continue
		}
		p.beginAbout(w.At(), w.Source, w.Text)
		p.addWait(w.Site, w.Wait, ix.ProjectName(w.Site))
		if n := w.Site.Nodes[w.Node].Node; n != nil && n.Gate != nil && n.Gate.Overwritten != nil {
			p.Below(l.Theme.Wait, "overwritten: "+overwrittenIn(l, n.Gate.Overwritten))
		}
		p.End()
	}
	if s != nil && s.Build != nil && s.Build.Next != nil && !s.NextAnswers() { // otherwise the question is the next step
		p.Heading("Next")
		p.beginAbout(s.Place(s.Build.Next.Node), s.Build.Next.Source, s.Build.Next.Command)
		p.addNext(s, s.Build.Next)
		p.End()
	}
	p.addRunning(ix)
	return p
}

// addWait adds a wait; its project is named if there are several.
func (p page) addWait(s *index.Site, w model.Wait, project string) {
	th, l := p.Look.Theme, p.Look
	place, since := w.Place, l.Since(w.Since, w.SinceFile)
	if x := s.SessionOf(w.Node); x != nil {
		task := ""
		if n := s.Nodes[w.Node].Node; n != nil && n.Gate != nil && n.Gate.Ask != nil {
			task = x.SubagentTask(n.Gate.Ask.Subagent)
		}
		place, since = draw.Join(draw.PartJoint, x.Agent, x.Title, task, x.Branch), l.Age(w.Since)
	}
	switch {
	case w.IsWithAgent():
		p.Item(th.Dim, l.Glyphs.Of(model.Active), th.Dim, "with the agent: "+w.Text)
	case w.IsUpcoming():
		p.Item(th.Dim, l.Glyphs.MayWait, th.Dim, model.LaterWord+": "+w.Text)
	case s.Project.OutOfReach():
		p.Item(th.Dim, l.Glyphs.Of(model.Waiting), th.Dim, w.Text)
	case w.IsTurn():
		p.Item(th.Wait, l.Glyphs.Turn, "", draw.Join(": ", project, w.Text))
		project = ""
	default:
		p.Item(th.Wait, l.Glyphs.Of(model.Waiting), "", w.Text)
	}
	p.Below(th.Dim, draw.Join(draw.PartJoint, project, place, since))
	p.Below(th.Wait, l.Deadline(w.Deadline, w.Then))
}

// addNext adds the command that the protocol would run next, and the source of this advice.
func (p page) addNext(s *index.Site, n *model.Next) {
	th := p.Look.Theme
	p.Item(th.Accent, p.Look.Glyphs.Folded, th.Strong, n.Command)
	p.Below("", n.Why)
	source := draw.If(!n.Derived, draw.Join(" ", "says", n.Source.String()))
	p.Below(th.Dim, draw.Join(draw.PartJoint, s.NameOf(n.Node), source))
}

func blockersTitle(ix *index.Index) string { return nameWithCount("Blockers", ix.Sums.Blocking) }

// blockersPage lays out obstacles in all projects: blockers with their age and who can lift them, concerns,
// problems.
func blockersPage(_ *textPane, s *Scene, width int) page {
	p, l, ix := newPage(s.Look, width), s.Look, s.Index
	all := ix.Blockers()
	if len(all) == 0 || all[0].Concern {
		p.Item(l.Theme.OK, l.Glyphs.Of(model.Done), l.Theme.Dim, "nothing blocks")
	}
	for i, b := range draw.Limited(p.Page, all) {
		if b.Concern && (i == 0 || !all[i-1].Concern) {
			p.Heading("Concerns")
		}
		p.beginAbout(b.Site.Place(b.Node), b.Source, b.Text)
		p.addBlocker(b.Site, b.Blocker, ix.ProjectName(b.Site))
		p.End()
	}
	shown, total := 0, ix.Sums.Problems
	for _, s := range ix.Sites {
		for _, problem := range s.Problems() {
			if shown == draw.ListLimit {
				p.More(total - shown)
				return p
			}
			if shown == 0 {
				p.Heading("Problems (" + strconv.Itoa(total) + ")")
			}
			shown++
			p.beginAbout(s.Place(""), problem.Pos, problem.String())
			p.Problem(problem)
			p.End()
		}
	}
	return p
}

// addBlocker adds a blocker, with its age and who can lift it. A concern has no status sign: nothing is known to stop because
// of it.
func (p page) addBlocker(s *index.Site, b model.Blocker, project string) {
	th := p.Look.Theme
	if b.Concern {
		p.Item(th.Dim, p.Look.Glyphs.Dot, "", b.Text)
	} else {
		p.Item(th.Block, p.Look.Glyphs.Of(model.Blocked), "", b.Text)
	}
	owner := draw.If(b.Owner != "", "lifted by "+b.Owner)
	p.Below(th.Dim, draw.Join(draw.PartJoint, project, s.NameOf(b.Node), p.Look.For(b.Since, b.SinceFile), owner, b.Source.String()))
}

// newInbox returns the pane of items that will be worked in later, the newest first.
func newInbox() *entries {
	e := newEntries("Inbox", "the inbox: ideas, wishes and links that wait for their turn", inboxPage, func(ix *index.Index) string { return nameWithCount("Inbox", ix.Sums.Inbox) })
	e.HasFilter = true
	return e
}

// inboxPage lays out the items that pass the filter.
func inboxPage(e *textPane, s *Scene, width int) page {
	p, l, ix, hits := newPage(s.Look, width), s.Look, s.Index, 0
	th := l.Theme
	for _, x := range ix.Items {
		n := x.Node
		if !e.Filter.Passes(index.StandingOf(n.Status), n.Title, x.Kind, n.Word()) {
			continue
		}
		if hits++; hits > draw.ListLimit {
			continue
		}
		st := draw.Style("")
		if n.Status.Closed() {
			st = th.Dim
		}
		p.beginAbout(x.Site.Place(n.ID), n.Source, n.Title)
		p.Item(th.Status(n.Status), l.Glyphs.Of(n.Status), st, l.Clipped(n.Title, 2*(width-2)))
		p.Below(th.Dim, draw.Join(draw.PartJoint, ix.ProjectName(x.Site), x.Kind, n.Word(), l.Ago(n.Updated)))
		p.End()
	}
	if e.found = ""; e.Filter.Active() {
		e.found = strconv.Itoa(hits) + " of " + strconv.Itoa(len(ix.Items))
	}
	switch {
	case hits > draw.ListLimit:
		p.More(hits - draw.ListLimit)
	case hits == 0 && e.Filter.Active():
		p.Text(th.Dim, "no item matches; esc clears the filter")
	case hits == 0:
		p.Text(th.Dim, "the inbox is empty")
	}
	return p
}

// decisionsPage lays out the journal.
func decisionsPage(_ *textPane, s *Scene, width int) page {
	p := newPage(s.Look, width)
	all := s.Index.Decisions()
	if len(all) == 0 {
		p.Text(s.Look.Theme.Dim, "nothing has been decided here yet")
	}
	for _, x := range draw.Limited(p.Page, all) {
		at := index.Place{}
		if x.Site != nil {
			at = x.Site.Place(x.Node)
		}
		p.beginAbout(at, model.Pos{File: x.File}, draw.Join(": ", x.Name, x.Decision.Words().Past, x.Text))
		p.addDecision(x.Decision, x.Name, x.ProjectName)
		p.End()
	}
	return p
}

// addDecision adds an entry of the journal; name is its subject, "" if that is obvious.
func (p page) addDecision(e *model.Decision, name, project string) {
	l, th := p.Look, p.Look.Theme
	st, title := l.Theme.Status(index.DecisionStatus(e)), draw.Style("")
	if e.Undone {
		st, title = th.Dim, th.Dim
	}
	r := l.Ribbon(p.Width)
	r.Sign(st, l.Glyphs.Of(index.DecisionStatus(e)))
	r.Gap(1)
	if name != "" {
		r.AddWithin(title, line.Foreign(name), p.Width/2)
		r.Gap(2)
	}
	r.Add(st, e.Words().Past)
	if e.Was != e.Is {
		r.Gap(2)
		r.Add(th.Dim, draw.Becomes(e.Was, e.Is))
	}
	p.Add(&r)
	if e.Text != "" {
		p.Quote(title, e.Text)
	}
	fate := ""
	switch {
	case e.Undone:
		fate = "undone since"
	case e.Interrupted:
		fate = "interrupted: look at the file"
	case e.Reported:
		fate = "the agent knows"
	}
	p.Below(th.Dim, draw.Join(draw.PartJoint, project, draw.Join(", ", e.Who, e.By), l.Ago(e.At), fate))
	if e.Overwritten {
		p.Below(th.Wait, "overwritten: the file no longer says so")
	}
}

// addDecisionsAbout adds the last decisions about a node, or with "" about the build itself.
func (p page) addDecisionsAbout(s *index.Site, node string) {
	all := s.Project.Decisions
	p.addNewest("Decided", len(all), func(i int) bool { return all[i].Build == s.Build.ID && all[i].Node == node }, func(i int) { p.addDecision(&all[i], "", "") })
}
