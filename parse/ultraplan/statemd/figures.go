// The figures of STATE.md, counted from the tree and the logs.

package statemd

import (
	"slices"

	"gatehouse/model"
	"gatehouse/parse/ultraplan/core"
)

// Figures are the figures of a project. [FindDifferences] compares its STATE.md with them.
type Figures struct {
	*core.Project
	HasResume bool // work was interrupted
	IsEvent   bool // the newest result was captured just now, or a task has just started: that is where the work is
	Exists    func(file string) bool

	phases   []phaseFigures // by number, without those that are skipped
	totals   core.Totals
	velocity tally
	last     *core.Log // the newest result, nil without one
	at       string    // key of the current plan, "" if only STATE.md knows it
}

// phaseFigures are the figures of a phase, of all directories with its number.
type phaseFigures struct {
	Number, Title string // the number without leading zeros
	Plans         []*core.Plan
	Done, Total   int // plans, announced ones included in Total
	Claimed       int // plans that only the position announces
	IsVague       bool
	HasDir        bool
	hasBegun      bool // a plan has a summary or a result
	velocity      tally
}

// hasOpenPlans reports whether a plan has no summary.
func (p *phaseFigures) hasOpenPlans() bool { return p.Done < len(p.Plans) }

// IsComplete reports whether every plan is there and has a summary.
func (p *phaseFigures) IsComplete() bool { return p.Done == p.Total && p.Total > 0 && !p.IsVague }

// tally counts plans and their time.
type tally struct {
	untimed int          // number of finished plans whose time is unknown in whole or in part
	all     model.Millis // all known time, including that of plans in progress
	done    []PlanWork   // the finished plans: first those of an unknown day, then the others, oldest first
	earlier Earlier
}

func (t *tally) addWork(w PlanWork) {
	t.all += w.Took
	if !w.Plan.Done {
		return
	}
	t.done = append(t.done, w)
	if w.Took <= 0 || w.IsPartial {
		t.untimed++
	}
}

// countPlans returns how many plans are done, earlier ones included.
func (t *tally) countPlans() int { return len(t.done) + t.earlier.Plans }

// isWhole reports whether the time of each plan that is done is known.
func (t *tally) isWhole() bool { return t.untimed <= t.earlier.Untimed }

// totalTime returns the known time of all work.
func (t *tally) totalTime() model.Millis { return t.all + t.earlier.Took }

// NewFigures counts a project by the logs that it has read. last is its newest result; isEvent says that it was captured just now.
func NewFigures(p *core.Project, last *core.Log, isEvent bool) *Figures {
	is := &Figures{Project: p, last: last, IsEvent: isEvent && last != nil, HasResume: p.Resume != nil, totals: p.CountPlans()}
	if last != nil {
		is.at = core.PlanKey(last.Plan)
	}
	days, earlier := CountDays(p), map[string]Earlier{}
	for _, d := range days {
		AddEarlier(earlier, d.Earlier)
	}
	is.velocity.earlier = earlier[""]
	all := ListWork(p, days)
	work := FinishedWork(all)
	for _, w := range all {
		if !w.Plan.Done {
			work = append(work, w)
		}
	}
	results := map[*core.Plan]bool{}
	for _, w := range work {
		is.velocity.addWork(w)
		results[w.Plan] = w.Results > 0
	}
	for _, ph := range p.Phases {
		if ph.IsSkipped() {
			continue
		}
		one := is.findPhase(ph.Number)
		if one == nil {
			number := core.TrimZeros(ph.Number)
			is.phases = append(is.phases, phaseFigures{Number: number, Title: ph.Title, velocity: tally{earlier: earlier[number]}})
			one = &is.phases[len(is.phases)-1]
		}
		done, total := ph.Count()
		one.Done, one.Total, one.Claimed = one.Done+done, one.Total+total, one.Claimed+ph.Claimed
		one.Plans, one.HasDir, one.IsVague = append(one.Plans, ph.Plans...), one.HasDir || ph.Dir != "", one.IsVague || ph.IsVague
		for _, plan := range ph.Plans {
			one.hasBegun = one.hasBegun || plan.Done || results[plan]
		}
		for _, w := range work {
			if w.Plan.Phase == ph {
				one.velocity.addWork(w)
			}
		}
	}
	return is
}

// StartTask moves the work to a plan: one of its tasks has just started.
func (is *Figures) StartTask(planKey string) { is.at, is.IsEvent, is.last = planKey, true, nil }

// leavePhase returns the figures after the position has left a phase: the plans that only the position announced there no longer count.
func (is *Figures) leavePhase(number string) *Figures {
	left := *is
	left.phases = slices.Clone(is.phases)
	if p := left.findPhase(number); p != nil {
		p.Total, left.totals.Total = p.Total-p.Claimed, left.totals.Total-p.Claimed
	}
	return &left
}

// findPhase returns the phase of a number, nil without one.
func (is *Figures) findPhase(number string) *phaseFigures {
	for i := range is.phases {
		if number != "" && core.CompareNumbers(is.phases[i].Number, number) == 0 {
			return &is.phases[i]
		}
	}
	return nil
}

// atWork returns the current plan and its phase, nil if the tree does not have it.
func (is *Figures) atWork() (*phaseFigures, *core.Plan) {
	plan := is.Plans[is.at]
	if plan == nil {
		return nil, nil
	}
	return is.findPhase(plan.Phase.Number), plan
}
