package core

import (
	"testing"
)

func TestParseSummaryHalted(t *testing.T) {
	for text, want := range map[string]bool{
		"---\nstatus: halted\n---\n":                      true,
		"---\nstatus: Halted # by design\n---\n":          true,
		"\uFEFF---\r\nstatus: \"halted\"\r\n---\r\nx\r\n": true,
		"---\nstatus: complete\n---\n":                    false,
		"status: halted\n":                                false,
		"# Summary\nstatus: halted\n":                     false,
	} {
		s, err := ParseSummary(text, nil)
		if err != nil || s.IsHalted != want {
			t.Errorf("%q: halted %v, %v; want %v", text, s.IsHalted, err, want)
		}
	}
}

func TestUnclosedFrontmatterIsAnError(t *testing.T) {
	_, err := ParseSummary("---\nstatus: hal", nil)
	if e, ok := err.(*ParseError); !ok || e.Minor || e.Line != 1 {
		t.Errorf("error %v, want one that holds the last good state", err)
	}
	_, err = ParseSummary("---\nstatus: \"x\ncompleted: y\n---\n", nil)
	if e, ok := err.(*ParseError); !ok || !e.Minor {
		t.Errorf("error %v, want a minor error", err)
	}
}

func TestParseResult(t *testing.T) {
	for value, want := range map[string]string{
		"pass": ResultPass, "[pass]": ResultPass, "PASSED 2026-08-21 (by hand)": ResultPass, "pass — found an issue, fixed it": ResultPass, "pass # but": ResultPass,
		"✅ pass, no errors": ResultPass, "pass (nothing open)": ResultPass, "issue, but small": ResultIssue, "[pending]": ResultPending, "blocked: no device": ResultBlocked,
		"passed on iOS, pending on Android": "passed on ios, pending on android", "pass? needs second look": "pass? needs second look",
		"pass — but slow": "pass — but slow", "pass (still open: the log)": "pass (still open: the log)", "pass with a crash": "pass with a crash",
		"passed, fails on the tablet": "passed, fails on the tablet",
	} {
		if got := ParseResult(value); got != want {
			t.Errorf("%q is %q, want %q", value, got, want)
		}
	}
}

func TestAwaitsHuman(t *testing.T) {
	for statement, want := range map[string]bool{
		"needs human sign-off": true, "human sign-off pending": true, "awaits sign-off by user": true, "checkpoint:human-verify reached": true, "user must verify": true,
		"human verification required": true, "waiting on you": true, "pending human UI check": true, "human-action checkpoint: set DNS": true, "paused at checkpoint": true,
		"at checkpoint (human-verify)": true, "returned checkpoint to user": true, "awaiting-human": true, "needs your eyes": true, "user sign-off outstanding": true,
		"Stopped at blocking checkpoint in 04-01; user must look at the page": true, "Task 1 complete; Task 2 needs human sign-off": true, "CHECKPOINT: 04-01 Task 2 — human action required": true,
		"Task 2 awaits your review": true, "CHECKPOINT (Task 3, approval pending)": true, "pending-human-verify": true, "UAT of Phase 4 deferred to user": true,
		"Task 2 checkpoint no longer pending": false, "Task 2 checkpoint approved": false, "checkpoint cleared": false, "human verified Task 2": false, "checkpoint reached and approved": false,
		"Task 1 done, next Task 2 (checkpoint)": false, "will pause at Task 2 checkpoint": false, "no human verification needed": false, "human sign-off received": false,
		"sign-off not required": false, "checkpoint passed": false, "human-verify checkpoint skipped": false, "awaiting CI": false, "04-01 has a human-verify checkpoint at Task 2": false,
		"Phase 5 needs user model": false, "user must be able to log in": false, "depending on user input": false, "checkpoint not reached": false, "3 plans pending": false,
		"QA pending": true, "ready for user acceptance testing": true, "blocked on three choices": true, "2 pending user stories": false, "approval obtained": false,
		"awaiting approval was resolved": false, "~~awaiting user decision~~": false, "~~decided~~, awaiting user review": true,
		"human-verify checkpoint: approved": false, "Awaiting next milestone": false, "": false,
	} {
		if got := AwaitsHuman("04-01 Task 2 " + statement); got != want {
			t.Errorf("%q: %v", statement, got)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
