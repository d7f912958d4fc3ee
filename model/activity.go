package model

import (
	"hash/maphash"
	"slices"
	"strings"
	"time"
)

// Family says what an [Activity] is about; a timeline is filtered by it.
type Family string

// The families. The first three are the lifecycle of a build; what is verified, and what an agent remembers, have
// events of their own.
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

// Activity is one thing that an agent has written down about its work.
type Activity struct {
	At      time.Time `json:"at,omitzero"` // zero: not known
	Family  Family    `json:"family"`
	Kind    string    `json:"kind"`              // the protocol's word: "chunk-verified"
	Status  Status    `json:"status"`            // what it says about its node; Unknown where it says nothing
	Chunk   string    `json:"chunk,omitempty"`   // as the file names it
	Node    string    `json:"node,omitempty"`    // ID of the node it is about, where one has that name
	Text    string    `json:"text"`              // in one line
	Details []Fact    `json:"details,omitempty"` // what else it says
	// Alert marks what somebody should look at: a failed verification, a compacted context.
	Alert  bool `json:"alert,omitempty"`
	Source Pos  `json:"source,omitzero"` // where it is written
}

// timelineBytes is how much a [Timeline] keeps, as [Activity.size] counts it: some 12,000 activities as they are commonly
// told, which is days of work. Of more, the oldest go.
const timelineBytes = 4 << 20

// Timeline is what the agents of a build have told so far, in the order of [MergeActivities]. It keeps copies: what was read
// to learn of an activity may be let go. The zero value is empty.
type Timeline struct {
	told  []dated
	seed  maphash.Seed
	known map[uint64]bool // hashes of their contents
	size  int             // of all of them
}

// dated is an activity with the time that it stands at: one that has none stands behind what it was told after.
type dated struct {
	Activity
	at time.Time
}

// Add puts in what is told now, except for what is known already.
func (t *Timeline) Add(told []Activity) { t.add(told, Activity.clone) }

// All returns the activities, the oldest first, in a list of the caller's own.
func (t *Timeline) All() []Activity {
	if len(t.told) == 0 {
		return nil
	}
	all := make([]Activity, len(t.told))
	for i := range t.told {
		all[i] = t.told[i].Activity
	}
	return all
}

// MergeActivities returns what is told as one timeline, the oldest first, as much of it as a [Timeline] keeps. What is told
// again, word for word and at the same time, is one: some writers write each event twice, and a file holds only its newest
// ones. What has no time stays behind what it was told after.
func MergeActivities(told []Activity) []Activity {
	var t Timeline
	t.add(told, func(a Activity) Activity { return a })
	return t.All()
}

func (t *Timeline) add(told []Activity, keep func(Activity) Activity) {
	if t.known == nil {
		t.seed, t.known = maphash.MakeSeed(), make(map[uint64]bool, len(told))
	}
	before := len(t.told)
	var last, oldest time.Time
	if before > 0 {
		oldest = t.told[0].at
	}
	for i := range told {
		a := &told[i]
		if !a.At.IsZero() {
			last = a.At
		}
		if len(t.told) > 0 && last.Before(oldest) && t.size+a.size() > timelineBytes {
			continue // it would be the first to go
		}
		if key := a.content(t.seed); !t.known[key] {
			if len(t.told) == 0 || last.Before(oldest) {
				oldest = last
			}
			t.known[key] = true
			t.told = append(t.told, dated{keep(*a), last})
			t.size += a.size()
		}
	}
	byTime := func(a, b dated) int { return a.at.Compare(b.at) }
	if !slices.IsSortedFunc(t.told[max(0, before-1):], byTime) { // what was there is sorted
		slices.SortStableFunc(t.told, byTime)
	}
	old := 0
	for ; t.size > timelineBytes && old < len(t.told)-1; old++ {
		t.size -= t.told[old].size()
		delete(t.known, t.told[old].content(t.seed))
	}
	clear(t.told[:old]) // what goes keeps nothing; the rest is moved when there is no room behind it
	t.told = t.told[old:]
}

// content returns a hash of all that an activity says.
func (a *Activity) content(seed maphash.Seed) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	part := func(text string) {
		h.WriteString(text)
		h.WriteByte(0) // which no clean text holds
	}
	var at [len(time.RFC3339Nano)]byte
	h.Write(a.At.UTC().AppendFormat(at[:0], time.RFC3339Nano))
	part(a.Kind)
	part(a.Chunk)
	part(a.Text)
	for _, d := range a.Details {
		part(d.Label)
		part(d.Value)
	}
	return h.Sum64()
}

// size returns about how many bytes an activity takes: its texts, and what it takes without any.
func (a *Activity) size() int {
	const bare, detail = 256, 32
	size := bare + len(a.Kind) + len(a.Chunk) + len(a.Node) + len(a.Text) + len(a.Source.File)
	for _, d := range a.Details {
		size += detail + len(d.Label) + len(d.Value)
	}
	return size
}

// clone returns a copy that shares no text with what it was cut from.
func (a Activity) clone() Activity {
	a.Kind, a.Chunk, a.Node, a.Text = strings.Clone(a.Kind), strings.Clone(a.Chunk), strings.Clone(a.Node), strings.Clone(a.Text)
	a.Family, a.Source.File = Family(strings.Clone(string(a.Family))), strings.Clone(a.Source.File)
	a.Details = slices.Clone(a.Details)
	for i, d := range a.Details {
		a.Details[i] = Fact{strings.Clone(d.Label), strings.Clone(d.Value)}
	}
	return a
}
