package tui

// The panes that list what wants somebody: what waits for the user and what comes next; what blocks, what worries, and
// what could not be read. Their entries can be selected.

import (
	"slices"
	"strconv"

	"gatehouse/model"
	"gatehouse/tui/draw"
)

// waitsPage lays out what waits in all projects, and what comes next in the selected build.
func waitsPage(l *draw.Look, ix *index, s *site, width int) *page {
	p := newPage(l, width)
	if len(ix.waits) == 0 {
		p.Item(l.Theme.OK, l.Glyphs.Of(model.Done), l.Theme.Dim, "nothing waits for you")
	}
	for i, w := range ix.waits {
		if i == draw.ListLimit {
			p.More(len(ix.waits) - i)
			break
		}
		p.beginAbout(w.place(), w.Source, w.Text)
		p.wait(w.Wait, ix.projectName(w.site))
		p.End()
	}
	if s != nil && s.build != nil && s.build.Next != nil {
		p.Heading("Next")
		p.beginAbout(s.place(s.build.Next.Node), s.build.Next.Source, s.build.Next.Command)
		p.nextOf(s, s.build.Next)
		p.End()
	}
	return p
}

// projectName returns the name of a site where there are several projects, else "".
func (ix *index) projectName(s *site) string {
	if len(ix.snap.Projects) > 1 {
		return s.name
	}
	return ""
}

// wait adds one thing that waits: what is certain lit, what may come dimmed.
func (p *page) wait(w model.Wait, project string) {
	th := p.Look.Theme
	if w.Potential {
		p.Item(th.Dim, p.Look.Glyphs.MayWait, th.Dim, "will stop at "+w.Text)
	} else {
		p.Item(th.Wait, p.Look.Glyphs.Of(model.Waiting), "", w.Text)
	}
	p.Below(th.Dim, draw.Join(" · ", project, w.Place, w.Evidence.String(), p.Look.Ago(w.Since)))
}

// nextOf adds the command the protocol would have run, and who says so.
func (p *page) nextOf(s *site, n *model.Next) {
	th := p.Look.Theme
	p.Item(th.Accent, p.Look.Glyphs.Folded, th.Strong, n.Command)
	p.Below("", n.Why)
	says := "derived from the tree"
	if !n.Derived {
		says = draw.Join(" ", "says", n.Source.String())
	}
	p.Below(th.Dim, draw.Join(" · ", s.nameOf(n.Node), says))
}

// obstacle is a blocker, and where.
type obstacle struct {
	model.Blocker
	site *site
}

// obstacles returns the blockers of all projects: those that stop something first, and of them the oldest.
func (ix *index) obstacles() []obstacle {
	var all []obstacle
	for _, s := range ix.sites {
		if s.build != nil {
			for _, b := range s.build.Blockers {
				all = append(all, obstacle{b, s})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b obstacle) int {
		switch {
		case a.Concern != b.Concern:
			if a.Concern {
				return 1
			}
			return -1
		case a.Since.Equal(b.Since):
			return 0
		case a.Since.IsZero():
			return 1
		case b.Since.IsZero():
			return -1
		}
		return a.Since.Compare(b.Since)
	})
	return all
}

// blockersPage lays out what is in the way in all projects: blockers with their age and who can lift them, concerns,
// problems.
func blockersPage(l *draw.Look, ix *index, width int) *page {
	p := newPage(l, width)
	all := ix.obstacles()
	if len(all) == 0 || all[0].Concern {
		p.Item(l.Theme.OK, l.Glyphs.Of(model.Done), l.Theme.Dim, "nothing blocks")
	}
	for i, b := range all {
		if i == draw.ListLimit {
			p.More(len(all) - i)
			break
		}
		if b.Concern && (i == 0 || !all[i-1].Concern) {
			p.Heading("Concerns")
		}
		p.beginAbout(b.site.place(b.Node), b.Source, b.Text)
		p.blocker(b.site, b.Blocker, ix.projectName(b.site))
		p.End()
	}
	shown, total := 0, ix.sums.problems
	for _, s := range ix.sites {
		for _, problem := range s.problems() {
			if shown == draw.ListLimit {
				p.More(total - shown)
				return p
			}
			if shown == 0 {
				p.Heading("Problems (" + strconv.Itoa(total) + ")")
			}
			shown++
			p.beginAbout(s.place(""), problem.Pos, problem.String())
			p.problem(problem)
			p.End()
		}
	}
	return p
}

// problems returns the problems of a site; those of a project without a build are its own.
func (s *site) problems() []model.Problem {
	var all []model.Problem
	if s.build != nil {
		all = s.build.Problems
	}
	if s.first {
		all = slices.Concat(all, s.project.Problems)
	}
	return all
}

// blocker adds what keeps agents from going on, with its age and who can lift it. What only worries has no sign of a
// status: nothing is known to stop because of it.
func (p *page) blocker(s *site, b model.Blocker, project string) {
	th := p.Look.Theme
	if b.Concern {
		p.Item(th.Dim, p.Look.Glyphs.Dot, "", b.Text)
	} else {
		p.Item(th.Block, p.Look.Glyphs.Of(model.Blocked), "", b.Text)
	}
	since := p.Look.Ago(b.Since)
	if age := p.Look.Age(b.Since); since != "" && age != "now" {
		since = "for " + age
	}
	owner := ""
	if b.Owner != "" {
		owner = "lifted by " + b.Owner
	}
	p.Below(th.Dim, draw.Join(" · ", project, s.nameOf(b.Node), since, owner, b.Source.String()))
}
