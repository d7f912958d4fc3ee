package tui

// The details of something that an agent has told: what, with the checks and whatever else it noted, and what it has told
// about the same before.

import (
	"time"

	"gatehouse/model"
)

// activityPage lays out the details of an activity.
func activityPage(l *look, s *site, a *model.Activity, width int) *page {
	p := l.page(width)
	th := l.theme
	m := moment{site: s, told: a, node: s.nodes[a.Node].node}
	p.text(th.strong, m.what())
	if a.Alert {
		p.item(th.wait, l.glyphs.problem, th.wait, m.text())
	} else {
		p.item(th.status(a.Status), glyphOf(l, a), "", m.text())
	}
	p.text(th.dim, join(" · ", a.Kind, string(a.Family), p.told(a.At)))
	if len(a.Details) > 0 {
		p.heading("Noted")
		p.details(a)
	}
	if m.node != nil {
		p.heading("About")
		p.item(th.status(m.node.Status), l.glyphs.of(m.node.Status), "", join(partJoint, m.node.Name(), word(m.node)))
		p.below(th.dim, m.node.Why)
	}
	p.toldBefore(s, a)
	p.gap()
	p.facts(fact{label: "written in", value: a.Source.String(), style: th.dim})
	return p
}

// glyphOf returns the sign of what an activity says about its node.
func glyphOf(l *look, a *model.Activity) string {
	if a.Status == model.Unknown {
		return l.glyphs.dot
	}
	return l.glyphs.of(a.Status)
}

// details adds what an activity notes besides. What is long stands below its label.
func (p *page) details(a *model.Activity) {
	facts := make([]fact, 0, len(a.Details))
	for i, d := range a.Details {
		if i == listLimit {
			break
		}
		st := style("")
		switch s, _ := model.ParseStatus(d.Value); {
		case s == model.Failed || d.Value == "fail":
			st = p.look.theme.block
		case d.Value == "pass":
			st = p.look.theme.ok
		}
		facts = append(facts, fact{label: d.Label, value: d.Value, style: st})
	}
	p.longest = p.width / 2
	p.facts(facts...)
	p.longest = 0
	if n := len(a.Details) - listLimit; n > 0 {
		p.more(n)
	}
}

// toldBefore adds what was told about the same node before, the newest first.
func (p *page) toldBefore(s *site, a *model.Activity) {
	if a.Node == "" {
		return
	}
	all := s.build.Activity
	shown, before := 0, false
	for i := len(all) - 1; i >= 0 && shown < historyLimit; i-- {
		e := &all[i]
		if e == a {
			before = true
			continue
		}
		if !before || e.Node != a.Node {
			continue
		}
		if shown == 0 {
			p.heading("Before that")
		}
		shown++
		p.activity(s, e)
	}
}

// activity adds one in short.
func (p *page) activity(s *site, a *model.Activity) {
	th := p.look.theme
	m := moment{site: s, told: a, node: s.nodes[a.Node].node}
	st, glyph := th.status(a.Status), glyphOf(p.look, a)
	if a.Alert {
		st, glyph = th.wait, p.look.glyphs.problem
	}
	p.item(st, glyph, "", join(partJoint, m.text(), p.look.ago(a.At)))
}

// told says when something was told.
func (p *page) told(at time.Time) string {
	if at.IsZero() {
		return "nobody says when"
	}
	return p.dated(at)
}

// toldAbout adds the last that was told about a node, the newest first.
func (p *page) toldAbout(s *site, node string) {
	all := s.build.Activity
	shown := 0
	for i := len(all) - 1; i >= 0 && shown < historyLimit; i-- {
		if all[i].Node != node {
			continue
		}
		if shown == 0 {
			p.heading("Logged")
		}
		shown++
		p.activity(s, &all[i])
	}
}
