package view

// Which process of a host speaks for it: the newest, but for one that has a machine behind it that was set back.

import (
	"time"

	"gatehouse/parse/fleet/wire"
)

// begin notes that another process of the host speaks. What the one before has said stays until the new one has said all.
func (h *host) begin(boot uint64) {
	if boot > h.boot && !h.past(boot) {
		h.speaks(boot)
	}
}

// yields reports whether the process that speaks for the host gives way to one whose number is lower: its machine was set back to an
// earlier state, or has lost what it kept and has another clock. The live one wins: that which says now that it is there, where the other
// has been silent for as long as one that is gone is, or can't be there any more; or that which the hub has heard of last.
func (h *host) yields(p *wire.Presence, stored, now time.Time) bool {
	switch {
	case p.Left:
		return false
	case !stored.IsZero():
		return h.heard.IsZero() && stored.After(h.bootKept)
	}
	return h.source.link.Only() != "" || h.heard.IsZero() || now.Sub(h.heard) > h.source.fleet.opts.SilentAfter
}

// giveUp has a process with a lower number speak for the host.
func (h *host) giveUp(boot uint64) {
	h.gaveUp = wire.Head{Boot: h.boot}
	if h.presence.Boot == h.boot {
		h.gaveUp = h.presence.Head
	}
	h.presence = &wire.Presence{}
	h.speaks(boot)
}

// past reports whether a boot number is that of a process that was given up, or of one between that and the one that speaks.
func (h *host) past(boot uint64) bool { return boot > h.boot && boot <= h.gaveUp.Boot }

// after reports whether one message is newer than another.
func (h *host) after(a, b wire.Head) bool {
	if past := h.past(a.Boot); past != h.past(b.Boot) {
		return !past
	}
	return a.After(b)
}

// speaks has a process speak for the host.
func (h *host) speaks(boot uint64) {
	h.boot, h.digest, h.count, h.bootKept = boot, 0, 0, time.Time{}
	h.listNext, h.listWait, h.listMost = time.Time{}, 0, 0
	h.troubles = nil // of the process before; what can't be read of this one is missed, and so listed
	for key, e := range h.entries {
		if e.head.Boot == boot && !e.gone {
			h.digest.Add(key, e.head.Seq)
			h.count++
		}
	}
}
