package model

import (
	"testing"
	"time"
)

// TestWhatRuns: a node that has begun runs while something in it moves, and is stale from its last movement on.
func TestWhatRuns(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	tree := func(at ...time.Time) []*Node { // an active phase for each time
		var all []*Node
		for i, t := range at {
			all = append(all, &Node{ID: string(rune('a' + i)), Kind: KindPhase, Status: Active, Updated: t, Artifacts: []Artifact{{Changed: t}}})
		}
		return all
	}
	for name, c := range map[string]struct {
		build Build
		stale []time.Time // of its nodes; zero: not stale
		whole time.Time
		turns time.Time
	}{
		"it moves": {Build{Status: Active, Nodes: tree(ago(5*time.Minute), ago(30*time.Hour)), Freshness: Freshness{Changed: ago(5 * time.Minute)}},
			[]time.Time{{}, ago(30 * time.Hour)}, time.Time{}, ago(5 * time.Minute).Add(QuietAfter)},
		"nothing moves": {Build{Status: Active, Nodes: tree(ago(2*time.Hour), ago(30*time.Hour)), Freshness: Freshness{Changed: ago(2 * time.Hour)}},
			[]time.Time{ago(2 * time.Hour), ago(30 * time.Hour)}, ago(2 * time.Hour), time.Time{}},
		"what is worked on moves with any file": {Build{Status: Active, Now: "b", Nodes: tree(ago(2*time.Hour), ago(30*time.Hour)), Freshness: Freshness{Changed: ago(time.Minute)}},
			[]time.Time{ago(2 * time.Hour), {}}, time.Time{}, ago(time.Minute).Add(QuietAfter)},
		"it was seen to begin": {Build{Status: Active, Nodes: []*Node{{ID: "a", Status: Active, Updated: ago(2 * time.Hour), Since: ago(time.Minute)}}, Freshness: Freshness{Changed: ago(time.Minute)}},
			[]time.Time{{}}, time.Time{}, ago(time.Minute).Add(QuietAfter)},
		"a checkout says nothing": {Build{Status: Active, Nodes: tree(ago(time.Minute), ago(time.Minute)), Freshness: Freshness{Changed: ago(time.Minute), Claimed: ago(50 * time.Hour)}},
			[]time.Time{ago(50 * time.Hour), ago(50 * time.Hour)}, ago(50 * time.Hour), time.Time{}},
		"a clock that is ahead": {Build{Status: Active, Nodes: tree(now.Add(time.Hour)), Freshness: Freshness{Changed: now.Add(time.Hour)}},
			[]time.Time{{}}, time.Time{}, now.Add(QuietAfter)},
		"nobody knows": {Build{Status: Active, Nodes: tree(time.Time{})}, []time.Time{{}}, time.Time{}, time.Time{}},
		"it is over": {Build{Status: Done, Nodes: []*Node{{ID: "a", Status: Active, Standing: Standing{Status: Expired}}, {ID: "b", Status: Executed}}, Freshness: Freshness{Changed: ago(50 * time.Hour)}},
			[]time.Time{{}, {}}, time.Time{}, time.Time{}},
	} {
		b := c.build
		b.MarkStale(now)
		for i, n := range b.Nodes {
			if !n.StaleSince().Equal(c.stale[i]) {
				t.Errorf("%s: node %s is stale since %v, want %v", name, n.ID, n.StaleSince(), c.stale[i])
			}
		}
		if !b.StaleSince.Equal(c.whole) || !b.Turns.Equal(c.turns) {
			t.Errorf("%s: the build is stale since %v, turns at %v, want %v, %v", name, b.StaleSince, b.Turns, c.whole, c.turns)
		}
	}
}

// TestOldWorkStaysStaleAfterACheckout: if the newest time in a file is months ago, its work does not run just because a checkout has written the file.
func TestOldWorkStaysStaleAfterACheckout(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	for named, runs := range map[time.Time]bool{now.AddDate(0, -7, 0): false, now.Add(-3 * time.Hour): true, {}: true} {
		n := &Node{ID: "step", Kind: KindSkill, Status: Active, Updated: now.Add(-10 * time.Minute)}
		b := &Build{ID: "fctry", Status: Active, Nodes: []*Node{n}, Freshness: Freshness{Changed: now.Add(-10 * time.Minute), Claimed: named}}
		b.MarkStale(now)
		if n.IsStale() == runs || b.StaleSince.IsZero() != runs {
			t.Errorf("named %v: stale %v, the build since %v", named, n.IsStale(), b.StaleSince)
		}
	}
}
