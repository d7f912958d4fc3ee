package link_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/parse/fleet/hub"
	"gatehouse/parse/fleet/hubtest"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

// soon is how long a test waits for what has to come.
const soon = time.Minute

// host notes what a link tells a host, and answers everything by the same.
type host struct {
	mu      sync.Mutex
	ups     int
	behinds int
	hellos  int
	downs   []string
	told    []string
	asked   []link.Asked
	changed chan struct{}
}

func newHost() *host { return &host{changed: make(chan struct{}, 1)} }

func (h *host) note(f func()) {
	h.mu.Lock()
	f()
	h.mu.Unlock()
	select {
	case h.changed <- struct{}{}:
	default:
	}
}

func (h *host) Up()                { h.note(func() { h.ups++ }) }
func (h *host) Down(why error)     { h.note(func() { h.downs = append(h.downs, why.Error()) }) }
func (h *host) Complain(why error) { h.note(func() { h.told = append(h.told, why.Error()) }) }
func (h *host) Hello()             { h.note(func() { h.hellos++ }) }
func (h *host) Behind()            { h.note(func() { h.behinds++ }) }
func (h *host) Leave()             {}
func (h *host) Answer(_ context.Context, a link.Asked) []byte {
	h.note(func() { h.asked = append(h.asked, a) })
	return []byte("to " + a.User + ": " + string(a.Data))
}

// viewer notes what a link tells a dashboard.
type viewer struct {
	mu      sync.Mutex
	ups     int
	listed  []error
	downs   []string
	said    []link.Message
	changed chan struct{}
}

func newViewer() *viewer { return &viewer{changed: make(chan struct{}, 1)} }

func (v *viewer) note(f func()) {
	v.mu.Lock()
	f()
	v.mu.Unlock()
	select {
	case v.changed <- struct{}{}:
	default:
	}
}

func (v *viewer) Up()                           { v.note(func() { v.ups++ }) }
func (v *viewer) Down(why error)                { v.note(func() { v.downs = append(v.downs, why.Error()) }) }
func (v *viewer) Said(m link.Message)           { v.note(func() { v.said = append(v.said, m) }) }
func (v *viewer) Listed(_ time.Time, err error) { v.note(func() { v.listed = append(v.listed, err) }) }

// until waits until something is so.
func until(t *testing.T, what string, mu *sync.Mutex, changed chan struct{}, so func() bool) {
	t.Helper()
	end := time.After(soon)
	for {
		mu.Lock()
		ok := so()
		mu.Unlock()
		if ok {
			return
		}
		select {
		case <-changed:
		case <-time.After(50 * time.Millisecond):
		case <-end:
			t.Fatalf("not within %v: %s", soon, what)
		}
	}
}

// join connects a host, until the test ends.
func join(t *testing.T, h link.Hub, boot uint64) (*link.HubHost, *host) {
	t.Helper()
	ears := newHost()
	return joinAs(t, h, boot, ears, ears), ears
}

// joinAs is join for a host that answers otherwise.
func joinAs(t *testing.T, h link.Hub, boot uint64, as link.Answerer, ears *host) *link.HubHost {
	t.Helper()
	l := link.NewHubHost(h, boot)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := l.Run(ctx, as); err != nil {
			t.Errorf("%s: %v", h.Name, err)
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
	until(t, h.Name+" is up", &ears.mu, ears.changed, func() bool { return ears.ups > 0 })
	return l
}

// look connects a dashboard, until the test ends.
func look(t *testing.T, h link.Hub) (*link.HubViewer, *viewer) {
	t.Helper()
	l, ears := link.NewHubViewer(h), newViewer()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); l.Run(ctx, ears) }()
	t.Cleanup(func() { cancel(); <-done })
	until(t, h.Name+" has the list", &ears.mu, ears.changed, func() bool { return len(ears.listed) > 0 })
	return l, ears
}

func TestHubCarriesMessagesAndRequests(t *testing.T) {
	keys := hubtest.NewKeys(t)
	keys.Add(hub.Host, "build-7")
	keys.Add(hub.Host, "my host.*>")
	keys.Add(hub.Approver, "alice")
	keys.Add(hub.Viewer, "bob")
	s := hubtest.Start(t, keys)

	alice, heard := look(t, s.Hub(keys, "alice"))
	if heard.listed[0] != nil {
		t.Fatal("an empty hub is listed with", heard.listed[0])
	}
	start := time.Now()
	build7, asked := join(t, s.Hub(keys, "build-7"), 7)
	odd, _ := join(t, s.Hub(keys, "my host.*>"), 8)
	t.Logf("two hosts joined after %v", time.Since(start))

	build7.Say("gh.build-7", []byte("here"), false)
	build7.Say("gh.build-7.x", []byte("1"), false)
	build7.Say("gh.build-7.x", []byte("2"), false)
	odd.Say(wire.HostKey("my host.*>"), []byte("odd"), false)
	until(t, "alice hears", &heard.mu, heard.changed, func() bool { return len(heard.said) == 4 })

	// Whoever comes later is told what is kept, which takes a moment longer than hearing it.
	for end := time.Now().Add(soon); ; time.Sleep(5 * time.Millisecond) {
		if p, err := link.Probe(context.Background(), s.Hub(keys, "alice"), false); err == nil && p.Kept == 3 {
			break
		} else if time.Now().After(end) {
			t.Fatal("the hub does not keep what was said:", p, err)
		}
	}
	bob, kept := look(t, s.Hub(keys, "bob"))
	var all []string
	for _, m := range kept.said {
		all = append(all, m.Key+"="+string(m.Data))
		if m.Stored.IsZero() {
			t.Error("what is kept is taken for what is said now")
		}
	}
	if got := strings.Join(all, " "); !strings.Contains(got, "gh.build-7=here") || !strings.Contains(got, "gh.build-7.x=2") || len(all) != 3 {
		t.Error(got)
	}
	until(t, "hosts are asked whether they are there", &asked.mu, asked.changed, func() bool { return asked.hellos > 0 })

	ctx, cancel := context.WithTimeout(context.Background(), soon)
	defer cancel()
	for _, x := range []struct {
		l    *link.HubViewer
		host string
		boot uint64
		kind string
		want string
		err  error
	}{
		{alice, "build-7", 7, wire.AskList, "to alice: hi", nil},
		{alice, "my host.*>", 8, wire.AskDecide, "to alice: hi", nil},
		{bob, "build-7", 7, wire.AskTree, "to bob: hi", nil},
		{bob, "build-7", 7, wire.AskDecide, "", link.ErrForbidden},
		{alice, "build-7", 6, wire.AskDecide, "", link.ErrNobody}, // a process that has ended
		{alice, "build-9", 7, wire.AskDecide, "", link.ErrNobody},
	} {
		got, err := x.l.Ask(ctx, x.host, x.boot, x.kind, []byte("hi"))
		if string(got) != x.want || !errors.Is(err, x.err) {
			t.Errorf("%s of %s: %q, %v; want %q, %v", x.kind, x.host, got, err, x.want, x.err)
		}
	}
	asked.mu.Lock()
	defer asked.mu.Unlock()
	for _, a := range asked.asked {
		if !a.Trusted {
			t.Error("a hub that checks is not trusted")
		}
	}
	if len(asked.told) > 0 {
		t.Error(asked.told)
	}
}

// slowHost takes its time for decisions and to say what became of them, and notes each request that it begins to answer.
type slowHost struct {
	*host
	release chan struct{}
}

func (h slowHost) Answer(ctx context.Context, a link.Asked) []byte {
	reply := h.host.Answer(ctx, a)
	if a.Changes {
		<-h.release
	}
	return reply
}

// Decisions behind a lock are all begun, so that asking what became of one does not withdraw it; and neither they nor who asks that keep anybody
// who looks waiting.
func TestDecisionsKeepNobodyFromLooking(t *testing.T) {
	s := hubtest.Start(t, nil)
	slow := slowHost{newHost(), make(chan struct{})}
	joinAs(t, s.Hub(nil, "build-7"), 7, slow, slow.host)
	alice, _ := look(t, s.Hub(nil, "alice"))
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	kinds := []string{wire.AskDecide, wire.AskOutcome, wire.AskSettle}
	const each = 40
	var asking sync.WaitGroup
	for range each {
		for _, kind := range kinds {
			asking.Go(func() { alice.Ask(ctx, "build-7", 7, kind, wire.Encode(&wire.Request{V: 1, Request: kind})) })
		}
	}
	defer asking.Wait()
	defer close(slow.release)
	until(t, "all have begun", &slow.mu, slow.changed, func() bool { return len(slow.asked) == each*len(kinds) })
	if _, err := alice.Ask(ctx, "build-7", 7, wire.AskList, wire.Encode(&wire.Request{V: 1, Request: wire.AskList})); err != nil {
		t.Error(err)
	}
}
