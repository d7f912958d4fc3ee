// Which phases a careful reader takes for the current milestone's. GSD's own counts are about other ones at times
// ([milestone.Scope]): where its roadmap names no phase it counts every directory that is left. What waits for a human is
// judged by the reader: nothing waits in a milestone that is over.

package gsd

import (
	"path"
	"strings"

	"gatehouse/parse/gsd/rules"
)

// place finds the milestone of every phase, and what is past.
func (c *collector) place() {
	current := c.currentVersion()
	for _, p := range c.phases {
		p.version = c.roadmap.owner(p.id, current)
	}
	c.ended = c.endedBy(current)
	first, hasFirst := c.firstPhase(current)
	for _, p := range c.phases {
		p.past = c.pastFor(p, current, first, hasFirst)
	}
}

// currentVersion returns the version of the current milestone as ROADMAP.md writes it.
func (c *collector) currentVersion() string {
	if version, _ := versionIn(c.scope.Version); version != "" {
		return version
	}
	if c.scope.Version == "" {
		if m := c.underWay(); m != nil && m.state == stateActive {
			return m.version
		}
	}
	return c.scope.Version
}

// overtakenBy returns the milestone that is under way by ROADMAP.md where that has shipped the one STATE.md still names, nil
// otherwise. STATE.md was left behind then, and the reader takes the other for the current one.
func (c *collector) overtakenBy() *roadMilestone {
	version, _ := versionIn(c.state.declared)
	if m := c.roadmap.find(version); m == nil || m.state != stateShipped || c.awaitsNext() {
		return nil
	}
	if other := c.underWay(); other.state == stateActive {
		return other
	}
	return nil
}

// awaitsNext reports whether STATE.md awaits the next milestone.
func (c *collector) awaitsNext() bool {
	return rules.AwaitsNext(c.state.line.Status) || rules.AwaitsNext(c.state.bodyStatus)
}

// Why the milestone is over by the word of STATE.md alone: nothing waits in it, but what the tree has open is not done.
const (
	endedAwaiting = "STATE.md awaits the next milestone"
	endedSaid     = "STATE.md calls its milestone shipped or closed"
)

// endedByWord reports whether the milestone is over by the word of STATE.md alone.
func (c *collector) endedByWord() bool { return c.ended == endedAwaiting || c.ended == endedSaid }

// endedBy says why the whole current milestone is over, "" where it is not: ROADMAP.md has shipped it, or STATE.md calls it
// shipped or awaits the next one. That STATE.md calls it complete is a claim, and not enough.
func (c *collector) endedBy(current string) string {
	if m := c.roadmap.find(current); m != nil && m.state == stateShipped {
		return "its milestone, " + current + ", is shipped"
	}
	if m := c.roadmap.find(current); c.behind.find(current) != nil && (m == nil || m.state == stateUnsaid) && !c.goesOn() {
		return "its milestone, " + current + ", is shipped: MILESTONES.md lists it"
	}
	if c.awaitsNext() {
		return endedAwaiting
	}
	if s := c.state; c.overtaken == nil && rules.Ended(s.line.Status, s.bodyStatus, s.stoppedAt, current) {
		return endedSaid
	}
	return ""
}

// overBefore returns the version of the shipped milestone that MILESTONES.md puts a phase into, "" where the roadmap knows
// better: it names the phase in the section of the current one, or another that has it.
func (c *collector) overBefore(p *phase, current string) string {
	if p.version == current && current != "" || !c.carriedOver(p) && !c.scope.Everything() && (c.scope.Names(p.id.text) || p.dir != "" && c.scope.Holds(path.Base(p.dir))) {
		return ""
	}
	if m := c.behind.find(p.version); m != nil && m.version != current {
		return m.version
	}
	if m := c.behind.holding(p.id); p.version == "" && m != nil && m.version != current {
		return m.version
	}
	return ""
}

// carriedOver reports whether a roadmap without milestones still lists a phase of a shipped one, checked off. Its numbers
// have to go on from those of that milestone: where they may have begun anew, the phase is the current milestone's.
func (c *collector) carriedOver(p *phase) bool {
	m := c.behind.holding(p.id)
	if m == nil || len(c.roadmap.milestones) > 0 || p.road == nil || !p.road.checked {
		return false
	}
	for _, r := range c.roadmap.phases {
		if r.id.compare(m.phases.first) <= 0 {
			return false
		}
	}
	return true
}

// pastNumber says why a number is that of a phase of the past of which nothing else is left, "" where it is not.
func (c *collector) pastNumber(number string) string {
	id, _, ok := parsePhaseID(strings.TrimPrefix(strings.TrimSpace(number), "Phase "))
	if !ok {
		return ""
	}
	current := c.currentVersion()
	version := c.roadmap.owner(id, current)
	if m := c.roadmap.find(version); version != current && m != nil && m.state == stateShipped {
		return "it is of " + version + ", which is shipped"
	}
	if m := c.behind.holding(id); version == "" && m != nil && m.version != current {
		return "it is of " + m.version + ", which is shipped"
	}
	return ""
}

// nowCounted returns the phases that are the current milestone's to a reader: when it is over, all that are counted.
func (c *collector) nowCounted() []*phase {
	var now []*phase
	for _, p := range c.ours {
		if p.past == "" || c.ended != "" {
			now = append(now, p)
		}
	}
	return now
}

// goesOn reports whether STATE.md is at work in the current milestone: it neither calls it complete nor awaits the next.
func (c *collector) goesOn() bool { return !c.awaitsNext() && !c.claimsComplete() }

// firstPhase returns the first phase of the current milestone, by the range that the roadmap gives it, else of those that
// stand in its section; ok is false where nothing says.
func (c *collector) firstPhase(current string) (first phaseID, ok bool) {
	if m := c.roadmap.find(current); m != nil && m.ranged {
		return m.first, true
	}
	for _, r := range c.roadmap.phases {
		if r.milestone == current && current != "" && (!ok || r.id.compare(first) < 0) {
			first, ok = r.id, true
		}
	}
	if ok {
		return first, true
	}
	for _, p := range c.phases {
		if !c.scope.Everything() && (c.scope.Names(p.id.text) || p.dir != "" && c.scope.Holds(path.Base(p.dir))) && (!ok || p.id.compare(first) < 0) {
			first, ok = p.id, true
		}
	}
	return first, ok
}

// pastFor says why nothing of a phase waits any more, "" for one of the current milestone.
func (c *collector) pastFor(p *phase, current string, first phaseID, hasFirst bool) string {
	m, before := c.roadmap.find(p.version), c.overBefore(p, current)
	switch {
	case c.ended != "":
		return c.ended
	case before != "":
		return "it is of " + before + ", which is shipped"
	case p.version != "" && p.version != current && m != nil && m.state == stateShipped:
		return "it is of " + p.version + ", which is shipped"
	case p.version != "" && p.version != current && current != "" && m != nil && m.state == statePlanned && c.scope.Everything():
		return "it is of " + p.version + ", which is not under way"
	case p.road != nil && p.road.shipped && p.version != current:
		return "it is of a milestone that is shipped"
	case p.version == "" && c.roadmap.isBefore(p.id) && (c.scope.Everything() || !c.scope.Names(p.id.text)):
		return "it is of an earlier milestone"
	case p.version != "" && (p.version == current || m != nil && m.state == stateActive && p.dir != "" && c.scope.Holds(path.Base(p.dir))):
		return "" // also where the roadmap has another milestone under way than STATE.md names, and GSD counts its phases
	case hasFirst && p.id.compare(first) < 0:
		return "it is of an earlier milestone than " + current
	case p.version != "" && current != "" && c.roadmap.find(current) != nil:
		return "it is of " + p.version + ", not of " + current
	case p.dir != "" && !c.scope.Holds(path.Base(p.dir)):
		return "it is not among the phases of the current milestone"
	}
	return ""
}
