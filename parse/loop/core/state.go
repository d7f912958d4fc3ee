// Package core evaluates the position of a loop: it parses the state and the definition, merges them, and evaluates the rules of the
// protocol. The prompt, the dashboard, the checker and the editor all use it.
//
//	state text ──── ParseState ───────► State ──────┐
//	loop.json ───── ParseDefinition ──► Definition ─┴─ New ──► Loop ──► Resume, Waits ──► Facts (the line)
//	                                                            └────► CheckGate, CheckPhase, CheckLoop
//
// Phases and gates keep the value from which they were parsed, so that readers and editors find everything else there. Statuses are the
// words of the file: an unknown word is shown, refused by actions, and never counts as done.
// ../README.md describes the protocol. The package opens no file and has a small import closure, because the prompt links it.
package core

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
)

// The reasons why a file is no state or definition. They complete a sentence that begins with the file's name.
const (
	ErrNotJSON   peek.Error = "is not valid JSON; if it is being written, look again"
	ErrNotLoop   peek.Error = "is not about a loop" // other tools use the same file names
	ErrBlank     peek.Error = "is empty; restore it"
	ErrDamaged   peek.Error = "names a loop, but its phases or gates are not objects; fix it"
	ErrTooMany   peek.Error = "has more than 2048 phases or gates; is it damaged?"
	ErrNoID      peek.Error = "has no id; write the id of the loop"
	ErrOtherCase peek.Error = "has an id that differs from the loop's only in case; write it as the state does"
	ErrOtherLoop peek.Error = "is the definition of another loop"
)

// maxItems is the maximum number of phases, and of gates, of a loop. Real loops have fewer than twenty.
const maxItems = 2048

// State is a parsed state file.
type State struct {
	Tree   *doc.Tree
	ID     string // id of the loop, "" if the file has none
	Phase  string // the current phase by the file
	Status string // the loop's status word, "" if the file has none
	Phases []Item // in the order of the file
	Gates  []Item
	// Unread is "gates" if these are not an object, or "phases" if one of them is not. Then the remaining work is unknown. Otherwise it is "".
	Unread string
}

// Item is a phase or a gate of a state.
type Item struct {
	Name   string
	Status string // "" if it has none
	Value  doc.Value
}

// Need says whether something is required.
type Need uint8

// The answers of a "required" field.
const (
	NeedUnsaid Need = iota
	Required
	Optional
	NeedUnclear // a value of another type
)

// needOf reads the "required" field of an object.
func needOf(v doc.Value) Need {
	field := v.Get("required")
	is, ok := field.Bool()
	switch {
	case !v.Is(doc.Map), !ok && !field.IsEmpty():
		return NeedUnclear
	case !ok:
		return NeedUnsaid
	case is:
		return Required
	}
	return Optional
}

// foreignKeys are keys of files that have phases or gates but are no loop of this protocol: controllers, orchestrators, executions.
var foreignKeys = [...]string{"systemId", "orchestratorId", "loopId"}

// ParseState parses a state file. The shape distinguishes a state from other files with such a name: phases are an object, and either gates
// are an object or the loop has a name. The error is a [*doc.SyntaxError], or one of the reasons of this package.
func ParseState(text string) (*State, error) {
	tree, syntax := doc.ParseJSON(text)
	if syntax != nil {
		return nil, syntax
	}
	root := tree.Root()
	phases, gates := root.Get("phases"), root.Get("gates")
	s := &State{Tree: tree, ID: root.Get("loop").Text(), Phase: root.Get("phase").Text(), Status: statusOf(root)}
	isForeign := false
	for _, key := range foreignKeys {
		isForeign = isForeign || root.Get(key).Is(doc.String)
	}
	switch {
	case phases.Is(doc.Map) && (gates.Is(doc.Map) || s.ID != ""):
	case isForeign && s.ID == "":
		return nil, ErrNotLoop
	case s.ID != "", phases.Exists() && gates.Exists():
		return nil, ErrDamaged
	case root.Len() == 0 || !root.Is(doc.Map):
		return nil, ErrBlank
	default:
		return nil, ErrNotLoop
	}
	if phases.Len() > maxItems || gates.Len() > maxItems {
		return nil, ErrTooMany
	}
	s.Phases, s.Gates = itemsOf(phases), itemsOf(gates)
	if !gates.IsEmpty() && !gates.Is(doc.Map) {
		s.Unread = "gates"
	}
	for i := range s.Phases {
		if s.Unread == "" && !s.Phases[i].Value.Is(doc.Map) {
			s.Unread = "phases"
		}
	}
	return s, nil
}

func itemsOf(object doc.Value) []Item {
	if !object.Is(doc.Map) {
		return nil
	}
	items := make([]Item, 0, object.Len())
	for v := range object.Children() {
		items = append(items, Item{Name: v.Key(), Status: statusOf(v), Value: v})
	}
	return items
}

// statusOf returns the status of an object: its text, or for a value of another type a word that no protocol knows.
func statusOf(v doc.Value) string {
	status := v.Get("status")
	if status.Is(doc.List) || status.Is(doc.Map) {
		return status.Kind().String()
	}
	return status.Scalar()
}

// Root returns the state's top-level object.
func (s *State) Root() doc.Value { return s.Tree.Root() }
