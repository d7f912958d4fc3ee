package view

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

// quiet is a link over which nobody answers.
type quiet struct{ name string }

func (q quiet) Name() string                     { return q.name }
func (quiet) Only() string                       { return "" }
func (quiet) Run(context.Context, link.Listener) {}
func (quiet) Ask(context.Context, string, uint64, string, []byte) ([]byte, error) {
	return nil, link.ErrNobody
}

// stage is a fleet whose hosts are played, by a clock that is set.
type stage struct {
	*testing.T
	*Fleet
	mu  sync.Mutex
	now time.Time
}

// pass has time pass.
func (s *stage) pass(d time.Duration) {
	s.mu.Lock()
	s.now = s.now.Add(d)
	s.mu.Unlock()
}

func (s *stage) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func newStage(t *testing.T, links ...string) *stage {
	s := &stage{T: t, now: time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)}
	s.open(links...)
	return s
}

// open begins to look anew.
func (s *stage) open(links ...string) {
	o := Options{Fleet: "work", Now: s.clock}
	for _, l := range links {
		o.Links = append(o.Links, quiet{l})
	}
	s.Fleet = Open(s.Context(), o)
	for _, x := range s.sources {
		x.Up()
	}
}

// process is a process of build-7, and what it has said.
type process struct {
	machine   string
	boot, seq uint64
	digest    wire.Digest
	entries   int
}

func (p *process) head(kind string, at time.Time) wire.Head {
	p.seq++
	return wire.Head{V: wire.Version, Kind: kind, Host: "build-7", Boot: p.boot, Seq: p.seq, At: at}
}

// project returns what it says of a project.
func (p *process) project(root string, at time.Time) link.Message {
	m := link.Message{Key: wire.ProjectKey("build-7", root, "x"), Data: wire.Encode(&wire.Project{Head: p.head(wire.KindProject, at), Root: root, Name: "x"})}
	p.digest.Add(m.Key, p.seq)
	p.entries++
	return m
}

// here returns that it is there, and has said all.
func (p *process) here(at time.Time) link.Message {
	return link.Message{Key: wire.HostKey("build-7"), Data: wire.Encode(&wire.Presence{
		Head: p.head(wire.KindPresence, at), Machine: p.machine, Ready: true, Entries: p.entries, Digest: p.digest.String()})}
}

func stored(m link.Message, at time.Time) link.Message {
	m.Stored = at
	return m
}

// shows checks what is shown.
func (s *stage) shows(when string, live bool, roots ...string) {
	s.Helper()
	s.Fleet.mu.Lock()
	snap := s.snapshot()
	s.Fleet.mu.Unlock()
	var got []string
	for _, p := range snap.Projects {
		got = append(got, p.Root)
		if p.Host.Live() != live {
			s.Errorf("%s: %s is live: %v", when, p.Root, p.Host.Live())
		}
	}
	for i := range roots {
		roots[i] = "build-7:" + roots[i]
	}
	if !slices.Equal(got, roots) {
		s.Errorf("%s: %v is shown, want %v", when, got, roots)
	}
}

// A machine that was set back to an earlier state begins again with a lower number: the process that is there wins.
func TestTheProcessThatIsThereWins(t *testing.T) {
	s := newStage(t, "hub")
	src := s.sources[0]
	src.Listed(s.now, nil)
	before, after := &process{boot: 9}, &process{boot: 5}
	src.Said(before.project("/a", s.now))
	src.Said(before.here(s.now))
	s.shows("at first", true, "/a")

	s.pass(time.Second)
	src.Said(after.project("/b", s.now))
	src.Said(after.here(s.now))
	if h := src.hosts["build-7"]; h.boot != 9 {
		t.Error("a process gives way that was heard of a moment ago")
	}
	s.pass(wire.SilentAfter)
	src.Said(after.here(s.now))
	s.shows("the one before is silent", true, "/b")
	src.Said(stored(before.project("/c", s.now), s.now))
	src.Said(after.here(s.now))
	s.shows("the hub has something of it", true, "/b")

	last := before.here(s.now)
	src.Said(last)
	if h := src.hosts["build-7"]; h.boot != 9 {
		t.Error("a process with a higher number is there again, and does not speak for its host")
	}
	s.pass(2 * wire.SilentAfter)
	src.Said(after.here(s.now))
	src.Said(last)
	if h := src.hosts["build-7"]; h.boot != 5 {
		t.Error("what was said before makes a process speak for its host")
	}

	// Who begins to look knows it from what the hub keeps: what it has kept last is of the process that was there last.
	s.open("hub")
	src = s.sources[0]
	before, after = &process{boot: 9}, &process{boot: 5}
	src.Said(stored(before.project("/a", s.now), s.now.Add(-time.Hour)))
	src.Said(stored(after.project("/b", s.now), s.now.Add(-time.Minute)))
	src.Said(stored(after.here(s.now), s.now.Add(-time.Minute)))
	src.Listed(s.now, nil)
	s.shows("what is kept", false, "/b")
	src.Said(after.here(s.now))
	s.shows("it is there", true, "/b")

	// One that begins has said something before it says that it is there: then the number counts.
	s.open("hub")
	src = s.sources[0]
	first, second := &process{boot: 5}, &process{boot: 9}
	src.Said(stored(first.here(s.now), s.now.Add(-time.Hour)))
	src.Said(stored(second.project("/b", s.now), s.now.Add(-time.Minute)))
	src.Listed(s.now, nil)
	if h := src.hosts["build-7"]; h.boot != 9 {
		t.Error("a process that begins does not speak for its host")
	}
}

// The same project over two links is one row: that of the link over which its host is there, else of the one that told last.
func TestOneProjectOverTwoLinks(t *testing.T) {
	s := newStage(t, "hub", "ssh build-7")
	hub, ssh := s.sources[0], s.sources[1]
	hub.Listed(s.now, nil)
	ssh.Listed(s.now, nil)
	a, b := &process{boot: 5}, &process{boot: 7}
	is := func(when string, live bool, by *source) {
		t.Helper()
		s.shows(when, live, "/a")
		s.Fleet.mu.Lock()
		defer s.Fleet.mu.Unlock()
		if p := s.find("build-7:/a"); p.host.source != by {
			t.Errorf("%s: %s is asked", when, p.host.source.link.Name())
		}
		var told *model.Project
		if snap := s.snapshot(); len(snap.Projects) == 1 {
			told = snap.Projects[0]
		}
		if told != s.find("build-7:/a").shown {
			t.Errorf("%s: another is shown than is asked", when)
		}
	}
	hub.Said(a.project("/a", s.now))
	hub.Said(a.here(s.now))
	is("one link", true, hub)
	ssh.Said(b.project("/a", s.now))
	ssh.Said(b.here(s.now))
	is("both", true, hub)
	hub.Down(nil)
	is("the hub is down", true, ssh)
	s.pass(time.Second)
	ssh.Said(b.here(s.now))
	ssh.Down(nil)
	is("both are down", false, ssh)
	hub.Up()
	s.pass(time.Second)
	hub.Said(a.here(s.now))
	is("the hub is back", true, hub)

	// Two machines of one name are told apart.
	if snap, err := s.Next(t.Context(), 0); err != nil || snap.Watch != "" && snap.Watch != s.sources[1].problem() {
		t.Error(snap.Watch, err)
	}
	ssh.Up()
	for _, c := range []struct {
		over, other string // how they call themselves
		silent      bool   // the one over the hub
		want        string
	}{
		{"m-1", "n-1", false, "build-7 is two machines, and the one over hub is shown; give that over ssh build-7 another name"},
		{"m-1", "n-1", true, "build-7 is two machines, and the one over ssh build-7 is shown; give that over hub another name"},
		{"m-1", "m-2", false, "build-7 is two machines, and the one over hub is shown; give that over ssh build-7 another name"}, // one is a copy
		{"m-1", "m-2", true, ""}, // it was started anew
	} {
		a.machine, b.machine = c.over, c.other
		hub.Said(a.here(s.now))
		if c.silent {
			s.pass(time.Minute)
		}
		ssh.Said(b.here(s.now))
		s.Fleet.mu.Lock()
		for _, x := range s.sources {
			for _, h := range x.hosts {
				h.stale(s.now)
			}
		}
		if snap := s.snapshot(); snap.Watch != c.want {
			t.Errorf("%+v: %q", c, snap.Watch)
		}
		s.Fleet.mu.Unlock()
	}
}
