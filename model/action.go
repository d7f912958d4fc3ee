package model

import (
	"context"
	"time"
)

// Verb is something that a human can do to a build.
type Verb string

// The verbs. The first five are about a gate, the last about an item of the inbox, the others about a build.
const (
	VerbApprove     Verb = "approve"       // let it pass
	VerbSkip        Verb = "skip"          // leave it out, for a reason
	VerbChanges     Verb = "changes"       // ask for changes, in words
	VerbRetry       Verb = "retry"         // have a gate that failed tried again
	VerbUndo        Verb = "undo"          // take the last decision about it back
	VerbPause       Verb = "pause"         // have the agents stop
	VerbResume      Verb = "resume"        // have them go on
	VerbAbort       Verb = "abort"         // give the build up
	VerbRetryFailed Verb = "retry-failed"  // take up a build that has failed
	VerbComplete    Verb = "complete"      // call a build complete of which nothing is left
	VerbRestart     Verb = "restart"       // put its state away and begin it anew
	VerbSkipPhase   Verb = "skip-phase"    // leave a phase out that is not required
	VerbSync        Verb = "sync"          // bring the state file in line with the tree
	VerbFresh       Verb = "fresh"         // clear a run that was begun
	VerbAdd         Verb = "inbox-add"     // put an item into the inbox
	VerbDismiss     Verb = "inbox-dismiss" // take one out
	VerbAnswer      Verb = "answer"        // answer what a live agent asks
	VerbReply       Verb = "reply"         // send words to the session of a live agent
)

// LeastReason is how many characters the reason of a skip must have, without blanks around it.
const LeastReason = 11

// Action is something that a human wants done.
type Action struct {
	Verb    Verb   `json:"verb"`
	Project string `json:"project"`        // its root
	Build   string `json:"build"`          // ID
	Node    string `json:"node,omitempty"` // ID of the gate; "" for what is about the build
	Text    string `json:"text,omitempty"` // the reason of a skip, what is to be changed, a note that goes with an approval, or an item for the inbox
	Kind    string `json:"kind,omitempty"` // of an item for the inbox: one of [Proposal.Kinds]; "" is the one proposed
	// Seen is the hash of the file that the human decided upon, and Shown that of the proposal (both from [Proposal]). An
	// action is refused with [Changed] where the file, or what would be shown, is another now. "" does not ask.
	Seen  string `json:"seen,omitempty"`
	Shown string `json:"shown,omitempty"`
	// IfSeen makes the action compare-and-set: it is done only while what it is about has this hash, and repeating it does
	// nothing. "gatehouse gates --json" and "gatehouse status --json" print the hashes.
	IfSeen string `json:"if_seen,omitempty"`
	// File is the file of the proposal: it is locked without judging the action first. "" has it found.
	File string `json:"-"`
	// Looked is the proposal that the human is looking at; the next one says in [Proposal.Differences] what has changed since.
	Looked *Proposal `json:"looked,omitempty"`
	// RecordFailed is the word of the human to go on although deliverables are missing: the gate is written "failed"
	// then, and not passed.
	RecordFailed bool `json:"record_failed,omitempty"`
	// Ahead approves a gate that the work has not reached yet.
	Ahead bool `json:"ahead,omitempty"`
	// Signature is what the journal keeps to prove the decision, nil without one. It is for evidence with the hash in it: the action is
	// refused with [Changed] if that differs now.
	Signature *Signature `json:"-"`
}

// Proposal is what an action would do. Making one writes nothing.
type Proposal struct {
	Action   Action     `json:"action"`          // as it should be done: with Seen and Shown set
	Name     string     `json:"name"`            // of the gate or build, as people call it: "frame-gate"
	Asks     string     `json:"asks,omitempty"`  // what is asked
	Terms    string     `json:"terms,omitempty"` // who opens the gate, and whether it is required: "human, required"; "" for what is about the build
	Effect   string     `json:"effect"`          // "pending → passed"
	File     string     `json:"file"`            // that would be written, relative to the project's root, "/"-separated
	Edits    []Edit     `json:"edits,omitempty"`
	Releases []string   `json:"releases,omitempty"` // what may begin then, as people call it: "Phase SHAPE"
	Evidence []Artifact `json:"evidence,omitempty"` // what there is to judge by: the deliverables
	Hashes   []string   `json:"hashes,omitempty"`   // of the content of each, "" where it can't be read whole
	Checks   []string   `json:"checks,omitempty"`   // what else is to be looked at: what is expected, what an automatic check has to say
	Missing  []string   `json:"missing,omitempty"`  // names of deliverables that are not there: going on writes "failed"
	Lacks    string     `json:"lacks,omitempty"`    // what is wrong with them: "not there: PLAN.md; SKETCH.md is empty"
	Warnings []string   `json:"warnings,omitempty"` // what is to be known before
	Since    time.Time  `json:"since,omitzero"`     // how long it has waited; zero: not known

	// Differences are what is not as it was when the human looked last, where the action says at what; nil where that is unknown.
	Differences []Difference `json:"differences,omitempty"`

	// Wants says which text has to be typed, "" for none: "reason", "changes", "item".
	Wants string `json:"wants,omitempty"`
	// Kinds are the kinds to choose from for what is typed, the one that fits best first; nil without a choice.
	Kinds []string `json:"kinds,omitempty"`
	// Confirm is the word that has to be typed before it is done, "" for none.
	Confirm string `json:"confirm,omitempty"`
}

// Edit is one value of a file that would change.
type Edit struct {
	Label string `json:"label"` // "gates.frame-gate.status"
	Pos   Pos    `json:"at"`
	Old   string `json:"old"` // the bytes that go, "" where a value is added
	New   string `json:"new"` // the bytes that come, without the punctuation an added value needs
}

// Outcome is what an action has done.
type Outcome struct {
	Proposal *Proposal `json:"proposal,omitempty"`
	Decision Decision  `json:"decision"`
	// Note says that nothing had to be written, and why: "it has passed already". Decision is empty then.
	Note string `json:"note,omitempty"`
	// Asked is what an agent has asked, of an answer: as it has ended. The rest is empty then.
	Asked *Ask `json:"-"`
}

// Decision is one entry of the journal: what a human has decided.
type Decision struct {
	ID      string    `json:"id"`                // of the entry
	At      time.Time `json:"at"`                // when it was made
	Who     string    `json:"who"`               // login name
	By      string    `json:"by"`                // "dashboard", "command", "remote NAME", "ssh"
	Request string    `json:"request,omitempty"` // ID of the request, where it came from another machine
	Project string    `json:"project"`           // its root
	Build   string    `json:"build"`             // ID
	File    string    `json:"file"`              // relative to the project's root, "/"-separated
	Node    string    `json:"node"`              // ID of the gate, "" for the build
	Name    string    `json:"name"`              // as people call it
	Verb    Verb      `json:"verb"`
	Was     string    `json:"was"`              // the status before, in the file's words
	Is      string    `json:"is"`               // the status after
	Text    string    `json:"text,omitempty"`   // the reason, the note, or what is to be changed
	Kind    string    `json:"kind,omitempty"`   // of an item of an inbox, where one was asked for
	Before  string    `json:"before"`           // hash of the file before: "sha256:" and hexadecimal digits
	After   string    `json:"after"`            // hash of the file after
	Spans   []Span    `json:"spans,omitempty"`  // the bytes replaced
	Undoes  string    `json:"undoes,omitempty"` // ID of the entry that it takes back
	Shown   string    `json:"shown,omitempty"`  // of a request for changes: a hash of the files that the gate was judged by, as they were
	// Seen is the hash that the decision was bound to by [Action.IfSeen], "" without one.
	Seen string `json:"seen,omitempty"`
	// Evidence is what the gate was judged by, as it was: nobody can say later that another version was approved.
	Evidence []Evidenced `json:"evidence,omitempty"`
	// Of and Began tell the work that it was about from other work that the same file may tell of later: its name, and when it
	// began. Empty and zero where the file does not say.
	Of    string    `json:"of,omitempty"`
	Began time.Time `json:"began,omitzero"`
	// Command is the command that was run for it, instead of a change of the file; nil for others.
	Command []string `json:"command,omitempty"`
	// Caller is who made it, and Signature what proves it, nil without one.
	Caller
	Signature *Signature `json:"signature,omitempty"`

	// What became of it.
	Undone   bool `json:"undone,omitempty"`   // it was taken back
	Reported bool `json:"reported,omitempty"` // a "gatehouse wait" has passed it on, or is about to
	// Unheard: it is called reported, and whoever was about to pass it on was stopped: nobody may have heard it.
	Unheard bool `json:"-"`
	// Overwritten: the file says again what it said before, though nobody has taken the decision back.
	Overwritten bool `json:"overwritten,omitempty"`
	// Interrupted: whoever wrote it stopped half-way, and only the file knows whether it was done.
	Interrupted bool `json:"interrupted,omitempty"`
}

// Span is a piece of a file that is replaced by another.
type Span struct {
	At    int    `json:"at"`              // offset in bytes, in the file before
	Old   string `json:"old"`             // the bytes that go
	New   string `json:"new"`             // the bytes that come
	Label string `json:"label,omitempty"` // the value it belongs to: "gates.frame-gate.status"
}

// Evidenced is a file that a gate was judged by, as it was when somebody decided.
type Evidenced struct {
	File string `json:"file"`           // relative to the project's root, "/"-separated
	Size int64  `json:"size"`           // bytes
	Hash string `json:"hash,omitempty"` // of its content: "sha256:" and hexadecimal digits; "" where it was not there or too large
}

// Actor does what a human decides. All its methods open files and belong into no loop that answers keys.
type Actor interface {
	// Propose says what an action would do, by the files as they are now. Its error is a [*Refusal] where the rules do
	// not allow it.
	Propose(ctx context.Context, a Action) (*Proposal, error)
	// Do does it. Its error is a [*Refusal] or a [*Changed], and then nothing was written, an [Unanswered], or one of the file
	// system's.
	Do(ctx context.Context, a Action) (*Outcome, error)
	// Settle waits until other writers have had time to write over what was done (about 200 ms), and returns a
	// [*Overwritten] where one has.
	Settle(ctx context.Context, o *Outcome) error
}

// Refusal says why an action is not done. Nothing was written.
type Refusal struct {
	Code string // of the protocol: "E_FORBIDDEN"; "" without one
	Text string // why, lower case: "frame-gate has failed"
	Fix  string // what to do about it: "retry it first"
	// Already says that things are as the action would have them: no fault, and nothing to do.
	Already bool
}

// Error returns why, and what to do.
func (r *Refusal) Error() string {
	if r.Fix == "" {
		return r.Text
	}
	return r.Text + "; " + r.Fix
}

// Changed says that a file is no longer the one that the human decided upon. Nothing was written.
type Changed struct {
	// Now is what the action would do to the file as it is now; nil where it would be refused, for the reason in Why.
	Now *Proposal
	Why error
}

// Error says so.
func (c *Changed) Error() string {
	if c.Why != nil {
		return "the file has changed meanwhile: " + c.Why.Error()
	}
	return "the file has changed meanwhile; look again"
}

// Unanswered is the error of an action on another machine whose reply was lost: it may have been done. Doing it again is harmless, and tells.
type Unanswered interface {
	error
	// Outcome does it again, which is applied once. Its error is again one of these if that is lost, too, and else one of [Actor.Do].
	Outcome(ctx context.Context) (*Outcome, error)
	// Why says what is not known, Command is what asks again in a shell.
	Why() string
	Command() string
}

// Overwritten says that another writer has put something else over what was just written.
type Overwritten struct {
	File string
	Lost []string // the values that are gone: "gates.frame-gate.status"
}

// Error says so.
func (o *Overwritten) Error() string {
	return o.File + ": another writer has overwritten the decision; look at it and decide again"
}
