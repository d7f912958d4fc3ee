package model

import (
	"slices"
	"strings"
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
	FamilyRetries      Family = "retries"      // a task is tried again, or given up
	FamilySession      Family = "session"      // other notes of a session
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

// timelineBytes limits the size of a [Timeline], as [Activity.size] counts it: some 12,000 typical activities, which is
// days of work. The oldest are dropped first.
const timelineBytes = 4 << 20

// Timeline holds the activities that the agents of a build have reported, in the order of [MergeActivities]. It keeps
// copies, so the sources may be freed. The zero value is empty.
type Timeline struct {
	entries []dated
	known   map[activityKey]bool
	size    int // of all entries, in bytes
}

// dated is an activity with its sort time. An undated activity takes the time of the one before it.
type dated struct {
	Activity
	at time.Time
}

// Add adds new activities and skips known ones.
func (t *Timeline) Add(activities []Activity) { t.add(activities, Activity.clone) }

// All returns the activities, the oldest first, in a list of the caller's own.
func (t *Timeline) All() []Activity {
	if len(t.entries) == 0 {
		return nil
	}
	all := make([]Activity, len(t.entries))
	for i := range t.entries {
		all[i] = t.entries[i].Activity
	}
	return all
}

// MergeActivities returns the activities as one timeline, oldest first, limited to the size of a [Timeline]. Identical
// activities at the same time are merged: some writers write each event twice, and a file holds only its newest events.
// An undated activity stays behind its predecessor.
func MergeActivities(activities []Activity) []Activity {
	var t Timeline
	t.add(activities, func(a Activity) Activity { return a })
	return t.All()
}

func (t *Timeline) add(activities []Activity, keep func(Activity) Activity) {
	if t.known == nil {
		t.known = make(map[activityKey]bool, len(activities))
	}
	before := len(t.entries)
	var last, oldest time.Time
	if before > 0 {
		oldest = t.entries[0].at
	}
	for i := range activities {
		a := &activities[i]
		if !a.At.IsZero() {
			last = a.At
		}
		if len(t.entries) > 0 && last.Before(oldest) && t.size+a.size() > timelineBytes {
			continue // it would be the first to go
		}
		if !t.known[a.key()] {
			if len(t.entries) == 0 || last.Before(oldest) {
				oldest = last
			}
			kept := keep(*a)
			t.known[kept.key()] = true
			t.entries = append(t.entries, dated{kept, last})
			t.size += a.size()
		}
	}
	byTime := func(a, b dated) int { return a.at.Compare(b.at) }
	if !slices.IsSortedFunc(t.entries[max(0, before-1):], byTime) { // the earlier part is sorted
		slices.SortStableFunc(t.entries, byTime)
	}
	old := 0
	for ; t.size > timelineBytes && old < len(t.entries)-1; old++ {
		t.size -= t.entries[old].size()
		delete(t.known, t.entries[old].key())
	}
	clear(t.entries[:old]) // release references of dropped entries; the rest is moved when the capacity is used up
	t.entries = t.entries[old:]
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

// clone returns a copy that shares no memory with its source text.
func (a Activity) clone() Activity {
	a.Kind, a.Chunk, a.Node, a.Text = strings.Clone(a.Kind), strings.Clone(a.Chunk), strings.Clone(a.Node), strings.Clone(a.Text)
	a.Family, a.Source.File = Family(strings.Clone(string(a.Family))), strings.Clone(a.Source.File)
	a.Details = slices.Clone(a.Details)
	for i, d := range a.Details {
		a.Details[i] = Fact{strings.Clone(d.Label), strings.Clone(d.Value)}
	}
	return a
}
