// Saying what is built here.

package join

import (
	"context"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/fleet/wire"
)

// refreshEvery is how often everything is said again though nothing has changed: a hub forgets what is a week old.
const refreshEvery = 12 * time.Hour

// helloEvery is the shortest time between two presences: many may begin to look at once.
const helloEvery = 100 * time.Millisecond

// entry is what is said under one key.
type entry struct {
	project *model.Project // as it is now
	// sessions are those of live agents that the project shows.
	sessions []model.Session
	build    *model.Build // nil for what is said about the project itself
	dirty    bool         // it may have to be said anew
	content  string       // hash of what was said last, "" for nothing
	data     []byte       // the message that was said last
	seq      uint64       // of it
	at       time.Time    // when that was
	stays    bool         // it is part of the newest snapshot
}

// publish says what is to be said, until ctx ends.
func (h *Host) publish(ctx context.Context) {
	here := time.NewTicker(h.PresenceEvery)
	defer here.Stop()
	refresh := time.NewTicker(refreshEvery)
	defer refresh.Stop()
	later := time.NewTimer(time.Hour)
	defer later.Stop()
	for {
		if wait, any := h.round(); any {
			later.Reset(wait)
		}
		select {
		case <-ctx.Done():
			return
		case <-h.say:
		case <-later.C:
		case <-here.C:
			h.Hello()
		case <-refresh.C:
			h.Behind()
		}
	}
}

// round says all that may be said now, and returns when there is more.
func (h *Host) round() (wait time.Duration, any bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.projects == nil {
		return 0, false
	}
	h.compare()
	now := time.Now() // how long something is ago is not for a clock that may be set
	later := func(at time.Time) {
		if d := at.Sub(now); !any || d < wait {
			wait, any = d, true
		}
	}
	changed := !h.ready
	for key, e := range h.entries {
		switch {
		case !e.stays:
			h.digest.Drop(key, e.seq)
			delete(h.entries, key)
			h.Link.Say(key, wire.Encode(&wire.Gone{Head: h.head(wire.KindGone)}), true)
			changed = true
		case !e.dirty:
		case now.Sub(e.at) < wire.WriteEvery:
			later(e.at.Add(wire.WriteEvery))
		default:
			h.renew(key, e, now)
		}
	}
	if h.again && h.up {
		h.again, h.presence = false, true
		for key, e := range h.entries {
			if e.data != nil {
				h.Link.Say(key, e.data, false)
			}
		}
	}
	h.ready = true
	if h.presence || changed {
		if soon := h.lastHere.Add(helloEvery); now.Before(soon) && !changed {
			later(soon)
		} else {
			h.sayHere()
		}
	}
	return wait, any
}

// compare brings the entries in line with the newest snapshot. What is the same value was not read again.
func (h *Host) compare() {
	for _, e := range h.entries {
		e.stays = false
	}
	take := func(key string, p *model.Project, b *model.Build) {
		e := h.entries[key]
		if e == nil {
			e = &entry{}
			h.entries[key] = e
		}
		e.stays = true
		if e.project == nil || b == nil && e.project != p || e.build != b {
			e.dirty = true
		}
		e.project, e.build = p, b
		if b == nil && e.dirty {
			e.sessions = h.sessionsOf(p)
		}
	}
	for _, p := range h.projects {
		take(wire.ProjectKey(h.Name, p.Root, p.Name), p, nil)
		for _, b := range p.Builds {
			take(wire.ProjectKey(h.Name, p.Root, p.Name, b.ID), p, b)
		}
	}
}

// sessionsOf returns the sessions of live agents that a project shows.
func (h *Host) sessionsOf(p *model.Project) (all []model.Session) {
	for _, b := range p.Builds {
		if b.ID != model.AgentsBuild {
			continue
		}
		for _, s := range h.sessions {
			if n, _ := b.Find(s.Node); n != nil {
				all = append(all, s)
			}
		}
	}
	return all
}

// renew says an entry anew, if it is another than it was.
func (h *Host) renew(key string, e *entry, now time.Time) {
	e.dirty = false
	m, content := message(e)
	if content == e.content {
		return
	}
	switch m := m.(type) {
	case *wire.Project:
		m.Head = h.head(wire.KindProject)
	case *wire.Build:
		m.Head = h.head(wire.KindBuild)
	}
	if e.data != nil {
		h.digest.Drop(key, e.seq)
	}
	e.content, e.seq, e.at, e.data = content, h.seq, now, wire.Encode(m)
	h.digest.Add(key, e.seq)
	h.Link.Say(key, e.data, false)
}

// message returns what is to be said of an entry, without its head, and what tells it from others.
func message(e *entry) (m any, content string) {
	if e.build == nil {
		p := wire.EncodeProject(e.project, e.sessions)
		return p, statefile.Hash(string(wire.Encode(p)))
	}
	b := &wire.Build{Root: e.project.Root, Name: e.project.Name, Build: wire.Summarize(e.build)}
	if whole, err := wire.Whole(e.build); err == nil {
		b.Tree = statefile.Hash(string(whole))
		return b, b.Tree
	}
	return b, statefile.Hash(string(wire.Encode(b)))
}

// sayHere says that the host is there.
func (h *Host) sayHere() {
	h.presence, h.lastHere = false, time.Now()
	h.Link.Say(wire.HostKey(h.Name), h.here(), false)
}

// here returns a presence.
func (h *Host) here() []byte {
	return wire.Encode(&wire.Presence{
		Head: h.head(wire.KindPresence), Machine: h.Machine, Version: h.Version, Ready: h.ready, Entries: len(h.entries), Digest: h.digest.String(), Left: h.left, Watch: h.watch,
	})
}
