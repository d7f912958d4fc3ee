package rules

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/text/scan"
)

// Definition is what a loop.json says about the order of a loop.
type Definition struct {
	ID     string
	Phases []DefinedPhase // those that have a name
	Gates  []DefinedGate  // those that have an ID: first those that stand in their phases, then those of the loop
	// Unread is the name of the file where it can't be read, or not all of it: then nobody knows what it asks for. "" where it
	// is known; see [Definition.Named].
	Unread string
	// Odd says that phases or gates are left out that may be required, because nothing tells what they are.
	Odd bool
	// byName and byID find the phases, among many, and byGate the gates.
	byName, byID, byGate names
}

// DefinedPhase is a phase of a definition.
type DefinedPhase struct {
	Name, ID string
	Required string // as JSON
	Element  int    // which of the elements of "phases" it is
}

// DefinedGate is a gate of a definition.
type DefinedGate struct {
	ID       string
	Required string // as JSON
	Behind   string // the name or the ID of a phase
	Inside   int    // the phase that it is written inside of, among Phases; -1: none
	Element  int    // which of the elements of "gates" it is, of the phase or of the loop; -1: the phase's "gate"
	// ByName says that the gate has no ID and is called by its name: [DefinedGate.Is] a gate of the state whose ID was made of that.
	ByName bool
	// Reference says that it only names the gate, inside of a phase: nothing but its ID, or the phase's "gate".
	Reference bool
	// Again is the next of Gates with the same ID, 0 where there is none, and Repeats says that one before has it: all of them
	// are one gate, [Definition.Gate].
	Again   int
	Repeats bool
}

// The values that are looked for in a definition.
var definitionFields = [...]scan.JSONField{{Path: []string{"id"}}, {Path: []string{"phases"}}, {Path: []string{"gates"}}}

// Definition reads a loop.json, which has an array of phases. Phases and gates are objects, or nothing but a name. reason says
// why it is none, "" that it is one.
func (m *Memory) Definition(text string) (d *Definition, reason peek.Error) {
	d = &m.definition
	*d = Definition{Phases: m.definedPhases[:0], Gates: m.definedGates[:0]}
	fields := definitionFields
	if !scan.JSONFields(scan.WithoutMark(text), fields[:]) {
		return d, ErrNotJSON
	}
	d.ID, _ = scan.JSONText(fields[0].Value)
	phases := scan.JSONArray{Rest: fields[1].Value}
	for i := 0; len(d.Phases) <= Limit; i++ {
		value, more := phases.Next()
		if !more {
			break
		}
		d.addPhase(value, i)
	}
	d.addGates(fields[2].Value, -1)
	d.Odd = d.Odd || !isList(fields[1].Value) || !isList(fields[2].Value)
	switch {
	case len(d.Phases) == 0:
		return d, ErrNotLoop
	case len(d.Phases) > Limit, len(d.Gates) > Limit:
		return d, ErrTooMany
	}
	return d, ""
}

// addPhase adds a phase, and the gates that are written inside of it. One without a name is called by its ID; one without
// either, or with a name that is no text, is left out.
func (d *Definition) addPhase(value string, element int) {
	phase := DefinedPhase{Element: element}
	var name, id, gates, gate string
	for fields := (scan.JSONMembers{Rest: value}); ; {
		key, value, more := fields.Next()
		if !more {
			break
		}
		switch {
		case scan.JSONStringIs(key, "name"):
			name = value
		case scan.JSONStringIs(key, "id"):
			id = value
		case scan.JSONStringIs(key, "required"):
			phase.Required = value
		case scan.JSONStringIs(key, "gates"):
			gates = value
		case scan.JSONStringIs(key, "gate"): // none of the protocol's, and no reason to lead past a gate
			gate = value
		}
	}
	var ok bool
	if phase.Name, ok = called(value, name, id); !ok {
		d.Odd = d.Odd || !Optional(phase.Required)
		return
	}
	d.Odd = d.Odd || !isList(gates)
	phase.ID, _ = scan.JSONText(id)
	at := len(d.Phases)
	d.byName.grown(phase.Name, at, func(i int) string { return d.Phases[i].Name })
	d.byID.grown(phase.ID, at, func(i int) string { return d.Phases[i].ID })
	d.Phases = append(d.Phases, phase)
	d.addGates(gates, at)
	if NamesGate(gate) && len(d.Gates) <= Limit {
		d.addGate(gate, DefinedGate{Inside: at, Element: -1, Reference: true})
	}
}

// NamesGate says whether the "gate" of a phase, as JSON, is about any gate.
func NamesGate(gate string) bool {
	return gate != "" && gate != "null" && gate != "false" && gate != `""`
}

// called returns what a phase or a gate is called: a text by itself, else the first of two values of an object that is there. One
// that is there and is no text is not passed over for the second: nobody knows which phase or gate of the state it is.
func called(value, first, second string) (name string, ok bool) {
	if name, ok = scan.JSONText(value); ok {
		return name, true
	}
	if first == "" {
		first = second
	}
	return scan.JSONText(first)
}

// addGates adds the gates of an array that is written inside a phase, or beside all of them: -1. One without an ID is called
// by its name; one without either, or with an ID that is no text, is left out.
func (d *Definition) addGates(array string, inside int) {
	gates := scan.JSONArray{Rest: array}
	for i := 0; len(d.Gates) <= Limit; i++ {
		value, more := gates.Next()
		if !more {
			return
		}
		d.addGate(value, DefinedGate{Inside: inside, Element: i, Reference: inside >= 0 && isText(value)})
	}
}

// addGate adds a gate, of which is known where it is written.
func (d *Definition) addGate(value string, gate DefinedGate) {
	var name, id string
	for fields := (scan.JSONMembers{Rest: value}); ; {
		key, value, more := fields.Next()
		if !more {
			break
		}
		switch {
		case scan.JSONStringIs(key, "id"):
			id = value
		case scan.JSONStringIs(key, "name"):
			name = value
		case scan.JSONStringIs(key, "afterPhase"):
			gate.Behind, _ = scan.JSONText(value)
		case scan.JSONStringIs(key, "required"):
			gate.Required = value
		}
	}
	var ok bool
	gate.ByName = id == "" && name != ""
	if gate.ID, ok = called(value, id, name); !ok {
		d.Odd = d.Odd || !Optional(gate.Required)
		return
	}
	at := len(d.Gates)
	if first := place(d.Gates, d.byGate, gate.ID, func(g *DefinedGate) bool { return g.ID == gate.ID }); first >= 0 {
		gate.Repeats = true
		for ; d.Gates[first].Again > 0; first = d.Gates[first].Again {
		}
		d.Gates[first].Again = at
	}
	d.byGate.grown(gate.ID, at, func(i int) string { return d.Gates[i].ID })
	d.Gates = append(d.Gates, gate)
}

// Is reports whether a gate of the state, by its ID, is one that the definition calls by a name alone: agents make the ID of it,
// "seed-gate" of "Seed Gate".
func (g *DefinedGate) Is(id string) bool {
	if !g.ByName {
		return false
	}
	i, j, n := 0, 0, 0
	for ; ; n++ {
		i, j = skipSigns(g.ID, i), skipSigns(id, j)
		if i == len(g.ID) || j == len(id) {
			return i == len(g.ID) && j == len(id) && n > 0
		}
		a, b := g.ID[i], id[j]
		if a >= 'A' && a <= 'Z' {
			a += 'a' - 'A'
		}
		if b >= 'A' && b <= 'Z' {
			b += 'a' - 'A'
		}
		if a != b {
			return false
		}
		i, j = i+1, j+1
	}
}

// skipSigns returns the offset, from i on, of the next byte of a name that is a letter or a digit.
func skipSigns(name string, i int) int {
	for i < len(name) && name[i] < 0x80 && !(name[i]|0x20 >= 'a' && name[i]|0x20 <= 'z' || name[i] >= '0' && name[i] <= '9') {
		i++
	}
	return i
}

// gateByName returns the place among a state's gates of the one that a gate of the definition means by its name alone; -1 where
// there is none, or more than one.
func (d *Definition) gateByName(g *DefinedGate, s *State) (at int) {
	at = -1
	if !g.ByName || len(s.Gates) > common {
		return at
	}
	for i := range s.Gates {
		name := s.Gates[i].Name
		if !g.Is(name) || place(d.Gates, d.byGate, name, func(g *DefinedGate) bool { return g.ID == name }) >= 0 {
			continue
		}
		if at >= 0 {
			return -1
		}
		at = i
	}
	for i := range d.Gates {
		if other := &d.Gates[i]; at >= 0 && !other.Repeats && other.ID != g.ID && other.Is(s.Gates[at].Name) {
			return -1
		}
	}
	return at
}

// DefinedOnce is a gate by all that a definition says of it, in however many places: the strictest counts.
type DefinedOnce struct {
	// Required says that the gate is required.
	Required bool
	// Asked says that the gate is one of the loop also where its state lacks it. Of those inside of phases, which no state is made
	// with, only one that says itself that it is required, and one that is Dangling.
	Asked bool
	// Dangling says that phases name the gate and nothing defines it. Nobody knows then whether they ask for it before or after
	// their work.
	Dangling bool
	// After is the phase that it stands behind, the earliest of those that are named; -1 where none is known. ByID says that the
	// definition names it by its ID.
	After int
	ByID  bool
}

// Gate returns the gate of which the definition says something for the first time at i. What stands inside of a phase and does not
// say whether it is required is a mention of the gate, where another place says so.
func (d *Definition) Gate(i int) DefinedOnce {
	once := DefinedOnce{After: -1, Dangling: true}
	says := false
	for first := true; first || i > 0; first = false {
		g := &d.Gates[i]
		own := g.Inside < 0
		if own || !Silent(g.Required) {
			says, once.Required = true, once.Required || !Optional(g.Required)
		}
		once.Asked = once.Asked || own || g.Required == "true"
		once.Dangling = once.Dangling && g.Reference
		if after, byID := d.After(g); after >= 0 && (once.After < 0 || after < once.After) {
			once.After, once.ByID = after, byID
		}
		i = g.Again
	}
	once.Required = once.Required || !says
	once.Asked = once.Asked || once.Dangling && once.Required
	return once
}

// After returns the phase of the definition that a gate stands behind: the one that it names, by its name, else by its ID;
// one that names none stands behind the phase that it is written in. It is -1 where there is no such phase: then nobody knows
// where the gate stands.
func (d *Definition) After(g *DefinedGate) (at int, byID bool) {
	if g.Behind == "" {
		return g.Inside, false
	}
	if at = place(d.Phases, d.byName, g.Behind, func(p *DefinedPhase) bool { return p.Name == g.Behind }); at >= 0 {
		return at, false
	}
	return place(d.Phases, d.byID, g.Behind, func(p *DefinedPhase) bool { return p.ID == g.Behind }), true
}

// Unreadable stands for a definition that is there and can't be read: it tells of no gate where that stands.
func Unreadable(name string) *Definition { return &Definition{Unread: base(name)} }

// Named returns the definition as that in a file, which is [Definition.Unread] where parts of it are.
func (d *Definition) Named(name string) *Definition {
	if !d.Odd {
		return d
	}
	odd := *d
	odd.Unread = base(name)
	return &odd
}

// base returns the last part of a path.
func base(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '/' {
			return name[i+1:]
		}
	}
	return name
}

// Loop returns the state as the rules need it: phases and gates of the state file, in the order of the definition, those that
// it does not know behind them. Without a definition, d nil, the order is the state file's own. A gate of the loop that the
// state lacks is one all the same, undecided; so is a phase, in Loop.Lacks. That holds also where the two name different
// versions: nobody has said that less is asked for now.
func (m *Memory) Loop(s *State, d *Definition) *Loop {
	l := &m.loop
	*l = Loop{Status: s.Status, Phase: s.Phase, Placed: d != nil, Unread: s.Unread, Phases: m.phases[:0], Gates: m.gates[:0]}
	if d == nil {
		d = new(Definition)
	} else if d.Unread != "" {
		l.Unread = d.Unread
	}
	places := m.places[:0] // of the definition's phases among the loop's
	taken := m.marks(len(s.Phases))
	for i := range d.Phases {
		p, place := &d.Phases[i], -1
		switch at := itemNamed(s.Phases, s.phaseAt, p.Name); {
		case at >= 0 && !taken[at]:
			place, taken[at] = len(l.Phases), true
			l.Behind = l.Behind || place == 0 && i > 0
			l.addPhase(s, at, !Optional(p.Required), !Optional(p.Required))
		case at >= 0: // it is there twice: it is required if either says so
			place = l.phase(p.Name)
			twice := &l.Phases[place]
			twice.Defined = twice.Defined || !Optional(p.Required)
		case !Optional(p.Required):
			l.Lacks = append(l.Lacks, p.Name)
		}
		places = append(places, place)
	}
	for i := range s.Phases {
		if !taken[i] {
			l.addPhase(s, i, true, false)
		}
	}
	taken = m.marks(len(s.Gates))
	for i := range d.Gates {
		if d.Gates[i].Repeats {
			continue
		}
		g, place := d.Gate(i), -1
		if g.After >= 0 {
			place = places[g.After]
		}
		at := itemNamed(s.Gates, s.gateAt, d.Gates[i].ID)
		if at < 0 {
			at = d.gateByName(&d.Gates[i], s)
		}
		switch {
		case at >= 0:
			taken[at] = true
			l.addGate(s, at, required(s.Gates[at].Required, g.Required), place)
		case g.Asked:
			if g.Dangling {
				place = -1
			}
			l.Gates = append(l.Gates, Gate{ID: d.Gates[i].ID, Required: g.Required, After: place, At: -1})
		}
	}
	for i := range s.Gates {
		if !taken[i] {
			l.addGate(s, i, !Optional(s.Gates[i].Required), -1)
		}
	}
	return l
}

// marks returns n marks, none of them set.
func (m *Memory) marks(n int) []bool {
	if n > common {
		return make([]bool, n)
	}
	m.taken = [common]bool{}
	return m.taken[:n]
}

// addPhase adds a phase of the state; silent says whether it is required where that does not say.
func (l *Loop) addPhase(s *State, at int, silent, defined bool) {
	p := &s.Phases[at]
	if p.Required == "true" || p.Required == "false" {
		silent = p.Required == "true"
	}
	l.Phases = append(l.Phases, Phase{Name: p.Name, Status: p.Status, Required: silent, Defined: defined, At: at})
}

func (l *Loop) addGate(s *State, at int, required bool, after int) {
	g := &s.Gates[at]
	l.Gates = append(l.Gates, Gate{ID: g.Name, Status: g.Status, Required: required, After: after, At: at})
}

// required says whether a gate is required, by the stricter of state, as JSON, and definition: nobody but a human passes
// it by. A state that says nothing leaves it to the definition.
func required(state string, defined bool) bool { return defined || !Silent(state) && !Optional(state) }

// Silent says whether a value of "required", as JSON, says nothing.
func Silent(required string) bool { return required == "" || required == "null" }

// Optional says whether a value of "required", as JSON, says that something is not. Nothing but false says so.
func Optional(required string) bool { return required == "false" }
