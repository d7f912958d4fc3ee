// The line of a loop: the next step of resuming it.

package line

// LoopStep is the state of a loop: it selects one of the four scenes of its line and the words.
type LoopStep uint8

const (
	// LoopHalted is a loop that does not continue by itself: paused, failed, or with a status of its own. It is also a loop whose only
	// information about its phases is the current one. The line has its status and the phase.
	LoopHalted LoopStep = iota
	// LoopWorking is a loop with an active phase.
	LoopWorking
	// LoopAtGate is a loop that needs a gate decision first.
	LoopAtGate
	// LoopBetween is a loop whose next phase is free to start.
	LoopBetween
	// LoopStuck is a loop that cannot proceed to its next phase, because an earlier one has a status that the protocol does not
	// know.
	LoopStuck
	// LoopAtEnd is a loop with nothing left except to call it complete.
	LoopAtEnd
	// LoopToResume is a loop that calls itself complete but is not: nothing in it can be decided before it is resumed.
	LoopToResume
	// LoopComplete is a loop that its own state calls complete.
	LoopComplete
)

// Loop holds the state of a loop after applying the resume rules of the loop protocol. The zero value is a loop without
// a state and gives an empty line.
type Loop struct {
	// Unreadable is the name of the state file if it can't be read; then all else is unknown. It is "" otherwise.
	Unreadable string

	ID     string // "" when the state names no loop
	Status string // the loop's own word, as the file spells it
	Step   LoopStep

	Phase     string // the phase of Step, "" if unknown
	PhaseWord string // with LoopStuck, its status as the file spells it
	Place     int    // the phase's place, from 1; 0: it has none

	Done, Total int  // how many phases are over, and how many there are
	Counted     bool // a phase has a status at all: otherwise Done is meaningless and there is no bar

	Gate       string // with LoopAtGate, the gate
	GateFailed bool   // it has failed and is to be tried again; else it is to be approved
	GateAstray bool   // its phase is unknown

	// Older is the first undecided gate that work has gone past, "" for none; OlderFailed is GateFailed for it, and
	// OlderMore counts the further ones.
	Older       string
	OlderFailed bool
	OlderMore   int

	// Unread names an unreadable part of the loop, its definition or the gates or phases of its state, so that the list
	// of waits is incomplete. It is "" if all is read.
	Unread string

	// Counts of undecided gates if their phases are unknown.
	GatesPending, GatesFailed int
}

// loopScenes are the scenes of the steps, and the reasons for them.
var loopScenes = [...]struct {
	number int
	why    string
}{
	LoopHalted:   {4, "the loop does not go on by itself"},
	LoopWorking:  {1, "a phase is active and no gate before it waits"},
	LoopAtGate:   {2, "the gate before the phase is pending and required"},
	LoopBetween:  {2, "no phase is active, the next one is free to start"},
	LoopStuck:    {4, "a phase has a status that the protocol does not know"},
	LoopAtEnd:    {2, "all phases are over, status is still active"},
	LoopToResume: {2, "status is complete, and phases or gates deny it"},
	LoopComplete: {3, "status is complete"},
}

// Scene returns which of the four scenes the full form shows, and why.
func (l *Loop) Scene() (n int, why string) {
	scene := loopScenes[l.Step]
	switch {
	case l.Unreadable != "":
		return 4, "the state can't be read"
	case l.Step == LoopHalted && l.Status == "" && l.Phase == "" && l.ID == "":
		return 0, "the file holds nothing that the line shows"
	case l.Step == LoopAtGate && l.GateFailed:
		return 2, "the gate before the phase has failed"
	case l.Step == LoopWorking && l.GatesPending+l.GatesFailed > 0:
		return 1, "a phase is active; gates wait, and no file places them"
	case l.Step == LoopWorking && l.Older != "":
		return 1, "a phase is active; work has gone past a gate that waits"
	}
	return scene.number, scene.why
}

// Compose adds the full or the compact form to t, in pieces.
func (l *Loop) Compose(t *Text, compact bool) {
	if l.Unreadable != "" {
		t.part(Keep, cannotBeRead(l.Unreadable)...)
		return
	}
	if l.ID != "" {
		t.part(RankPlace, short(l.ID))
	}
	if compact {
		l.composeCompact(t)
	} else {
		l.composeFull(t)
	}
	if l.waitsBesides() {
		t.part(Keep, own(waitsMark).as(Wait))
		l.addRest(t)
	}
}

func (l *Loop) composeFull(t *Text) {
	if l.Counted && l.Total > 0 && l.Step != LoopHalted && l.Step != LoopComplete {
		t.Bar(l.Done*100/l.Total, l.ID == "")
	}
	switch l.Step {
	case LoopHalted:
		rank := t.statusPart(short(l.Status))
		if l.Phase != "" {
			t.part(rank, short(l.Phase))
		}
	case LoopWorking:
		t.part(Keep, own("Phase "), short(l.Phase), own(" active"))
	case LoopStuck:
		t.part(Keep, own("Phase "), short(l.Phase), own(" "), status(l.PhaseWord))
	case LoopComplete:
		t.part(RankStatus, own("loop complete"))
	default:
		l.next(t)
	}
}

func (l *Loop) composeCompact(t *Text) {
	word := l.Status
	switch l.Step {
	case LoopWorking:
		word = "active"
	case LoopStuck:
		word = l.PhaseWord
	case LoopComplete:
		t.part(RankStatus, own("complete"))
		return
	case LoopAtGate, LoopBetween, LoopAtEnd, LoopToResume:
		l.next(t)
		return
	}
	rank := Keep
	if word != "" {
		rank = RankDetail
	}
	if l.Place > 0 {
		t.part(rank, own("P"), count(l.Place), own("/"), count(l.Total))
	}
	t.statusPart(short(word))
}

// next writes the next step.
func (l *Loop) next(t *Text) {
	if l.Step == LoopAtEnd && l.Unread != "" {
		return // completeness is unknown
	}
	t.part(Keep, own("next "))
	switch l.Step {
	case LoopAtGate:
		t.write(decision(l.Gate, l.GateFailed)...)
	case LoopBetween:
		t.write(short(l.Phase))
	case LoopAtEnd:
		t.write(own("complete"))
	case LoopToResume:
		t.write(own("resume"))
	}
}

// waitsBesides reports whether gates wait that the scene does not mention.
func (l *Loop) waitsBesides() bool {
	return l.Older != "" || l.GatesPending+l.GatesFailed > 0 || l.Unread != ""
}

// addRest writes the additional gates, and the unreadable part.
func (l *Loop) addRest(t *Text) {
	if l.Unread != "" {
		t.write(cannotBeRead(l.Unread)...)
		if l.Older == "" && l.GatesPending+l.GatesFailed == 0 {
			return
		}
		t.Add(Wait, ", ")
	}
	if l.Older == "" {
		t.write(l.unplaced()...)
		return
	}
	t.write(decision(l.Older, l.OlderFailed)...)
	if l.OlderMore > 0 {
		t.write(own(" +").as(Wait), count(l.OlderMore).as(Wait))
	}
}

// unplaced returns the number of gates with an unknown phase.
func (l *Loop) unplaced() (words []word) {
	if l.GatesFailed > 0 {
		words = append(words, countGates(Blocked, l.GatesFailed, " failed")...)
		if l.GatesPending > 0 {
			words = append(words, own(", ").as(Wait))
		}
	}
	if l.GatesPending > 0 {
		words = append(words, countGates(Wait, l.GatesPending, " pending")...)
	}
	return words
}

// Unplaced returns the number of undecided gates with unknown phases, in the words of the line; "" for none.
func (l *Loop) Unplaced() string {
	var t Text
	t.write(l.unplaced()...)
	return string(t.bytes)
}

// cannotBeRead says that a part of a loop can't be read.
func cannotBeRead(part string) []word {
	return []word{short(part).as(Blocked), own(" can't be read").as(Blocked)}
}

// Waiting returns the text for a human, in the words of the line, "" for nothing: the next gate, then gates that work
// has gone past; a failed loop, and an unreadable state.
func (l *Loop) Waiting() string {
	var t Text
	switch {
	case l.Unreadable != "":
		t.write(cannotBeRead(l.Unreadable)...)
		return string(t.bytes)
	case l.Step == LoopHalted && l.Status == "failed":
		return "the loop has failed"
	}
	if l.Gate != "" {
		t.write(decision(l.Gate, l.GateFailed)...)
	}
	if l.waitsBesides() {
		if l.Gate != "" {
			t.Add(Wait, ", ")
		}
		l.addRest(&t)
	}
	return string(t.bytes)
}

// decision returns the decision that a gate needs.
func decision(gate string, failed bool) []word {
	if failed {
		return []word{own("retry ").as(Blocked), short(gate).as(Blocked)}
	}
	return []word{own("approve ").as(Wait), short(gate).as(Wait)}
}

// countGates returns how many gates there are of a kind.
func countGates(role Role, n int, kind string) []word {
	gates := " gates"
	if n == 1 {
		gates = " gate"
	}
	return []word{count(n).as(role), own(gates).as(role), own(kind).as(role)}
}
