package remote

// Local and remote projects in one feed.

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"gatehouse/model"
)

// Union is a feed of local and remote projects, and the [model.Files], [model.Actor] and [model.Answerer] of both.
type Union struct {
	Local struct { // Actor and Answerer may be nil
		model.Feed
		model.Files
		model.Actor
		model.Answerer
	}
	*View

	mu      sync.Mutex
	version uint64
	fresh   chan struct{}
	latest  [2]*model.Snapshot // local and remote
	ended   error
}

// firstWithin is how long the first snapshot waits for hosts. Projects that come later look new.
const firstWithin = time.Second

// NewUnion joins local and remote projects, until ctx ends.
func NewUnion(ctx context.Context, feed model.Feed, files model.Files, actor model.Actor, answerer model.Answerer, f *View) *Union {
	u := &Union{View: f, fresh: make(chan struct{})}
	u.Local.Feed, u.Local.Files, u.Local.Actor, u.Local.Answerer = feed, files, actor, answerer
	go u.follow(ctx, 0, feed)
	go func() {
		soon, cancel := context.WithTimeout(ctx, firstWithin)
		f.Ready(soon)
		cancel()
		u.follow(ctx, 1, f)
	}()
	return u
}

// follow collects the snapshots of a feed.
func (u *Union) follow(ctx context.Context, i int, feed model.Feed) {
	for version := uint64(0); ; {
		snap, err := feed.Next(ctx, version)
		u.mu.Lock()
		if err != nil {
			u.ended = err
		} else {
			version, u.latest[i] = snap.Version, snap
			u.version++
		}
		close(u.fresh)
		u.fresh = make(chan struct{})
		u.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// Next implements [model.Feed]. It waits for a first snapshot of each feed.
func (u *Union) Next(ctx context.Context, after uint64) (*model.Snapshot, error) {
	for {
		u.mu.Lock()
		fresh, ended, version, latest := u.fresh, u.ended, u.version, u.latest
		u.mu.Unlock()
		switch {
		case version > after && latest[0] != nil && latest[1] != nil:
			snap := u.Join(latest[0], latest[1])
			snap.Version = version
			return snap, nil
		case ended != nil:
			return nil, ended
		}
		select {
		case <-fresh:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Join joins a local and a remote snapshot. Projects that this account has joined itself are shown once.
func (f *View) Join(here, elsewhere *model.Snapshot) *model.Snapshot {
	all := *here
	all.Hosts, all.Projects = elsewhere.Hosts, nil
	if elsewhere.At.After(all.At) {
		all.At = elsewhere.At
	}
	var own []string // names of hosts that run as this account
	f.mu.Lock()
	for h := range f.hosts() {
		if h.presence.Machine != "" && h.presence.Machine == f.Machine {
			own = append(own, h.name.get())
		}
	}
	f.mu.Unlock()
	local := map[string]bool{}
	for _, p := range here.Projects {
		for _, name := range own {
			local[Root(name, p.Root)] = true
		}
		if len(p.Builds) > 0 || len(p.Problems) > 0 || len(elsewhere.Projects) == 0 { // an empty directory is shown only if there is nothing else
			all.Projects = append(all.Projects, p)
		}
	}
	for _, p := range elsewhere.Projects {
		if !local[p.Root] {
			all.Projects = append(all.Projects, p)
		}
	}
	all.Sessions = slices.Clone(here.Sessions)
	for _, x := range elsewhere.Sessions {
		if !slices.ContainsFunc(own, func(name string) bool { return strings.HasPrefix(x.Project, Root(name, "")) }) {
			all.Sessions = append(all.Sessions, x)
		}
	}
	watch := slices.DeleteFunc([]string{here.Watch, elsewhere.Watch}, func(s string) bool { return s == "" })
	all.Watch = strings.Join(watch, "; ")
	return &all
}

func (u *Union) filesOf(project string) model.Files {
	if u.Has(project) {
		return u.View
	}
	return u.Local.Files
}

// Text implements [model.Files].
func (u *Union) Text(project, file string) (string, error) {
	return u.filesOf(project).Text(project, file)
}

// Path implements [model.Files].
func (u *Union) Path(project, file string) (string, error) {
	return u.filesOf(project).Path(project, file)
}

func (u *Union) actorOf(project string) model.Actor {
	if u.Has(project) {
		return u.View
	}
	return u.Local.Actor
}

// Propose implements [model.Actor].
func (u *Union) Propose(ctx context.Context, a model.Action) (*model.Proposal, error) {
	return u.actorOf(a.Project).Propose(ctx, a)
}

// Do implements [model.Actor].
func (u *Union) Do(ctx context.Context, a model.Action) (*model.Outcome, error) {
	return u.actorOf(a.Project).Do(ctx, a)
}

// Settle implements [model.Actor].
func (u *Union) Settle(ctx context.Context, o *model.Outcome) error {
	return u.actorOf(o.Proposal.Action.Project).Settle(ctx, o)
}

// answererOf returns the answerer for an ask or a session.
func (u *Union) answererOf(id string) model.Answerer {
	if p, _ := u.findAsk(id); p != nil || u.Local.Answerer == nil || IsRoot(id) {
		return u.View
	}
	if host, _, named := strings.Cut(id, ":"); named && u.hasHost(host) {
		return u.View
	}
	return u.Local.Answerer
}

func (f *View) hasHost(name string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for h := range f.hosts() {
		if h.name.get() == name {
			return true
		}
	}
	return false
}

// Ask implements [model.Answerer].
func (u *Union) Ask(ctx context.Context, id string) (*model.Ask, error) {
	return u.answererOf(id).Ask(ctx, id)
}

// Answer implements [model.Answerer].
func (u *Union) Answer(ctx context.Context, id string, a model.Answer) (*model.Ask, error) {
	return u.answererOf(id).Answer(ctx, id, a)
}

// Jump implements [model.Answerer].
func (u *Union) Jump(ctx context.Context, node string) (said, command string) {
	return u.answererOf(node).Jump(ctx, node)
}

// Diff implements [model.Answerer].
func (u *Union) Diff(ctx context.Context, node string) (string, error) {
	return u.answererOf(node).Diff(ctx, node)
}
