package rules

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/text/scan"
)

// The reasons for which a file counts for nothing.
const (
	ErrNotJSON   peek.Error = "is not valid JSON; if it is being written, look again"
	ErrNotLoop   peek.Error = "has nothing to do with loops" // which is no news: others use the same names
	ErrBlank     peek.Error = "says nothing, neither of a loop nor of anything else; mend it, or put back what it was"
	ErrDamaged   peek.Error = "names a loop, and not both of its phases and gates are objects; mend it"
	ErrTooMany   peek.Error = "has more phases or gates than a loop can have; is it damaged?"
	ErrNoID      peek.Error = "has no id, so nobody knows whose definition it is; write the loop's"
	ErrOtherCase peek.Error = "has an id that differs from the loop's in case alone; write it as the state does, or put the right definition there"
	ErrOtherLoop peek.Error = "is the definition of another loop; put the right one there"
)

// Limit is how many phases, and how many gates, a loop may have: real ones have below twenty. A hostile file must not have any
// number.
const Limit = 4096

// State is what a state file says about where the loop stands.
type State struct {
	ID     string // "" when the file names no loop
	Phase  string // the file's own idea of the current phase
	Status string // its word; "" when there is none
	Phases []Item
	Gates  []Item
	// Unread is "gates" where these are no object, so that nobody knows which there are, or "phases" where one of them is none,
	// so that nobody knows how far the work is; "" where both can be read.
	Unread string

	phaseAt, gateAt names
}

// Item is a phase or a gate of a state file.
type Item struct {
	Name     string
	Status   string // its word; "" when there is none
	Required string // as JSON
}

// Memory is where a loop of common size is put together, so that there is one allocation for all of it: at each prompt the
// first of every size costs as much as reading the file. A larger loop goes on the heap bit by bit. What its methods return
// stays valid until the same method is called again.
type Memory struct {
	statePhases, stateGates [common]Item
	definedPhases           [common]DefinedPhase
	definedGates            [common]DefinedGate
	places                  [common]int
	taken                   [common]bool
	phases                  [common]Phase
	gates                   [common]Gate
	definition              Definition
	loop                    Loop
}

// common is how many phases, and how many gates, nearly all loops have at most.
const common = 16

// names finds names among more than are searched one by one; it is nil among fewer.
type names map[string]int

// grown takes the name that comes to stand at a place; all returns those before.
func (x *names) grown(name string, at int, before func(i int) string) {
	switch {
	case *x != nil:
	case at < common:
		return
	default:
		*x = make(names, 4*common)
		for i := range at {
			x.first(before(i), i)
		}
	}
	x.first(name, at)
}

// first notes where a name stands first.
func (x *names) first(name string, at int) {
	if _, known := (*x)[name]; !known {
		(*x)[name] = at
	}
}

// place returns the first of a list that has a name, -1 when there is none; is looks at those that are searched one by one.
func place[T any](all []T, x names, name string, is func(*T) bool) int {
	if x == nil {
		return index(all, is)
	}
	if at, ok := x[name]; ok {
		return at
	}
	return -1
}

// itemNamed returns the place of the item with a name, -1 when there is none.
func itemNamed(items []Item, x names, name string) int {
	return place(items, x, name, func(i *Item) bool { return i.Name == name })
}

// The values that are looked for in a state file.
var stateFields = [...]scan.JSONField{
	{Path: []string{"loop"}}, {Path: []string{"phase"}}, {Path: []string{"status"}}, {Path: []string{"phases"}}, {Path: []string{"gates"}},
	{Path: []string{"systemId"}}, {Path: []string{"stages"}}, {Path: []string{"orchestratorId"}}, {Path: []string{"loopId"}},
}

// State reads a state file. What is the state of a loop is told by its shape, see "Which file is a state" in the protocol's
// README. reason says why it is none, "" that it is one.
func (m *Memory) State(text string) (s State, reason peek.Error) {
	fields := stateFields
	text = scan.WithoutMark(text)
	if !scan.JSONFields(text, fields[:]) {
		return s, ErrNotJSON
	}
	phases, gates := fields[3].Value, fields[4].Value
	s.ID, _ = scan.JSONText(fields[0].Value)
	switch {
	case isText(fields[5].Value) && fields[6].Value != "", isText(fields[7].Value) && isObject(gates), isText(fields[8].Value) && isList(phases) && phases != "":
		return s, ErrNotLoop // but something around loops
	case isObject(phases) && (isObject(gates) || s.ID != ""):
	case s.ID != "", phases != "" && gates != "":
		return s, ErrDamaged
	case blank(text):
		return s, ErrBlank
	default:
		return s, ErrNotLoop
	}
	s.Phase, _ = scan.JSONText(fields[1].Value)
	s.Status = word(fields[2].Value)
	if gates != "" && gates != "null" && !isObject(gates) {
		s.Unread = "gates"
	}
	var fewPhases, fewGates bool
	s.Phases, fewPhases = items(m.statePhases[:0], &s.phaseAt, phases)
	s.Gates, fewGates = items(m.stateGates[:0], &s.gateAt, gates)
	if !fewPhases || !fewGates {
		return s, ErrTooMany
	}
	if s.Unread == "" && index(s.Phases, func(p *Item) bool { return p.Required == unreadable }) >= 0 {
		s.Unread = "phases"
	}
	return s, ""
}

// Name returns the ID of the loop, which the definition has where the state has none; d may be nil.
func (s *State) Name(d *Definition) string {
	if s.ID == "" && d != nil {
		return d.ID
	}
	return s.ID
}

// blank reports whether a JSON document is no object, or one without members.
func blank(text string) bool {
	members := scan.JSONMembers{Rest: text}
	_, _, any := members.Next()
	return !any
}

// Lost reports whether a file that may be a state by its name is a loop's, though no loop can be read from it, for the reason that
// [Memory.State] gives, or because it could not be read at all. It is where it looks like one ([Resembles]), and in most cases where
// defined tells of a definition that it would belong to: what was a state may say nothing any more.
func Lost(name string, reason error, resembles bool, defined func() bool) bool {
	anybody := name == "state.json"
	switch reason {
	case nil, ErrNotLoop:
		return false
	case ErrNotJSON, ErrTooMany:
		if resembles {
			return true
		}
	case ErrDamaged:
		anybody = false
	case peek.ErrPermission:
		return !anybody
	}
	return !anybody && defined()
}

// LostID returns the ID that the loop of a state may have by the name of its file, the n-th of several, and whether there is one more.
// The first is none: any definition beside the state will do.
func LostID(name string, n int) (id string, more bool) {
	const suffix = "-state.json"
	switch {
	case n == 0:
		return "", true
	case !NamesState(name) || n > 2:
		return "", false
	}
	return name[:len(name)-len(suffix)] + [...]string{"", "-loop"}[n-1], true
}

// Resembles reports whether a text that can't be read looks like the state of a loop: others use the same file names.
func Resembles(text string) bool {
	return contains(text, `"loop"`) || contains(text, `"phases"`) && contains(text, `"gates"`)
}

func contains(text, part string) bool {
	for i := 0; i+len(part) <= len(text); i++ {
		if text[i:i+len(part)] == part {
			return true
		}
	}
	return false
}

// unreadable stands for what an item that is no object says of being required: a gate is, for nobody knows that it is not.
const unreadable = "?"

// items returns list, which is empty, with the members of an object of phases or gates. A repeated key keeps its first place
// and its last value, as in jsondoc, whose members stand in the same order. ok is false when there are more than a loop has.
func items(list []Item, x *names, object string) (all []Item, ok bool) {
	for members := (scan.JSONMembers{Rest: object}); ; {
		key, value, more := members.Next()
		if !more {
			return list, true
		}
		item := Item{}
		item.Name, _ = scan.JSONText(key)
		if !isObject(value) {
			item.Required = unreadable
		}
		for fields := (scan.JSONMembers{Rest: value}); ; {
			key, value, more := fields.Next()
			if !more {
				break
			}
			switch {
			case scan.JSONStringIs(key, "status"):
				item.Status = word(value)
			case scan.JSONStringIs(key, "required"):
				item.Required = value
			}
		}
		at := itemNamed(list, *x, item.Name)
		switch {
		case at >= 0:
			list[at] = item
		case len(list) == Limit:
			return nil, false
		default:
			x.grown(item.Name, len(list), func(i int) string { return list[i].Name })
			list = append(list, item)
		}
	}
}

// word returns what a status says: the text of a string, "" for none or null, and anything else as it is spelled, which no
// protocol knows.
func word(value string) string {
	if text, ok := scan.JSONText(value); ok {
		return text
	}
	if value == "null" {
		return ""
	}
	return value
}

func isObject(value string) bool { return value != "" && value[0] == '{' }

// isList reports whether a value is a list, or is not there.
func isList(value string) bool { return value == "" || value == "null" || value[0] == '[' }

func isText(value string) bool { return value != "" && value[0] == '"' }
