// Hearing live agents while projects are followed: what they ask is laid over what the files say.

package parse

import (
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/disk/mirror"
)

// sweepEvery is how often it is looked whether those that ask are still there: nothing tells when one is killed.
const sweepEvery = 3 * time.Second

// listener hears the agents of a roster's projects. Without a store it hears nothing.
type listener struct {
	store  *ask.Store
	reader *ask.Reader
	files  *mirror.Mirror  // the directories of the store
	roots  []string        // of the projects, real paths
	known  map[string]bool // the same as a set
	only   bool            // agents that work in none of them are not heard
	heard  *agents.Heard
	swept  time.Time
	// elsewhere are the agents that work where no project is shown, nil where nothing of them waits.
	elsewhere *model.Project
	sessions  []model.Session
}

// newListener returns the listener of some projects, which are all of one user.
func newListener(projects []*Project, only bool) *listener {
	l := &listener{heard: &agents.Heard{}, known: map[string]bool{}, only: only}
	for _, p := range projects {
		root := canonical(p.root)
		l.roots, l.known[root] = append(l.roots, root), true
		l.store = p.user.Asks
	}
	if l.store != nil {
		l.reader = l.store.Reader()
		l.files = mirror.New(l.store.Dir())
	}
	return l
}

// watch has the directories of the store watched.
func (l *listener) watch(w mirror.Watcher) {
	if l.store != nil {
		l.files.Watched(w)
		l.list()
	}
}

// list lists the directories, which has them watched. What is in them the store reads itself.
func (l *listener) list() {
	for _, dir := range ask.Dirs() {
		l.files.List(dir)
	}
}

// hear reads the store, and returns the places of the projects in which something may be otherwise.
func (l *listener) hear(now time.Time) (some []int) {
	if l.store == nil {
		return nil
	}
	before := l.heard
	if l.heard = agents.Hear(l.store, l.reader); l.only {
		l.heard = l.heard.Only(l.known)
	}
	touched := map[string]bool{}
	for _, h := range [...]*agents.Heard{before, l.heard} {
		for i := range h.Asks {
			touched[h.Asks[i].Project] = true
		}
		for i := range h.Sessions {
			touched[h.Sessions[i].Project] = true
		}
	}
	for i, root := range l.roots {
		if touched[root] || (before.Err == nil) != (l.heard.Err == nil) {
			some = append(some, i)
		}
	}
	l.elsewhere = l.heard.Elsewhere(l.store.Dir(), func(root string) bool { return l.known[root] }, now)
	l.sessions = l.heard.All()
	return some
}

// touch takes in where a watcher says that something has happened in the store, everywhere without a path.
func (l *listener) touch(paths []string) {
	l.files.Touch(paths...)
	l.list()
}

// poll reports whether something has happened in the store.
func (l *listener) poll() bool {
	if l.store == nil {
		return false
	}
	changed := len(l.files.Poll()) > 0
	l.list()
	return changed
}

// sweeping returns a channel that is ready when it is time to look whether those that ask are still there; nil where nobody asks.
func (l *listener) sweeping(now time.Time) <-chan time.Time {
	if l.store == nil || len(l.heard.Sessions) == 0 && l.heard.Waits() == 0 {
		return nil
	}
	return time.After(min(max(l.swept.Add(sweepEvery).Sub(now), 0), sweepEvery))
}

// sweep has the store end what nobody waits for any more: that changes its directories, which is heard of.
func (l *listener) sweep(now time.Time) {
	l.swept = now
	l.store.Sweep()
}

// lay lays over a project that was read what its live agents say, and finds when it will read otherwise.
func (f *roster) lay(i int, now time.Time) {
	f.shown[i] = f.asks.heard.In(f.found[i], f.asks.roots[i], now)
	f.turns[i] = time.Time{}
	if len(f.projects[i].waiters()) > 0 { // who is killed leaves no trace
		f.turns[i] = now.Add(lookAgain)
	}
	for _, b := range f.shown[i].Builds {
		if at := b.TurnsAt(now); !at.IsZero() && (f.turns[i].IsZero() || at.Before(f.turns[i])) {
			f.turns[i] = at
		}
	}
}

// hear takes in what live agents say by now. No file of a project is read for it.
func (f *roster) hear(now time.Time) {
	for _, i := range f.asks.hear(now) {
		f.lay(i, now)
	}
}

// Hear returns projects that were read once with their live agents, for commands.
func Hear(projects []*model.Project, user User, now time.Time) []*model.Project {
	if user.Asks == nil {
		return projects
	}
	user.Asks.Sweep()
	heard := agents.Hear(user.Asks, user.Asks.Reader())
	all := make([]*model.Project, len(projects))
	for i, p := range projects {
		all[i] = heard.In(p, canonical(p.Root), now)
	}
	return all
}
