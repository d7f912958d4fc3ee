package view

// Whether a host is there, since when it is not, and how its clock differs from ours.

import (
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/fleet/wire"
)

const (
	// clockSamples is how many presences the difference of the clocks is read off.
	clockSamples = 8
	// clockMatters is from which difference on times are corrected, and by how much it must have changed for them to be
	// corrected anew.
	clockMatters = 2 * time.Second
)

// hear notes that the host is there, by a presence that it has said itself.
func (h *host) hear(p *wire.Presence, now time.Time) {
	h.sample(p.At.Sub(now))
	// A presence that was under way for long tells of when it was sent.
	if late := now.Add(h.latest()).Sub(p.At); late > clockMatters {
		now = now.Add(-late)
	}
	switch before := h.heard.Sub(now); {
	case before > clockMatters: // none was sent before the one before: a clock was set, and what was measured until then is of no use
		h.samples, h.heard = h.samples[len(h.samples)-1:], h.source.fleet.opts.Now()
		h.estimate()
	case before < 0:
		h.heard = now
	}
	h.stale(h.source.fleet.opts.Now())
}

// sampleAnswer notes what the host's clock said when it answered something: soon, for an answer may be long under way both ways.
func (h *host) sampleAnswer(at, sent, got time.Time) {
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
	if ahead.Abs() < clockMatters && h.ahead == 0 || ahead.Abs() < clockMatters/2 { // not on and off at one and the same: each time all trees are asked for again
		ahead = 0
	}
	if (ahead-h.ahead).Abs() < clockMatters && (ahead == 0) == (h.ahead == 0) {
		return
	}
	h.ahead = ahead
	for _, e := range h.entries {
		e.looked, e.tree = false, nil
	}
	h.source.fleet.fetches.due = true // trees are decoded by the clock
	h.changed()
}

// stale brings up to date whether the host is there.
func (h *host) stale(now time.Time) {
	live := h.source.up && !h.presence.Left && !h.heard.IsZero() && now.Sub(h.heard) <= h.source.fleet.opts.SilentAfter
	if live != h.live {
		h.live = live
		h.source.fleet.fetches.due = true // trees may have been asked for in vain
		h.changed()
	}
}

// asOf returns when the host was last heard of, by our clock; zero where it never was.
func (h *host) asOf() time.Time {
	if h.heard.IsZero() && !h.kept.IsZero() {
		return h.kept.Add(-h.source.clock)
	}
	return h.heard
}

// mayBeThere reports whether the host may be there without having said so: what is kept of it is not old enough to tell, or it has just
// begun to say what it has, which comes before its presence.
func (h *host) mayBeThere(now time.Time) bool {
	if h.live || h.presence.Left {
		return false
	}
	begun := h.kept.IsZero() && h.heard.IsZero()
	return begun || now.Add(h.source.clock).Sub(h.kept) < h.source.fleet.opts.SilentAfter
}

// forgotten reports whether a host is gone for so long that it is not shown any more.
func (h *host) forgotten(now time.Time) bool {
	last := h.since
	if asOf := h.asOf(); asOf.After(last) {
		last = asOf
	}
	return !h.live && now.Sub(last) > forgetAfter
}

// state says whether the host is there.
func (h *host) state() model.HostState {
	switch {
	case h.live:
		return model.HostLive
	case !h.source.up:
		return model.HostCutOff
	case h.presence.Left:
		return model.HostLeft
	}
	return model.HostSilent
}

// describe returns the host as it is shown now.
func (h *host) describe() *model.Host {
	about := &model.Host{Name: h.shown(), Fleet: h.source.fleet.opts.Fleet, State: h.state(), ClockAhead: int(h.ahead.Round(time.Second) / time.Second)}
	reason := ""
	switch about.State {
	case model.HostLive:
		return about
	case model.HostLeft:
		about.AsOf, reason = wire.ByOurClock(h.presence.At, h.ahead), ": it has left"
	case model.HostCutOff:
		about.AsOf, reason = h.asOf(), ": "+line.Clean(h.source.link.Name())+" can't be reached"
	default:
		about.AsOf = h.asOf()
	}
	about.Why = about.Stands(h.source.fleet.opts.Now()) + reason
	return about
}
