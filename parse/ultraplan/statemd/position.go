// The position: phase, plan, status and focus. A claim that the tree does not deny stays.

package statemd

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
)

// place is where the work is.
type place struct {
	*phaseFigures
	plan  string // number of the plan; "" keeps the file's
	moved bool   // the file names another phase
	why   string // the reason for another phase
}

func (c *comparison) position() {
	at, ok := c.place()
	if !ok {
		if v, _ := c.field("Status"); c.is.totals.Total == 0 && core.Status(v.text) == core.StatusComplete {
			c.reports(v, "the tree has no plan")
		}
		return
	}
	if at.moved && !c.hasRow(c.says.Phase) {
		defer func() { c.is = c.is.leave(c.says.Phase) }()
	}
	c.phase(at)
	c.plan(at)
	c.status(at)
	c.focus(at)
}

// place finds where the work is: at the newest result if that is newer than the file, else where the file says, unless the tree does not
// have that phase. From a phase that is complete the work goes on in the next one.
func (c *comparison) place() (at place, ok bool) {
	claimed := c.says.Phase
	at.phaseFigures = c.is.find(claimed)
	worked, plan := c.is.atWork()
	activity, hasActivity := c.field("Last activity")
	isNewest := worked != nil && (c.is.IsEvent || hasActivity && !plan.Done && c.is.last != nil && c.isOlder(activity.text))
	if len(c.is.phases) == 0 || claimed == "" && !isNewest {
		return at, false
	}
	if at.phaseFigures == nil && claimed != "" && core.CompareNumbers(claimed, c.is.PhaseToPlan()) == 0 {
		at.phaseFigures = &phaseFigures{number: core.TrimZeros(claimed)}
	}
	switch {
	case isNewest:
		at.phaseFigures, at.why = worked, "the newest result is of phase "+worked.number
		at.plan = core.PlanNumber(plan.ID)
	case at.phaseFigures == nil && core.CompareNumbers(claimed, "0") == 0:
		return at, false // before the first phase
	case at.phaseFigures == nil:
		if at.phaseFigures, at.why = worked, "neither a directory nor ROADMAP.md has it"; worked == nil {
			at.phaseFigures = c.lastBegun()
		}
		if at.phaseFigures == nil {
			v, _ := c.field("Phase")
			c.reports(v, at.why)
			return at, false
		}
	}
	status, _ := c.field("Status")
	isVerified := core.Status(status.text) == core.StatusVerifying && !isNewest && core.CompareNumbers(at.number, claimed) == 0
	if at.isComplete() && !isVerified {
		if next := c.after(at.phaseFigures); next.number != at.number {
			at = place{phaseFigures: next, why: "all plans of phase " + at.number + " have a summary"}
			if len(next.plans) == 0 {
				at.plan = "0"
			}
		}
	}
	at.moved = core.CompareNumbers(at.number, claimed) != 0
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

// after returns the phase where the work goes on after a complete one: the first that is not complete, else the same.
func (c *comparison) after(p *phaseFigures) *phaseFigures {
	for i := range c.is.phases {
		if o := &c.is.phases[i]; len(o.plans) > 0 && !o.isComplete() {
			return o
		}
	}
	number := c.is.PhaseToPlan()
	if number == "" {
		return p
	}
	if next := c.is.find(number); next != nil {
		return next
	}
	return &phaseFigures{number: number}
}

// planAt returns the number of the plan that a phase is at: "0" before the first begins, the last once all are done; "" keeps the file's.
func (c *comparison) planAt(at place) string {
	switch {
	case len(at.plans) == 0 && at.moved:
		return "0"
	case len(at.plans) == 0:
		return ""
	case at.isComplete():
		return core.PlanNumber(at.plans[len(at.plans)-1].ID)
	case !at.moved:
		if c.says.Plan == "" || strings.Contains(c.says.Plan, "-") || core.CompareNumbers(c.says.Plan, "0") == 0 && !at.hasBegun || at.total > len(at.plans) {
			return ""
		}
		for _, s := range at.plans {
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
	last := at.plans[0]
	for _, s := range at.plans {
		if s.Done {
			last = s
		}
	}
	return core.PlanNumber(last.ID)
}

var focusForm = regexp.MustCompile(`^Phase ([\d.]+)(\s*[-:–—]\s*)?(.*)$`)

// phaseTotal returns of how many phases the position is.
func (c *comparison) phaseTotal(claimed, at string) string {
	claimed = c.is.PhaseTotal(claimed)
	if here, _, _ := strings.Cut(at, "."); core.CompareNumbers(here, claimed) > 0 { // the numbers leave gaps
		return here
	}
	return claimed
}

// phase compares "Phase: 3 of 4 (Lamp)".
func (c *comparison) phase(at place) {
	v, ok := c.field("Phase")
	p, isPlace := core.SplitPlace(v.text)
	title := ""
	if at.title != "" {
		title = " (" + Plain(at.title) + ")"
	}
	switch {
	case ok && isUnset(v.text):
		c.differs(v, at.number+" of "+c.phaseTotal("1", at.number)+title, at.why)
		return
	case !ok || !isPlace:
		return
	}
	now, rest, truth := p.Number, p.Before+p.Name+p.Rest, at.why
	if at.moved {
		if now, rest = at.number, ""; p.Name != "" {
			rest = title
		}
	} else if other := c.namedLike(at.phaseFigures, p.Name); other != nil {
		rest, truth = strings.TrimRight(p.Before, " \t")+title+p.Rest, "“"+Plain(strings.Trim(p.Name, "()"))+"” is the name of phase "+other.number
	}
	if p.Total != "" {
		total := c.phaseTotal(p.Total, at.number)
		if now += p.Of + total; total != p.Total && truth == "" {
			truth = "there are " + total + " phases"
		}
	}
	if now += rest; now != v.text && truth != "" {
		c.differs(v, now, truth)
	}
}

// namedLike returns another phase that has the name of a position, nil without one.
func (c *comparison) namedLike(p *phaseFigures, name string) (other *phaseFigures) {
	if name = bareName(name); name == "" || name == bareName(p.title) || p.title == "" {
		return nil
	}
	for i := range c.is.phases {
		if o := &c.is.phases[i]; o.number != p.number && bareName(o.title) == name {
			other = o
		}
	}
	return other
}

// bareName returns the letters and digits of a name in lower case.
func bareName(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// plan compares "Plan: 2 of 3 in current phase". A remark in brackets belongs to the old number.
func (c *comparison) plan(at place) {
	v, ok := c.field("Plan")
	if !ok {
		return
	}
	if p, _ := core.SplitPlace(v.text); p.Total != "" {
		number, rest := p.Number, p.Before+p.Name+p.Rest
		if at.plan != "" && core.CompareNumbers(number, at.plan) != 0 {
			number, rest = at.plan, strings.TrimRight(p.Before, " \t")+p.Rest
		}
		if total := c.planTotal(at, number, p.Total); number != p.Number || total != p.Total {
			c.differs(v, number+p.Of+total+rest, fmt.Sprintf("phase %s has %s, %d with a summary", at.number, protocol.Count(at.total, "plan"), at.done))
		}
		return
	}
	_, plan := c.is.atWork()
	id := core.PlanAt(v.text)
	switch {
	case !c.is.IsEvent || at.plan == "" || plan == nil:
	case id != "" && id != plan.ID:
		c.differs(v, plan.ID, "the newest result is of plan "+plan.ID)
	case id == "" && (isUnset(v.text) || strings.Contains(strings.ToLower(v.text), "not started")):
		c.differs(v, at.plan+" of "+c.planTotal(at, at.plan, ""), "the newest result is of plan "+plan.ID)
	}
}

// planTotal returns of how many plans the position is: as many as there are or are announced, or their highest number if the position is
// beyond. A claim of more stays while nobody can count them.
func (c *comparison) planTotal(at place, number, claimed string) string {
	count, highest := strconv.Itoa(at.total), "0"
	for _, s := range at.plans {
		if n, _, _ := strings.Cut(core.PlanNumber(s.ID), "."); core.CompareNumbers(n, highest) > 0 {
			highest = n
		}
	}
	isBeyond := func(total string) bool { return core.CompareNumbers(number, total) > 0 }
	switch {
	case at.moved:
	case core.CompareNumbers(claimed, highest) == 0 && !isBeyond(claimed) && at.total == len(at.plans),
		core.CompareNumbers(claimed, count) > 0 && (at.isVague || len(at.plans) == 0):
		return claimed
	}
	if isBeyond(count) {
		return highest
	}
	return count
}

// status compares the status with the files of the phase. No file says that a phase is being planned or verified: such a status stays
// until the tree denies it, or a result comes from the phase.
func (c *comparison) status(at place) {
	v, ok := c.field("Status")
	if !ok {
		return
	}
	claimed, word := core.Status(v.text), at.word()
	isDenied := at.moved && claimed != word
	switch claimed {
	case core.StatusComplete:
		isDenied = isDenied || !at.isComplete() && (len(at.plans) > 0 || at.hasDir || at.total > 0 || c.is.totals.Total == 0)
	case core.StatusInProgress:
		isDenied = isDenied || at.isComplete()
	case core.StatusReadyToPlan:
		isDenied = isDenied || at.hasBegun || c.is.IsEvent && at.hasOpenPlans()
	case core.StatusPlanning:
		isDenied = isDenied || (at.hasBegun || c.is.IsEvent) && at.hasOpenPlans() || at.isComplete()
	case core.StatusVerifying:
	default:
		isDenied = isDenied || c.is.IsEvent
	}
	if !isDenied || claimed == word {
		return
	}
	if c.is.totals.Total == 0 {
		c.reports(v, "the tree has no plan")
		return
	}
	truth := "it has no plan"
	switch {
	case at.hasOpenPlans():
		truth = fmt.Sprintf("%d of its %s have no summary", len(at.plans)-at.done, protocol.Count(len(at.plans), "plan"))
	case at.isComplete():
		truth = "all of its plans have a summary"
	case len(at.plans) > 0:
		truth = fmt.Sprintf("%d of its %s are planned", len(at.plans), protocol.Count(at.total, "plan"))
	}
	c.differs(v, word, "in phase "+at.number+" "+truth)
}

// word returns the protocol's word for a phase by its files.
func (p *phaseFigures) word() string {
	switch {
	case len(p.plans) == 0:
		return core.StatusReadyToPlan
	case p.isComplete():
		return core.StatusComplete
	}
	return core.StatusInProgress
}

// focus compares "Current focus: Phase 1 - Quay"; other words belong to people.
func (c *comparison) focus(at place) {
	v, ok := c.field("Current focus")
	m := focusForm.FindStringSubmatch(v.text)
	if !ok || m == nil || core.CompareNumbers(strings.TrimSuffix(m[1], "."), at.number) == 0 {
		return
	}
	now := "Phase " + at.number
	if m[2] != "" && at.title != "" {
		now += m[2] + Plain(at.title)
	}
	c.differs(v, now, "the work is in phase "+at.number)
}
