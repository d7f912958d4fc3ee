package fleet_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"gatehouse/model"
	"gatehouse/parse/fleet/hubtest"
	"gatehouse/parse/fleet/join"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/view"
	"gatehouse/parse/fleet/wire"
)

// heard counts all that goes through a hub, by what it is.
type heard struct {
	mu     sync.Mutex
	counts map[string]int
	fresh  chan struct{}
}

// listen begins to count.
func listen(t *testing.T, s *hubtest.Server) *heard {
	nc, err := nats.Connect(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	h := &heard{counts: map[string]int{}, fresh: make(chan struct{}, 1)}
	_, err = nc.Subscribe(">", func(m *nats.Msg) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.counts[sort(m.Subject)]++
		select {
		case h.fresh <- struct{}{}:
		default:
		}
	})
	if err != nil || nc.Flush() != nil {
		t.Fatal("nothing can be heard:", err)
	}
	return h
}

// sort says what a message is, by its subject.
func sort(subject string) string {
	if key, ok := strings.CutPrefix(subject, wire.KeySubjects+wire.Keys); ok {
		return [...]string{"presence", "project", "build"}[strings.Count(key, ".")]
	}
	for start, what := range map[string]string{"_INBOX_host_": "receipt", "_INBOX_user_": "answer", "gatehouse.read.": "read", "gatehouse.name.": "name", "$JS.": "bucket"} {
		if strings.HasPrefix(subject, start) {
			return what
		}
	}
	return subject
}

// until waits until so many of a sort have come, and returns all that have, to count anew.
func (h *heard) until(t *testing.T, what string, n int) map[string]int {
	t.Helper()
	for end := time.After(soon); ; {
		h.mu.Lock()
		if h.counts[what] >= n {
			counts := h.counts
			h.counts = map[string]int{}
			h.mu.Unlock()
			return counts
		}
		h.mu.Unlock()
		select {
		case <-h.fresh:
		case <-end:
			t.Fatalf("not within %v: %d of %s; there is %v", soon, n, what, h.counts)
		}
	}
}

// What goes through the network is what has to: each build once, then that hosts are there, and of a change what has changed.
func TestNothingIsSaidTwice(t *testing.T) {
	t.Parallel()
	const hosts, projects, trees = 3, 4, 5
	s := hubtest.Start(t, nil)
	look := func(trees int) *view.Fleet {
		return view.Open(t.Context(), view.Options{Fleet: "test", Links: []link.Viewer{link.NewHubViewer(s.Hub(nil, "alice"))}, Trees: trees, Now: time.Now})
	}
	look(0) // it makes the bucket
	h := listen(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	t.Cleanup(func() { cancel(); running.Wait() })
	var feeds []*simulated
	for i := range hosts {
		name := fmt.Sprintf("build-%d", i)
		feed := newSimulated(name, projects)
		feeds = append(feeds, feed)
		x := join.New(join.Options{Name: name, Machine: name, Boot: 1, Feed: feed, Link: link.NewHubHost(s.Hub(nil, name), 1), Now: time.Now, Log: func(string) {}, PresenceEvery: 100 * time.Millisecond})
		running.Go(func() { x.Run(ctx) })
	}
	if got := h.until(t, "presence", 5*hosts); got["build"] != hosts*projects || got["project"] != hosts*projects {
		t.Errorf("to join takes %v", got)
	}
	f := look(trees)
	shows(t, f, "some trees", func(s *model.Snapshot) bool {
		n := 0
		for _, p := range s.Projects {
			for _, b := range p.Builds {
				if !b.Partial {
					n++
				}
			}
		}
		return n == trees
	})
	for end := time.Now().Add(soon); ; { // what was under way may still come
		got := h.until(t, "presence", 5*hosts)
		delete(got, "name") // asked from time to time
		if len(got) == 2 && got["receipt"] <= 6*hosts {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("an idle fleet says %v", got)
		}
	}
	feeds[0].change(0, 1)
	shows(t, f, "the change", func(s *model.Snapshot) bool {
		p := find(s, view.Root("build-0", "/src/build-0/shop-0"))
		return p.Builds[0].Why == "step 1"
	})
	if got := h.until(t, "presence", 15*hosts); got["build"] != 1 || got["project"] > 1 || got["read"] > 1 { // choosing trees anew takes a second at most
		t.Errorf("a change takes %v", got)
	}
}
