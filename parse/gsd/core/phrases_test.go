package core

import "testing"

func TestAwaitsHuman(t *testing.T) {
	for said, want := range map[string]bool{
		"needs human sign-off": true, "human sign-off pending": true, "awaits sign-off by user": true, "checkpoint:human-verify reached": true, "user must verify": true,
		"human verification required": true, "waiting on you": true, "pending human UI check": true, "human-action checkpoint: set DNS": true, "paused at checkpoint": true,
		"at checkpoint (human-verify)": true, "returned checkpoint to user": true, "awaiting-human": true, "needs your eyes": true, "user sign-off outstanding": true,
		"Stopped at blocking checkpoint in 04-01; user must look at the page": true, "Task 1 complete; Task 2 needs human sign-off": true, "CHECKPOINT: 04-01 Task 2 — human action required": true,
		"Task 2 awaits your review": true, "CHECKPOINT (Task 3, approval pending)": true, "pending-human-verify": true, "UAT of Phase 4 deferred to user": true,
		"Task 2 checkpoint no longer pending": false, "Task 2 checkpoint approved": false, "checkpoint cleared": false, "human verified Task 2": false, "checkpoint reached and approved": false,
		"Task 1 done, next Task 2 (checkpoint)": false, "will pause at Task 2 checkpoint": false, "no human verification needed": false, "human sign-off received": false,
		"sign-off not required": false, "checkpoint passed": false, "human-verify checkpoint skipped": false, "awaiting CI": false, "04-01 has a human-verify checkpoint at Task 2": false,
		"Phase 5 needs user model": false, "user must be able to log in": false, "depending on user input": false, "checkpoint not reached": false, "3 plans pending": false,
		"human-verify checkpoint: approved": false, "Awaiting next milestone": false, "": false,
	} {
		if got := AwaitsHuman("04-01 Task 2 " + said); got != want {
			t.Errorf("%q: %v", said, got)
		}
	}
}
