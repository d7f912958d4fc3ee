package model

// Notifications for a user who is not looking at the dashboard.

import (
	"context"
	"time"
)

// Notice is one notification for the user. Its texts are clean.
type Notice struct {
	// Key identifies the notification across dashboards and time; "" if it can't be identified.
	Key     string
	Kind    string // "question", "plan", "permission" of a live agent; "gate" for all else that waits; "overwritten": a decision
	Text    string // the question
	Project string // name
	Root    string // of the project
	Place   string // position in the project, or the asker
	Agent   string // name of its client, "" if it is not from a live agent
	ID      string // the ID that commands take: of an ask, a gate
	Since   time.Time
	More    int // number of further ones that get no notice of their own
}

// Notifier records delivered notifications and runs the user's own command. Its methods open files and start processes,
// and must not be called from a loop that handles keys.
type Notifier interface {
	// Tell records notices as delivered and returns those that are new, to any dashboard. nested is the number of
	// nested multiplexers around the terminal: an escape sequence has to be wrapped for each. The error reports a
	// failure to record; the affected notices count as fresh.
	Tell(ctx context.Context, all []Notice) (fresh []Notice, nested int, err error)
	// Run runs the user's command for each of them, and says why one failed.
	Run(ctx context.Context, fresh []Notice) error
}
