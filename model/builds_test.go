package model

import (
	"encoding/json"
	"testing"
	"time"

	"gatehouse/parse/conformance"
)

// TestBuilds checks what follows from builds in testdata/conformance/builds.jsonl at a moment: what of them is stale, how long they are
// idle, and their history.
func TestBuilds(t *testing.T) {
	conformance.OwnRows(t, "builds.jsonl", func(t *testing.T, r struct {
		Now                    time.Time
		Build                  Build
		Running, History, Idle json.RawMessage
	}) {
		for _, c := range []struct {
			what string
			want json.RawMessage
			now  func(*Build, time.Time) any
		}{{"running", r.Running, runningAt}, {"idle", r.Idle, idleAt}, {"history", r.History, historyAt}} {
			if len(c.want) == 0 {
				continue
			}
			if got, err := json.Marshal(c.now(&r.Build, r.Now)); err != nil || string(got) != string(c.want) {
				t.Errorf("%s:\n got %s, %v\nwant %s", c.what, got, err, c.want)
			}
		}
	})
}

// runningAt returns since when a build and its nodes are stale, and when that changes.
func runningAt(b *Build, now time.Time) any {
	b.MarkStale(now)
	var all struct {
		Since time.Time            `json:"since,omitzero"`
		Turns time.Time            `json:"turns,omitzero"`
		Nodes map[string]time.Time `json:"nodes,omitempty"`
	}
	all.Since, all.Turns, all.Nodes = b.StaleSince, b.Turns, map[string]time.Time{}
	for _, n := range b.Nodes {
		if n.IsStale() {
			all.Nodes[n.ID] = n.StaleSince()
		}
	}
	return all
}

// idleAt returns how long a build is idle, and whether it is left.
func idleAt(b *Build, now time.Time) any {
	idle, left := b.Freshness.Idle(now)
	return []any{idle.String(), left}
}

// historyAt returns the history of a build: pieces by the time they were done, those without a time first and active ones last; impossible
// times and durations dropped; and a forecast, or why there is none.
func historyAt(b *Build, now time.Time) any {
	b.Reckon(now)
	b.Progress.Plans.Total++
	b.Reckon(now) // what was handed out does not change
	return b.History
}
