package core

import "gatehouse/parse/doc"

// Definition is a parsed loop.json. Its phases and gates are in the order of the file.
type Definition struct {
	Tree   *doc.Tree
	File   string // its path, for users
	ID     string
	Phases []DefinedPhase
	Gates  []DefinedGate
	// Incomplete: phases or gates without a name were left out, so the loop may require more.
	Incomplete bool
	// Unreadable: there is a definition, but it can't be read. Everything except File is empty.
	Unreadable bool
	// Problems are about malformed phases and gates, Repeated about those that are defined twice.
	Problems, Repeated []doc.Problem
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
	// Asked: the gate belongs to the loop even if the state lacks it. New states do not have gates inside phases, so of these only a gate that
	// says that it is required counts, and one that a phase names but nothing defines.
	Asked bool
	// Nested: the gate is defined only inside a phase. Mentioned: a phase names it, but nothing defines it.
	Nested, Mentioned bool
	// After is the phase that the gate follows, -1 if no phase is known.
	After int
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
	d := &Definition{Tree: tree, ID: root.Get("id").Text(),
		Phases: make([]DefinedPhase, 0, phases.Len()), Gates: make([]DefinedGate, 0, gates.Len())}
	if phases.Len() > maxItems || gates.Len() > maxItems {
		return nil, ErrTooMany
	}
	for v := range phases.Children() {
		d.addPhase(v)
	}
	if len(d.Phases) == 0 {
		return d, ErrNotLoop
	}
	d.checkList(phases, "phases")
	d.addGates(gates, -1)
	for at := range d.Phases {
		v := d.Phases[at].Value
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

// nameOf returns the name of a phase or gate: the string itself, or the value of the first of the keys that an object has. If that is no
// string, the next key is not tried.
func nameOf(v doc.Value, keys ...string) string {
	for _, key := range keys {
		if field := v.Get(key); field.Exists() {
			return field.Text()
		}
	}
	return v.Text()
}

// reportUnnamed reports a phase or a gate without a name, which is left out.
func (d *Definition) reportUnnamed(v doc.Value, what, key string) {
	d.Incomplete = true
	d.report(v, "a "+what+" has no "+key+" that is text", "write its "+key+" as text; until then it is left out")
}

// checkList reports a value of phases or gates that is no list.
func (d *Definition) checkList(v doc.Value, what string) {
	if !v.IsEmpty() && !v.Is(doc.List) {
		d.Incomplete = true
		d.report(v, what+" is "+v.Kind().String()+"; it must be a list", "write a list of objects")
	}
}

func (d *Definition) addPhase(v doc.Value) {
	name := nameOf(v, "name", "id")
	if name == "" {
		d.reportUnnamed(v, "phase", "name")
		return
	}
	isRequired := needOf(v) != Optional
	if p := d.FindPhase(name); p != nil {
		p.Required = p.Required || isRequired
		d.reportRepeated(v, "phase", name, "rename one or remove it; the first one counts")
		return
	}
	d.Phases = append(d.Phases, DefinedPhase{Name: name, Required: isRequired, Value: v})
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
		d.reportUnnamed(v, "gate", "id")
		return
	}
	if d.FindGate(id) != nil {
		if !isMention {
			d.Incomplete = true
			d.reportRepeated(v, "gate", id, "rename one or remove it; until then the loop waits")
		}
		return
	}
	need := needOf(v)
	g := DefinedGate{ID: id, Nested: inside >= 0, Mentioned: isMention, Required: need != Optional, Value: v}
	g.Asked = !g.Nested || need == Required || isMention && g.Required
	if g.After = d.placeOf(v, inside); isMention {
		g.After = -1
	}
	d.Gates = append(d.Gates, g)
}

// placeOf returns the phase that a gate follows: the one that afterPhase names, by name or else by id; without it, the phase that
// holds the gate.
func (d *Definition) placeOf(v doc.Value, inside int) (after int) {
	field := v.Get("afterPhase")
	name := field.Text()
	if field.IsEmpty() || field.Is(doc.String) && name == "" {
		return inside
	}
	for i := range d.Phases {
		if d.Phases[i].Name == name {
			return i
		}
	}
	for i := range d.Phases {
		if name != "" && d.Phases[i].Value.Get("id").Text() == name {
			return i
		}
	}
	return -1
}

// checkPlace reports a gate that follows no phase.
func (d *Definition) checkPlace(g *DefinedGate) {
	if g.After >= 0 {
		return
	}
	d.report(g.Value, "“"+g.ID+"” "+d.UnplacedReason(g), "name a phase of the loop in its afterPhase; until then its place is unknown")
}

// UnplacedReason returns why the place of a gate is unknown, as the end of a sentence about the gate.
func (d *Definition) UnplacedReason(g *DefinedGate) string {
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

// FindPhase returns the phase with a name, nil without one. d may be nil.
func (d *Definition) FindPhase(name string) *DefinedPhase {
	for i := 0; d != nil && i < len(d.Phases); i++ {
		if d.Phases[i].Name == name {
			return &d.Phases[i]
		}
	}
	return nil
}

// FindGate returns the gate with an id, nil without one. d may be nil.
func (d *Definition) FindGate(id string) *DefinedGate {
	for i := 0; d != nil && i < len(d.Gates); i++ {
		if d.Gates[i].ID == id {
			return &d.Gates[i]
		}
	}
	return nil
}

// MatchID returns why the definition does not belong to the loop with an id, nil if it does. Any definition matches a state without an id.
func (d *Definition) MatchID(id string) error {
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
