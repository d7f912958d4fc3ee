package model

import (
	"encoding/json"
	"time"
)

// HostState says whether a host is there.
type HostState string

// The states of a host.
const (
	HostLive   HostState = "live"    // it was heard of within the last seconds
	HostSilent HostState = "offline" // nothing is heard of it
	HostLeft   HostState = "left"    // it is offline, and has said so itself
	HostCutOff HostState = "cut-off" // its hub, or ssh, can't be reached from here: nobody knows
)

// Host says on which machine a project is, and how old what is known of it may be. All times are by this machine's clock: what
// the other one's differs by has been taken off, here and in all of the project.
type Host struct {
	Name  string `json:"name"`  // as it is called here
	Fleet string `json:"fleet"` // name of the remote through which it is seen
	// AsOf is when a host that is not live was last heard of: what is shown was so then. Zero: never, or it is live.
	AsOf time.Time `json:"as_of,omitzero"`
	hostLive
	State HostState `json:"state"`
	// Why says of a host that is not live since when and what is known of it: "offline since 14:02".
	Why string `json:"why,omitempty"`
	// ClockAhead is by how many seconds its clock is ahead of this machine's, negative where it is behind; 0 for less than two.
	ClockAhead int `json:"clock_ahead_s,omitempty"`
}

// hostLive is what is printed of a host besides, made of its state: see [Host.MarshalJSON].
type hostLive struct {
	// Live says that it was heard of within the last seconds.
	Live bool `json:"live"`
}

// Live reports whether the host was heard of within the last seconds.
func (h *Host) Live() bool { return h.State == HostLive }

// MarshalJSON adds whether the host is live.
func (h Host) MarshalJSON() ([]byte, error) {
	h.hostLive.Live = h.Live()
	type fields Host
	return json.Marshal(fields(h))
}

// OutOfReach reports whether a project is on a host that is not there now: what is shown of it was so once, and nothing can be decided.
func (p *Project) OutOfReach() bool { return p.Host != nil && !p.Host.Live() }

// Called returns what tells a project from those of its name elsewhere: "shop", "shop on build-7".
func (p *Project) Called() string {
	if p.Host == nil {
		return p.Name
	}
	return p.Name + " on " + p.Host.Name
}

// Word says in a word or two how a host is that is not there, "" where it is.
func (h *Host) Word() string {
	switch h.State {
	case HostLive:
		return ""
	case HostCutOff:
		return "cut off"
	}
	return "offline"
}

// Stands says of a host that is not there since when, in the time zone of now: "offline since 14:02"; "" where it is there.
func (h *Host) Stands(now time.Time) string {
	word := h.Word()
	switch {
	case word == "":
		return ""
	case h.AsOf.IsZero():
		return word + "; when it was last there is not known"
	}
	return word + " since " + ClockTime(h.AsOf, now)
}

// ClockTime says for people when something was, in the time zone of now: the time, and the day where that is another.
func ClockTime(at, now time.Time) string {
	at = at.In(now.Location())
	if at.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return at.Format("15:04")
	}
	return at.Format("2006-01-02 15:04")
}
