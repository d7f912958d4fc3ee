// The loop protocol: loop-state.md "Loop Status Transitions", "Gate Status Transitions", "Phase Status Transitions".

package flow

// The words of the loop protocol.
const (
	Active   = "active" // loops and phases
	Paused   = "paused"
	Complete = "complete" // loops and phases
	Failed   = "failed"   // loops and gates
	Pending  = "pending"  // gates and phases
	Passed   = "passed"
	Skipped  = "skipped" // gates and phases
)

var loops = machine{
	words: []string{Active, Paused, Complete, Failed},
	steps: []step{{Active, Paused}, {Active, Complete}, {Active, Failed}, {Paused, Active}},
}

var gates = machine{
	words: []string{Pending, Passed, Skipped, Failed},
	steps: []step{{Pending, Passed}, {Pending, Skipped}, {Pending, Failed}, {Failed, Pending}, {Failed, Skipped}},
}

var phases = machine{
	words: []string{Pending, Active, Complete, Skipped},
	steps: []step{{Pending, Active}, {Active, Complete}, {Pending, Skipped}, {Active, Pending}},
}

// LoopStep says whether a loop may go from one status to another.
func LoopStep(from, to string) Code { return loops.check(from, to) }

// GateStep says whether a gate may go from one status to another.
func GateStep(from, to string) Code { return gates.check(from, to) }

// PhaseStep says whether a phase may go from one status to another, by the table alone; [Loop.PhaseAction] asks for what
// has to be true before, too.
func PhaseStep(from, to string) Code { return phases.check(from, to) }

// Loop is the state of a loop as the rules need it, its words as the file has them.
type Loop struct {
	Status string
	Phase  string // the file's own idea of the current phase
	// Phases are in the order of loop.json; without one, in that of the state file.
	Phases []Phase
	Gates  []Gate // in the order of loop.json, else of the state file
	// Placed says that a loop.json tells behind which phases the gates stand. Without it no Gate.After is known.
	Placed bool
}

// Phase is a phase of a loop.
type Phase struct {
	Name, Status string
	Required     bool
}

// Gate is a gate of a loop.
type Gate struct {
	ID, Status string
	Required   bool
	After      int // index of the phase it stands behind; -1: not known
}

// LoopWord returns the protocol's word for a loop's status that is written in a dialect of it, for reading alone: nothing is
// ever decided or written on its ground (notes on loops §2.3).
func LoopWord(word string) string {
	if word == "completed" {
		return Complete
	}
	return word
}

// PhaseWord is LoopWord for the status of a phase. One that the file leaves out is the one that phases begin with.
func PhaseWord(word string) string {
	switch word {
	case "":
		return Pending
	case "in-progress", "in_progress":
		return Active
	case "completed":
		return Complete
	}
	return word
}

// GateWord is PhaseWord for the status of a gate.
func GateWord(word string) string {
	switch word {
	case "":
		return Pending
	case "approved":
		return Passed
	case "rejected":
		return Failed
	}
	return word
}

// Finished reports whether a phase is over, in a dialect or not.
func (p *Phase) Finished() bool {
	w := PhaseWord(p.Status)
	return w == Complete || w == Skipped
}

// blocks reports whether nothing behind the gate may begin.
func (g *Gate) blocks() bool { return g.Required && g.Status != Passed && g.Status != Skipped }

// prompts reports whether work that comes to the gate has to ask first: pending and required by the document; failed, where
// it is silent, because somebody has to retry or skip it (J-E2); required and of a word that nobody knows, because nothing says
// that it has passed.
func (g *Gate) prompts() bool {
	w := GateWord(g.Status)
	return g.Required && w != Passed && w != Skipped || w == Failed
}

// gate returns the gate with an ID, nil where there is none.
func (l *Loop) gate(id string) *Gate {
	for i := range l.Gates {
		if l.Gates[i].ID == id {
			return &l.Gates[i]
		}
	}
	return nil
}

// PhaseAction says whether a phase may go to a status as things are: the checks of the table, and for "active" that the
// phase before is over, that no gate between blocks and that no other phase is active; for "skipped" that it is not
// required.
func (l *Loop) PhaseAction(name, to string) Code {
	if l.Status != Active {
		return LoopNotActive
	}
	at := -1
	for i := range l.Phases {
		if l.Phases[i].Name == name {
			at = i
		}
	}
	if at < 0 {
		return NoPhase
	}
	if code := PhaseStep(l.Phases[at].Status, to); code != OK {
		return code
	}
	switch to {
	case Active:
		return l.mayBegin(at)
	case Skipped:
		if l.Phases[at].Required {
			return PhaseRequired
		}
	}
	return OK
}

// mayBegin says whether a phase may begin.
func (l *Loop) mayBegin(at int) Code {
	if at > 0 {
		if w := l.Phases[at-1].Status; w != Complete && w != Skipped {
			return PrevPhaseIncomplete
		}
	}
	for i := range l.Gates {
		if l.Placed && l.Gates[i].After == at-1 && at > 0 && l.Gates[i].blocks() {
			return GateBlocking
		}
	}
	for i := range l.Phases {
		if i != at && l.Phases[i].Status == Active {
			return OtherPhaseActive
		}
	}
	return OK
}
