// Where a loop goes on, and which of its gates have to be decided.

package rules

// The things that resuming a loop comes to.
const (
	ContinuePhase       = "continue_phase"         // work goes on in the phase
	GatePrompt          = "gate_prompt"            // the gate has to be decided first
	AskRetryFailedPhase = "ask_retry_failed_phase" // the loop has failed: the user says whether to try the phase again
	AskRestart          = "ask_restart"            // the loop is complete: the user says whether to begin anew
	OfferComplete       = "offer_complete"         // nothing is left: the loop can be called complete
	ResumeError         = "error"
)

// Resume is what resuming a loop would do. An index that says nothing is -1.
type Resume struct {
	Action string
	Phase  int  // the phase it is about
	Gate   int  // the gate that is asked for
	Code   Code // with ResumeError
	// Stale says that the file names another current phase than its phases have; theirs counts.
	Stale bool
}

// Resume says where work on the loop goes on. A paused loop goes on like an active one. Without a loop.json no gate can be
// placed and none is asked for. With one, a gate that it does not place is asked for as soon as work is behind the first
// phase, or any phase is over: every gate stands behind a phase, so nobody can say that the work has not come to it.
func (l *Loop) Resume() Resume {
	r := Resume{Phase: -1, Gate: -1}
	if !loops.knows(l.Status) {
		r.Action, r.Code = ResumeError, UnknownStatus
		return r
	}
	if l.Status == Complete {
		r.Action = AskRestart
		return r
	}
	active, pending := l.first(Active), l.first(Pending)
	named := l.named()
	if l.Status == Failed {
		// No phase can be "failed": the one that was at work is.
		r.Action, r.Phase = AskRetryFailedPhase, active
		if active < 0 {
			r.Phase = named
		}
		if r.Phase < 0 {
			r.Phase = pending
		}
		return r
	}
	r.Phase = active
	if r.Phase < 0 {
		r.Phase = pending
	}
	if len(l.Phases) == 0 {
		r.Action, r.Code = ResumeError, NoPhase
		return r
	}
	before := r.Phase - 1
	if r.Phase < 0 {
		before = len(l.Phases) - 1
	}
	r.Stale = r.Phase >= 0 && l.Phase != "" && named != r.Phase
	if r.Gate = l.prompt(before); r.Gate < 0 && (r.Phase >= 0 || l.open() == 0) {
		r.Gate = l.unplaced(r.Phase)
	}
	switch {
	case r.Gate >= 0:
		r.Action = GatePrompt
	case r.Phase >= 0:
		r.Action = ContinuePhase
	default:
		r.Action = OfferComplete
		if at := l.Over(); at < len(l.Phases) { // its word is none that is known: nobody can say that it is over
			r.Action, r.Phase, r.Code = ResumeError, at, UnknownStatus
		} else if len(l.Lacks) > 0 {
			r.Action, r.Code = ResumeError, NoPhase
		}
	}
	return r
}

// Over returns how many phases, from the first, are over without an open one between.
func (l *Loop) Over() int {
	if i := index(l.Phases, func(p *Phase) bool { return !p.Finished() }); i >= 0 {
		return i
	}
	return len(l.Phases)
}

// first returns the first phase with a status, -1 without one.
func (l *Loop) first(word string) int {
	return index(l.Phases, func(p *Phase) bool { return PhaseWord(p.Status) == word })
}

// phase returns the phase with a name, -1 where there is none.
func (l *Loop) phase(name string) int {
	return index(l.Phases, func(p *Phase) bool { return p.Name == name })
}

// named returns the phase that the file calls the current one, -1 where it names none that there is.
func (l *Loop) named() int { return l.phase(l.Phase) }

// prompt returns the first gate behind a phase that has to be decided, -1 where none has to.
func (l *Loop) prompt(after int) int {
	if !l.Placed || after < 0 {
		return -1
	}
	from := l.behind(after)
	return index(l.Gates, func(g *Gate) bool { return g.After >= from && g.After <= after && g.prompts() })
}

// behind returns the phase that work stands behind where it has left the one at a place: those that were left out are passed over, so
// that leaving one out does not lead past a gate ahead of it. Behind the last no gate comes next: all that are left keep the loop open.
func (l *Loop) behind(at int) int {
	for at > 0 && at < len(l.Phases)-1 && l.Phases[at].Status == Skipped {
		at--
	}
	return at
}

// unplaced returns the first gate that has to be decided, and of which the definition does not tell
// where it stands; -1 where there is none, or it can't be its turn yet. at is the phase that work is at.
func (l *Loop) unplaced(at int) int {
	if !l.Placed || !l.begun(at) {
		return -1
	}
	return index(l.Gates, func(g *Gate) bool { return g.After < 0 && g.prompts() })
}

// counted reports whether any phase has a status at all.
func (l *Loop) counted() bool {
	return index(l.Phases, func(p *Phase) bool { return p.Status != "" }) >= 0
}

// begun reports whether work has left any phase: the one that it is at is not the first, by the definition, even if those before
// have words that nobody knows or the state lacks them, or any is over. Of a state without phases nobody knows.
func (l *Loop) begun(at int) bool {
	return at > 0 || l.Placed && len(l.Phases) == 0 || at == 0 && l.Behind || index(l.Phases, (*Phase).Finished) >= 0
}
