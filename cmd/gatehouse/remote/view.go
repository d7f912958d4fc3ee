package remote

// The hosts of a remote as a [model.Feed].

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
)

// Way is a connection to hosts: a hub, or a pipe through ssh.
type Way interface {
	name() string // shown to users: "hub tls://hub.example:4222", "ssh build-8"
	only() string // the local name of the only host at the other end; "" if there may be several
	// run connects, and reconnects until ctx ends. ask sends one request to a host.
	run(ctx context.Context, l listener)
	ask(ctx context.Context, host string, r *Request) ([]byte, error)
}

// listener receives the events of a way, from any goroutine.
type listener interface {
	up()
	down(why error) // called again when the reason changes
	// received takes the data that a host published under a key, nil if it was removed. at is the time by our clock; zero for now.
	received(key string, data []byte, at time.Time)
	listed(err error) // everything that the hub keeps was received, or can't be read
}

// Options describe the remote that is shown.
type Options struct {
	Name        string // the user's name for the remote
	Ways        []Way
	Machine     string        // this user's account on this machine: its projects are not shown twice
	SilentAfter time.Duration // 0 is [SilentAfter]
	Now         func() time.Time
}

// View shows the hosts of a remote.
type View struct {
	Options
	ctx context.Context

	mu      sync.Mutex
	version uint64
	fresh   chan struct{} // closed when there is a new version
	latest  *model.Snapshot
	rests   time.Time // no snapshot is made before this time
	sources []*source
	index   *projectIndex // nil: to be rebuilt
}

// projectIndex holds the projects that are shown.
type projectIndex struct {
	all    []*document
	byRoot map[string]*document // by root, as [Root] makes it
}

// hosts yields all hosts, on all ways. The lock is held.
func (v *View) hosts() iter.Seq[*host] {
	return func(yield func(*host) bool) {
		for _, s := range v.sources {
			for _, token := range slices.Sorted(maps.Keys(s.hosts)) {
				if !yield(s.hosts[token]) {
					return
				}
			}
		}
	}
}

// lookEvery is how often hosts are checked for silence.
const lookEvery = time.Second

// Open connects to the hosts of a remote, until ctx ends.
func Open(ctx context.Context, o Options) *View {
	o.SilentAfter = cmp.Or(o.SilentAfter, SilentAfter)
	v := &View{Options: o, ctx: ctx, version: 1, fresh: make(chan struct{})}
	for _, w := range o.Ways {
		s := &source{view: v, way: w, since: o.Now(), hosts: map[string]*host{}}
		v.sources = append(v.sources, s)
		go w.run(ctx, s)
	}
	go v.watchSilence()
	return v
}

// changed makes a new snapshot due.
func (v *View) changed() {
	v.version++
	v.latest, v.index = nil, nil
	close(v.fresh)
	v.fresh = make(chan struct{})
}

// watchSilence marks hosts that have fallen silent.
func (v *View) watchSilence() {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-v.ctx.Done():
			return
		case <-tick.C:
		}
		v.mu.Lock()
		for _, s := range v.sources {
			for token, h := range s.hosts {
				if h.updateLive() {
					h.changed()
				}
				if v.Now().Sub(h.lastSeen) > keepFor {
					delete(s.hosts, token)
					v.changed()
				}
			}
		}
		v.mu.Unlock()
	}
}

// Next implements [model.Feed]. It limits the rate of snapshots, more so if making one takes long: documents may come by the thousand.
func (v *View) Next(ctx context.Context, after uint64) (*model.Snapshot, error) {
	for {
		v.mu.Lock()
		fresh, rest := v.fresh, time.Until(v.rests)
		var later <-chan time.Time
		switch {
		case v.version <= after:
		case v.latest == nil && rest > 0:
			later, fresh = time.After(rest), nil
		default:
			if v.latest == nil {
				start := time.Now()
				v.latest = v.snapshot()
				took := time.Since(start)
				v.rests = start.Add(took + max(20*time.Millisecond, 4*took))
			}
			latest := v.latest
			v.mu.Unlock()
			return latest, nil
		}
		v.mu.Unlock()
		select {
		case <-fresh:
		case <-later:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-v.ctx.Done():
			return nil, context.Cause(v.ctx)
		}
	}
}

// waitUntil waits until a condition holds.
func (v *View) waitUntil(ctx context.Context, holds func() bool) error {
	for {
		v.mu.Lock()
		fresh, ok := v.fresh, holds()
		v.mu.Unlock()
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

// firstFor gives hosts time to publish on a hub that has lost everything: a presence, and a second.
const firstFor = presenceEvery + time.Second

// Ready waits until every way is ready or has failed, and then a short time until all live hosts are ready. It fails if ctx ends first.
func (v *View) Ready(ctx context.Context) error {
	if err := v.waitUntil(ctx, func() bool {
		return !slices.ContainsFunc(v.sources, func(s *source) bool {
			isReady := s.way.only() == ""
			for _, h := range s.hosts {
				isReady = isReady || h.presence.Ready
			}
			return s.why == nil && !(s.isUp && s.isListed && isReady)
		})
	}); err != nil {
		return err
	}
	soon, cancel := context.WithTimeout(ctx, firstFor)
	defer cancel()
	v.waitUntil(soon, func() bool {
		for _, s := range v.sources {
			if s.isUp && s.listErr == nil && len(s.hosts) == 0 {
				return false
			}
			for _, h := range s.hosts {
				if h.live && !h.presence.Ready {
					return false
				}
			}
		}
		return true
	})
	return ctx.Err()
}

// Root returns the root of a host's directory as this dashboard names it: with the host before it.
func Root(host, root string) string { return host + ":" + root }

// IsRoot reports whether a root can be one of [Root]: no path of this machine begins with a host.
func IsRoot(root string) bool {
	host, dir, ok := strings.Cut(root, ":")
	return ok && len(host) > 1 && !strings.ContainsAny(host, `/\`) && (strings.HasPrefix(dir, "/") || filepath.IsAbs(dir) || windowsPath.MatchString(dir))
}

var windowsPath = regexp.MustCompile(`^[A-Za-z]:[\\/]`)

// projects returns the projects that are shown. A project that comes on two ways is shown once, by a way on which its host is there.
func (v *View) projects() *projectIndex {
	if v.index != nil {
		return v.index
	}
	x := &projectIndex{byRoot: map[string]*document{}}
	for h := range v.hosts() {
		for _, d := range h.documents() {
			root := d.shown.Root
			switch other := x.byRoot[root]; {
			case other == nil:
				x.all = append(x.all, d)
			case h.live && !other.host.live:
				x.all[slices.Index(x.all, other)] = d
			default:
				continue
			}
			x.byRoot[root] = d
		}
	}
	v.index = x
	return x
}

// snapshot returns everything that is known now.
func (v *View) snapshot() *model.Snapshot {
	snap := &model.Snapshot{Version: v.version, At: v.Now()}
	x := v.projects()
	for _, d := range x.all {
		snap.Projects = append(snap.Projects, d.shown)
		if d.host.live { // otherwise it is unknown whether they run
			for _, session := range d.sessions {
				session.Project = Root(d.host.name.get(), session.Project)
				snap.Sessions = append(snap.Sessions, session)
			}
		}
	}
	var troubles []string
	hosts := map[string]*model.Host{}
	for _, s := range v.sources {
		if p := s.describeFault(); p != "" {
			troubles = append(troubles, p)
		}
	}
	for h := range v.hosts() {
		if h.isUnreadable() {
			troubles = append(troubles, h.title()+": "+h.firstTrouble())
		}
		if hosts[h.about.Name] == nil || h.live {
			hosts[h.about.Name] = h.about
		}
	}
	for _, name := range slices.Sorted(maps.Keys(hosts)) {
		snap.Hosts = append(snap.Hosts, hosts[name])
	}
	snap.Watch = strings.Join(troubles, "; ")
	return snap
}

// Has reports whether a project is one of the remote.
func (v *View) Has(root string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.projects().byRoot[root] != nil
}

// HostReport is a host as its administrator sees it.
type HostReport struct {
	Name    string    `json:"name"`              // as it is called here
	Link    string    `json:"link"`              // the way to it
	Live    bool      `json:"live"`              // it was heard of within the last seconds
	Why     string    `json:"why,omitempty"`     // if it is not live: since when, and why
	AsOf    time.Time `json:"as_of,omitzero"`    // when it was last heard of
	Version string    `json:"version,omitempty"` // of its gatehouse
	Builds  int       `json:"builds"`            // how many it has
	Waits   int       `json:"waits"`             // how many things wait there
	Trouble string    `json:"trouble,omitempty"` // a message of it that can't be read
	Dirs    []string  `json:"-"`                 // the directories that it joined with
}

// Hosts returns all hosts ordered by name, and the faults of the ways to them, one line each.
func (v *View) Hosts() (all []HostReport, problems []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, s := range v.sources {
		if p := s.describeFault(); p != "" {
			problems = append(problems, p)
		}
	}
	for h := range v.hosts() {
		documents := h.documents()
		r := HostReport{Name: h.title(), Link: line.Clean(h.source.way.name()), Live: h.live, Why: h.about.Why, AsOf: h.lastSeen,
			Version: h.presence.Version, Trouble: h.firstTrouble(), Dirs: h.presence.Dirs}
		for _, d := range documents {
			for _, b := range d.shown.Builds {
				r.Builds++
				r.Waits += len(b.Certain())
			}
		}
		all = append(all, r)
	}
	return all, problems
}
