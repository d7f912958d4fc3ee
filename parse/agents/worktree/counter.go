package worktree

import (
	"context"
	"sync"
	"time"
)

// countInterval is how often the changes of one directory are counted at most.
const countInterval = 10 * time.Second

// tree is a directory and the commit that its changes are counted from.
type tree struct{ dir, base string }

// count is the last count.
type count struct {
	added, removed int
	at             time.Time // when it was queued
}

// Counter counts the changed lines of working trees in the background, one at a time, and remembers the results.
type Counter struct {
	mu     sync.Mutex
	counts map[tree]*count
	queue  chan tree
}

// NewCounter returns a counter that works until ctx ends. It calls changed after a result differs.
func NewCounter(ctx context.Context, changed func()) *Counter {
	c := &Counter{counts: map[tree]*count{}, queue: make(chan tree, 64)}
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case t := <-c.queue:
				if c.countTree(ctx, t) {
					changed()
				}
			}
		}
	}()
	return c
}

// Lines returns how many lines were added and removed in a directory since a commit, by the last count, and has them counted again if
// something has happened since.
func (c *Counter) Lines(dir, base string, active time.Time) (added, removed int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := tree{dir, base}
	n := c.counts[t]
	if n == nil {
		n = &count{}
		c.counts[t] = n
	}
	if n.at.IsZero() || active.After(n.at) && time.Since(n.at) >= countInterval {
		select {
		case c.queue <- t:
			n.at = time.Now()
		default: // later
		}
	}
	return n.added, n.removed
}

// countTree counts the changes of a directory, and reports whether they differ from the last count.
func (c *Counter) countTree(ctx context.Context, t tree) (differs bool) {
	added, removed, ok := Count(ctx, t.dir, t.base)
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.counts[t]
	if differs = ok && (n.added != added || n.removed != removed); differs {
		n.added, n.removed = added, removed
	}
	return differs
}
