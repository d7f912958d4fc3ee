// Why a step is refused, and what the reason of a skip has to be. The other protocols borrow these codes and that rule.

package rules

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
	Unfinished          Code = "E_UNFINISHED"     // something is left of a loop that is to be called complete

	RequiredGateSkipped Code = "W_REQUIRED_GATE_SKIPPED"
)

// minReason is how many characters a reason for a skip has to exceed.
const minReason = 10

// SkipReason says whether a text will do as the reason of a skip, of whatever protocol.
func SkipReason(text string) Code {
	switch n := length(text); {
	case n == 0:
		return ReasonRequired
	case n <= minReason:
		return ReasonTooShort
	}
	return OK
}

// length counts the characters of a text without blanks around it.
func length(text string) int {
	n, last := 0, 0
	for _, r := range text {
		blank := r == ' ' || r == '\t' || r == '\n' || r == '\r'
		if blank && n == 0 {
			continue
		}
		n++
		if !blank {
			last = n
		}
	}
	return last
}
