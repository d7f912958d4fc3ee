package gsd

import (
	"cmp"
	"path"
	"time"

	"gatehouse/model"
	"gatehouse/parse/gsd/core"
	"gatehouse/parse/protocol"
)

// The age of a status comes from a time in the files, else from the modification time of the deciding file, which is
// marked. Changes that a dashboard has seen are added later; see [model.Build.Remember].

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

// clockSkew is how far the clock that wrote a time may be ahead of ours.
const clockSkew = 5 * time.Minute

// momentSince returns a time stated in a file, else the file's own time; none if it is in the future.
func (c *build) momentSince(at time.Time, modified int64) moment {
	m := moment{cmp.Or(at, timeOf(modified)), at.IsZero() && modified != 0}
	if m.at.After(c.now.Add(clockSkew)) {
		return moment{}
	}
	return m
}

// momentStated returns a time as written, else the file's own time.
func (c *build) momentStated(text string, modified int64) moment {
	return c.momentSince(protocol.ParseTime(text), modified)
}

func (c *build) fileTime(modified int64) moment { return c.momentSince(time.Time{}, modified) }

func setSince(n *model.Node, m moment) { n.Since, n.SinceFile = m.at, m.fromFile }

// latestOf returns the later of two moments; unknown ones do not count.
func latestOf(a, b moment) moment {
	if b.at.After(a.at) {
		return b
	}
	return a
}

// earliestOf returns the earlier of two moments; unknown ones do not count.
func earliestOf(a, b moment) moment {
	if a.at.IsZero() || !b.at.IsZero() && b.at.Before(a.at) {
		return b
	}
	return a
}

// stateSince is when STATE.md was last written.
func (c *build) stateSince() moment {
	m := c.momentStated(c.State.LastUpdated, c.StateFile.Modified)
	m.fromFile = !m.at.IsZero()
	return m
}

func (c *build) uatSince(u *core.UATFile) moment { return c.momentStated(u.Updated, u.Modified) }

func (c *build) verificationSince(v *core.VerificationFile) moment {
	return c.momentStated(v.Verified, v.Modified)
}

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
		return c.momentSince(timesOf(s).Ended, s.SummaryModified)
	case len(s.BlockedBy) > 0:
		return c.planSince(s.BlockedBy[0])
	}
	return c.fileTime(s.Modified)
}

// phaseSince returns the time at which a phase got its status: from the deciding file, else from its plans, else from
// its newest file.
func (c *build) phaseSince(p *core.Phase) moment {
	if p.Dir == "" {
		if !p.Status.IsClosed() {
			return c.fileTime(c.Planned)
		}
		return c.momentSince(cmp.Or(protocol.ParseTime(p.Road.Completed), protocol.ParseTime(c.ShippedOn(p.Version))), c.Planned)
	}
	var first, last, newest moment
	for _, s := range p.Plans {
		if at := c.planSince(s); s.Summary != nil && !s.Plan.IsSuperseded {
			first, last = earliestOf(first, at), latestOf(last, at)
		} else if s.Word == "blocked" && p.Status == core.Blocked {
			return at
		}
	}
	for _, e := range p.Files {
		newest = latestOf(newest, c.fileTime(e.Modified))
	}
	for _, u := range p.UATs {
		if path.Join(p.Dir, u.File) == p.DecidedBy {
			return c.uatSince(u)
		}
	}
	for _, v := range p.Verifications {
		if path.Join(p.Dir, v.File) == p.DecidedBy && !c.IsStale(p, v) {
			return c.verificationSince(v)
		}
	}
	switch {
	case p.Status == core.Waiting && p.DecidedBy == "" && c.Signal != nil:
		return c.momentStated(c.Signal.Since, c.Signal.Modified)
	case p.DecidedBy == "" && p.Word == core.WordComplete && p.Main != nil:
		return c.verificationSince(p.Main)
	case p.DecidedBy != "", p.IsExecuted() && !last.at.IsZero():
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
		return c.momentSince(on, 0)
	}
	if m := rollUpSince(g.Status, g.Children); !m.at.IsZero() {
		return m
	}
	return c.fileTime(c.Planned)
}

// rollUpSince says since when a whole has the status of its parts: a closed one since its last part was, any other since the first
// part has the same status, else since the first part began.
func rollUpSince(status model.Status, parts []*model.Node) (m moment) {
	var begun moment
	for _, n := range parts {
		at := moment{n.Since, n.SinceFile}
		switch {
		case status.Closed():
			m = latestOf(m, at)
		case n.Status == status:
			m = earliestOf(m, at)
		case n.Status != model.Pending && n.Status != model.Unknown:
			begun = earliestOf(begun, at)
		}
	}
	if m.at.IsZero() {
		return begun
	}
	return m
}

// buildSince says since when the build has its status.
func (c *build) buildSince() (m moment) {
	if waits := c.b.Certain(); c.b.Status == model.Waiting && len(waits) > 0 {
		for _, w := range waits {
			m = earliestOf(m, moment{w.Since, w.SinceFile})
		}
		return m
	}
	var parts []*model.Node
	for _, p := range c.CurrentPhases() {
		n := &model.Node{Status: c.effectiveStatus(p)}
		setSince(n, c.phaseSince(p))
		parts = append(parts, n)
	}
	if m = rollUpSince(c.b.Status, parts); m.at.IsZero() {
		return c.stateSince()
	}
	return m
}
