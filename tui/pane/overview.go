package pane

// The state of a build as a whole: the claims of STATE.md and similar files compared with the tree, waits, blockers and the next step.

import (
	"slices"
	"strconv"
	"time"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// overviewPage lays out a build, or a project without one, with its possible verbs. Content of other visible panes
// is left out.
func overviewPage(l *draw.Look, ix *index.Index, s *index.Site, width int, inView panesInView, offers []draw.Hint) page {
	p := newPage(l, width)
	p.Text(l.Theme.Strong, draw.Join(draw.PartJoint, s.Project.Name, s.Title()))
	p.addOutOfReach(s)
	b := s.Build
	if b == nil {
		p.Text("", noBuild)
		p.addHost(s.Project.Host)
		p.Problems(s.Project.Problems)
		return p
	}
	st, sign, word := s.StatusOfBuild(l)
	since := l.For(b.Since, b.SinceFile)
	if !b.StaleSince.IsZero() {
		since = l.For(b.StaleSince, false)
	}
	p.addStatus(st, sign, word, since, b.Raw)
	p.Text(l.Theme.Dim, b.Why)
	p.addHost(s.Project.Host)
	if s.IsAgents() {
		p.addSessions(s)
		p.Problems(s.Problems())
		return p
	}
	if !inView.waits && len(b.Waits) > 0 { // the header says that nothing waits
		p.Heading("Waits for you")
		for _, w := range draw.Limited(p.Page, b.Waits) {
			p.addWait(s, w, "")
		}
	}
	if !inView.blockers {
		p.addBlockers(s, s.Blockers())
	}
	if b.Pause != nil {
		p.Heading("Paused")
		p.Quote("", b.Pause.Reason)
		p.Text(l.Theme.Dim, draw.Join(draw.PartJoint, l.Since(b.Pause.Since, b.Pause.SinceFile), b.Pause.Source.String()))
	}
	p.addOffers(offers)
	if !inView.waits && b.Next != nil && !s.NextAnswers() {
		p.Heading("Next")
		p.addNext(s, b.Next)
	}
	if b.Resume != nil { // the build can be resumed at these points
		p.Heading("Take up again")
		for _, l := range b.Resume.Lines(l.Now, draw.ListLimit) {
			p.Below("", l)
		}
	}
	p.addCounts(b)
	p.addDivergences(b, KeyOf(offers, model.VerbSync))
	p.addDecisionsAbout(s, "")
	p.addFreshness(b, ix.Snap.Watch)
	if !inView.blockers {
		p.Problems(s.Problems())
	}
	return p
}

// panesInView are the panes whose content the overview need not repeat.
type panesInView struct{ waits, blockers bool }

// addDivergences adds each claim of the state file with the state of the tree, and the key that syncs them, "" for none.
func (p page) addDivergences(b *model.Build, sync string) {
	th := p.Look.Theme
	if len(b.Divergences) == 0 {
		for _, d := range b.Lags {
			p.Text(th.Dim, "not yet written: "+d.Claim+", "+d.Truth)
		}
		return
	}
	p.Heading("Claimed, but not so")
	if sync != "" {
		r := p.Look.Ribbon(p.Width)
		r.Add(th.Strong, sync)
		r.Add(th.Dim, " brings the file in line with the tree")
		p.Add(&r)
	}
	for _, d := range draw.Limited(p.Page, b.Divergences) {
		p.Item(th.Wait, p.Look.Glyphs.Differs, "", d.Claim)
		p.Below(th.Wait, d.Truth)
		p.Below(th.Dim, d.Source.String())
	}
}

// addBlockers adds blockers, and concerns under a heading of their own.
func (p page) addBlockers(s *index.Site, blockers []model.Blocker) {
	concerns := slices.DeleteFunc(slices.Clone(blockers), func(b model.Blocker) bool { return !b.Concern })
	blockers = slices.DeleteFunc(slices.Clone(blockers), func(b model.Blocker) bool { return b.Concern })
	for i, b := range draw.Limited(p.Page, append(blockers, concerns...)) {
		switch {
		case i == len(blockers):
			p.Heading("Concerns")
		case i == 0:
			p.Heading("Blocked")
		}
		p.addBlocker(s, b, "")
	}
}

// addCounts adds the progress of the build. Unknown values are not shown.
func (p page) addCounts(b *model.Build) {
	p.Heading("Progress")
	if !b.Progress.Known {
		why := "not known: there is nothing to count"
		if b.Progress.Plans.Total > 0 {
			why = "not known: the " + draw.Counted(b.Progress.Plans.Total, "plan") + " on disk are of other milestones"
		}
		p.Text(p.Look.Theme.Dim, why)
		return
	}
	of := func(c model.Count) string {
		if c.Total == 0 {
			return ""
		}
		return doneOf(c)
	}
	percent := b.Progress.Percent
	p.addShare(model.Count{Done: percent, Total: 100}, percent, min(20, p.Width-6), 0, " of "+b.Progress.Of())
	phases := of(b.Progress.Closed)
	if unverified := b.Progress.Phases.Done - b.Progress.Closed.Done; phases != "" && b.Progress.Plans.Total > 0 && unverified > 0 {
		phases += " done, " + strconv.Itoa(unverified) + " " + model.Executed.Word()
	}
	p.Facts(
		draw.Fact{Label: "plans", Value: of(b.Progress.Plans)},
		draw.Fact{Label: "phases", Value: phases},
		draw.Fact{Label: "chunks", Value: of(b.Progress.Chunks)},
		draw.Fact{Label: "left", Value: leftInShort(b.History)},
	)
}

// addFreshness adds the age and the source of the shown state; watch says why it may be late.
func (p page) addFreshness(b *model.Build, watch string) {
	th, f := p.Look.Theme, b.Freshness
	p.Heading("Files")
	if f.Held > 0 {
		p.Item(th.Wait, p.Look.Glyphs.Held, th.Wait, "last good state: "+draw.Counted(f.Held, "file")+" cannot be read now")
	}
	idle, left := f.Idle(p.Look.Now)
	p.Facts(
		draw.Fact{Label: "idle", Value: draw.If(left && !b.Status.Closed(), model.Age(idle)+" without a change: abandoned?"), Style: th.Wait},
		draw.Fact{Label: "watched", Value: watch, Style: th.Wait},
		draw.Fact{Label: "changed", Value: p.Look.Ago(f.Changed)},
		draw.Fact{Label: "dated", Value: p.dateWords(f.Claimed)},
		draw.Fact{Label: "state file", Value: b.File, Style: th.Dim},
	)
}

func (p page) dateWords(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return draw.Join(", ", at.Format("2006-01-02 15:04"), p.Look.Ago(at))
}
