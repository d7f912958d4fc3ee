package model

import (
	"encoding/json"
	"time"
)

// HostState is the reachability of a host.
type HostState string

// The states of a host.
const (
	HostLive   HostState = "live"    // it was heard of within the last seconds
	HostSilent HostState = "offline" // nothing is heard of it
	HostLeft   HostState = "left"    // it is offline, and has announced it itself
	HostCutOff HostState = "cut-off" // its hub, or ssh, can't be reached from here: state unknown
)

// Host is the machine of a project, with the age of the information. All times are by this machine's clock: the
// difference to the other clock is subtracted, here and in all of the project.
type Host struct {
	Name  string `json:"name"`  // as it is called here
	Fleet string `json:"fleet"` // name of the remote through which it is seen
	// AsOf is when a host that is not live was last heard of: what is shown was so then. Zero: never, or it is live.
	AsOf time.Time `json:"as_of,omitzero"`
	hostLive
	State HostState `json:"state"`
	// Why describes a host that is not live: "offline since 14:02".
	Why string `json:"why,omitempty"`
	// ClockAhead is by how many seconds its clock is ahead of this machine's, negative if it is behind; 0 for less than
	// two.
	ClockAhead int `json:"clock_ahead_s,omitempty"`
}

// hostLive holds the printed fields derived from the state of a host: see [Host.MarshalJSON].
type hostLive struct {
	// Live reports whether it was heard of within the last seconds.
	Live bool `json:"live"`
}

// Live reports whether the host was contacted within the last seconds.
func (h *Host) Live() bool { return h.State == HostLive }

// MarshalJSON adds whether the host is live.
func (h Host) MarshalJSON() ([]byte, error) {
	h.hostLive.Live = h.Live()
	type fields Host
	return json.Marshal(fields(h))
}

// OutOfReach reports whether the host of a project is unreachable now: its data is old, and decisions are not possible.
func (p *Project) OutOfReach() bool { return p.Host != nil && !p.Host.Live() }

// Called returns a name that distinguishes a project from its namesakes on other hosts: "shop", "shop on build-7".
func (p *Project) Called() string {
	if p.Host == nil {
		return p.Name
	}
	return p.Name + " on " + p.Host.Name
}

// Word describes the state of an unreachable host in a word or two, "" if it is reachable.
func (h *Host) Word() string {
	switch h.State {
	case HostLive:
		return ""
	case HostCutOff:
		return "cut off"
	}
	return "offline"
}

// Stands returns since when a host is unreachable, in the time zone of now: "offline since 14:02"; "" if it is
// reachable.
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

// ClockTime formats a time for people in the time zone of now: the clock time, and the day if it is not today.
func ClockTime(at, now time.Time) string {
	at = at.In(now.Location())
	if at.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return at.Format("15:04")
	}
	return at.Format("2006-01-02 15:04")
}
