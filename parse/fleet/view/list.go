package view

// The list of all that a host has said, asked for where something of it was lost.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

// A list is asked for again after a second, then after twice the time, up to half a minute; and up to listRarely where the one before was of no use,
// since what was missed can't be read, or is more than is looked at here.
const (
	listFirst  = time.Second
	listLast   = 30 * time.Second
	listRarely = 10 * time.Minute
	listFor    = 20 * time.Second
)

// listKey is where trouble with the list stands: no message has it.
const listKey = ""

// whole reports whether all is known that the host has said, as far as it has told.
func (h *host) whole() bool {
	return h.presence.Ready && h.presence.Boot == h.boot && h.presence.Entries == h.count && h.presence.Digest == h.digest.String()
}

// compare asks for the list of the host where something it has said was lost.
func (h *host) compare() {
	now := h.source.fleet.opts.Now()
	switch {
	case !h.live || h.listing || h.source.listing(now): // what is kept is on its way
		return
	case h.whole() || !h.presence.Ready:
		h.listWait = 0
		return
	case now.Before(h.listNext):
		return
	}
	h.listWait = min(max(listFirst, 2*h.listWait), cmp.Or(h.listMost, listLast))
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
	h.listing, h.listMost = false, 0
	if link.NotSent(err) || errors.Is(err, link.ErrNoAnswer) {
		return // a presence has it asked for again
	}
	h.listMost = listRarely
	if err != nil {
		return
	}
	all, err := wire.ParseList(data)
	if err != nil {
		h.complain(listKey, fmt.Sprintf("its list can't be read: %v", err))
		return
	}
	h.heal(listKey)
	key := wire.HostKey(h.presence.Host)
	parsed, err := wire.ParseMessage(key, all[key])
	here, ok := parsed.(*wire.Presence)
	if err != nil || !ok || here.Boot != h.boot {
		return
	}
	for k, data := range all {
		if !strings.HasPrefix(k, key+".") { // what others have said they say themselves
			continue
		}
		if m, err := wire.ParseMessage(k, data); err != nil {
			h.unreadable(link.Message{Key: k, Data: data}, err)
		} else {
			h.take(link.Message{Key: k, Data: data}, m)
		}
	}
	h.forget(func(k string, e *entry) bool { // what was said before the list, and is not in it, is no more
		return all[k] == nil && !h.after(e.head, here.Head)
	})
	h.take(link.Message{Key: key, Data: all[key]}, here)
}
