package model

import "time"

// QuietAfter is how long work in progress may go without a change before it counts as stale. Agents normally write a
// file well within that time. It is the single rule for running work in all protocols.
const QuietAfter = time.Hour

// StaleWord is the word for work in progress that does not move.
const StaleWord = "stale"

// OldWord is the word for an old wait.
const OldWord = "old"

// PastWord is the word for an expired wait.
const PastWord = "past"

// LaterWord is the word for a stop that the work has not reached.
const LaterWord = "not yet"

// checkout is the maximum span between the times of a build's files after a checkout wrote them all: then their times
// show the checkout, not the work.
const checkout = time.Minute

// believedFor is the maximum delay between the time that a state file names and the time of the file for the latter to be trusted.
const believedFor = 24 * time.Hour

// MarkStale marks nodes as stale: their files say that they are under way, and nothing of them has changed for
// [QuietAfter]. The node that the build names as worked on changes with any file of the build. Turns gets the moment at
// which the result changes. The build must not be handed out yet.
func (b *Build) MarkStale(now time.Time) {
	moved := b.lastMove(now)
	if moved.IsZero() || b.ID == AgentsBuild { // a session knows its own state
		return
	}
	var first time.Time // at which something that runs will be stale
	judge := func(at time.Time) (stale time.Time) {
		if now.Sub(at) >= QuietAfter {
			return at
		}
		if turns := at.Add(QuietAfter); first.IsZero() || turns.Before(first) {
			first = turns
		}
		return time.Time{}
	}
	for _, n := range b.Nodes {
		b.markStale(n, now, moved, judge)
	}
	if goesOn(b.Status) && !b.Paused() {
		b.StaleSince = judge(moved)
	}
	if !first.IsZero() && (b.Turns.IsZero() || first.Before(b.Turns)) {
		b.Turns = first
	}
}

// markStale marks a node and its descendants, and returns the last time that any of them moved and whether the build
// names one of them as current.
func (b *Build) markStale(n *Node, now, moved time.Time, judge func(time.Time) time.Time) (last time.Time, named bool) {
	last, named = n.Updated, n.ID == b.Now && b.Now != ""
	if n.Since.After(last) {
		last = n.Since // a status change is a move
	}
	for _, below := range n.Children {
		at, is := b.markStale(below, now, moved, judge)
		if at.After(last) {
			last = at
		}
		named = named || is
	}
	if !goesOn(n.Status) || n.IsOver() {
		return last, named
	}
	at := last
	if named || at.IsZero() || at.After(now) || at.After(moved) {
		at = moved
	}
	if stale := judge(at); !stale.Equal(n.StaleSince()) {
		n.Standing = Standing{Status: Stale, Since: stale}
		if stale.IsZero() {
			n.Standing = Standing{}
		}
	}
	return last, named
}

func goesOn(s Status) bool { return s == Active || s == Retrying }

// lastMove returns the last change of the build: the newest time of its files or, if a checkout wrote them all, the time
// in the state file, until a change is seen. Future times are ignored.
func (b *Build) lastMove(now time.Time) time.Time {
	last, claimed := b.Freshness.Changed, b.Freshness.Claimed
	if claimed.After(now) {
		claimed = time.Time{}
	}
	var oldest, newest time.Time
	files := 0
	for _, n := range Walk(b.Nodes) {
		for _, a := range n.Artifacts {
			if a.Changed.IsZero() {
				continue
			}
			if files++; oldest.IsZero() || a.Changed.Before(oldest) {
				oldest = a.Changed
			}
			if a.Changed.After(newest) {
				newest = a.Changed
			}
		}
	}
	if !b.Freshness.Seen && files > 1 && newest.Sub(oldest) < checkout && last.Sub(oldest).Abs() < checkout && !claimed.IsZero() {
		return claimed
	}
	if !b.Freshness.Seen && files < 2 && !claimed.IsZero() && last.Sub(claimed) > believedFor {
		return claimed // a checkout or a copy has written it
	}
	if last.After(now) {
		last = now // the writer's clock is ahead
	}
	if claimed.After(last) {
		return claimed
	}
	return last
}
