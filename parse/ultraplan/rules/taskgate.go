// The gate that every task of ultraplan goes through.

package rules

// The statuses of a task's gate. PENDING is in the flow diagram alone: it is read, and never written.
const (
	TaskPending   = "PENDING"
	TaskExecuting = "EXECUTING"
	TaskVerifying = "VERIFYING"
	TaskReviewing = "REVIEWING"
	TaskApproved  = "APPROVED"
	TaskFailed    = "FAILED"
	TaskBlocked   = "BLOCKED"
	TaskSkipped   = "SKIPPED"
)

// The events that move it.
const (
	taskStart         = "start"
	executorSuccess   = "executor_success"
	executorFailure   = "executor_failure"
	executorBlocked   = "executor_blocked"
	verifyPassed      = "verify_passed"
	verifyFailed      = "verify_failed"
	architectApproved = "architect_approved"
	architectRejected = "architect_rejected"
	TaskRetry         = "retry"
	UserSkip          = "user_skip"
)

// TaskStep is what an event does to a task's gate.
type TaskStep struct {
	To      string // the status
	Step    int    // the step it is at then, 1 to 3; 0: none, or as it was
	Attempt int    // how many attempts are added: one when the gate fails
	Reset   bool   // what the steps said is forgotten
}

var taskSteps = [...]struct {
	from, event string
	does        TaskStep
}{
	{TaskPending, taskStart, TaskStep{To: TaskExecuting, Step: 1}},
	{TaskExecuting, executorSuccess, TaskStep{To: TaskVerifying, Step: 2}},
	{TaskExecuting, executorFailure, TaskStep{To: TaskFailed, Attempt: 1}},
	{TaskExecuting, executorBlocked, TaskStep{To: TaskBlocked}},
	{TaskVerifying, verifyPassed, TaskStep{To: TaskReviewing, Step: 3}},
	{TaskVerifying, verifyFailed, TaskStep{To: TaskFailed, Attempt: 1}},
	{TaskReviewing, architectApproved, TaskStep{To: TaskApproved}},
	{TaskReviewing, architectRejected, TaskStep{To: TaskFailed, Attempt: 1}},
	{TaskFailed, TaskRetry, TaskStep{To: TaskExecuting, Step: 1, Reset: true}},
	// The protocol names no way out of BLOCKED: the user's word is one.
	{TaskBlocked, TaskRetry, TaskStep{To: TaskExecuting, Step: 1, Reset: true}},
}

// TaskEvent says what an event does to the gate of a task. A skip is possible from every status that is not final. ok is
// false where the protocol has no such step, or does not know the status.
func TaskEvent(from, event string) (step TaskStep, ok bool) {
	switch from {
	case TaskPending, TaskExecuting, TaskVerifying, TaskReviewing, TaskFailed, TaskBlocked:
	default:
		return TaskStep{}, false
	}
	if event == UserSkip {
		return TaskStep{To: TaskSkipped}, true
	}
	for _, s := range taskSteps {
		if s.from == from && s.event == event {
			return s.does, true
		}
	}
	return TaskStep{}, false
}
