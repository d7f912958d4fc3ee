// Package demo plays a build that never was: it writes the files of a GSD
// project into a directory, step by step and in real time, as an agent would.
// Somebody who tries Gatehouse sees phases move, a plan halt, a verification
// fail and be mended, and is asked things that can really be answered.
//
// Beside it an agent runs a loop, the files of which lie in the same directory: phases with deliverables, and gates that it
// waits at until the user decides, however long that takes (loop.go).
//
// Below both lies a project of its own that is built in chunks, one of which fails its verification at first and one of
// which has to be asked about; it is answered through its inbox (chunkrun.go). A third one is built task by task: one fails and
// is tried again, and one fails as often as it may, so that it waits until the user has it tried once more or leaves it out
// (taskrun.go). There an agent asks besides, as live agents do, where it is given a store of asks (asker.go).
//
// What happens stands in stories/: who is in it, and row by row what is done when. step.go says what a row can do, and
// plan.go, roadmap.go, state.go and check.go write the files in the forms of GSD, taskplan.go those of ultraplan. A round lasts between two and three
// minutes. A build that has ended and stands still looks broken to somebody who comes back to it, so the demo rests a while
// and then starts a fresh round, unless [Options.Once] is set.
package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gatehouse/parse/agents/ask"
	"gatehouse/parse/disk/process"
)

// Name is the name of the product in the story. A directory of this name makes
// the dashboard's title right.
const Name = "dawnbook"

const (
	// patience is how long a question waits for a real user before the
	// simulated one answers it: long enough to read the dialog, short enough
	// that nobody thinks the demo hangs.
	patience = 25 * time.Second
	// rest is how long the finished build is shown before a fresh round.
	rest = 30 * time.Second
	// tick is how often the files that ask something are looked at.
	tick = 100 * time.Millisecond
)

// Mark names a moment of the story.
type Mark string

// The moments a round passes, in this order.
const (
	MarkStart    Mark = "start"    // the files as [New] writes them
	MarkReview   Mark = "review"   // a phase is verified but for a human's ear
	MarkQuestion Mark = "question" // a plan halted, another is blocked by it, and the agent asks
	MarkFailed   Mark = "failed"   // a verification found a gap
	MarkPaused   Mark = "paused"   // work is laid down, with a hand-over
	MarkClaimed  Mark = "claimed"  // STATE.md says complete, one test still waits
	MarkFinished Mark = "finished" // nothing is left to do
)

// Options say how a build is played. The zero value plays it in real time.
type Options struct {
	// Now is the clock that dates files and what is written in them;
	// [time.Now] when nil.
	Now func() time.Time
	// Sleep waits, and returns the context's error when that ends first. When
	// nil it waits in real time.
	Sleep func(ctx context.Context, d time.Duration) error
	// Speed divides every wait; 0 means 1.
	Speed float64
	// Once ends the build after one round, without the rest.
	Once bool
	// Until ends the build at a moment of the first round; "" does not.
	Until Mark
	// Changes tells the agent of the loop what a human has asked to be changed
	// at a gate, given by the IDs of its build and its node in the model: once
	// for each time they ask, and ok is false otherwise. It is called from
	// [Build.Run]; nil where nobody can ask.
	Changes func(build, gate string) (text string, ok bool)
	// Asks is where an agent asks as live agents do, on behalf of the process Self; nil where none does.
	Asks *ask.Store
	Self process.ID

	only string // of the projects below the first, which is played; "": both. For tests
}

// plays reports whether a project below the first is played.
func (o *Options) plays(dir string) bool { return o.only == "" || o.only == dir }

// Build is one simulated build in one directory.
type Build struct {
	dir  string
	opts Options
	ago  time.Duration // how long before now what is being written happened
	w    *world
	open []*request
	loop *loopAgent
	feed *feederAgent
	nest *taskAgent
	asks *asker
}

// Dirs returns the directories of the projects that are built, the one given to [New] first.
func (b *Build) Dirs() []string {
	return []string{b.dir, filepath.Join(b.dir, feederDir), filepath.Join(b.dir, nestDir)}
}

// errUntil ends a round at the moment that was asked for.
var errUntil = errors.New("the moment asked for is reached")

// New writes the starting state of a build into a directory, which is made
// when it is missing. It refuses one that already has a .planning folder or a
// file of the others, so that it never touches a real project.
func New(dir string, opts Options) (*Build, error) {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Sleep == nil {
		opts.Sleep = sleep
	}
	if opts.Speed <= 0 {
		opts.Speed = 1
	}
	if taken, err := claimed(dir); err != nil {
		return nil, err
	} else if taken != "" {
		return nil, fmt.Errorf("%s: already there; the demo wants a directory without it", taken)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	b := &Build{dir: dir, opts: opts}
	b.loop, b.feed, b.nest, b.asks = newLoopAgent(b), newFeederAgent(b), newTaskAgent(b), &asker{}
	if err := b.begin(); err != nil {
		return nil, err
	}
	if opts.Asks != nil {
		dirs := b.Dirs()
		at, err := filepath.Abs(dirs[len(dirs)-1])
		if err == nil {
			at, err = filepath.EvalSymlinks(at) // agents name projects by their real paths
		}
		if err != nil {
			return nil, err
		}
		b.asks = newAsker(opts.Asks, opts.Self, at)
	}
	return b, nil
}

// Run plays the build until the context ends, whose error it then returns. It
// returns nil when it ends as [Options.Once] or [Options.Until] ask. At the
// start of a fresh round everything under .planning that is not part of the
// starting state is removed; the others begin anew once they have ended.
func (b *Build) Run(ctx context.Context) error {
	if b.opts.Until == MarkStart {
		return nil
	}
	defer b.asks.leave()
	for {
		err := b.play(ctx, b.w.Script)
		if errors.Is(err, errUntil) {
			return nil
		}
		if err != nil || b.opts.Once {
			return err
		}
		if err := b.pass(ctx, rest); err != nil {
			return err
		}
		if err := b.begin(); err != nil {
			return err
		}
	}
}

// play takes steps one after the other.
func (b *Build) play(ctx context.Context, steps []step) error {
	for i := range steps {
		s := &steps[i]
		if err := b.pass(ctx, s.After); err != nil {
			return err
		}
		if err := b.take(s); err != nil {
			return fmt.Errorf("demo: %s: %w", s.What, err)
		}
		if s.Mark != "" && s.Mark == b.opts.Until {
			return errUntil
		}
		for s.Await != "" && b.asking(s.Await) {
			if err := b.pass(ctx, tick); err != nil {
				return err
			}
		}
	}
	return nil
}

// pass lets time go by and answers go on: what was asked is looked at every
// tick, and what follows from an answer is played at once.
func (b *Build) pass(ctx context.Context, d time.Duration) error {
	for {
		slice := min(d, tick)
		if err := b.opts.Sleep(ctx, time.Duration(float64(slice)/b.opts.Speed)); err != nil {
			return err
		}
		if err := b.loop.tick(slice); err != nil {
			return err
		}
		if b.opts.plays(feederDir) {
			if err := b.feed.tick(slice); err != nil {
				return fmt.Errorf("demo: %s: %w", feederDir, err)
			}
		}
		if b.opts.plays(nestDir) {
			if err := b.nest.tick(ctx, slice); err != nil {
				return fmt.Errorf("demo: %s: %w", nestDir, err)
			}
		}
		b.asks.tick(slice)
		for _, a := range slices.Clone(b.open) {
			a.left -= slice
			if err := b.attend(ctx, a); err != nil {
				return err
			}
		}
		if d -= slice; d <= 0 {
			return nil
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// work is what an agent has at hand.
type work struct {
	job  string        // "" for none
	left time.Duration // until it is done
}

// done lets time go by, and reports whether the job is done then. Another one than before, or the same again, begins anew.
func (w *work) done(job string, takes, d time.Duration) bool {
	if job != w.job {
		w.job, w.left = job, takes
	}
	if w.left -= d; job == "" || w.left > 0 {
		return false
	}
	w.job = ""
	return true
}
