package view

import (
	"context"
	"testing"
	"time"

	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

// A hub that has lost what it kept names no host: that there is none is not said before those that are there had the time to say so.
func TestReadyWaitsForHostsOfAHubThatKnowsNone(t *testing.T) {
	s := newStage(t, "hub")
	s.sources[0].Listed(s.clock(), nil)
	p := &process{machine: "m", boot: 7}
	time.AfterFunc(50*time.Millisecond, func() {
		s.sources[0].Said(p.project("/src/x", s.clock()))
		s.sources[0].Said(p.here(s.clock()))
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := s.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	s.shows("when it is ready", true, "/src/x")
}

// What is known in full by a presence alone is news: whoever waits for it would wait in vain else.
func TestReadyIsToldThatAllIsKnown(t *testing.T) {
	s := newStage(t, "ssh build-7")
	src := s.sources[0]
	src.Listed(s.clock(), nil)
	p := &process{boot: 1}
	early := link.Message{Key: wire.HostKey("build-7"), Data: wire.Encode(&wire.Presence{Head: p.head(wire.KindPresence, s.clock())})}
	for _, m := range []link.Message{early, p.project("/src/x", s.clock())} {
		src.Said(m)
	}
	s.Fleet.mu.Lock()
	fresh := s.fresh
	s.Fleet.mu.Unlock()
	src.Said(p.here(s.clock()))
	select {
	case <-fresh:
	default:
		t.Error("nobody is told")
	}
}
