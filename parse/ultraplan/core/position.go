package core

import "gatehouse/model/line"

// Position is the position of the work. The tree takes precedence.
type Position struct {
	Running       *Plan  // the open plan that is named as running: by the gate of the current task, by STATE.md, or by the session
	RunningStatus string // [StatusInProgress] or [StatusVerifying]
	Next          *Plan  // if none runs: the first open plan that does not wait for another
	NextWaits     bool   // every open plan waits for another one, including Next
	ToPlan        string // once the others are done: the first phase without all its plans; "" without one
	Complete      bool   // all plans have a summary, and no phase is still to be planned
	Paused        bool   // work was interrupted
	PausedPlan    *Plan  // the plan where, nil if unknown
	// Unsummarized are open plans whose tasks are all done: the next step of each is its summary. A shallow read has only those found on the
	// way to Running and Next.
	Unsummarized []*Plan
	// Why gives the reason for Running, Next or ToPlan.
	Why string
}

// FindPosition finds the position of the work.
func (p *Project) FindPosition() (at Position) {
	t := p.CountPlans()
	open := false
	for _, ph := range p.Phases {
		for _, plan := range ph.Plans {
			open = open || !plan.Done
		}
	}
	if open {
		p.findRunning(&at)
		if at.Running == nil {
			p.findNext(&at)
		}
	} else {
		at.ToPlan = p.PhaseToPlan()
		at.Complete = t.Total > 0 && at.ToPlan == ""
		at.Why = "its plans are still to be written"
	}
	if !p.isShallow {
		at.Unsummarized = nil
		for _, ph := range p.Phases {
			for _, plan := range ph.Plans {
				if p.isUnsummarized(plan) {
					at.Unsummarized = append(at.Unsummarized, plan)
				}
			}
		}
	}
	if p.Resume != nil {
		at.Paused = true
		if p.Resume.Plan == "" {
			at.PausedPlan = at.Running
		} else {
			at.PausedPlan = p.Plans[PlanKey(p.Resume.Plan)]
		}
	}
	return at
}

// isUnsummarized reports whether all tasks of an open plan are done.
func (p *Project) isUnsummarized(plan *Plan) bool {
	if plan.Done {
		return false
	}
	p.ReadTasks(plan)
	for _, t := range plan.Tasks {
		if !t.IsOver() {
			return false
		}
	}
	return len(plan.Tasks) > 0 && !plan.Doc.IsCut
}

// findRunning finds the plan that is named as running. A plan whose tasks are all done does not run.
func (p *Project) findRunning(at *Position) {
	s, status := p.State, ParseStatus(p.State.Status)
	isClaimed := status == StatusInProgress || status == StatusVerifying
	if !isClaimed {
		status = StatusInProgress
	}
	name := func(key, status, why string) {
		plan := p.Plans[key]
		if at.Running != nil || plan == nil || plan.Done {
			return
		}
		if p.isUnsummarized(plan) {
			at.Unsummarized = append(at.Unsummarized, plan)
			return
		}
		at.Running, at.RunningStatus, at.Why = plan, status, why
	}
	if g := s.Gate; g != nil {
		switch g.Status {
		case GateExecuting, GateVerifying: // the task's verify command is running; the phase is not being verified yet
			name(g.Key().Plan, status, "the gate of its task is "+g.Status)
		case GateReviewing:
			name(g.Key().Plan, StatusVerifying, "the gate of its task is "+g.Status)
		}
	}
	if isClaimed && s.Plan != "" {
		name(PlanKeyIn(s.Plan, s.Phase), status, "STATE.md is at it")
	}
	for _, key := range p.Session.RunningPlans() {
		name(key, status, "the session has a task of it at work")
	}
}

// findNext finds the next plan.
func (p *Project) findNext(at *Position) {
	var first *Plan
	for _, ph := range p.Phases {
		for _, plan := range ph.Plans {
			if plan.Done {
				continue
			}
			if first == nil {
				first = plan
			}
			if other, _ := p.PlanBefore(plan); other == nil {
				at.Next, at.Why = plan, "the first plan without a summary that waits for no other"
				if p.isUnsummarized(plan) {
					at.Unsummarized, at.Why = []*Plan{plan}, "all of its tasks are done; its summary is missing"
				} else {
					at.Unsummarized = nil
				}
				return
			}
		}
	}
	at.Next, at.NextWaits, at.Why, at.Unsummarized = first, true, "the first plan without a summary; each of them waits for another", nil
}

// NeedsSummary reports whether the next step is the summary of [Position.Next].
func (at *Position) NeedsSummary() bool {
	for _, plan := range at.Unsummarized {
		if plan == at.Next && plan != nil && !at.NextWaits {
			return true
		}
	}
	return false
}

// PhaseToPlan returns the number of the first phase without all its plans, among the directories, the roadmap, and the phases that only
// STATE.md counts.
func (p *Project) PhaseToPlan() string {
	hasPlans := false
	for _, ph := range p.Phases {
		hasPlans = hasPlans || len(ph.Plans) > 0
		if ph.MayGetPlans() || ph.Missing > 0 {
			return TrimZeros(ph.Number)
		}
	}
	if t := p.CountPlans(); hasPlans && t.Unknown > 0 {
		return line.Decimal(ParseCount(p.highestPhase()) + 1)
	}
	return ""
}

// LineFacts returns the facts for the line.
func (p *Project) LineFacts(at *Position) line.Ultraplan {
	t := p.CountPlans()
	u := line.Ultraplan{
		Plans: t.Total, Done: t.Done, ToPlan: at.ToPlan, Complete: at.Complete, NextWaits: at.NextWaits, Paused: at.Paused, NextSummary: at.NeedsSummary(),
		Status: p.State.Status, PhaseNumber: TrimZeros(p.State.Phase), PhaseTotal: p.PhaseTotal(p.State.PhaseTotal), PhaseName: p.State.PhaseName,
	}
	if at.Running != nil {
		u.Running, u.RunningPhase, u.RunningStatus = at.Running.ID, TrimZeros(at.Running.Phase.Number), at.RunningStatus
	}
	if at.Next != nil {
		u.Next, u.NextPhase = at.Next.ID, TrimZeros(at.Next.Phase.Number)
	}
	if at.PausedPlan != nil {
		u.PausedPlan, u.PausedPhase = at.PausedPlan.ID, TrimZeros(at.PausedPlan.Phase.Number)
	}
	whole := wholePart(u.ToPlan)
	if u.PhaseTotal != "" && CompareNumbers(whole, u.PhaseTotal) > 0 && len(p.PhasesNumbered(u.ToPlan)) == 0 {
		u.PhaseTotal = whole
	}
	return u
}

// Shallow returns the facts for the line, and the first wait for a human with its evidence, "" for none. Because there may be thousands of
// logs, it reads them only if asks is set, or if STATE.md says that its gate waits.
func Shallow(src Source, asks bool) (facts line.Ultraplan, what, file string) {
	p := Open(src)
	p.isShallow = true
	p.skipsLogs = !asks && (p.State.Gate == nil || p.State.Gate.Stuck() == "")
	if waits := p.FindWaits(); len(waits) > 0 {
		what, file = waits[0].WaitText(), p.FindEvidence(waits[0])
	}
	at := p.FindPosition()
	return p.LineFacts(&at), what, file
}
