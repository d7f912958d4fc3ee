package gsd

import (
	"path"
	"time"

	"gatehouse/model"
	"gatehouse/parse/gsd/core"
	"gatehouse/parse/protocol"
)

// A status is as old as the files say, else as the file that says so, which is marked. What a dashboard has seen change is added
// later; see [model.Build.Remember].

// moment is a time since when something is so.
type moment struct {
	at       time.Time
	fromFile bool // it is only the modification time of a file
}

func timeOf(modified int64) time.Time {
	if modified == 0 {
		return time.Time{}
	}
	return time.Unix(0, modified)
}

func fileTime(modified int64) moment { return moment{timeOf(modified), modified != 0} }

// said returns a time as written, else that of the file.
func said(text string, modified int64) moment {
	if at := protocol.ParseTime(text); !at.IsZero() {
		return moment{at: at}
	}
	return fileTime(modified)
}

func setSince(n *model.Node, m moment) { n.Since, n.SinceFile = m.at, m.fromFile }

// clockSkew is how far the clock that wrote a time may be ahead of ours.
const clockSkew = 5 * time.Minute

// dropFuture returns no time for one that is still to come.
func (c *build) dropFuture(m moment) moment {
	if m.at.After(c.now.Add(clockSkew)) {
		return moment{}
	}
	return m
}

// latest returns the later of two moments, one of which may be unknown.
func latest(a, b moment) moment {
	if b.at.After(a.at) {
		return b
	}
	return a
}

// earliest returns the earlier of two moments, one of which may be unknown.
func earliest(a, b moment) moment {
	if a.at.IsZero() || !b.at.IsZero() && b.at.Before(a.at) {
		return b
	}
	return a
}

// stateSince is when STATE.md was last written.
func (c *build) stateSince() moment {
	m := said(c.State.LastUpdated, c.StateFile.Modified)
	m.fromFile = !m.at.IsZero()
	return m
}

func uatSince(u *core.UATFile) moment { return said(u.Updated, u.Modified) }

func verificationSince(v *core.VerificationFile) moment { return said(v.Verified, v.Modified) }

func timesOf(s *core.PlanState) protocol.Worked {
	worked, _ := s.Summary.Times.(protocol.Worked)
	return worked
}

// planSince says since when a plan has its status.
func (c *build) planSince(s *core.PlanState) moment {
	switch {
	case s.Status == core.Active:
		return c.stateSince()
	case s.Summary != nil && !s.Plan.IsSuperseded:
		if ended := timesOf(s).Ended; !ended.IsZero() {
			return moment{at: ended}
		}
		return fileTime(s.SummaryModified)
	case len(s.BlockedBy) > 0:
		return c.planSince(s.BlockedBy[0])
	}
	return fileTime(s.Modified)
}

// phaseSince says since when a phase has its status: by what decides it, else by its plans, else by its newest file.
func (c *build) phaseSince(p *core.Phase) moment {
	if p.Dir == "" {
		if !p.Status.IsClosed() {
			return fileTime(c.Planned)
		}
		if on := protocol.ParseTime(p.Road.Completed); !on.IsZero() {
			return moment{at: on}
		}
		return said(c.ShippedOn(p.Version), c.Planned)
	}
	var first, last, newest moment
	for _, s := range p.Plans {
		if at := c.planSince(s); s.Summary != nil && !s.Plan.IsSuperseded {
			first, last = earliest(first, at), latest(last, at)
		} else if s.Word == "blocked" && p.Status == core.Blocked {
			return at
		}
	}
	for _, e := range p.Files {
		newest = latest(newest, fileTime(e.Modified))
	}
	answer := p.AnsweredBy()
	for _, u := range p.UATs {
		if c.IsAnswered(p) && u.File == answer || !c.IsAnswered(p) && path.Join(p.Dir, u.File) == p.DecidedBy {
			return uatSince(u)
		}
	}
	switch {
	case p.Status == core.Waiting && p.DecidedBy == "" && c.Signal != nil:
		return said(c.Signal.Since, c.Signal.Modified)
	case p.DecidedBy != "":
		for _, v := range p.Verifications {
			if path.Join(p.Dir, v.File) == p.DecidedBy && !c.IsStale(p, v) {
				return verificationSince(v)
			}
		}
		return last
	case p.Word == core.WordComplete && p.Main != nil:
		return verificationSince(p.Main)
	case p.IsExecuted() && !last.at.IsZero():
		return last
	case p.Status == core.Active && !first.at.IsZero():
		return first
	case p.Status == core.Active:
		return c.stateSince()
	}
	return newest
}

// milestoneSince says since when a milestone has the status of its phases.
func (c *build) milestoneSince(g *model.Node) moment {
	if on := protocol.ParseTime(c.ShippedOn(g.Number)); g.Status == model.Done && !on.IsZero() {
		return moment{at: on}
	}
	if m := rollUpSince(g.Status, g.Children); !m.at.IsZero() {
		return m
	}
	return fileTime(c.Planned)
}

// rollUpSince says since when a whole has the status of its parts: a closed one since its last part was, any other since the first
// part has the same status, else since the first part began.
func rollUpSince(status model.Status, parts []*model.Node) (m moment) {
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

// setSince gives the build its time, and removes times that are still to come.
func (c *build) setSince() {
	b := c.b
	var m moment
	if waits := b.Certain(); b.Status == model.Waiting && len(waits) > 0 {
		for _, w := range waits {
			m = earliest(m, moment{w.Since, w.SinceFile})
		}
	} else {
		var parts []*model.Node
		for _, p := range c.Now() {
			n := &model.Node{Status: c.effectiveStatus(p)}
			setSince(n, c.phaseSince(p))
			parts = append(parts, n)
		}
		if m = rollUpSince(b.Status, parts); m.at.IsZero() {
			m = c.stateSince()
		}
	}
	b.Since, b.SinceFile = m.at, m.fromFile
	drop := func(at *time.Time, fromFile *bool) {
		if !at.IsZero() && c.dropFuture(moment{at: *at}).at.IsZero() {
			*at, *fromFile = time.Time{}, false
		}
	}
	drop(&b.Since, &b.SinceFile)
	for _, n := range model.Walk(b.Nodes) {
		drop(&n.Since, &n.SinceFile) // not of tasks, which are shared between builds: their times are never to come
	}
	for i := range b.Blockers {
		drop(&b.Blockers[i].Since, &b.Blockers[i].SinceFile)
	}
	for i := range b.Expired {
		drop(&b.Expired[i].Since, &b.Expired[i].SinceFile)
	}
	if b.Pause != nil {
		drop(&b.Pause.Since, &b.Pause.SinceFile)
	}
}

// effectiveStatus is the status of a phase as a part of its milestone: an answered one is an agent's turn.
func (c *build) effectiveStatus(p *core.Phase) model.Status {
	switch {
	case p.IsClosed:
		return model.Done
	case p.Status == core.Waiting && !c.WaitsIn(p):
		return model.Executed
	}
	return statusOf(p.Status)
}
