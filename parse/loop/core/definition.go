package core

import "gatehouse/parse/doc"

// Definition is a parsed loop.json. Its phases and gates are in the order of the file.
type Definition struct {
	Tree   *doc.Tree
	File   string // its path for people
	ID     string
	Phases []DefinedPhase
	Gates  []DefinedGate
	// Incomplete: phases or gates were left out because they have no name, so the loop may require more.
	Incomplete bool
	// Unreadable: there is a definition that can't be read. Everything but File is empty.
	Unreadable bool
	// Problems are phases and gates that are not written as they should be, Repeated those that are defined again.
	Problems, Repeated []doc.Problem

	phaseIndex, gateIndex map[string]int
}

// DefinedPhase is a phase of a definition.
type DefinedPhase struct {
	Name     string
	Required bool
	Value    doc.Value
}

// DefinedGate is a gate of a definition.
type DefinedGate struct {
	ID       string
	Required bool
	// Asked: the gate belongs to the loop also if its state lacks it. Of gates inside phases, which no new state has, only one
	// that says that it is required, and one that a phase names but nothing defines.
	Asked bool
	// Nested: the gate is only defined inside a phase. Mentioned: a phase names it, but nothing defines it.
	Nested, Mentioned bool
	// After is the phase that the gate follows, -1 if no phase is known. ByID: the definition names it by its id.
	After int
	ByID  bool
	Value doc.Value
}

// ParseDefinition parses a loop.json. The error is a [*doc.SyntaxError], or one of the reasons of this package.
func ParseDefinition(text string) (*Definition, error) {
	tree, syntax := doc.ParseJSON(text)
	if syntax != nil {
		return nil, syntax
	}
	root := tree.Root()
	phases, gates := root.Get("phases"), root.Get("gates")
	d := &Definition{Tree: tree, ID: root.Get("id").Text(), phaseIndex: map[string]int{}, gateIndex: map[string]int{}}
	if phases.Len() > maxItems || gates.Len() > maxItems {
		return nil, ErrTooMany
	}
	nested := []doc.Value{} // the phase of each of Phases
	for v := range phases.Children() {
		if d.addPhase(v) {
			nested = append(nested, v)
		}
	}
	if len(d.Phases) == 0 {
		return d, ErrNotLoop
	}
	d.checkList(phases, "phases")
	d.addGates(gates, -1)
	for at, v := range nested {
		d.addGates(v.Get("gates"), at)
		if gate := v.Get("gate"); gate.Exists() && gate.Raw() != "false" && gate.Raw() != `""` && !gate.Is(doc.Null) {
			d.report(gate, "the protocol has no “gate” of a phase", "write it into the gates of the loop, with an id and afterPhase")
			d.addGate(gate, at, true)
		}
	}
	if len(d.Gates) > maxItems {
		return nil, ErrTooMany
	}
	for i := range d.Gates {
		d.checkPlace(&d.Gates[i])
	}
	return d, nil
}

func (d *Definition) report(v doc.Value, text, fix string) {
	d.Problems = append(d.Problems, doc.Problem{At: v.Offset(), Text: text, Fix: fix})
}

func (d *Definition) reportRepeated(v doc.Value, what, name, fix string) {
	d.Repeated = append(d.Repeated, doc.Problem{At: v.Offset(), Text: "the " + what + " “" + name + "” is defined twice", Fix: fix})
}

// nameOf returns the name of a phase or gate: a string itself, or the first of the keys that an object has. A name that is no
// string is not replaced by the next key.
func nameOf(v doc.Value, keys ...string) string {
	for _, key := range keys {
		if field := v.Get(key); field.Exists() {
			return field.Text()
		}
	}
	return v.Text()
}

// unnamed reports a phase or a gate that is left out.
func (d *Definition) unnamed(v doc.Value, what, key string) {
	d.Incomplete = true
	d.report(v, "a "+what+" has no "+key+" that is text", "write its "+key+" as text; until then it is left out")
}

// checkList reports phases or gates that are no list.
func (d *Definition) checkList(v doc.Value, what string) {
	if !v.IsEmpty() && !v.Is(doc.List) {
		d.Incomplete = true
		d.report(v, what+" is "+v.Kind().String()+"; it must be a list", "write a list of objects")
	}
}

// addPhase adds a phase, and reports whether it is a new one.
func (d *Definition) addPhase(v doc.Value) bool {
	name := nameOf(v, "name", "id")
	if name == "" {
		d.unnamed(v, "phase", "name")
		return false
	}
	isRequired := needOf(v) != Optional
	if i, exists := d.phaseIndex[name]; exists {
		d.Phases[i].Required = d.Phases[i].Required || isRequired
		d.reportRepeated(v, "phase", name, "rename one or remove it; the first one counts")
		return false
	}
	d.phaseIndex[name] = len(d.Phases)
	d.Phases = append(d.Phases, DefinedPhase{Name: name, Required: isRequired, Value: v})
	return true
}

// addGates adds the gates of a list; inside is the phase that holds it, -1 for the loop's own list.
func (d *Definition) addGates(list doc.Value, inside int) {
	d.checkList(list, "gates")
	if !list.Is(doc.List) {
		return
	}
	for v := range list.Children() {
		d.addGate(v, inside, inside >= 0 && v.Is(doc.String))
	}
}

// addGate adds a gate, or one that a phase only mentions. If a gate is defined twice, the definition is incomplete.
func (d *Definition) addGate(v doc.Value, inside int, isMention bool) {
	id := nameOf(v, "id")
	if id == "" {
		d.unnamed(v, "gate", "id")
		return
	}
	if d.Gate(id) != nil {
		if !isMention {
			d.Incomplete = true
			d.reportRepeated(v, "gate", id, "rename one or remove it; until then the loop waits")
		}
		return
	}
	need := needOf(v)
	g := DefinedGate{ID: id, Nested: inside >= 0, Mentioned: isMention, Required: need != Optional, Value: v}
	g.Asked = !g.Nested || need == Required || isMention && g.Required
	if g.After, g.ByID = d.placeOf(v, inside); isMention {
		g.After = -1
	}
	d.gateIndex[id] = len(d.Gates)
	d.Gates = append(d.Gates, g)
}

// placeOf returns the phase that a gate follows: the one that afterPhase names, by name or else by id; without it, the phase that
// holds the gate.
func (d *Definition) placeOf(v doc.Value, inside int) (after int, byID bool) {
	field := v.Get("afterPhase")
	name := field.Text()
	if field.IsEmpty() || field.Is(doc.String) && name == "" {
		return inside, false
	}
	if i, ok := d.phaseIndex[name]; ok {
		return i, false
	}
	for i := range d.Phases {
		if name != "" && d.Phases[i].Value.Get("id").Text() == name {
			return i, true
		}
	}
	return -1, false
}

// checkPlace reports a gate that follows no phase.
func (d *Definition) checkPlace(g *DefinedGate) {
	if g.After >= 0 {
		return
	}
	d.report(g.Value, "“"+g.ID+"” "+d.Unplaced(g), "name a phase of the loop in its afterPhase; until then its place is unknown")
}

// Unplaced says why the place of a gate is unknown, as the end of a sentence about it.
func (d *Definition) Unplaced(g *DefinedGate) string {
	field := g.Value.Get("afterPhase")
	switch {
	case g.Mentioned:
		return "is named by a phase, but no gate has that id"
	case !field.IsEmpty() && !field.Is(doc.String):
		return "has an afterPhase that is " + field.Kind().String() + ", not the name of a phase"
	case field.Text() == "":
		return "names no phase that it follows"
	}
	return "follows “" + field.Text() + "”, which is no phase of the definition"
}

// Phase returns the phase with a name, nil without one. d may be nil.
func (d *Definition) Phase(name string) *DefinedPhase {
	if d != nil {
		if i, ok := d.phaseIndex[name]; ok {
			return &d.Phases[i]
		}
	}
	return nil
}

// Gate returns the gate with an id, nil without one. d may be nil.
func (d *Definition) Gate(id string) *DefinedGate {
	if d != nil {
		if i, ok := d.gateIndex[id]; ok {
			return &d.Gates[i]
		}
	}
	return nil
}

// Match returns why the definition does not belong to the loop with an id, nil if it does. A state without an id takes any.
func (d *Definition) Match(id string) error {
	switch {
	case len(d.Phases) == 0:
		return ErrNotLoop
	case id == "" || d.ID == id:
		return nil
	case d.ID == "":
		return ErrNoID
	case doc.Lower(d.ID) == doc.Lower(id):
		return ErrOtherCase
	}
	return ErrOtherLoop
}
