// What a human may do to a gate of a loop.

package rules

// The things that can be done to a gate.
const (
	Approve = "approve"
	Skip    = "skip"
	Changes = "changes"
	Retry   = "retry"
)

// GateAction is something that is to be done to a gate.
type GateAction struct {
	Gate    string   // its ID
	Verb    string   // Approve, Skip, Changes or Retry
	Text    string   // the reason of a skip, the text of a request for changes
	Missing []string // the deliverables that are not there
	Now     string   // the time, as it is written: UTC, seconds, "Z"
}

// Write is one value of a state file that is to change.
type Write struct {
	Path  []string // the keys that lead to it
	Value string   // a string, to be quoted
}

// gateVerbs are what each verb makes of a gate.
var gateVerbs = []struct{ verb, to string }{{Approve, Passed}, {Skip, Skipped}, {Changes, Pending}, {Retry, Pending}}

// MayGate says whether something may be done to a gate as things are, whatever is still to be said and looked at.
func (l *Loop) MayGate(g *Gate, verb string) Code {
	switch {
	case l.Status != Active:
		return LoopNotActive
	case g == nil || g.At < 0:
		return NoGate
	case !gates.knows(g.Status):
		return UnknownStatus
	case verb == Changes && g.Status != Pending:
		return NotPending
	case verb == Changes:
		return OK
	}
	for _, v := range gateVerbs {
		if v.verb == verb {
			return GateStep(g.Status, v.to)
		}
	}
	return Forbidden
}

// GateAction says what an action writes, or why it is refused. Both come together in one case: approving with a deliverable
// missing is refused, and the failed check writes the gate "failed"; nothing else that is refused writes anything.
func (l *Loop) GateAction(a GateAction) (writes []Write, warnings []Code, refused Code) {
	g := l.gate(a.Gate)
	if code := l.MayGate(g, a.Verb); code != OK {
		return nil, nil, code
	}
	write := func(to string, more ...Write) []Write {
		w := append([]Write{{[]string{"gates", a.Gate, "status"}, to}}, more...)
		return append(w, Write{[]string{"last_updated"}, a.Now})
	}
	switch a.Verb {
	case Approve:
		if len(a.Missing) > 0 {
			return write(Failed), nil, DeliverablesMissing
		}
		return write(Passed, Write{[]string{"gates", a.Gate, "passedAt"}, a.Now}), nil, OK
	case Skip:
		if code := SkipReason(a.Text); code != OK {
			return nil, nil, code
		}
		if g.Required {
			warnings = []Code{RequiredGateSkipped}
		}
		return write(Skipped, Write{[]string{"gates", a.Gate, "skippedReason"}, a.Text}), warnings, OK
	case Changes:
		if SkipReason(a.Text) == ReasonRequired {
			return nil, nil, FeedbackRequired
		}
		// The file has no field for the text; that it was touched is all it can say.
		return []Write{{[]string{"last_updated"}, a.Now}}, nil, OK
	}
	return write(Pending), nil, OK // Retry
}
