package worktree

import (
	"context"
	"sync"
	"time"
)

const (
	// countEvery is how often the changes of one directory are counted at most.
	countEvery = 10 * time.Second
	// countTimeout bounds one count.
	countTimeout = 5 * time.Second
)

// Counter counts the changed lines of working trees in the background, one at a time, and remembers the results.
type Counter struct {
	mu      sync.Mutex
	counts  map[[2]string]*count // by directory and commit
	queue   chan [2]string
	changed chan struct{}
}

// count is what was counted last.
type count struct {
	added, removed int
	at             time.Time // when it was counted; zero before
	queued         bool
}

// NewCounter returns a counter that works until ctx ends. changed receives a value after a result differs; it may be nil.
func NewCounter(ctx context.Context, changed chan struct{}) *Counter {
	c := &Counter{counts: map[[2]string]*count{}, queue: make(chan [2]string, 64), changed: changed}
	go c.run(ctx)
	return c
}

// Lines returns how many lines were added and removed in a directory since a commit, by the last count, and has them counted again if
// something has happened since.
func (c *Counter) Lines(dir, base string, active time.Time) (added, removed int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := [2]string{dir, base}
	n := c.counts[key]
	if n == nil {
		n = &count{}
		c.counts[key] = n
	}
	if !n.queued && (n.at.IsZero() || active.After(n.at) && time.Since(n.at) >= countEvery) {
		select {
		case c.queue <- key:
			n.queued = true
		default: // later
		}
	}
	return n.added, n.removed
}

// run counts until ctx ends.
func (c *Counter) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case key := <-c.queue:
			began := time.Now()
			limited, stop := context.WithTimeout(ctx, countTimeout)
			added, removed, ok := Count(limited, key[0], key[1])
			stop()
			c.mu.Lock()
			n := c.counts[key]
			differs := ok && (n.added != added || n.removed != removed)
			if ok {
				n.added, n.removed = added, removed
			}
			n.at, n.queued = began, false
			c.mu.Unlock()
			if differs && c.changed != nil {
				select {
				case c.changed <- struct{}{}:
				default:
				}
			}
		}
	}
}
