// Package transition holds the tables of allowed transitions, and the codes of refusals that all protocols share. The
// prompt links it, so it imports nothing.
package transition

// Code says why a step is refused, or warns of one that is not. "" is neither.
type Code string

// The codes. Those that begin with E refuse.
const (
	OK Code = ""

	Forbidden           Code = "E_FORBIDDEN"            // the protocol has no such step
	SameStatus          Code = "E_SAME_STATUS"          // the status is so already; nothing is written
	UnknownStatus       Code = "E_UNKNOWN_STATUS"       // the file has a word that the protocol does not know
	LoopNotActive       Code = "E_LOOP_NOT_ACTIVE"      // gates and phases move only while the loop is active
	NoGate              Code = "E_NO_GATE"              // no such gate
	NoPhase             Code = "E_NO_PHASE"             // no such phase
	NotPending          Code = "E_NOT_PENDING"          // a human can't decide it now
	NotReached          Code = "E_NOT_REACHED"          // the work has not reached the gate
	ReasonRequired      Code = "E_REASON_REQUIRED"      // a skip needs a reason
	ReasonTooShort      Code = "E_REASON_TOO_SHORT"     // of at least [MinReason] characters
	FeedbackRequired    Code = "E_FEEDBACK_REQUIRED"    // a request for changes needs a text
	DeliverablesMissing Code = "E_DELIVERABLES_MISSING" // the check of the deliverables fails
	GateBlocking        Code = "E_GATE_BLOCKING"        // a required gate before the phase is undecided
	PrevPhaseIncomplete Code = "E_PREV_PHASE_INCOMPLETE"
	OtherPhaseActive    Code = "E_OTHER_PHASE_ACTIVE"
	PhaseRequired       Code = "E_PHASE_REQUIRED" // a required phase can't be skipped
	Unfinished          Code = "E_UNFINISHED"     // work is left in something to be called complete

	RequiredGateSkipped Code = "W_REQUIRED_GATE_SKIPPED"
)

// Step is an allowed change of a status.
type Step struct{ From, To string }

// Machine is the table of states and steps of one kind of thing.
type Machine struct {
	States []string
	Steps  []Step
}

// Knows reports whether a status is one of the machine.
func (m *Machine) Knows(status string) bool {
	for _, s := range m.States {
		if s == status {
			return true
		}
	}
	return false
}

// Check returns why a status may not become another, OK if it may.
func (m *Machine) Check(from, to string) Code {
	if !m.Knows(from) || !m.Knows(to) {
		return UnknownStatus
	}
	if from == to {
		return SameStatus
	}
	for _, s := range m.Steps {
		if s == (Step{from, to}) {
			return OK
		}
	}
	return Forbidden
}

// MinReason is how many characters the reason of a skip has at least, without blanks around it.
const MinReason = 11

// CheckReason returns why a text will not do as the reason of a skip, OK if it will.
func CheckReason(text string) Code {
	n, last := 0, 0
	for _, r := range text {
		isBlank := r == ' ' || r == '\t' || r == '\n' || r == '\r'
		if isBlank && n == 0 {
			continue
		}
		if n++; !isBlank {
			last = n
		}
	}
	switch {
	case last == 0:
		return ReasonRequired
	case last < MinReason:
		return ReasonTooShort
	}
	return OK
}
