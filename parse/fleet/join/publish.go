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
	said     *model.Build // of which content is
	content  string       // hash of what was said last, of a build of its whole tree, where that can be sent; "" for nothing
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
			go h.Ledger.Clear() // apart: there may be much to remove
		}
	}
}

// saying is what is to be said under a key; gone, that it is the last.
type saying struct {
	key  string
	data []byte
	gone bool
}

// round says all that may be said now, and returns when there is more. It is publish's alone, and so are the entries: others only read, under the
// lock, what was said last. That is not held while trees are encoded, for which decisions would wait, nor while anything is said.
func (h *Host) round() (wait time.Duration, any bool) {
	now := time.Now() // how long something is ago is not for a clock that may be set
	later := func(at time.Time) {
		if d := at.Sub(now); !any || d < wait {
			wait, any = d, true
		}
	}
	say, due, read := h.due(now, later)
	if !read {
		return 0, false
	}
	for key, e := range due {
		if !h.renew(key, e, now) {
			delete(due, key)
		}
	}
	h.words.Lock()
	defer h.words.Unlock()
	for _, m := range h.told(say, due, now, later) {
		h.Link.Say(m.key, m.data, m.gone)
	}
	return wait, any
}

// due takes the newest snapshot, and returns what is to be said of what is gone, and the entries of which something may be said anew. It reports
// whether the projects were read.
func (h *Host) due(now time.Time, later func(time.Time)) (gone []saying, due map[string]*entry, read bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.projects == nil {
		return nil, nil, false
	}
	if h.fresh {
		h.fresh = false
		h.compare()
	}
	due = map[string]*entry{}
	for key, e := range h.entries {
		switch {
		case !e.stays:
			h.digest.Drop(key, e.seq)
			delete(h.entries, key)
			gone = append(gone, saying{key, wire.Encode(&wire.Gone{Head: h.head(wire.KindGone)}), true})
		case !e.dirty:
		case now.Sub(e.at) < wire.WriteEvery:
			later(e.at.Add(wire.WriteEvery))
		default:
			due[key] = e
		}
	}
	return gone, due, true
}

// told returns what is to be said: what is gone, the entries that were renewed, or all of them, and behind that a presence, if it is time for one.
func (h *Host) told(say []saying, renewed map[string]*entry, now time.Time, later func(time.Time)) []saying {
	h.mu.Lock()
	defer h.mu.Unlock()
	changed := len(say) > 0 || !h.ready
	h.ready = true
	if h.again && h.up {
		h.again, h.presence = false, true
		renewed = h.entries
	}
	if h.up { // what is not said now is said when there is a connection
		for key, e := range renewed {
			if e.data != nil {
				say = append(say, saying{key, e.data, false})
			}
		}
	}
	if h.presence || changed {
		if soon := h.lastHere.Add(helloEvery); now.Before(soon) && !changed {
			later(soon)
		} else if h.up {
			say = append(say, h.hereNow())
		}
	}
	return say
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

// renew makes the message of an entry anew, and reports whether it is another than it was.
func (h *Host) renew(key string, e *entry, now time.Time) bool {
	m, content := message(e)
	h.mu.Lock()
	defer h.mu.Unlock()
	e.dirty, e.said = false, e.build
	if m == nil {
		return false
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
	return true
}

// message returns what is to be said of an entry, without its head, and what tells it from others; nil where that was said.
func message(e *entry) (m any, content string) {
	if e.build == nil {
		p := wire.EncodeProject(e.project, e.sessions)
		if content = statefile.Hash(string(wire.Encode(p))); content == e.content {
			return nil, content
		}
		return p, content
	}
	tree := ""
	if whole, err := wire.Whole(e.build); err == nil {
		if tree = statefile.Hash(string(whole)); tree == e.content {
			return nil, tree
		}
	}
	b := &wire.Build{Root: e.project.Root, Name: e.project.Name, Tree: tree, Build: wire.Summarize(e.build)}
	if tree != "" {
		return b, tree
	}
	if content = statefile.Hash(string(wire.Encode(b))); content == e.content {
		return nil, content
	}
	return b, content
}

// hereNow returns a presence that is about to be said.
func (h *Host) hereNow() saying {
	h.presence, h.lastHere = false, time.Now()
	return saying{key: wire.HostKey(h.Name), data: h.here()}
}

// here returns a presence.
func (h *Host) here() []byte {
	return wire.Encode(&wire.Presence{
		Head: h.head(wire.KindPresence), Machine: h.Machine, Version: h.Version, Ready: h.ready, Entries: len(h.entries), Digest: h.digest.String(), Left: h.left, Watch: h.watch,
	})
}
