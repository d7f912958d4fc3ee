package model

import "time"

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
	Chunk  string       `json:"chunk"`
	Status Status       `json:"status"`
	Ready  bool         `json:"ready"` // it can begin
	Needs  []ResumeNeed `json:"needs,omitempty"`
}

// ResumeNeed is what a chunk needs, and whether it is done.
type ResumeNeed struct {
	Chunk string `json:"chunk"`
	Done  bool   `json:"done"`
}

// ResumeChanged is a chunk that was built against another version of the spec than the present one.
type ResumeChanged struct {
	Chunk string `json:"chunk"`
	Built string `json:"built"` // the version that it was built against
	Now   string `json:"now"`
	// Sections are those of the chunk that have changed since it was completed, as far as the changelog says; Covers are all.
	Sections []string `json:"sections,omitempty"`
	Covers   []string `json:"covers,omitempty"`
}
