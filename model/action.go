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
	VerbComplete    Verb = "complete"      // complete a build that has nothing left to do
	VerbRestart     Verb = "restart"       // archive its state and start over
	VerbSkipPhase   Verb = "skip-phase"    // leave a phase out that is not required
	VerbSync        Verb = "sync"          // bring the state file in line with the tree
	VerbFresh       Verb = "fresh"         // clear a run that was begun
	VerbAdd         Verb = "inbox-add"     // put an item into the inbox
	VerbDismiss     Verb = "inbox-dismiss" // take one out
	VerbAnswer      Verb = "answer"        // answer a live agent's ask
	VerbReply       Verb = "reply"         // send words to the session of a live agent
)

// LeastReason is how many characters the reason of a skip must have, without blanks around it.
const LeastReason = 11

// Action is something that a human wants done.
type Action struct {
	Verb    Verb   `json:"verb"`
	Project string `json:"project"`        // its root
	Build   string `json:"build"`          // ID
	Node    string `json:"node,omitempty"` // ID of the gate; "" for an action on the build
	Text    string `json:"text,omitempty"` // the reason of a skip, the requested changes, a note with an approval, or an item for the inbox
	Kind    string `json:"kind,omitempty"` // of an item for the inbox: one of [Proposal.Kinds]; "" is the one proposed
	// Seen is the hash of the file the user saw when deciding, Shown the hash of the proposal (both from [Proposal]).
	// An action is refused with [Changed] if either differs now. "" skips the check.
	Seen  string `json:"seen,omitempty"`
	Shown string `json:"shown,omitempty"`
	// IfSeen makes the action compare-and-set: it is carried out only while its target has this hash, and repeating it
	// has no effect. "gatehouse gates --json" and "gatehouse status --json" print the hashes.
	IfSeen string `json:"if_seen,omitempty"`
	// File is the file of the proposal: it is locked without judging the action first. "" has it found.
	File string `json:"-"`
	// Looked is the displayed proposal; the next one lists the changes since then in [Proposal.Differences].
	Looked *Proposal `json:"looked,omitempty"`
	// RecordFailed is the user's confirmation to continue with missing deliverables: the gate is written "failed"
	// then, and not passed.
	RecordFailed bool `json:"record_failed,omitempty"`
	// Ahead approves a gate that the work has not reached yet.
	Ahead bool `json:"ahead,omitempty"`
	// Signature is the proof of the decision kept in the journal; nil if unsigned. It covers the evidence with the hash
	// in it: the action is refused with [Changed] if that differs now.
	Signature *Signature `json:"-"`
}

// Proposal describes the effect of an action. Making one writes nothing.
type Proposal struct {
	Action   Action     `json:"action"`          // as it should be done: with Seen and Shown set
	Name     string     `json:"name"`            // of the gate or build, as people call it: "frame-gate"
	Asks     string     `json:"asks,omitempty"`  // the question
	Terms    string     `json:"terms,omitempty"` // who opens the gate, and whether it is required: "human, required"; "" for an action on the build
	Effect   string     `json:"effect"`          // "pending → passed"
	File     string     `json:"file"`            // that would be written, relative to the project's root, "/"-separated
	Edits    []Edit     `json:"edits,omitempty"`
	Releases []string   `json:"releases,omitempty"` // display names of the nodes that may begin then: "Phase SHAPE"
	Evidence []Artifact `json:"evidence,omitempty"` // the deliverables to review
	Hashes   []string   `json:"hashes,omitempty"`   // content hash of each file, "" if it can't be read whole
	Checks   []string   `json:"checks,omitempty"`   // further checks: the expected result, the result of an automatic check
	Missing  []string   `json:"missing,omitempty"`  // names of missing deliverables: proceeding writes "failed"
	Lacks    string     `json:"lacks,omitempty"`    // the problem with them: "not there: PLAN.md; SKETCH.md is empty"
	Warnings []string   `json:"warnings,omitempty"` // warnings to show before the decision
	Since    time.Time  `json:"since,omitzero"`     // how long it has waited; zero: not known

	// Differences lists what changed since the user last looked, if the action names that version; nil if unknown.
	Differences []Difference `json:"differences,omitempty"`

	// Wants says which text has to be typed, "" for none: "reason", "changes", "item".
	Wants string `json:"wants,omitempty"`
	// Kinds are the possible kinds of the typed text, the best match first; nil without a choice.
	Kinds []string `json:"kinds,omitempty"`
	// Confirm is the word that has to be typed before it is done, "" for none.
	Confirm string `json:"confirm,omitempty"`
}

// Edit is one value of a file that would change.
type Edit struct {
	Label string `json:"label"` // "gates.frame-gate.status"
	Pos   Pos    `json:"at"`
	Old   string `json:"old"` // removed bytes, "" if a value is added
	New   string `json:"new"` // the bytes that come, without the punctuation an added value needs
}

// Outcome is the result of an action.
type Outcome struct {
	Proposal *Proposal `json:"proposal,omitempty"`
	Decision Decision  `json:"decision"`
	// Note is the reason why no write was needed: "it has passed already". Decision is empty then.
	Note string `json:"note,omitempty"`
	// Asked is the ended ask, if the action answered an agent's ask. The other fields are empty then.
	Asked *Ask `json:"-"`
}

// Decision is one entry of the journal: a user's decision.
type Decision struct {
	ID      string    `json:"id"`      // of the entry
	At      time.Time `json:"at"`      // when it was made
	Who     string    `json:"who"`     // login name
	By      string    `json:"by"`      // "dashboard", "command", "remote NAME", "ssh"
	Project string    `json:"project"` // its root
	Build   string    `json:"build"`   // ID
	File    string    `json:"file"`    // relative to the project's root, "/"-separated
	Node    string    `json:"node"`    // ID of the gate, "" for the build
	Name    string    `json:"name"`    // as people call it
	Verb    Verb      `json:"verb"`
	Was     string    `json:"was"`              // the status before, in the file's words
	Is      string    `json:"is"`               // the status after
	Text    string    `json:"text,omitempty"`   // the reason, the note, or the requested changes
	Kind    string    `json:"kind,omitempty"`   // kind of inbox item, if an item was asked for
	Before  string    `json:"before"`           // hash of the file before: "sha256:" and hexadecimal digits
	After   string    `json:"after"`            // hash of the file after
	Spans   []Span    `json:"spans,omitempty"`  // the bytes replaced
	Undoes  string    `json:"undoes,omitempty"` // ID of the entry that it takes back
	Shown   string    `json:"shown,omitempty"`  // of a request for changes: a hash of the files that the gate was judged by, as they were
	// Seen is the hash that the decision was bound to by [Action.IfSeen], "" without one.
	Seen string `json:"seen,omitempty"`
	// Evidence lists the files the gate was judged by, with their hashes at that time, so that the approved version is
	// on record.
	Evidence []Evidenced `json:"evidence,omitempty"`
	// Of and Began identify the work the decision was about, by name and start time: the same file may describe other
	// work later. They are empty and zero if the file does not say.
	Of    string    `json:"of,omitempty"`
	Began time.Time `json:"began,omitzero"`
	// Command is the command that was run for it, instead of a change of the file; nil for others.
	Command []string `json:"command,omitempty"`
	// Caller made the decision, and Signature proves it; nil if unsigned.
	Caller
	Signature *Signature `json:"signature,omitempty"`

	Undone   bool `json:"undone,omitempty"`   // a later decision undid it
	Reported bool `json:"reported,omitempty"` // a "gatehouse wait" has passed it on, or is about to
	// Overwritten reports whether the file has its earlier content again although the decision was not undone.
	Overwritten bool `json:"overwritten,omitempty"`
	// Interrupted reports whether the writer stopped half-way, so that only the file shows whether the change was made.
	Interrupted bool `json:"interrupted,omitempty"`
}

// Span is a piece of a file that is replaced by another.
type Span struct {
	At    int    `json:"at"`              // offset in bytes, in the file before
	Old   string `json:"old"`             // the bytes that go
	New   string `json:"new"`             // the bytes that come
	Label string `json:"label,omitempty"` // the value it belongs to: "gates.frame-gate.status"
}

// Evidenced is a file that a gate was judged by, as it was when the decision was made.
type Evidenced struct {
	File string `json:"file"`           // relative to the project's root, "/"-separated
	Size int64  `json:"size"`           // bytes
	Hash string `json:"hash,omitempty"` // content hash: "sha256:" and hexadecimal digits; "" if the file was missing or too large
}

// Actor carries out users' decisions. All its methods open files and must not be called from a loop that handles keys.
type Actor interface {
	// Propose describes the effect of an action on the current files. It returns a [*Refusal] if the rules do not allow
	// the action.
	Propose(ctx context.Context, a Action) (*Proposal, error)
	// Do does it. Its error is a [*Refusal] or a [*Changed], and then nothing was written, an [Unanswered], or one of the file
	// system's.
	Do(ctx context.Context, a Action) (*Outcome, error)
	// Settle waits about 200 ms, long enough for other writers to overwrite the change, and returns an [*Overwritten]
	// if one did.
	Settle(ctx context.Context, o *Outcome) error
}

// Refusal says why an action is not done. Nothing was written.
type Refusal struct {
	Code string // of the protocol: "E_FORBIDDEN"; "" without one
	Text string // why, lower case: "frame-gate has failed"
	Fix  string // the remedy: "retry it first"
	// Already reports whether the requested state holds already: not an error, and no change needed.
	Already bool
}

// Error returns the reason and the remedy.
func (r *Refusal) Error() string {
	if r.Fix == "" {
		return r.Text
	}
	return r.Text + "; " + r.Fix
}

// Changed reports that a file has changed since the user saw it. Nothing was written.
type Changed struct {
	// Now is the effect of the action on the current file; nil if the action would be refused, with the reason in Why.
	Now *Proposal
	Why error
}

// Error implements error.
func (c *Changed) Error() string {
	if c.Why != nil {
		return "the file has changed meanwhile: " + c.Why.Error()
	}
	return "the file has changed meanwhile; look again"
}

// Unanswered is the error of an action on another machine whose reply was lost. Repeating it is harmless and returns its result.
type Unanswered interface {
	error
	// Outcome does it again, which is applied once. Its error is again one of these if that is lost, too, and else one of [Actor.Do].
	Outcome(ctx context.Context) (*Outcome, error)
	// Why describes the unknown; Command is the shell command that asks again.
	Why() string
	Command() string
}

// Overwritten reports that another writer has overwritten the change.
type Overwritten struct {
	File string
	Lost []string // the values that are gone: "gates.frame-gate.status"
}

// Error implements error.
func (o *Overwritten) Error() string {
	return o.File + ": another writer has overwritten the decision; look at it and decide again"
}
