package core

// The events of a task's gate.
const (
	EventStart             = "start"
	EventExecutorSuccess   = "executor_success"
	EventExecutorFailure   = "executor_failure"
	EventExecutorBlocked   = "executor_blocked"
	EventVerifyPassed      = "verify_passed"
	EventVerifyFailed      = "verify_failed"
	EventArchitectApproved = "architect_approved"
	EventArchitectRejected = "architect_rejected"
	EventRetry             = "retry"
	EventSkip              = "user_skip"
)

// GateStep is the effect of an event on a gate.
type GateStep struct {
	To       string // the status
	Step     int    // 1 to 3; 0 keeps it
	Attempts int    // are added: one when the gate fails
}

var gateSteps = [...]struct {
	from, event string
	does        GateStep
}{
	{GatePending, EventStart, GateStep{To: GateExecuting, Step: 1}},
	{GateExecuting, EventExecutorSuccess, GateStep{To: GateVerifying, Step: 2}},
	{GateExecuting, EventExecutorFailure, GateStep{To: GateFailed, Attempts: 1}},
	{GateExecuting, EventExecutorBlocked, GateStep{To: GateBlocked}},
	{GateVerifying, EventVerifyPassed, GateStep{To: GateReviewing, Step: 3}},
	{GateVerifying, EventVerifyFailed, GateStep{To: GateFailed, Attempts: 1}},
	{GateReviewing, EventArchitectApproved, GateStep{To: GateApproved}},
	{GateReviewing, EventArchitectRejected, GateStep{To: GateFailed, Attempts: 1}},
	{GateFailed, EventRetry, GateStep{To: GateExecuting, Step: 1}},
	{GateBlocked, EventRetry, GateStep{To: GateExecuting, Step: 1}}, // by the user's word; the protocol has no way out
}

// TakeStep returns the effect of an event on a gate of a status; ok is false if the protocol has no such step. A skip is possible until the
// gate is over.
func TakeStep(from, event string) (step GateStep, ok bool) {
	if event == EventSkip && CanDecide(from, Skip, false) {
		return GateStep{To: GateSkipped}, true
	}
	for _, s := range gateSteps {
		if s.from == from && s.event == event {
			return s.does, true
		}
	}
	return step, false
}
