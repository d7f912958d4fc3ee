// The gate of the task at work held against the logs of its results: the files are the source of truth, and STATE.md may be behind.

package rules

import (
	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

// Since is what the logs of a gate's task say of it.
type Since struct {
	Last     string // how its last result ended that came after the gate's last step, "" where none did
	Failures int    // since then, and since its last success
	All      int    // since its last success, whenever that was
}

// Overtaken reports whether a gate that waits, or will be tried again, has been overtaken by a success of its task.
func (t *Task) Overtaken(by Since) bool {
	return (t.Gate == TaskFailed || t.Gate == TaskBlocked) && by.Last == "success"
}

// FailedSince reports whether a task that its gate has at work, or to be tried again, has failed as often as it may by its logs, and how
// often. Each failure counts the attempt of the gate up; where a gate names more attempts than were logged, the logs count.
func (t *Task) FailedSince(by Since) (times int, spent bool) {
	switch t.Gate {
	case TaskPending, TaskExecuting, TaskVerifying, TaskReviewing:
	case TaskFailed:
		if t.Spent() { // which says so itself
			return 0, false
		}
	default:
		return 0, false
	}
	if t.Endless || by.Last != "failure" {
		return 0, false
	}
	times = min(max(count(t.Attempt), 1)-1+by.Failures, by.All)
	return times, CompareNumbers(line.Decimal(times), t.Limit()) >= 0
}

// After reports whether a time of the logs, in seconds since 1970, is after the gate's last step. Where that names none, every time is.
func (t *Task) After(seconds int64) bool {
	last, ok := scan.Seconds(t.Last)
	return !ok || seconds > last
}
