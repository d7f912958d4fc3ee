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
	at             time.Time // when it began
}

// Counter counts the changed lines of working trees in the background, one at a time, and remembers the results.
type Counter struct {
	ctx     context.Context
	changed func()
	one     sync.Mutex // held while git runs
	mu      sync.Mutex
	counts  map[tree]*count
}

// NewCounter returns a counter that works until ctx ends. It calls changed after a result differs.
func NewCounter(ctx context.Context, changed func()) *Counter {
	return &Counter{ctx: ctx, changed: changed, counts: map[tree]*count{}}
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
		n.at = time.Now()
		go c.countTree(t, n)
	}
	return n.added, n.removed
}

// countTree counts the changes of a directory.
func (c *Counter) countTree(t tree, n *count) {
	c.one.Lock()
	added, removed, ok := Count(c.ctx, t.dir, t.base)
	c.one.Unlock()
	c.mu.Lock()
	differs := ok && (n.added != added || n.removed != removed)
	if differs {
		n.added, n.removed = added, removed
	}
	c.mu.Unlock()
	if differs {
		c.changed()
	}
}
