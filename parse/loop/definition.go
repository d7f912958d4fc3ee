// loop.json, beyond what package rules reads: what a loop consists of, in all the forms that are found.

package loop

import (
	"slices"

	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/loop/rules"
	"gatehouse/parse/reader"
	"gatehouse/parse/text/jsondoc"
)

// definition is what a loop.json says.
type definition struct {
	*rules.Definition
	doc     *jsondoc.Document
	title   string // of its own page, else its name
	version string
	mode    string         // "" where it names none
	phases  []definedPhase // one for each of Definition.Phases
	gates   []definedGate  // one for each gate, however often Definition.Gates has it
	written []definedGate  // one for each of Definition.Gates
	faults  []fault

	phaseAt, gateAt map[string]int // by name and by id, the first of each
}

// definedPhase is a phase of a definition.
type definedPhase struct {
	rules.DefinedPhase
	about        []string // description, notes
	skills       []string
	optional     map[string]bool // skills that are not required
	objects      bool            // skills are written as objects
	deliverables []string
	at           int
}

// definedGate is a gate of a definition, or one of the places where it has it.
type definedGate struct {
	rules.DefinedGate
	once              rules.DefinedOnce // of a gate: what all of its places say
	name, description string
	afterKind         string // what afterPhase is where it is no text: "a number"; "" where it is one, or none
	approval          string // approvalType; "" where it is no text, as where it is not there
	oldType           string // "type" of older definitions, shown: a state is made without it, so it opens no gate
	deliverables      []string
	hasDeliverables   bool
	condition         string
	autoCheck         string
	criteria          []string // criteria and guarantees
	at                int
	text              bool // it is nothing but its name
}

// nested reports whether the place is inside of a phase.
func (g *definedGate) nested() bool { return g.Inside >= 0 }

// fault is something wrong with a document, at a place of it.
type fault struct {
	at     int
	severe bool // something is missing from what is shown
	rule   string
	text   string
	fix    string
}

// parseDefinition reads a loop.json. What is no loop has no phases.
func parseDefinition(text string) (*definition, error) {
	doc, err := parse(text)
	if err != nil {
		return nil, err
	}
	root := doc.Root
	facts, reason := new(rules.Memory).Definition(text)
	if reason == rules.ErrTooMany {
		return nil, &mirror.Fault{Line: 1, Text: "it " + reason.Error()}
	}
	d := &definition{Definition: facts, doc: doc, phaseAt: map[string]int{}, gateAt: map[string]int{},
		version: root.Get("version").Text(), mode: firstText(root.Get("defaults", "mode"), root.Get("defaultMode"))}
	d.title = firstText(root.Get("ui", "branding", "title"), root.Get("name"), root.Get("id"))
	for i, v := range root.Get("phases").Elements() {
		d.phase(v, i)
	}
	d.gatesOf(root.Get("gates"), -1)
	for i := range d.written {
		if !d.written[i].Repeats {
			d.together(i)
		}
	}
	d.faults = append(d.faults, doublets(doc)...)
	return d, nil
}

// firstText returns the first of the values that is a text and not empty.
func firstText(values ...*jsondoc.Value) string {
	for _, v := range values {
		if s := v.Text(); s != "" {
			return s
		}
	}
	return ""
}

// phase takes an element of "phases".
func (d *definition) phase(v *jsondoc.Value, element int) {
	at := len(d.phases)
	if at == len(d.Phases) || d.Phases[at].Element != element {
		d.faults = append(d.faults, uncalled(v, "phase", "name"))
		return
	}
	p := definedPhase{DefinedPhase: d.Phases[at], at: v.At}
	for _, key := range []string{"description", "notes"} {
		if text := v.Get(key).Text(); text != "" {
			p.about = append(p.about, text)
		}
	}
	p.skills, _ = texts(v.Get("skills"), skillKeys...)
	for _, s := range v.Get("skills").Elements() {
		p.objects = p.objects || s.Is(jsondoc.Object)
		if id, ok := named(s, skillKeys...); ok && s.Get("required").Is(jsondoc.Bool) && rules.Optional(s.Get("required").Raw) {
			if p.optional == nil {
				p.optional = map[string]bool{}
			}
			p.optional[id] = true
		}
	}
	for _, key := range []string{"deliverables", "requiredDeliverables"} {
		more, _ := texts(v.Get(key), "file", "path", "name")
		p.deliverables = append(p.deliverables, more...)
	}
	if _, twice := d.phaseAt[p.Name]; !twice {
		d.phaseAt[p.Name] = at
	}
	d.phases = append(d.phases, p)
	d.gatesOf(v.Get("gates"), at)
	d.gateOf(v.Get("gate"), at)
}

// gateOf takes what a phase calls its gate, which the protocol does not know.
func (d *definition) gateOf(v *jsondoc.Value, in int) {
	switch next := len(d.written); {
	case next < len(d.Gates) && d.Gates[next].Inside == in && d.Gates[next].Element < 0:
		d.faults = append(d.faults, fault{at: v.At, text: "the protocol has no “gate” of a phase", fix: "write it into the gates of the loop, with afterPhase"})
		d.gate(v, d.Gates[next])
	case v != nil && rules.NamesGate(v.Raw):
		d.faults = append(d.faults, fault{at: v.At, text: "the “gate” of a phase has no id", fix: "write it into the gates of the loop, with an id and afterPhase"})
	}
}

// uncalled says of a phase or a gate that nothing tells what it is called.
func uncalled(v *jsondoc.Value, what, key string) fault {
	if called := v.Get(key); called != nil {
		return fault{at: called.At, text: "the " + key + " of a " + what + " is " + kindWords[called.Kind()] + ", not text", fix: "write it as text; the " + what + " is left out"}
	}
	return fault{at: v.At, text: "a " + what + " has no " + key, fix: "give it one; it is left out"}
}

// skillKeys are where a skill that is an object has its name.
var skillKeys = []string{"skillId", "id", "name", "skill"}

// gatesOf takes the gates of a list; in is the index of the phase that it stands in, -1 for that of the loop.
func (d *definition) gatesOf(list *jsondoc.Value, in int) {
	for i, v := range list.Elements() {
		at := len(d.written)
		if at == len(d.Gates) || d.Gates[at].Inside != in || d.Gates[at].Element != i {
			d.faults = append(d.faults, uncalled(v, "gate", "id"))
			continue
		}
		d.gate(v, d.Gates[at])
	}
}

func (d *definition) gate(v *jsondoc.Value, facts rules.DefinedGate) {
	g := definedGate{
		DefinedGate: facts, text: v.Is(jsondoc.String), name: v.Get("name").Text(), description: v.Get("description").Text(), at: v.At,
		approval: v.Get("approvalType").Text(), oldType: v.Get("type").Text(),
		condition: v.Get("condition").Text(), autoCheck: v.Get("autoCheck").Text(),
	}
	if after := v.Get("afterPhase"); after != nil && !after.Is(jsondoc.String) && !after.Is(jsondoc.Null) {
		g.afterKind = kindWords[after.Kind()]
	}
	g.deliverables = demanded(v.Get("deliverables"))
	g.hasDeliverables = v.Get("deliverables").Is(jsondoc.Array)
	for _, key := range []string{"criteria", "guarantees"} {
		more, _ := texts(v.Get(key), "description", "path", "name", "type")
		g.criteria = append(g.criteria, more...)
	}
	d.written = append(d.written, g)
}

// together makes one gate of all places that have it, of which the one at i is the first: what each of them asks for.
func (d *definition) together(i int) {
	g := d.written[i]
	g.once = d.Gate(i)
	g.deliverables, g.criteria = slices.Clip(g.deliverables), slices.Clip(g.criteria) // those of the place stay as they are
	silent := g.approval == "" && g.nested()                                          // a mention, which leaves it to the other places who opens the gate
	for k := g.Again; k > 0; k = d.written[k].Again {
		w := &d.written[k]
		if says := w.approval != "" || !w.nested(); silent || says && strictness[approvalKind(w.approval)] > strictness[approvalKind(g.approval)] {
			g.approval, silent = w.approval, w.approval == "" && w.nested()
		}
		for _, text := range [][2]*string{{&g.name, &w.name}, {&g.description, &w.description}, {&g.oldType, &w.oldType}, {&g.condition, &w.condition}, {&g.autoCheck, &w.autoCheck}} {
			if *text[0] == "" {
				*text[0] = *text[1]
			}
		}
		g.deliverables, g.criteria = append(g.deliverables, w.deliverables...), append(g.criteria, w.criteria...)
		g.hasDeliverables = g.hasDeliverables || w.hasDeliverables
		if !w.nested() { // its place among the gates of the loop
			g.Inside, g.Element, g.Required = w.Inside, w.Element, w.Required
		}
		if g.text {
			g.at, g.text = w.at, w.text
		}
		if g.Behind == "" {
			g.Behind, g.afterKind = w.Behind, w.afterKind
		}
	}
	if g.Again > 0 {
		g.deliverables, g.criteria = distinct(g.deliverables), distinct(g.criteria)
	}
	d.place(&g)
	d.gateAt[g.ID] = len(d.gates)
	d.gates = append(d.gates, g)
}

// distinct returns the texts of a list, each once.
func distinct(all []string) (each []string) {
	seen := make(map[string]bool, len(all))
	for _, text := range all {
		if !seen[text] {
			seen[text] = true
			each = append(each, text)
		}
	}
	return each
}

// place reports a gate that stands behind no phase, or that is only named.
func (d *definition) place(g *definedGate) {
	if g.once.Dangling {
		d.faults = append(d.faults, fault{at: g.at, text: "phase " + reader.Quoted(d.phases[g.Inside].Name) + " names the gate " + reader.Quoted(g.ID) + ", and no gate is defined by that id",
			fix: "define it among the gates of the loop, with afterPhase"})
		return
	}
	if g.once.After >= 0 {
		return
	}
	f := fault{at: g.at, text: reader.Quoted(g.ID) + " stands behind " + reader.Quoted(g.Behind) + ", and there is no such phase",
		fix: "name a phase of the loop in afterPhase; until then nobody knows where the gate is"}
	switch {
	case g.afterKind != "":
		f.text = "afterPhase of " + reader.Quoted(g.ID) + " is " + g.afterKind + ", not the name of a phase"
	case g.Behind == "":
		f.text = reader.Quoted(g.ID) + " names no phase that it stands behind"
	}
	d.faults = append(d.faults, f)
}

// phaseNamed returns the phase with a name, nil where there is none.
func (d *definition) phaseNamed(name string) *definedPhase {
	if i, ok := d.phaseAt[name]; ok {
		return &d.phases[i]
	}
	return nil
}

// gateCalled returns the gate with an id, or the only one that a name means which makes it; nil where there is none.
func (d *definition) gateCalled(id string) (g *definedGate) {
	if i, ok := d.gateAt[id]; ok {
		return &d.gates[i]
	}
	for i := range d.gates {
		if d.gates[i].Is(id) {
			if g != nil {
				return nil
			}
			g = &d.gates[i]
		}
	}
	return g
}

// doublets reports keys that one object has twice.
func doublets(doc *jsondoc.Document) []fault {
	var all []fault
	for _, m := range doc.Twice {
		all = append(all, fault{at: m.KeyAt, rule: "loop-key-twice", text: "the key " + reader.Quoted(m.Key) + " is there twice", fix: "keep one; the last counts"})
	}
	return all
}
