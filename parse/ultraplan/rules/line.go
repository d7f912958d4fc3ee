// What the line says of an ultraplan project: the tree counts, and STATE.md says where the work is.

package rules

import (
	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

// Line returns the facts of the line: of the phases in their order, what STATE.md says, the plans that the
// session names as running, and the phases of the roadmap. The roadmap is only asked for when all plans are done.
func Line(phases []Phase, s *State, session []string, roadmap func() []RoadmapPhase) line.Ultraplan {
	u := line.Ultraplan{Status: s.Status, PhaseNumber: TrimZeros(s.Phase), PhaseTotal: s.PhaseTotal, PhaseName: s.PhaseName}
	numbers := 0
	for i := range phases {
		if i == 0 || CompareNumbers(phases[i].Number, phases[i-1].Number) != 0 {
			numbers++
		}
		for _, plan := range phases[i].Plans {
			u.Plans++
			if plan.Done {
				u.Done++
			} else if u.Next == "" {
				u.Next, u.NextPhase = plan.ID, TrimZeros(phases[i].Number)
			}
		}
	}
	if len(phases) > 0 {
		u.PhaseTotal = PhaseTotal(u.PhaseTotal, s.Phase, numbers, phases[len(phases)-1].Number)
	}
	if u.Done < u.Plans {
		running(&u, phases, s, session)
		return u
	}
	u.ToPlan = toPlan(phases, s, roadmap())
	if whole, _ := scan.Digits(u.ToPlan, 0); u.PhaseTotal != "" && CompareNumbers(whole, u.PhaseTotal) > 0 {
		u.PhaseTotal = whole // by the roadmap there are more
	}
	u.Complete = u.Plans > 0 && u.ToPlan == ""
	return u
}

// running finds the plan that is named as running: by the gate of the task at work, by STATE.md's position, by the
// session.
func running(u *line.Ultraplan, phases []Phase, s *State, session []string) {
	status := Status(s.Status)
	claimed := status == StatusInProgress || status == StatusVerifying
	if !claimed {
		status = StatusInProgress
	}
	name := func(id, phase, status string) {
		if id == "" || u.Running != "" {
			return
		}
		for i := range phases {
			for _, plan := range phases[i].Plans {
				if !plan.Done && SamePlan(plan.ID, id, phase) {
					u.Running, u.RunningPhase, u.RunningStatus = plan.ID, TrimZeros(phases[i].Number), status
					return
				}
			}
		}
	}
	switch s.Task.Gate {
	case TaskExecuting, TaskVerifying: // whose verify command runs is executed, and nothing of its phase is verified yet
		name(s.Task.Plan, s.Task.Phase, status)
	case TaskReviewing:
		name(s.Task.Plan, s.Task.Phase, StatusVerifying)
	}
	if claimed {
		name(s.Plan, s.Phase, status)
	}
	for _, id := range session {
		name(id, "", status)
	}
	if u.Running != "" {
		u.Next, u.NextPhase = "", ""
	}
}

// toPlan returns the number of the first phase without plans: of the directories, of the roadmap, and, where there are
// plans at all, of those that STATE.md counts and nobody has seen. A number that has plans in one directory has plans.
func toPlan(phases []Phase, s *State, roadmap []RoadmapPhase) string {
	first, last := "", "0"
	consider := func(number string) {
		if first == "" || CompareNumbers(number, first) < 0 {
			first = number
		}
	}
	planned := func(number string) bool {
		for i := range phases {
			if len(phases[i].Plans) > 0 && CompareNumbers(phases[i].Number, number) == 0 {
				return true
			}
		}
		return false
	}
	plans := false
	seen := map[string]bool{} // numbers
	for i := range phases {
		number := phases[i].Number
		seen[TrimZeros(number)] = true
		plans = plans || len(phases[i].Plans) > 0
		if CompareNumbers(number, last) > 0 {
			last = number
		}
		if !planned(number) {
			consider(number)
		}
	}
	for i := range roadmap {
		number := roadmap[i].Number
		seen[TrimZeros(number)] = true
		if CompareNumbers(number, last) > 0 {
			last = number
		}
		if !roadmap[i].Skipped && !planned(number) {
			consider(number)
		}
	}
	if first == "" && plans && s.PhaseTotal != "" {
		whole, _ := scan.Digits(last, 0)
		if CompareNumbers(s.PhaseTotal, whole) > 0 && CompareNumbers(s.PhaseTotal, line.Decimal(len(seen))) > 0 {
			first = successor(whole)
		}
	}
	return TrimZeros(first)
}

// PhaseTotal returns of how many phases the position at a phase is, as it is claimed: the total stands unless the phase is beyond it, or
// there are more, both counted and by their highest number: people do either, and phases that were put in between ("2.5"), or begin
// with another than 1, make these differ. Then it is the highest number, so that no phase is beyond it. "" is not claimed.
func PhaseTotal(claimed, at string, count int, highest string) string {
	whole, _ := scan.Digits(highest, 0)
	place, _ := scan.Digits(at, 0)
	if claimed != "" && CompareNumbers(whole, claimed) > 0 && (CompareNumbers(line.Decimal(count), claimed) > 0 || CompareNumbers(place, claimed) > 0) {
		return TrimZeros(whole)
	}
	return claimed
}

// successor returns the number after one of digits.
func successor(number string) string {
	out := []byte("0" + number)
	for i := len(out) - 1; i >= 0; i-- {
		if out[i]++; out[i] <= '9' {
			break
		}
		out[i] = '0'
	}
	return TrimZeros(string(out))
}
