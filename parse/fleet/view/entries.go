package view

// What a host has said, by key: the newest of each, and what of it can't be read.

import (
	"maps"
	"slices"

	"gatehouse/model"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

// What one host may fill memory with.
const (
	maxEntries = 20_000
	maxBytes   = 64 << 20
	// maxTroubles is how much that can't be read is remembered: one is told.
	maxTroubles = 100
)

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

// put puts an entry in the place of an older one.
func (h *host) put(m link.Message, head wire.Head, e *entry) {
	old := h.entries[m.Key]
	if old != nil && !h.after(head, old.head) {
		return
	}
	if f := h.source.fleet; !m.Stored.IsZero() && head.Boot < h.boot && h.presence.Ready && h.presence.Boot == h.boot && f.opts.Now().Sub(h.heard) <= f.opts.SilentAfter {
		return // the process has said all, a moment ago: what a hub still has of one before is no more
	}
	h.begin(head.Boot)
	if head.Boot == h.boot && m.Stored.After(h.bootKept) {
		h.bootKept = m.Stored
	}
	more := len(m.Data)
	if old != nil {
		more -= len(old.data)
	}
	if old == nil && len(h.entries) >= maxEntries || more > 0 && h.bytes+more > maxBytes {
		h.complain(m.Key, "it says more than is looked at here")
		return
	}
	if old != nil {
		h.drop(m.Key, old)
		if !e.gone { // else all of it would be kept for as long as the process speaks
			e.shown, e.about, e.tree = old.shown, old.about, old.tree
		}
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
	h.source.fleet.wants(h, e)
	h.changed()
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
func (h *host) forget(which func(key string, e *entry) bool) {
	before := len(h.entries)
	for key, e := range h.entries {
		if which(key, e) {
			h.drop(key, e)
			delete(h.entries, key)
		}
	}
	if len(h.entries) < before {
		h.changed()
	}
}

// complain says that what stands under a key can't be read.
func (h *host) complain(key, text string) {
	if h.note(key, text) {
		h.changed()
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
		h.changed()
	}
}

// trouble says what can't be read of what the host says, "" for nothing.
func (h *host) trouble() string {
	for _, key := range slices.Sorted(maps.Keys(h.troubles)) {
		return h.troubles[key]
	}
	return ""
}
