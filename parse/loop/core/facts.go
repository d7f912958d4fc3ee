package core

import (
	"gatehouse/model/line"
	"gatehouse/parse/protocol/transition"
)

// Facts returns the facts for the line, in the prompt and in the header of the dashboard.
func (l *Loop) Facts() *line.Loop {
	f := &line.Loop{ID: l.ID(), Status: l.Status, Phase: l.Phase, Total: len(l.Phases) + len(l.Missing), Counted: l.HasStatuses()}
	f.Done = len(l.Phases) - l.countOpen()
	waits := l.FindWaits()
	resumed := *l
	isComplete := LoopWord(l.Status) == Complete
	switch {
	case isComplete && l.IsFinished():
		f.Step = line.LoopComplete
		return f
	case isComplete: // the file says so, but phases or gates deny it
		resumed.Status, f.Status = Active, Active
	case !LoopMachine.Knows(l.Status):
		resumed.Status = Active
	}
	r := resumed.FindResume()
	if r.Action == OfferComplete && len(waits.Overdue) > 0 {
		waits.Now, waits.Overdue = waits.Overdue[:1], waits.Overdue[1:]
	}
	at := r.Phase
	if !f.Counted {
		at = l.PhaseNamed(l.Phase)
	}
	l.setPhase(f, at)
	if resumed.Status != Active {
		if resumed.Status == Paused { // a failed loop waits as a whole
			f.Unread = l.Unread
		}
		return f
	}
	if f.Counted && f.Status == Active {
		l.setStep(f, r, &waits)
		if isComplete && (f.Step == line.LoopAtGate || f.Step == line.LoopBetween) {
			f.Step, f.Gate, f.GateFailed, f.GateAstray = line.LoopToResume, "", false, false
		}
	}
	l.setWaits(f, &waits)
	return f
}

// setPhase sets the phase that the line shows.
func (l *Loop) setPhase(f *line.Loop, at int) {
	if at >= 0 {
		f.Phase, f.Place = PhaseName(l.Phases[at].Name), at+1
	}
}

// setStep sets the current step of an active loop.
func (l *Loop) setStep(f *line.Loop, r Resume, w *Waits) {
	at := r.Phase
	switch {
	case len(w.Now) > 0:
		g := &l.Gates[w.Now[0]]
		f.Step, f.Gate, f.GateFailed, f.GateAstray = line.LoopAtGate, GateName(g.ID), GateWord(g.Status) == Failed, g.After < 0
		return
	case at >= 0 && PhaseWord(l.Phases[at].Status) == Active:
		f.Step = line.LoopWorking
		return
	case at >= 0 && r.Code == transition.OK:
		f.Step = line.LoopBetween
	case at >= 0: // a status word that is unknown
		f.Step, f.PhaseWord = line.LoopStuck, l.Phases[at].Status
		return
	case len(l.Missing) > 0:
		f.Step, f.Phase, f.Place, f.PhaseWord = line.LoopStuck, PhaseName(l.Missing[0]), 0, "is missing"
		return
	default:
		f.Step, at = line.LoopAtEnd, len(l.Phases)
	}
	if open := l.CountOver(); open < at { // an earlier phase is not over, so work can't go on
		f.Step, f.PhaseWord = line.LoopStuck, l.Phases[open].Status
		l.setPhase(f, open)
	}
}

// setWaits sets the other waiting gates.
func (l *Loop) setWaits(f *line.Loop, w *Waits) {
	f.Unread = l.Unread
	others := w.Undecided()
	if f.Step == line.LoopAtGate {
		others = others[1:]
	}
	if len(others) > 0 {
		first := &l.Gates[others[0]]
		f.Older, f.OlderFailed, f.OlderMore = GateName(first.ID), GateWord(first.Status) == Failed, len(others)-1
	}
	for _, i := range w.Unplaced {
		if GateWord(l.Gates[i].Status) == Failed {
			f.GatesFailed++
		} else {
			f.GatesPending++
		}
	}
}

// GateName returns the name of a gate for users.
func GateName(id string) string { return nameOr(id, "a gate without an id") }

// PhaseName returns the name of a phase for users.
func PhaseName(name string) string { return nameOr(name, "without a name") }

// nameOr returns a name, or a substitute if the name would show nothing on a screen.
func nameOr(name, substitute string) string {
	if line.Clean(name) == "" {
		return substitute
	}
	return name
}
