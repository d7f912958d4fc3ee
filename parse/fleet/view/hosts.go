package view

// The hosts themselves, for who looks after a fleet.

import (
	"maps"
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
)

// HostReport is what is known of a host.
type HostReport struct {
	Name    string        `json:"name"`              // as it is called here
	Link    string        `json:"link"`              // over what it is seen
	Live    bool          `json:"live"`              // it was heard of within the last seconds
	Why     string        `json:"why,omitempty"`     // where it is not live: since when, and why
	AsOf    time.Time     `json:"as_of,omitzero"`    // when it was last heard of
	Ahead   time.Duration `json:"-"`                 // how far its clock is ahead of ours, as far as that is known
	Version string        `json:"version,omitempty"` // of its gatehouse
	Builds  int           `json:"builds"`            // how many it has
	Waits   int           `json:"waits"`             // how many things wait there
	Trouble string        `json:"trouble,omitempty"` // what can't be read of what it says
}

// Hosts returns what is known of all hosts, by their names.
func (f *Fleet) Hosts() (all []HostReport) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.sources {
		for _, token := range slices.Sorted(maps.Keys(s.hosts)) {
			h := s.hosts[token]
			projects := h.all()
			report := HostReport{Name: h.shown(), Link: line.Clean(s.link.Name()), Live: h.live, Why: h.about.Why, AsOf: h.asOf(), Ahead: h.precisely(), Version: h.presence.Version, Trouble: h.trouble()}
			for _, p := range projects {
				for _, b := range p.shown.Builds {
					report.Builds++
					report.Waits += len(b.Certain())
				}
			}
			all = append(all, report)
		}
	}
	return all
}

// Shown returns the hosts as a snapshot has them.
func (f *Fleet) Shown() []*model.Host {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.snapshot().Hosts
}

// Problems returns what is not as it should be about the links, one line each.
func (f *Fleet) Problems() (all []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.sources {
		if p := s.problem(); p != "" {
			all = append(all, p)
		}
	}
	return all
}
