package view

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

// TestTroubleGoes: what can't be read is told until something under the same key can be, or the host begins anew.
func TestTroubleGoes(t *testing.T) {
	f := Open(t.Context(), Options{Links: []link.Viewer{&deaf{}}, Now: time.Now, SilentAfter: time.Minute})
	s := f.sources[0]
	head := func(kind string, boot, seq uint64) wire.Head {
		return wire.Head{V: wire.Version, Kind: kind, Host: "build-7", Boot: boot, Seq: seq, At: time.Now()}
	}
	said := func(key string, message any) { s.Said(link.Message{Key: key, Data: wire.Encode(message)}) }
	project := func(root string, boot, seq uint64) (key string, p *wire.Project) {
		return wire.ProjectKey("build-7", root, "x"), &wire.Project{Head: head(wire.KindProject, boot, seq), Root: root, Name: "x"}
	}
	said(wire.HostKey("build-7"), &wire.Presence{Head: head(wire.KindPresence, 1, 1)})
	a, good := project("/a", 1, 2)
	b, other := project("/b", 1, 3)
	told := func(when string, want bool) {
		t.Helper()
		if all := f.Hosts(); len(all) != 1 || (all[0].Trouble != "") != want {
			t.Errorf("%s: %+v", when, all)
		}
	}
	told("at first", false)
	s.Said(link.Message{Key: a, Data: []byte("{")})
	told("broken", true)
	said(b, other)
	told("another is good", true)
	said(a, good)
	told("good again", false)
	for i := range 2 * maxTroubles {
		s.Said(link.Message{Key: fmt.Sprint(a, i), Data: []byte("{")})
	}
	told("many are broken", true)
	if n := len(s.hosts[wire.Token("build-7")].troubles); n > maxTroubles {
		t.Errorf("%d are remembered", n)
	}
	said(wire.HostKey("build-7"), &wire.Presence{Head: head(wire.KindPresence, 2, 1)})
	told("begun anew", false)
}

// TestAClockIsSet: a host whose clock was set back is there nonetheless, and trees are asked for by its new time.
func TestAClockIsSet(t *testing.T) {
	for _, step := range []time.Duration{-time.Minute, time.Minute} {
		s := newStage(t, "hub")
		src := s.sources[0]
		src.Listed(s.now, nil)
		p := &process{boot: 1}
		src.Said(p.project("/a", s.now))
		src.Said(p.here(s.now))
		for range 4 {
			s.pass(5 * time.Second)
			src.Said(p.here(s.now.Add(step)))
			s.Fleet.mu.Lock()
			src.hosts["build-7"].stale(s.now)
			s.Fleet.mu.Unlock()
			s.shows(fmt.Sprint("set by ", step), true, "/a")
		}
		s.Fleet.mu.Lock()
		if ahead := src.hosts["build-7"].ahead; ahead != step {
			t.Errorf("it is ahead by %v, want %v", ahead, step)
		}
		src.hosts["build-7"].samples = []time.Duration{time.Hour}
		s.fetches.due = false
		src.hosts["build-7"].estimate()
		if !s.fetches.due {
			t.Error("its trees are let go, and not asked for")
		}
		s.Fleet.mu.Unlock()
	}
}

// TestAClockAtTheEdge: a clock that differs by about as much as matters is not corrected anew with each message: all trees would be asked for again.
func TestAClockAtTheEdge(t *testing.T) {
	s := newStage(t, "hub")
	src := s.sources[0]
	src.Listed(s.now, nil)
	p := &process{boot: 1}
	m := p.project("/a", s.now)
	src.Said(m)
	h, corrected := src.hosts["build-7"], -1
	last := time.Duration(-1)
	for i := range 40 {
		s.pass(5 * time.Second)
		differs := clockMatters + time.Duration(i/10%2*2-1)*time.Millisecond // for ten presences each more, and less
		src.Said(p.here(s.now.Add(differs)))
		s.Fleet.mu.Lock()
		if h.ahead != last {
			corrected, last = corrected+1, h.ahead
		}
		s.Fleet.mu.Unlock()
	}
	if corrected > 1 {
		t.Errorf("it was corrected %d times", corrected)
	}
	for range clockSamples {
		s.pass(5 * time.Second)
		src.Said(p.here(s.now))
	}
	if s.Fleet.mu.Lock(); h.ahead != 0 {
		t.Errorf("a clock that is right now is ahead by %v", h.ahead)
	}
	s.Fleet.mu.Unlock()
}

// TestGoneIsLetGo: what is gone keeps nothing of what it was, and is forgotten once the host has said what it has; nor does what a hub keeps of an
// earlier process come back.
func TestGoneIsLetGo(t *testing.T) {
	s := newStage(t, "hub")
	src := s.sources[0]
	src.Listed(s.now, nil)
	before, p := &process{boot: 1}, &process{boot: 2}
	old := stored(before.project("/old", s.now), s.now)
	m := p.project("/a", s.now)
	src.Said(m)
	src.Said(p.here(s.now))
	src.Said(old)
	s.shows("the hub has something of the process before", true, "/a")
	h := src.hosts["build-7"]
	s.Fleet.mu.Lock()
	h.entries[m.Key].about, h.entries[m.Key].tree = &model.Project{}, &tree{}
	s.Fleet.mu.Unlock()
	p.digest.Drop(m.Key, p.seq-1)
	p.entries--
	src.Said(link.Message{Key: m.Key, Data: wire.Encode(&wire.Gone{Head: p.head(wire.KindGone, s.now)})})
	if e := h.entries[m.Key]; e == nil || e.about != nil || e.tree != nil {
		t.Errorf("%+v", e)
	}
	src.Said(p.here(s.now))
	if len(h.entries) != 0 || !h.whole() {
		t.Errorf("%v, whole: %v", h.entries, h.whole())
	}
}

// TestAFullHost: one that has said as much as is looked at can still say otherwise of what it has said, and no more.
func TestAFullHost(t *testing.T) {
	s := newStage(t, "hub")
	src := s.sources[0]
	src.Listed(s.now, nil)
	p := &process{boot: 1}
	src.Said(p.project("/a", s.now))
	h := src.hosts["build-7"]
	s.Fleet.mu.Lock()
	h.bytes = maxBytes
	s.Fleet.mu.Unlock()
	newer, another := p.project("/a", s.now), p.project("/b", s.now)
	src.Said(newer)
	src.Said(another)
	s.Fleet.mu.Lock()
	defer s.Fleet.mu.Unlock()
	if e := h.entries[newer.Key]; e.head.Seq != 2 || h.entries[another.Key] != nil || h.bytes > maxBytes {
		t.Errorf("%d is known of %d, %d bytes in all", e.head.Seq, len(h.entries), h.bytes)
	}
}

// TestALaterKind: what a later version says besides does not keep a host from being known in full.
func TestALaterKind(t *testing.T) {
	s := newStage(t, "hub")
	src := s.sources[0]
	src.Listed(s.now, nil)
	p := &process{boot: 1}
	src.Said(p.project("/a", s.now))
	later := link.Message{Key: wire.HostKey("build-7") + ".weather", Data: wire.Encode(p.head("weather", s.now))}
	p.digest.Add(later.Key, p.seq)
	p.entries++
	src.Said(later)
	src.Said(p.here(s.now))
	s.shows("with a kind that is not known", true, "/a")
	if !src.hosts["build-7"].whole() {
		t.Error("its list would be asked for again and again")
	}
}

// lister answers who asks for a list, and counts them.
type lister struct {
	quiet
	list  func() map[string][]byte
	asked *int
}

func (l lister) Ask(_ context.Context, _ string, _ uint64, kind string, _ []byte) ([]byte, error) {
	*l.asked++
	data := wire.EncodeList(l.list())
	return wire.EncodeReply(&wire.Reply{Reply: kind, At: time.Now(), Etag: statefile.Hash(string(data)), Parts: 1, Size: len(data)}, data), nil
}

// TestWhatCannotBeReadIsMissedOnce: a message that can't be read leaves what was shown before. Where it tells which it is, the host is known in full
// without it; else its list is asked for, and then ever more rarely.
func TestWhatCannotBeReadIsMissedOnce(t *testing.T) {
	for name, c := range map[string]struct {
		broken func(wire.Head) []byte
		most   int // times that its list is asked for in two hours
	}{
		"with a head": {func(h wire.Head) []byte {
			return wire.Encode(struct {
				wire.Head
				Root int `json:"root"`
			}{h, 1})
		}, 0},
		"without one": {func(wire.Head) []byte { return []byte(`{"v":1}`) }, 2*6 + 10},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				said, asked := map[string][]byte{}, 0
				f := Open(t.Context(), Options{Links: []link.Viewer{lister{quiet{"hub"}, func() map[string][]byte { return said }, &asked}}, Now: time.Now})
				src, p := f.sources[0], &process{boot: 1}
				say := func(m link.Message) {
					said[m.Key] = m.Data
					src.Said(m)
					synctest.Wait()
				}
				src.Up()
				src.Listed(time.Now(), nil)
				first := p.project("/a", time.Now())
				say(first)
				say(p.here(time.Now()))
				p.digest.Drop(first.Key, p.seq-1)
				p.entries--
				p.digest.Add(first.Key, p.seq+1)
				p.entries++
				say(link.Message{Key: first.Key, Data: c.broken(p.head(wire.KindProject, time.Now()))})
				for range int(2 * time.Hour / wire.PresenceEvery) {
					say(p.here(time.Now()))
					time.Sleep(wire.PresenceEvery)
				}
				if asked > c.most {
					t.Errorf("its list was asked for %d times", asked)
				}
				if all := f.Hosts(); all[0].Trouble == "" {
					t.Error("nothing is told")
				}
				if f.find("build-7:/a") == nil {
					t.Error("what was said before is not shown")
				}
			})
		})
	}
}

// TestALongName: a host whose name is too long for a token is called by it all the same, and can be asked.
func TestALongName(t *testing.T) {
	s := newStage(t, "hub")
	src, p, long := s.sources[0], &process{boot: 1}, "сборочная-машина-семь"
	src.Listed(s.now, nil)
	head := func(kind string) wire.Head {
		h := p.head(kind, s.now)
		h.Host = long
		return h
	}
	key := wire.ProjectKey(long, "/a", "a")
	src.Said(link.Message{Key: key, Data: []byte("{")}) // which does not say whose it is
	src.Said(link.Message{Key: key, Data: wire.Encode(&wire.Project{Head: head(wire.KindProject), Root: "/a", Name: "a"})})
	src.Said(link.Message{Key: wire.HostKey(long), Data: wire.Encode(&wire.Presence{Head: head(wire.KindPresence)})})
	if all := s.Hosts(); len(all) != 1 || all[0].Name != long || s.find(long+":/a") == nil {
		t.Errorf("%+v", all)
	}
}

// TestWhatBelongsElsewhere: a message under the key of another leaves what was shown there, also when that is made anew by another clock.
func TestWhatBelongsElsewhere(t *testing.T) {
	s := newStage(t, "hub")
	src, p := s.sources[0], &process{boot: 1}
	src.Listed(s.now, nil)
	m := p.build()
	src.Said(m)
	src.Said(p.here(s.now))
	s.shows("at first", true, "/src")
	other := &wire.Build{Head: p.head(wire.KindBuild, s.now), Root: "/src", Name: "src", Build: &wire.Body{Build: &model.Build{ID: "b"}}}
	src.Said(link.Message{Key: m.Key, Data: wire.Encode(other)})
	for range clockSamples {
		src.Said(p.here(s.now.Add(time.Hour)))
	}
	s.shows("by another clock", true, "/src")
	s.Fleet.mu.Lock()
	defer s.Fleet.mu.Unlock()
	if builds := s.find("build-7:/src").shown.Builds; len(builds) != 1 || builds[0].ID != "a" {
		t.Errorf("%+v", builds)
	}
}
