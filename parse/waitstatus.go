// Waiting until a build goes on, or stops: how an agent that was told to stop learns that it may go on.

package parse

import (
	"context"
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/watch"
)

// The answers of a wait for a build.
const (
	Paused  Answer = "paused"
	Resumed Answer = "resumed" // it is at work, whether it was ever paused or not
)

// WaitFor blocks until a build is paused or at work, whichever the answer is that is waited for, or until it has ended. What is
// so already is answered at once. It fails when the context ends. Nobody else may use the project from then on.
func WaitFor(ctx context.Context, p *Project, build string, answer Answer, now func() time.Time) (*Verdict, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	feed := Follow(ctx, Opened(p), now, watch.Options{})
	defer func() {
		stop()
		<-feed.ended // nothing reads the project any more
	}()
	var seen uint64
	var gone time.Time // since when the build is; zero while it is there
	for {
		snap, err := next(ctx, feed, seen, gone)
		if err != nil {
			return nil, err
		}
		var b *model.Build
		if snap != nil {
			seen = snap.Version
			builds := snap.Projects[0].Builds
			if i := slices.IndexFunc(builds, func(b *model.Build) bool { return b.ID == build }); i >= 0 {
				b = builds[i]
			}
		}
		switch {
		case b == nil && gone.IsZero():
			gone = time.Now()
		case b == nil && time.Since(gone) > grace:
			return &Verdict{Answer: Over, Text: build + " is gone"}, nil
		case b == nil:
		case over(b):
			return &Verdict{Answer: Over, Text: build + " has ended: " + b.Raw}, nil
		case b.Freshness.Held == 0 && answer == stands(b):
			return &Verdict{Answer: answer}, nil
		default:
			gone = time.Time{}
		}
	}
}

// stands returns whether a build is paused or at work, "" where neither is known. One that can't be read now is neither.
func stands(b *model.Build) Answer {
	switch {
	case b.Pause != nil:
		return Paused
	case b.Status == model.Active || b.Status == model.Waiting:
		return Resumed
	}
	return ""
}
