package gsd

import (
	"context"
	"sync"
	"time"

	"gatehouse/parse/agents/worktree"
	"gatehouse/parse/disk/mirror"
)

// age is the age of a state in commits, from the last git run: commits change no file of the build.
type age struct {
	sync.Mutex
	stamp   string
	commits int
	at      time.Time
}

// countCommitsBehind returns how many commits HEAD is ahead of STATE.md, 0 if the project does not want it to be shown or git can't
// tell. It runs git at most twice a minute.
func (c *build) countCommitsBehind() int {
	stamp := c.Config.FreshnessStamp(c.State.Line.StateHead)
	if stamp == "" {
		return 0
	}
	known := mirror.Kept[age](c.m, "gsd age")
	known.Lock()
	defer known.Unlock()
	if since := c.now.Sub(known.at); known.stamp != stamp || since < 0 || since >= 30*time.Second {
		ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
		defer cancel()
		known.stamp, known.at = stamp, c.now
		known.commits, _ = worktree.CommitsSince(ctx, c.m.Root(), stamp)
	}
	return known.commits
}
