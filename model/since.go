package model

import "time"

// Remember refines the times at which statuses began by observed changes. A status unchanged since the previous reading
// keeps its earlier time; a new or changed status begins now. A time stated in a file takes precedence; a mere file time
// does not. Without a previous reading nothing was observed. Call it before sharing the build.
func (b *Build) Remember(before *Build, now time.Time) {
	if before == nil || before == b {
		return
	}
	b.Freshness.Seen = before.Freshness.Seen || !b.Freshness.Changed.Equal(before.Freshness.Changed)
	was := make(map[string]*Node)
	for _, n := range Walk(before.Nodes) {
		if n.Kind != KindTask { // tasks follow their plan
			was[n.ID] = n
		}
	}
	for _, n := range Walk(b.Nodes) {
		old, known := was[n.ID]
		if n.Kind == KindTask || old == n {
			continue
		}
		if !known {
			old = &Node{}
		}
		n.Since, n.SinceFile = refineSince(n.Since, n.SinceFile, old.Since, old.SinceFile, known && old.Status == n.Status, now)
	}
	b.Since, b.SinceFile = refineSince(b.Since, b.SinceFile, before.Since, before.SinceFile, before.Status == b.Status, now)

	type asked struct{ node, text string }
	waited := make(map[asked]*Wait)
	for i := range before.Waits {
		w := &before.Waits[i]
		waited[asked{w.Node, w.Text}] = w
	}
	for i := range b.Waits {
		w := &b.Waits[i]
		old, known := waited[asked{w.Node, w.Text}]
		if !known || old.IsUpcoming() {
			old, known = &Wait{}, false
		}
		if !w.IsUpcoming() {
			w.Since, w.SinceFile = refineSince(w.Since, w.SinceFile, old.Since, old.SinceFile, known, now)
		}
	}
	stood := make(map[asked]*Blocker)
	for i := range before.Blockers {
		x := &before.Blockers[i]
		stood[asked{x.Node, x.Text}] = x
	}
	for i := range b.Blockers {
		x := &b.Blockers[i]
		old, known := stood[asked{x.Node, x.Text}]
		if !known {
			old = &Blocker{}
		}
		x.Since, x.SinceFile = refineSince(x.Since, x.SinceFile, old.Since, old.SinceFile, known, now)
	}
}

const day = 24 * time.Hour

// refineSince returns since when a status holds, from the current files and from the previous reading, in which it was
// the same or not.
func refineSince(at time.Time, file bool, old time.Time, oldFile, same bool, now time.Time) (time.Time, bool) {
	switch {
	// A file often names only the day; then the observed change is more precise.
	case !file && at.Equal(at.Truncate(day)) && !same && now.Sub(at) < day && !now.Before(at):
		return now, false
	case !file && at.Equal(at.Truncate(day)) && same && old.Sub(at) < day && old.After(at):
		return old, oldFile
	case !at.IsZero() && !file:
		return at, false
	case !same:
		return now, false
	case !old.IsZero():
		return old, oldFile
	}
	return at, file
}
