package pane

// The panes that list things of all projects: waits and the next step; blockers, concerns and files that could not be
// read; decisions; the inbox. Each is a row of a table.

import (
	"strconv"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// entries is a pane whose page has entries that other panes show.
type entries struct {
	textPane
	title  func(*index.Index) string // the name with the number of entries; nil for the name alone
	page   func(e *entries, l *draw.Look, ix *index.Index, s *index.Site, width int) page
	titled string
	opened bool // old entries are listed, too
}

func newEntries(name, words string) entries {
	return entries{textPane: newTextPane(name, words)}
}

// newQueue returns the pane of the user's waits and the next step.
func newQueue() *entries {
	e := newEntries("For you", "all that waits for you, what comes next, and which agents run")
	e.title, e.page = queueTitle, waitsPage
	return &e
}

// newBlockers returns the pane of blockers and problems.
func newBlockers() *entries {
	e := newEntries("Blockers", "what blocks, what worries, what cannot be read")
	e.title, e.page = func(ix *index.Index) string { return nameWithCount(e.name, ix.Sums.Blocking) }, blockersPage
	return &e
}

// newDecisions returns the pane of the journal.
func newDecisions() *entries {
	e := newEntries("Decisions", "what was decided, by whom, and what became of it")
	e.page = decisionsPage
	return &e
}

// Title implements [Pane].
func (e *entries) Title(bool) string { return draw.OrElse(e.titled, e.name) }

// Lay implements [Pane].
func (e *entries) Lay(s *Scene, a draw.Area, inView bool) {
	if e.title != nil {
		e.titled = e.title(s.Index)
	}
	if inView {
		e.setPage(index.Place{}, e.page(e, s.Look, s.Index, s.Row.Site, a.PageWidth()))
	}
	e.fitHeight(a.Height)
}

// oldOnes is the entry that stands for all old waits; opening it lists them.
const oldOnes = "old"

// Selected implements [List].
func (e *entries) Selected() (x selection, ok bool) {
	it, ok := e.selectedEntry()
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

// addOld adds the entry that stands for all old waits.
func (p page) addOld(ix *index.Index, opened bool) {
	sign := p.Look.Glyphs.Folded
	if opened {
		sign = p.Look.Glyphs.Open
	}
	p.Gap()
	p.beginAbout(index.Place{}, model.Pos{}, oldOnes)
	p.Item(p.Look.Theme.Dim, sign, p.Look.Theme.Dim, strconv.Itoa(ix.Sums.Old)+" old: untouched for long")
	p.End()
}

// waitsPage lays out the waits of all projects, and the next step of the selected build. Old waits are one entry until it is
// opened.
func waitsPage(e *entries, l *draw.Look, ix *index.Index, s *index.Site, width int) page {
	p := newPage(l, width)
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
			p.addOld(ix, e.opened)
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
	source := ""
	if !n.Derived {
		source = draw.Join(" ", "says", n.Source.String())
	}
	p.Below(th.Dim, draw.Join(draw.PartJoint, s.NameOf(n.Node), source))
}

// blockersPage lays out obstacles in all projects: blockers with their age and who can lift them, concerns,
// problems.
func blockersPage(_ *entries, l *draw.Look, ix *index.Index, _ *index.Site, width int) page {
	p := newPage(l, width)
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
	owner := ""
	if b.Owner != "" {
		owner = "lifted by " + b.Owner
	}
	p.Below(th.Dim, draw.Join(draw.PartJoint, project, s.NameOf(b.Node), p.Look.For(b.Since, b.SinceFile), owner, b.Source.String()))
}
