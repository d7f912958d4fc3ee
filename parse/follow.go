// Following projects as they change.
//
//	fsnotify ──► watch ──► Batch{paths} ──► Project.Touch   (what to read again)
//	   poll ──┘                              Project.Read    (files → model)
//	                                              │
//	Next(after) ◄── newest Snapshot ◄─────────────┘          (the latest wins)
//
// All reading happens in one goroutine. Whoever shows the snapshots asks for
// the next one when it is ready for it; what came between is never kept.

package parse

import (
	"context"
	"slices"
	"sync"
	"time"

	"gatehouse/model"
	"gatehouse/parse/watch"
)

// Live is a [model.Feed] of projects that are read again when their files
// change.
type Live struct {
	projects []*Project
	now      func() time.Time

	mu     sync.Mutex
	latest *model.Snapshot
	fresh  chan struct{} // closed when latest is replaced

	ended chan struct{} // closed when no snapshot will come any more, for the reason in err
	err   error
}

// Follow reads the projects and goes on reading what changes in them until the
// context ends. The clock dates the snapshots. The first snapshot is there when
// it returns. Nobody else may use the projects from then on.
func Follow(ctx context.Context, projects []*Project, now func() time.Time, opts watch.Options) (*Live, error) {
	l := &Live{projects: projects, now: now, fresh: make(chan struct{}), ended: make(chan struct{})}
	var roots []watch.Root
	for _, p := range projects {
		roots = append(roots, p.Watched()...)
	}
	// Watch before reading, so that no change falls between.
	w, err := watch.New(ctx, roots, opts)
	if err != nil {
		return nil, err
	}
	shown := make([]*model.Project, len(projects))
	for i, p := range projects {
		p.Touch() // It may have been read before it was watched.
		shown[i] = p.Read(now())
	}
	l.publish(shown, "")
	go func() {
		l.run(w, shown)
		l.err = context.Cause(ctx)
		close(l.ended)
	}()
	return l, nil
}

// run reads again what the watcher says has changed, until it ends.
func (l *Live) run(w *watch.Watcher, shown []*model.Project) {
	for batch := range w.Changes() {
		for i, p := range l.projects {
			if batch.All {
				p.Touch()
				shown[i] = p.Read(l.now())
				continue
			}
			mine := slices.DeleteFunc(slices.Clone(batch.Paths), func(path string) bool { return !p.holds(path) })
			if len(mine) > 0 {
				p.Touch(mine...)
				shown[i] = p.Read(l.now())
			}
		}
		l.publish(shown, watching(batch))
	}
}

// watching says what is not as it should be about noticing changes.
func watching(b watch.Batch) string {
	if b.Status == "" && len(b.Problems) > 0 {
		return b.Problems[0].Path + ": " + b.Problems[0].Text
	}
	return b.Status
}

func (l *Live) publish(projects []*model.Project, watch string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	version := uint64(1)
	if l.latest != nil {
		version = l.latest.Version + 1
	}
	l.latest = &model.Snapshot{Version: version, At: l.now(), Projects: ordered(projects), Watch: watch}
	close(l.fresh)
	l.fresh = make(chan struct{})
}

// ordered puts the projects first in which something waits, then those in
// which something is blocked or has failed; else they stay as they were named.
func ordered(projects []*model.Project) []*model.Project {
	best := func(p *model.Project) int {
		const nothing = 2
		r := nothing
		for _, b := range p.Builds {
			r = min(r, rank(b))
		}
		return r
	}
	sorted := slices.Clone(projects)
	slices.SortStableFunc(sorted, func(a, b *model.Project) int { return best(a) - best(b) })
	return sorted
}

// Next implements [model.Feed]. When the context that the projects are followed
// for has ended, and with it what there is to wait for, it returns the cause.
func (l *Live) Next(ctx context.Context, after uint64) (*model.Snapshot, error) {
	for {
		l.mu.Lock()
		latest, fresh := l.latest, l.fresh
		l.mu.Unlock()
		if latest.Version > after {
			return latest, nil
		}
		select {
		case <-fresh:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-l.ended:
			return nil, l.err
		}
	}
}
