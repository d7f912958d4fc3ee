package model

import (
	"cmp"
	"slices"
	"time"
)

// Approval says who opens a gate.
type Approval string

// The kinds of approval; conditional and auto are the loop protocol's.
const (
	ApprovalHuman       Approval = "human"
	ApprovalConditional Approval = "conditional"
	ApprovalAuto        Approval = "auto"
)

// Gate is a decision or check that a node needs before the build may continue.
type Gate struct {
	Approval Approval `json:"approval"`
	Required bool     `json:"required"` // it must be decided: it can be skipped, with a warning
	// Asks is the question or check, Expects the answer that passes the gate, and Options the offered answers, if any.
	Asks    string   `json:"asks"`
	Expects string   `json:"expects,omitempty"`
	Options []string `json:"options,omitempty"`
	Opens   []string `json:"opens,omitempty"`  // IDs of the nodes it releases
	Reason  string   `json:"reason,omitempty"` // reason for a skip, a failure or requested changes, as the file words it
	// Upcoming marks a gate that the build has not demonstrably reached: the build will stop there, but no file shows
	// that it has.
	Upcoming bool `json:"potential,omitempty"`
	// Ask is the live agent's ask without its long texts; nil for a gate of a state file.
	Ask *Ask `json:"ask,omitempty"`
	// Can are the verbs that the protocol allows now.
	Can []Verb `json:"can,omitempty"`
	// Request is a user's request for changes; it stays until another writer changes the file.
	Request *Decision `json:"request,omitempty"`
	// Overwritten is the last decision if it disappeared from the file without an undo; a new decision clears it.
	Overwritten *Decision `json:"overwritten,omitempty"`
	// Unattributed reports whether the file calls a human gate passed or skipped without a matching decision in the
	// journal: another writer set it.
	Unattributed bool `json:"unattributed,omitempty"`
	// Awaited is when the latest running "gatehouse wait" on it started; zero if none is running.
	Awaited time.Time `json:"awaited,omitzero"`
}

// NotByYou returns the status word of a gate that was closed without a recorded decision, "" for other gates.
func (n *Node) NotByYou() string {
	switch {
	case n.Gate == nil || !n.Gate.Unattributed:
		return ""
	case n.Status == Skipped:
		return "skipped, not by you"
	}
	return "passed, not by you"
}

// Evidence says how sure it is that something waits for a human; a lower
// value is better evidence.
type Evidence uint8

// The kinds of evidence, best first.
const (
	Asked       Evidence = 1 + iota // a live agent asks, and its client waits for the answer
	Signalled                       // a live signal that is taken away when answered (WAITING.json)
	Reached                         // a gate of a loop that the work has come to
	Tested                          // a test a human must judge (UAT)
	Verified                        // a verification that asks for a human
	HandedOff                       // a hand-over with tasks for a human
	Checkpoint                      // a task that will stop for a human, perhaps not reached yet
	Outstanding                     // other work that only a human can close
	Turn                            // an agent has finished its turn and its last words are not reviewed yet
)

var evidenceWords = [...]string{"", "live ask", "signal", "gate", "test", "verification", "hand-over", "checkpoint", "outstanding", "turn"}

// String returns the evidence as one lower-case word.
func (e Evidence) String() string {
	if int(e) < len(evidenceWords) {
		return evidenceWords[e]
	}
	return ""
}

// MarshalText implements [encoding.TextMarshaler] with [Evidence.String].
func (e Evidence) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]; an unknown word is [Outstanding].
func (e *Evidence) UnmarshalText(word []byte) error {
	*e = Outstanding
	if i := slices.Index(evidenceWords[:], string(word)); i > 0 {
		*e = Evidence(i)
	}
	return nil
}

// Wait is one thing that waits for a human.
type Wait struct {
	Node     string    `json:"node"`  // the gate's node; "" for a wait of the build as a whole
	Text     string    `json:"text"`  // the question, in one line
	Place    string    `json:"place"` // position in the build: "Phase 03"; may be ""
	Evidence Evidence  `json:"evidence"`
	Since    time.Time `json:"since,omitzero"` // zero: not known
	// SinceFile marks a Since that is only the time of the file: nothing in it says when.
	SinceFile bool `json:"since_file,omitempty"`
	// Deadline is when an ask stops waiting, zero if it waits as long as its agent does; Then is the action at that
	// time.
	Deadline time.Time `json:"until,omitzero"`
	Then     string    `json:"then,omitempty"`
	// Standing says whether it is a human's turn now.
	Standing `json:"-"`
	*waitFlags
	Source Pos `json:"source"`
}

// WithAgentFor is how long a request for changes leaves a gate with the agents at most.
const WithAgentFor = 24 * time.Hour

// OldAfter is the default age at which an untouched wait is old: it moves below newer waits and is counted separately.
const OldAfter = 14 * 24 * time.Hour

// oldAfter is the same for this build.
func (b *Build) oldAfter() time.Duration {
	if b.OldAfter > 0 {
		return b.OldAfter
	}
	return OldAfter
}

// MarkOld marks the waits of the build that are old by now and puts them last. Waits that do not need an answer now are
// skipped.
func (b *Build) MarkOld(now time.Time) {
	for i := range b.Waits {
		if w := &b.Waits[i]; w.Evidence == Turn {
			w.Standing = Standing{Status: YourTurn}
		} else if w.IsAsked() {
			w.Standing = Standing{}
			if !w.Since.IsZero() && now.Sub(w.Since) >= b.oldAfter() {
				w.Standing.Status = Old
			}
		}
	}
	SortWaits(b.Waits)
}

// SortWaits orders waits by their standing: current, old, finished turns, with the agents, upcoming. Within each group
// better evidence comes first, then the nearest deadline, then the longest wait; finished turns are newest first. The
// order is stable.
func SortWaits(w []Wait) { slices.SortStableFunc(w, CompareWaits) }

// CompareWaits is the order of [SortWaits]: negative if a comes first, positive if b does.
func CompareWaits(a, b Wait) int {
	ages := CompareAges(a.Since, b.Since)
	if a.IsTurn() && b.IsTurn() {
		ages = b.Since.Compare(a.Since)
	}
	return cmp.Or(int(a.Standing.Status)-int(b.Standing.Status), int(a.Evidence)-int(b.Evidence), CompareAges(a.Deadline, b.Deadline), ages)
}

// CompareAges orders the earliest time first and an unknown one last.
func CompareAges(a, b time.Time) int {
	switch {
	case a.IsZero() == b.IsZero():
		return a.Compare(b)
	case a.IsZero():
		return 1
	}
	return -1
}

// FinishedTurns returns the finished turns that are not reviewed yet. [Build.Certain] has none of them.
func (b *Build) FinishedTurns() (turns []Wait) {
	for _, w := range b.Waits {
		if w.IsTurn() {
			turns = append(turns, w)
		}
	}
	return turns
}

// Certain returns the current waits, without those that are upcoming or with the agents.
func (b *Build) Certain() []Wait {
	var now []Wait
	for _, w := range b.Waits {
		if w.IsAsked() {
			now = append(now, w)
		}
	}
	return now
}
