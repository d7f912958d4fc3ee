package core

import (
	"slices"

	"gatehouse/model/line"
)

// PhaseGroup holds the phases with the same number, which several directories may share.
type PhaseGroup struct {
	Number, Title string // the number without leading zeros; the title of the first phase with plans, else of the first one
	Phases        []*Phase
	Plans         []*Plan
	Done, Total   int  // plans, announced ones included in Total
	Claimed       int  // see [Phase]
	IsVague       bool // likewise
	IsSkipped     bool
	HasDir        bool
}

// IsComplete reports whether every plan is there and has a summary.
func (g *PhaseGroup) IsComplete() bool { return g.Done == g.Total && g.Total > 0 && !g.IsVague }

// groupPhases groups the phases by number, and records the announced plans that have no file.
func (p *Project) groupPhases() {
	var g *PhaseGroup
	for _, ph := range p.Phases {
		if g == nil || CompareNumbers(g.Number, ph.Number) != 0 {
			g = &PhaseGroup{Number: TrimZeros(ph.Number), Title: ph.Title, IsSkipped: ph.IsSkipped()}
			p.Groups = append(p.Groups, g)
		}
		if len(g.Plans) == 0 && len(ph.Plans) > 0 {
			g.Title = ph.Title
		}
		done, total := ph.Count()
		g.Phases, g.Plans, g.HasDir = append(g.Phases, ph), append(g.Plans, ph.Plans...), g.HasDir || ph.Dir != ""
		g.Done, g.Total = g.Done+done, g.Total+total
	}
	for _, g := range p.Groups {
		if ph := g.Phases[0]; !g.IsSkipped && (ph.Dir != "" || ph.Road == nil || !ph.Road.Checked) {
			p.announcePlans(g, ph)
			g.Total, g.Claimed, g.IsVague = g.Total+ph.Missing, ph.Claimed, ph.IsVague
		}
	}
}

// announcePlans records in the first phase of a group the announced plans that have no file. A phase without a directory that the roadmap
// checks off is only a claim, and so is a table row or a position at the last of its plans. A position before the first is the template's.
func (p *Project) announcePlans(g *PhaseGroup, ph *Phase) {
	announced, plans, highest := 0, len(g.Plans), 0
	if ph.Road != nil {
		announced = ph.Road.Plans
	}
	for _, row := range p.State.Phases {
		if CompareNumbers(row.Number, g.Number) == 0 && row.Done < row.Total {
			announced = max(announced, row.Total)
		}
	}
	ph.Missing = max(0, announced-plans)
	for _, plan := range g.Plans { // a position may count to the highest number
		highest = max(highest, ParseCount(wholePart(PlanNumber(plan.ID))))
	}
	if at := ParseCount(wholePart(p.State.Plan)); CompareNumbers(p.State.Phase, g.Number) == 0 && at > 0 && at <= plans && at < p.State.PlanTotal && p.State.PlanTotal > highest {
		ph.Claimed = max(0, p.State.PlanTotal-plans-ph.Missing)
		ph.Missing += ph.Claimed
	}
	ph.IsVague = announced == 0 && ph.Road != nil && ph.Road.IsVague && !ph.Road.Checked
}

// hasPlans reports whether the phases with a number have known plans.
func (p *Project) hasPlans(number string) bool {
	return slices.ContainsFunc(p.Groups, func(g *PhaseGroup) bool { return CompareNumbers(g.Number, number) == 0 && g.Total > 0 })
}

// Totals counts the plans of a project.
type Totals struct {
	Done, Total int // including announced plans
	// Unknown is how many phases have neither plans nor an announced number of plans, or may have more. Then the total can't be counted.
	Unknown int
}

// HasPercent reports whether a percentage is meaningful. If all known plans are done and phases are still to be planned, it would be a
// wrong 100.
func (t Totals) HasPercent() bool { return t.Total > 0 && (t.Unknown == 0 || t.Done < t.Total) }

// Percent returns the share of plans that are done, rounded down.
func (t Totals) Percent() int {
	if t.Total == 0 {
		return 0
	}
	return t.Done * 100 / t.Total
}

// CountPlans counts the plans of all phases.
func (p *Project) CountPlans() (t Totals) {
	for _, g := range p.Groups {
		t.Done, t.Total = t.Done+g.Done, t.Total+g.Total
		if !g.IsSkipped && (g.Total == 0 || g.IsVague) {
			t.Unknown++
		}
	}
	if claimed := ParseCount(p.State.PhaseTotal); t.Total > 0 && claimed > len(p.Groups) && CompareNumbers(p.State.PhaseTotal, p.highestPhase()) > 0 {
		t.Unknown += claimed - len(p.Groups)
	}
	return t
}

// highestPhase returns the highest phase number, without its fraction; "0" without phases.
func (p *Project) highestPhase() string {
	if len(p.Groups) == 0 {
		return "0"
	}
	return wholePart(p.Groups[len(p.Groups)-1].Number)
}

// PhaseTotal returns the number of phases for a position. The claimed number counts unless there are more phases both by their count and by
// their highest number, because phases may be inserted ("2.5") and numbers left out. "" means no claim.
func (p *Project) PhaseTotal(claimed string) string {
	if count := ParseCount(claimed); count > 0 && count < len(p.Groups) && CompareNumbers(p.highestPhase(), claimed) > 0 {
		return line.Decimal(len(p.Groups))
	}
	return claimed
}
