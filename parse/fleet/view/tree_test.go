package view

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/model"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

// TestFollow: the tree of the build that somebody looks at is asked for and kept, beyond those that are followed anyway.
func TestFollow(t *testing.T) {
	s := newStage(t, "hub")
	s.opts.Trees = 1
	s.sources[0].Listed(s.now, nil)
	p := &process{boot: 1}
	s.Fleet.mu.Lock()
	s.fetches.asked = map[place]time.Time{}
	s.Fleet.mu.Unlock()
	for _, id := range []string{"a", "b", "c"} {
		at := place{"build-7:/src", id}
		s.Fleet.mu.Lock()
		s.fetches.asked[at] = time.Now().Add(time.Hour) // it stays in the queue
		s.Fleet.mu.Unlock()
		b := &wire.Build{Head: p.head(wire.KindBuild, s.now), Root: "/src", Name: "src", Tree: "hash-" + id, Build: &wire.Body{Build: &model.Build{ID: id}}}
		s.sources[0].Said(link.Message{Key: wire.ProjectKey("build-7", "/src", "src", id), Data: wire.Encode(b)})
	}
	queued := func() map[string]bool {
		s.Fleet.mu.Lock()
		defer s.Fleet.mu.Unlock()
		s.choose()
		all := map[string]bool{}
		for _, at := range s.fetches.queue {
			all[at.build] = true
		}
		return all
	}
	first := queued()
	if len(first) != 1 {
		t.Fatal(first)
	}
	for _, id := range []string{"a", "b", "c"} {
		s.Follow("build-7:/src", id)
		if !queued()[id] {
			t.Errorf("%s is looked at, and its tree is not asked for", id)
		}
		s.Fleet.mu.Lock()
		e := s.find("build-7:/src").builds[id]
		e.tree = &tree{hash: e.build.Tree, build: e.shown}
		s.fetches.due = true
		s.choose()
		if e.tree == nil {
			t.Errorf("%s is looked at, and let go", id)
		}
		s.Fleet.mu.Unlock()
	}
}

// TestATreeThatIsLetGo: what is shown no longer has it.
func TestATreeThatIsLetGo(t *testing.T) {
	s := newStage(t, "hub")
	src, p := s.sources[0], &process{boot: 1}
	src.Listed(s.now, nil)
	src.Said(p.build())
	partial := func() bool {
		snap, err := s.Next(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		return snap.Projects[0].Builds[0].Partial
	}
	s.Fleet.mu.Lock()
	h := s.find("build-7:/src").host
	e := h.projects["/src"].builds["a"]
	e.tree, e.looked = &tree{hash: "hash", build: &model.Build{ID: "a"}}, false
	h.changed()
	s.Fleet.mu.Unlock()
	if partial() {
		t.Fatal("its tree is not shown")
	}
	another := &wire.Build{Head: p.head(wire.KindBuild, s.now), Root: "/src", Name: "src", Build: &wire.Body{Build: &model.Build{ID: "b", Status: model.Failed}}}
	src.Said(link.Message{Key: wire.ProjectKey("build-7", "/src", "src", "b"), Data: wire.Encode(another)})
	if partial() {
		t.Fatal("its tree is not shown any more")
	}
	s.Fleet.mu.Lock()
	s.opts.Trees, s.fetches.due = 1, true
	s.choose()
	s.Fleet.mu.Unlock()
	if !partial() {
		t.Error("a tree is shown that was let go")
	}
}

// slow is a link whose host takes its time to answer.
type slow struct {
	quiet
	asked, answer chan struct{}
}

func (l slow) Ask(ctx context.Context, _ string, _ uint64, _ string, _ []byte) ([]byte, error) {
	select {
	case l.asked <- struct{}{}:
	default:
	}
	select {
	case <-l.answer:
	case <-ctx.Done():
	}
	return nil, link.ErrNobody
}

// TestATreeOnItsWay: a tree that was asked for is not asked for again while it is on its way, however often it is looked whose are to be.
func TestATreeOnItsWay(t *testing.T) {
	l := slow{quiet{"hub"}, make(chan struct{}, 1), make(chan struct{})}
	f := Open(t.Context(), Options{Fleet: "work", Links: []link.Viewer{l}, Now: time.Now, Trees: 1})
	f.sources[0].Up()
	f.sources[0].Said((&process{boot: 1}).build())
	<-l.asked
	queued := func() int {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.fetches.due = true
		f.choose()
		return len(f.fetches.queue)
	}
	if n := queued(); n != 0 {
		t.Errorf("%d are to be asked for, and the only one is on its way", n)
	}
	close(l.answer)
	for queued() != 1 { // it did not come, so it is asked for anew
		runtime.Gosched()
	}
}

// build returns that it has a build with a tree.
func (p *process) build() link.Message {
	b := &wire.Build{Head: p.head(wire.KindBuild, time.Now()), Root: "/src", Name: "src", Tree: "hash", Build: &wire.Body{Build: &model.Build{ID: "a"}}}
	m := link.Message{Key: wire.ProjectKey("build-7", "/src", "src", "a"), Data: wire.Encode(b)}
	p.digest.Add(m.Key, p.seq)
	p.entries++
	return m
}

// TestTreesOfHostsThatAreThere: who follows none asks for those that are wanted, once, and not where nobody would answer.
func TestTreesOfHostsThatAreThere(t *testing.T) {
	l := slow{quiet{"hub"}, make(chan struct{}, 9), make(chan struct{})}
	close(l.answer)
	f := Open(t.Context(), Options{Fleet: "work", Links: []link.Viewer{l}, Now: time.Now})
	src, p := f.sources[0], &process{boot: 1}
	src.Up()
	src.Listed(time.Now(), nil)
	src.Said(p.build())
	all := func(*model.Project, *model.Build) bool { return true }
	f.Trees(t.Context(), all)
	if n := len(l.asked); n != 0 {
		t.Errorf("a host that is not there was asked %d times", n)
	}
	src.Said(p.here(time.Now()))
	late, cancel := context.WithCancel(t.Context())
	cancel()
	f.Trees(late, all)
	if n := len(l.asked); n != 0 {
		t.Errorf("one was asked %d times when nobody waited any more", n)
	}
	f.Trees(t.Context(), all)
	if n := len(l.asked); n != 1 {
		t.Errorf("one that is there was asked %d times", n)
	}
}

// TestRoomForTrees: what one host's trees take is bounded, and what all take.
func TestRoomForTrees(t *testing.T) {
	f := &Fleet{}
	s := &source{fleet: f, hosts: map[string]*host{}}
	f.sources = []*source{s}
	add := func(name string, sizes ...int) (h *host, last *entry) {
		h = &host{name: name, entries: map[string]*entry{}}
		for i, n := range sizes {
			last = &entry{tree: &tree{size: n}}
			h.entries[string(rune('a'+i))] = last
		}
		s.hosts[name] = h
		return h, last
	}
	h, e := add("a", treesOfHost/2, treesOfHost/2)
	for size, fits := range map[int]bool{treesOfHost / 2: true, treesOfHost/2 + 1: false} { // in the place of its own
		if err := f.room(h, e, size); (err == nil) != fits {
			t.Error(size, err)
		}
	}
	other, e := add("b", 0)
	if err := f.room(other, e, treesOfHost); err != nil {
		t.Error("one host has taken another's:", err)
	}
	for _, name := range []string{"c", "d", "e"} {
		add(name, treesOfHost)
	}
	if err := f.room(other, e, 1); err != errNoRoom {
		t.Error("all together have no bound:", err)
	}
}

// hung is a link to two hosts, of which build-7 gets what is asked and says nothing.
type hung struct {
	quiet
	asked chan string // what the other is asked
}

func (l hung) Ask(ctx context.Context, host string, _ uint64, _ string, data []byte) ([]byte, error) {
	if host == "build-7" {
		<-ctx.Done()
		return nil, link.ErrNoAnswer
	}
	l.asked <- string(data)
	return nil, link.ErrNobody
}

// TestAHostThatHangs: one that says that it is there, and does not answer, keeps nobody from seeing what is on another.
func TestAHostThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := hung{quiet{"hub"}, make(chan string, 100)}
		f := Open(t.Context(), Options{Fleet: "work", Links: []link.Viewer{l}, Now: time.Now, Trees: DefaultTrees})
		src := f.sources[0]
		src.Up()
		src.Listed(time.Now(), nil)
		build := func(p *process, host, id string) {
			head := p.head(wire.KindBuild, time.Now())
			head.Host = host
			b := &wire.Build{Head: head, Root: "/src", Name: "src", Tree: fmt.Sprint("hash-", p.seq), Build: &wire.Body{Build: &model.Build{ID: id}}}
			m := link.Message{Key: wire.ProjectKey(host, "/src", "src", id), Data: wire.Encode(b)}
			p.digest.Add(m.Key, p.seq)
			p.entries++
			src.Said(m)
		}
		there := func(p *process, host string) {
			head := p.head(wire.KindPresence, time.Now())
			head.Host = host
			src.Said(link.Message{Key: wire.HostKey(host), Data: wire.Encode(&wire.Presence{Head: head, Ready: true, Entries: p.entries, Digest: p.digest.String()})})
		}
		hangs, other := &process{boot: 1}, &process{boot: 1}
		for i := range 100 {
			build(hangs, "build-7", fmt.Sprint(i))
		}
		for range 6 { // until it is known that it hangs
			there(hangs, "build-7")
			time.Sleep(wire.PresenceEvery)
		}
		start := time.Now()
		build(other, "build-8", "a")
		there(other, "build-8")
		for len(l.asked) == 0 && time.Since(start) < 10*time.Minute {
			there(hangs, "build-7")
			time.Sleep(treeEvery)
		}
		if after := time.Since(start); after > 2*treeEvery {
			t.Errorf("its tree was asked for after %v", after)
		}
	})
}
