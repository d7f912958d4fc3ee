// The position: phase, plan, status and focus. A claim that the tree does not deny stays.

package statemd

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"gatehouse/model"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/facts"
	"gatehouse/parse/ultraplan/rules"
)

// place is where the work is.
type place struct {
	*PhaseFigures
	plan  string // number of the plan; "" keeps the file's
	moved bool   // the file names another phase
	why   string // the reason for another phase
}

func (c *comparison) position() {
	at, ok := c.place()
	if !ok {
		if v, _ := c.field("Status"); c.is.Plans.Total == 0 && rules.Status(v.text) == rules.StatusComplete {
			c.reports(v, "the tree has no plan")
		}
		return
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
	at.PhaseFigures = c.is.find(claimed)
	worked, plan := c.is.atWork()
	activity, hasActivity := c.field("Last activity")
	isNewest := worked != nil && (c.is.IsEvent || hasActivity && !plan.Done && c.is.last != nil && c.isOlder(activity.text))
	if len(c.is.Phases) == 0 || claimed == "" && !isNewest {
		return at, false
	}
	if at.PhaseFigures == nil && claimed != "" && (rules.CompareNumbers(claimed, c.phaseToPlan()) == 0 || c.isAnnounced(claimed)) {
		at.PhaseFigures = &PhaseFigures{Number: rules.TrimZeros(claimed)}
	}
	switch {
	case isNewest:
		at.PhaseFigures, at.why = worked, "the newest result is of phase "+worked.Number
		_, number := rules.SplitPlan(plan.ID)
		at.plan = rules.TrimZeros(number)
	case at.PhaseFigures == nil && rules.CompareNumbers(claimed, "0") == 0:
		return at, false // before the first phase
	case at.PhaseFigures == nil:
		if at.PhaseFigures, at.why = worked, "neither a directory nor ROADMAP.md has it"; worked == nil {
			at.PhaseFigures = c.lastBegun()
		}
		if at.PhaseFigures == nil {
			v, _ := c.field("Phase")
			c.reports(v, at.why)
			return at, false
		}
	}
	status, _ := c.field("Status")
	if at.isComplete() && (isNewest || rules.Status(status.text) != rules.StatusVerifying) {
		if next := c.after(at.PhaseFigures); next.Number != at.Number {
			at = place{PhaseFigures: next, why: "all plans of phase " + at.Number + " have a summary"}
			if next.Count.Total == 0 {
				at.plan = "0"
			}
		}
	}
	at.moved = rules.CompareNumbers(at.Number, claimed) != 0
	if at.plan == "" {
		at.plan = c.planAt(at)
	}
	return at, true
}

// isAnnounced reports whether the table By Phase has a phase that the tree has not.
func (c *comparison) isAnnounced(number string) bool {
	for i := range c.rows {
		if done, total, ok := c.rows[i].count(); ok && done < total && c.rows[i].isOf(number) {
			return true
		}
	}
	return false
}

// lastBegun returns the last phase that has begun, nil without one.
func (c *comparison) lastBegun() (p *PhaseFigures) {
	for i := range c.is.Phases {
		if c.is.Phases[i].hasBegun {
			p = &c.is.Phases[i]
		}
	}
	return p
}

// after returns the phase where the work goes on after a complete one: the first that is not complete, else the same.
func (c *comparison) after(p *PhaseFigures) *PhaseFigures {
	for i := range c.is.Phases {
		if o := &c.is.Phases[i]; o.Count.Total > 0 && !o.isComplete() {
			return o
		}
	}
	number := c.phaseToPlan()
	for i := range c.rows {
		if number == "" && c.is.find(c.rows[i].number) == nil && c.isAnnounced(c.rows[i].number) {
			number = c.rows[i].number
		}
	}
	if number == "" {
		return p
	}
	if next := c.is.find(number); next != nil {
		return next
	}
	return &PhaseFigures{Number: number}
}

// phaseToPlan returns the phase that is planned next once all plans are done, "" for none.
func (c *comparison) phaseToPlan() string {
	says := c.says.State
	return rules.Line(c.is.tree, &says, nil, func() []rules.RoadmapPhase { return c.is.road }).ToPlan
}

func planNumber(s *facts.Plan) string {
	_, n := rules.SplitPlan(s.ID)
	return rules.TrimZeros(n)
}

// planAt returns the number of the plan that a phase is at: "0" before the first begins, the last once all are done; "" keeps the file's.
func (c *comparison) planAt(at place) string {
	switch {
	case at.Count.Total == 0 && at.moved:
		return "0"
	case at.Count.Total == 0:
		return ""
	case at.isComplete():
		return planNumber(at.plans[len(at.plans)-1])
	case !at.moved:
		if c.says.Plan == "" || strings.Contains(c.says.Plan, "-") || rules.CompareNumbers(c.says.Plan, "0") == 0 && !at.hasBegun || at.announced > at.Count.Total {
			return ""
		}
		for _, s := range at.plans {
			if rules.CompareNumbers(planNumber(s), c.says.Plan) == 0 {
				return ""
			}
		}
	}
	if !at.hasBegun {
		return "0"
	}
	if in, plan := c.is.atWork(); in == at.PhaseFigures {
		return planNumber(plan)
	}
	last := at.plans[0]
	for _, s := range at.plans {
		if s.Done {
			last = s
		}
	}
	return planNumber(last)
}

var (
	phaseForm = regexp.MustCompile(`^([\d.]+)((?:\s+of\s+|\s*/\s*)(\d+))?(\s*\([^)]*\))?(.*)$`)
	planForm  = regexp.MustCompile(`^(\d+)(\s+of\s+|\s*/\s*)(\d+)(.*)$`)
	planID    = regexp.MustCompile(`^\d+(?:\.\d+)*-\d+(?:\.\d+)*`)
	aside     = regexp.MustCompile(`\s*\([^)]*\)`)
	focusForm = regexp.MustCompile(`^Phase ([\d.]+)(\s*[-:–—]\s*)?(.*)$`)
)

// phaseTotal returns of how many phases the position is: a claim stays unless it is below both the number of phases and the highest number,
// for people give either.
func (is *Figures) phaseTotal(claimed, at string) string {
	highest, _, _ := strings.Cut(is.Phases[len(is.Phases)-1].Number, ".")
	count := strconv.Itoa(is.phaseCount)
	here, _, _ := strings.Cut(at, ".")
	if rules.CompareNumbers(count, claimed) > 0 && rules.CompareNumbers(highest, claimed) > 0 {
		claimed = count
	}
	if rules.CompareNumbers(here, claimed) > 0 { // the numbers leave gaps
		return here
	}
	return claimed
}

// phase compares "Phase: 3 of 4 (Lamp)".
func (c *comparison) phase(at place) {
	v, ok := c.field("Phase")
	m := phaseForm.FindStringSubmatch(v.text)
	title := ""
	if at.Title != "" {
		title = " (" + Plain(at.Title) + ")"
	}
	switch {
	case ok && isUnset(v.text):
		c.differs(v, at.Number+" of "+c.is.phaseTotal("1", at.Number)+title, at.why)
		return
	case !ok || m == nil:
		return
	}
	now, name, truth := m[1], m[4], at.why
	if at.moved {
		if now = at.Number; name != "" {
			name = title
		}
	} else if other := c.namedLike(at.PhaseFigures, name); other != nil {
		name, truth = title, "“"+Plain(strings.Trim(name, " \t()"))+"” is the name of phase "+other.Number
	}
	if m[3] != "" {
		total := c.is.phaseTotal(m[3], at.Number)
		if now += strings.TrimSuffix(m[2], m[3]) + total; total != m[3] && truth == "" {
			truth = "there are " + total + " phases"
		}
	}
	rest := m[5]
	if at.moved {
		rest = ""
	}
	if now += name + rest; now != v.text && truth != "" {
		c.differs(v, now, truth)
	}
}

// namedLike returns another phase that has the name of a position, nil without one.
func (c *comparison) namedLike(p *PhaseFigures, name string) (other *PhaseFigures) {
	if name = bareName(name); name == "" || name == bareName(p.Title) || p.Title == "" {
		return nil
	}
	for i := range c.is.Phases {
		if o := &c.is.Phases[i]; o.Number != p.Number && bareName(o.Title) == name {
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
	if m := planForm.FindStringSubmatch(v.text); m != nil {
		number, rest := m[1], m[4]
		if at.plan != "" && rules.CompareNumbers(number, at.plan) != 0 {
			number, rest = at.plan, aside.ReplaceAllString(rest, "")
		}
		if total := c.planTotal(at, number, m[3]); number != m[1] || total != m[3] {
			c.differs(v, number+m[2]+total+rest, fmt.Sprintf("phase %s has %s, %d with a summary", at.Number, protocol.Count(at.total(), "plan"), at.Count.Done))
		}
		return
	}
	_, plan := c.is.atWork()
	id := planID.FindString(v.text)
	switch {
	case !c.is.IsEvent || at.plan == "" || plan == nil:
	case id != "" && id != plan.ID:
		c.differs(v, plan.ID, "the newest result is of plan "+plan.ID)
	case id == "" && (isUnset(v.text) || strings.Contains(strings.ToLower(v.text), "not started")):
		c.differs(v, at.plan+" of "+c.planTotal(at, at.plan, ""), "the newest result is of plan "+plan.ID)
	}
}

// planTotal returns of how many plans the position is: as many as there are or are announced, or their highest number if the position is
// beyond. A claim of more stays while the phase is being planned.
func (c *comparison) planTotal(at place, number, claimed string) string {
	count, highest := strconv.Itoa(at.total()), "0"
	for _, s := range at.plans {
		if n, _, _ := strings.Cut(planNumber(s), "."); rules.CompareNumbers(n, highest) > 0 {
			highest = n
		}
	}
	isBeyond := func(total string) bool { return rules.CompareNumbers(number, total) > 0 }
	status, _ := c.field("Status")
	isPlanning := !c.is.IsEvent && (rules.Status(status.text) == rules.StatusPlanning || rules.Status(status.text) == rules.StatusReadyToPlan)
	switch {
	case at.moved:
	case rules.CompareNumbers(claimed, highest) == 0 && !isBeyond(claimed) && at.announced <= at.Count.Total,
		rules.CompareNumbers(claimed, count) > 0 && (isPlanning || at.Count.Total == 0):
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
	claimed, word, n := rules.Status(v.text), at.word(), at.Count
	denied := at.moved && claimed != word
	switch claimed {
	case rules.StatusComplete:
		denied = denied || n.Total > 0 && !at.isComplete() || n.Total == 0 && (at.hasDir || c.is.Plans.Total == 0 || at.announced > 0)
	case rules.StatusInProgress:
		denied = denied || at.isComplete()
	case rules.StatusReadyToPlan:
		denied = denied || at.hasBegun && n.Open() > 0 || at.isComplete() || c.is.IsEvent && n.Open() > 0
	case rules.StatusPlanning:
		denied = denied || at.hasBegun && n.Open() > 0 || at.isComplete() || c.is.IsEvent && n.Open() > 0
	case rules.StatusVerifying:
	default:
		denied = denied || c.is.IsEvent
	}
	if !denied || claimed == word {
		return
	}
	truth := "it has no plan"
	switch {
	case n.Open() > 0:
		truth = fmt.Sprintf("%d of its %s have no summary", n.Open(), protocol.Count(n.Total, "plan"))
	case at.isComplete():
		truth = "all of its plans have a summary"
	case n.Total > 0:
		truth = fmt.Sprintf("%d of its %s are planned", n.Total, protocol.Count(at.total(), "plan"))
	}
	if c.is.Plans.Total == 0 {
		c.reports(v, "the tree has no plan")
		return
	}
	c.differs(v, word, "in phase "+at.Number+" "+truth)
}

// word returns the protocol's word for a phase by its files.
func (p *PhaseFigures) word() string {
	if p.Count.Total > 0 && p.Count.Open() == 0 && !p.isComplete() {
		return rules.StatusInProgress
	}
	return facts.TreeWord(model.Count{Done: p.Count.Done, Total: p.Count.Total})
}

// focus compares "Current focus: Phase 1 - Quay"; other words belong to people.
func (c *comparison) focus(at place) {
	v, ok := c.field("Current focus")
	m := focusForm.FindStringSubmatch(v.text)
	if !ok || m == nil || rules.CompareNumbers(strings.TrimSuffix(m[1], "."), at.Number) == 0 {
		return
	}
	now := "Phase " + at.Number
	if m[2] != "" && at.Title != "" {
		now += m[2] + Plain(at.Title)
	}
	c.differs(v, now, "the work is in phase "+at.Number)
}
