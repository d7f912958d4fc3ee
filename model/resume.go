package model

import (
	"fmt"
	"strings"
	"time"
)

// Actions of a [Resume] that more than one protocol has.
const (
	ResumeError   = "error"
	OfferComplete = "offer_complete"
)

// Resume is what taking a build up again would come to, by the rules of its protocol.
type Resume struct {
	Build string `json:"build"` // ID
	// Action is what would be done. Of a loop: "continue_phase", "gate_prompt", "ask_retry_failed_phase", "ask_restart" or
	// "offer_complete". Of a run in chunks: "offer_resume", where a human chooses among [Resume.Offers]; "blocked", where
	// that is offered and no chunk can begin; "offer_complete"; "wait_for_user"; "begin_anew", where nothing is done yet;
	// "revise", where chunks have failed for good; "complete"; "no_run". Of ultraplan "offer_resume", "continue_plan" or
	// "complete". Of all, "error" where the file says nothing that can be gone by.
	Action string `json:"action"`
	Phase  string `json:"phase,omitempty"` // the phase it is about, of ultraplan the plan
	Gate   string `json:"gate,omitempty"`  // the gate that is asked for first
	// Older are gates further back that are still undecided: they stop nobody, and are worth a look.
	Older []string `json:"older,omitempty"`
	// Stale is the phase that the file calls the current one where its phases say otherwise; "" where they agree.
	Stale string `json:"stale,omitempty"`
	Why   string `json:"why"` // in one sentence

	// Of a run in chunks, each as people call it: "4 Search". Chunk is the one that it would go on with. Changed are those of
	// Done that were built against another version of the spec than the present one: for each a human says whether it is
	// built anew or kept.
	Chunk     string   `json:"chunk,omitempty"`
	Done      []string `json:"done,omitempty"`
	Left      []string `json:"left,omitempty"`
	Changed   []string `json:"changed,omitempty"`
	BlockedOn []string `json:"blocked_on,omitempty"` // what keeps all that is left from beginning
	Offers    []string `json:"offers,omitempty"`     // the document's numbered choices, in order

	// Started is when the run began, zero where nobody says. Chunks are those of Left, with what they need; Outdated are those of
	// Changed, with what has changed since.
	Started  time.Time       `json:"started,omitzero"`
	Chunks   []ResumeChunk   `json:"chunks,omitempty"`
	Outdated []ResumeChanged `json:"outdated,omitempty"`

	// File says where work was broken off, Text what it says, line by line, and Steps what it names to be done next; of
	// ultraplan alone.
	File  string   `json:"file,omitempty"`
	Text  []string `json:"text,omitempty"`
	Steps []string `json:"steps,omitempty"`
}

// ResumeChunk is a chunk that is still to be done.
type ResumeChunk struct {
	Chunk  string       `json:"chunk"` // as people call it
	Status Status       `json:"status"`
	Ready  bool         `json:"ready"`           // it can begin
	Needs  []ResumeNeed `json:"needs,omitempty"` // what it depends on
}

// ResumeNeed is what a chunk needs, and whether it is done.
type ResumeNeed struct {
	Chunk string `json:"chunk"` // as people call it
	Done  bool   `json:"done"`  // it is finished
}

// ResumeChanged is a chunk that was built against another version of the spec than the present one.
type ResumeChanged struct {
	Chunk string `json:"chunk"` // as people call it
	Built string `json:"built"` // the version that it was built against
	Now   string `json:"now"`   // the version of the spec now
	// Sections are those of the chunk that have changed since it was completed, as far as the changelog says; Covers are all.
	Sections []string `json:"sections,omitempty"`
	Covers   []string `json:"covers,omitempty"`
}

// Told returns what an executor shows of a run that it finds, line by line: when it began, what is done, what remains with what that
// needs, which of what is done was built against another version of the spec, and what may be chosen. At most limit chunks are
// listed.
func (r *Resume) Told(now time.Time, limit int) (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if !r.Started.IsZero() {
		add("started %s", Ago(now.Sub(r.Started)))
	}
	if n := len(r.Done); n > 0 {
		done := strings.Join(r.Done[:min(n, limit)], "; ")
		if n > limit {
			done += fmt.Sprintf("; and %d more", n-limit)
		}
		add("done: %s", done)
	}
	for i := range r.Chunks {
		if i == limit {
			add("and %d more", len(r.Chunks)-i)
			break
		}
		add("%s", r.Chunks[i].told())
	}
	for i, x := range r.Outdated {
		if i == limit {
			add("and %d more were built against another version", len(r.Outdated)-i)
			break
		}
		changed := "which of its sections have changed is not known: " + strings.Join(x.Covers, ", ")
		if len(x.Sections) > 0 {
			changed = "changed since: " + strings.Join(x.Sections, ", ")
		} else if len(x.Covers) == 0 {
			changed = "it names no sections"
		}
		add("%s was built against spec %s, the spec is %s now; %s", x.Chunk, x.Built, x.Now, changed)
		add("  (1) build it anew")
		add("  (2) keep it")
	}
	for i, offer := range r.Offers {
		add("(%d) %s", i+1, offer)
	}
	return lines
}

// told says of a chunk how it stands, and of what it needs whether that is done.
func (x *ResumeChunk) told() string {
	text := x.Chunk + ": " + x.Status.String()
	if x.Ready {
		text = x.Chunk + ": ready"
	}
	for i, need := range x.Needs {
		sign := "not yet"
		if need.Done {
			sign = "done"
		}
		joint := ", "
		if i == 0 {
			joint = "; needs "
		}
		text += joint + need.Chunk + " (" + sign + ")"
	}
	return text
}
