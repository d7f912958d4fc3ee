// Following projects as they change.
//
//	fsnotify ──► watch ──► Batch{paths} ──► Project.Touch   (what to read again)
//	   poll ──┘   files, journals            Project.Read    (files → model)
//	                                              │
//	Next(after) ◄── newest Snapshot ◄─────────────┘          (the latest wins)
//
// All of it happens in one goroutine, which has projects read on all
// processors where there are several to read. Whoever shows the snapshots asks
// for the next one when it is ready for it; what came between is never kept.

package parse

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/watch"
)

// Live is a [model.Feed] of projects that are read again when their files
// change. It is their [model.Files], too.
type Live struct {
	now func() time.Time

	mu       sync.Mutex
	projects []*Project // nil until they are open
	latest   *model.Snapshot
	fresh    chan struct{} // closed when latest is replaced

	ended chan struct{} // closed when no snapshot will come any more, for the reason in err
	err   error
}

// Follow opens the projects and reads them, and goes on reading what changes in
// them until the context ends. The clock dates the snapshots. It returns at
// once: the first snapshot is there when all has been read. Nobody else may use
// the projects from then on.
func Follow(ctx context.Context, open func(context.Context) ([]*Project, error), now func() time.Time, opts watch.Options) *Live {
	l := &Live{now: now, fresh: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		l.err = l.follow(ctx, open, opts)
		close(l.ended)
	}()
	return l
}

// Opened returns projects that are open, for [Follow].
func Opened(projects ...*Project) func(context.Context) ([]*Project, error) {
	return func(context.Context) ([]*Project, error) { return projects, nil }
}

// follow opens, reads and follows until the context ends or something is wrong, and says what.
func (l *Live) follow(ctx context.Context, open func(context.Context) ([]*Project, error), opts watch.Options) error {
	projects, err := open(ctx)
	if err != nil {
		return err
	}
	l.mu.Lock()
	l.projects = projects
	l.mu.Unlock()
	f := newRoster(projects)
	watched := make([][]watch.Root, len(projects))
	onAllProcessors(ctx, len(projects), func(i int) { watched[i] = projects[i].watchedRoots() })
	// Watch before reading, so that no change falls between.
	files, err := watch.New(ctx, slices.Concat(watched...), opts)
	if err != nil {
		return err
	}
	defer files.Close()
	// Apart from the files: a decision is first entered in the journal, and would have its file wait to be bundled with that.
	journals, err := watch.New(ctx, journalRoots(projects), opts)
	if err != nil {
		return err
	}
	defer journals.Close()
	f.read(ctx, l.now(), f.all(), func(p *Project) { p.Touch() }) // It may have been read before it was watched.
	l.publish(ctx, f, "")
	l.run(ctx, files, journals, f)
	return context.Cause(ctx)
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
func (l *Live) run(ctx context.Context, files, journals *watch.Watcher, f *roster) {
	status := ""
	for {
		select {
		case <-f.settled(l.now()):
			f.read(ctx, l.now(), f.lagging(l.now()), func(*Project) {})
		case batch, ok := <-files.Changes():
			if !ok {
				return
			}
			status = watching(batch)
			f.readFiles(ctx, l.now(), batch)
		case batch, ok := <-journals.Changes():
			if !ok {
				return
			}
			if !f.readJournals(ctx, l.now(), batch) {
				continue
			}
		}
		l.publish(ctx, f, status)
	}
}

// roster is the projects that are followed, as they were read last.
type roster struct {
	projects []*Project
	shown    []*model.Project
	roots    map[string]int   // their places in the list, by root
	journals map[string][]int // and by the file of their journal
}

func newRoster(projects []*Project) *roster {
	f := &roster{
		projects: projects, shown: make([]*model.Project, len(projects)),
		roots: make(map[string]int, len(projects)), journals: map[string][]int{},
	}
	for i, p := range projects {
		f.roots[p.root] = i
		if log := p.ledger.log; log != nil {
			f.journals[log.File()] = append(f.journals[log.File()], i)
		}
	}
	return f
}

// all returns the places of all projects in the list.
func (f *roster) all() []int {
	all := make([]int, len(f.projects))
	for i := range all {
		all[i] = i
	}
	return all
}

// read reads some of the projects again, each once it is made ready for that.
func (f *roster) read(ctx context.Context, now time.Time, some []int, ready func(*Project)) {
	onAllProcessors(ctx, len(some), func(k int) {
		i := some[k]
		ready(f.projects[i])
		f.shown[i] = f.projects[i].Read(now)
	})
}

// readFiles reads the projects again in which files have changed.
func (f *roster) readFiles(ctx context.Context, now time.Time, batch watch.Batch) {
	if batch.All {
		f.read(ctx, now, f.all(), func(p *Project) { p.Touch() })
		return
	}
	changed := map[*Project][]string{}
	var some []int
	for _, path := range batch.Paths {
		for _, i := range f.holding(path) {
			p := f.projects[i]
			if changed[p] == nil {
				some = append(some, i)
			}
			changed[p] = append(changed[p], path)
		}
	}
	f.read(ctx, now, some, func(p *Project) { p.Touch(changed[p]...) })
}

// holding returns the places in the list of the projects in whose directories a path, absolute, lies.
func (f *roster) holding(path string) (some []int) {
	for {
		if i, ok := f.roots[path]; ok {
			some = append(some, i)
		}
		above := filepath.Dir(path)
		if above == path {
			return some
		}
		path = above
	}
}

// readJournals reads the projects again of which the journal has changed, and reports whether there are any.
func (f *roster) readJournals(ctx context.Context, now time.Time, batch watch.Batch) bool {
	some := f.all()
	if !batch.All {
		some = nil
		for _, path := range batch.Paths {
			some = append(some, f.journals[path]...)
		}
	}
	f.read(ctx, now, some, func(*Project) {})
	return len(some) > 0
}

// lagging returns the places of the projects in which a claim that lagged behind has become a disagreement by now.
func (f *roster) lagging(now time.Time) (some []int) {
	for i, p := range f.shown {
		for _, b := range p.Builds {
			if !b.Settles.IsZero() && !b.Settles.After(now) && !slices.Contains(some, i) {
				some = append(some, i)
			}
		}
	}
	return some
}

// settled returns a channel that is ready when the first claim that lags behind becomes a disagreement, nil without one.
func (f *roster) settled(now time.Time) <-chan time.Time {
	var first time.Time
	for _, p := range f.shown {
		if p == nil {
			continue
		}
		for _, b := range p.Builds {
			if !b.Settles.IsZero() && (first.IsZero() || b.Settles.Before(first)) {
				first = b.Settles
			}
		}
	}
	if first.IsZero() {
		return nil
	}
	return time.After(max(first.Sub(now), 0))
}

// watching says what is not as it should be about noticing changes.
func watching(b watch.Batch) string {
	if b.Status == "" && len(b.Problems) > 0 {
		return b.Problems[0].Path + ": " + b.Problems[0].Text
	}
	return b.Status
}

// publish hands out the projects as they are now, unless the context has ended: they may not all have been read then.
func (l *Live) publish(ctx context.Context, f *roster, watch string) {
	if ctx.Err() != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	version := uint64(1)
	if l.latest != nil {
		version = l.latest.Version + 1
	}
	l.latest = &model.Snapshot{Version: version, At: l.now(), Projects: slices.Clone(f.shown), Watch: watch}
	close(l.fresh)
	l.fresh = make(chan struct{})
}

// Next implements [model.Feed]. When the context that the projects are followed
// for has ended, and with it what there is to wait for, it returns the cause;
// where they could not be opened, it returns why.
func (l *Live) Next(ctx context.Context, after uint64) (*model.Snapshot, error) {
	for {
		l.mu.Lock()
		latest, fresh := l.latest, l.fresh
		l.mu.Unlock()
		if latest != nil && latest.Version > after {
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

// opened returns the projects, none before they are open.
func (l *Live) opened() []*Project {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.projects
}

// Text implements [model.Files].
func (l *Live) Text(project, file string) (string, error) {
	return Files(l.opened()).Text(project, file)
}

// Path implements [model.Files].
func (l *Live) Path(project, file string) (string, error) {
	return Files(l.opened()).Path(project, file)
}

// Actions returns the actor of the projects, see [NewActions]. It writes on the system of the process.
func (l *Live) Actions(by string, now func() time.Time) *Actions {
	return newActions(l.opened, nil, by, now)
}

// onAllProcessors calls do for the numbers below n, several at once, until all are done or the context ends. It returns when
// nothing is being done any more.
func onAllProcessors(ctx context.Context, n int, do func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(i)
				runtime.Gosched() // A key that was pressed passes through several goroutines; each would wait for a slice of time.
			}
		})
	}
	wg.Wait()
}
