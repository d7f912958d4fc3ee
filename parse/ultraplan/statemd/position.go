// Where the work is, by the tree: the phase, its plan and its status. What the tree does not deny stays as people have it.

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
	number string
	phase  *facts.PhaseStanding // nil for one that neither a directory nor the roadmap has
	moved  bool                 // the file names another phase
	plan   string               // number of the plan, "" where what the file says stands
}

// position compares the lines Phase, Plan and Status, and the current focus.
func (c *comparison) position() {
	at, why := c.place()
	c.phase(at, why)
	c.plan(at)
	c.status(at)
	c.focus(at)
}

// place finds where the work is. A result that was only now captured says it, and one of an open plan that is newer than the last
// activity of the file; else the file does, unless the phase that it names is not there, or is done while others have begun. From a phase that is done the work goes on to the next that is not.
func (c *comparison) place() (at place, why string) {
	is, claimed := c.is, c.says.Phase
	at = place{number: rules.TrimZeros(claimed), phase: is.Find(claimed)}
	worked, plan := is.Of(is.Last)
	newest := worked != nil && (is.Event || c.outrun(plan))
	if len(is.Phases) == 0 || claimed == "" && (!is.Event || worked == nil) {
		return at, ""
	}
	if at.phase == nil && claimed != "" && rules.CompareNumbers(claimed, c.toPlan()) == 0 { // only the file counts it so far
		at.phase = &facts.PhaseStanding{Number: at.number}
	}
	switch {
	case newest:
		at.phase = worked
		_, number := rules.SplitPlan(plan.ID)
		at.plan = rules.TrimZeros(number)
		why = newestResult + worked.Number
	case at.phase == nil && rules.CompareNumbers(claimed, "0") != 0:
		at.phase, why = c.begun(), "neither a directory nor ROADMAP.md has it"
		if worked != nil {
			at.phase = worked
		}
	case at.phase != nil && at.phase.Count.Total > 0 && at.phase.Count.Open() == 0:
		later := c.begun()
		if later == nil || rules.CompareNumbers(later.Number, at.phase.Number) <= 0 {
			break
		}
		at.phase, why = later, "all of its plans have a summary, and phase "+later.Number+" has begun"
	}
	if at.phase != nil && at.phase.Count.Total > 0 && at.phase.Count.Open() == 0 && (why != "" || is.Event) {
		next := c.after(at.phase)
		if next.number != at.phase.Number {
			at, why = next, "all plans of phase "+at.phase.Number+" have a summary"
		}
	}
	if at.phase != nil {
		at.number = at.phase.Number
	}
	at.moved = rules.CompareNumbers(at.number, claimed) != 0
	if at.phase != nil && at.plan == "" {
		at.plan = c.planAt(at)
	}
	return at, why
}

const newestResult = "the newest result is of phase "

// begun returns the last phase that has begun, nil where none has.
func (c *comparison) begun() (p *facts.PhaseStanding) {
	for i := range c.is.Phases {
		if c.is.Phases[i].Begun {
			p = &c.is.Phases[i]
		}
	}
	return p
}

// after returns where the work goes on once a phase is done: in the first phase with open plans, as the line and the next task
// say, else in one that has yet to be planned. Where all is done it stays.
func (c *comparison) after(p *facts.PhaseStanding) place {
	for i := range c.is.Phases {
		if o := &c.is.Phases[i]; o.Count.Open() > 0 {
			return place{number: o.Number, phase: o}
		}
	}
	if number := c.toPlan(); number != "" {
		next := c.is.Find(number)
		if next == nil {
			next = &facts.PhaseStanding{Number: number}
		}
		return place{number: number, phase: next, plan: "0"}
	}
	return place{number: p.Number, phase: p}
}

// toPlan returns the phase that has yet to be planned once all plans are done, "" for none.
func (c *comparison) toPlan() string {
	says := c.says.State
	return rules.Line(c.is.Tree, &says, nil, func() []rules.RoadmapPhase { return c.is.Road }).ToPlan
}

// planAt returns the number of the plan that the work is at in a phase, by the tree: "0" before the first begins, the last once
// all are done. "" leaves what the file says.
func (c *comparison) planAt(at place) string {
	p := at.phase
	number := func(s *facts.Plan) string {
		_, n := rules.SplitPlan(s.ID)
		return rules.TrimZeros(n)
	}
	switch {
	case p.Count.Total == 0:
		if at.moved {
			return "0"
		}
		return ""
	case p.Count.Open() == 0:
		return number(p.Plans[len(p.Plans)-1])
	case !at.moved && c.says.Plan != "" && !strings.Contains(c.says.Plan, "-"):
		for _, s := range p.Plans {
			if rules.CompareNumbers(number(s), c.says.Plan) == 0 {
				return ""
			}
		}
		if rules.CompareNumbers(c.says.Plan, "0") == 0 && !p.Begun {
			return ""
		}
	case !at.moved:
		return ""
	}
	if !p.Begun {
		return "0"
	}
	if in, plan := c.is.Of(c.is.Last); in == p {
		return number(plan)
	}
	last := p.Plans[0]
	for _, s := range p.Plans {
		if s.Done {
			last = s
		}
	}
	return number(last)
}

var (
	phaseForm = regexp.MustCompile(`^([\d.]+)((?:\s+of\s+|\s*/\s*)(\d+))?(\s*\([^)]*\))?(.*)$`)
	planForm  = regexp.MustCompile(`^(\d+)(\s+of\s+|\s*/\s*)(\d+)(.*)$`)
	planID    = regexp.MustCompile(`^\d+(?:\.\d+)*-\d+(?:\.\d+)*`)
	aside     = regexp.MustCompile(`\s*\([^)]*\)`)
)

// phase compares "Phase: 3 of 4 (Lamp)": where the work is, and that there are not more phases. More than the tree has may be
// planned.
func (c *comparison) phase(at place, why string) {
	v, ok := c.field("Phase")
	m := phaseForm.FindStringSubmatch(v.text)
	if ok && unset(v.text) && c.is.Event && at.phase != nil {
		now := at.number + " of " + c.is.Total("1", at.number)
		if at.phase.Title != "" {
			now += " (" + Plain(at.phase.Title) + ")"
		}
		c.differs("Phase", v, now, says("Phase", v.text), why)
		return
	}
	if !ok || m == nil {
		return
	}
	total := m[3]
	more := false
	if total != "" {
		total = c.is.Total(total, at.number)
		more = total != m[3]
	}
	if at.moved {
		now := at.number
		if m[3] != "" {
			now += strings.TrimSuffix(m[2], m[3]) + total
		}
		if m[4] != "" && at.phase != nil && at.phase.Title != "" {
			now += " (" + Plain(at.phase.Title) + ")"
		}
		truth := "the work is in phase " + at.number
		if c.is.Find(c.says.Phase) == nil || strings.HasPrefix(why, newestResult) {
			truth = why
		}
		c.differs("Phase", v, now, "STATE.md is at phase "+c.says.Phase, truth)
		return
	}
	if why != "" && at.phase == nil {
		c.found = append(c.found, Difference{Field: "Phase", Line: v.line, Claim: "STATE.md is at phase " + c.says.Phase, Truth: why})
	}
	if other := c.namedAfter(at.phase, m[4]); other != nil {
		i := len(m[1]) + len(m[2])
		d := Difference{Field: "Phase", Line: v.line, Claim: "STATE.md calls phase " + at.number + " “" + Plain(strings.Trim(m[4], " \t()")) + "”", Truth: "that is the name of phase " + other.Number}
		if now := " (" + Plain(at.phase.Title) + ")"; at.phase.Title != "" {
			d.Spans = []model.Span{{At: v.at + i, Old: m[4], New: now, Label: "Phase"}}
		}
		c.found = append(c.found, d)
	}
	if more {
		i := len(m[1]) + len(m[2]) - len(m[3])
		c.found = append(c.found, Difference{Field: "Phase", Line: v.line, Claim: "STATE.md is at a phase “of " + m[3] + "”", Truth: "the tree and ROADMAP.md have phases up to " + total,
			Spans: []model.Span{{At: v.at + i, Old: m[3], New: total, Label: "Phase"}}})
	}
}

// namedAfter returns the phase whose name a position gives to another one, nil where it does not.
func (c *comparison) namedAfter(p *facts.PhaseStanding, name string) (other *facts.PhaseStanding) {
	name = bareName(name)
	if p == nil || name == "" || name == bareName(p.Title) {
		return nil
	}
	for i := range c.is.Phases {
		if o := &c.is.Phases[i]; o != p && bareName(o.Title) == name {
			other = o
		}
	}
	return other
}

// bareName returns the letters and digits of a name, in lower case: "Lamp & Glass" is "lamp-glass".
func bareName(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// plan compares "Plan: 2 of 3 in current phase". What is said of a plan in brackets goes with its number.
func (c *comparison) plan(at place) {
	v, ok := c.field("Plan")
	if !ok || at.phase == nil {
		return
	}
	claim := "STATE.md says “Plan: " + v.text + "”"
	if m := planForm.FindStringSubmatch(v.text); m != nil {
		number, total, rest := m[1], m[3], m[4]
		if at.plan != "" && rules.CompareNumbers(number, at.plan) != 0 {
			number, rest = at.plan, aside.ReplaceAllString(rest, "")
		}
		total = c.planTotal(at, number, total)
		if now := number + m[2] + total + rest; number != m[1] || total != m[3] {
			c.differs("Plan", v, now, claim, fmt.Sprintf("phase %s has %s, %d with a summary", at.phase.Number, protocol.Count(at.phase.Count.Total, "plan"), at.phase.Count.Done))
		}
		return
	}
	if !c.is.Event || at.plan == "" {
		return
	}
	now := at.plan + " of " + c.planTotal(at, at.plan, "")
	if id := planID.FindString(v.text); id != "" {
		_, is := c.is.Of(c.is.Last)
		if is == nil || is.ID == id {
			return
		}
		now = is.ID
	} else if !unset(v.text) && !strings.Contains(strings.ToLower(v.text), "not started") {
		return // people's words
	}
	c.differs("Plan", v, now, claim, "the newest result is of plan "+c.is.Last.Plan)
}

// planTotal returns of how many plans the position in a phase is: as many as there are, or, where their numbers leave gaps, their
// highest number, so that no plan is beyond it. What is claimed stands where it is one of the two, and where more have yet to be
// written.
func (c *comparison) planTotal(at place, number, claimed string) string {
	count, highest := strconv.Itoa(at.phase.Count.Total), "0"
	for _, s := range at.phase.Plans {
		if _, n := rules.SplitPlan(s.ID); rules.CompareNumbers(n, highest) > 0 {
			highest, _, _ = strings.Cut(rules.TrimZeros(n), ".")
		}
	}
	planning := false
	switch status, _ := c.field("Status"); rules.Status(status.text) {
	case rules.StatusPlanning, rules.StatusReadyToPlan:
		planning = !c.is.Event
	}
	beyond := func(total string) bool { return rules.CompareNumbers(number, total) > 0 }
	switch {
	case rules.CompareNumbers(claimed, highest) == 0 && !beyond(claimed) && !at.moved,
		!at.moved && rules.CompareNumbers(claimed, count) > 0 && (planning || at.phase.Count.Total == 0):
		return claimed
	case beyond(count):
		return highest
	}
	return count
}

// status compares the status with what the tree says of the phase. That somebody plans or verifies is in no file: it stays
// until the tree denies it, or a result comes of a phase that was to be planned.
func (c *comparison) status(at place) {
	v, ok := c.field("Status")
	if !ok || at.phase == nil {
		if ok && c.is.Plans.Total == 0 && rules.Status(v.text) == rules.StatusComplete {
			c.found = append(c.found, Difference{Field: "Status", Line: v.line, Claim: "STATE.md says “" + v.text + "”", Truth: "there is no plan in the tree"})
		}
		return
	}
	p := at.phase
	claimed, word := rules.Status(v.text), facts.TreeWord(p.Count)
	denied, known := false, true
	switch claimed {
	case rules.StatusComplete:
		denied = p.Count.Open() > 0 || p.Count.Total == 0 && (p.Dir || c.is.Plans.Total == 0)
	case rules.StatusInProgress:
		denied = p.Count.Total > 0 && p.Count.Open() == 0
	case rules.StatusReadyToPlan:
		denied = p.Begun || c.is.Event && p.Count.Total > 0
	case rules.StatusPlanning:
		denied = p.Begun && p.Count.Open() > 0 || c.is.Event && p.Count.Total > 0
	case rules.StatusVerifying:
	default:
		known = false
		denied = c.is.Event
	}
	if at.moved && claimed != word {
		denied = true
	}
	if !denied || claimed == word && known {
		return
	}
	truth := "it has no plan"
	switch n := p.Count; {
	case n.Open() > 0 && n.Total == 1:
		truth = "its plan has no summary"
	case n.Open() > 0:
		truth = fmt.Sprintf("%d of its %s have no summary", n.Open(), protocol.Count(n.Total, "plan"))
	case n.Total > 0:
		truth = "all of its plans have a summary"
	}
	if c.is.Plans.Total == 0 {
		c.found = append(c.found, Difference{Field: "Status", Line: v.line, Claim: "STATE.md says “" + v.text + "”", Truth: "there is no plan in the tree"})
		return
	}
	claim := "STATE.md says phase " + at.number + " is “" + v.text + "”"
	if at.moved {
		claim, truth = "STATE.md says “Status: "+v.text+"”", "in phase "+at.number+" "+truth
	}
	c.differs("Status", v, word, claim, truth)
}

var focusForm = regexp.MustCompile(`^Phase ([\d.]+)(\s*[-:–—]\s*)?(.*)$`)

// focus compares "Current focus: Phase 1 - Quay"; other words are people's.
func (c *comparison) focus(at place) {
	v, ok := c.field("Current focus")
	m := focusForm.FindStringSubmatch(v.text)
	if !ok || m == nil || at.phase == nil || rules.CompareNumbers(strings.TrimSuffix(m[1], "."), at.number) == 0 {
		return
	}
	now := "Phase " + at.number
	if m[2] != "" && at.phase.Title != "" {
		now += m[2] + Plain(at.phase.Title)
	}
	c.differs("Current focus", v, now, says("Current focus", v.text), "the work is in phase "+at.number)
}
