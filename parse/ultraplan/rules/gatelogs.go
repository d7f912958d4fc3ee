// The gate of the task at work held against the logs of its results: the files are the source of truth, and STATE.md may be behind.

package rules

import (
	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

// Results is what the logs of a task's results say, each added behind those that are older.
type Results struct {
	Last string // how the last one ended, "" without one

	since           string // the same, where it came after the gate's last step; else ""
	sinceFailures   int    // since that step, and since the last success
	failed, attempt int    // since the last success, whenever that was: as many logs, and the highest attempt that one of them says
}

// Add adds how a result ended, and which attempt it was; after is whether it came after the last step of the task's gate.
func (r *Results) Add(status string, attempt int, after bool) {
	r.Last, r.since = status, ""
	if after {
		r.since = status
	}
	switch status {
	case "success":
		r.sinceFailures, r.failed, r.attempt = 0, 0, 0
	case "failure":
		r.failed, r.attempt = r.failed+1, max(r.attempt, attempt)
		if after {
			r.sinceFailures++
		}
	}
}

// Failures returns how often the task has failed since its last success: as many logs as say so, or as the highest attempt says.
// Attempts may be logged in any order.
func (r *Results) Failures() int { return max(r.failed, r.attempt) }

// Overtaken reports whether a gate that waits, or will be tried again, has been overtaken by a success of its task.
func (t *Task) Overtaken(by *Results) bool {
	return (t.Gate == TaskFailed || t.Gate == TaskBlocked) && by.since == "success"
}

// FailedSince reports whether a task that its gate has at work, or to be tried again, has failed as often as it may by its logs, and how
// often. Each failure counts the attempt of the gate up; where a gate names more attempts than were logged, the logs count.
func (t *Task) FailedSince(by *Results) (times int, spent bool) {
	switch t.Gate {
	case TaskPending, TaskExecuting, TaskVerifying, TaskReviewing:
	case TaskFailed:
		if t.Spent() { // which says so itself
			return 0, false
		}
	default:
		return 0, false
	}
	if t.Endless || by.since != "failure" {
		return 0, false
	}
	times = min(max(count(t.Attempt), 1)-1+by.sinceFailures, by.Failures())
	return times, CompareNumbers(line.Decimal(times), t.Limit()) >= 0
}

// After reports whether a time of the logs, in seconds since 1970, is after the gate's last step. Where that names none, every time is.
func (t *Task) After(seconds int64) bool {
	last, ok := scan.Seconds(t.Last)
	return !ok || seconds > last
}
