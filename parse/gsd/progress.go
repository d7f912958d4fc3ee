// Counting: how far the current milestone is, as GSD's writer of STATE.md
// counts it (notes on GSD, §2.5 A), and what would come next.

package gsd

import (
	"path"
	"strings"

	"gatehouse/model"
)

// count fills in the build's progress. The headline is the smaller of the
// shares of finished plans and finished phases, each rounded as JavaScript
// does; a dimension without anything in it does not count.
func (c *collector) count() {
	c.counted = c.scope()
	pr := &c.b.Progress
	dirs := 0
	for _, p := range c.counted {
		if p.road != nil && p.road.retired {
			continue
		}
		pr.Closed.Total++
		if p.closed {
			pr.Closed.Done++
		}
		if p.dir == "" {
			continue
		}
		dirs++
		plans, done := p.live()
		pr.Plans.Total += len(plans)
		pr.Plans.Done += done
		if p.executed() {
			pr.Phases.Done++
		}
	}
	pr.Phases.Total = dirs
	if c.bounded() {
		// GSD counts headings here; a phase that only has a check box is as
		// much planned, and leaving it out would call the rest further on.
		pr.Phases.Total = pr.Closed.Total
	}
	switch {
	case dirs == 0:
		// Without a directory there is nothing to count: what the roadmap
		// plans is not begun, what it ticks off is its word only.
		return
	case pr.Plans.Total == 0:
		pr.Percent = pr.Phases.Round()
	default:
		pr.Percent = min(pr.Plans.Round(), pr.Phases.Round())
	}
	pr.Known = true
}

// scope returns the phases the counts are about: those of the milestone that
// STATE.md names, where the roadmap places any directory there, with those that
// it places nowhere; else all that have a directory, and with them those only
// planned, unless their milestone is over.
func (c *collector) scope() []*phase {
	current := c.state.line.Milestone
	var in, all []*phase
	found := false
	for _, p := range c.phases {
		if current != "" && p.version == current {
			in = append(in, p)
			found = found || p.dir != ""
		} else if p.version == "" {
			in = append(in, p)
		}
		if p.dir != "" || !c.over(p) {
			all = append(all, p)
		}
	}
	if found {
		return in
	}
	return all
}

// over reports whether a phase belongs to a milestone that has shipped.
func (c *collector) over(p *phase) bool {
	if p.road != nil && p.road.shipped {
		return true
	}
	m := c.roadmap.find(p.version)
	return m != nil && m.state == stateShipped
}

// bounded reports whether the roadmap says which phases the current milestone
// has: by a heading of its own, or by having no sections at all.
func (c *collector) bounded() bool {
	if !c.roadmap.sectioned {
		return true
	}
	m := c.roadmap.find(c.state.line.Milestone)
	return m != nil && m.bounded
}

// position finds the phase worked on, the state of the whole, and what would
// come next.
func (c *collector) position() {
	b := c.b
	for _, number := range []string{c.state.line.ActivePhase, c.state.current} {
		if id, _, ok := parsePhaseID(number); ok && c.current == nil {
			c.current = c.byKey[id.key]
		}
	}
	if c.state.line.ActivePhase != "" && c.current != nil {
		b.Now = phaseNode(c.current)
	}
	var statuses []model.Status
	for _, p := range c.counted {
		statuses = append(statuses, p.status)
	}
	b.Status, b.Raw = model.RollUp(statuses), clean(c.state.line.Status)
	b.Why = "from " + number(len(c.counted), "phase") + " of the tree"
	if len(statuses) == 0 {
		b.Why = "there are no phases to tell from"
		if c.allShipped() {
			b.Status, b.Why = model.Done, "all milestones of the roadmap are shipped"
		}
	}
	if len(b.Certain()) > 0 {
		b.Status, b.Why = model.Waiting, number(len(b.Certain()), "thing")+" for a human to do"
	}
	c.pause()
	b.Next = c.next()
	b.Freshness.Claimed = c.state.updated
}

// allShipped reports whether the roadmap has milestones, all of them over.
func (c *collector) allShipped() bool {
	shipped := 0
	for i := range c.roadmap.milestones {
		switch c.roadmap.milestones[i].state {
		case stateShipped:
			shipped++
		case statePlanned:
		default:
			return false
		}
	}
	return shipped > 0
}

// pause notes that work was laid down: by STATE.md, by a hand-over, or by the
// note that stops the next command.
func (c *collector) pause() {
	if reason, at, ok := c.state.paused(); ok {
		c.b.Pause = &model.Pause{Reason: clean(reason), Since: c.state.updated, Source: model.Pos{File: c.b.File, Line: at}}
		return
	}
	if h := c.handoff; h != nil && (h.status == "" || h.status == "paused") {
		c.b.Pause = &model.Pause{Reason: clean(firstLine(h.reason)), Since: h.since, Source: model.Pos{File: path.Join(c.dir, "HANDOFF.json")}}
		return
	}
	file := path.Join(c.dir, ".continue-here.md")
	if _, ok := c.m.Stat(file); ok {
		r := at(c, file, parseContinue)
		if r.Value != nil {
			c.b.Pause = &model.Pause{Reason: clean(r.Value.task), Since: r.Value.updated, Source: model.Pos{File: file}}
		}
	}
}

// next returns the command GSD would have run next: what STATE.md recommends,
// while the tree has that phase open; else what the phase whose turn it is
// needs.
func (c *collector) next() *model.Next {
	l := &c.state.line
	if l.ActivePhase == "" && l.NextAction != "" && len(l.NextPhases) > 0 {
		if p := c.named(l.NextPhases[0]); p == nil || !p.closed {
			n := &model.Next{Command: clean(l.NextAction + " " + strings.Join(l.NextPhases, "/")), Why: "STATE.md recommends it", Source: model.Pos{File: c.b.File}}
			if p != nil {
				n.Node = phaseNode(p)
			}
			return n
		}
	}
	p := c.first()
	if p == nil {
		return nil
	}
	command, arguments := "discuss-phase", " "+p.id.text
	switch {
	case p.status == model.Failed:
		command, arguments = "plan-phase", arguments+" --gaps"
	case p.word == wordExecuted || p.word == wordNeedsReview || p.word == wordComplete:
		command = "verify-work"
	case p.word == wordPlanned || p.word == wordInProgress:
		command = "execute-phase"
	case p.has("CONTEXT.md") || p.has("RESEARCH.md"):
		command = "plan-phase"
	}
	return &model.Next{Command: command + arguments, Why: clean("phase " + p.id.text + ": " + p.why), Node: phaseNode(p), Derived: true}
}

// first returns the open phase whose turn it is: the one STATE.md is at, else
// one that waits for a human, else the first of a milestone that is not over,
// else the first. A phase of which nothing is known can't be next.
func (c *collector) first() *phase {
	var waits, current, any *phase
	for _, p := range c.counted {
		if p.closed || p.status == model.Unknown {
			continue
		}
		if p == c.current {
			return p
		}
		if waits == nil && p.status == model.Waiting {
			waits = p
		}
		if current == nil && !c.over(p) {
			current = p
		}
		if any == nil {
			any = p
		}
	}
	for _, p := range []*phase{waits, current, any} {
		if p != nil {
			return p
		}
	}
	return nil
}

// named returns the phase with a number as a file writes it, nil without one.
func (c *collector) named(text string) *phase {
	id, _, ok := parsePhaseID(strings.TrimPrefix(strings.TrimSpace(text), "Phase "))
	if !ok {
		return nil
	}
	return c.byKey[id.key]
}
