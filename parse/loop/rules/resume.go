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
	if r.Gate = l.prompt(before); r.Gate < 0 && (r.Phase >= 0 || l.unfinished() < 0) {
		r.Gate = l.unplaced(r.Phase)
	}
	switch {
	case r.Gate >= 0:
		r.Action = GatePrompt
	case r.Phase >= 0:
		r.Action = ContinuePhase
	default:
		r.Action = OfferComplete
		if r.Phase = l.unfinished(); r.Phase >= 0 { // its word is none that is known: nobody can say that it is over
			r.Action, r.Code = ResumeError, UnknownStatus
		}
	}
	return r
}

// unfinished returns the first phase that is not over, -1 where all are.
func (l *Loop) unfinished() int {
	for i := range l.Phases {
		if !l.Phases[i].Finished() {
			return i
		}
	}
	return -1
}

// first returns the first phase with a status, -1 without one.
func (l *Loop) first(word string) int {
	for i := range l.Phases {
		if PhaseWord(l.Phases[i].Status) == word {
			return i
		}
	}
	return -1
}

// named returns the phase that the file calls the current one, -1 where it names none that there is.
func (l *Loop) named() int {
	for i := range l.Phases {
		if l.Phases[i].Name == l.Phase {
			return i
		}
	}
	return -1
}

// prompt returns the first gate behind a phase that has to be decided, -1 where none has to.
func (l *Loop) prompt(after int) int {
	if !l.Placed || after < 0 {
		return -1
	}
	for i := range l.Gates {
		if l.Gates[i].After == after && l.Gates[i].prompts() {
			return i
		}
	}
	return -1
}

// unplaced returns the first gate that has to be decided, and of which the definition does not tell
// where it stands; -1 where there is none, or it can't be its turn yet. at is the phase that work is at.
func (l *Loop) unplaced(at int) int {
	if !l.Placed || !l.begun(at) {
		return -1
	}
	for i := range l.Gates {
		if l.Gates[i].After < 0 && l.Gates[i].prompts() {
			return i
		}
	}
	return -1
}

// counted reports whether any phase has a status at all.
func (l *Loop) counted() bool {
	for i := range l.Phases {
		if l.Phases[i].Status != "" {
			return true
		}
	}
	return false
}

// begun reports whether work has left any phase: the one that it is at is not the first, even if those before have words that
// nobody knows, or any is over.
func (l *Loop) begun(at int) bool {
	if at > 0 {
		return true
	}
	for i := range l.Phases {
		if l.Phases[i].Finished() {
			return true
		}
	}
	return false
}

// Anywhere returns the gates that are still to be decided where no definition says when.
func (l *Loop) Anywhere() (open []int) {
	for i := range l.Gates {
		if !l.Placed && l.Gates[i].open() {
			open = append(open, i)
		}
	}
	return open
}

// Older returns the gates, besides the one that a resume is about, that are required and still undecided: those that the work
// has gone past, and those of which nobody knows where they stand. By the letter of the protocol they stop nobody; they are
// worth a warning.
func (l *Loop) Older(r Resume) (older []int) {
	limit := r.Phase
	if at := l.named(); at >= 0 && !l.counted() { // no phase tells how far the work is: the file's own word does
		limit = at
	}
	begun := l.begun(limit)
	if limit < 0 {
		limit = len(l.Phases)
	}
	for i := range l.Gates {
		if g := &l.Gates[i]; l.Placed && i != r.Gate && (g.After >= 0 && g.After < limit-1 || g.After < 0 && begun) && g.prompts() {
			older = append(older, i)
		}
	}
	return older
}

// Remaining is what keeps a loop from being complete, whatever it calls itself. Gates of it are indexes of Loop.Gates.
type Remaining struct {
	Phases int   // how many are not over
	Asked  int   // the gate that has to be decided before work goes on, -1 for none
	Older  []int // those of [Loop.Older]
	// Anywhere are gates that have to be decided and that no loop.json places, with no phase left: the work has come to them
	// wherever they stand.
	Anywhere []int
}

// Remaining says what keeps the loop from being complete.
func (l *Loop) Remaining() Remaining {
	active := *l
	active.Status = Active
	resume := active.Resume()
	left := Remaining{Asked: resume.Gate, Older: active.Older(resume)}
	for i := range l.Phases {
		if !l.Phases[i].Finished() {
			left.Phases++
		}
	}
	for i := range l.Gates {
		if !l.Placed && left.Phases == 0 && l.Gates[i].prompts() {
			left.Anywhere = append(left.Anywhere, i)
		}
	}
	return left
}

// Gates returns all gates of it, the one to decide first at the head.
func (r *Remaining) Gates() (all []int) {
	if r.Asked >= 0 {
		all = append(all, r.Asked)
	}
	return append(append(all, r.Older...), r.Anywhere...)
}
