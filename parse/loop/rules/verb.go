// What a human may do to a loop as a whole.

package rules

// The things that can be done to a loop.
const (
	Pause       = "pause"
	ResumeLoop  = "resume"
	Abort       = "abort"
	RetryFailed = "retry-failed"
	Finish      = "complete"
	Restart     = "restart"
)

// loopVerbs are what each verb makes of a loop, and of which it may be done.
var loopVerbs = []struct{ verb, from, to string }{
	{Pause, Active, Paused}, {ResumeLoop, Paused, Active}, {Abort, Active, Failed},
	// The table has no way from failed to active, and resuming offers it: the user's typed word is the way.
	{RetryFailed, Failed, Active},
	{Finish, Active, Complete},
	// Nor has it one from complete: resuming offers to begin anew, which is another state in the place of this one.
	{Restart, Complete, Active}, {Restart, Failed, Active},
}

// overclaims reports whether something is left of a loop that calls itself complete.
func (l *Loop) overclaims() bool {
	w := l.Waits()
	return !w.Complete(l)
}

// LoopAction says what a verb makes of the loop, or why it may not be done.
func (l *Loop) LoopAction(verb string) (to string, refused Code) {
	refused = Forbidden
	if verb == ResumeLoop && l.Status != Active && LoopWord(l.Status) == Complete {
		if w := l.Waits(); w.Open+len(w.Keep()) > 0 {
			return Active, OK // it calls itself complete, and what is left of it can be decided only while it is active
		}
	}
	for _, v := range loopVerbs {
		switch {
		case v.verb != verb:
		case verb == Finish && LoopWord(l.Status) == Complete && l.overclaims():
			return "", Unfinished
		case l.Status != v.from && (verb != Restart || LoopWord(l.Status) != v.from):
			if l.Status == v.to && verb != Restart {
				refused = SameStatus
			}
		case verb == Finish:
			if w := l.Waits(); !w.Complete(l) {
				return "", Unfinished
			}
			fallthrough
		default:
			return v.to, OK
		}
	}
	if !loops.knows(l.Status) {
		refused = UnknownStatus
	}
	return "", refused
}
