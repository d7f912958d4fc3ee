package model

// Resume is what taking a build up again would come to (loop-state.md "Resume Logic"; ultraplan-state.md "Session
// Continuity").
type Resume struct {
	Build string `json:"build"` // ID
	// Action is what would be done: "continue_phase", "gate_prompt", "ask_retry_failed_phase", "ask_restart",
	// "offer_complete", or "error" where the file says nothing that can be gone by; of ultraplan "offer_resume",
	// "continue_plan" or "complete".
	Action string `json:"action"`
	Phase  string `json:"phase,omitempty"` // the phase it is about, of ultraplan the plan
	Gate   string `json:"gate,omitempty"`  // the gate that is asked for first
	// Older are gates further back that are still undecided: they stop nobody, and are worth a look.
	Older []string `json:"older,omitempty"`
	// Stale is the phase that the file calls the current one where its phases say otherwise; "" where they agree.
	Stale string `json:"stale,omitempty"`
	Why   string `json:"why"` // in one sentence
	// File says where work was broken off, Text what it says, line by line, and Steps what it names to be done next; of
	// ultraplan alone.
	File  string   `json:"file,omitempty"`
	Text  []string `json:"text,omitempty"`
	Steps []string `json:"steps,omitempty"`
}
