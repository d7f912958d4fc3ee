// What a human may do to a gate of a loop: loop-state.md "Gate Status Transitions"; notes on loops §2.5.

package flow

// The things that can be done to a gate.
const (
	Approve = "approve"
	Skip    = "skip"
	Changes = "changes"
	Retry   = "retry"
)

// minReason is how many characters a reason for a skip has to exceed.
const minReason = 10

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
		case length(a.Text) == 0:
			return nil, nil, FeedbackRequired
		}
		// The file has no field for the text; that it was touched is all it can say (J-D8).
		return []Write{{[]string{"last_updated"}, a.Now}}, nil, OK
	case Retry:
		if code := GateStep(g.Status, Pending); code != OK {
			return nil, nil, code
		}
		return write(Pending), nil, OK
	}
	return nil, nil, Forbidden
}

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
