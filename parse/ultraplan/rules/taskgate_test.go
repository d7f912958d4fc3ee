package rules

import (
	"slices"
	"testing"
)

// taskArrows are all the steps that a gate can go.
var taskArrows = map[[2]string]TaskStep{
	{"PENDING", "start"}:                {To: "EXECUTING", Step: 1},
	{"EXECUTING", "executor_success"}:   {To: "VERIFYING", Step: 2},
	{"EXECUTING", "executor_failure"}:   {To: "FAILED", Attempt: 1},
	{"EXECUTING", "executor_blocked"}:   {To: "BLOCKED"},
	{"VERIFYING", "verify_passed"}:      {To: "REVIEWING", Step: 3},
	{"VERIFYING", "verify_failed"}:      {To: "FAILED", Attempt: 1},
	{"REVIEWING", "architect_approved"}: {To: "APPROVED"},
	{"REVIEWING", "architect_rejected"}: {To: "FAILED", Attempt: 1},
	{"FAILED", "retry"}:                 {To: "EXECUTING", Step: 1, Reset: true},
	{"BLOCKED", "retry"}:                {To: "EXECUTING", Step: 1, Reset: true},
}

func TestTaskEventsAreTheDocuments(t *testing.T) {
	statuses := []string{"PENDING", "EXECUTING", "VERIFYING", "REVIEWING", "APPROVED", "FAILED", "BLOCKED", "SKIPPED"}
	events := []string{"start", "executor_success", "executor_failure", "executor_blocked", "verify_passed", "verify_failed",
		"architect_approved", "architect_rejected", "retry", "user_skip", "no_event"}
	for _, from := range append(slices.Clone(statuses), "", "failed", "REJECTED") {
		for _, event := range events {
			want, allowed := taskArrows[[2]string{from, event}]
			if event == "user_skip" && slices.Contains(statuses, from) && from != "APPROVED" && from != "SKIPPED" {
				want, allowed = TaskStep{To: "SKIPPED"}, true
			}
			if got, ok := TaskEvent(from, event); got != want || ok != allowed {
				t.Errorf("%q on %q: %+v %v, want %+v %v", event, from, got, ok, want, allowed)
			}
		}
	}
}

// TestStuckWithoutANumber holds that a task that has failed waits where nobody can read how often it may.
func TestStuckWithoutANumber(t *testing.T) {
	for value, want := range map[string]bool{"": false, "~": false, "null": false, "3": false, "-1": false, "+2": false, "three": true, "3x": true, "2.5": true, "[1]": true, "-": true} {
		if NoNumber(value) != want {
			t.Errorf("%q: %v", value, !want)
		}
	}
	failed := Task{Name: "Build", Gate: TaskFailed, Attempt: "1", Max: "3"}
	if got := failed.Stuck(); got != "" {
		t.Errorf("with numbers: %q", got)
	}
	failed.Unclear = true
	if got := failed.Stuck(); got != "Build failed, and how often can't be read" {
		t.Errorf("without: %q", got)
	}
}
