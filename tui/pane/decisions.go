package pane

// The journal: what humans have decided in all projects, the newest first, and the outcomes.

import (
	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

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
