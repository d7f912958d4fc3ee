// What a human may do to a loop as a whole.

package rules

// The things that can be done to a loop.
const (
	Pause       = "pause"
	ResumeLoop  = "resume"
	Abort       = "abort"
	RetryFailed = "retry-failed"
)

// loopVerbs are what each verb makes of a loop, and of which it may be done.
var loopVerbs = []struct{ verb, from, to string }{
	{Pause, Active, Paused}, {ResumeLoop, Paused, Active}, {Abort, Active, Failed},
	// The table has no way from failed to active, and resuming offers it: the user's typed word is the way.
	{RetryFailed, Failed, Active},
}

// LoopAction says what a verb makes of the loop, or why it may not be done.
func (l *Loop) LoopAction(verb string) (to string, refused Code) {
	i := index(loopVerbs, func(v *struct{ verb, from, to string }) bool { return v.verb == verb })
	switch {
	case i < 0:
		return "", Forbidden
	case l.Status == loopVerbs[i].from:
		return loopVerbs[i].to, OK
	case !loops.knows(l.Status):
		return "", UnknownStatus
	case l.Status == loopVerbs[i].to:
		return "", SameStatus
	}
	return "", Forbidden
}
