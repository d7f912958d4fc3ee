package remote

// The hosts of a remote as a [model.Feed].

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
)

// Way leads to hosts: a hub, or a pipe through ssh.
type Way interface {
	name() string // for people: "hub tls://hub.example:4222", "ssh build-8"
	only() string // the only host at the other end, as it is called here; "" if there may be several
	// run connects, again and again, until ctx ends, and ask asks a host once.
	run(ctx context.Context, l listener)
	ask(ctx context.Context, host string, r *Request) ([]byte, error)
}

// listener is told what comes on a way. The calls may come from several goroutines.
type listener interface {
	up()
	down(why error) // called again when the reason changes
	// said brings what a host published under a key, nil if that was removed, and when that was, by our clock; zero for now.
	said(key string, data []byte, at time.Time)
	listed(err error) // all that the hub keeps was said, or cannot be had
}

const (
	maxHosts     = 10_000
	maxDocuments = 10_000   // of a host
	maxKept      = 64 << 20 // bytes of the documents of a host
	clockMatters = 2 * time.Second
	lookEvery    = time.Second
)

// Options say what is looked at.
type Options struct {
	Name        string // of the remote, as the user calls it
	Ways        []Way
	Machine     string        // this user's account on this machine: its projects are not shown twice
	SilentAfter time.Duration // 0 is [SilentAfter]
	Now         func() time.Time
}

// Fleet is what is known of the hosts of a remote.
type Fleet struct {
	Options
	ctx context.Context

	mu      sync.Mutex
	version uint64
	fresh   chan struct{} // closed when there is something new
	latest  *model.Snapshot
	rests   time.Time // no snapshot is made before then
	sources []*source
}

// source is a way with what came on it.
type source struct {
	fleet    *Fleet
	way      Way
	isUp     bool
	isListed bool
	since    time.Time // when it came up, or went down
	why      error     // why it is down, nil before anything is known
	listErr  error
	hosts    map[string]*host // by token
}

// host is what is known of a host.
type host struct {
	source   *source
	name     hostName // as it is called here
	presence Presence
	heard    time.Time     // when it was last heard of, by our clock
	ahead    time.Duration // how far its clock is ahead of ours; less than two seconds is 0
	live     bool
	docs     map[string]*document // by key
	bytes    int                  // of the documents, unpacked
	troubles map[string]string    // what cannot be read of what it says, by key
	shown    []*document          // by key, as they are shown now; nil: to be made again
	about    *model.Host
}

// document is what a host published of a project.
type document struct {
	host     *host
	data     []byte // packed
	size     int    // unpacked
	session  string
	number   uint64
	project  *model.Project // as the host says
	sessions []model.Session
	shown    *model.Project // as it is called and shown here
}

// Open begins to look, until ctx ends.
func Open(ctx context.Context, o Options) *Fleet {
	o.SilentAfter = cmp.Or(o.SilentAfter, SilentAfter)
	f := &Fleet{Options: o, ctx: ctx, version: 1, fresh: make(chan struct{})}
	for _, w := range o.Ways {
		s := &source{fleet: f, way: w, since: o.Now(), hosts: map[string]*host{}}
		f.sources = append(f.sources, s)
		go w.run(ctx, s)
	}
	go f.watchSilence()
	return f
}

// changed makes a new snapshot due.
func (f *Fleet) changed() {
	f.version++
	f.latest = nil
	close(f.fresh)
	f.fresh = make(chan struct{})
}

// watchSilence notes from time to time which hosts have fallen silent.
func (f *Fleet) watchSilence() {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-f.ctx.Done():
			return
		case <-tick.C:
		}
		f.mu.Lock()
		for _, s := range f.sources {
			for token, h := range s.hosts {
				if h.judge(); f.Now().Sub(h.heard) > keepFor {
					delete(s.hosts, token)
					f.changed()
				}
			}
		}
		f.mu.Unlock()
	}
}

// Next implements [model.Feed]. After a snapshot there is none for a while, longer if making one takes long: documents come by the thousand.
func (f *Fleet) Next(ctx context.Context, after uint64) (*model.Snapshot, error) {
	for {
		f.mu.Lock()
		fresh, rest := f.fresh, time.Until(f.rests)
		var later <-chan time.Time
		switch {
		case f.version <= after:
		case f.latest == nil && rest > 0:
			later, fresh = time.After(rest), nil
		default:
			if f.latest == nil {
				start := time.Now()
				f.latest = f.snapshot()
				took := time.Since(start)
				f.rests = start.Add(took + max(20*time.Millisecond, 4*took))
			}
			latest := f.latest
			f.mu.Unlock()
			return latest, nil
		}
		f.mu.Unlock()
		select {
		case <-fresh:
		case <-later:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-f.ctx.Done():
			return nil, context.Cause(f.ctx)
		}
	}
}

// until waits until something is so.
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

// firstFor is how long hosts have to publish on a hub that has lost everything: a presence, and a second.
const firstFor = presenceEvery + time.Second

// Ready waits until everything is known that can be. It fails when ctx ends first.
func (f *Fleet) Ready(ctx context.Context) error {
	if err := f.until(ctx, func() bool {
		return !slices.ContainsFunc(f.sources, func(s *source) bool {
			h := s.onlyHost()
			return s.why == nil && !(s.isUp && s.isListed && (s.way.only() == "" || h != nil && h.presence.Ready))
		})
	}); err != nil {
		return err
	}
	soon, cancel := context.WithTimeout(ctx, firstFor)
	defer cancel()
	f.until(soon, func() bool {
		for _, s := range f.sources {
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

// onlyHost returns the host at the end of a pipe, nil before it said anything.
func (s *source) onlyHost() *host {
	for _, h := range s.hosts {
		return h
	}
	return nil
}

func (s *source) up() {
	s.fleet.mu.Lock()
	defer s.fleet.mu.Unlock()
	s.isUp, s.isListed, s.why, s.listErr, s.since = true, false, nil, nil, s.fleet.Now()
	s.fleet.changed()
}

func (s *source) down(why error) {
	s.fleet.mu.Lock()
	defer s.fleet.mu.Unlock()
	if s.isUp || s.why == nil {
		s.since = s.fleet.Now()
	}
	s.isUp, s.why = false, why
	for _, h := range s.hosts {
		h.judge()
		h.shown = nil // it says why
	}
	s.fleet.changed()
}

func (s *source) listed(err error) {
	s.fleet.mu.Lock()
	defer s.fleet.mu.Unlock()
	s.isListed, s.listErr = true, err
	s.fleet.changed()
}

// said takes what a host has published.
func (s *source) said(key string, data []byte, at time.Time) {
	token, isHost := strings.CutPrefix(key, keys)
	token, _, isProject := strings.Cut(token, ".")
	if !isHost || token == "" {
		return
	}
	if s.way.only() != "" { // whatever it calls itself
		token = ""
	}
	f := s.fleet
	f.mu.Lock()
	defer f.mu.Unlock()
	if at.IsZero() {
		at = f.Now()
	}
	h := s.hosts[token]
	if h == nil {
		if data == nil || len(s.hosts) >= maxHosts {
			return
		}
		h = &host{source: s, docs: map[string]*document{}, troubles: map[string]string{}, heard: at}
		h.name.set(cmp.Or(s.way.only(), token))
		s.hosts[token] = h
	}
	var err error
	switch {
	case isProject && data == nil:
		h.drop(key)
	case isProject && h.docs[key] != nil && bytes.Equal(h.docs[key].data, data):
		return
	case isProject:
		err = h.takeDocument(key, data)
	case data != nil:
		err = h.takePresence(key, data, at)
	}
	if delete(h.troubles, key); err != nil && len(h.troubles) < 16 {
		h.troubles[key] = "something it says can't be read: " + err.Error()
	}
	h.changed()
}

// changed has the host shown again.
func (h *host) changed() {
	h.shown = nil
	h.source.fleet.changed()
}

func (h *host) drop(key string) {
	if d := h.docs[key]; d != nil {
		h.bytes -= d.size
		delete(h.docs, key)
	}
	delete(h.troubles, key)
}

// takePresence notes that the host is there. By how much its clock differs is found out.
func (h *host) takePresence(key string, data []byte, at time.Time) error {
	var p Presence
	if _, err := unpack(data, presenceLimit, &p); err != nil {
		return err
	}
	switch {
	case p.Schema != Schema:
		return errNewer
	case hostKey(p.Host) != key:
		return errors.New("it calls itself " + text(p.Host))
	}
	p.Machine, p.Version, p.Watch, p.Session = text(p.Machine), text(p.Version), text(p.Watch), cut(p.Session, maxName)
	for i, dir := range p.Dirs {
		p.Dirs[i] = text(dir)
	}
	if p.Session == h.presence.Session && p.At.Before(h.presence.At) && h.presence.At.Sub(p.At) < SilentAfter {
		return nil // it was overtaken
	}
	h.presence = p
	h.name.set(cmp.Or(h.source.way.only(), p.Host))
	if at.After(h.heard) || at.Before(h.heard.Add(-clockMatters)) { // or our clock was set
		h.heard = at
	}
	ahead := p.At.Sub(at)
	if ahead.Abs() < clockMatters {
		ahead = 0
	}
	if (ahead-h.ahead).Abs() >= clockMatters || ahead == 0 && h.ahead != 0 {
		h.ahead = ahead
		for key, d := range h.docs {
			h.drop(key)
			h.takeDocument(key, d.data)
		}
	}
	if p.Ready {
		maps.DeleteFunc(h.docs, func(_ string, d *document) bool {
			gone := d.session != p.Session
			if gone {
				h.bytes -= d.size
			}
			return gone
		})
	}
	h.judge()
	return nil
}

// takeDocument takes the document of a project.
func (h *host) takeDocument(key string, data []byte) error {
	doc, size, err := decodeDocument(data, h.ahead)
	switch {
	case err != nil:
		return err
	case doc.Origin == nil || len(doc.Projects) != 1 || keyOf(doc.Host, doc.Projects[0].Root, doc.Projects[0].Project.Name) != key:
		return errors.New("it is not the document of its key")
	}
	old := h.docs[key]
	if old != nil && old.session == doc.Session && doc.Number <= old.number { // on two ways it may come in another order
		return nil
	}
	kept := h.bytes + size
	if old != nil {
		kept -= old.size
	}
	if kept > maxKept || old == nil && len(h.docs) >= maxDocuments {
		return errors.New("there is more of it than is looked at here")
	}
	h.bytes = kept
	p := &doc.Projects[0]
	for _, b := range p.Project.Builds {
		h.qualify(b)
	}
	h.docs[key] = &document{host: h, data: data, size: size, session: doc.Session, number: doc.Number, project: p.Project, sessions: p.Sessions}
	return nil
}

// hostName is the name of a host. It is read without the lock, too.
type hostName struct{ text atomic.Pointer[string] }

func (n *hostName) set(text string) { n.text.Store(&text) }

func (n *hostName) get() string {
	if text := n.text.Load(); text != nil {
		return *text
	}
	return ""
}

// judge brings up to date whether the host is there.
func (h *host) judge() {
	f := h.source.fleet
	live := h.source.isUp && h.presence.Schema != 0 && !h.presence.Left && f.Now().Sub(h.heard) <= f.SilentAfter
	if live != h.live {
		h.live = live
		h.changed()
	}
}

// title returns how the host is called on a screen.
func (h *host) title() string { return line.Clean(h.name.get()) }

// describe returns the host as it is shown now.
func (h *host) describe() *model.Host {
	f := h.source.fleet
	about := &model.Host{Name: h.title(), Fleet: f.Name, State: model.HostLive, ClockAhead: int(h.ahead.Round(time.Second) / time.Second)}
	if h.live {
		return about
	}
	reason := ""
	switch about.AsOf = h.heard; {
	case !h.source.isUp:
		about.State, reason = model.HostCutOff, ": "+line.Clean(h.source.way.name())+" can't be reached"
	case h.presence.Left:
		about.State, reason = model.HostLeft, ": it has left"
	default:
		about.State = model.HostSilent
	}
	about.Why = about.Stands(f.Now()) + reason
	return about
}

// all returns the documents of a host, each as it is shown.
func (h *host) all() []*document {
	if h.shown != nil {
		return h.shown
	}
	h.about, h.shown = h.describe(), []*document{}
	var problems []model.Problem
	for _, key := range slices.Sorted(maps.Keys(h.troubles)) {
		problems = append(problems, model.Problem{Severity: model.Warning, Text: h.title() + ": " + h.troubles[key], Fix: "what it said before is shown"})
		break
	}
	if h.presence.Watch != "" {
		problems = append(problems, model.Problem{Severity: model.Warning, Text: h.title() + " sees changes late: " + h.presence.Watch})
	}
	for _, key := range slices.Sorted(maps.Keys(h.docs)) {
		d := h.docs[key]
		shown := *d.project
		shown.Root, shown.Host = Root(h.name.get(), d.project.Root), h.about
		shown.Decisions, shown.Problems = slices.Clone(shown.Decisions), slices.Concat(shown.Problems, problems)
		for i := range shown.Decisions {
			shown.Decisions[i].Project = shown.Root
		}
		d.shown = &shown
		h.shown = append(h.shown, d)
	}
	return h.shown
}

// agents returns the build of the live agents of a project, nil if it has none.
func (d *document) agents() *model.Build {
	for _, b := range d.project.Builds {
		if b.ID == model.AgentsBuild {
			return b
		}
	}
	return nil
}

// Root returns how a directory of a host is called here.
func Root(host, root string) string { return host + ":" + root }

// IsRoot reports whether a root can be one of [Root]: no path of this machine begins with a host.
func IsRoot(root string) bool {
	host, dir, ok := strings.Cut(root, ":")
	return ok && len(host) > 1 && !strings.ContainsAny(host, `/\`) && (strings.HasPrefix(dir, "/") || filepath.IsAbs(dir) || windowsPath.MatchString(dir))
}

var windowsPath = regexp.MustCompile(`^[A-Za-z]:[\\/]`)

// snapshot returns what is known now. A project that comes on two ways is shown once, by the way on which its host is there.
func (f *Fleet) snapshot() *model.Snapshot {
	snap := &model.Snapshot{Version: f.version, At: f.Now()}
	var troubles []string
	var shown []*document
	hosts, at := map[string]*model.Host{}, map[string]int{}
	for _, s := range f.sources {
		if p := s.problem(); p != "" {
			troubles = append(troubles, p)
		}
		for _, token := range slices.Sorted(maps.Keys(s.hosts)) {
			h := s.hosts[token]
			for _, p := range h.all() {
				i, seen := at[p.shown.Root]
				switch {
				case !seen:
					at[p.shown.Root] = len(shown)
					shown = append(shown, p)
					continue
				case p.better(shown[i]):
					p, shown[i] = shown[i], p
				}
				if a, b := p.host, shown[i].host; a.live && b.live && a.presence.Machine != b.presence.Machine {
					trouble := a.title() + " is two machines, and the one over " + b.source.way.name() + " is shown; give that over " + a.source.way.name() + " another name"
					if trouble = line.Clean(trouble); !slices.Contains(troubles, trouble) {
						troubles = append(troubles, trouble)
					}
				}
			}
			if h.about != nil && (hosts[h.about.Name] == nil || h.live) {
				hosts[h.about.Name] = h.about
			}
		}
	}
	for _, p := range shown {
		snap.Projects = append(snap.Projects, p.shown)
		if p.host.live { // else nobody knows whether they run
			for _, x := range p.sessions {
				x.Project = Root(p.host.name.get(), x.Project)
				snap.Sessions = append(snap.Sessions, x)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(hosts)) {
		snap.Hosts = append(snap.Hosts, hosts[name])
	}
	snap.Watch = strings.Join(troubles, "; ")
	return snap
}

// better reports whether a project is known better than the same on another way.
func (d *document) better(than *document) bool {
	if a, b := d.host.live, than.host.live; a || b {
		return a && !b
	}
	return d.host.heard.After(than.host.heard)
}

// problem says in one line what is wrong with a way, "" for nothing.
func (s *source) problem() string {
	switch {
	case !s.isUp && s.why != nil:
		return line.Clean(fmt.Sprintf("%s can't be reached since %s: %v", s.way.name(), model.ClockTime(s.since, s.fleet.Now()), s.why))
	case s.listErr != nil:
		return line.Clean(fmt.Sprintf("%s: %v; hosts that are not there now are missing", s.way.name(), s.listErr))
	}
	return ""
}

// find returns the project that is called so here.
func (f *Fleet) find(root string) (best *document) {
	for _, s := range f.sources {
		for _, h := range s.hosts {
			there, ok := strings.CutPrefix(root, h.name.get()+":")
			if !ok {
				continue
			}
			for _, p := range h.all() {
				if p.project.Root == there && (best == nil || p.better(best)) {
					best = p
				}
			}
		}
	}
	return best
}

// Has reports whether a project is one of the remote.
func (f *Fleet) Has(root string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.find(root) != nil
}

// HostReport is what is known of a host, for whoever looks after it.
type HostReport struct {
	Name    string        `json:"name"`              // as it is called here
	Link    string        `json:"link"`              // the way to it
	Live    bool          `json:"live"`              // it was heard of within the last seconds
	Why     string        `json:"why,omitempty"`     // if it is not live: since when, and why
	AsOf    time.Time     `json:"as_of,omitzero"`    // when it was last heard of
	Ahead   time.Duration `json:"-"`                 // how far its clock is ahead of ours, as far as that is known
	Version string        `json:"version,omitempty"` // of its gatehouse
	Builds  int           `json:"builds"`            // how many it has
	Waits   int           `json:"waits"`             // how many things wait there
	Trouble string        `json:"trouble,omitempty"` // what can't be read of what it says
	Dirs    []string      `json:"-"`                 // that it joined with
}

// Hosts returns what is known of all hosts, by name, and what is wrong with the ways to them, one line each.
func (f *Fleet) Hosts() (all []HostReport, problems []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.sources {
		if p := s.problem(); p != "" {
			problems = append(problems, p)
		}
		for _, token := range slices.Sorted(maps.Keys(s.hosts)) {
			h := s.hosts[token]
			projects := h.all()
			r := HostReport{Name: h.title(), Link: line.Clean(s.way.name()), Live: h.live, Why: h.about.Why, AsOf: h.heard, Ahead: h.ahead, Version: h.presence.Version, Dirs: h.presence.Dirs}
			for _, key := range slices.Sorted(maps.Keys(h.troubles)) {
				r.Trouble = h.troubles[key]
			}
			for _, p := range projects {
				for _, b := range p.shown.Builds {
					r.Builds++
					r.Waits += len(b.Certain())
				}
			}
			all = append(all, r)
		}
	}
	return all, problems
}
