package model

// Telling a user who looks elsewhere.

import (
	"context"
	"time"
)

// Notice is one thing that a user is told of. Its texts are clean.
type Notice struct {
	// Key is the same wherever and whenever the same is told of; "" where nothing tells it from what was told before.
	Key     string
	Kind    string // "question", "plan", "permission" of a live agent; "gate" for all else that waits; "overwritten": a decision
	Text    string // what is asked
	Project string // name
	Root    string // of the project
	Place   string // where in the project, or who asks
	Agent   string // name of its client, "" where no live agent asks
	ID      string // by which commands know it: of an ask, a gate
	Since   time.Time
	More    int // how many more there are that are not told of one by one
}

// Notifier knows what was told of, and runs the user's own command. Its methods open files and start processes, and belong into
// no loop that answers keys.
type Notifier interface {
	// Tell enters that the user is told of some things, and returns those of which nobody has told them before, no other dashboard either.
	// nested is in how many multiplexers the terminal is, one in the other: a sequence has to be wrapped for each. The error says that
	// it could not be entered; what it is about is among the fresh ones.
	Tell(ctx context.Context, all []Notice) (fresh []Notice, nested int, err error)
	// Run runs the user's command for each of them, and says why one failed.
	Run(ctx context.Context, fresh []Notice) error
}
