// This file decides when changes are delivered: at once after quiet, then in bundles. It reads no clock and starts nothing.

package watch

import (
	"maps"
	"slices"
	"time"
)

const (
	// quiet is how long no change must come before a bundle is delivered, and the shortest time between two deliveries: long enough for a save that
	// touches several files, shorter than anyone notices.
	quiet = 40 * time.Millisecond
	// maxWait is the longest a change waits for its delivery while others keep coming, so that a steady writer shows progress four times a second.
	maxWait = 250 * time.Millisecond
	// maxPaths is the most paths a batch lists. Re-reading everything costs about the same from here on.
	maxPaths = 4096
)

// A coalescer bundles changes. The zero value is ready: the first change is due at once.
type coalescer struct {
	paths       map[string]struct{}
	all         bool
	pending     bool
	first, last time.Time // first and last are the times of the changes that wait.
	delivered   time.Time // delivered is the time of the last delivery.
}

// addChanges records changes seen at now.
func (c *coalescer) addChanges(now time.Time, paths []string, all bool) {
	if !c.pending {
		c.pending, c.first = true, now
	}
	c.last = now
	c.all = c.all || all
	if c.paths == nil {
		c.paths = map[string]struct{}{}
	}
	for _, p := range paths {
		c.paths[p] = struct{}{}
	}
	if len(c.paths) > maxPaths {
		c.all = true
	}
	if c.all {
		clear(c.paths)
	}
}

// dueAt returns when the changes that wait are to be delivered, and whether any do.
func (c *coalescer) dueAt() (time.Time, bool) {
	if !c.pending {
		return time.Time{}, false
	}
	if c.first.Sub(c.delivered) >= quiet {
		return c.first, true
	}
	due, latest := c.last.Add(quiet), c.first.Add(maxWait)
	if due.After(latest) {
		due = latest
	}
	return due, true
}

// takeBatch returns the pending changes and starts over.
func (c *coalescer) takeBatch(now time.Time) Batch {
	b := Batch{All: c.all}
	if len(c.paths) > 0 {
		b.Paths = slices.Sorted(maps.Keys(c.paths))
	}
	*c = coalescer{delivered: now}
	return b
}
