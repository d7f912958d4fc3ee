package remote

// The hosts of a remote as a [model.Feed], alone or with the projects of this machine. A host has a presence and documents.

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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

	isUnion bool            // the projects of this machine are shown, too: see [NewUnion]
	isReady bool            // the hosts have had the time to answer
	here    *model.Snapshot // of the projects of this machine
	ended   error           // why their feed has ended
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

// changed makes a new snapshot of the hosts due, and announce only a new one.
func (v *View) changed() {
	v.index = nil
	v.announce()
}

func (v *View) announce() {
	v.version++
	v.latest = nil
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
		case v.ended != nil:
			defer v.mu.Unlock()
			return nil, v.ended
		case v.version <= after || v.isUnion && (v.here == nil || !v.isReady):
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
	troubles := v.faults()
	hosts := map[string]*model.Host{}
	for h := range v.hosts() {
		// It sends messages, but none that can be read.
		if h.source.isUp && h.presence.Schema == 0 && len(h.docs) == 0 && len(h.troubles) > 0 && v.Now().Sub(h.lastSeen) <= v.SilentAfter {
			troubles = append(troubles, h.title()+": "+h.firstTrouble())
		}
		if hosts[h.about.Name] == nil || h.live {
			hosts[h.about.Name] = h.about
		}
	}
	for _, name := range slices.Sorted(maps.Keys(hosts)) {
		snap.Hosts = append(snap.Hosts, hosts[name])
	}
	if snap.Watch = strings.Join(troubles, "; "); v.here != nil {
		snap = v.join(v.here, snap)
		snap.Version = v.version
	}
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
	return all, v.faults()
}

// Limits of a host that may be hostile.
const (
	maxHosts     = 10_000   // of a hub
	maxDocuments = 10_000   // of a host
	maxKept      = 64 << 20 // bytes of the documents of a host, unpacked
	maxTroubles  = 16
)

// clockMatters is the smallest clock difference that is corrected.
const clockMatters = 2 * time.Second

// source is a way and the hosts that were seen on it. It implements [listener].
type source struct {
	view     *View
	way      Way
	isUp     bool
	isListed bool             // everything that the way keeps has been received
	since    time.Time        // when it came up, or went down
	why      error            // why it is down; nil before anything is known
	listErr  error            // why the list is not complete
	hosts    map[string]*host // by token
}

// host is a host on one way.
type host struct {
	source   *source
	name     hostName // its name here
	presence Presence
	lastSeen time.Time     // when its last message came, by our clock
	ahead    time.Duration // how far its clock was ahead of ours at the first presence of its process; less than two seconds is 0
	live     bool
	docs     map[string]*document // by key
	bytes    int                  // size of the documents
	troubles map[string]string    // messages that cannot be read, by key
	shown    []*document          // by key, with the project as it is shown now; nil: to be rebuilt
	about    *model.Host
}

// document is the document of a project.
type document struct {
	host     *host
	data     []byte // packed
	size     int    // packed or unpacked, whichever is larger
	session  string
	number   uint64
	project  *model.Project // with the host's own names
	sessions []model.Session
	shown    *model.Project // as it is named and shown here
}

func (s *source) up() {
	s.view.mu.Lock()
	defer s.view.mu.Unlock()
	s.isUp, s.isListed, s.why, s.listErr, s.since = true, false, nil, nil, s.view.Now()
	s.view.changed()
}

func (s *source) down(why error) {
	s.view.mu.Lock()
	defer s.view.mu.Unlock()
	switch {
	case s.isUp || s.why == nil:
		s.since = s.view.Now()
	case s.why.Error() == why.Error():
		return
	}
	s.isUp, s.why = false, why
	for _, h := range s.hosts {
		h.updateLive()
		h.shown = nil // it shows the reason
	}
	s.view.changed()
}

func (s *source) listed(err error) {
	s.view.mu.Lock()
	defer s.view.mu.Unlock()
	s.isListed, s.listErr = true, err
	s.view.changed()
}

func (s *source) received(key string, data []byte, at time.Time) {
	token, isHost := strings.CutPrefix(key, keys)
	token, _, isProject := strings.Cut(token, ".")
	if !isHost || token == "" {
		return
	}
	if s.way.only() != "" { // a single host, whatever its name
		token = ""
	}
	s.view.mu.Lock()
	defer s.view.mu.Unlock()
	if at.IsZero() {
		at = s.view.Now()
	}
	h := s.hosts[token]
	if h == nil {
		if data == nil || len(s.hosts) >= maxHosts {
			return
		}
		h = &host{source: s, docs: map[string]*document{}, troubles: map[string]string{}, lastSeen: at}
		h.name.set(cmp.Or(s.way.only(), token))
		s.hosts[token] = h
	}
	var err error
	isChange := true
	switch {
	case isProject && data == nil:
		h.dropDocument(key)
	case isProject && h.docs[key] != nil && bytes.Equal(h.docs[key].data, data):
		return
	case isProject:
		err = h.takeDocument(key, data)
	case data != nil:
		isChange, err = h.takePresence(key, data, at)
	}
	if h.troubles[key] != "" || err != nil {
		isChange = true
	}
	if h.presence.Schema == 0 { // no readable presence has come yet
		h.lastSeen = at
	}
	if delete(h.troubles, key); err != nil && len(h.troubles) < maxTroubles {
		h.troubles[key] = "something it says can't be read: " + err.Error()
	}
	if isChange {
		h.changed()
	}
}

// faults describes the faults of the ways, a line each.
func (v *View) faults() (all []string) {
	for _, s := range v.sources {
		switch {
		case !s.isUp && s.why != nil:
			all = append(all, line.Clean(fmt.Sprintf("%s can't be reached since %s: %v", s.way.name(), model.ClockTime(s.since, v.Now()), s.why)))
		case s.listErr != nil:
			all = append(all, line.Clean(fmt.Sprintf("%s: %v; hosts that are not there now are missing", s.way.name(), s.listErr)))
		}
	}
	return all
}

// changed makes the view rebuild the host.
func (h *host) changed() {
	h.shown = nil
	h.source.view.changed()
}

// firstTrouble returns the error of the first of its messages that can't be read.
func (h *host) firstTrouble() string {
	for _, key := range slices.Sorted(maps.Keys(h.troubles)) {
		return h.troubles[key]
	}
	return ""
}

// takePresence takes a presence of the host, and reports whether anything but the time has changed. The first one of a process shows how
// far the clocks differ.
func (h *host) takePresence(key string, data []byte, at time.Time) (isChange bool, err error) {
	var p Presence
	if _, err := parseMessage(data, presenceLimit, &p); err != nil {
		return false, err
	}
	if err := checkVersion(p.Schema, Wire); err != nil {
		return false, err
	}
	if hostKey(p.Host) != key {
		return false, errors.New("it calls itself " + cleanText(p.Host))
	}
	p.Machine, p.Version, p.Watch, p.Session = cleanText(p.Machine), cleanText(p.Version), cleanText(p.Watch), cutText(p.Session, maxName)
	for i, dir := range p.Dirs {
		p.Dirs[i] = cleanText(dir)
	}
	before := h.presence
	if p.Session == before.Session && p.At.Before(before.At) && before.At.Sub(p.At) < SilentAfter {
		return false, nil // a newer presence has overtaken it
	}
	h.presence = p
	h.name.set(cmp.Or(h.source.way.only(), p.Host))
	if at.After(h.lastSeen) || at.Before(h.lastSeen.Add(-clockMatters)) { // or our clock was set
		h.lastSeen = at
	}
	if before.Session != p.Session {
		h.ahead, isChange = p.At.Sub(at), true
		if h.ahead.Abs() < clockMatters {
			h.ahead = 0
		}
		for key, d := range h.docs {
			h.dropDocument(key)
			h.takeDocument(key, d.data)
		}
	}
	if p.Ready { // documents of earlier processes are out of date
		for key, d := range h.docs {
			if d.session != p.Session {
				h.dropDocument(key)
				isChange = true
			}
		}
	}
	before.At = p.At
	return h.updateLive() || isChange || !reflect.DeepEqual(before, p), nil
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
	if old != nil && old.session == doc.Session && doc.Number <= old.number { // on two ways, documents may come out of order
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
	d := &document{host: h, data: data, size: size, session: doc.Session, number: doc.Number, project: p.Project, sessions: p.Sessions}
	if b := d.agents(); b != nil {
		for _, a := range b.Asks() {
			h.qualifyAsk(a)
		}
	}
	h.docs[key] = d
	return nil
}

func (h *host) dropDocument(key string) {
	if d := h.docs[key]; d != nil {
		h.bytes -= d.size
		delete(h.docs, key)
	}
	delete(h.troubles, key)
}

// hostName is the name of a host. It is also read without the lock.
type hostName struct{ text atomic.Pointer[string] }

func (n *hostName) set(text string) { n.text.Store(&text) }

func (n *hostName) get() string {
	if text := n.text.Load(); text != nil {
		return *text
	}
	return ""
}

// updateLive determines whether the host is live, and reports whether that has changed.
func (h *host) updateLive() (isChange bool) {
	v := h.source.view
	live := h.source.isUp && h.presence.Schema != 0 && !h.presence.Left && v.Now().Sub(h.lastSeen) <= v.SilentAfter
	isChange = live != h.live
	h.live = live
	return isChange
}

// title returns the host's name for the screen.
func (h *host) title() string { return line.Clean(h.name.get()) }

// describeHost returns the host as it is shown now.
func (h *host) describeHost() *model.Host {
	v := h.source.view
	about := &model.Host{Name: h.title(), Fleet: v.Name, State: model.HostLive, ClockAhead: int(h.ahead.Round(time.Second) / time.Second)}
	if h.live {
		return about
	}
	reason := ""
	switch about.AsOf = h.lastSeen; {
	case !h.source.isUp:
		about.State, reason = model.HostCutOff, ": "+line.Clean(h.source.way.name())+" can't be reached"
	case h.presence.Left:
		about.State, reason = model.HostLeft, ": it has left"
	default:
		about.State = model.HostSilent
	}
	about.Why = about.Stands(v.Now()) + reason
	return about
}

// documents returns the documents of a host, each as it is shown.
func (h *host) documents() []*document {
	if h.shown != nil {
		return h.shown
	}
	h.about, h.shown = h.describeHost(), []*document{}
	var problems []model.Problem
	if trouble := h.firstTrouble(); trouble != "" {
		problems = append(problems, model.Problem{Severity: model.Warning, Text: h.title() + ": " + trouble, Fix: "an earlier message is shown"})
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

// Union is a feed of local and remote projects, and the [model.Files], [model.Actor] and [model.Answerer] of both.
type Union struct {
	Local struct { // Actor and Answerer may be nil
		model.Files
		model.Actor
		model.Answerer
	}
	*View
}

// firstWithin is how long the first snapshot waits for hosts. Projects that come later look new.
const firstWithin = time.Second

// NewUnion joins local and remote projects, until ctx ends.
func NewUnion(ctx context.Context, feed model.Feed, files model.Files, actor model.Actor, answerer model.Answerer, v *View) *Union {
	u := &Union{View: v}
	u.Local.Files, u.Local.Actor, u.Local.Answerer = files, actor, answerer
	v.mu.Lock()
	defer v.mu.Unlock()
	v.isUnion = true
	go v.followLocal(ctx, feed)
	go func() {
		soon, cancel := context.WithTimeout(ctx, firstWithin)
		defer cancel()
		v.Ready(soon)
		v.mu.Lock()
		defer v.mu.Unlock()
		v.isReady = true
		v.announce()
	}()
	return u
}

// followLocal takes the snapshots of the projects of this machine.
func (v *View) followLocal(ctx context.Context, feed model.Feed) {
	for version, err := uint64(0), error(nil); err == nil; {
		var snap *model.Snapshot
		snap, err = feed.Next(ctx, version)
		v.mu.Lock()
		if v.ended = err; err == nil {
			version, v.here = snap.Version, snap
		}
		v.announce()
		v.mu.Unlock()
	}
}

// Join joins a local and a remote snapshot. Projects that this account has joined itself are shown once.
func (v *View) Join(here, elsewhere *model.Snapshot) *model.Snapshot {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.join(here, elsewhere)
}

func (v *View) join(here, elsewhere *model.Snapshot) *model.Snapshot {
	all := *here
	all.Hosts, all.Projects = elsewhere.Hosts, nil
	if elsewhere.At.After(all.At) {
		all.At = elsewhere.At
	}
	var own []string // names of hosts that run as this account
	for h := range v.hosts() {
		if h.presence.Machine != "" && h.presence.Machine == v.Machine {
			own = append(own, h.name.get())
		}
	}
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
	host, _, named := strings.Cut(id, ":")
	u.mu.Lock()
	defer u.mu.Unlock()
	for h := range u.hosts() {
		if named && h.name.get() == host {
			return u.View
		}
	}
	return u.Local.Answerer
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
