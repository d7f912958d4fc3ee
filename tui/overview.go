package tui

// The state of a build as a whole: what STATE.md and its like claim against the tree, what waits, blocks and comes next.

import (
	"slices"
	"time"

	"gatehouse/model"
)

// overviewPage lays out a build, or a project without one, with the verbs that it offers. What other panes in view show
// already is left out.
func overviewPage(l *look, ix *index, s *site, width int, inView panesInView, offers []hint) *page {
	p := l.page(width)
	p.text(l.theme.strong, join(" · ", s.project.Name, title(s)))
	b := s.build
	if b == nil {
		p.text("", noBuild)
		p.problems(s.project.Problems)
		return p
	}
	p.status(b.Status, b.Raw, false)
	p.text(l.theme.dim, b.Why)
	if !inView.waits {
		p.waits(b.Waits)
	}
	if !inView.blockers {
		p.blockersAmong(s, b.Blockers)
	}
	p.pause(b)
	p.offers(offers)
	if !inView.waits {
		p.next(s, b)
	}
	p.counts(b)
	p.divergences(b, keyOf(offers, model.VerbSync))
	if !inView.metrics {
		p.brief(b)
	}
	p.decisionsAbout(s, "")
	p.freshness(b, ix.snap.Watch)
	if !inView.blockers {
		p.problems(s.problems())
	}
	return p
}

// panesInView are those whose content the overview need not repeat.
type panesInView struct{ waits, blockers, metrics bool }

func title(s *site) string {
	if s.build == nil {
		return ""
	}
	return s.build.Title
}

// divergences adds each claim of the state file with what the tree says, and the key that brings it in line, "" for none.
func (p *page) divergences(b *model.Build, sync string) {
	if len(b.Divergences) == 0 {
		return
	}
	th := p.look.theme
	p.heading("Claimed, but not so")
	if sync != "" {
		r := p.look.ribbon(p.width)
		r.add(th.strong, sync)
		r.add(th.dim, " brings the file in line with the tree")
		p.add(&r)
	}
	for i, d := range b.Divergences {
		if i == listLimit {
			p.more(len(b.Divergences) - i)
			return
		}
		p.item(th.wait, p.look.glyphs.differs, "", d.Claim)
		p.below(th.wait, d.Truth)
		p.below(th.dim, d.Source.String())
	}
}

func (p *page) pause(b *model.Build) {
	if b.Pause == nil {
		return
	}
	p.heading("Paused")
	p.quote("", b.Pause.Reason)
	p.text(p.look.theme.dim, join(" · ", p.look.ago(b.Pause.Since), b.Pause.Source.String()))
}

// waits adds what waits in a build.
func (p *page) waits(waits []model.Wait) {
	th := p.look.theme
	p.heading("Waits for you")
	if len(waits) == 0 {
		p.item(th.ok, p.look.glyphs.of(model.Done), th.dim, "nothing")
	}
	for i, w := range waits {
		if i == listLimit {
			p.more(len(waits) - i)
			return
		}
		p.wait(w, "")
	}
}

// rankOf orders blockers: what is only a concern comes last.
func rankOf(b model.Blocker) int {
	if b.Concern {
		return 1
	}
	return 0
}

// blockersAmong adds blockers, and what is only a concern under a heading of its own.
func (p *page) blockersAmong(s *site, blockers []model.Blocker) {
	blockers = slices.Clone(blockers)
	slices.SortStableFunc(blockers, func(a, b model.Blocker) int { return rankOf(a) - rankOf(b) })
	for i, b := range blockers {
		if i == listLimit {
			p.more(len(blockers) - i)
			return
		}
		switch {
		case b.Concern && (i == 0 || !blockers[i-1].Concern):
			p.heading("Concerns")
		case i == 0:
			p.heading("Blocked")
		}
		p.blocker(s, b, "")
	}
}

// next adds what comes next.
func (p *page) next(s *site, b *model.Build) {
	if b.Next != nil {
		p.heading("Next")
		p.nextOf(s, b.Next)
	}
}

// counts adds how far the build is. What is not known is not shown.
func (p *page) counts(b *model.Build) {
	p.heading("Progress")
	if !b.Progress.Known {
		p.text(p.look.theme.dim, "not known: there is nothing to count")
		return
	}
	of := func(c model.Count) string {
		if c.Total == 0 {
			return ""
		}
		return itoa(c.Done) + " of " + itoa(c.Total)
	}
	r := p.look.ribbon(p.width)
	filled, rest := p.look.glyphs.bar(b.Progress.Percent, 100, min(20, p.width-6))
	r.sign(p.look.theme.run, filled)
	r.sign(p.look.theme.dim, rest)
	r.gap(2)
	r.add("", itoa(b.Progress.Percent)+"%")
	p.add(&r)
	phases, closed := b.Progress.Phases, "phases closed"
	if b.Progress.Plans.Total == 0 { // without plans nothing is executed before it is done
		phases, closed = model.Count{}, "phases"
	}
	p.facts(
		fact{label: "plans", value: of(b.Progress.Plans)},
		fact{label: "phases", value: of(phases)},
		fact{label: closed, value: of(b.Progress.Closed)},
		fact{label: "chunks", value: of(b.Progress.Chunks)},
	)
}

// freshness adds how old what is shown may be, and from where it comes; watch says why it may be late.
func (p *page) freshness(b *model.Build, watch string) {
	th, f := p.look.theme, b.Freshness
	p.heading("Files")
	if f.Held > 0 {
		p.item(th.wait, p.look.glyphs.held, th.wait, "last good state: "+counted(f.Held, "file")+" cannot be read now")
	}
	idle, left := f.Idle(p.look.now)
	quiet := ""
	if left && !b.Status.Closed() {
		quiet = model.Age(idle) + " without a change: left behind?"
	}
	p.facts(
		fact{label: "idle", value: quiet, style: th.wait},
		fact{label: "watched", value: watch, style: th.wait},
		fact{label: "changed", value: p.look.ago(f.Changed)},
		fact{label: "dated", value: p.dated(f.Claimed)},
		fact{label: "state file", value: b.File, style: th.dim},
	)
}

func (p *page) dated(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return join(", ", at.Format("2006-01-02 15:04"), p.look.ago(at))
}
