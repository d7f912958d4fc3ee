package rules

import (
	"slices"
	"strings"
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
		if noNumber(value) != want {
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

// TestGateInOtherWords: a gate in a comment is none, one behind it counts, and words are those of YAML.
func TestGateInOtherWords(t *testing.T) {
	const block = "current_task:\n  name: A\n  gate_status: BLOCKED\n"
	for text, want := range map[string]string{
		block: "A is blocked", "```yaml\n" + block + "```\n": "A is blocked",
		"<!--\n" + block + "-->\n": "", "<!--\n```yaml\n" + block + "```\n-->\n": "", "<!-- a -->\n" + block: "A is blocked", "<!--\n" + block: "A is blocked",
		"<!--\n" + block + "-->\n" + strings.Replace(block, "A", "B", 1): "B is blocked", "```\n<!--\n```\n" + block + "-->\n": "A is blocked",
		"current_task:\n  \"name\": A\n  \"gate_status\": BLOCKED\n": "A is blocked", "current_task:\n  name: >-\n    A b\n  gate_status: !!str BLOCKED\n": "A b is blocked",
	} {
		s := ParseState(text)
		if got := s.Task.Stuck(); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestPositionInAComment: what stands in a comment is no position, as for the dashboard.
func TestPositionInAComment(t *testing.T) {
	for text, want := range map[string]string{
		"## Current Position\n\n<!-- template:\nPhase: 2 of 3\n-->\nPhase: 1 of 3\n":          "1",
		"## Current Position\n\nPhase: 1 of 3 <!-- or\nPhase: 2 of 3\n-->\n":                  "1",
		"<!--\n## Current Position\nPhase: 2 of 3\n-->\n## Current Position\nPhase: 1 of 3\n": "1",
		"## Current Position\n<!--\nPhase: 1 of 3\n":                                          "1",
	} {
		if s := ParseState(text); s.Phase != want {
			t.Errorf("%q: %q, want %q", text, s.Phase, want)
		}
	}
}

// TestAFailedGateWaits reads the counts of a gate that has failed: it waits once no attempt is left, of three where nothing else is
// said, and where nobody can tell how many are.
func TestAFailedGateWaits(t *testing.T) {
	const unread = "A failed, and how often can't be read"
	for counts, want := range map[string]string{
		"attempt: 3\nmax_attempts: 3": "", "attempt: 4\nmax_attempts: 3": "A failed 3 times", "attempt: \"4\"\nmax_attempts: 3 # of them": "A failed 3 times", "attempt: 5\nmax_attempts: 5": "",
		"attempt: 3": "", "attempt: 4": "A failed 3 times", "attempt: 4\nmax_attempts:": "A failed 3 times", "attempt: 4\nmax_attempts: null": "A failed 3 times", "": unread, "max_attempts: 3": unread, "attempt:\nmax_attempts: 3": unread, "attempt: \"\"": unread, "attempt: ~\nmax_attempts: 3": unread, "attempt: null": unread, "max_attempts: -1": "",
		"attempt: 4\nmax_attempts: -1": "", "attempt: 1\nmax_attempts: 0": "A failed", "attempt: 2\nmax_attempts: 01": "A failed once", "attempt: 99999999999999999999\nmax_attempts: 3": "A failed 3 times", "attempt: 4\nmax_attempts: 99999999999999999999": "",
		"attempt: -1\nmax_attempts: 3": unread, "attempt: 0\nmax_attempts: 3": unread, "attempt: 00": unread, "attempt: 0\nmax_attempts: -1": "", "attempt: [1]": unread, "attempt: {a: 1}": unread, "attempt: two": unread, "attempt: 4.0\nmax_attempts: 3": unread, "attempt: 2\nmax_attempts: many": unread,
		"attempt:\n    - 1\nmax_attempts: 3": unread, "attempt: |\n    4": unread, "attempt:\n\n    4": unread, "max_attempts:\n      of: 3": unread,
	} {
		block := "gate_status: FAILED\n"
		for l := range strings.Lines(counts) {
			block += "  " + l
		}
		s := ParseState("current_task:\n  name: A\n  " + block + "\n")
		if got := s.Task.Stuck(); got != want {
			t.Errorf("%q: %q, want %q", counts, got, want)
		}
	}
}
