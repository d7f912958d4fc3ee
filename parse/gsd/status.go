// The status of plans and phases, from the tree alone.

package gsd

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/gsd/milestone"
	"gatehouse/parse/gsd/rules"
	"gatehouse/parse/protocol"
)

// GSD's own words for the state of a phase (determinePhaseStatus).
const (
	wordPending     = "Pending"      // no plan
	wordPlanned     = "Planned"      // plans, none finished
	wordInProgress  = "In Progress"  // some plans finished
	wordExecuted    = "Executed"     // all plans finished, not verified
	wordNeedsReview = "Needs Review" // all plans finished, a human must verify
	wordComplete    = "Complete"     // all plans finished and verified
)

// derivePlans gives every plan its status: done when a summary closes it,
// blocked when it was halted or depends on a plan that was.
func (c *collector) derivePlans() {
	c.plans = map[string]*planState{}
	for _, p := range c.phases {
		for _, s := range p.plans {
			c.plans[planKey(p, s.id)] = s
		}
	}
	for _, p := range c.phases {
		for _, s := range p.plans {
			for _, d := range s.plan.dependsOn {
				if other := c.plans[planKey(p, dependency(d))]; other != nil && other != s {
					s.dependsOn = append(s.dependsOn, other)
				}
			}
		}
	}
	c.haltedBy = map[*planState][]*planState{}
	for _, p := range c.phases {
		for _, s := range p.plans {
			c.derivePlan(s)
		}
	}
}

// dependency takes from an entry of depends_on what GSD's writers put around
// the number: "03-01-PLAN.md", "phases/03-crane/03-01-PLAN.md", "Plan 01".
func dependency(d string) string {
	d = strings.TrimSuffix(strings.TrimSuffix(path.Base(d), ".md"), "-PLAN")
	for _, word := range []string{"plan ", "plan-"} {
		if len(d) > len(word) && strings.EqualFold(d[:len(word)], word) {
			d = strings.TrimSpace(d[len(word):])
		}
	}
	return d
}

// planKey makes plan numbers comparable: "3-1", "03-01" and, within phase 3,
// "01" are the same plan.
func planKey(p *phase, id string) string {
	if n := planNumberLen(id); n > 0 && n == len(id) {
		return p.id.key + "/" + strings.ToLower(trimZeros(id))
	}
	phaseID, rest, ok := parsePhaseID(id)
	if !ok {
		return id
	}
	if after, more := strings.CutPrefix(rest, "-"); more && digits(after) > 0 {
		return phaseID.key + "/" + strings.ToLower(trimZeros(after[:planNumberLen(after)]))
	}
	if len(phaseID.sort.segments) > 0 {
		// "03-01" is phase and plan, though it reads like a milestone-prefixed
		// phase: the last number is the plan's.
		cut := strings.LastIndexByte(phaseID.text, '-')
		if parent, _, isID := parsePhaseID(phaseID.text[:cut]); isID {
			return parent.key + "/" + trimZeros(phaseID.text[cut+1:])
		}
	}
	return id
}

func (c *collector) derivePlan(s *planState) {
	switch {
	case s.plan.superseded:
		s.status, s.raw, s.why = model.Skipped, "superseded", "the plan says that another one takes its place"
		return
	case s.summary != nil && s.summary.halted:
		s.status, s.raw, s.why = model.Blocked, "halted", path.Base(s.planFile.summary)+" says that it was stopped by design"
		return
	case s.summary != nil:
		s.status, s.why = model.Done, path.Base(s.planFile.summary)+" closes it"
		return
	}
	s.blockedBy = c.halted(s)
	if len(s.blockedBy) > 0 {
		s.status, s.raw, s.why = model.Blocked, "blocked", "depends on "+s.blockedBy[0].id+", which was halted"
		return
	}
	s.status, s.why = model.Pending, "it has no summary yet"
	if open := s.unmet(); len(open) > 0 {
		s.why = "it has no summary yet; depends on " + strings.Join(open, ", ")
	}
	if c.state.line.ActivePhase != "" && sameID(c.state.line.ActivePhase, s.phase.id) && sameNumber(c.state.currentPlan, s.id) {
		s.status, s.raw, s.why = model.Active, c.state.line.Status, "STATE.md names it as the plan in progress"
	}
}

// maxBlockers is how many halted plans are named for one plan.
const maxBlockers = 8

// halted returns the halted plans that a plan's dependencies lead to, as many
// as are named. What is found for a plan is kept, since chains are long; a plan
// that depends on itself finds nothing new on the way around.
func (c *collector) halted(s *planState) []*planState {
	if found, known := c.haltedBy[s]; known {
		return found
	}
	c.haltedBy[s] = nil
	var found []*planState
	add := func(d *planState) {
		if len(found) < maxBlockers && !slices.Contains(found, d) {
			found = append(found, d)
		}
	}
	for _, d := range s.dependsOn {
		switch {
		case d.plan.superseded:
		case d.summary != nil && d.summary.halted:
			add(d)
		case d.summary == nil:
			for _, far := range c.halted(d) {
				add(far)
			}
		}
	}
	c.haltedBy[s] = found
	return found
}

// unmet returns the dependencies that are not finished, by number.
func (s *planState) unmet() []string {
	var open []string
	for _, d := range s.dependsOn {
		if d.summary == nil && !d.plan.superseded {
			open = append(open, d.id)
		}
	}
	return open
}

func sameID(number string, id phaseID) bool {
	other, _, ok := parsePhaseID(strings.TrimSpace(number))
	return ok && other.key == id.key
}

// sameNumber reports whether a plan number, "3" or "03-03", is that of a plan.
func sameNumber(number, id string) bool {
	if number == "" {
		return false
	}
	last := func(s string) string { return trimZeros(s[strings.LastIndexByte(s, '-')+1:]) }
	return last(number) == last(id) && (!strings.Contains(number, "-") || trimZeros(number) == trimZeros(id))
}

// live returns the plans that count: those not superseded.
func (p *phase) live() (plans []*planState, done int) {
	for _, s := range p.plans {
		if s.plan.superseded {
			continue
		}
		plans = append(plans, s)
		if s.summary != nil {
			done++
		}
	}
	return plans, done
}

// executed reports whether all work of a phase is done, verified or not: there
// were plans, and none that counts is open.
func (p *phase) executed() bool {
	plans, done := p.live()
	return p.hadPlans && done >= len(plans)
}

func (c *collector) derivePhases() {
	for _, p := range c.phases {
		c.derivePhase(p)
		p.closed = p.status.Closed() || p.past != "" && c.putAway(p)
	}
}

func (c *collector) derivePhase(p *phase) {
	plans, done := p.live()
	switch {
	case p.road != nil && p.road.retired:
		p.word, p.status, p.why = "retired", model.Skipped, "ROADMAP.md strikes it through"
	case p.dir == "":
		c.derivePlanned(p)
	case len(plans) == 0 && p.hadPlans:
		p.word, p.status, p.why = wordPending, model.Pending, "all its plans are superseded"
	case p.plansGone():
		p.word, p.status, p.why = wordPending, model.Pending, "its plans are gone, a summary is left"
	case len(plans) == 0:
		p.word, p.status, p.why = wordPending, model.Pending, "no plan yet"
		if p.has("CONTEXT.md") || p.has("RESEARCH.md") {
			p.why = "prepared, no plan yet"
		}
	case done == 0:
		p.word, p.status, p.why = wordPlanned, model.Pending, noneOf(len(plans))
	case done < len(plans):
		p.word, p.status, p.why = wordInProgress, model.Active, fmt.Sprintf("%d of %d plans closed by a summary", done, len(plans))
	default:
		c.deriveVerified(p, len(plans))
	}
	c.overlay(p)
	c.asked(p)
}

// outdatedBy returns the summary that is newer than the phase's verification, which then has to be done again; "" while it
// holds.
func (p *phase) outdatedBy() string { return p.newerThan(p.verFile) }

// newerThan returns the summary that is newer than a file of the phase, "" without one.
func (p *phase) newerThan(file mirror.Entry) string {
	for _, s := range p.plans {
		if s.summary != nil && rules.Newer(s.sumEntry.ModTime.Unix(), file.ModTime.Unix()) {
			return path.Base(s.planFile.summary)
		}
	}
	return ""
}

// asksHuman reports whether a verification of the phase leaves things to a human that are not answered.
func (p *phase) asksHuman(v *verification, file mirror.Entry) bool {
	return v != nil && v.asks && p.newerThan(file) == "" && p.answeredBy() == ""
}

// answeredBy returns the UAT file in which a human has passed all tests, which answers what the phase's verification
// leaves to one; "" without one.
func (p *phase) answeredBy() string {
	for i := range p.uats {
		if !p.uats[i].broken && p.uats[i].uat.allPassed() {
			return p.uats[i].name
		}
	}
	return ""
}

// putAway reports whether nothing is left to do in a phase of the past: it is of a milestone that has shipped. With plans
// open in the current one that takes the word of STATE.md as well as the roadmap's.
func (c *collector) putAway(p *phase) bool {
	plans, done := p.live()
	switch {
	case c.endedByWord():
		return p.executed() || p.plansGone() || c.shipped(p)
	case c.ended == "":
		m := c.roadmap.find(p.version)
		return m != nil && m.state == stateShipped || c.overBefore(p, c.currentVersion()) != "" || p.road != nil && p.road.shipped || p.version == "" && done == len(plans)
	}
	return done == len(plans) || !c.goesOn()
}

// asked makes a phase wait while a test of it is before the user, or an agent
// has stopped in it to ask: whatever else says that it is complete, it is not
// over before that.
func (c *collector) asked(p *phase) {
	if p.status == model.Skipped || p.past != "" {
		return
	}
	for i := range p.uats {
		if n := p.uats[i].uat.open(); n > 0 {
			p.decides = model.Pos{File: path.Join(p.dir, p.uats[i].name), Line: p.uats[i].uat.firstOpen()}
			p.status, p.why = model.Waiting, number(n, "test")+" of "+p.uats[i].name+" for a human to judge"
			return
		}
	}
	if v := p.verified; v != nil && v.status == "" && p.asksHuman(v, p.verFile) {
		p.decides = model.Pos{File: path.Join(p.dir, p.verFile.Name), Line: 1}
		p.status, p.why = model.Waiting, p.verFile.Name+" asks for a human, in its body alone"
		return
	}
	for _, o := range p.others {
		if p.asksHuman(o.verification, o.file) {
			p.decides = model.Pos{File: path.Join(p.dir, o.file.Name), Line: o.statusLine}
			p.status, p.why = model.Waiting, o.file.Name+" asks for a human"
			return
		}
	}
	if w := c.waiting; w != nil && w.over == "" && sameID(w.phase, p.id) {
		p.status, p.why = model.Waiting, "an agent has stopped in it and asks"
		return
	}
	if p.executed() && p.status != model.Waiting && p.status != model.Failed {
		c.judged(p)
	}
}

// judged keeps a phase open whose tests a human has run and not passed, whatever their file calls itself; of several, what
// is worst tells why. A phase of a milestone that has shipped is let be. An issue is over when its file or all its gaps are
// resolved, and so is one, or a test that could not be run, when a later plan has closed the gaps.
func (c *collector) judged(p *phase) {
	for i := range p.uats {
		f := &p.uats[i]
		closedGaps, resolved := p.closedGaps(f), f.uat.resolved()
		for i := range f.uat.tests {
			t := &f.uat.tests[i]
			status, why := model.Executed, f.name+": "+protocol.Quote(line.Tidy(t.result))+" is no result"
			switch {
			case t.passed(), t.result == rules.Skipped, t.failed() && (resolved || closedGaps), t.result == rules.Blocked && closedGaps:
				continue
			case t.failed():
				status, why = model.Failed, f.name+" has an issue: "+t.name
			case t.result == rules.Blocked:
				status, why = model.Blocked, f.name+" could not test: "+t.name
			}
			if p.status == model.Done || status == model.Failed || status == model.Blocked && p.status != model.Blocked {
				p.status, p.why = status, why
				p.decides = model.Pos{File: path.Join(p.dir, f.name), Line: max(t.resLine, t.line)}
			}
			if status == model.Failed {
				return
			}
		}
	}
}

// closedGaps reports whether a plan that closes gaps was finished after a UAT
// file was last written.
func (p *phase) closedGaps(f *uatFile) bool {
	return slices.ContainsFunc(p.plans, func(s *planState) bool {
		return s.plan.gapClosure && s.summary != nil && !s.sumEntry.ModTime.Before(f.entry.ModTime)
	})
}

// derivePlanned is for a phase that stands in the roadmap only.
func (c *collector) derivePlanned(p *phase) {
	p.status, p.why = model.Pending, "it stands in ROADMAP.md only, without a directory"
	r := p.road
	if !r.checked && !strings.EqualFold(r.status, "complete") {
		p.word = r.status
		return
	}
	if c.shipped(p) {
		p.word, p.status, p.why = "shipped", model.Done, "ROADMAP.md says so; its directory is gone with the milestone"
		return
	}
	p.status, p.why = model.Unknown, "ROADMAP.md says it is complete, but nothing of it is on disk"
}

// deriveVerified is for a phase whose plans are all finished.
func (c *collector) deriveVerified(p *phase, plans int) {
	finished := fmt.Sprintf("all %d plans have a summary", plans)
	if plans == 1 {
		finished = "its plan has a summary"
	}
	p.word, p.status = wordExecuted, model.Executed
	if p.verified == nil || p.verified.status == "" {
		p.why = finished + ", no verification yet"
		if !c.config.verifier {
			p.status, p.why = model.Done, finished+"; this project does not verify phases (workflow.verifier is false)"
		}
		return
	}
	newer := p.outdatedBy()
	if p.verified.status != verified || newer != "" {
		p.decides = model.Pos{File: path.Join(p.dir, p.verFile.Name), Line: max(p.verified.statusLine, 1)}
	}
	switch status := p.verified.status; {
	case status == rules.GapsFound:
		p.status, p.why = model.Failed, p.verFile.Name+" found gaps"
		if n := len(p.verified.gaps); n > 0 {
			p.why = p.verFile.Name + " found " + number(n, "gap")
		}
	case newer != "" && (status == verified || status == rules.HumanNeeded):
		p.word, p.why = wordExecuted, p.verFile.Name+" is older than "+newer+": verify again"
	case status == verified:
		p.word, p.status, p.why = wordComplete, model.Done, finished+", verification passed"
	case status == rules.HumanNeeded && p.answeredBy() != "":
		// GSD keeps it in review until its own command has looked at the answers.
		p.word, p.status, p.why = wordNeedsReview, model.Waiting, "answered, verify-work next: all tests of "+p.answeredBy()+" have passed"
	case status == rules.HumanNeeded:
		p.word, p.status, p.why = wordNeedsReview, model.Waiting, "verification asks for a human"
	default:
		p.why = finished + "; " + p.verFile.Name + " says " + protocol.Quote(status)
	}
}

// overlay adds what the counts do not know: a chain of halted plans, and the
// phase that a command works on now.
func (c *collector) overlay(p *phase) {
	if p.status.Closed() || p.status == model.Waiting {
		return
	}
	for _, s := range p.plans {
		if s.raw == "blocked" {
			p.status, p.why = model.Blocked, s.id+" "+s.why
			return
		}
	}
	if p.status == model.Pending && p.dir != "" && sameID(c.state.line.ActivePhase, p.id) {
		p.status, p.why = model.Active, p.why+"; STATE.md names it as active"
	}
}

// plansGone reports whether a phase has no plan and a summary: its plans were taken away when they were done.
func (p *phase) plansGone() bool {
	return !p.hadPlans && slices.ContainsFunc(p.files, func(e mirror.Entry) bool { return !e.Dir && milestone.IsSummary(e.Name) })
}

// has reports whether a phase has a file of that name or with it at the end.
func (p *phase) has(name string) bool {
	for _, e := range p.files {
		if e.Name == name || strings.HasSuffix(e.Name, "-"+name) {
			return true
		}
	}
	return false
}

func noneOf(plans int) string {
	if plans == 1 {
		return "its plan has no summary"
	}
	return fmt.Sprintf("none of %d plans has a summary", plans)
}

func number(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
