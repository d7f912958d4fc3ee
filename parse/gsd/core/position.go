package core

import (
	"cmp"
	"slices"

	"gatehouse/parse/doc"
)

// Wait is something that waits for a human.
type Wait struct {
	Kind      WaitKind
	Phase     *Phase // nil for the whole project
	Statement Statement
}

// WaitKind is the evidence for a wait.
type WaitKind uint8

// The kinds of waits, the best evidence first.
const (
	WaitSignal WaitKind = iota
	WaitTest
	WaitVerification
	WaitHandOff
	WaitCheckpoint
)

// checkSignals decides which notes are out of date, and overlays the phase that an agent has stopped in.
func (p *Project) checkSignals() {
	if h := p.HandOff; h != nil && h.IsOver() {
		h.Stale = "its status is " + h.Status
	} else if h != nil {
		p.checkNote(&h.Note, p.FindPhase(h.Phase))
	}
	for _, phase := range p.Phases {
		if phase.Stopped != nil {
			p.checkNote(&phase.Stopped.Note, phase)
		}
	}
	for _, n := range p.Notes {
		p.checkNote(&n.Note, p.FindPhase(n.Phase))
	}
	if s := p.Signal; s != nil {
		phase := p.FindPhase(s.Phase)
		if s.Stale = p.staleSignal(s, phase); s.Stale == "" && phase != nil && phase.Status != Waiting {
			phase.setStatus(Waiting, phase.Word, "an agent has stopped in it and asks")
			phase.DecidedBy, phase.IsClosed = "", false
		}
	}
}

// staleSignal returns the reason why a question no longer needs an answer, "" if it does: it needs the status
// "waiting", a time not before that of STATE.md, and a phase that is not done or past.
func (p *Project) staleSignal(s *Signal, phase *Phase) string {
	switch {
	case s.Question == unreadableQuestion:
		return ""
	case s.Status != "" && Normalize(s.Status) != "waiting":
		return "its status is " + s.Status
	case !isVisible(s.Question) && len(s.Options) == 0:
		return "it has no question"
	case isBefore(s.Since, parseSeconds(p.State.LastUpdated)):
		return workContinued("STATE.md is of ", p.State.LastUpdated, ", the question of ", s.Since)
	}
	return p.overReason(s.Phase, phase)
}

// overReason says why nothing is to be done about the phase that a file refers to, which may be unknown: it is done or past.
func (p *Project) overReason(reference string, phase *Phase) string {
	past := ""
	switch {
	case phase == nil:
		past = p.pastNumberReason(reference)
	case phase.IsClosed && phase.Past == "":
		return "phase " + phase.ID.Text + " is done"
	default:
		reference, past = phase.ID.Text, phase.Past
	}
	if past == "" {
		return ""
	}
	return "phase " + reference + ": " + past
}

// checkNote decides whether a note is out of date: its phase is done or past, or STATE.md was written and a session held since. A
// file that STATE.md names as the one to resume from holds, and so does one of an unknown time.
func (p *Project) checkNote(n *Note, phase *Phase) {
	updated, session := parseSeconds(p.State.LastUpdated), parseSeconds(p.State.LastSession)
	resume := cutPrefix(p.State.ResumeFile, "./")
	switch n.Stale = p.overReason(n.Phase, phase); {
	case n.Stale != "", resume != "" && doc.HasSuffix(n.File, resume), parseSeconds(n.Since) == 0:
	case updated != 0 && !isBefore(n.Since, updated), session != 0 && !isBefore(n.Since, session):
	case updated >= session && updated != 0:
		n.Stale = workContinued("STATE.md is of ", p.State.LastUpdated, ", this of ", n.Since)
	case session != 0:
		n.Stale = workContinued("the last session was on ", p.State.LastSession, ", this is of ", n.Since)
	}
}

// workContinued returns the reason that something is newer than a wait.
func workContinued(newer, at, older, since string) string {
	return "work continued: " + newer + trim(at, "\"' ") + older + trim(since, "\"' ")
}

// PhaseWaits returns the waits for a human in a phase, the best evidence first. A verification does not wait if there
// is a test: the UAT asks the same.
func (p *Project) PhaseWaits(phase *Phase) (waits []Wait) {
	if phase == nil || phase.Past != "" {
		return nil
	}
	if s := p.Signal; s != nil && s.Stale == "" && p.FindPhase(s.Phase) == phase {
		waits = append(waits, Wait{Kind: WaitSignal, Phase: phase})
	}
	for _, u := range phase.UATs {
		if u.CountOpen() > 0 {
			waits = append(waits, Wait{Kind: WaitTest, Phase: phase})
		}
	}
	for _, v := range phase.Verifications {
		if p.AsksHuman(phase, v) && (len(waits) == 0 || waits[len(waits)-1].Kind == WaitSignal) {
			waits = append(waits, Wait{Kind: WaitVerification, Phase: phase})
		}
	}
	if h := p.HandOff; h != nil && h.Stale == "" && len(h.Actions) > 0 && p.FindPhase(h.Phase) == phase {
		waits = append(waits, Wait{Kind: WaitHandOff, Phase: phase})
	}
	return waits
}

// FindCheckpoint returns the checkpoint that STATE.md says was reached; ok is false without one. A phase that waits already
// has none.
func (p *Project) FindCheckpoint() (w Wait, ok bool) {
	for _, statement := range p.State.waitingStatements() {
		if !AwaitsHuman(statement.Text) {
			continue
		}
		phase := p.Current
		if number, plan := FindPlanNumber(statement.Text); plan != "" {
			if q := p.FindPhase(number); q != nil {
				if s := p.Plans[PlanKey(q.ID, plan)]; s != nil && p.hasContinued(s) {
					continue
				}
				phase = q
			}
		}
		if phase != nil && phase.Past == "" && !phase.IsClosed && len(p.PhaseWaits(phase)) == 0 {
			return Wait{WaitCheckpoint, phase, statement}, true
		} // else the next statement may be truer, or about another phase
		if p.End.Reason == "" && len(p.OpenPhases()) == 0 && indexFold(statement.Text, "milestone") >= 0 {
			return Wait{WaitCheckpoint, nil, statement}, true // all phases are done; a human is asked about the whole
		}
	}
	return Wait{}, false
}

// hasContinued reports whether a plan was finished after STATE.md announced a wait for a human in it, or another took
// its place. A summary is not enough: agents write one and leave the last task to the human.
func (p *Project) hasContinued(s *PlanState) bool {
	if s.Plan.IsSuperseded || s.Summary == nil {
		return s.Plan.IsSuperseded
	}
	stated, finished := parseSeconds(p.State.LastUpdated), parseSeconds(s.Summary.Completed)
	switch {
	case AwaitsHuman(s.Summary.Status), s.Summary.IsUnread:
		return false
	case stated == 0:
		return true
	case finished != 0:
		return finished > stated
	}
	return s.SummaryModified > p.StateFile.Modified+clockSlack
}

// WaitsIn reports whether something waits for a human in a phase now.
func (p *Project) WaitsIn(phase *Phase) bool {
	if len(p.PhaseWaits(phase)) > 0 {
		return true
	}
	w, ok := p.FindCheckpoint()
	return ok && w.Phase == phase
}

// IsAnswered reports whether a phase is in review though a human has answered: it is an agent's turn.
func (p *Project) IsAnswered(phase *Phase) bool {
	return phase.Word == WordNeedsReview && phase.Status == Waiting && phase.Past == "" && !p.WaitsIn(phase)
}

// Tally counts the phases of the current milestone.
type Tally struct {
	Closed, Executed, Total int
	Unseen                  int // of Total: phases that only STATE.md counts
}

// maxPhases limits the phases that a state file can claim to have.
const maxPhases = 10_000

// CountPhases counts the phases of the current milestone to a reader. GSD's totals leave phase 0 out, and so does this.
func (p *Project) CountPhases() (t Tally) {
	now := p.CurrentPhases()
	if len(now) == 0 && p.HasAllShipped() {
		now = p.Counted // they are the finished ones
	}
	for _, phase := range now {
		if phase.Road != nil && phase.Road.IsRetired || phase.ID.IsZero() {
			continue
		}
		t.Total++
		if done, total := phase.CountPlans(); done < total {
			continue // also if its milestone is over
		}
		if phase.IsClosed {
			t.Closed++
		}
		if phase.IsClosed || phase.IsExecuted() {
			t.Executed++
		}
	}
	t.Unseen = p.countUnseen(t.Total)
	t.Total += t.Unseen
	return t
}

// countUnseen returns how many phases STATE.md counts beyond the known ones: a roadmap may be missing, half-written or in an unknown
// form. "Phase: 5 of 7" counts from the first of the project, so 7 is the number of the last.
func (p *Project) countUnseen(known int) int {
	if p.State.ClaimsComplete() || len(p.Archived) > 0 || p.Overtaken != nil || p.isBeyond {
		return 0
	}
	unseen := p.State.Progress["total_phases"] - known
	if total := p.State.Line.PhaseTotal; total != "" {
		last := len(p.Phases)
		for _, phase := range p.Phases {
			last = max(last, phase.ID.number)
		}
		unseen = max(unseen, min(parseNumber(total), maxPhases)-last)
	}
	return max(0, min(unseen, maxPhases))
}

// OpenPhases returns the phases of the current milestone that have work left.
func (p *Project) OpenPhases() (open []*Phase) {
	for _, phase := range p.CurrentPhases() {
		if !phase.IsClosed {
			open = append(open, phase)
		}
	}
	return open
}

// FindDenial returns the claim of STATE.md that the milestone, or the one it names, is complete, and the evidence against
// it; both are "" if it claims nothing or is right.
func (p *Project) FindDenial() (claim, truth string, line int) {
	open, s := p.OpenPhases(), p.State
	if scene, _ := s.Line.Scene(); scene == 3 && p.closed != "" && p.CurrentVersion() != "" && len(p.CurrentPhases()) == 0 {
		return "STATE.md says the milestone is complete", p.CurrentVersion() + " has no open phase yet: what is complete is " + p.closed, s.PercentLine
	}
	if m := p.Overtaken; m != nil {
		return p.deniedMilestone(m)
	}
	if len(open) == 0 || !s.ClaimsComplete() && !p.End.IsByWord || p.onlyCounts(open) {
		return "", "", 0
	}
	known := slices.DeleteFunc(slices.Clone(open), func(phase *Phase) bool { return phase.Status == Unknown })
	if len(known) > 0 {
		open = known // the state of the others is unknown
	}
	verb := " are open: "
	if len(open) == 1 {
		verb = " is open: "
	}
	truth = formatNumber(len(open)) + " of " + Count(len(p.CurrentPhases()), "phase") + verb
	for i, phase := range open[:min(len(open), 4)] {
		if i > 0 {
			truth += ", "
		}
		truth += phase.ID.Text + " " + phase.StateWord()
	}
	return "STATE.md says the milestone is complete", truth, cmp.Or(s.PercentLine, s.Status.Line)
}

// deniedMilestone returns the claim of STATE.md to be in a milestone that has shipped, while work has moved to m. If
// STATE.md calls that one complete, it was merely left behind.
func (p *Project) deniedMilestone(m *Milestone) (claim, truth string, line int) {
	if p.State.ClaimsComplete() {
		return "", "", 0
	}
	truth = "ROADMAP.md has shipped it; work has moved to " + m.Version
	return "STATE.md is in milestone " + p.State.Line.Milestone, truth, p.State.Status.Line
}

// onlyCounts reports whether STATE.md only counts plans, as GSD does: all plans are executed, and only verification is
// open. A verification with gaps or items for a human carries more information.
func (p *Project) onlyCounts(open []*Phase) bool {
	for _, phase := range open {
		if phase.Dir == "" || !phase.IsExecuted() || phase.Status == Failed || p.WaitsIn(phase) {
			return false
		}
	}
	return !SaysComplete(p.State.Line.Status) && p.CountPhases().Unseen == 0
}

// StateWord names the state of a phase in a sentence.
func (p *Phase) StateWord() string {
	if p.Word != "" && p.Word != WordComplete {
		return doc.Lower(p.Word)
	}
	return p.Status.String()
}
