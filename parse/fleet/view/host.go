package view

// One host: the newest of what it has said, whether it is there, and how its clock differs from ours.

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

// What one host may fill memory with.
const (
	maxHosts   = 10_000
	maxEntries = 20_000
	maxBytes   = 64 << 20
	// maxTroubles is how much that can't be read is remembered: one is told.
	maxTroubles = 100
)

const (
	// clockSamples is how many presences the difference of the clocks is read off.
	clockSamples = 8
	// clockMatters is from which difference on times are corrected, and by how much it must have changed for them to be
	// corrected anew.
	clockMatters = 2 * time.Second
	// A list is asked for again after a second, then after twice the time, up to half a minute.
	listFirst = time.Second
	listLast  = 30 * time.Second
	listFor   = 20 * time.Second
)

// host is what is known of one.
type host struct {
	source   *source
	name     string // as it is called here
	boot     uint64
	presence *wire.Presence // the newest; its zero value before there is one
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

	projects map[string]*project // what is shown, by root; nil: to be made anew
}

// entry is the newest message under one key.
type entry struct {
	head     wire.Head
	data     []byte
	gone     bool
	project  *wire.Project
	build    *wire.Build
	looked   bool            // it was made into the model, or can't be
	shown    *model.Build    // of a build; the last good one where the newest can't be made into one
	about    *model.Project  // of a project
	sessions []model.Session // of a project
	tree     *tree
	// treeless is why there is no tree, "" where there is one or nobody has asked.
	treeless string
}

// Said implements [link.Listener].
func (s *source) Said(m link.Message) {
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
		h = &host{source: s, since: s.fleet.opts.Now(), name: s.link.Only(), presence: &wire.Presence{}, entries: map[string]*entry{}}
		if h.name == "" {
			h.name = wire.Untoken(token)
		}
		s.hosts[token] = h
	}
	if err != nil {
		h.complain(m.Key, fmt.Sprintf("something it says can't be read: %v", err))
		return
	}
	h.take(m, parsed)
}

// complain says that what stands under a key can't be read.
func (h *host) complain(key, text string) {
	if h.note(key, text) {
		h.projects = nil
		h.source.fleet.changed()
	}
}

// note notes that, and reports whether it is new.
func (h *host) note(key, text string) bool {
	old, known := h.troubles[key]
	if old == text || !known && len(h.troubles) >= maxTroubles {
		return false
	}
	if h.troubles == nil {
		h.troubles = map[string]string{}
	}
	h.troubles[key] = text
	return true
}

// heal notes that what stands under a key can be read.
func (h *host) heal(key string) {
	if _, known := h.troubles[key]; known {
		delete(h.troubles, key)
		h.projects = nil
		h.source.fleet.changed()
	}
}

// trouble says what can't be read of what the host says, "" for nothing.
func (h *host) trouble() string {
	for _, key := range slices.Sorted(maps.Keys(h.troubles)) {
		return h.troubles[key]
	}
	return ""
}

// listKey is where trouble with the list stands: no message has it.
const listKey = ""

// take takes a message that is newer than what is known.
func (h *host) take(m link.Message, parsed any) {
	now := h.source.fleet.opts.Now()
	switch p := parsed.(type) {
	case *wire.Presence:
		if !p.After(h.presence.Head) {
			return
		}
		h.begin(p.Boot)
		if p.Boot < h.boot {
			return
		}
		h.presence = p
		h.heal(m.Key)
		if m.Stored.IsZero() {
			h.hear(p, now)
		} else {
			h.kept = m.Stored
			h.projects = nil
			h.source.fleet.changed()
		}
		if p.Ready {
			h.forget(func(e *entry) bool { return e.head.Boot < h.boot })
		}
		h.compare()
	case *wire.Project:
		h.put(m, p.Head, &entry{project: p})
	case *wire.Build:
		h.put(m, p.Head, &entry{build: p})
	case *wire.Gone:
		h.put(m, p.Head, &entry{gone: true})
	}
}

// begin notes that another process of the host speaks. What the one before has said stays until the new one has said all.
func (h *host) begin(boot uint64) {
	if boot <= h.boot {
		return
	}
	h.boot, h.digest, h.count = boot, 0, 0
	h.troubles = nil // of the process before; what can't be read of this one is missed, and so listed
	for key, e := range h.entries {
		if e.head.Boot == boot && !e.gone {
			h.digest.Add(key, e.head.Seq)
			h.count++
		}
	}
}

// put puts an entry in the place of an older one.
func (h *host) put(m link.Message, head wire.Head, e *entry) {
	old := h.entries[m.Key]
	if old != nil && !head.After(old.head) {
		return
	}
	h.begin(head.Boot)
	if old == nil && len(h.entries) >= maxEntries || h.bytes+len(m.Data) > maxBytes {
		h.complain(m.Key, "it says more than is looked at here")
		return
	}
	if old != nil {
		h.drop(m.Key, old)
		e.shown, e.about, e.tree = old.shown, old.about, old.tree
	}
	e.head, e.data = head, m.Data
	if e.gone {
		e.data = nil
	}
	h.entries[m.Key] = e
	h.heal(m.Key)
	h.bytes += len(e.data)
	if head.Boot == h.boot && !e.gone {
		h.digest.Add(m.Key, head.Seq)
		h.count++
	}
	h.projects = nil
	h.source.fleet.wants(h, m.Key, e)
	h.source.fleet.changed()
}

// drop takes an entry out of the counts.
func (h *host) drop(key string, e *entry) {
	h.bytes -= len(e.data)
	if e.head.Boot == h.boot && !e.gone {
		h.digest.Drop(key, e.head.Seq)
		h.count--
	}
}

// forget removes entries.
func (h *host) forget(which func(*entry) bool) {
	for key, e := range h.entries {
		if which(e) {
			h.drop(key, e)
			delete(h.entries, key)
			h.projects = nil
			h.source.fleet.changed()
		}
	}
}

// hear notes that the host is there, by a presence that it has said itself.
func (h *host) hear(p *wire.Presence, now time.Time) {
	h.sample(p.At.Sub(now))
	// A presence that was under way for long tells of when it was sent.
	if late := now.Add(h.latest()).Sub(p.At); late > clockMatters {
		now = now.Add(-late)
	}
	if now.After(h.heard) {
		h.heard = now
	}
	h.stale(h.source.fleet.opts.Now())
}

// answered notes what the host's clock said when it answered something: soon, for an answer may be long under way both ways.
func (h *host) answered(at, sent, got time.Time) {
	if way := got.Sub(sent); way < clockMatters && way >= 0 {
		h.sample(at.Sub(sent.Add(way / 2)))
	}
}

func (h *host) sample(ahead time.Duration) {
	h.samples = append(h.samples, ahead)
	h.samples = h.samples[max(0, len(h.samples)-clockSamples):]
	h.estimate()
}

// latest returns by how much the host's clock is ahead, as its presences tell: what is under way looks older, never newer.
func (h *host) latest() time.Duration { return slices.Max(h.samples) }

// precisely returns by how much the host's clock is ahead of ours, as closely as that is known.
func (h *host) precisely() time.Duration {
	if len(h.samples) > 0 {
		return h.latest()
	}
	return h.ahead
}

// estimate corrects by how much the host's clock is ahead of ours.
func (h *host) estimate() {
	ahead := h.ahead
	switch {
	case len(h.samples) > 0:
		ahead = h.latest()
	case !h.kept.IsZero(): // by what the hub's clock said when it was stored
		ahead = h.presence.At.Sub(h.kept) + h.source.clock
	}
	if ahead.Abs() < clockMatters {
		ahead = 0
	}
	if (ahead-h.ahead).Abs() < clockMatters && (ahead == 0) == (h.ahead == 0) {
		return
	}
	h.ahead, h.projects = ahead, nil
	for _, e := range h.entries {
		e.looked, e.tree = false, nil
	}
	h.source.fleet.changed()
}

// stale brings up to date whether the host is there.
func (h *host) stale(now time.Time) {
	live := h.source.up && !h.presence.Left && !h.heard.IsZero() && now.Sub(h.heard) <= h.source.fleet.opts.SilentAfter
	if live != h.live {
		h.live, h.projects = live, nil
		h.source.fleet.fetches.due = true // trees may have been asked for in vain
		h.source.fleet.changed()
	}
}

// asOf returns when the host was last heard of, by our clock; zero where it never was.
func (h *host) asOf() time.Time {
	if h.heard.IsZero() && !h.kept.IsZero() {
		return h.kept.Add(-h.source.clock)
	}
	return h.heard
}

// mayBeThere reports whether the host may be there without having been heard of: what is kept is not old enough to tell.
func (h *host) mayBeThere(now time.Time) bool {
	return !h.live && !h.presence.Left && now.Add(h.source.clock).Sub(h.kept) < h.source.fleet.opts.SilentAfter
}

// forgotten reports whether a host is gone for so long that it is not shown any more.
func (h *host) forgotten(now time.Time) bool {
	last := h.since
	if asOf := h.asOf(); asOf.After(last) {
		last = asOf
	}
	return !h.live && now.Sub(last) > forgetAfter
}

// whole reports whether all is known that the host has said, as far as it has told.
func (h *host) whole() bool {
	return h.presence.Ready && h.presence.Boot == h.boot && h.presence.Entries == h.count && h.presence.Digest == h.digest.String()
}

// compare asks for the list of the host where something it has said was lost.
func (h *host) compare() {
	now := h.source.fleet.opts.Now()
	switch {
	case !h.live || h.listing || !h.source.listed && now.Sub(h.source.since) < listFirst: // what is kept is on its way
		return
	case h.whole() || !h.presence.Ready:
		h.listWait = 0
		return
	case now.Before(h.listNext):
		return
	}
	h.listWait = min(max(listFirst, 2*h.listWait), listLast)
	h.listNext, h.listing = now.Add(h.listWait), true
	go h.list()
}

// list asks for the host's list, and takes it.
func (h *host) list() {
	f := h.source.fleet
	ctx, cancel := context.WithTimeout(f.ctx, listFor)
	defer cancel()
	data, _, err := f.fetch(ctx, h, wire.Request{Request: wire.AskList})
	f.mu.Lock()
	defer f.mu.Unlock()
	h.listing = false
	if err != nil {
		return // the next presence has it asked for again
	}
	all, err := wire.ParseList(data)
	if err != nil {
		h.complain(listKey, fmt.Sprintf("its list can't be read: %v", err))
		return
	}
	h.heal(listKey)
	key := "" // of the presence
	for _, k := range slices.Sorted(maps.Keys(all)) {
		if !strings.Contains(strings.TrimPrefix(k, wire.Keys), ".") {
			key = k
		}
	}
	parsed, err := wire.ParseMessage(key, all[key])
	here, ok := parsed.(*wire.Presence)
	if err != nil || !ok || here.Boot < h.boot {
		return
	}
	for k, data := range all {
		if k == key || wire.HostKey(here.Host) != key {
			continue
		}
		if m, err := wire.ParseMessage(k, data); err != nil {
			h.complain(k, fmt.Sprintf("something it says can't be read: %v", err))
		} else {
			h.take(link.Message{Key: k, Data: data}, m)
		}
	}
	for k, e := range h.entries { // what was said before the list, and is not in it, is no more
		if all[k] == nil && !e.head.After(here.Head) {
			h.drop(k, e)
			delete(h.entries, k)
			h.projects = nil
		}
	}
	h.take(link.Message{Key: key, Data: all[key]}, here)
	f.changed()
}

// shown returns how the host is called on a screen.
func (h *host) shown() string { return line.Clean(h.name) }

// why says since when nothing is heard of a host that is not there, and why.
func (h *host) why() string {
	f, asOf := h.source.fleet, h.asOf()
	since := "before anybody looked"
	if !asOf.IsZero() {
		since = f.clockTime(asOf)
	}
	switch {
	case h.live:
		return ""
	case !h.source.up:
		return fmt.Sprintf("not known since %s: %s can't be reached", since, line.Clean(h.source.link.Name()))
	case h.presence.Left:
		return "offline since " + f.clockTime(h.presence.At.Add(-h.ahead)) + ": it has left"
	}
	return "offline since " + since
}
