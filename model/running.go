package model

import "time"

// QuietAfter is how long nothing may move at what is said to be under way before that is no longer believed: the longest
// that agents work without writing a file is well below. It is the one rule for what runs, for every protocol.
const QuietAfter = time.Hour

// StaleWord is the word for what is under way and does not move.
const StaleWord = "stale"

// OldWord is the word for what has waited so long that it is old.
const OldWord = "old"

// PastWord is the word for what calls itself waiting and waits no more.
const PastWord = "past"

// LaterWord is the word for a stop that the work has not come to yet.
const LaterWord = "asks later"

// checkout is within what span the files of a build were written when a checkout wrote them all: then their times tell when
// that was, and nothing of the work.
const checkout = time.Minute

// believedFor is how much later than the time that a state file names it may have been written, for the time of the file to be believed.
const believedFor = 24 * time.Hour

// MarkStale tells what is under way and runs from what is stale: it is under way by what its files say, and nothing of it has
// moved for [QuietAfter]. What the build names as worked on moves with any file of the build. The moment from which on it
// will read otherwise goes into Turns. The build must not be handed out yet.
func (b *Build) MarkStale(now time.Time) {
	moved := b.moved(now)
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

// markStale marks a node and what is below it, and returns when something of it moved last and whether the build names it or
// something below it as worked on.
func (b *Build) markStale(n *Node, now, moved time.Time, judge func(time.Time) time.Time) (last time.Time, named bool) {
	last, named = n.Updated, n.ID == b.Now && b.Now != ""
	if n.Since.After(last) {
		last = n.Since // what has come to stand as it does has moved
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

// moved returns when something of the build moved last: the newest time of its files or, where a checkout wrote them all,
// the time that the state file names, as long as nothing was seen to change. A time that is yet to come is not believed.
func (b *Build) moved(now time.Time) time.Time {
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
		last = now // the clock of who wrote it is ahead
	}
	if claimed.After(last) {
		return claimed
	}
	return last
}
