package model

import "time"

// Host says on which machine a project is, and how old what is known of it may be. All times are by this machine's clock: what
// the other one's differs by has been taken off, here and in all of the project.
type Host struct {
	Name  string `json:"name"`  // as it is called here
	Fleet string `json:"fleet"` // through which it is seen
	// AsOf is when a host that is not live was last heard of: what is shown was so then. Zero: never, or it is live.
	AsOf time.Time `json:"as_of,omitzero"`
	// Live says that it was heard of within the last seconds.
	Live bool `json:"live"`
	// Why says of a host that is not live since when and what is known of it: "offline since 14:02".
	Why string `json:"why,omitempty"`
}
