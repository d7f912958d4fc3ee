package demo

// This file is the story: a table of what happens, one row after the other.

import "time"

// step is a row of the story.
type step struct {
	after time.Duration // since the row before
	what  string
	do    []action
	mark  Mark   // the moment that is reached with this row, "" without a name
	await string // the question without whose answer the build does not go on
}

// after is a row: so many seconds after the one before, this happens.
func after(seconds float64, what string, do ...action) step {
	return step{after: time.Duration(seconds * float64(time.Second)), what: what, do: do}
}

func (s step) reaches(m Mark) step         { s.mark = m; return s }
func (s step) awaits(question string) step { s.await = question; return s }

func script() []step {
	return []step{
		after(2, "a plan ends, and STATE.md is not told", finish("05.5-02")),
		after(1.5, "the phase is verified, but nobody has counted",
			tell(stage("5.5", "verifying", "Verifying Phase 5.5"), stopped("Finished 05.5-02"))),
		after(2, "what is left needs a human's ear", acceptance("wind", uat{
			phase: "5.5",
			passed: []uatTest{
				{"A calm morning", "All eleven birds of the calm sample have their names."},
				{"A stormy morning", "The page names no owl, and says how many songs were lost."},
			},
		}, verification{
			phase: "5.5", status: humanNeeded, open: 3,
			test:   "Listen to the clip of 14 March",
			expect: "Behind the wind you still hear the robin, and nothing crackles.",
			why:    "No machine can tell whether it sounds like a morning.",
		})).reaches(MarkReview),
		after(2, "work goes on in the next phase meanwhile", tell(work("06-01"))),
		after(2.5, "an idea is put aside for later",
			todo("feeder-mode", "A feeder brings twenty tits at once", "diary")),
		after(2, "a plan ends", finish("06-01")),
		after(1.5, "the next one begins", tell(work("06-02"), stopped("Finished 06-01"))),
		after(2.5, "a small thing is done on the side", quick("sunrise-in-utc", "Show sunrise in local time")),
		after(2, "a plan stops: its sounds may not be shipped", halt("06-02")),
		after(1.5, "the agent writes down what blocks it, and takes another plan",
			tell(work("06-03"), blocked("[Phase 6]: The sample library forbids shipping its sounds; 06-04 needs them"))),
		after(3, "that one ends", finish("06-03")),
		after(1.5, "STATE.md is seen half written", tearState),
		after(1.2, "and then whole", tell(stopped("Finished 06-03; 06-02 needs a decision"))),
		after(1.5, "the agent asks, and stops", question("sounds", signal{
			Type: "decision", Phase: "6",
			Question: "The sample library may not be shipped. What shall a page play instead?",
			Options:  []string{"Recordings of the open archive", "Only your own recordings", "No sound in v1.1"},
		})).reaches(MarkQuestion).awaits("sounds"),

		after(0.5, "the answer is taken up, and at last somebody counts",
			remove(signalFile),
			tell(decided("[Phase 6]: Pages play the open archive and credit its recordists"), count)),
		after(1.5, "another plan is seen half written", tearPlan("06-05")),
		after(1, "it takes the place of the one that stopped", replace("06-02", "06-05")),
		after(1.5, "nothing is blocked any more", tell(work("06-05"), unblocked, count)),
		after(3, "a plan ends", finish("06-05")),
		after(1.5, "the next one begins", tell(work("06-04"), stopped("Finished 06-05"), count)),
		after(3, "the last plan of the phase ends", finish("06-04")),
		after(1.5, "the phase is verified",
			tell(stage("6", "verifying", "Verifying Phase 6"), stopped("Finished 06-04"), count)),
		after(3, "verification finds a gap", verify(verification{
			phase: "6", status: gapsFound, open: 4,
			why: "A morning without birds leaves the page blank.",
		})).reaches(MarkFailed),
		after(2, "what to do about it is next",
			tell(idle("planning", "plan-phase", "6", "Verification found a gap"), stopped("Verified Phase 6"))),
		after(2.5, "a plan closes the gap", writePlan("06-06")),
		after(1.5, "it is executed", tell(work("06-06"), count)),
		after(3, "it ends", finish("06-06")),
		after(1.5, "the phase is verified again",
			tell(stage("6", "verifying", "Verifying Phase 6 again"), stopped("Finished 06-06"), count)),
		after(2.5, "and passes", verify(verification{phase: "6", status: passed})),
		after(1.5, "the next phase is next",
			tell(idle("planning", "plan-phase", "7", "Ready to plan"), stopped("Phase 6 complete"), count)),

		after(2, "a phase is planned", tell(stage("7", "planning", "Planning Phase 7"))),
		after(2, "research is done", note("7", researchNote)),
		after(2, "a plan is written", writePlan("07-01")),
		after(1.5, "and another", writePlan("07-02")),
		after(1.5, "the first is executed", tell(work("07-01"), stopped("Planned Phase 7"), count)),
		after(3, "it ends", finish("07-01")),
		after(2, "work is laid down for a while",
			pause("7", 2, "Merge lists by bird and minute", "execute-phase 7", "Half the merge is written, its test fails"),
			tell(paused("Lunch; the merge of 07-02 is half written"), stopped("Finished 07-01"), count)).reaches(MarkPaused),
		after(6, "and taken up again", remove(handoffFile), tell(paused(""), work("07-02"))),
		after(3, "a plan ends", finish("07-02")),
		after(1.5, "the phase is verified",
			tell(stage("7", "verifying", "Verifying Phase 7"), stopped("Finished 07-02"), count)),
		after(2, "and passes", verify(verification{phase: "7", status: passed})),
		after(1.5, "the last phase is next",
			tell(idle("planning", "discuss-phase", "8", "Ready to discuss"), stopped("Phase 7 complete"), count)),

		after(2, "it is discussed", note("8", contextNote), tell(stage("8", "discussing", "Discussing Phase 8"))),
		after(1.5, "and planned", note("8", researchNote), tell(stage("8", "planning", "Planning Phase 8"))),
		after(1.5, "a plan is written", writePlan("08-01")),
		after(1.5, "and another", writePlan("08-02")),
		after(1.5, "the first is executed", tell(work("08-01"), stopped("Planned Phase 8"), count)),
		after(3, "it ends", finish("08-01")),
		after(1.5, "the second begins", tell(work("08-02"), stopped("Finished 08-01"), count)),
		after(3, "it ends", finish("08-02")),
		after(1.5, "STATE.md says complete, but a card must be looked at",
			acceptance("postcard", uat{
				phase:  "8",
				passed: []uatTest{{"A week in May", "Seven mornings and all 31 birds fit on the card."}},
			}, verification{
				phase: "8", status: humanNeeded, open: 3,
				test:   "Read the card at arm's length",
				expect: "You can read every name without your glasses.",
				why:    "It depends on eyes, not on pixels.",
			}),
			tell(idle("completed", "", "", "All phases complete"), stopped("Finished 08-02"), count)).reaches(MarkClaimed).awaits("postcard"),
		after(1, "nothing is left to do",
			tell(idle("completed", "", "", "v1.1 milestone complete"), stopped("Phase 8 complete"), count)).reaches(MarkFinished),
	}
}
