package model

import (
	"slices"
	"time"
)

// Activity is one thing that happened in a build by its own logs, an item of the timeline. Other than an [Event], which
// is a difference between two snapshots, it is written down in a file and was there before anybody looked.
type Activity struct {
	At time.Time `json:"at,omitzero"` // zero: not known
	// Family groups what is shown and hidden together, "result", "retry", "event"; Kind is the log's own word:
	// "success", "escalated".
	Family string `json:"family"`
	Kind   string `json:"kind"`
	Status Status `json:"status"`         // what it says about its node; Unknown where it says nothing
	Node   string `json:"node,omitempty"` // ID of the node it is about
	Text   string `json:"text"`           // in one line
	// Details are for who wants to know more.
	Details []Fact `json:"details,omitempty"`
	Source  Pos    `json:"source"`
}

// SortActivity orders a timeline: the newest first, what has no time last. The order is stable.
func SortActivity(list []Activity) {
	slices.SortStableFunc(list, func(a, b Activity) int { return b.At.Compare(a.At) })
}
