// Package flow holds the rules by which loops move: which step from one status to the next a protocol allows, what has to
// be true before, and where work goes on after a break. It is tables and the functions that read them; it opens no file,
// asks no clock and, since the prompt asks it too, imports nothing.
//
// Statuses are the protocols' own words, exactly as a file spells them: a word that a protocol does not know is refused and
// never guessed at (loop-state.md; notes on loops §2.3, §2.5).
package flow

// Code says why a step is refused, or what is to be known about one that is not; "" is neither.
type Code string

// The codes. Those that begin with E refuse.
const (
	OK Code = ""

	Forbidden           Code = "E_FORBIDDEN"            // the protocol's table has no such step
	SameStatus          Code = "E_SAME_STATUS"          // it is so already: nothing is written
	UnknownStatus       Code = "E_UNKNOWN_STATUS"       // the file says a word that the protocol does not know
	LoopNotActive       Code = "E_LOOP_NOT_ACTIVE"      // gates and phases move only while the loop is active
	NoGate              Code = "E_NO_GATE"              // there is no such gate
	NoPhase             Code = "E_NO_PHASE"             // there is no such phase
	NotPending          Code = "E_NOT_PENDING"          // changes can be asked for only while a gate is pending
	ReasonRequired      Code = "E_REASON_REQUIRED"      // a skip needs a reason
	ReasonTooShort      Code = "E_REASON_TOO_SHORT"     // and one of more than ten characters
	FeedbackRequired    Code = "E_FEEDBACK_REQUIRED"    // a request for changes needs a text
	DeliverablesMissing Code = "E_DELIVERABLES_MISSING" // the check of the deliverables fails
	GateBlocking        Code = "E_GATE_BLOCKING"        // a required gate before the phase is pending or failed
	PrevPhaseIncomplete Code = "E_PREV_PHASE_INCOMPLETE"
	OtherPhaseActive    Code = "E_OTHER_PHASE_ACTIVE"
	PhaseRequired       Code = "E_PHASE_REQUIRED" // a required phase can't be skipped

	RequiredGateSkipped Code = "W_REQUIRED_GATE_SKIPPED"
)

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
