package core

import "gatehouse/parse/protocol/transition"

// The words of the protocol.
const (
	Active   = "active" // loops and phases
	Paused   = "paused"
	Complete = "complete" // loops and phases
	Failed   = "failed"   // loops and gates
	Pending  = "pending"  // gates and phases
	Passed   = "passed"
	Skipped  = "skipped" // gates and phases
)

// The tables of the protocol.
var (
	LoopMachine = transition.Machine{
		States: []string{Active, Paused, Complete, Failed},
		Steps:  []transition.Step{{From: Active, To: Paused}, {From: Active, To: Complete}, {From: Active, To: Failed}, {From: Paused, To: Active}},
	}
	GateMachine = transition.Machine{
		States: []string{Pending, Passed, Skipped, Failed},
		Steps: []transition.Step{{From: Pending, To: Passed}, {From: Pending, To: Skipped}, {From: Pending, To: Failed},
			{From: Failed, To: Pending}, {From: Failed, To: Skipped}},
	}
	PhaseMachine = transition.Machine{
		States: []string{Pending, Active, Complete, Skipped},
		Steps:  []transition.Step{{From: Pending, To: Active}, {From: Active, To: Complete}, {From: Pending, To: Skipped}, {From: Active, To: Pending}},
	}
)

// LoopWord, PhaseWord and GateWord return the protocol's word for a status in a dialect. They are only for reading: nothing is decided or
// written because of a dialect. Phases and gates without a status are pending. "approved" does not mean that a gate has passed: it waits
// until the file says that it passed.
func LoopWord(word string) string {
	if word == "completed" {
		return Complete
	}
	return word
}

// PhaseWord is described at [LoopWord].
func PhaseWord(word string) string {
	switch word {
	case "":
		return Pending
	case "in-progress", "in_progress":
		return Active
	case "completed":
		return Complete
	}
	return word
}

// GateWord is described at [LoopWord].
func GateWord(word string) string {
	switch word {
	case "":
		return Pending
	case "rejected":
		return Failed
	}
	return word
}

// Loop is a state merged with its definition.
type Loop struct {
	State      *State
	Definition *Definition // nil without one; it may be [Definition.Unreadable]
	Status     string
	Phase      string  // the current phase by the file
	Phases     []Phase // in the order of the definition, followed by those that only the state has
	Gates      []Gate
	// Missing are required phases of the definition that the state lacks. They are open.
	Missing []string
	// StartsLate: the definition has a phase before the first of Phases, so work at the latter has left a phase.
	StartsLate bool
	// HasPlaces: a definition says which phases the gates follow. Without one, no [Gate.After] is known.
	HasPlaces bool
	// Unread names the unreadable part of the loop, which may hide gates and phases: the definition, or the gates or phases of the state.
	// It is "" if everything can be read.
	Unread string
}

// Phase is a phase of a loop.
type Phase struct {
	Name, Status string
	// Required comes from the state, else from the definition: a run decides at its beginning which phases it skips.
	Required bool
	Item     *Item
	Defined  *DefinedPhase // nil if the definition has no such phase
}

// IsOver reports whether the phase is complete or skipped.
func (p *Phase) IsOver() bool {
	word := PhaseWord(p.Status)
	return word == Complete || word == Skipped
}

// Gate is a gate of a loop.
type Gate struct {
	ID, Status string
	// Required unless both state and definition say otherwise, as far as they have the gate.
	Required bool
	After    int          // the phase that it follows; -1: unknown
	Item     *Item        // nil if only the definition has it
	Defined  *DefinedGate // nil if only the state has it
}

// IsUndecided reports whether work that reaches the gate has to stop: the gate is required and neither passed nor skipped, or it
// has failed. An unknown word does not say that the gate has passed.
func (g *Gate) IsUndecided() bool {
	word := GateWord(g.Status)
	return g.Required && word != Passed && word != Skipped || word == Failed
}

// isOpen reports whether the gate can still be decided, even if it is optional.
func (g *Gate) isOpen() bool { return GateWord(g.Status) == Pending || g.IsUndecided() }

// New merges a state with its definition; d may be nil. The stricter of both counts: what the definition requires is part of the loop even if
// the state lacks it, and even if their versions differ.
func New(s *State, d *Definition) *Loop {
	l := &Loop{State: s, Definition: d, Status: s.Status, Phase: s.Phase, HasPlaces: d != nil, Unread: s.Unread,
		Phases: make([]Phase, 0, len(s.Phases)), Gates: make([]Gate, 0, len(s.Gates)+1)}
	if d == nil {
		d = &Definition{}
	} else if d.Unreadable || d.Incomplete {
		l.Unread = baseName(d.File)
	}
	places := make([]int, len(d.Phases)) // of the definition's phases in l.Phases
	for i := range d.Phases {
		p := &d.Phases[i]
		places[i] = -1
		if at := findItem(s.Phases, p.Name); at >= 0 {
			places[i] = len(l.Phases)
			l.StartsLate = l.StartsLate || places[i] == 0 && i > 0
			l.addPhase(&s.Phases[at], p)
		} else if p.Required {
			l.Missing = append(l.Missing, p.Name)
		}
	}
	for i := range s.Phases {
		if d.FindPhase(s.Phases[i].Name) == nil {
			l.addPhase(&s.Phases[i], nil)
		}
	}
	for i := range d.Gates {
		g := Gate{ID: d.Gates[i].ID, Required: d.Gates[i].Required, After: -1, Defined: &d.Gates[i]}
		if after := g.Defined.After; after >= 0 {
			g.After = places[after]
		}
		if at := findItem(s.Gates, g.ID); at >= 0 {
			g.Item = &s.Gates[at]
			g.Status = g.Item.Status
			need := needOf(g.Item.Value)
			g.Required = g.Required || need == Required || need == NeedUnclear
		} else if !g.Defined.Asked {
			continue
		}
		l.Gates = append(l.Gates, g)
	}
	for i := range s.Gates {
		if item := &s.Gates[i]; d.FindGate(item.Name) == nil {
			l.Gates = append(l.Gates, Gate{ID: item.Name, Status: item.Status, Required: needOf(item.Value) != Optional, After: -1, Item: item})
		}
	}
	return l
}

func (l *Loop) addPhase(item *Item, defined *DefinedPhase) {
	p := Phase{Name: item.Name, Status: item.Status, Required: defined == nil || defined.Required, Item: item, Defined: defined}
	switch needOf(item.Value) {
	case Required:
		p.Required = true
	case Optional:
		p.Required = false
	}
	l.Phases = append(l.Phases, p)
}

// findItem returns the index of the item with a name, -1 without one.
func findItem(items []Item, name string) int {
	for i := range items {
		if items[i].Name == name {
			return i
		}
	}
	return -1
}

// baseName returns the last part of a path.
func baseName(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '/' {
			return name[i+1:]
		}
	}
	return name
}

// ID returns the id of the loop, from its definition if the state has none; "" if neither has one.
func (l *Loop) ID() string {
	if l.State.ID == "" && l.Definition != nil {
		return l.Definition.ID
	}
	return l.State.ID
}

// findPhase returns the first phase that satisfies is, -1 without one.
func (l *Loop) findPhase(is func(*Phase) bool) int {
	for i := range l.Phases {
		if is(&l.Phases[i]) {
			return i
		}
	}
	return -1
}

// findGate returns the first gate that satisfies is, -1 without one.
func (l *Loop) findGate(is func(*Gate) bool) int {
	for i := range l.Gates {
		if is(&l.Gates[i]) {
			return i
		}
	}
	return -1
}

// PhaseNamed returns the index of the phase with a name, -1 without one.
func (l *Loop) PhaseNamed(name string) int {
	return l.findPhase(func(p *Phase) bool { return p.Name == name })
}

// GateNamed returns the index of the gate with an id, -1 without one.
func (l *Loop) GateNamed(id string) int {
	return l.findGate(func(g *Gate) bool { return g.ID == id })
}
