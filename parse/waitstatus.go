// Waiting until a build proceeds, or stops: how a stopped agent learns that it may continue.

package parse

import (
	"context"
	"slices"
	"time"

	"gatehouse/model"
)

// The answers of a wait for a build.
const (
	Paused  Answer = "paused"
	Resumed Answer = "resumed" // it is running, whether it was ever paused or not
)

// WaitFor blocks until a build has the awaited state, paused or running, or until it has ended. If the state holds
// already it returns at once. It fails when the context ends. The caller must not share the project from then on.
func WaitFor(ctx context.Context, p *Project, build string, answer Answer, now func() time.Time) (*Verdict, error) {
	return awaitVerdict(ctx, p, now, build, func(p *model.Project) (*Verdict, bool) {
		i := slices.IndexFunc(p.Builds, func(b *model.Build) bool { return b.ID == build })
		if i < 0 {
			return nil, false
		}
		b := p.Builds[i]
		v := overVerdict(b)
		if v == nil && b.Freshness.Held == 0 && answer == pausedOrResumed(b) {
			v = &Verdict{Answer: answer}
		}
		return v, true
	})
}

// pausedOrResumed returns whether a build is paused or running, "" if neither is known. This includes an unreadable build, and
// one that calls itself ended, even with work left: it has to be resumed first.
func pausedOrResumed(b *model.Build) Answer {
	switch {
	case b.Pause != nil:
		return Paused
	case hasEndWord(b):
		return ""
	case b.Status == model.Active || b.Status == model.Waiting:
		return Resumed
	}
	return ""
}
