// The line of a loop: what resuming it would do.

package line

// LoopStep is what a loop has come to: which of the four scenes its line shows, and with which words.
type LoopStep uint8

const (
	// LoopHalted is a loop that does not go on by itself: paused, failed, or in a status of its own. It is also one that
	// says nothing about its phases but which is the present one. The line has its status and the phase.
	LoopHalted LoopStep = iota
	// LoopWorking is a loop with an active phase.
	LoopWorking
	// LoopAtGate is a loop in which a gate has to be decided first.
	LoopAtGate
	// LoopBetween is a loop whose next phase is free to start.
	LoopBetween
	// LoopStuck is a loop that cannot go on to its next phase, because one before has a status that the protocol does not
	// know.
	LoopStuck
	// LoopAtEnd is a loop with nothing left but to call it complete.
	LoopAtEnd
	// LoopToResume is a loop that calls itself complete and is not: nothing of it can be decided before it is resumed.
	LoopToResume
	// LoopComplete is a loop that is complete by its own word.
	LoopComplete
)

// Loop is what a loop's state says, once the loop protocol's rules of resuming have been asked. The zero value is a loop that says nothing and gives an empty line.
type Loop struct {
	// Unreadable is the name of the state file where it can't be read; then nothing else is known. "" where it can.
	Unreadable string

	ID     string // "" when the state names no loop
	Status string // the loop's own word, as the file spells it
	Step   LoopStep

	Phase     string // the phase that Step is about, "" when none is known
	PhaseWord string // with LoopStuck, its status as the file spells it
	Place     int    // the phase's place, from 1; 0: it has none

	Done, Total int  // how many phases are over, and how many there are
	Counted     bool // a phase has a status at all: without any, Done says nothing and there is no bar

	Gate       string // with LoopAtGate, the gate
	GateFailed bool   // it has failed and is to be tried again; else it is to be approved
	GateAstray bool   // nobody knows at which phase it stands

	// Older is the first gate that is still to be decided although work has gone past it, "" for none; OlderFailed is
	// GateFailed for it, and OlderMore says how many there are besides.
	Older       string
	OlderFailed bool
	OlderMore   int

	// Unread is the name of what can't be read of the loop besides, its definition, or the gates or phases of its state: nobody knows all
	// that it waits for. "" where nothing is unread.
	Unread string

	// Where nobody can tell at which phases the gates stand: how many of all are still to be decided.
	GatesPending, GatesFailed int
}

// Scene returns which of the four scenes the full form shows, and why.
func (l *Loop) Scene() (n int, why string) {
	if l.Unreadable != "" {
		return 4, "the state can't be read"
	}
	unplaced := l.GatesPending+l.GatesFailed > 0
	switch l.Step {
	case LoopWorking:
		if unplaced {
			return 1, "a phase is active, and no loop.json says where the gates stand"
		}
		return 1, "a phase is active and no gate before it waits"
	case LoopAtGate:
		if l.GateAstray {
			return 2, "loop.json does not say where the gate stands, and it is still to be decided"
		}
		if l.GateFailed {
			return 2, "the gate before the phase has failed"
		}
		return 2, "the gate before the phase is pending and required"
	case LoopBetween:
		if unplaced {
			return 2, "no phase is active, and no loop.json says where the gates stand"
		}
		return 2, "no phase is active, the next one is free to start"
	case LoopAtEnd:
		if l.Unread != "" {
			return 2, "all phases are over, and what can't be read may ask for more"
		}
		return 2, "all phases are over, status is still active"
	case LoopToResume:
		return 2, "status is complete, and phases or gates deny it"
	case LoopComplete:
		return 3, "status is complete"
	case LoopStuck:
		return 4, "a phase has a status that the protocol does not know"
	}
	switch {
	case l.Status == "" && l.Phase == "" && l.ID == "":
		return 0, "the file holds nothing that the line shows"
	case l.Status == "":
		return 4, "the loop has no status"
	case l.Status == "active":
		return 4, "no phase has a status"
	case l.Status == "paused":
		return 4, "the loop is paused"
	case l.Status == "failed":
		return 4, "the loop has failed"
	}
	return 4, "the loop has a status that the protocol does not know"
}

// AppendFull appends the full form to dst: the loop's ID, a bar while it goes on, then the scene and what waits.
func (l *Loop) AppendFull(dst []byte) []byte {
	t := Text{bytes: dst}
	l.Compose(&t, false)
	return t.bytes
}

// AppendCompact appends the compact form to dst: the loop's ID, the place of the phase and one word, or the next step.
func (l *Loop) AppendCompact(dst []byte) []byte {
	t := Text{bytes: dst}
	l.Compose(&t, true)
	return t.bytes
}

// Compose adds the full or the compact form to t, in pieces.
func (l *Loop) Compose(t *Text, compact bool) {
	if l.Unreadable != "" {
		t.Begin(Keep)
		l.unreadable(t)
		return
	}
	if l.ID != "" {
		t.Begin(RankPlace)
		t.Short(Plain, l.ID, ShortCols)
	}
	if compact {
		l.compact(t)
	} else {
		l.full(t)
	}
	if l.waitsBesides() {
		t.Begin(Keep)
		t.Add(Wait, waitsMark)
		l.besides(t)
	}
}

func (l *Loop) full(t *Text) {
	if l.Counted && l.Total > 0 && l.Step != LoopHalted && l.Step != LoopComplete {
		t.Bar(l.Done*100/l.Total, l.ID == "")
	}
	switch l.Step {
	case LoopHalted:
		rank := Keep
		if l.Status != "" {
			t.Begin(statusRank(l.Status))
			t.Short(statusRole(l.Status), l.Status, ShortCols)
			rank = RankDetail
		}
		if l.Phase != "" {
			t.Begin(rank)
			t.Short(Plain, l.Phase, ShortCols)
		}
	case LoopWorking:
		t.Begin(Keep)
		t.Add(Plain, "Phase ")
		t.Short(Plain, l.Phase, ShortCols)
		t.Add(Plain, " active")
	case LoopStuck:
		t.Begin(Keep)
		t.Add(Plain, "Phase ")
		t.Short(Plain, l.Phase, ShortCols)
		t.Add(Plain, " ")
		t.Short(statusRole(l.PhaseWord), l.PhaseWord, ShortCols)
	case LoopComplete:
		t.Begin(RankStatus)
		t.Add(Plain, "loop complete")
	default:
		l.next(t)
	}
}

func (l *Loop) compact(t *Text) {
	word := l.Status
	switch l.Step {
	case LoopWorking:
		word = "active"
	case LoopStuck:
		word = l.PhaseWord
	case LoopComplete:
		t.Begin(RankStatus)
		t.Add(Plain, "complete")
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
		t.Begin(rank)
		t.Add(Plain, "P")
		t.number(Plain, l.Place)
		t.Add(Plain, "/")
		t.number(Plain, l.Total)
	}
	if word != "" {
		t.Begin(statusRank(word))
		t.Short(statusRole(word), word, ShortCols)
	}
}

// next writes the part that says what comes next.
func (l *Loop) next(t *Text) {
	if l.Step == LoopAtEnd && l.Unread != "" {
		return // nobody knows whether it is complete
	}
	t.Begin(Keep)
	t.Add(Plain, "next ")
	switch l.Step {
	case LoopAtGate:
		decide(t, l.Gate, l.GateFailed)
	case LoopBetween:
		t.Short(Plain, l.Phase, ShortCols)
	case LoopAtEnd:
		t.Add(Plain, "complete")
	case LoopToResume:
		t.Add(Plain, "resume")
	}
}

// waitsBesides reports whether gates wait of which the scene says nothing.
func (l *Loop) waitsBesides() bool {
	return l.Older != "" || l.GatesPending+l.GatesFailed > 0 || l.Unread != ""
}

// besides writes which gates those are, and what can't be read.
func (l *Loop) besides(t *Text) {
	if l.Unread != "" {
		t.Short(Blocked, l.Unread, ShortCols)
		t.Add(Blocked, " can't be read")
		if l.Older == "" && l.GatesPending+l.GatesFailed == 0 {
			return
		}
		t.Add(Wait, ", ")
	}
	switch {
	case l.Older != "":
		decide(t, l.Older, l.OlderFailed)
		if l.OlderMore > 0 {
			t.Add(Wait, " +")
			t.number(Wait, l.OlderMore)
		}
	default:
		l.unplaced(t)
	}
}

// unplaced writes how many gates there are that nobody can place.
func (l *Loop) unplaced(t *Text) {
	if l.GatesFailed > 0 {
		t.gates(Blocked, l.GatesFailed, " failed")
		if l.GatesPending > 0 {
			t.Add(Wait, ", ")
		}
	}
	if l.GatesPending > 0 {
		t.gates(Wait, l.GatesPending, " pending")
	}
}

// Unplaced returns how many gates are still to be decided where nobody can tell at which phases they stand, in the words of the
// line; "" for none.
func (l *Loop) Unplaced() string {
	var t Text
	l.unplaced(&t)
	return string(t.bytes)
}

// unreadable writes that the state can't be read.
func (l *Loop) unreadable(t *Text) {
	t.Short(Blocked, l.Unreadable, ShortCols)
	t.Add(Blocked, " can't be read")
}

// Waiting returns what waits for somebody, in the words of the line, "" for nothing: the gate that comes next, then those
// that work has gone past; a loop that has failed, and a state that can't be read.
func (l *Loop) Waiting() string {
	var t Text
	switch {
	case l.Unreadable != "":
		l.unreadable(&t)
		return string(t.bytes)
	case l.Step == LoopHalted && l.Status == "failed":
		return "the loop has failed"
	}
	if l.Gate != "" {
		decide(&t, l.Gate, l.GateFailed)
	}
	if l.waitsBesides() {
		if l.Gate != "" {
			t.Add(Wait, ", ")
		}
		l.besides(&t)
	}
	return string(t.bytes)
}

// decide writes what somebody has to do about a gate.
func decide(t *Text, gate string, failed bool) {
	role := Wait
	if failed {
		role = Blocked
		t.Add(role, "retry ")
	} else {
		t.Add(role, "approve ")
	}
	t.Short(role, gate, ShortCols)
}

// gates writes how many gates there are of a kind.
func (t *Text) gates(role Role, n int, kind string) {
	t.number(role, n)
	t.Add(role, " gate")
	if n != 1 {
		t.Add(role, "s")
	}
	t.Add(role, kind)
}
