package view

// One host: the newest of what it has said, and what that was made into.

import (
	"bytes"
	"cmp"
	"fmt"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

// maxHosts is how many hosts are remembered of a link.
const maxHosts = 10_000

// host is what is known of one.
type host struct {
	source   *source
	name     string         // as it is called here
	boot     uint64         // of the process that speaks for it
	presence *wire.Presence // the newest; its zero value before there is one
	// gaveUp is the head of the last presence of a process with a higher boot number that is silent while one with a lower speaks: see [host.yields].
	gaveUp   wire.Head
	bootKept time.Time // when the hub has kept the newest that it keeps of the process, by its clock
	entries  map[string]*entry
	digest   wire.Digest // of the entries of the present process
	count    int         // how many those are
	bytes    int
	troubles map[string]string // what can't be read of what it says, by key, until something under it can be

	since time.Time // when it was first heard of in any way
	heard time.Time // when it was last heard of itself, by our clock; zero: not since we look
	kept  time.Time // when what the hub keeps of it was said, by the hub's clock
	live  bool

	ahead   time.Duration   // how far its clock is ahead of ours, as times are corrected by
	samples []time.Duration // the newest last

	listing  bool // its list is being asked for
	listNext time.Time
	listWait time.Duration
	listMost time.Duration // what that grows to; 0: listLast

	mute bool // it has not answered when it was asked for a tree last

	projects map[string]*project // what is shown, by root; nil: to be made anew
	ordered  []*project          // the same, by their roots
	about    *model.Host         // as it is shown with them
}

// Said implements [link.Listener].
func (s *source) Said(m link.Message) {
	if s.has(m) {
		return
	}
	parsed, err := wire.ParseMessage(m.Key, m.Data)
	s.fleet.mu.Lock()
	defer s.fleet.mu.Unlock()
	token, ok := wire.KeyHost(m.Key)
	if !ok {
		return
	}
	if only := s.link.Only(); only != "" { // whatever it calls itself
		for other := range s.hosts {
			if other != token {
				delete(s.hosts, other)
			}
		}
	}
	h := s.hosts[token]
	if h == nil {
		if len(s.hosts) >= maxHosts {
			return
		}
		name := cmp.Or(s.link.Only(), nameOf(token, parsed))
		if name == "" {
			return
		}
		h = &host{source: s, since: s.fleet.opts.Now(), name: name, presence: &wire.Presence{}, entries: map[string]*entry{}}
		s.hosts[token] = h
	}
	if err != nil {
		h.unreadable(m, err)
		return
	}
	h.take(m, parsed)
}

// nameOf returns the name of a host by something it has said, "" where that does not tell it.
func nameOf(token string, parsed any) string {
	if said, ok := parsed.(interface{ Sender() string }); ok {
		return said.Sender()
	}
	if name := wire.Untoken(token); wire.Token(name) == token {
		return name
	}
	return ""
}

// has reports whether a message is the one that is known: all that a hub keeps is told again after each connection that was lost.
func (s *source) has(m link.Message) bool {
	token, _ := wire.KeyHost(m.Key)
	s.fleet.mu.Lock()
	defer s.fleet.mu.Unlock()
	if !m.Stored.IsZero() {
		s.told = s.fleet.opts.Now()
	}
	h := s.hosts[token]
	if h == nil {
		return false
	}
	e := h.entries[m.Key]
	return e != nil && bytes.Equal(e.data, m.Data)
}

// take takes a message that is newer than what is known.
func (h *host) take(m link.Message, parsed any) {
	now := h.source.fleet.opts.Now()
	switch p := parsed.(type) {
	case *wire.Presence:
		if p.Boot < h.boot && h.yields(p, m.Stored, now) {
			h.giveUp(p.Boot)
		}
		if h.past(p.Boot) && m.Stored.IsZero() && p.After(h.gaveUp) { // it was only silent
			h.gaveUp = wire.Head{}
		}
		if !h.after(p.Head, h.presence.Head) {
			return
		}
		h.begin(p.Boot)
		if p.Boot != h.boot {
			return
		}
		known := h.whole()
		h.presence = p
		h.heal(m.Key)
		if m.Stored.IsZero() {
			h.hear(p, now)
		} else {
			h.kept = m.Stored
			h.changed()
		}
		if p.Ready {
			h.forget(func(_ string, e *entry) bool { return e.head.Boot != h.boot })
		}
		if h.whole() { // what is gone was said before it, and the order is the hub's: nothing older can come
			h.forget(func(_ string, e *entry) bool { return e.gone && p.After(e.head) })
			if !known { // somebody may wait for it
				h.source.fleet.changed()
			}
		}
		h.compare()
	case *wire.Project:
		h.put(m, p.Head, &entry{project: p})
	case *wire.Build:
		h.put(m, p.Head, &entry{build: p})
	case *wire.Gone:
		h.put(m, p.Head, &entry{gone: true})
	case nil: // a kind that a later version has
		h.skip(m)
	}
}

// skip takes a message of which nothing is looked at. It counts among what the host has said: else it would be missed, and the host's list asked for
// because of it. What was said there before is shown.
func (h *host) skip(m link.Message) {
	head, ok := wire.ParseHead(m.Key, m.Data)
	if !ok {
		return
	}
	e := &entry{}
	if old := h.entries[m.Key]; old != nil {
		*e = *old
		e.gone = false
	}
	m.Data = e.data
	h.put(m, head, e)
}

// unreadable notes a message that can't be read.
func (h *host) unreadable(m link.Message, why error) {
	h.skip(m)
	h.complain(m.Key, fmt.Sprintf("something it says can't be read: %v", why))
}

// changed has the host shown anew.
func (h *host) changed() {
	h.projects = nil
	h.source.fleet.changed()
}

// shown returns how the host is called on a screen.
func (h *host) shown() string { return line.Clean(h.name) }
