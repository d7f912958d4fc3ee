// Since when each status is so: from what the files say, else the time of the file that says so, marked as such. Where
// neither is known there is no time. What a dashboard has seen to change is added above ([model.Build.Remember]).

package gsd

import (
	"path"
	"time"

	"gatehouse/model"
	"gatehouse/parse/reader"
)

// moment is a time since when something is so. file says that only the time of a file is known.
type moment struct {
	at   time.Time
	file bool
}

// said returns the time that a file names, as written, else that of the file.
func said(text string, file time.Time) moment { return saidAt(reader.Time(text), file) }

func saidAt(at, file time.Time) moment {
	if !at.IsZero() {
		return moment{at: at}
	}
	return moment{file, !file.IsZero()}
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
		return said(s.summary.completed, s.sumEntry.ModTime)
	case len(s.blockedBy) > 0:
		return c.planSince(s.blockedBy[0])
	}
	return moment{s.entry.ModTime, !s.entry.ModTime.IsZero()}
}

// verifiedSince says since when a phase's verification says what it says.
func (p *phase) verifiedSince() moment { return said(p.verified.verified, p.verFile.ModTime) }

// phaseSince says since when a phase stands as it does.
func (c *collector) phaseSince(p *phase) moment {
	if p.dir == "" {
		if p.road != nil && p.status.Closed() {
			return said(p.road.completed, time.Time{})
		}
		return moment{}
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
// of those that stand like it.
func rollSince(status model.Status, parts []*model.Node) (m moment) {
	for _, n := range parts {
		at := moment{n.Since, n.SinceFile}
		switch {
		case status.Closed():
			m = latest(m, at)
		case n.Status == status:
			m = earliest(m, at)
		}
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
	} else if m = rollSince(b.Status, parts); m.at.IsZero() && b.Status == model.Active {
		// Some are done and none has begun: it goes on since the first was.
		for _, n := range parts {
			if n.Status.Closed() {
				m = earliest(m, moment{n.Since, n.SinceFile})
			}
		}
	}
	b.Since, b.SinceFile = m.at, m.file
}
