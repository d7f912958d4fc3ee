// What a human may do to a gate of a loop.

package rules

import "gatehouse/model/flow"

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
func (l *Loop) GateAction(a GateAction) (writes []Write, warnings []flow.Code, refused flow.Code) {
	if l.Status != Active {
		return nil, nil, flow.LoopNotActive
	}
	g := l.gate(a.Gate)
	if g == nil {
		return nil, nil, flow.NoGate
	}
	if !gates.knows(g.Status) {
		return nil, nil, flow.UnknownStatus
	}
	write := func(to string, more ...Write) []Write {
		w := append([]Write{{[]string{"gates", a.Gate, "status"}, to}}, more...)
		return append(w, Write{[]string{"last_updated"}, a.Now})
	}
	switch a.Verb {
	case Approve:
		if code := GateStep(g.Status, Passed); code != flow.OK {
			return nil, nil, code
		}
		if len(a.Missing) > 0 {
			return write(Failed), nil, flow.DeliverablesMissing
		}
		return write(Passed, Write{[]string{"gates", a.Gate, "passedAt"}, a.Now}), nil, flow.OK
	case Skip:
		if code := GateStep(g.Status, Skipped); code != flow.OK {
			return nil, nil, code
		}
		if code := flow.SkipReason(a.Text); code != flow.OK {
			return nil, nil, code
		}
		if g.Required {
			warnings = []flow.Code{flow.RequiredGateSkipped}
		}
		return write(Skipped, Write{[]string{"gates", a.Gate, "skippedReason"}, a.Text}), warnings, flow.OK
	case Changes:
		switch {
		case g.Status != Pending:
			return nil, nil, flow.NotPending
		case flow.SkipReason(a.Text) == flow.ReasonRequired:
			return nil, nil, flow.FeedbackRequired
		}
		// The file has no field for the text; that it was touched is all it can say.
		return []Write{{[]string{"last_updated"}, a.Now}}, nil, flow.OK
	case Retry:
		if code := GateStep(g.Status, Pending); code != flow.OK {
			return nil, nil, code
		}
		return write(Pending), nil, flow.OK
	}
	return nil, nil, flow.Forbidden
}
