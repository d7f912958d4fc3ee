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

// GateAction says what an action writes, or why it is refused. Both come together in one case: approving with a deliverable
// missing is refused, and the failed check writes the gate "failed"; nothing else that is refused writes anything.
func (l *Loop) GateAction(a GateAction) (writes []Write, warnings []Code, refused Code) {
	if l.Status != Active {
		return nil, nil, LoopNotActive
	}
	g := l.gate(a.Gate)
	if g == nil {
		return nil, nil, NoGate
	}
	if !gates.knows(g.Status) {
		return nil, nil, UnknownStatus
	}
	write := func(to string, more ...Write) []Write {
		w := append([]Write{{[]string{"gates", a.Gate, "status"}, to}}, more...)
		return append(w, Write{[]string{"last_updated"}, a.Now})
	}
	switch a.Verb {
	case Approve:
		if code := GateStep(g.Status, Passed); code != OK {
			return nil, nil, code
		}
		if len(a.Missing) > 0 {
			return write(Failed), nil, DeliverablesMissing
		}
		return write(Passed, Write{[]string{"gates", a.Gate, "passedAt"}, a.Now}), nil, OK
	case Skip:
		if code := GateStep(g.Status, Skipped); code != OK {
			return nil, nil, code
		}
		if code := SkipReason(a.Text); code != OK {
			return nil, nil, code
		}
		if g.Required {
			warnings = []Code{RequiredGateSkipped}
		}
		return write(Skipped, Write{[]string{"gates", a.Gate, "skippedReason"}, a.Text}), warnings, OK
	case Changes:
		switch {
		case g.Status != Pending:
			return nil, nil, NotPending
		case SkipReason(a.Text) == ReasonRequired:
			return nil, nil, FeedbackRequired
		}
		// The file has no field for the text; that it was touched is all it can say.
		return []Write{{[]string{"last_updated"}, a.Now}}, nil, OK
	case Retry:
		if code := GateStep(g.Status, Pending); code != OK {
			return nil, nil, code
		}
		return write(Pending), nil, OK
	}
	return nil, nil, Forbidden
}
