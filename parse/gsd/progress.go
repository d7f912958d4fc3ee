// Counting: how far the current milestone is, as GSD's writer of STATE.md counts it, and what would come next.

package gsd

import (
	"path"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/gsd/milestone"
	"gatehouse/parse/protocol"
)

// count fills in the build's progress. The headline is the share of finished plans, rounded as JavaScript does: what GSD's
// own "progress" says. It is no word on phases that are not planned yet; those keep the line from saying complete. What is
// done is told of the milestone that is under way to a reader.
func (c *collector) count() {
	c.counted = c.inScope(&c.counting)
	c.ours = c.inScope(&c.scope)
	pr := &c.b.Progress
	closed := c.nowCounted()
	if len(closed) == 0 && c.allShipped() {
		closed = c.counted // they are what is done
	}
	for _, p := range closed {
		if p.road != nil && p.road.retired {
			continue
		}
		pr.Closed.Total++
		if p.closed {
			pr.Closed.Done++
		}
	}
	dirs := 0 // of those counted, which the percentage is about
	for _, p := range c.counted {
		if p.dir == "" && p.road != nil && p.road.retired {
			continue // struck through; GSD counts the plans of its directory all the same
		}
		pr.Phases.Total++
		if p.dir == "" {
			if p.closed {
				pr.Phases.Done++ // shipped, and its directory gone
			}
			continue
		}
		if c.overtaken == nil || p.past == "" {
			dirs++
		}
		plans, done := p.live()
		pr.Plans.Total += len(plans)
		pr.Plans.Done += done
		if p.executed() {
			pr.Phases.Done++
		}
	}
	// GSD counts headings here, or directories alone; whatever is planned and
	// left out would call the rest further on than it is.
	pr.Phases.Total += c.unseen()
	pr.Percent, pr.Rounded = pr.Plans.Round(), true
	// Without a directory there is nothing to count: what the roadmap plans is not begun, what it ticks off is its word only.
	// Nor is there where GSD counts directories of other milestones alone: the current one has no phase yet, or STATE.md was
	// left behind and GSD counts what it names.
	pr.Known = dirs > 0 && !c.untold()
}

// untold reports whether there is no phase to tell the current milestone from, and no word of the roadmap that all have
// shipped: then nothing bears a claim out.
func (c *collector) untold() bool { return len(c.nowCounted()) == 0 && !c.allShipped() }

// inScope returns the phases of a scope: of those with a directory, what GSD counts to the current milestone,
// odd as that may be ([milestone.Scope]); of those that stand in the roadmap only, which GSD's counts leave out, what it
// names there, what a reader finds in the milestone's section or range in a form that GSD does not know, and what no
// milestone is said to have. Nothing planned is left out that might be open: a wrong "complete" costs more.
func (c *collector) inScope(scope *milestone.Scope) []*phase {
	var in []*phase
	for _, p := range c.phases {
		switch {
		case p.dir != "":
			if scope.Holds(path.Base(p.dir)) {
				in = append(in, p)
			}
		case scope.Names(p.id.text),
			(scope.Everything() || p.version == "" || p.version == scope.Version) && !c.shipped(p):
			in = append(in, p)
		}
	}
	return in
}

// shipped reports whether a phase belongs to a milestone that has shipped.
func (c *collector) shipped(p *phase) bool {
	if p.road != nil && p.road.shipped {
		return true
	}
	if p.road != nil && p.road.listed && !p.road.checked {
		return false
	}
	m := c.roadmap.find(p.version)
	return m != nil && m.state == stateShipped
}

// unseen returns how many phases STATE.md counts beyond those that are known:
// a roadmap may be missing, half-written or of a form nobody reads. When
// STATE.md has them all finished, it says nothing of open ones.
//
// The progress block counts the milestone's phases; "Phase: 5 of 7" counts from
// the first of the project, so that 7 is the number of the last.
func (c *collector) unseen() int {
	if c.claimsComplete() || len(c.archived) > 0 || c.overtaken != nil {
		return 0
	}
	unseen := c.state.progress["total_phases"] - c.b.Progress.Closed.Total
	if total := c.state.line.PhaseTotal; total != "" {
		last := len(c.phases)
		for _, p := range c.phases {
			last = max(last, p.id.sort.number)
		}
		unseen = max(unseen, min(atoi(total), maxPhases)-last)
	}
	return max(0, min(unseen, maxPhases))
}

// maxPhases bounds what a state file can claim to have.
const maxPhases = 10_000

// locate finds the phase worked on, by what STATE.md says.
func (c *collector) locate() {
	for _, number := range []string{c.state.line.ActivePhase, c.state.current} {
		if id, _, ok := parsePhaseID(number); ok && c.current == nil {
			c.current = c.byKey[id.key]
		}
	}
}

// position finds the state of the whole, and what would come next.
func (c *collector) position() {
	b := c.b
	if c.state.line.ActivePhase != "" && c.current != nil {
		b.Now = phaseNode(c.current)
	}
	var statuses []model.Status
	current := c.nowCounted()
	for _, p := range current {
		switch {
		case p.closed:
			statuses = append(statuses, model.Done)
		case p.status == model.Waiting && !c.waitsIn(p): // answered
			statuses = append(statuses, model.Executed) // answered: an agent's turn, and none is at it
		default:
			statuses = append(statuses, p.status)
		}
	}
	b.Status, b.Raw = model.RollUp(statuses), line.Tidy(c.state.line.Status)
	b.Why = "from " + number(len(current), "phase") + " of the tree"
	if n := c.unseen(); n > 0 && b.Status == model.Done {
		b.Status, b.Why = model.Unknown, "STATE.md counts "+number(n, "phase")+" more than the tree and ROADMAP.md have"
	}
	switch {
	case c.ended != "" && b.Status == model.Done:
		b.Why = c.ended
	case len(current) == 0 && c.allShipped():
		b.Status, b.Why = model.Done, "all milestones of the roadmap are shipped"
	case len(current) == 0 && len(c.counted) > 0:
		b.Status, b.Why = model.Pending, "no phase of it has begun; those on disk are of other milestones"
	case len(current) == 0:
		b.Why = "there are no phases to tell from"
	}
	if len(b.Certain()) > 0 {
		b.Status, b.Why = model.Waiting, number(len(b.Certain()), "thing")+" for a human to do"
	}
	c.pause()
	b.Next = c.next()
	b.Freshness.Claimed = c.state.updated
}

// allShipped reports whether the roadmap has milestones, all of them over, and
// the one that STATE.md names, if any, among them.
func (c *collector) allShipped() bool {
	if c.state.line.Milestone != "" {
		if m := c.roadmap.find(c.currentVersion()); m == nil || m.state != stateShipped {
			return false
		}
	}
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
// note that stops the next command. In a build that is done STATE.md's word was
// only left behind; a hand-over says itself until when it holds.
func (c *collector) pause() {
	lay := func(reason string, since moment, at model.Pos) {
		c.b.Pause = &model.Pause{Reason: line.Tidy(reason), Since: since.at, SinceFile: since.file, Source: at}
	}
	if reason, at, ok := c.state.paused(); ok && c.b.Status != model.Done {
		lay(reason, saidAt(c.state.updated, c.stateIs.ModTime), model.Pos{File: c.b.File, Line: at})
		return
	}
	if h := c.handoff; h != nil && c.staleHandoff() == "" {
		lay(firstLine(h.reason), h.sinceWhen(), model.Pos{File: c.handFile})
		return
	}
	for _, dir := range c.places() {
		for _, e := range c.list(dir) {
			if e.Dir || !strings.HasPrefix(e.Name, ".continue-here") || !strings.HasSuffix(e.Name, ".md") {
				continue
			}
			file := path.Join(dir, e.Name)
			if r := protocol.ReadFile(c.m, c.b, file, parseContinue); r.Value != nil && c.staleContinue(r.Value, nil, file) == "" {
				lay(r.Value.task, saidAt(r.Value.updated, r.ModTime), model.Pos{File: file})
				return
			}
		}
	}
	for _, p := range c.nowCounted() {
		if s := p.stopped; s != nil && c.staleContinue(s, p, p.stopFile) == "" {
			reason := "phase " + p.id.text
			if s.task != "" {
				reason += " at " + s.task
			}
			lay(reason, s.sinceWhen(), model.Pos{File: p.stopFile})
			return
		}
	}
}

// next returns the command GSD would have run next: what STATE.md recommends,
// unless the tree has that phase closed or not at all; else what the phase whose turn it is
// needs.
func (c *collector) next() *model.Next {
	l := &c.state.line
	if l.ActivePhase == "" && l.NextAction != "" && len(l.NextPhases) > 0 {
		if p := c.named(l.NextPhases[0]); p != nil && !p.closed || p == nil && !c.nowhere(l.NextPhases[0]) {
			n := &model.Next{Command: line.Tidy(l.NextAction + " " + strings.Join(l.NextPhases, "/")), Why: "STATE.md recommends it", Source: model.Pos{File: c.b.File}}
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
	case p.verified != nil && p.verified.asks && (p.answeredBy() != "" || c.waitsIn(p)):
		command = "verify-work"
	case p.status == model.Failed:
		command, arguments = "plan-phase", arguments+" --gaps"
	case p.word == wordExecuted || p.word == wordNeedsReview || p.word == wordComplete:
		command = "verify-work"
	case p.word == wordPlanned || p.word == wordInProgress:
		command = "execute-phase"
	case p.has("CONTEXT.md") || p.has("RESEARCH.md"):
		command = "plan-phase"
	}
	return &model.Next{Command: command + arguments, Why: line.Tidy("phase " + p.id.text + ": " + p.why), Node: phaseNode(p), Derived: true}
}

// first returns the open phase whose turn it is: the one STATE.md is at, unless
// that has not begun and an agent has answers to look at; else one that waits for
// a human, else one whose answers are to be looked at, else the first of a milestone that is not over,
// else the first. A phase of which nothing is known can't be next.
func (c *collector) first() *phase {
	var waits, answered, current, any *phase
	for _, p := range c.nowCounted() {
		if p.closed || p.status == model.Unknown {
			continue
		}
		if p == c.current && (p.dir != "" || answered == nil) {
			return p
		}
		if answered == nil && c.answered(p) {
			answered = p
		}
		if waits == nil && c.waitsIn(p) {
			waits = p
		}
		if current == nil && !c.shipped(p) {
			current = p
		}
		if any == nil {
			any = p
		}
	}
	for _, p := range []*phase{waits, answered, current, any} {
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
