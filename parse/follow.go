// Following projects as they change.
//
//	fsnotify ──► watch ──► Batch{paths} ──► Project.Touch   (what to read again)
//	   poll ──┘   files, journals            Project.Read    (files → model)
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
	"gatehouse/parse/disk/watch"
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
	files, err := watch.New(ctx, roots, opts)
	if err != nil {
		return nil, err
	}
	// Apart from the files: a decision is first entered in the journal, and would have its file wait to be bundled with that.
	journals, err := watch.New(ctx, journalRoots(projects), opts)
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
		l.run(files, journals, shown)
		l.err = context.Cause(ctx)
		close(l.ended)
	}()
	return l, nil
}

// journalRoots returns the directories of the projects' journals.
func journalRoots(projects []*Project) (roots []watch.Root) {
	for _, p := range projects {
		if p.user.Journal != "" {
			roots = append(roots, watch.Root{Dir: p.user.Journal})
		}
	}
	return roots
}

// run reads again what the watchers say has changed, until they end.
func (l *Live) run(files, journals *watch.Watcher, shown []*model.Project) {
	status := ""
	for {
		select {
		case batch, ok := <-files.Changes():
			if !ok {
				return
			}
			status = watching(batch)
			l.readFiles(batch, shown)
		case batch, ok := <-journals.Changes():
			if !ok {
				return
			}
			if !l.readJournals(batch, shown) {
				continue
			}
		}
		l.publish(shown, status)
	}
}

// readFiles reads the projects again in which files have changed.
func (l *Live) readFiles(batch watch.Batch, shown []*model.Project) {
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
}

// readJournals reads the projects again of which the journal has changed, and reports whether there are any.
func (l *Live) readJournals(batch watch.Batch, shown []*model.Project) (any bool) {
	for i, p := range l.projects {
		if log := p.ledger.log; log != nil && (batch.All || slices.Contains(batch.Paths, log.File())) {
			shown[i], any = p.Read(l.now()), true
		}
	}
	return any
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
