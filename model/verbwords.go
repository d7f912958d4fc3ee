package model

// The words for verbs, for dashboard and commands alike.

// Words are the words for a verb. In a sentence "%" represents the name of the gate or build.
type Words struct {
	Title string // heads the dialog: "Approve %"
	Doing string // while it is written: "approving %"
	Done  string // afterwards: "approved %"
	Past  string // past participle for the journal: "approved"
	Short string // itself, on a button: "approve"
	Would string // on a command line, before the name: "approve"
	Did   string // the same afterwards: "approved"
	About Scope
}

// Scope is the target of a verb.
type Scope int

const (
	AboutGate  Scope = iota
	AboutBuild       // the build as a whole
	AboutItem        // an item of the inbox
	AboutPhase
)

var verbWords = map[Verb]Words{
	VerbApprove: {"Approve %", "approving %", "approved %", "approved", "approve", "approve", "approved", AboutGate},
	VerbSkip:    {"Skip %", "skipping %", "skipped %", "skipped", "skip", "skip", "skipped", AboutGate},
	VerbChanges: {"Ask for changes to %", "asking for changes to %", "asked for changes to %", "changes asked", "changes",
		"ask for changes to", "asked for changes to", AboutGate},
	VerbRetry: {"Retry %", "having % tried again", "% will be tried again", "retried", "retry", "have tried again", "to be tried again:", AboutGate},
	VerbUndo: {"Undo the last decision about %", "undoing the decision about %", "undid the decision about %", "undone", "undo",
		"take back the decision about", "took back the decision about", AboutGate},
	VerbPause:       {"Pause %", "pausing %", "paused %", "paused", "pause", "pause", "paused", AboutBuild},
	VerbResume:      {"Resume %", "resuming %", "resumed %", "resumed", "resume", "resume", "resumed", AboutBuild},
	VerbAbort:       {"Abort %", "aborting %", "aborted %", "aborted", "abort", "give up", "gave up", AboutBuild},
	VerbRetryFailed: {"Take up % again", "taking up %", "took up % again", "taken up", "take up", "take up again", "took up again", AboutBuild},
	VerbComplete:    {"Call % complete", "completing %", "% is complete", "completed", "complete", "call complete", "completed", AboutBuild},
	VerbRestart:     {"Begin % anew", "beginning % anew", "began % anew", "begun anew", "begin anew", "begin anew", "began anew", AboutBuild},
	VerbSkipPhase:   {"Skip phase %", "skipping phase %", "skipped phase %", "skipped", "skip phase", "skip phase", "skipped phase", AboutPhase},
	VerbSync:        {"Bring % in line with the tree", "syncing %", "synced %", "synced", "sync", "bring in line", "brought in line", AboutBuild},
	VerbFresh:       {"Start % fresh", "clearing the run of %", "cleared the run of %", "started fresh", "start fresh", "clear", "cleared", AboutBuild},
	VerbAdd:         {"Add to the inbox", "adding %", "added %", "added", "add", "add", "added", AboutBuild},
	VerbDismiss:     {"Dismiss %", "dismissing %", "dismissed %", "dismissed", "dismiss", "dismiss", "dismissed", AboutItem},
	VerbAnswer:      {"Answer %", "answering %", "answered %", "answered", "answer", "answer", "answered", AboutGate},
	VerbReply:       {"Reply to %", "replying to %", "replied to %", "replied", "reply", "reply to", "replied to", AboutGate},
}

// Words returns the words for the verb; for an unknown one its own name.
func (v Verb) Words() Words {
	if w, known := verbWords[v]; known {
		return w
	}
	s := string(v)
	return Words{s + " %", s + " %", s + " %", s, s, s, s, AboutGate}
}

// Words returns the words for the decision. Approving with a deliverable missing records the failed check.
func (d *Decision) Words() Words {
	w := d.Verb.Words()
	if d.CheckFailed() {
		w.Past, w.Did, w.Done = "check failed", "recorded the failed check of", "recorded the failed check of %"
	}
	return w
}

// CheckFailed reports whether an approval found the gate lacking something, so that it is written failed.
func (d *Decision) CheckFailed() bool { return d.Verb == VerbApprove && d.Is == "failed" }
