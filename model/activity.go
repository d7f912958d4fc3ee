package model

import (
	"slices"
	"strings"
	"time"
)

// Family says what an [Activity] is about; a timeline is filtered by it.
type Family string

// The families. The first three are the lifecycle of a build (protocols/fctry-state.md "Verification Events Schema",
// "Context Lifecycle Events Schema"; notes on fctry §6).
const (
	FamilyChunks       Family = "chunks"       // work began, went on, ended or failed; also what is of no known kind
	FamilyScenarios    Family = "scenarios"    // a scenario was judged
	FamilyTools        Family = "tools"        // a tool was called
	FamilyVerification Family = "verification" // work was checked
	FamilyContext      Family = "context"      // the window of an agent was emptied, compacted or saved
	FamilyResults      Family = "results"      // an attempt at a task ended
	FamilyRetries      Family = "retries"      // a task is tried again, or given up
	FamilySession      Family = "session"      // what else a session has noted
)

// Activity is one thing that an agent has written down about its work. Unlike an [Event] it is told, not observed.
type Activity struct {
	At      time.Time `json:"at,omitzero"` // zero: not known
	Family  Family    `json:"family"`
	Kind    string    `json:"kind"`            // the protocol's word: "chunk-verified"
	Status  Status    `json:"status"`          // what it says about its node; Unknown where it says nothing
	Chunk   string    `json:"chunk,omitempty"` // as the file names it
	Node    string    `json:"node,omitempty"`  // ID of the node it is about, where one has that name
	Text    string    `json:"text"`            // in one line
	Details []Fact    `json:"details,omitempty"`
	// Alert marks what somebody should look at: a failed verification, a compacted context.
	Alert  bool `json:"alert,omitempty"`
	Source Pos  `json:"source,omitzero"` // where it is written
}

// MaxActivities is how many activities of a build are kept; of more, the oldest go.
const MaxActivities = 100_000

// MergeActivities returns those known before and those told now as one timeline, the oldest first. What is told again, word
// for word and at the same time, is one: some writers write each event twice, and a file holds only its newest ones. What
// has no time stays behind what it was told after. Neither list is changed.
func MergeActivities(known, told []Activity) []Activity {
	type dated struct {
		Activity
		at time.Time
	}
	seen := make(map[string]bool, len(known)+len(told))
	all := make([]dated, 0, len(known)+len(told))
	for _, list := range [][]Activity{known, told} {
		var last time.Time
		for i := range list {
			if !list[i].At.IsZero() {
				last = list[i].At
			}
			if key := list[i].content(); !seen[key] {
				seen[key] = true
				all = append(all, dated{list[i], last})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b dated) int { return a.at.Compare(b.at) })
	all = all[max(0, len(all)-MaxActivities):]
	merged := make([]Activity, len(all))
	for i := range all {
		merged[i] = all[i].Activity
	}
	return merged
}

// content returns all that an activity says, as one text.
func (a *Activity) content() string {
	var b strings.Builder
	b.WriteString(a.At.UTC().Format(time.RFC3339Nano))
	for _, part := range []string{a.Kind, a.Chunk, a.Text} {
		b.WriteByte(0)
		b.WriteString(part)
	}
	for _, d := range a.Details {
		b.WriteByte(0)
		b.WriteString(d.Label)
		b.WriteByte(0)
		b.WriteString(d.Value)
	}
	return b.String()
}
