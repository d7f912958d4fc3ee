// Reading a loop's state and its definition, as shallowly as a line needs: loop-state.md "Full Schema", notes on loops §2.

package nearest

import (
	"gatehouse/model/flow"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/text/scan"
)

// loopLimit is how many phases, and how many gates, a loop may have: real ones have below twenty. Names are looked for by
// walking over all of them, so a hostile file must not have any number.
const loopLimit = 4096

// loopState is what a line needs of a state file.
type loopState struct {
	id     string // "" when the file names no loop
	phase  string
	status string // its word; "" when there is none
	phases []loopItem
	gates  []loopItem
}

// loopItem is a phase or a gate of a state file.
type loopItem struct {
	name     string
	status   string // its word; "" when there is none
	required string // as JSON
	taken    bool   // it has its place in the order of the definition
}

// loopDefinition is what a line needs of a loop.json.
type loopDefinition struct {
	id     string
	phases []definedPhase
	gates  []definedGate
}

type definedPhase struct{ name, id string }

type definedGate struct {
	id       string
	required string // as JSON
	after    string // the name or the ID of a phase
	inside   int    // the phase that it is written inside of; -1: none
}

// loopMemory is where a loop of common size is put together, so that there is one allocation for all of it: at each prompt
// the first of every size costs as much as reading the file. A larger loop goes on the heap bit by bit.
type loopMemory struct {
	statePhases, stateGates [commonLoop]loopItem
	definedPhases           [commonLoop]definedPhase
	definedGates            [commonLoop]definedGate
	places                  [commonLoop]int
	phases                  [commonLoop]flow.Phase
	gates                   [commonLoop]flow.Gate
	definition              loopDefinition
	loop                    flow.Loop
}

// commonLoop is how many phases, and how many gates, nearly all loops have at most.
const commonLoop = 16

// The values that are looked for in a state file and in a definition.
var (
	loopStateFields = [...]scan.JSONField{
		{Path: []string{"loop"}}, {Path: []string{"phase"}}, {Path: []string{"status"}}, {Path: []string{"phases"}}, {Path: []string{"gates"}},
	}
	loopDefinitionFields = [...]scan.JSONField{{Path: []string{"id"}}, {Path: []string{"phases"}}, {Path: []string{"gates"}}}
)

// parseLoopState reads a state file. What is the state of a loop is told by its shape: phases as an object, beside gates as
// one or the loop's name (notes on loops §2.3, shape A). reason says why it is none, "" that it is one.
func (m *loopMemory) parseLoopState(text string) (s loopState, reason peek.Error) {
	fields := loopStateFields
	if !scan.JSONFields(scan.WithoutMark(text), fields[:]) {
		return s, errNotJSON
	}
	phases, gates := fields[3].Value, fields[4].Value
	if !isObject(phases) || !isObject(gates) && (fields[0].Value == "" || fields[0].Value[0] != '"') {
		return s, errNotLoop
	}
	s.id, _ = scan.JSONText(fields[0].Value)
	s.phase, _ = scan.JSONText(fields[1].Value)
	s.status = word(fields[2].Value)
	var fewPhases, fewGates bool
	s.phases, fewPhases = loopItems(m.statePhases[:0], phases)
	s.gates, fewGates = loopItems(m.stateGates[:0], gates)
	if !fewPhases || !fewGates {
		return s, errTooMany
	}
	return s, ""
}

// loopItems returns items, which is empty, with the members of an object of phases or gates. A repeated key keeps its first place and its last value.
// ok is false when there are more than a loop has.
func loopItems(items []loopItem, object string) (all []loopItem, ok bool) {
	for members := (scan.JSONMembers{Rest: object}); ; {
		key, value, more := members.Next()
		if !more {
			return items, true
		}
		item := loopItem{}
		item.name, _ = scan.JSONText(key)
		for fields := (scan.JSONMembers{Rest: value}); ; {
			key, value, more := fields.Next()
			if !more {
				break
			}
			switch {
			case scan.JSONStringIs(key, "status"):
				item.status = word(value)
			case scan.JSONStringIs(key, "required"):
				item.required = value
			}
		}
		at := itemNamed(items, item.name)
		switch {
		case at >= 0:
			items[at] = item
		case len(items) == loopLimit:
			return nil, false
		default:
			items = append(items, item)
		}
	}
}

// itemNamed returns the place of the item with a name, -1 when there is none.
func itemNamed(items []loopItem, name string) int {
	for i := range items {
		if items[i].name == name {
			return i
		}
	}
	return -1
}

// parseLoopDefinition reads a loop.json, which has an array of phases. reason says why it is none, "" that it is one.
func (m *loopMemory) parseLoopDefinition(text string) (d *loopDefinition, reason peek.Error) {
	d = &m.definition
	*d = loopDefinition{phases: m.definedPhases[:0], gates: m.definedGates[:0]}
	fields := loopDefinitionFields
	if !scan.JSONFields(scan.WithoutMark(text), fields[:]) {
		return d, errNotJSON
	}
	d.id, _ = scan.JSONText(fields[0].Value)
	for phases := (scan.JSONArray{Rest: fields[1].Value}); ; {
		value, more := phases.Next()
		if !more {
			break
		}
		d.addPhase(value)
		if len(d.phases) > loopLimit {
			return d, errTooMany
		}
	}
	d.addGates(fields[2].Value, -1)
	switch {
	case len(d.phases) == 0:
		return d, errNotLoop
	case len(d.gates) > loopLimit:
		return d, errTooMany
	}
	return d, ""
}

// addPhase adds a phase, and the gates that are written inside of it.
func (d *loopDefinition) addPhase(object string) {
	var phase definedPhase
	gates := ""
	for fields := (scan.JSONMembers{Rest: object}); ; {
		key, value, more := fields.Next()
		switch {
		case !more:
			d.addGates(gates, len(d.phases))
			d.phases = append(d.phases, phase)
			return
		case scan.JSONStringIs(key, "name"):
			phase.name, _ = scan.JSONText(value)
		case scan.JSONStringIs(key, "id"):
			phase.id, _ = scan.JSONText(value)
		case scan.JSONStringIs(key, "gates"):
			gates = value
		}
	}
}

// addGates adds the gates of an array that is written inside a phase, or beside all of them: -1.
func (d *loopDefinition) addGates(array string, inside int) {
	for gates := (scan.JSONArray{Rest: array}); len(d.gates) <= loopLimit; {
		value, more := gates.Next()
		if !more {
			return
		}
		d.addGate(value, inside)
	}
}

func (d *loopDefinition) addGate(object string, inside int) {
	gate := definedGate{inside: inside}
	for fields := (scan.JSONMembers{Rest: object}); ; {
		key, value, more := fields.Next()
		switch {
		case !more:
			d.gates = append(d.gates, gate)
			return
		case scan.JSONStringIs(key, "id"):
			gate.id, _ = scan.JSONText(value)
		case scan.JSONStringIs(key, "afterPhase"):
			gate.after, _ = scan.JSONText(value)
		case scan.JSONStringIs(key, "required"):
			gate.required = value
		}
	}
}

// after returns the phase of the definition that a gate stands behind, by its name, else by its ID (J-C8); -1 for none.
func (d *loopDefinition) after(g *definedGate) int {
	if g.after == "" {
		return g.inside
	}
	for i := range d.phases {
		if d.phases[i].name == g.after {
			return i
		}
	}
	for i := range d.phases {
		if d.phases[i].id == g.after {
			return i
		}
	}
	return g.inside
}

// flow returns the state as the rules need it: phases and gates of the state file, in the order of the definition, those
// that it does not know behind them. Without a definition, d nil, the order is the state file's own.
func (m *loopMemory) flow(s *loopState, d *loopDefinition) *flow.Loop {
	l := &m.loop
	*l = flow.Loop{Status: s.status, Phase: s.phase, Placed: d != nil, Phases: m.phases[:0], Gates: m.gates[:0]}
	if d != nil {
		m.order(l, s, d)
	}
	for i := range s.phases {
		if !s.phases[i].taken {
			addPhase(l, &s.phases[i])
		}
	}
	for i := range s.gates {
		if !s.gates[i].taken {
			addGate(l, &s.gates[i], "", -1)
		}
	}
	return l
}

// order adds what the definition knows of a state to l, in its order.
func (m *loopMemory) order(l *flow.Loop, s *loopState, d *loopDefinition) {
	places := m.places[:0] // of the definition's phases among the loop's
	for i := range d.phases {
		place := -1
		if at := itemNamed(s.phases, d.phases[i].name); at >= 0 && !s.phases[at].taken {
			place = len(l.Phases)
			addPhase(l, &s.phases[at])
		}
		places = append(places, place)
	}
	for i := range d.gates {
		g := &d.gates[i]
		if at := itemNamed(s.gates, g.id); at >= 0 && !s.gates[at].taken {
			place := -1
			if after := d.after(g); after >= 0 {
				place = places[after]
			}
			addGate(l, &s.gates[at], g.required, place)
		}
	}
}

func addPhase(l *flow.Loop, p *loopItem) {
	p.taken = true
	l.Phases = append(l.Phases, flow.Phase{Name: p.name, Status: p.status, Required: p.required != "false"})
}

// addGate adds a gate of the state file; defined is what the definition says about whether it is required. Without a word
// in either it is (J-C4).
func addGate(l *flow.Loop, g *loopItem, defined string, after int) {
	g.taken = true
	required := g.required == "true" || g.required != "false" && defined != "false"
	l.Gates = append(l.Gates, flow.Gate{ID: g.name, Status: g.status, Required: required, After: after})
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
