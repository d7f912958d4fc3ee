package gsd

import (
	"context"
	"sync"
	"time"

	"gatehouse/parse/agents/worktree"
	"gatehouse/parse/disk/mirror"
)

// ages remembers how many commits back states are, because commits change no file of the build.
type ages struct {
	sync.Mutex
	of map[string]age // by stamp
}

type age struct {
	commits int
	at      time.Time
}

// countCommitsBehind returns how many commits HEAD is ahead of STATE.md, 0 if the project does not want it to be shown or git can't
// tell. Git is asked twice a minute at most.
func (c *build) countCommitsBehind() int {
	stamp := c.Config.FreshnessStamp(c.State.Line.StateHead)
	if stamp == "" {
		return 0
	}
	known := mirror.Kept[ages](c.m, "gsd ages")
	known.Lock()
	defer known.Unlock()
	a, ok := known.of[stamp]
	if since := c.now.Sub(a.at); ok && since >= 0 && since < 30*time.Second {
		return a.commits
	}
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	a = age{at: c.now}
	a.commits, _ = worktree.CommitsSince(ctx, c.m.Root(), stamp)
	known.of = map[string]age{stamp: a}
	return a.commits
}
