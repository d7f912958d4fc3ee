package parse

import (
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents"
	"gatehouse/parse/agents/ask"
	askfiles "gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/disk/peek"
)

// AgentScope selects directories whose live agents are shown in addition to the followed projects.
type AgentScope struct {
	Below      []string // in these directories and below, real paths
	Projects   []string // and in the projects with these roots
	Everywhere bool
	// Only shows no agent outside of the projects and of Below, not even if it asks something.
	Only bool
}

// HasRoot reports whether agents in a project are always shown.
func (s AgentScope) HasRoot(root string) bool {
	if s.Everywhere {
		return true
	}
	for _, dir := range s.Below {
		if rel, err := filepath.Rel(dir, root); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return slices.Contains(s.Projects, root)
}

// In returns a function that reports whether the agents in a project are always shown: the project is in the scope, or an agent of it works
// there, in a linked working tree.
func (s AgentScope) In(snapshot *agents.Snapshot) func(root string) bool {
	roots := map[string]bool{}
	for i := range snapshot.Sessions {
		x := &snapshot.Sessions[i]
		roots[x.Project] = roots[x.Project] || s.HasRoot(x.Dir)
	}
	for i := range snapshot.Asks {
		if item := &snapshot.Asks[i]; item.State == ask.Waiting {
			roots[item.Project] = roots[item.Project] || s.HasRoot(item.Dir)
		}
	}
	return func(root string) bool { return roots[root] || s.HasRoot(root) }
}

const (
	// sweepEvery is how often processes and transcripts are checked: nothing reports a killed process.
	sweepEvery = 3 * time.Second
	// pollEvery is the same while a session works: its steps are only in its transcript.
	pollEvery = time.Second
)

// listener reads the asks and states of live agents while projects are followed. Without a store it reads nothing.
type listener struct {
	store    *ask.Store
	reader   *agents.Reader
	changed  <-chan struct{}  // changes outside the watched directories
	mirrors  []*mirror.Mirror // the store and the directories of the clients' records
	dirs     [][]string       // the listed paths of each
	roots    []string         // of the projects, real paths
	known    map[string]bool  // the same as a set
	scope    AgentScope
	snapshot *agents.Snapshot
	others   []*model.Project // with agents alone
	sessions []model.Session
	swept    time.Time
}

// newListener returns the listener of some projects of one user.
func newListener(projects []*Project, user User, scope AgentScope) *listener {
	l := &listener{snapshot: &agents.Snapshot{}, known: map[string]bool{}, scope: scope, store: user.Asks}
	for _, p := range projects {
		root := peek.Resolve(p.root)
		l.roots, l.known[root] = append(l.roots, root), true
		if l.store == nil {
			user, l.store = p.user, p.user.Asks
		}
	}
	if l.store == nil {
		return l
	}
	l.reader, l.changed = user.agentReader(), user.AgentsChanged
	l.mirrors, l.dirs = []*mirror.Mirror{mirror.New(l.store.Dir)}, [][]string{ask.Dirs()}
	if l.reader.Records != nil {
		for _, dir := range l.reader.Records.Dirs() {
			l.mirrors, l.dirs = append(l.mirrors, mirror.New(filepath.Dir(dir))), append(l.dirs, []string{filepath.Base(dir)})
		}
	}
	return l
}

// agentReader returns a new reader of live agents.
func (u User) agentReader() *agents.Reader {
	if u.Agents != nil {
		return u.Agents()
	}
	return agents.NewReader(agents.Options{Store: u.Asks, Project: func(dir string) string { return ProjectRoot(dir, u) }})
}

// ProjectRoot returns the root of the project that a directory belongs to, its real path: the one of the nearest build, else the main
// working tree of its repository, else the directory itself.
func ProjectRoot(dir string, user User) string {
	dir = peek.Resolve(dir)
	if p, err := Open(dir, user); err == nil && p.HoldsBuild() {
		return peek.Resolve(p.Root())
	}
	if r, ok := askfiles.Repository(dir); ok {
		return peek.Resolve(r.Root)
	}
	return dir
}

// watchDirs watches the directories.
func (l *listener) watchDirs(w mirror.Watcher) {
	for _, m := range l.mirrors {
		m.Watched(w)
	}
	l.listDirs()
}

// listDirs lists the directories, so that they are watched. The readers read their files themselves.
func (l *listener) listDirs() {
	for i, m := range l.mirrors {
		for _, dir := range l.dirs[i] {
			m.List(dir)
		}
	}
}

// readSnapshot reads the asks and states of agents. It returns the indexes of the projects that may have changed, and whether
// anything has.
func (l *listener) readSnapshot(now time.Time) (some []int, changed bool) {
	if l.store == nil {
		return nil, false
	}
	before := l.snapshot
	l.snapshot = l.reader.Read()
	inScope := l.scope.In(l.snapshot)
	if l.scope.Only {
		l.snapshot = l.snapshot.Within(func(root string) bool { return l.known[root] || inScope(root) })
	}
	changed = !reflect.DeepEqual(before, l.snapshot)
	touched := map[string]bool{}
	for _, s := range [...]*agents.Snapshot{before, l.snapshot} {
		for i := range s.Asks {
			touched[s.Asks[i].Project] = true
		}
		for i := range s.Sessions {
			touched[s.Sessions[i].Project] = true
		}
	}
	for i, root := range l.roots {
		if touched[root] || (before.Err == nil) != (l.snapshot.Err == nil) {
			some = append(some, i)
		}
	}
	l.others = l.snapshot.Others(func(root string) bool { return l.known[root] }, inScope, now)
	l.sessions = l.snapshot.Models()
	return some, changed
}

// touchDirs records the paths of a watcher's report; no paths means everywhere.
func (l *listener) touchDirs(paths []string) {
	for _, m := range l.mirrors {
		m.Touch(paths...)
	}
	l.listDirs()
}

// pollDirs reports whether something in the directories has changed.
func (l *listener) pollDirs() (changed bool) {
	for _, m := range l.mirrors {
		changed = len(m.Poll()) > 0 || changed
	}
	l.listDirs()
	return changed
}

// nextSweep returns a channel that is ready when it is time to look at processes and transcripts; nil without sessions and asks.
func (l *listener) nextSweep(now time.Time) <-chan time.Time {
	if l.store == nil || len(l.snapshot.Sessions) == 0 && !l.snapshot.HasOpen() {
		return nil
	}
	every := sweepEvery
	for i := range l.snapshot.Sessions {
		if l.snapshot.Sessions[i].State.IsRunning() {
			every = pollEvery
		}
	}
	return time.After(min(max(l.swept.Add(every).Sub(now), 0), every))
}

// sweepAsks ends obsolete asks.
func (l *listener) sweepAsks(now time.Time) {
	l.swept = now
	l.store.Sweep()
}

// addAgents adds the live agents to a project that was read, and finds when they change without a changed file.
func (f *roster) addAgents(i int, now time.Time) {
	f.shown[i] = f.agents.snapshot.In(f.found[i], f.agents.roots[i], now)
	f.turns[i] = time.Time{}
	if len(f.projects[i].ledger.log.Waiters()) > 0 { // a killed waiter leaves no trace
		f.turns[i] = now.Add(lookAgain)
	}
	for _, b := range f.shown[i].Builds {
		if at := b.TurnsAt(now); !at.IsZero() && (f.turns[i].IsZero() || at.Before(f.turns[i])) {
			f.turns[i] = at
		}
	}
}

// readAgents reads the asks and states of live agents, and reports whether anything has changed. It reads no file of a
// project.
func (f *roster) readAgents(now time.Time) bool {
	some, changed := f.agents.readSnapshot(now)
	if changed {
		for _, i := range some {
			f.addAgents(i, now)
		}
	}
	return changed
}

// WithAgents returns projects that were read once with their live agents, followed by the projects that consist of agents alone, for
// commands. It also returns the sessions.
func WithAgents(projects []*model.Project, user User, scope AgentScope, now time.Time) ([]*model.Project, []model.Session) {
	if user.Asks == nil {
		return projects, nil
	}
	user.Asks.Sweep()
	snapshot := user.agentReader().Read()
	inScope := scope.In(snapshot)
	all, known := make([]*model.Project, len(projects)), map[string]bool{}
	for i, p := range projects {
		root := peek.Resolve(p.Root)
		known[root] = true
		all[i] = snapshot.In(p, root, now)
	}
	isShown := func(root string) bool { return known[root] || scope.Only && !inScope(root) }
	shown := snapshot.Within(func(root string) bool { return known[root] || inScope(root) })
	return withOthers(all, snapshot.Others(isShown, inScope, now)), shown.Models()
}

// withOthers returns projects followed by those that consist of live agents. It drops directories without a build then.
func withOthers(projects, others []*model.Project) []*model.Project {
	all := slices.Clone(projects)
	if len(others) > 0 {
		all = slices.DeleteFunc(all, func(p *model.Project) bool { return len(p.Builds)+len(p.Problems)+len(p.Decisions) == 0 })
	}
	return append(all, others...)
}
