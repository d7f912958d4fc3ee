// Package view is the dashboard's side of a fleet: what hosts say becomes a [model.Feed], their files [model.Files], and what is decided
// here is asked of them, as a [model.Actor].
//
//	link.Viewer ─► Said ─► host: the newest message under each key, by boot and sequence
//	                 │ presence: heard of now; does its digest tell of what was lost? then its list is asked for
//	                 ▼
//	               Next ─► messages not looked at yet become the model, times by our clock ─► Snapshot
//	                 │
//	               trees of the builds that are followed, asked for when their hash is another
//
//	Do ─► decide ─► answered
//	         └─ lost ─► outcome, again and again ─► what became of it, or Unknown
//
// Over the end of the process only what was sent and has no answer is kept, and nothing of what hosts say is believed for longer than they say it: see [model.Host].
package view

import (
	"context"
	"fmt"
	"sync"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

// DefaultTrees is how many trees a dashboard follows by itself: all that somebody looks through, and not ten thousand.
const DefaultTrees = 200

const (
	// lookEvery is how often it is looked which hosts have fallen silent.
	lookEvery = time.Second
	// forgetAfter is how long a host that is gone is shown: as long as a hub keeps what it said.
	forgetAfter = 7 * 24 * time.Hour
)

// Options say what is looked at.
type Options struct {
	Fleet   string // as the user has named it
	Links   []link.Viewer
	Machine string // this user's account on this machine, see [Fleet.Here]
	// Trees is how many trees are followed without being asked for: those of the builds where something waits first, then
	// those at work.
	Trees int
	// SilentAfter is how long a host may say nothing before it counts as offline; 0 is [wire.SilentAfter].
	SilentAfter time.Duration
	// Sent is the directory of what was sent and has no answer yet, "" for none: then it is known to this process alone.
	Sent string
	Now  func() time.Time
}

// Fleet is what is known of the hosts of a fleet.
type Fleet struct {
	opts Options
	ctx  context.Context

	mu      sync.Mutex
	version uint64
	fresh   chan struct{} // closed when there is something new
	latest  *model.Snapshot
	rests   time.Time // no snapshot is made before then
	sources []*source
	fetches fetches
	texts   texts
	sent    map[string]*sent // by the IDs of the requests
}

// source is a link with what came over it.
type source struct {
	fleet  *Fleet
	link   link.Viewer
	up     bool
	since  time.Time // when it came up, or went down
	why    error     // why it is down, nil before anything is known
	listed bool      // all that is kept was said since it came up
	told   time.Time // when something of it was said last
	unkept error     // why what is kept is not known
	// clock is how far the hub's clock is ahead of ours.
	clock time.Duration
	hosts map[string]*host // by the token of their name
}

// Open begins to look, until ctx ends.
func Open(ctx context.Context, o Options) *Fleet {
	if o.SilentAfter == 0 {
		o.SilentAfter = wire.SilentAfter
	}
	f := &Fleet{opts: o, ctx: ctx, version: 1, fresh: make(chan struct{}), fetches: newFetches(), texts: texts{}, sent: map[string]*sent{}}
	f.loadSent()
	for _, l := range o.Links {
		s := &source{fleet: f, link: l, since: o.Now(), hosts: map[string]*host{}}
		f.sources = append(f.sources, s)
		go l.Run(ctx, s)
	}
	for range atOnce {
		go f.fetchTrees()
	}
	go f.watch()
	return f
}

// changed makes a new snapshot due.
func (f *Fleet) changed() {
	f.version++
	f.latest = nil
	close(f.fresh)
	f.fresh = make(chan struct{})
}

// After a snapshot there is none for a while, longer where making one takes long: messages come by the thousand, and whoever takes them in
// waits meanwhile.
const (
	restLeast = 20 * time.Millisecond
	restShare = 4
)

// watch notes from time to time which hosts have fallen silent.
func (f *Fleet) watch() {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-f.ctx.Done():
			return
		case <-tick.C:
		}
		f.mu.Lock()
		now := f.opts.Now()
		for _, s := range f.sources {
			for token, h := range s.hosts {
				h.stale(now)
				if h.forgotten(now) {
					delete(s.hosts, token)
					f.changed()
				}
			}
		}
		f.choose()
		f.settleSent()
		f.mu.Unlock()
	}
}

// Next implements [model.Feed].
func (f *Fleet) Next(ctx context.Context, after uint64) (*model.Snapshot, error) {
	for {
		f.mu.Lock()
		fresh := f.fresh
		var rest <-chan time.Time
		if f.version > after {
			start := time.Now()
			if f.latest == nil && start.Before(f.rests) {
				rest, fresh = time.After(f.rests.Sub(start)), nil
			} else {
				if f.latest == nil {
					f.latest = f.snapshot()
					took := time.Since(start)
					f.rests = start.Add(took + max(restLeast, restShare*took))
				}
				latest := f.latest
				f.mu.Unlock()
				return latest, nil
			}
		}
		f.mu.Unlock()
		select {
		case <-fresh:
		case <-rest:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-f.ctx.Done():
			return nil, context.Cause(f.ctx)
		}
	}
}

// until waits until something is so; it is looked whenever anything has changed.
func (f *Fleet) until(ctx context.Context, so func() bool) error {
	for {
		f.mu.Lock()
		fresh, ok := f.fresh, so()
		f.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-fresh:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Ready waits until everything is known that can be: what is kept was told, and every host that may be there was heard of, or had
// the time for it. It fails when ctx ends first.
func (f *Fleet) Ready(ctx context.Context) error {
	if err := f.until(ctx, func() bool {
		for _, s := range f.sources {
			if !(s.up && s.listed && s.heard() || s.why != nil) {
				return false
			}
		}
		return true
	}); err != nil {
		return err
	}
	// A hub that has lost what it kept names nobody, and its hosts have yet to hear that they are asked for: that nothing waits there would be wrong.
	first, cancel := context.WithTimeout(ctx, firstFor)
	defer cancel()
	f.until(first, func() bool {
		for _, s := range f.sources {
			if s.up && s.link.Only() == "" && len(s.hosts) == 0 {
				return false
			}
		}
		return true
	})
	soon, cancel := context.WithTimeout(ctx, helloFor)
	defer cancel()
	f.until(soon, func() bool { // hosts that are not there are not waited for longer
		for _, s := range f.sources {
			for _, h := range s.hosts {
				if s.up && (h.mayBeThere(f.opts.Now()) || h.live && !h.whole()) {
					return false
				}
			}
		}
		return true
	})
	return ctx.Err()
}

// heard reports whether the host at the other end of a pipe has said all that it has: it is there, and will.
func (s *source) heard() bool {
	if s.link.Only() == "" {
		return true
	}
	for _, h := range s.hosts {
		if h.live && h.whole() {
			return true
		}
	}
	return false
}

// helloFor is how long hosts have to say that they are there, once they are asked.
const helloFor = time.Second

// firstFor is how long it is waited for any host, where the hub knows of none.
const firstFor = 3 * time.Second

// Up implements [link.Listener].
func (s *source) Up() {
	s.fleet.mu.Lock()
	defer s.fleet.mu.Unlock()
	s.up, s.listed, s.why, s.unkept, s.since = true, false, nil, nil, s.fleet.opts.Now()
	s.fleet.changed()
}

// Down implements [link.Listener].
func (s *source) Down(why error) {
	s.fleet.mu.Lock()
	defer s.fleet.mu.Unlock()
	if s.up || s.why == nil {
		s.since = s.fleet.opts.Now()
	}
	s.up, s.why = false, why
	for _, h := range s.hosts {
		h.stale(s.since)
	}
	s.fleet.changed()
}

// Listed implements [link.Listener].
func (s *source) Listed(clock time.Time, err error) {
	s.fleet.mu.Lock()
	defer s.fleet.mu.Unlock()
	s.listed, s.unkept = true, err
	if !clock.IsZero() {
		s.clock = clock.Sub(s.fleet.opts.Now())
	}
	for _, h := range s.hosts {
		h.estimate()
		h.compare()
	}
	s.fleet.changed()
}

// listing reports whether what is kept is on its way: nobody is asked for it meanwhile.
func (s *source) listing(now time.Time) bool {
	return !s.listed && now.Sub(s.since) < listFor && (now.Sub(s.since) < listFirst || now.Sub(s.told) < listFirst)
}

// problem says in one line what is not as it should be about the link, "" for nothing.
func (s *source) problem() string {
	switch {
	case !s.up && s.why != nil:
		return line.Clean(fmt.Sprintf("%s can't be reached since %s: %v", s.link.Name(), s.fleet.clockTime(s.since), s.why))
	case s.unkept != nil:
		return line.Clean(fmt.Sprintf("%s: %v; hosts that are not there now are missing", s.link.Name(), s.unkept))
	}
	return ""
}

// clockTime says for people when something was.
func (f *Fleet) clockTime(t time.Time) string { return model.ClockTime(t, f.opts.Now()) }

var _ interface {
	model.Feed
	model.Files
	model.Actor
} = (*Fleet)(nil)
