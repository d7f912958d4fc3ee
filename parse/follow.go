// Following projects as they change.
//
//	fsnotify ──► watch ──► Batch{paths} ──► Project.Touch   (what to read again)
//	   poll ──────────────────────────────► mirror.Poll     (lists all again: the same)
//	              ▲ Watch, before a listing      │
//	              └───────────────────────── Project.Read    (files → model)
//	                                             │
//	Next(after) ◄── newest Snapshot ◄────────────┘           (the latest wins)
//
// All of it happens in one goroutine, which reads several projects on all processors. Consumers request the next
// snapshot when they are ready for it; intermediate snapshots are dropped.

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
	"gatehouse/parse/disk/journal"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/disk/watch"
)

// Live is a [model.Feed] of projects that are read again when their files change. It is their [model.Files], too.
type Live struct {
	now   func() time.Time
	user  User       // whose live agents are shown, if there are no projects
	scope AgentScope // selects live agents

	mu       sync.Mutex
	projects []*Project // nil until they are open
	latest   *model.Snapshot
	fresh    chan struct{} // closed when latest is replaced

	ended chan struct{} // closed when no more snapshots will come, for the reason in err
	err   error
}

// FollowAgents opens the projects and reads them, and keeps rereading changes until the context ends. It adds the live agents
// of a user in other directories, even if no project is open. The clock dates the snapshots. It returns at once: the first
// snapshot comes when all has been read. The caller must not share the projects from then on.
func FollowAgents(
	ctx context.Context, open func(context.Context) ([]*Project, error), now func() time.Time, opts watch.Options, user User, scope AgentScope,
) *Live {
	l := &Live{now: now, user: user, scope: scope, fresh: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		l.err = l.followProjects(ctx, open, opts)
		close(l.ended)
	}()
	return l
}

// Opened returns projects that are open, for [FollowAgents].
func Opened(projects ...*Project) func(context.Context) ([]*Project, error) {
	return func(context.Context) ([]*Project, error) { return projects, nil }
}

// followProjects opens, reads and follows until the context ends or an error occurs, and returns the error.
func (l *Live) followProjects(ctx context.Context, open func(context.Context) ([]*Project, error), opts watch.Options) error {
	projects, err := open(ctx)
	if err != nil {
		return err
	}
	l.mu.Lock()
	l.projects = projects
	l.mu.Unlock()
	files, own := watch.New(ctx, opts), watch.New(ctx, opts)
	defer files.Close()
	defer own.Close()
	f := newRoster(projects, l.user, l.scope)
	f.watchJournals(own)
	f.agents.watchDirs(own)
	for _, p := range projects {
		p.mirror.Watched(files)
		p.Touch() // It may have been read before it was watched.
	}
	f.agents.readSnapshot(l.now())
	f.readProjects(ctx, l.now(), f.allIndexes())
	f.status = files.Status()
	l.publishSnapshot(ctx, f)
	l.handleChanges(ctx, files, own, f)
	return context.Cause(ctx)
}

// handleChanges rereads changed files as the watchers report them, until they end. The journals and the store of asks have a watcher of
// their own: a decision is first entered in the journal, and would delay the event of its file.
func (l *Live) handleChanges(ctx context.Context, files, own *watch.Watcher, f *roster) {
	for {
		var some []int
		reread := false // live agents, which need no rereading of a project
		select {
		case batch, ok := <-own.Changes():
			if !ok {
				return
			}
			f.agents.touchDirs(batch.Paths)
			for _, m := range f.logs {
				m.Touch(batch.Paths...) // everything if the batch asks for all
			}
			some, reread = f.pollJournals(), true
		case <-own.Due():
			own.Poll(func() { some, reread = f.pollJournals(), f.agents.pollDirs() })
		case <-f.agents.nextSweep(l.now()):
			f.agents.sweepAsks(l.now())
			reread = true
		case <-f.agents.changed:
			reread = true
		case <-f.nextTurn(l.now()):
			if some = f.turnedProjects(l.now()); len(some) == 0 {
				continue
			}
		case batch, ok := <-files.Changes():
			if !ok {
				return
			}
			some = f.touchPaths(files, batch)
		case <-files.Due():
			files.Poll(func() { some = f.pollProjects() })
		}
		changed := reread && f.readAgents(l.now())
		f.readProjects(ctx, l.now(), some)
		if status := files.Status(); len(some) > 0 || changed || status != f.status {
			f.status = status
			l.publishSnapshot(ctx, f)
		}
	}
}

// roster is the projects that are followed, as they were read last.
type roster struct {
	projects []*Project
	found    []*model.Project // as their files say
	shown    []*model.Project // and with their live agents
	agents   *listener
	turns    []time.Time      // when each changes without a changed file, see [model.Build.TurnsAt]
	status   string           // why changes may be seen late, "" if they are not
	places   map[any]int      // their places in the list, by mirror
	journals map[string][]int // and by the file of their journal
	logs     []*mirror.Mirror // the directories of the journals
}

func newRoster(projects []*Project, user User, scope AgentScope) *roster {
	f := &roster{
		projects: projects, found: make([]*model.Project, len(projects)), shown: make([]*model.Project, len(projects)), agents: newListener(projects, user, scope), turns: make([]time.Time, len(projects)),
		places: make(map[any]int, len(projects)), journals: map[string][]int{},
	}
	for i, p := range projects {
		f.places[p.mirror] = i
		if log := p.ledger.log; p.user.Journal != "" {
			f.journals[log.File()] = append(f.journals[log.File()], i)
		}
	}
	return f
}

// watchJournals watches the directories of the journals.
func (f *roster) watchJournals(w mirror.Watcher) {
	dirs := map[string]bool{}
	for file := range f.journals {
		dirs[filepath.Dir(file)] = true
	}
	for dir := range dirs {
		m := mirror.New(dir)
		m.Watched(w)
		m.List(".")
		f.logs = append(f.logs, m)
	}
}

// allIndexes returns the places of all projects in the list.
func (f *roster) allIndexes() []int {
	all := make([]int, len(f.projects))
	for i := range all {
		all[i] = i
	}
	return all
}

// readProjects reads some of the projects again.
func (f *roster) readProjects(ctx context.Context, now time.Time, some []int) {
	slices.Sort(some)
	some = slices.Compact(some)
	onAllProcessors(ctx, len(some), func(k int) {
		i := some[k]
		f.found[i] = f.projects[i].Read(now)
		f.addAgents(i, now)
	})
}

// touchPaths marks changed paths in the projects, and returns the indexes of the affected projects. It marks all of them
// before any is read: a directory that moved from one to the other gets a new watch.
func (f *roster) touchPaths(files *watch.Watcher, batch watch.Batch) (some []int) {
	if batch.All {
		for _, p := range f.projects {
			p.Touch()
		}
		return f.allIndexes()
	}
	changed := map[int][]string{}
	for _, path := range batch.Paths {
		for _, by := range files.Watching(path) {
			changed[f.places[by]] = append(changed[f.places[by]], path)
		}
	}
	for i, paths := range changed {
		if f.projects[i].Touch(paths...) {
			some = append(some, i)
		}
	}
	return some
}

// pollProjects returns the indexes of changed projects.
func (f *roster) pollProjects() (some []int) {
	for i, p := range f.projects {
		if len(p.mirror.Poll()) > 0 {
			some = append(some, i)
		}
	}
	return some
}

// pollJournals returns the indexes of the projects with changed journals.
func (f *roster) pollJournals() (some []int) {
	for _, m := range f.logs {
		for _, file := range m.Poll() {
			some = append(some, f.journals[journal.FileOf(file)]...)
		}
	}
	return some
}

// turnedProjects returns the places of the projects that have changed by now without a changed file.
func (f *roster) turnedProjects(now time.Time) (some []int) {
	for i, at := range f.turns {
		if !at.IsZero() && !at.After(now) {
			some = append(some, i)
		}
	}
	return some
}

// lookAgain is the longest time between two looks at the clock while something depends on it: a machine that slept counts none
// of that time.
const lookAgain = time.Minute

// nextTurn returns a channel that is ready when the first project reads differently, or when it is time to look at the
// clock again; nil if nothing depends on it.
func (f *roster) nextTurn(now time.Time) <-chan time.Time {
	var first time.Time
	for _, at := range f.turns {
		if !at.IsZero() && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	if first.IsZero() {
		return nil
	}
	return time.After(min(max(first.Sub(now), 0), lookAgain))
}

// publishSnapshot publishes the current projects, unless the context has ended: they may not all have been read then.
func (l *Live) publishSnapshot(ctx context.Context, f *roster) {
	if ctx.Err() != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	version := uint64(1)
	if l.latest != nil {
		version = l.latest.Version + 1
	}
	l.latest = &model.Snapshot{Version: version, At: l.now(), Projects: withOthers(f.shown, f.agents.others), Watch: f.status, Sessions: f.agents.sessions}
	close(l.fresh)
	l.fresh = make(chan struct{})
}

// Next implements [model.Feed]. After the context of the feed has ended, it returns the cause; if the projects could
// not be opened, it returns the error.
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

// openProjects returns the projects, none before they are open.
func (l *Live) openProjects() []*Project {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.projects
}

// Text implements [model.Files].
func (l *Live) Text(project, file string) (string, error) {
	return Files(l.openProjects()).Text(project, file)
}

// Path implements [model.Files].
func (l *Live) Path(project, file string) (string, error) {
	return Files(l.openProjects()).Path(project, file)
}

// Decisions returns the decisions about a project, by its root, like [Decisions]; none if it is not open.
func (l *Live) Decisions(root string) ([]model.Decision, error) {
	for _, p := range l.openProjects() {
		if p.root == root {
			return Decisions([]*Project{p.withoutCache()}, l.now())
		}
	}
	return nil, nil
}

// Actions returns the actor of the projects, see [NewActions]. It writes on the system of the process.
func (l *Live) Actions(by string, now func() time.Time) *Actions {
	return newActions(l.openProjects, nil, by, now)
}

// onAllProcessors calls do for the numbers below n, several at once, until all are done or the context ends. It returns when
// all calls have returned.
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
				runtime.Gosched() // A pressed key passes through several goroutines; each would wait for a time slice.
			}
		})
	}
	wg.Wait()
}
