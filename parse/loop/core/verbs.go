package core

import "gatehouse/parse/protocol/transition"

// The verbs of a gate, and of a loop.
const (
	Approve = "approve"
	Skip    = "skip"
	Changes = "changes"
	Retry   = "retry"

	Pause       = "pause"
	ResumeLoop  = "resume"
	Abort       = "abort"
	RetryFailed = "retry-failed"
	Finish      = "complete"
	Restart     = "restart"
)

// GateResult returns the status that a verb of a gate leads to. It is not a map, because the prompt would initialize that at every start.
func GateResult(verb string) (to string, known bool) {
	switch verb {
	case Approve:
		return Passed, true
	case Skip:
		return Skipped, true
	case Changes, Retry:
		return Pending, true
	}
	return "", false
}

// loopVerbs are the verbs of a loop. The protocol's table leads neither from failed nor from complete to active, but resuming offers both.
// These need a word that the user types.
var loopVerbs = []struct {
	verb string
	step transition.Step
}{
	{Pause, transition.Step{From: Active, To: Paused}},
	{ResumeLoop, transition.Step{From: Paused, To: Active}},
	{Abort, transition.Step{From: Active, To: Failed}},
	{RetryFailed, transition.Step{From: Failed, To: Active}},
	{Finish, transition.Step{From: Active, To: Complete}},
	{Restart, transition.Step{From: Complete, To: Active}},
	{Restart, transition.Step{From: Failed, To: Active}},
}

// CheckGate returns why a verb is refused for a gate in the current state, before texts and deliverables are checked.
func (l *Loop) CheckGate(gate int, verb string) transition.Code {
	if l.Status != Active {
		return transition.LoopNotActive
	}
	if gate < 0 || l.Gates[gate].Item == nil {
		return transition.NoGate
	}
	status := l.Gates[gate].Status
	to, known := GateResult(verb)
	switch {
	case !GateMachine.Knows(status):
		return transition.UnknownStatus
	case !known:
		return transition.Forbidden
	case verb != Changes:
		return GateMachine.Check(status, to)
	case status != Pending:
		return transition.NotPending
	}
	return transition.OK
}

// CheckPhase returns why a phase may not get a status in the current state. A phase can begin once the previous one is over, no gate blocks
// it, and no other phase is active. Only an optional phase can be skipped.
func (l *Loop) CheckPhase(name, to string) transition.Code {
	at := l.PhaseNamed(name)
	switch {
	case l.Status != Active:
		return transition.LoopNotActive
	case at < 0:
		return transition.NoPhase
	}
	if code := PhaseMachine.Check(l.Phases[at].Status, to); code != transition.OK {
		return code
	}
	if to == Skipped && l.Phases[at].Required {
		return transition.PhaseRequired
	}
	if to != Active {
		return transition.OK
	}
	isBlocking := func(g *Gate) bool {
		return (g.After == at-1 || g.After < 0) && g.Required && g.Status != Passed && g.Status != Skipped
	}
	switch {
	case at > 0 && l.Phases[at-1].Status != Complete && l.Phases[at-1].Status != Skipped:
		return transition.PrevPhaseIncomplete
	case at > 0 && l.HasPlaces && l.findGate(isBlocking) >= 0:
		return transition.GateBlocking
	case l.findPhase(func(p *Phase) bool { return p.Status == Active }) >= 0:
		return transition.OtherPhaseActive
	}
	return transition.OK
}

// CheckLoop returns the status that a verb leads a loop to, or why it is refused. A loop that claims to be complete while something is left
// can be resumed, so that the rest can be decided.
func (l *Loop) CheckLoop(verb string) (to string, code transition.Code) {
	if word := LoopWord(l.Status); word == Complete && l.Status != Active {
		isFinished := l.IsFinished()
		w := l.FindWaits()
		switch {
		case verb == ResumeLoop && w.Open+len(w.Undecided()) > 0:
			return Active, transition.OK
		case verb == Finish && !isFinished:
			return "", transition.Unfinished
		}
	}
	code = transition.Forbidden
	for _, v := range loopVerbs {
		switch {
		case v.verb != verb:
		case l.Status == v.step.From || verb == Restart && LoopWord(l.Status) == v.step.From:
			if verb == Finish && !l.IsFinished() {
				return "", transition.Unfinished
			}
			return v.step.To, transition.OK
		case l.Status == v.step.To && verb != Restart:
			code = transition.SameStatus
		}
	}
	if !LoopMachine.Knows(l.Status) {
		code = transition.UnknownStatus
	}
	return "", code
}
