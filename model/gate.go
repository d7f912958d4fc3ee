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

// Gate is what a node asks before the build may go on.
type Gate struct {
	Approval Approval `json:"approval"`
	Required bool     `json:"required"` // it must be decided: it can be skipped, with a warning
	// Asks is the question or what is to be checked, Expects the answer that
	// lets it pass, Options the answers offered where there are some.
	Asks    string   `json:"asks"`
	Expects string   `json:"expects,omitempty"`
	Options []string `json:"options,omitempty"`
	Opens   []string `json:"opens,omitempty"`  // IDs of the nodes it releases
	Reason  string   `json:"reason,omitempty"` // why it was skipped, has failed or was found wanting, as the file says it
	// Upcoming marks a gate that the build has not demonstrably reached: it
	// will stop there, but no file says that it has.
	Upcoming bool `json:"potential,omitempty"`
	// Ask is what a live agent asks here, without its long texts; nil for a gate of a state file.
	Ask *Ask `json:"ask,omitempty"`
	// Can are the verbs that the protocol allows as things are.
	Can []Verb `json:"can,omitempty"`
	// Request is what a human has asked to be changed, until somebody else writes the file.
	Request *Decision `json:"request,omitempty"`
	// Overwritten is the last decision, where the file does not have it any more though nobody has taken it back; until
	// somebody decides again.
	Overwritten *Decision `json:"overwritten,omitempty"`
	// Unattributed says that the file calls the gate of a human passed or skipped, and that no decision of the journal made it
	// so: somebody else wrote it.
	Unattributed bool `json:"unattributed,omitempty"`
	// Awaited is since when somebody runs "gatehouse wait" on it, of several the last; zero where nobody does.
	Awaited time.Time `json:"awaited,omitzero"`
}

// NotByYou says of a gate that was closed by nobody's decision what its file calls it, "" for all others.
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
	HandedOff                       // a hand-over that lists what a human must do
	Checkpoint                      // a task that will stop for a human, perhaps not reached yet
	Outstanding                     // other work that only a human can close
	Turn                            // an agent has finished its turn and nobody has looked at its last words yet
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

// UnmarshalText implements [encoding.TextUnmarshaler]; a word that is no evidence is [Outstanding].
func (e *Evidence) UnmarshalText(word []byte) error {
	*e = Outstanding
	if i := slices.Index(evidenceWords[:], string(word)); i > 0 {
		*e = Evidence(i)
	}
	return nil
}

// Wait is one thing that waits for a human.
type Wait struct {
	Node     string    `json:"node"`  // the gate's node; "" for what waits of the build as a whole
	Text     string    `json:"text"`  // what is asked, in one line
	Place    string    `json:"place"` // where in the build: "Phase 03"; may be ""
	Evidence Evidence  `json:"evidence"`
	Since    time.Time `json:"since,omitzero"` // zero: not known
	// SinceFile marks a Since that is only the time of the file: nothing in it says when.
	SinceFile bool `json:"since_file,omitempty"`
	// Deadline is when an ask stops waiting, zero if it waits as long as its agent does; Then says what happens at that time.
	Deadline time.Time `json:"until,omitzero"`
	Then     string    `json:"then,omitempty"`
	// Standing says whether it is a human's turn now.
	Standing `json:"-"`
	*waitFlags
	Source Pos `json:"source"`
}

// WithAgentFor is how long a request for changes leaves a gate with the agents at most.
const WithAgentFor = 24 * time.Hour

// OldAfter is how long something waits untouched until it is old, where nobody wishes it otherwise: below what waits since then, and
// counted apart.
const OldAfter = 14 * 24 * time.Hour

// oldAfter is the same for this build.
func (b *Build) oldAfter() time.Duration {
	if b.OldAfter > 0 {
		return b.OldAfter
	}
	return OldAfter
}

// MarkOld marks the waits of the build that are old by now, and puts them last. What nobody is asked now is none of them.
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

// SortWaits orders what waits by its standing: what is asked now, what is old, finished turns, what is with the agents, what is
// upcoming. Within each of these better evidence comes first, then the nearest deadline, then what has waited longest; of
// finished turns the newest. The order is stable.
func SortWaits(w []Wait) { slices.SortStableFunc(w, CompareWaits) }

// CompareWaits is the order of [SortWaits]: below 0 where a comes first, above
// where b does.
func CompareWaits(a, b Wait) int {
	ages := CompareAges(a.Since, b.Since)
	if a.IsTurn() && b.IsTurn() {
		ages = b.Since.Compare(a.Since)
	}
	return cmp.Or(int(a.Standing.Status)-int(b.Standing.Status), int(a.Evidence)-int(b.Evidence), CompareAges(a.Deadline, b.Deadline), ages)
}

// CompareAges puts the earliest time first and an unknown one last.
func CompareAges(a, b time.Time) int {
	switch {
	case a.IsZero() == b.IsZero():
		return a.Compare(b)
	case a.IsZero():
		return 1
	}
	return -1
}

// FinishedTurns returns the finished turns that nobody has looked at. [Build.Certain] has none of them.
func (b *Build) FinishedTurns() (turns []Wait) {
	for _, w := range b.Waits {
		if w.IsTurn() {
			turns = append(turns, w)
		}
	}
	return turns
}

// Certain returns what waits now, without what is upcoming or with the agents.
func (b *Build) Certain() []Wait {
	var now []Wait
	for _, w := range b.Waits {
		if w.IsAsked() {
			now = append(now, w)
		}
	}
	return now
}
