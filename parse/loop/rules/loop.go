// Package rules turns the texts of a loop, its state and its definition, into facts, and says what they mean: in which order
// phases and gates stand, which gate has to be decided, where work goes on, what may be done next, and what the line says. It
// is asked by the prompt, by the dashboard's reader and by the writer, by one set of functions. It opens no file and asks
// no clock; since the prompt pays for it, it imports next to nothing, and a loop of common size costs one allocation
// ([Memory]).
//
// Statuses are the protocol's own words, exactly as a file spells them: a word that the protocol does not know is shown, refused
// where something is to be done, and never counts as done or passed. ../README.md has the protocol.
package rules

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

// step is one allowed change of a status.
type step struct{ from, to string }

// machine is what one kind of thing can go through.
type machine struct {
	words []string
	steps []step
}

// check says whether a step is allowed: both words known, not the same, and in the table.
func (m *machine) check(from, to string) Code {
	switch {
	case !m.knows(from) || !m.knows(to):
		return UnknownStatus
	case from == to:
		return SameStatus
	}
	for _, s := range m.steps {
		if s.from == from && s.to == to {
			return OK
		}
	}
	return Forbidden
}

func (m *machine) knows(word string) bool {
	for _, w := range m.words {
		if w == word {
			return true
		}
	}
	return false
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
	// Lacks are required phases of loop.json that the state does not have.
	Lacks []string
	// Behind says that loop.json has a phase ahead of the first of Phases, which the state lacks: work at that is behind it.
	Behind bool
	// Placed says that a loop.json tells behind which phases the gates stand. Without it no Gate.After is known.
	Placed bool
	// Unread is the name of what can't be read of the loop's files, so that nobody knows all of its gates and phases: its
	// definition, or the gates or phases of its state. "" where all can.
	Unread string
}

// Phase is a phase of a loop.
type Phase struct {
	Name, Status string
	Required     bool // by the state's word, else by the definition's: which phases a run leaves out is decided when it begins
	Defined      bool // by the definition's: then nobody is offered to leave it out
	At           int  // where it stands in the state
}

// Gate is a gate of a loop.
type Gate struct {
	ID, Status string
	Required   bool
	After      int // index of the phase it stands behind; -1: not known
	At         int // where it stands in the state; -1: it is only in loop.json
}

// LoopWord returns the protocol's word for a loop's status that is written in a dialect of it, for reading alone: nothing is
// ever decided or written on its ground.
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

// GateWord is PhaseWord for the status of a gate. There is no other word for "passed": what is called "approved" was approved
// by somebody, and nobody wrote that the gate has passed. It waits until it does.
func GateWord(word string) string {
	switch word {
	case "":
		return Pending
	case "rejected":
		return Failed
	}
	return word
}

// KnownLoop reports whether a word says how a loop stands, in a dialect or not.
func KnownLoop(word string) bool { return loops.knows(LoopWord(word)) }

// KnownGate reports whether a word says how a gate stands, in a dialect or not.
func KnownGate(word string) bool { return gates.knows(GateWord(word)) }

// KnownPhase reports whether a word says how a phase stands, in a dialect or not.
func KnownPhase(word string) bool { return phases.knows(PhaseWord(word)) }

// Finished reports whether a phase is over, in a dialect or not.
func (p *Phase) Finished() bool {
	w := PhaseWord(p.Status)
	return w == Complete || w == Skipped
}

// blocks reports whether nothing behind the gate may begin.
func (g *Gate) blocks() bool { return g.Required && g.Status != Passed && g.Status != Skipped }

// prompts reports whether work that comes to the gate has to ask first: pending and required by the document; failed, where
// it is silent, because somebody has to retry or skip it; required and of a word that nobody knows, because nothing says that it
// has passed.
func (g *Gate) prompts() bool {
	w := GateWord(g.Status)
	return g.Required && w != Passed && w != Skipped || w == Failed
}

// open reports whether the gate is still to be decided, wherever it stands: one that is not required, too, but for words that
// nobody knows.
func (g *Gate) open() bool { return GateWord(g.Status) == Pending || g.prompts() }

// gate returns the gate with an ID, nil where there is none.
func (l *Loop) gate(id string) *Gate {
	if i := index(l.Gates, func(g *Gate) bool { return g.ID == id }); i >= 0 {
		return &l.Gates[i]
	}
	return nil
}

// index returns the place of the first that is so, -1 where none is.
func index[T any](all []T, is func(*T) bool) int {
	for i := range all {
		if is(&all[i]) {
			return i
		}
	}
	return -1
}

// PhaseAction says whether a phase may go to a status as things are: the checks of the table, and for "active" that the
// phase before is over, that no gate between, and none of which nobody knows where it stands, blocks and that no other phase
// is active; for "skipped" that it is not required.
func (l *Loop) PhaseAction(name, to string) Code {
	if l.Status != Active {
		return LoopNotActive
	}
	at := l.phase(name)
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
	if l.Placed && at > 0 && index(l.Gates, func(g *Gate) bool { return (g.After == at-1 || g.After < 0) && g.blocks() }) >= 0 {
		return GateBlocking
	}
	if other := index(l.Phases, func(p *Phase) bool { return p.Status == Active }); other >= 0 {
		return OtherPhaseActive
	}
	return OK
}
