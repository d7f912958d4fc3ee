package model

// Status is the state of a node, in one vocabulary for all protocols.
type Status uint8

// The canonical statuses. The zero value is Unknown: an unknown status is shown as such and never guessed.
const (
	Unknown  Status = iota // the files have no status, or an unknown one
	Pending                // not begun
	Active                 // begun, not finished; an agent's turn
	Waiting                // a human's turn
	Blocked                // cannot go on until something else changes
	Failed                 // tried, did not work
	Retrying               // failed, being tried again
	Done                   // finished and, if the protocol verifies, verified
	Skipped                // left out on purpose
	Executed               // all its work is done but not verified: nothing runs, nothing waits for a human
)

var statusWords = [...]string{"unknown", "pending", "active", "waiting", "blocked", "failed", "retrying", "done", "skipped", "executed"}

// String returns the status as one lower-case word.
func (s Status) String() string {
	if int(s) < len(statusWords) {
		return statusWords[s]
	}
	return statusWords[Unknown]
}

// spokenWords are the words for people that differ from the words in files.
var spokenWords = map[Status]string{Active: "running", Executed: "unverified"}

// Word returns the status for people: one word for each, the same everywhere.
func (s Status) Word() string {
	if w, ok := spokenWords[s]; ok {
		return w
	}
	return s.String()
}

// MarshalText implements [encoding.TextMarshaler] with [Status.String].
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]; a word that is not a status is [Unknown].
func (s *Status) UnmarshalText(word []byte) error {
	*s, _ = ParseStatus(string(word))
	return nil
}

// ParseStatus is the inverse of [Status.String]; ok is false for other words.
func ParseStatus(word string) (s Status, ok bool) {
	for i, w := range statusWords {
		if w == word {
			return Status(i), true
		}
	}
	return Unknown, false
}

// Statuses returns all statuses, in the order of their values.
func Statuses() []Status {
	all := make([]Status, len(statusWords))
	for i := range all {
		all[i] = Status(i)
	}
	return all
}

// Closed reports whether nothing remains to be done: done or skipped.
func (s Status) Closed() bool { return s == Done || s == Skipped }

// urgencyRank orders statuses by urgency.
func (s Status) urgencyRank() int {
	switch s {
	case Waiting:
		return 8
	case Failed:
		return 7
	case Blocked:
		return 6
	case Retrying:
		return 5
	case Active:
		return 4
	case Unknown:
		return 3
	case Executed: // if other parts are open, the whole has begun; see RollUp
		return 2
	case Pending:
		return 2
	case Done:
		return 1
	default:
		return 0
	}
}

// RollUp returns the status of a whole from the statuses of its parts. The status that most needs attention wins
// (waiting, failed, blocked, retrying, active). Otherwise a mix of done and open parts is active, and so is a mix of
// executed and open parts; executed and closed parts make the whole executed. If all are closed the whole is done, or
// skipped if all are skipped. Anything else is pending, or unknown if a part is. No parts at all are unknown.
func RollUp(parts []Status) Status {
	if len(parts) == 0 {
		return Unknown
	}
	top, closed, done, executed := parts[0], 0, 0, 0
	for _, s := range parts {
		if s.urgencyRank() > top.urgencyRank() {
			top = s
		}
		if s.Closed() {
			closed++
		}
		switch s {
		case Done:
			done++
		case Executed:
			executed++
		}
	}
	switch {
	case top.urgencyRank() >= Active.urgencyRank():
		return top
	case closed == len(parts) && done > 0:
		return Done
	case closed == len(parts):
		return Skipped
	case executed > 0 && executed+closed == len(parts):
		return Executed
	case done+executed > 0:
		return Active
	default:
		return top
	}
}
