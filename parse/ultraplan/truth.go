// What the build comes to, and the claims of STATE.md and ROADMAP.md held against the tree.

package ultraplan

import (
	"fmt"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/reader"
	"gatehouse/parse/ultraplan/rules"
)

// conclude gives the build its progress, its status, and what comes next.
func (c *collector) conclude() {
	b := c.b
	pr := &b.Progress
	var statuses []model.Status
	for _, p := range c.phases {
		n := p.count()
		pr.Plans.Done += n.Done
		pr.Plans.Total += n.Total
		if p.status == model.Skipped {
			continue
		}
		pr.Phases.Total++
		if p.status == model.Done {
			pr.Phases.Done++
		}
		statuses = append(statuses, p.status)
	}
	pr.Closed, pr.Known, pr.Percent = pr.Phases, pr.Plans.Total > 0, pr.Plans.Floor()
	b.Raw, b.Why = clean(c.state.Status), "from "+number(len(c.phases), "phase")+" of the tree"
	switch certain := len(b.Certain()); {
	case certain > 0:
		b.Status, b.Why = model.Waiting, number(certain, "thing")+" for a human to do"
	case c.facts.Complete:
		b.Status, b.Why = model.Done, "all "+number(pr.Plans.Total, "plan")+" have a summary"
	case len(statuses) == 0:
		b.Why = "there are no phases to tell from"
	default:
		if b.Status = model.RollUp(statuses); b.Status == model.Done { // STATE.md counts phases that nobody has seen
			b.Status, b.Why = model.Active, "phase "+c.facts.ToPlan+" has no plans yet"
		}
	}
	c.next()
	c.pause()
	b.Freshness.Claimed = reader.Time(c.state.activeOn)
	claimed := c.facts
	header := c.header()
	b.Claimed, b.Header = &claimed, &header
}

// next names the plan at work, or what comes next.
func (c *collector) next() {
	b := c.b
	for _, p := range c.phases {
		for _, s := range p.plans {
			switch {
			case s.Done:
			case s.ID == c.facts.Running && b.Now == "":
				b.Now = s.node
			case s.ID == c.facts.Next && b.Next == nil:
				b.Next = &model.Next{Command: c.facts.Next, Why: "the first plan without a summary", Node: s.node, Derived: true}
			}
		}
		if c.facts.ToPlan != "" && b.Next == nil && rules.CompareNumbers(p.Number, c.facts.ToPlan) == 0 {
			b.Next = &model.Next{Command: "plan-phase " + c.facts.ToPlan, Why: clean("phase " + p.Number + ": " + p.why), Node: p.id, Derived: true}
		}
	}
	if c.facts.ToPlan != "" && b.Next == nil {
		b.Next = &model.Next{Command: "plan-phase " + c.facts.ToPlan, Why: "STATE.md counts " + c.state.PhaseTotal + " phases", Derived: true, Source: model.Pos{File: b.File, Line: c.state.phaseLine}}
	}
}

// pause notes that work was broken off: continue.md is there. What it says comes next does.
func (c *collector) pause() {
	if c.resume == nil {
		return
	}
	at := model.Pos{File: resumeFile}
	c.b.Pause = &model.Pause{Reason: clean(c.resume.last), Since: c.resumeAt, Source: at}
	if c.b.Pause.Reason == "" {
		c.b.Pause.Reason = clean(c.state.stoppedAt)
	}
	if next := clean(c.resume.next); next != "" {
		n := &model.Next{Command: next, Why: "continue.md names it as the next step", Node: c.b.Now, Source: at}
		if n.Node == "" && c.b.Next != nil {
			n.Node = c.b.Next.Node
		}
		c.b.Next = n
	}
}

// header returns the facts of the dashboard's line: those of the prompt, which come from the tree already, without a status
// that calls complete what is not.
func (c *collector) header() line.Ultraplan {
	u := c.facts
	if !u.Complete && rules.Status(u.Status) == rules.StatusComplete {
		u.Status = ""
	}
	return u
}

func (c *collector) diverges(claim, truth string, at model.Pos) {
	c.b.Divergences = append(c.b.Divergences, model.Divergence{Claim: clean(claim), Truth: clean(truth), Source: at})
}

// compare lists what the files claim and the tree denies.
func (c *collector) compare() {
	if c.stateIs {
		c.compareProgress()
		c.comparePosition()
	}
	c.compareRoadmap()
}

// compareProgress holds the percent and the plans of the progress line against the tree.
func (c *collector) compareProgress() {
	pr, s := &c.b.Progress, c.state
	at := model.Pos{File: c.b.File, Line: s.progressLine}
	percent := s.percentIs && s.percent != pr.Percent
	plans := s.plans.Total > 0 && s.plans != pr.Plans
	if !percent && !plans {
		return
	}
	if !pr.Known {
		if s.percent > 0 || s.plans.Done > 0 {
			c.diverges(claimOf(s), "there is no plan in the tree", at)
		}
		return
	}
	c.diverges(claimOf(s), fmt.Sprintf("the tree says %d %%: %d of %s with a summary", pr.Percent, pr.Plans.Done, number(pr.Plans.Total, "plan")), at)
}

func claimOf(s *state) string {
	switch {
	case s.percentIs && s.plans.Total > 0:
		return fmt.Sprintf("STATE.md says %d %% (%s plans)", s.percent, s.plans)
	case s.percentIs:
		return fmt.Sprintf("STATE.md says %d %%", s.percent)
	}
	return "STATE.md says " + s.plans.String() + " plans"
}

// comparePosition holds the phase that STATE.md is at, its status, and the number of phases against the tree. Complete is
// said of a phase.
func (c *collector) comparePosition() {
	s := c.state
	var is []*phase
	numbers := map[string]bool{}
	for _, p := range c.phases {
		numbers[rules.TrimZeros(p.Number)] = true
		if s.Phase != "" && rules.CompareNumbers(p.Number, s.Phase) == 0 {
			is = append(is, p)
		}
	}
	at := model.Pos{File: c.b.File, Line: s.phaseLine}
	if s.Phase != "" && len(c.phases) > 0 && len(is) == 0 && rules.CompareNumbers(s.Phase, "0") != 0 {
		c.diverges("STATE.md is at phase "+s.Phase, "neither a directory nor ROADMAP.md has it", at)
	}
	if total := s.PhaseTotal; total != "" && rules.CompareNumbers(fmt.Sprint(len(numbers)), total) > 0 {
		c.diverges("STATE.md counts "+total+" phases", fmt.Sprintf("the tree and ROADMAP.md have %d", len(numbers)), at)
	}
	if rules.Status(s.Status) != rules.StatusComplete {
		return
	}
	at.Line = s.statusLine
	for _, p := range is {
		if n := p.count(); n.Open() > 0 {
			c.diverges("STATE.md says phase "+s.Phase+" is “"+s.Status+"”", fmt.Sprintf("%d of its %s have no summary", n.Open(), number(n.Total, "plan")), at)
			return
		}
	}
	if !c.b.Progress.Known {
		c.diverges("STATE.md says “"+s.Status+"”", "there is no plan in the tree", at)
	}
}

// compareRoadmap lists the phases that the roadmap checks off and the tree has open, those of one kind together.
func (c *collector) compareRoadmap() {
	var open, bare []*phase
	for _, p := range c.phases {
		switch {
		case p.road == nil || !p.road.Checked || p.road.Skipped || p.status == model.Done:
		case len(p.plans) > 0:
			open = append(open, p)
		case p.Dir == "" || !c.planned(p.Number):
			bare = append(bare, p)
		}
	}
	c.checkedOff(open, "it has plans without a summary", "they have plans without a summary")
	c.checkedOff(bare, "it has no plan", "none of them has a plan")
}

func (c *collector) checkedOff(phases []*phase, one, several string) {
	switch len(phases) {
	case 0:
		return
	case 1:
		c.diverges("ROADMAP.md checks off phase "+phases[0].Number, one, model.Pos{File: roadmapFile, Line: phases[0].road.Line})
	default:
		c.diverges("ROADMAP.md checks off phases "+numbers(phases), several, model.Pos{File: roadmapFile, Line: phases[0].road.Line})
	}
}

// planned reports whether a directory with this number has plans.
func (c *collector) planned(number string) bool {
	for _, p := range c.phases {
		if len(p.plans) > 0 && rules.CompareNumbers(p.Number, number) == 0 {
			return true
		}
	}
	return false
}
