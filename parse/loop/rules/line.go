// The line of a loop from its state.

package rules

import "gatehouse/model/line"

// Line returns what the line says about a loop: the one way from its state to its line, for the prompt and for the head
// of the dashboard. id is the state's "loop", "" when it has none. Statuses are the file's own words, "" where it has none:
// when not a single phase has one, nothing is said about progress.
func Line(id string, l *Loop) *line.Loop {
	facts := &line.Loop{ID: id, Status: l.Status, Phase: l.Phase, Total: len(l.Phases) + len(l.Lacks), Counted: l.counted()}
	for i := range l.Phases {
		if l.Phases[i].Finished() {
			facts.Done++
		}
	}
	waits := l.Waits()
	going := *l
	switch word := LoopWord(l.Status); {
	case word == Complete && waits.Complete(l):
		facts.Step = line.LoopComplete
		return facts
	case word == Complete: // what is left of it denies that
		going.Status, facts.Status = Active, Active
	case !loops.knows(l.Status): // in a status of its own it would go on where any other does
		going.Status = Active
	}
	resume := going.Resume()
	if resume.Action == OfferComplete && len(waits.Past) > 0 { // "next complete" would be wrong with a gate undecided further back
		waits.Now, waits.Past = waits.Past[:1], waits.Past[1:]
	}
	at := resume.Phase
	if !facts.Counted {
		at = l.named()
	}
	loopPhase(facts, l, at)
	if going.Status != Active {
		if going.Status == Paused { // one that has failed waits as a whole
			facts.Unread = l.Unread
		}
		return facts
	}
	if facts.Counted && facts.Status == Active {
		loopStep(facts, l, resume, &waits)
		if LoopWord(l.Status) == Complete && (facts.Step == line.LoopAtGate || facts.Step == line.LoopBetween) {
			facts.Step, facts.Gate, facts.GateFailed, facts.GateAstray = line.LoopToResume, "", false, false
		}
	}
	loopWaits(facts, l, &waits)
	return facts
}

// loopPhase makes a phase the one that the line is about; without one it stays what the file says.
func loopPhase(facts *line.Loop, l *Loop, at int) {
	if at >= 0 {
		facts.Phase, facts.Place = PhaseName(l.Phases[at].Name), at+1
	}
}

// loopStep sets what an active loop has come to.
func loopStep(facts *line.Loop, l *Loop, resume Resume, waits *Waits) {
	at := resume.Phase
	switch {
	case len(waits.Now) > 0:
		g := &l.Gates[waits.Now[0]]
		facts.Step, facts.Gate, facts.GateFailed, facts.GateAstray = line.LoopAtGate, GateName(g.ID), GateWord(g.Status) == Failed, g.After < 0
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
		if len(l.Lacks) > 0 {
			facts.Step, facts.Phase, facts.Place, facts.PhaseWord = line.LoopStuck, PhaseName(l.Lacks[0]), 0, "is missing"
			return
		}
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
	facts.Unread = l.Unread
	besides := waits.Now
	if facts.Step == line.LoopAtGate {
		besides = waits.Now[1:]
	}
	if besides = besides[:len(besides):len(besides)]; len(besides) == 0 {
		besides = waits.Past
	} else {
		besides = append(besides, waits.Past...)
	}
	if len(besides) > 0 {
		first := &l.Gates[besides[0]]
		facts.Older, facts.OlderFailed, facts.OlderMore = GateName(first.ID), GateWord(first.Status) == Failed, len(besides)-1
	}
	for _, i := range waits.Anywhere {
		if GateWord(l.Gates[i].Status) == Failed {
			facts.GatesFailed++
		} else {
			facts.GatesPending++
		}
	}
}

// GateName is what people call a gate.
func GateName(id string) string { return nameOr(id, "a gate without an id") }

// PhaseName is what people call a phase.
func PhaseName(name string) string { return nameOr(name, "without a name") }

// nameOr returns a name, or the other where nothing of it can be shown.
func nameOr(name, other string) string {
	if line.Clean(name) == "" {
		return other
	}
	return name
}
