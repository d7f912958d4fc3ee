package tui

// The details of one node: what it is, why it is so, what it asks, what it hangs on, and the files behind it.

import (
	"strings"

	"gatehouse/model"
)

// listLimit bounds the lists of a page: what is laid out at once must not grow with the build.
const listLimit = 100

// detailPage lays out the details of a node, with the verbs that it offers.
func detailPage(l *look, ix *index, s *site, n *model.Node, width int, offers []hint) *page {
	p := l.page(width)
	p.text(l.theme.strong, n.Name())
	p.status(n.Status, n.Raw, mayWait(n))
	p.text(l.theme.dim, n.Why)
	if n.Held {
		p.item(l.theme.wait, l.glyphs.held, l.theme.wait, "last good state: a file of it cannot be read now")
	}
	if n.Archived {
		p.text(l.theme.dim, "belongs to a milestone that is over; counted nowhere")
	}
	if n.Count.Total > 0 {
		p.gap()
		p.progress(n.Count)
	}
	if n.Gate != nil {
		p.gate(s, n)
		p.offers(offers)
		p.artifacts(n)
	} else {
		p.offers(offers)
	}
	p.nodes("Depends on", s, n.DependsOn)
	p.nodes("Blocked by", s, n.BlockedBy)
	p.blockersOf(s, n)
	if len(n.Facts) > 0 || n.Wave > 0 {
		p.heading("Facts")
		var facts []fact
		if n.Wave > 0 {
			facts = append(facts, fact{label: "wave", value: itoa(n.Wave)})
		}
		for _, f := range n.Facts {
			facts = append(facts, fact{label: f.Label, value: f.Value})
		}
		p.facts(facts...)
	}
	p.decisionsAbout(s, n.ID)
	p.toldAbout(s, n.ID)
	p.history(ix, s.place(n.ID))
	if n.Gate == nil {
		p.artifacts(n)
	}
	p.problems(problemsOf(s.build.Problems, n))
	return p
}

// status adds the glyph and the word of a status, and beside it the file's own word where that is another.
func (p *page) status(s model.Status, raw string, later bool) {
	st, glyph, text := p.look.theme.status(s), p.look.glyphs.of(s), s.String()
	if later {
		st, glyph, text = p.look.theme.dim, p.look.glyphs.mayWait, "will stop here"
	}
	r := p.look.ribbon(p.width)
	r.sign(st, glyph)
	r.gap(1)
	r.add(st, text)
	if raw != "" && !strings.EqualFold(raw, text) {
		r.gap(3)
		r.add(p.look.theme.dim, "in the file: "+raw)
	}
	p.add(&r)
}

// progress adds a bar with its numbers.
func (p *page) progress(c model.Count) {
	r := p.look.ribbon(p.width)
	filled, rest := p.look.glyphs.bar(c.Done, c.Total, min(20, p.width-20))
	r.sign(p.look.theme.run, filled)
	r.sign(p.look.theme.dim, rest)
	r.gap(2)
	r.add("", itoa(c.Floor())+"%")
	r.gap(3)
	r.add(p.look.theme.dim, itoa(c.Done)+" of "+itoa(c.Total)+" done")
	p.add(&r)
}

// gate adds what a gate asks and what comes of it.
func (p *page) gate(s *site, n *model.Node) {
	th, g := p.look.theme, n.Gate
	p.request(g)
	switch {
	case mayWait(n):
		p.heading("Will stop here for you")
	case n.Status.Closed():
		p.heading("Asked")
	default:
		p.heading("Asks you")
	}
	p.quote("", g.Asks)
	for _, o := range g.Options {
		p.item(th.dim, p.look.glyphs.dot, "", o)
	}
	p.gap()
	var since, evidence string
	for _, w := range s.build.Waits {
		if w.Node == n.ID {
			since, evidence = p.look.ago(w.Since), w.Evidence.String()
			break
		}
	}
	p.facts(
		fact{label: "expects", value: g.Expects},
		fact{label: "opened by", value: approvalOf(g)},
		fact{label: "reason", value: g.Reason},
		fact{label: "told by", value: evidence},
		fact{label: "since", value: since},
	)
	p.nodes("Releases", s, g.Opens)
}

// request adds what somebody has asked to be changed before the gate is asked again.
func (p *page) request(g *model.Gate) {
	if g.Request == nil {
		return
	}
	p.heading("Changes asked")
	p.quoteLines(g.Request.Text)
	p.text(p.look.theme.dim, join(" · ", g.Request.Who, p.look.ago(g.Request.At)))
}

// offers adds the keys that decide, in one line.
func (p *page) offers(offers []hint) {
	if len(offers) == 0 {
		return
	}
	p.gap()
	r := p.look.ribbon(p.width)
	for _, o := range offers {
		r.exactly(p.look.theme.strong, o.key)
		r.gap(1)
		r.add(p.look.theme.dim, o.words)
		r.gap(3)
	}
	p.add(&r)
}

// nodes adds a list of other nodes by name, each with its status.
func (p *page) nodes(heading string, s *site, ids []string) {
	if len(ids) == 0 {
		return
	}
	p.heading(heading)
	for i, id := range ids {
		if i == listLimit {
			p.more(len(ids) - i)
			return
		}
		e, known := s.nodes[id]
		if !known {
			p.item(p.look.theme.dim, p.look.glyphs.of(model.Unknown), p.look.theme.dim, join(partJoint, id, "not in the tree"))
			continue
		}
		p.item(p.look.theme.status(e.node.Status), p.look.glyphs.of(e.node.Status), "", join(partJoint, e.node.Name(), word(e.node)))
	}
}

func (p *page) more(n int) { p.below(p.look.theme.dim, itoa(n)+" more") }

// blockersOf adds the blockers that name the node.
func (p *page) blockersOf(s *site, n *model.Node) {
	var of []model.Blocker
	for _, b := range s.build.Blockers {
		if b.Node == n.ID {
			of = append(of, b)
		}
	}
	p.blockersAmong(s, of)
}

// historyLimit is how many changes of one node its details list; the timeline has the others.
const historyLimit = 5

// history adds what changed of a node while the dashboard ran, the newest first.
func (p *page) history(ix *index, at place) {
	shown := 0
	for i := len(ix.log) - 1; i >= 0 && shown < historyLimit; i-- {
		e := ix.log[i]
		if e.at != at || e.seq == 0 {
			continue
		}
		if shown == 0 {
			p.heading("Changed while you looked")
		}
		shown++
		p.item(p.look.theme.status(e.To), p.look.glyphs.of(e.To), "", join(partJoint, e.Text, p.look.ago(e.Event.At)))
	}
}

// artifacts adds the files of a node, with size and age, and the place where it is written. Those of a gate are what it is
// judged by.
func (p *page) artifacts(n *model.Node) {
	heading, all := "Files", exhibits(n.Artifacts)
	if n.Gate != nil {
		heading, all = "Evidence", exhibitsOf(n)
	}
	if len(all) == 0 && n.Source.File == "" {
		return
	}
	if len(all) == 0 {
		p.heading("Files")
	}
	p.evidence(heading, all, n.Gate != nil && !mayWait(n))
	p.facts(fact{label: "written in", value: n.Source.String(), style: p.look.theme.dim})
}

// problemsOf returns the problems in the files of a node.
func problemsOf(all []model.Problem, n *model.Node) []model.Problem {
	files := map[string]bool{n.Source.File: true}
	for _, a := range n.Artifacts {
		files[a.File] = true
	}
	delete(files, "")
	var of []model.Problem
	for _, problem := range all {
		if files[problem.File] {
			of = append(of, problem)
		}
	}
	return of
}

// problems adds problems, each with its place and what to do about it.
func (p *page) problems(problems []model.Problem) {
	if len(problems) == 0 {
		return
	}
	p.heading("Problems (" + itoa(len(problems)) + ")")
	for i, problem := range problems {
		if i == listLimit {
			p.more(len(problems) - i)
			return
		}
		p.problem(problem)
	}
}

func (p *page) problem(problem model.Problem) {
	th := p.look.theme
	st := th.wait
	if problem.Severity == model.Error {
		st = th.block
	}
	p.item(st, p.look.glyphs.problem, "", string(problem.Severity)+": "+problem.Text)
	p.below(th.dim, problem.Pos.String())
	p.below(th.dim, problem.Fix)
}
