// The line of a loop from its state.

package rules

import "gatehouse/model/line"

// Line returns what the line says about a loop: the one way from its state to its line, for the prompt and for the head
// of the dashboard. id is the state's "loop", "" when it has none. Statuses are the file's own words, "" where it has none:
// when not a single phase has one, nothing is said about progress.
func Line(id string, l *Loop) *line.Loop {
	facts := &line.Loop{ID: id, Status: l.Status, Phase: l.Phase, Total: len(l.Phases), Counted: l.counted()}
	for i := range l.Phases {
		if l.Phases[i].Finished() {
			facts.Done++
		}
	}
	// In a dialect it is complete only where its phases say so, too; else its word is shown as it is.
	if l.Status == Complete || LoopWord(l.Status) == Complete && facts.Done == facts.Total {
		facts.Step = line.LoopComplete
		return facts
	}
	resume, waits := l.Resume(), l.Waits()
	if resume.Action == ResumeError { // in a status of its own it would go on where any other does
		active := *l
		active.Status = Active
		resume = active.Resume()
	}
	if resume.Action == OfferComplete && len(waits.Past) > 0 { // "next complete" would be wrong with a gate undecided further back
		waits.Now, waits.Past = waits.Past[:1], waits.Past[1:]
	}
	at := resume.Phase
	if !facts.Counted {
		at = l.named()
	}
	loopPhase(facts, l, at)
	if l.Status != Active {
		return facts
	}
	if facts.Counted {
		loopStep(facts, l, resume, &waits)
	}
	loopWaits(facts, l, &waits)
	return facts
}

// loopPhase makes a phase the one that the line is about; without one it stays what the file says.
func loopPhase(facts *line.Loop, l *Loop, at int) {
	if at >= 0 {
		facts.Phase, facts.Place = l.Phases[at].Name, at+1
	}
}

// loopStep sets what an active loop has come to.
func loopStep(facts *line.Loop, l *Loop, resume Resume, waits *Waits) {
	at := resume.Phase
	switch {
	case len(waits.Now) > 0:
		g := &l.Gates[waits.Now[0]]
		facts.Step, facts.Gate, facts.GateFailed, facts.GateAstray = line.LoopAtGate, g.ID, GateWord(g.Status) == Failed, g.After < 0
		return
	case at >= 0 && PhaseWord(l.Phases[at].Status) == Active:
		facts.Step = line.LoopWorking
		return
	case at >= 0 && resume.Action == ContinuePhase:
		facts.Step = line.LoopBetween
	case at >= 0: // a word that nobody knows: nothing says that the phase is over
		facts.Step, facts.PhaseWord = line.LoopStuck, l.Phases[at].Status
		return
	default:
		facts.Step = line.LoopAtEnd
		at = len(l.Phases)
	}
	for i := range l.Phases[:at] { // what stands before must be over, else the way is not free
		if p := &l.Phases[i]; !p.Finished() {
			facts.Step, facts.PhaseWord = line.LoopStuck, p.Status
			loopPhase(facts, l, i)
			return
		}
	}
}

// loopWaits sets which gates of an active loop wait, besides the one that comes next.
func loopWaits(facts *line.Loop, l *Loop, waits *Waits) {
	besides := waits.Past
	if len(waits.Now) > 1 {
		besides = append(waits.Now[1:len(waits.Now):len(waits.Now)], waits.Past...)
	}
	if len(besides) > 0 {
		first := &l.Gates[besides[0]]
		facts.Older, facts.OlderFailed, facts.OlderMore = first.ID, GateWord(first.Status) == Failed, len(besides)-1
	}
	for _, i := range waits.Anywhere {
		if GateWord(l.Gates[i].Status) == Failed {
			facts.GatesFailed++
		} else {
			facts.GatesPending++
		}
	}
}
