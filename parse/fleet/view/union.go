package view

// Local and remote projects as one.

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"gatehouse/model"
)

// Union is a feed of what is here and what is elsewhere, with its files, and an actor for both.
type Union struct {
	feeds [2]model.Feed // what is here, and the fleet
	fleet *Fleet
	files model.Files
	actor model.Actor

	mu      sync.Mutex
	version uint64
	fresh   chan struct{}
	latest  [2]*model.Snapshot // of each feed, nil before the first
	ended   error
}

// NewUnion puts a fleet beside what is here, until ctx ends. Without an actor nothing can be decided, neither here nor elsewhere.
func NewUnion(ctx context.Context, local model.Feed, files model.Files, actor model.Actor, f *Fleet) *Union {
	u := &Union{feeds: [2]model.Feed{local, f}, fleet: f, files: files, actor: actor, fresh: make(chan struct{})}
	for i := range u.feeds {
		go u.follow(ctx, i)
	}
	return u
}

// firstWithin is how long the first snapshot waits for the hosts that may be there: what comes into sight later looks new.
const firstWithin = time.Second

// follow takes the snapshots of one feed.
func (u *Union) follow(ctx context.Context, i int) {
	if u.feeds[i] == model.Feed(u.fleet) {
		soon, cancel := context.WithTimeout(ctx, firstWithin)
		_ = u.fleet.Ready(soon) // whoever has not spoken by then comes later
		cancel()
	}
	for version := uint64(0); ; {
		snap, err := u.feeds[i].Next(ctx, version)
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

// Next implements [model.Feed]. It returns nothing before each feed has said something.
func (u *Union) Next(ctx context.Context, after uint64) (*model.Snapshot, error) {
	for {
		u.mu.Lock()
		fresh, ended, version, latest := u.fresh, u.ended, u.version, u.latest
		u.mu.Unlock()
		switch {
		case version > after && latest[0] != nil && latest[1] != nil:
			return u.snapshot(version, latest[0], latest[1]), nil
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

// snapshot puts the newest snapshots together.
func (u *Union) snapshot(version uint64, here, elsewhere *model.Snapshot) *model.Snapshot {
	all := &model.Snapshot{Version: version, At: here.At, Sessions: slices.Concat(here.Sessions, u.fleet.besideSessions(elsewhere.Sessions)), Hosts: elsewhere.Hosts}
	if elsewhere.At.After(all.At) {
		all.At = elsewhere.At
	}
	for _, p := range here.Projects {
		if len(p.Builds) > 0 || len(p.Problems) > 0 || len(elsewhere.Projects) == 0 { // a directory without a build is no place to show beside others
			all.Projects = append(all.Projects, p)
		}
	}
	all.Projects = append(all.Projects, u.fleet.Beside(here.Projects, elsewhere.Projects)...)
	var watch []string
	for _, said := range []string{here.Watch, elsewhere.Watch} {
		if said != "" {
			watch = append(watch, said)
		}
	}
	all.Watch = strings.Join(watch, "; ")
	return all
}

// Files returns the files of both.
func (u *Union) Files() model.Files { return unionFiles{u} }

type unionFiles struct{ *Union }

// Text implements [model.Files].
func (u unionFiles) Text(project, file string) (string, error) {
	return u.of(project).Text(project, file)
}

// Path implements [model.Files].
func (u unionFiles) Path(project, file string) (string, error) {
	return u.of(project).Path(project, file)
}

// Follow says which build somebody is looking at: all of it is shown, though there are more than are followed.
func (u unionFiles) Follow(project, build string) { u.fleet.Follow(project, build) }

func (u unionFiles) of(project string) model.Files {
	if u.fleet.Has(project) {
		return u.fleet
	}
	return u.files
}

// Actor returns the actor for both, nil where nothing can be decided.
func (u *Union) Actor() model.Actor {
	if u.actor == nil {
		return nil
	}
	return unionActor{u}
}

// Answerer returns who answers live agents of both; local is who does so here, nil where nobody can.
func (u *Union) Answerer(local model.Answerer) model.Answerer { return unionAnswerer{u.fleet, local} }

type unionActor struct{ *Union }

// Propose implements [model.Actor].
func (u unionActor) Propose(ctx context.Context, a model.Action) (*model.Proposal, error) {
	return u.of(a.Project).Propose(ctx, a)
}

// Do implements [model.Actor].
func (u unionActor) Do(ctx context.Context, a model.Action) (*model.Outcome, error) {
	return u.of(a.Project).Do(ctx, a)
}

// Settle implements [model.Actor].
func (u unionActor) Settle(ctx context.Context, o *model.Outcome) error {
	return u.of(o.Proposal.Action.Project).Settle(ctx, o)
}

func (u unionActor) of(project string) model.Actor {
	if u.fleet.Has(project) {
		return u.fleet
	}
	return u.actor
}
