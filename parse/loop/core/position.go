package core

import "gatehouse/parse/protocol/transition"

// The actions of a [Resume].
const (
	ContinuePhase       = "continue_phase"         // work goes on in the phase
	GatePrompt          = "gate_prompt"            // the gate has to be decided first
	AskRetryFailedPhase = "ask_retry_failed_phase" // the loop has failed: the user decides whether to retry the phase
	AskRestart          = "ask_restart"            // the loop is complete: the user decides whether to start over
	OfferComplete       = "offer_complete"         // nothing is left
	ResumeError         = "error"
)

// Resume is the plan to resume a loop. An index that does not apply is -1.
type Resume struct {
	Action string
	Phase  int
	Gate   int             // the gate to decide first
	Code   transition.Code // with [ResumeError]
	Stale  bool            // the current phase of the file is not the one by its phases, which count
}

// FindResume returns the point at which work continues. A paused loop continues like an active one. Without a definition it returns no gate,
// because no place is known. With one, it returns a gate without a place as soon as work has left a phase, because its turn may have come.
func (l *Loop) FindResume() Resume {
	r := Resume{Phase: -1, Gate: -1}
	switch {
	case !LoopMachine.Knows(l.Status):
		r.Action, r.Code = ResumeError, transition.UnknownStatus
		return r
	case l.Status == Complete:
		r.Action = AskRestart
		return r
	}
	active, pending := l.firstPhase(Active), l.firstPhase(Pending)
	named := l.PhaseNamed(l.Phase)
	if l.Status == Failed { // phases have no failed status: the active one has failed
		r.Action, r.Phase = AskRetryFailedPhase, firstIndex(active, named, pending)
		return r
	}
	r.Phase = firstIndex(active, pending)
	if len(l.Phases) == 0 {
		r.Action, r.Code = ResumeError, transition.NoPhase
		return r
	}
	r.Stale = r.Phase >= 0 && l.Phase != "" && named != r.Phase
	if r.Gate = l.gateToDecide(l.lastLeft(r.Phase)); r.Gate < 0 && (r.Phase >= 0 || l.countOpen() == 0) {
		r.Gate = l.unplacedGate(r.Phase)
	}
	switch {
	case r.Gate >= 0:
		r.Action = GatePrompt
	case r.Phase >= 0:
		r.Action = ContinuePhase
	case l.CountOver() < len(l.Phases): // an unknown word does not mean that the phase is over
		r.Action, r.Phase, r.Code = ResumeError, l.CountOver(), transition.UnknownStatus
	case len(l.Missing) > 0:
		r.Action, r.Code = ResumeError, transition.NoPhase
	default:
		r.Action = OfferComplete
	}
	return r
}

// Waits are the undecided gates of a loop, each once, as indexes of [Loop.Gates].
type Waits struct {
	// Now are the gates to decide before work continues, the one of [Loop.FindResume] first.
	Now []int
	// Overdue are undecided gates that work has passed, and other gates without a place. They block no work.
	Overdue []int
	// Optional are gates that work has just reached and that are not required.
	Optional []int
	// Unplaced are the open gates of a loop without a definition: whether work has reached one is unknown.
	Unplaced []int
	// Open is how many phases are not over, missing ones included.
	Open int
	// Certain: the loop is neither paused nor failed, so its gates really wait.
	Certain bool
}

// FindWaits returns the gates that wait. For a loop that is not active, it returns those that would wait if it were.
func (l *Loop) FindWaits() (w Waits) {
	active := *l
	active.Status = Active
	r := active.FindResume()
	w.Open = l.countOpen() + len(l.Missing)
	word := LoopWord(l.Status)
	w.Certain = word != Paused && word != Failed
	left := l.lastLeft(r.Phase)
	passed, hasLeft := left, l.hasLeftPhase(r.Phase)
	if at := l.PhaseNamed(l.Phase); at >= 0 && !l.HasStatuses() { // only the file's current phase shows how far work is
		passed, hasLeft = at-1, l.hasLeftPhase(at)
	}
	isWorking := r.Phase >= 0 && PhaseWord(l.Phases[r.Phase].Status) == Active
	if r.Gate >= 0 {
		w.Now = append(w.Now, r.Gate)
	}
	for i := range l.Gates {
		switch g := &l.Gates[i]; {
		case i == r.Gate:
		case !l.HasPlaces && w.Open == 0 && g.IsUndecided(): // work has reached it, whatever its place
			w.Overdue = append(w.Overdue, i)
		case !l.HasPlaces:
			if g.isOpen() {
				w.Unplaced = append(w.Unplaced, i)
			}
		case g.IsUndecided() && g.After >= 0 && g.After <= left && g.After >= l.lastDone(left):
			w.Now = append(w.Now, i)
		case g.IsUndecided() && (g.After >= 0 && g.After < passed || g.After < 0 && hasLeft):
			w.Overdue = append(w.Overdue, i)
		case GateWord(g.Status) == Pending && g.After >= 0 && g.After == left && !isWorking:
			w.Optional = append(w.Optional, i)
		}
	}
	return w
}

// Undecided returns the gates that keep a loop from being complete, starting with the one to decide first.
func (w *Waits) Undecided() []int { return append(append([]int(nil), w.Now...), w.Overdue...) }

// IsFinished reports whether all work of the loop is finished, whatever its status. It is false if something can't be read.
func (l *Loop) IsFinished() bool {
	w := l.FindWaits()
	return w.Open == 0 && len(w.Now)+len(w.Overdue) == 0 && l.Unread == ""
}

// CountOver returns how many phases at the beginning are over, before the first open one.
func (l *Loop) CountOver() int {
	if i := l.findPhase(func(p *Phase) bool { return !p.IsOver() }); i >= 0 {
		return i
	}
	return len(l.Phases)
}

func (l *Loop) countOpen() (n int) {
	for i := range l.Phases {
		if !l.Phases[i].IsOver() {
			n++
		}
	}
	return n
}

// HasStatuses reports whether any phase has a status.
func (l *Loop) HasStatuses() bool {
	return l.findPhase(func(p *Phase) bool { return p.Status != "" }) >= 0
}

// firstPhase returns the index of the first phase with a status, -1 without one.
func (l *Loop) firstPhase(word string) int {
	return l.findPhase(func(p *Phase) bool { return PhaseWord(p.Status) == word })
}

// firstIndex returns the first index that is not -1.
func firstIndex(indexes ...int) int {
	for _, i := range indexes {
		if i >= 0 {
			return i
		}
	}
	return -1
}

// lastLeft returns the phase before the current one, or the last phase if none is current.
func (l *Loop) lastLeft(phase int) int {
	if phase < 0 {
		return len(l.Phases) - 1
	}
	return phase - 1
}

// lastDone goes back from a phase over skipped ones, so that skipping phases does not lead past a gate. The gates after the last phase keep
// the loop open by themselves.
func (l *Loop) lastDone(at int) int {
	for at > 0 && at < len(l.Phases)-1 && l.Phases[at].Status == Skipped {
		at--
	}
	return at
}

// gateToDecide returns the first gate to decide once work has left a phase, -1 without one.
func (l *Loop) gateToDecide(left int) int {
	if !l.HasPlaces || left < 0 {
		return -1
	}
	from := l.lastDone(left)
	return l.findGate(func(g *Gate) bool { return g.After >= from && g.After <= left && g.IsUndecided() })
}

// unplacedGate returns the first gate to decide among those without a place, -1 if there is none or its turn can't have come.
func (l *Loop) unplacedGate(phase int) int {
	if !l.HasPlaces || !l.hasLeftPhase(phase) {
		return -1
	}
	return l.findGate(func(g *Gate) bool { return g.After < 0 && g.IsUndecided() })
}

// hasLeftPhase reports whether work has left any phase: it is not at the first one, or any phase is over. With a state without phases it may
// be anywhere.
func (l *Loop) hasLeftPhase(at int) bool {
	return at > 0 || l.HasPlaces && len(l.Phases) == 0 || at == 0 && l.StartsLate || l.findPhase((*Phase).IsOver) >= 0
}

// HasReached reports whether work has certainly reached a gate: the gate is to be decided, or the phase that it follows and all phases before
// are over.
func (l *Loop) HasReached(w *Waits, gate int) bool {
	for _, i := range w.Undecided() {
		if i == gate {
			return true
		}
	}
	after := l.Gates[gate].After
	return after >= 0 && after < l.CountOver()
}
