// What ROADMAP.md says: milestones, the phases planned in them, and which milestone a phase is of. roadread.go reads it.

package gsd

import (
	"slices"

	"gatehouse/parse/gsd/milestone"
)

// roadmap is what ROADMAP.md says.
type roadmap struct {
	milestones []roadMilestone
	before     []roadMilestone // ranges alone, of all that came before the milestones told apart
	phases     []*roadPhase    // in the order they first appear
	backlog    []*roadPhase    // numbers that are no phases: 0 and 999
	byKey      map[string]*roadPhase
	byVersion  map[string]int // places in milestones

	text   string            // of the file, as GSD reads it
	scoped map[string]scopes // of the versions asked for
}

// scopes are the phases of a milestone as GSD has it, and as a reader.
type scopes struct{ gsd, reader milestone.Scope }

// scopesOf returns the scopes of a milestone that is declared. They are kept: a roadmap is read again for each change of any
// file, and itself changes rarely.
func (r *roadmap) scopesOf(declared string) scopes {
	s, known := r.scoped[declared]
	if !known {
		const most = 8 // STATE.md may change its mind any number of times
		if len(r.scoped) == most {
			clear(r.scoped)
		}
		s = scopes{milestone.Of(declared, r.text), milestone.OfReader(declared, r.text)}
		r.scoped[declared] = s
	}
	return s
}

// roadMilestone is a milestone of the list at the top, or one that only has a
// section.
type roadMilestone struct {
	version string // "v1.2", as written
	name    string // "Agent Management"; may be ""
	state   milestoneState
	first   phaseID // of the range "Phases 3-7", where one is given
	last    phaseID
	ranged  bool
	headed  bool   // it has a heading of its own
	on      string // the day it was shipped, as written; "" where the roadmap does not say
	line    int
}

type milestoneState uint8

const (
	stateUnsaid milestoneState = iota
	statePlanned
	stateActive
	stateShipped
)

// roadPhase is a phase as the roadmap knows it.
type roadPhase struct {
	id        phaseID
	name      string
	line      int
	milestone string // version of the milestone whose section it stands in, "" if none
	listed    bool   // it has a check box
	checked   bool
	retired   bool // struck through: no longer planned, counted nowhere
	shipped   bool // stands in a folded, shipped section only
	goal      string
	depends   string
	status    string // of the progress table
	completed string // of the progress table: a date
	plans     []roadPlan
}

// roadPlan is a plan in the check list below a phase.
type roadPlan struct {
	id      string
	name    string
	checked bool
	line    int
}

func newRoadmap() *roadmap {
	return &roadmap{byKey: map[string]*roadPhase{}, byVersion: map[string]int{}, scoped: map[string]scopes{}}
}

// owner returns the version of the milestone a phase belongs to: by the
// section it stands in, else by the range a milestone names, that of the
// current one first, for numbers may begin anew.
func (r *roadmap) owner(id phaseID, current string) string {
	if p := r.byKey[id.key]; p != nil && r.find(p.milestone) != nil {
		return p.milestone
	}
	if m := r.find(current); m != nil && m.ranged && m.holds(id) {
		return current
	}
	for i := range r.milestones {
		if m := &r.milestones[i]; m.ranged && m.holds(id) {
			return m.version
		}
	}
	return ""
}

// holds reports whether a number lies in the milestone's range. What was
// inserted behind its last phase, 7.1 behind 7, does.
func (m *roadMilestone) holds(id phaseID) bool {
	last := m.last.sort
	inserted := len(last.decimals) == 0 && id.sort.number == last.number && id.sort.prefix == last.prefix
	return m.first.compare(id) <= 0 && (m.last.compare(id) >= 0 || inserted)
}

func (r *roadmap) find(version string) *roadMilestone {
	if i, known := r.byVersion[version]; known {
		return &r.milestones[i]
	}
	return nil
}

// isBefore reports whether a number lies in a range of all that came before.
func (r *roadmap) isBefore(id phaseID) bool {
	return slices.ContainsFunc(r.before, func(m roadMilestone) bool { return m.holds(id) })
}
