// Waiting until a build goes on, or stops: how an agent that was told to stop learns that it may go on.

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
	Resumed Answer = "resumed" // it is at work, whether it was ever paused or not
)

// WaitFor blocks until a build is paused or at work, whichever the answer is that is waited for, or until it has ended. What is
// so already is answered at once. It fails when the context ends. Nobody else may use the project from then on.
func WaitFor(ctx context.Context, p *Project, build string, answer Answer, now func() time.Time) (*Verdict, error) {
	return await(ctx, p, now, build, func(p *model.Project) (*Verdict, bool) {
		i := slices.IndexFunc(p.Builds, func(b *model.Build) bool { return b.ID == build })
		if i < 0 {
			return nil, false
		}
		switch b := p.Builds[i]; {
		case over(b):
			return &Verdict{Answer: Over, Text: build + " has ended: " + b.Raw}, true
		case b.Freshness.Held == 0 && answer == stands(b):
			return &Verdict{Answer: answer}, true
		}
		return nil, true
	})
}

// stands returns whether a build is paused or at work, "" where neither is known. One that can't be read now is neither, nor is one
// that says that it has ended, whatever is left of it: it is to be resumed first.
func stands(b *model.Build) Answer {
	switch {
	case b.Pause != nil:
		return Paused
	case ended(b):
		return ""
	case b.Status == model.Active || b.Status == model.Waiting:
		return Resumed
	}
	return ""
}
