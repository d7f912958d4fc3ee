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

// Resume is the effect of resuming a build, by the rules of its protocol.
type Resume struct {
	Build string `json:"build"` // ID
	// Action is the next action. For a loop: "continue_phase", "gate_prompt", "ask_retry_failed_phase", "ask_restart"
	// or "offer_complete". For a run in chunks: "offer_resume", if a human chooses among [Resume.Offers]; "blocked", if
	// that is offered and no chunk can begin; "offer_complete"; "wait_for_user"; "begin_anew", if nothing is done yet;
	// "revise", if chunks have failed for good; "complete"; "no_run". For ultraplan: "offer_resume", "continue_plan" or
	// "complete". For all: "error" if the file has no usable content.
	Action string `json:"action"`
	Phase  string `json:"phase,omitempty"` // the phase it is about, of ultraplan the plan
	Gate   string `json:"gate,omitempty"`  // the gate that is asked for first
	// Older are earlier gates that are still undecided: they do not block, but deserve a look.
	Older []string `json:"older,omitempty"`
	// Stale is the phase that the file calls current if its phases contradict it; "" if they agree.
	Stale string `json:"stale,omitempty"`
	Why   string `json:"why"` // in one sentence

	// The fields of a run in chunks name each chunk as people do: "4 Search". Chunk is the next one. Changed are those
	// of Done that were built against an older version of the spec: for each, a human chooses whether to rebuild or
	// keep it.
	Chunk     string   `json:"chunk,omitempty"`
	Done      []string `json:"done,omitempty"`
	Left      []string `json:"left,omitempty"`
	Changed   []string `json:"changed,omitempty"`
	BlockedOn []string `json:"blocked_on,omitempty"` // the causes that block all remaining chunks
	Offers    []string `json:"offers,omitempty"`     // the document's numbered choices, in order

	// Started is when the run began, zero if unknown. Chunks describes the chunks in Left with their dependencies,
	// Outdated the chunks in Changed with their changes.
	Started  time.Time       `json:"started,omitzero"`
	Chunks   []ResumeChunk   `json:"chunks,omitempty"`
	Outdated []ResumeChanged `json:"outdated,omitempty"`

	// File is the file with the interruption, Text its text, line by line, and Steps the next steps in it; only for
	// ultraplan.
	File  string   `json:"file,omitempty"`
	Text  []string `json:"text,omitempty"`
	Steps []string `json:"steps,omitempty"`
}

// ResumeChunk is a chunk that is still to be done.
type ResumeChunk struct {
	Chunk  string       `json:"chunk"` // as people call it
	Status Status       `json:"status"`
	Ready  bool         `json:"ready"`           // it can begin
	Needs  []ResumeNeed `json:"needs,omitempty"` // its dependencies
}

// ResumeNeed is a dependency of a chunk, and whether it is done.
type ResumeNeed struct {
	Chunk string `json:"chunk"` // as people call it
	Done  bool   `json:"done"`  // it is finished
}

// ResumeChanged is a chunk that was built against another version of the spec than the present one.
type ResumeChanged struct {
	Chunk string `json:"chunk"` // as people call it
	Built string `json:"built"` // the version that it was built against
	Now   string `json:"now"`   // the version of the spec now
	// Sections are the chunk's sections that have changed since its completion, according to the changelog; Covers are
	// all its sections.
	Sections []string `json:"sections,omitempty"`
	Covers   []string `json:"covers,omitempty"`
}

// Lines returns the lines that an executor shows for an existing run: when it began, finished chunks, remaining chunks
// with their dependencies, finished chunks that were built against another version of the spec, and the choices. It
// lists at most limit chunks.
func (r *Resume) Lines(now time.Time, limit int) (lines []string) {
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
		add("%s", r.Chunks[i].describeChunk())
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

// describeChunk describes the status of a chunk, and reports for each dependency if it is done.
func (x *ResumeChunk) describeChunk() string {
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
