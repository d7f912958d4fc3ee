package model

import (
	"slices"
	"time"
)

// Family is the subject of an [Activity]; timelines are filtered by it.
type Family string

// The families. The first three are the lifecycle of a build; verification and an agent's memory have events of their
// own.
const (
	FamilyChunks       Family = "chunks"       // work began, continued, ended or failed; also events of unknown kinds
	FamilyScenarios    Family = "scenarios"    // a scenario was judged
	FamilyTools        Family = "tools"        // a tool was called
	FamilyVerification Family = "verification" // work was checked
	FamilyContext      Family = "context"      // the window of an agent was emptied, compacted or saved
	FamilyResults      Family = "results"      // an attempt at a task ended
)

// Activity is one thing that an agent has written down about its work.
type Activity struct {
	At      time.Time `json:"at,omitzero"` // zero: not known
	Family  Family    `json:"family"`
	Kind    string    `json:"kind"`              // the protocol's word: "chunk-verified"
	Status  Status    `json:"status"`            // status of its node; Unknown if it has none
	Chunk   string    `json:"chunk,omitempty"`   // as the file names it
	Node    string    `json:"node,omitempty"`    // ID of its node, if a node has that name
	Text    string    `json:"text"`              // in one line
	Details []Fact    `json:"details,omitempty"` // further details
	// Alert marks an activity that needs attention: a failed verification, a compacted context.
	Alert  bool `json:"alert,omitempty"`
	Source Pos  `json:"source,omitzero"` // position in the source file
}

// timelineBytes limits the size of a timeline, as [Activity.size] counts it: some 12,000 typical activities, which is
// days of work. The oldest are dropped first.
const timelineBytes = 4 << 20

// MergeActivities returns the activities as one timeline, oldest first, of limited size. Identical activities at the same time
// are merged: some writers write each event twice, and a file holds only its newest events. An undated activity stays behind
// its predecessor.
func MergeActivities(activities []Activity) []Activity {
	type dated struct {
		*Activity
		at time.Time // an undated activity takes the time of the one before it
	}
	var entries []dated
	var last time.Time
	known := make(map[activityKey]bool, len(activities))
	for i := range activities {
		a := &activities[i]
		if !a.At.IsZero() {
			last = a.At
		}
		if key := a.key(); !known[key] {
			known[key] = true
			entries = append(entries, dated{a, last})
		}
	}
	slices.SortStableFunc(entries, func(a, b dated) int { return a.at.Compare(b.at) })
	first, size := len(entries), 0
	for first > 0 {
		if size += entries[first-1].size(); size > timelineBytes && first < len(entries) {
			break
		}
		first--
	}
	var all []Activity
	for _, e := range entries[first:] {
		all = append(all, *e.Activity)
	}
	return all
}

// activityKey is equal for activities with the same content.
type activityKey struct {
	at                         int64
	kind, chunk, text, details string
}

func (a *Activity) key() activityKey {
	k := activityKey{a.At.UnixNano(), a.Kind, a.Chunk, a.Text, ""}
	for _, d := range a.Details {
		k.details += d.Label + "\x00" + d.Value + "\x00" // clean text has no NUL
	}
	return k
}

// size returns the approximate size of an activity in bytes, including a fixed overhead.
func (a *Activity) size() int {
	const bare, detail = 256, 32
	size := bare + len(a.Kind) + len(a.Chunk) + len(a.Node) + len(a.Text) + len(a.Source.File)
	for _, d := range a.Details {
		size += detail + len(d.Label) + len(d.Value)
	}
	return size
}
