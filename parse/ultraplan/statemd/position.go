// The position: phase, plan, status and focus. A claim stays unless the tree denies it.

package statemd

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
)

// place is the position of the work.
type place struct {
	*phaseFigures
	plan  string // number of the plan; "" keeps the file's
	moved bool   // the file names another phase
	why   string // the reason for another phase
}

func (c *comparison) comparePosition() {
	at, ok := c.findPlace()
	if !ok {
		if v, _ := c.findField("Status"); c.is.totals.Total == 0 && core.ParseStatus(v.text) == core.StatusComplete {
			c.addReport(v, "the tree has no plan")
		}
		return
	}
	if at.moved && !c.hasRow(c.says.Phase) {
		defer func() { c.is = c.is.leavePhase(c.says.Phase) }()
	}
	c.comparePhase(at)
	c.comparePlan(at)
	c.compareStatus(at)
	c.compareFocus(at)
}

// findPlace finds the position of the work: at the newest result if that is newer than the file, else in the file's phase if the tree has
// it. If the phase is complete, the position is in the next one.
func (c *comparison) findPlace() (at place, ok bool) {
	claimed := c.says.Phase
	at.phaseFigures = c.is.findPhase(claimed)
	worked, plan := c.is.atWork()
	activity, hasActivity := c.findField("Last activity")
	isNewest := worked != nil && (c.is.IsEvent || hasActivity && !plan.Done && c.is.last != nil && c.isOlder(activity.text))
	if len(c.is.phases) == 0 || claimed == "" && !isNewest {
		return at, false
	}
	if at.phaseFigures == nil && claimed != "" && core.CompareNumbers(claimed, c.is.PhaseToPlan()) == 0 {
		at.phaseFigures = &phaseFigures{Number: core.TrimZeros(claimed)}
	}
	switch {
	case isNewest:
		at.phaseFigures, at.why = worked, "the newest result is of phase "+worked.Number
		at.plan = core.PlanNumber(plan.ID)
	case at.phaseFigures == nil && core.CompareNumbers(claimed, "0") == 0:
		return at, false // before the first phase
	case at.phaseFigures == nil:
		if at.phaseFigures, at.why = worked, "neither a directory nor ROADMAP.md has it"; worked == nil {
			at.phaseFigures = c.lastBegun()
		}
		if at.phaseFigures == nil {
			v, _ := c.findField("Phase")
			c.addReport(v, at.why)
			return at, false
		}
	}
	status, _ := c.findField("Status")
	isVerified := core.ParseStatus(status.text) == core.StatusVerifying && !isNewest && core.CompareNumbers(at.Number, claimed) == 0
	if at.IsComplete() && !isVerified {
		if next := c.phaseAfter(at.phaseFigures); next.Number != at.Number {
			at = place{phaseFigures: next, why: "all plans of phase " + at.Number + " have a summary"}
			if len(next.Plans) == 0 {
				at.plan = "0"
			}
		}
	}
	at.moved = core.CompareNumbers(at.Number, claimed) != 0
	if at.plan == "" {
		at.plan = c.planAt(at)
	}
	return at, true
}

// lastBegun returns the last phase that has begun, nil without one.
func (c *comparison) lastBegun() (p *phaseFigures) {
	for i := range c.is.phases {
		if c.is.phases[i].hasBegun {
			p = &c.is.phases[i]
		}
	}
	return p
}

// phaseAfter returns the phase that follows a complete one: the first that is not complete, else the same.
func (c *comparison) phaseAfter(p *phaseFigures) *phaseFigures {
	for i := range c.is.phases {
		if o := &c.is.phases[i]; len(o.Plans) > 0 && !o.IsComplete() {
			return o
		}
	}
	number := c.is.PhaseToPlan()
	if number == "" {
		return p
	}
	if next := c.is.findPhase(number); next != nil {
		return next
	}
	return &phaseFigures{Number: number}
}

// planAt returns the number of a phase's current plan: "0" before the first begins, the last once all are done; "" keeps the file's.
func (c *comparison) planAt(at place) string {
	switch {
	case len(at.Plans) == 0 && at.moved:
		return "0"
	case len(at.Plans) == 0:
		return ""
	case at.IsComplete():
		return core.PlanNumber(at.Plans[len(at.Plans)-1].ID)
	case !at.moved:
		if c.says.Plan == "" || strings.Contains(c.says.Plan, "-") || core.CompareNumbers(c.says.Plan, "0") == 0 && !at.hasBegun || at.Total > len(at.Plans) {
			return ""
		}
		for _, s := range at.Plans {
			if core.CompareNumbers(core.PlanNumber(s.ID), c.says.Plan) == 0 {
				return ""
			}
		}
	}
	if !at.hasBegun {
		return "0"
	}
	if in, plan := c.is.atWork(); in == at.phaseFigures {
		return core.PlanNumber(plan.ID)
	}
	last := at.Plans[0]
	for _, s := range at.Plans {
		if s.Done {
			last = s
		}
	}
	return core.PlanNumber(last.ID)
}

var focusForm = regexp.MustCompile(`^Phase ([\d.]+)(\s*[-:–—]\s*)?(.*)$`)

// phaseTotal returns the total number of phases for the position.
func (c *comparison) phaseTotal(claimed, at string) string {
	claimed = c.is.PhaseTotal(claimed)
	if here, _, _ := strings.Cut(at, "."); core.CompareNumbers(here, claimed) > 0 { // numbers are left out
		return here
	}
	return claimed
}

// comparePhase compares "Phase: 3 of 4 (Lamp)".
func (c *comparison) comparePhase(at place) {
	v, ok := c.findField("Phase")
	p, isPlace := core.SplitPlace(v.text)
	title := ""
	if at.Title != "" {
		title = " (" + PlainText(at.Title) + ")"
	}
	switch {
	case ok && isUnset(v.text):
		c.addDifference(v, at.Number+" of "+c.phaseTotal("1", at.Number)+title, at.why)
		return
	case !ok || !isPlace:
		return
	}
	now, rest, truth := p.Number, p.Before+p.Name+p.Rest, at.why
	if at.moved {
		if now, rest = at.Number, ""; p.Name != "" {
			rest = title
		}
	}
	if p.Total != "" {
		total := c.phaseTotal(p.Total, at.Number)
		if now += p.Of + total; total != p.Total && truth == "" {
			truth = "there are " + total + " phases"
		}
	}
	if now += rest; now != v.text && truth != "" {
		c.addDifference(v, now, truth)
	}
}

// comparePlan compares "Plan: 2 of 3 in current phase". A remark in brackets belongs to the old number.
func (c *comparison) comparePlan(at place) {
	v, ok := c.findField("Plan")
	if !ok {
		return
	}
	if p, _ := core.SplitPlace(v.text); p.Total != "" {
		number, rest := p.Number, p.Before+p.Name+p.Rest
		if at.plan != "" && core.CompareNumbers(number, at.plan) != 0 {
			number, rest = at.plan, strings.TrimRight(p.Before, " \t")+p.Rest
		}
		if total := c.planTotal(at, number, p.Total); number != p.Number || total != p.Total {
			c.addDifference(v, number+p.Of+total+rest, fmt.Sprintf("phase %s has %s, %d with a summary", at.Number, protocol.Count(at.Total, "plan"), at.Done))
		}
		return
	}
	_, plan := c.is.atWork()
	id := core.PlanAt(v.text)
	switch {
	case !c.is.IsEvent || at.plan == "" || plan == nil:
	case id != "" && id != plan.ID:
		c.addDifference(v, plan.ID, "the newest result is of plan "+plan.ID)
	case id == "" && (isUnset(v.text) || strings.Contains(strings.ToLower(v.text), "not started")):
		c.addDifference(v, at.plan+" of "+c.planTotal(at, at.plan, ""), "the newest result is of plan "+plan.ID)
	}
}

// planTotal returns the total number of plans for the position: the existing or announced ones, or their highest number if the position
// is beyond that. A higher claim stays while the plans can't be counted.
func (c *comparison) planTotal(at place, number, claimed string) string {
	count, highest := strconv.Itoa(at.Total), "0"
	for _, s := range at.Plans {
		if n, _, _ := strings.Cut(core.PlanNumber(s.ID), "."); core.CompareNumbers(n, highest) > 0 {
			highest = n
		}
	}
	isBeyond := func(total string) bool { return core.CompareNumbers(number, total) > 0 }
	switch {
	case at.moved:
	case core.CompareNumbers(claimed, highest) == 0 && !isBeyond(claimed) && at.Total == len(at.Plans),
		core.CompareNumbers(claimed, count) > 0 && (at.IsVague || len(at.Plans) == 0):
		return claimed
	}
	if isBeyond(count) {
		return highest
	}
	return count
}

// compareStatus compares the status with the files of the phase. No file says that a phase is being planned or verified: such a status stays
// until the tree denies it, or a result comes from the phase.
func (c *comparison) compareStatus(at place) {
	v, ok := c.findField("Status")
	claimed, word := core.ParseStatus(v.text), at.statusWord()
	if !ok || claimed == word || !at.moved && !c.denies(claimed, at) {
		return
	}
	truth := "in phase " + at.Number + " " + fmt.Sprintf("%d of %s have a summary", at.Done, protocol.Count(at.Total, "plan"))
	if c.is.totals.Total == 0 {
		c.addReport(v, "the tree has no plan")
		return
	}
	c.addDifference(v, word, truth)
}

// denies reports whether the files of a phase deny a status.
func (c *comparison) denies(status string, at place) bool {
	switch status {
	case core.StatusComplete:
		return !at.IsComplete() && (len(at.Plans) > 0 || at.HasDir || at.Total > 0 || c.is.totals.Total == 0)
	case core.StatusInProgress:
		return at.IsComplete()
	case core.StatusReadyToPlan:
		return at.hasBegun || c.is.IsEvent && at.hasOpenPlans()
	case core.StatusPlanning:
		return (at.hasBegun || c.is.IsEvent) && at.hasOpenPlans() || at.IsComplete()
	case core.StatusVerifying:
		return false
	}
	return c.is.IsEvent
}

// statusWord returns the protocol's word for a phase, by its files.
func (p *phaseFigures) statusWord() string {
	switch {
	case len(p.Plans) == 0:
		return core.StatusReadyToPlan
	case p.IsComplete():
		return core.StatusComplete
	}
	return core.StatusInProgress
}

// compareFocus compares "Current focus: Phase 1 - Quay"; other texts are a human's and stay.
func (c *comparison) compareFocus(at place) {
	v, ok := c.findField("Current focus")
	m := focusForm.FindStringSubmatch(v.text)
	if !ok || m == nil || core.CompareNumbers(strings.TrimSuffix(m[1], "."), at.Number) == 0 {
		return
	}
	now := "Phase " + at.Number
	if m[2] != "" && at.Title != "" {
		now += m[2] + PlainText(at.Title)
	}
	c.addDifference(v, now, "the work is in phase "+at.Number)
}
