// Since when each status is so: from what the files say, else the time of the file that says so, marked as such. Where
// neither is known there is no time. What a dashboard has seen to change is added above ([model.Build.Remember]).

package gsd

import (
	"path"
	"time"

	"gatehouse/model"
	"gatehouse/parse/protocol"
)

// moment is a time since when something is so. file says that only the time of a file is known.
type moment struct {
	at   time.Time
	file bool
}

// said returns the time that a file names, as written, else that of the file.
func said(text string, file time.Time) moment { return saidAt(protocol.ParseTime(text), file) }

func saidAt(at, file time.Time) moment {
	if !at.IsZero() {
		return moment{at: at}
	}
	return moment{file, !file.IsZero()}
}

// clockSkew is how far the clock that wrote a time may be ahead of ours.
const clockSkew = 5 * time.Minute

// notBeforeItIs takes a time for unknown that is still to come.
func (c *collector) notBeforeItIs(m moment) moment {
	if m.at.After(c.now.Add(clockSkew)) {
		return moment{}
	}
	return m
}

// put gives a node its time.
func (m moment) put(n *model.Node) { n.Since, n.SinceFile = m.at, m.file }

// latest returns the later of two, of which one may not be known.
func latest(a, b moment) moment {
	if b.at.After(a.at) {
		return b
	}
	return a
}

// earliest returns the earlier of two, of which one may not be known.
func earliest(a, b moment) moment {
	if a.at.IsZero() || !b.at.IsZero() && b.at.Before(a.at) {
		return b
	}
	return a
}

// atWork is since when STATE.md says what it says of the work: when it was last written.
func (c *collector) atWork() moment {
	at := c.state.updated
	if at.IsZero() {
		at = c.stateIs.ModTime
	}
	return moment{at, !at.IsZero()}
}

// planSince says since when a plan stands as it does.
func (c *collector) planSince(s *planState) moment {
	switch {
	case s.status == model.Active:
		return c.atWork()
	case s.summary != nil && !s.plan.superseded:
		return saidAt(s.summary.worked.Ended, s.sumEntry.ModTime)
	case len(s.blockedBy) > 0:
		return c.planSince(s.blockedBy[0])
	}
	return moment{s.entry.ModTime, !s.entry.ModTime.IsZero()}
}

// verifiedSince says since when a phase's verification says what it says.
func (p *phase) verifiedSince() moment { return said(p.verified.verified, p.verFile.ModTime) }

// plannedSince says since when a phase stands as it does that is in ROADMAP.md only: one that is done since that says, or its
// milestone was shipped.
func (c *collector) plannedSince(p *phase) moment {
	if !p.status.Closed() {
		return c.planned
	}
	if on := protocol.ParseTime(p.road.completed); !on.IsZero() {
		return moment{at: on}
	}
	return saidAt(c.shippedOn(p.version), c.planned.at)
}

// shippedOn returns the day a milestone was shipped by MILESTONES.md, else by ROADMAP.md; the zero time where neither says.
func (c *collector) shippedOn(version string) (on time.Time) {
	if m := c.behind.find(version); m != nil {
		on = protocol.ParseTime(m.on)
	}
	if m := c.roadmap.find(version); m != nil && on.IsZero() {
		on = protocol.ParseTime(m.on)
	}
	return on
}

// milestoneSince says since when a milestone stands as it does, once it has the status of its phases.
func (c *collector) milestoneSince(g *model.Node) moment {
	if on := c.shippedOn(g.Number); g.Status == model.Done && !on.IsZero() {
		return moment{at: on}
	}
	if m := rollSince(g.Status, g.Children); !m.at.IsZero() {
		return m
	}
	return c.planned
}

// phaseSince says since when a phase stands as it does.
func (c *collector) phaseSince(p *phase) moment {
	if p.dir == "" {
		return c.plannedSince(p)
	}
	var first, last, newest moment
	for _, s := range p.plans {
		if at := c.planSince(s); s.summary != nil && !s.plan.superseded {
			first, last = earliest(first, at), latest(last, at)
		} else if s.raw == "blocked" && p.status == model.Blocked {
			return at
		}
	}
	for _, e := range p.files {
		newest = latest(newest, moment{e.ModTime, true})
	}
	switch {
	case c.answered(p):
		for i := range p.uats {
			if p.uats[i].uat.allPassed() {
				return p.uats[i].sinceWhen()
			}
		}
	case p.status == model.Waiting && p.decides.File == "" && c.waiting != nil:
		return c.waiting.sinceWhen()
	case p.decides.File != "":
		for i := range p.uats {
			if path.Join(p.dir, p.uats[i].name) == p.decides.File {
				return p.uats[i].sinceWhen()
			}
		}
		if p.outdatedBy() == "" {
			return p.verifiedSince()
		}
		return last
	case p.word == wordComplete:
		return p.verifiedSince()
	case p.executed() && !last.at.IsZero():
		return last
	case p.status == model.Active && !first.at.IsZero():
		return first
	case p.status == model.Active:
		return c.atWork()
	}
	return newest
}

// rollSince says since when a whole is as its parts are: what is closed since the last of them was, all else since the first
// of those that stand like it. What goes on though no part does, some being done and others not begun, does so since the
// first was done.
func rollSince(status model.Status, parts []*model.Node) (m moment) {
	var begun moment
	for _, n := range parts {
		at := moment{n.Since, n.SinceFile}
		switch {
		case status.Closed():
			m = latest(m, at)
		case n.Status == status:
			m = earliest(m, at)
		case n.Status != model.Pending && n.Status != model.Unknown:
			begun = earliest(begun, at)
		}
	}
	if m.at.IsZero() {
		return begun
	}
	return m
}

// buildSince gives the build the time since when its status is so.
func (c *collector) buildSince() {
	b := c.b
	var m moment
	var parts []*model.Node
	for _, p := range c.nowCounted() {
		n := &model.Node{Status: p.status}
		switch {
		case p.closed:
			n.Status = model.Done
		case c.answered(p):
			n.Status = model.Executed
		}
		c.phaseSince(p).put(n)
		parts = append(parts, n)
	}
	if waits := b.Certain(); b.Status == model.Waiting && len(waits) > 0 {
		for _, w := range waits {
			m = earliest(m, moment{w.Since, w.SinceFile})
		}
	} else if m = rollSince(b.Status, parts); m.at.IsZero() {
		m = c.atWork()
	}
	b.Since, b.SinceFile = m.at, m.file
}

// forgetTomorrow takes the times away that are still to come: nothing is so since tomorrow. Tasks have theirs already.
func (c *collector) forgetTomorrow() {
	for _, n := range model.Walk(c.b.Nodes) {
		if m := c.notBeforeItIs(moment{n.Since, n.SinceFile}); m.at.IsZero() && !n.Since.IsZero() {
			m.put(n)
		}
	}
	m := c.notBeforeItIs(moment{c.b.Since, c.b.SinceFile})
	c.b.Since, c.b.SinceFile = m.at, m.file
	for i := range c.b.Blockers {
		x := &c.b.Blockers[i]
		m := c.notBeforeItIs(moment{x.Since, x.SinceFile})
		x.Since, x.SinceFile = m.at, m.file
	}
	for i := range c.b.Expired {
		w := &c.b.Expired[i]
		m := c.notBeforeItIs(moment{w.Since, w.SinceFile})
		w.Since, w.SinceFile = m.at, m.file
	}
	if p := c.b.Pause; p != nil {
		m := c.notBeforeItIs(moment{p.Since, p.SinceFile})
		p.Since, p.SinceFile = m.at, m.file
	}
}
