// Whether a hand-over still speaks of now: HANDOFF.json and .continue-here.md are left behind when work goes on.

package gsd

import (
	"strings"
	"time"
)

// handoverGrace is how much older than STATE.md a hand-over may be and still be current: the command that pauses writes
// the one first and the other when it is done.
const handoverGrace = 10 * time.Minute

// staleHandoff says why HANDOFF.json is out of date, "" while it holds.
func (c *collector) staleHandoff() string {
	h := c.handoff
	if h.over() {
		return "its status is " + h.status
	}
	p := c.named(h.phase)
	if past := c.pastNumber(h.phase); p == nil && past != "" {
		return "phase " + h.phase + ": " + past
	}
	return c.stale(h.since, p, c.handFile)
}

// staleContinue is staleHandoff for a .continue-here.md, in a phase's directory or, for nil, the build's.
func (c *collector) staleContinue(s *continueHere, p *phase, file string) string {
	if p == nil {
		p = c.named(s.phase)
	}
	if past := c.pastNumber(s.phase); p == nil && past != "" {
		return "phase " + s.phase + ": " + past
	}
	return c.stale(s.updated, p, file)
}

// stale says why a hand-over about a phase is out of date: the phase is finished or past, or STATE.md was written and a
// session held since. One that STATE.md names as the file to resume from holds, and so does one whose time nobody knows.
func (c *collector) stale(since time.Time, p *phase, file string) string {
	switch {
	case p != nil && p.past != "":
		return "phase " + p.id.text + ": " + p.past
	case p != nil && p.closed:
		return "phase " + p.id.text + " is finished since"
	case c.state.resume != "" && strings.HasSuffix(file, strings.TrimPrefix(c.state.resume, "./")), since.IsZero():
		return ""
	}
	if since.Equal(since.Truncate(24 * time.Hour)) {
		since = since.Add(24 * time.Hour) // a day alone is not before a time in it
	}
	since = since.Add(handoverGrace)
	for _, t := range []time.Time{c.state.updated, c.state.session} {
		if !t.IsZero() && !since.Before(t) {
			return ""
		}
	}
	if last := later(c.state.updated, c.state.session); !last.IsZero() {
		return "work went on: STATE.md is of " + last.Format(time.DateOnly) + ", this of " + since.Format(time.DateOnly)
	}
	return ""
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
