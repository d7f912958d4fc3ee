package core

import "gatehouse/model/line"

// announcePlans records the announced plans of a phase that have no file. A phase without a directory that the roadmap checks off is only a
// claim, and so is a table row at the last of its plans. A position before the first is the template's.
func (p *Project) announcePlans(ph *Phase) {
	if ph.IsSkipped() || ph.Dir == "" && ph.Road != nil && ph.Road.Checked {
		return
	}
	announced, plans, highest := 0, 0, 0
	if ph.Road != nil {
		announced = ph.Road.Plans
	}
	for _, row := range p.State.Phases {
		if CompareNumbers(row.Number, ph.Number) == 0 && row.Done < row.Total {
			announced = max(announced, row.Total)
		}
	}
	for _, same := range p.PhasesNumbered(ph.Number) {
		plans += len(same.Plans)
		for _, plan := range same.Plans { // a position may count to the highest number
			highest = max(highest, ParseCount(wholePart(PlanNumber(plan.ID))))
		}
	}
	ph.Missing = max(0, announced-plans)
	at, total := ParseCount(wholePart(p.State.Plan)), p.State.PlanTotal
	if CompareNumbers(p.State.Phase, ph.Number) == 0 && at > 0 && total > highest {
		ph.Claimed = max(0, total-plans-ph.Missing)
		ph.Missing += ph.Claimed
	}
	ph.IsVague = announced == 0 && ph.Road != nil && ph.Road.IsVague && !ph.Road.Checked
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
	for _, ph := range p.Phases {
		done, total := ph.Count()
		t.Done, t.Total = t.Done+done, t.Total+total
		if ph.MayGetPlans() {
			t.Unknown++
		}
	}
	claimed := ParseCount(p.State.PhaseTotal)
	if count := p.countPhases(); t.Total > 0 && claimed > count && CompareNumbers(p.State.PhaseTotal, p.highestPhase()) > 0 {
		t.Unknown += claimed - count
	}
	return t
}

// MayGetPlans reports whether the number of the phase's plans is unknown.
func (p *Phase) MayGetPlans() bool {
	_, total := p.Count()
	return !p.IsSkipped() && (total == 0 || p.IsVague)
}

// countPhases counts the phases, each number once.
func (p *Project) countPhases() (n int) {
	for i, ph := range p.Phases {
		if i == 0 || CompareNumbers(p.Phases[i-1].Number, ph.Number) != 0 {
			n++
		}
	}
	return n
}

// highestPhase returns the highest phase number, without its fraction; "0" without phases.
func (p *Project) highestPhase() string {
	if len(p.Phases) == 0 {
		return "0"
	}
	return TrimZeros(wholePart(p.Phases[len(p.Phases)-1].Number))
}

// PhaseTotal returns the number of phases for a position. The claimed number counts unless there are more phases both by their count and by
// their highest number, because phases may be inserted ("2.5") and numbers left out. "" means no claim.
func (p *Project) PhaseTotal(claimed string) string {
	count := ParseCount(claimed)
	if all := p.countPhases(); count > 0 && count < all && CompareNumbers(p.highestPhase(), claimed) > 0 {
		return line.Decimal(all)
	}
	return claimed
}
