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
	// Potential marks a gate that the build has not demonstrably reached: it
	// will stop there, but no file says that it has.
	Potential bool `json:"potential,omitempty"`
	// Ask is what a live agent asks here, without its long texts; nil for a gate of a state file.
	Ask *Ask `json:"ask,omitempty"`
	// Can are the verbs that the protocol allows as things are.
	Can []Verb `json:"can,omitempty"`
	// Request is what a human has asked to be changed, until somebody else writes the file.
	Request *Decision `json:"request,omitempty"`
	// Overwritten is the last decision, where the file does not have it any more though nobody has taken it back; until
	// somebody decides again.
	Overwritten *Decision `json:"overwritten,omitempty"`
	// Awaited is since when somebody runs "gatehouse wait" on it, of several the last; zero where nobody does.
	Awaited time.Time `json:"awaited,omitzero"`
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
)

var evidenceWords = [...]string{"", "live ask", "signal", "gate", "test", "verification", "hand-over", "checkpoint", "outstanding"}

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
	// Potential is that of the gate: it will stop there, but may not have yet.
	Potential bool `json:"potential,omitempty"`
	// WithAgent marks what a human has answered with a request for changes, which it is the agents' turn to heed: until the
	// evidence or the state file changes, somebody waits for it again, or at Returns.
	WithAgent bool      `json:"with_agent,omitempty"`
	Returns   time.Time `json:"-"`
	// Old marks what has waited for [Build.OldAfter] and longer, as far as its age is known.
	Old bool `json:"old,omitempty"`
	// Over says why it waits no more, though its file still says that it does: "it is of v1.0, which is shipped". It is set
	// in [Build.Past] alone.
	Over   string `json:"over,omitempty"`
	Source Pos    `json:"source"`
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
		w := &b.Waits[i]
		w.Old = !w.Potential && !w.WithAgent && !w.Since.IsZero() && now.Sub(w.Since) >= b.oldAfter()
	}
	SortWaits(b.Waits)
}

// SortWaits orders what waits: what is certain before what is only potential, what
// is with the agents behind that, what is old last, better evidence first, and of equal evidence the oldest first, with what has
// no known age after that. The order is stable.
func SortWaits(w []Wait) { slices.SortStableFunc(w, CompareWaits) }

// CompareWaits is the order of [SortWaits]: below 0 where a comes first, above
// where b does.
func CompareWaits(a, b Wait) int {
	return cmp.Or(last(a.Potential, b.Potential), last(a.WithAgent, b.WithAgent), last(a.Old, b.Old), int(a.Evidence)-int(b.Evidence), CompareAges(a.Since, b.Since))
}

// last has what something is said of come after what it is not said of.
func last(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// CompareAges has the oldest come first, and what has no known age last.
func CompareAges(a, b time.Time) int {
	return cmp.Or(last(a.IsZero(), b.IsZero()), a.Compare(b))
}

// Certain returns what waits now, without what is only potential or with the agents.
func (b *Build) Certain() []Wait {
	var now []Wait
	for _, w := range b.Waits {
		if !w.Potential && !w.WithAgent {
			now = append(now, w)
		}
	}
	return now
}
