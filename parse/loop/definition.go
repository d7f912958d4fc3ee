// loop.json: what a loop consists of. Of its many forms in the field (notes on loops §2.1) all are read.

package loop

import (
	"strings"

	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/text/jsondoc"
)

// definition is what a loop.json says.
type definition struct {
	doc     *jsondoc.Document
	id      string
	title   string // of its own page, else its name
	version string
	mode    string // "" where it names none
	phases  []definedPhase
	gates   []definedGate // those that stand in its phases, then those of the loop
	faults  []fault

	phaseAt, gateAt map[string]int // by name and by id, the first of each
}

// definedPhase is a phase of a definition.
type definedPhase struct {
	id, name     string
	about        []string // description, notes
	required     *jsondoc.Value
	skills       []string
	optional     map[string]bool // skills that are not required
	objects      bool            // skills are written as objects
	deliverables []string
	at           int
}

// definedGate is a gate of a definition.
type definedGate struct {
	id, name, description string
	after                 int // index of the phase it stands behind, -1: not known
	afterPhase            string
	byID                  bool // afterPhase is a phase's id and not its name (J-C8)
	nested                bool // it stands in its phase
	required              *jsondoc.Value
	approval              *jsondoc.Value // approvalType
	approvalWord          string         // approvalType, else type
	deliverables          []string
	hasDeliverables       bool
	condition, autoCheck  string
	criteria              []string // criteria and guarantees
	at                    int
}

// fault is something wrong with a document, at a place of it.
type fault struct {
	at     int
	severe bool // something is missing from what is shown
	rule   string
	text   string
	fix    string
}

// parseDefinition reads a loop.json. What is no object is an error.
func parseDefinition(text string) (*definition, error) {
	doc, err := parse(text)
	if err != nil {
		return nil, err
	}
	root := doc.Root
	if !root.Is(jsondoc.Object) {
		return nil, &mirror.Fault{Line: 1, Text: "this is no loop: " + kindWords[root.Kind()] + ", not an object"}
	}
	d := &definition{doc: doc, phaseAt: map[string]int{}, gateAt: map[string]int{},
		id: root.Get("id").Text(), version: root.Get("version").Text(), mode: firstText(root.Get("defaults", "mode"), root.Get("defaultMode"))}
	d.title = firstText(root.Get("ui", "branding", "title"), root.Get("name"), root.Get("id"))
	for _, v := range root.Get("phases").Elements() {
		d.phase(v)
	}
	for _, v := range root.Get("gates").Elements() {
		d.gate(v, -1)
	}
	for i := range d.gates {
		d.place(&d.gates[i])
		if _, twice := d.gateAt[d.gates[i].id]; !twice {
			d.gateAt[d.gates[i].id] = i
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

func (d *definition) phase(v *jsondoc.Value) {
	name, ok := named(v, "name", "id")
	if !ok {
		d.faults = append(d.faults, fault{at: v.At, text: "a phase has no name", fix: "give it one; it is left out"})
		return
	}
	p := definedPhase{id: v.Get("id").Text(), name: name, at: v.At, required: v.Get("required")}
	for _, key := range []string{"description", "notes"} {
		if text := v.Get(key).Text(); text != "" {
			p.about = append(p.about, text)
		}
	}
	p.skills, _ = texts(v.Get("skills"), skillKeys...)
	for _, s := range v.Get("skills").Elements() {
		p.objects = p.objects || s.Is(jsondoc.Object)
		if id, ok := named(s, skillKeys...); ok && !isRequired(s.Get("required")) {
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
	if _, twice := d.phaseAt[name]; !twice {
		d.phaseAt[name] = len(d.phases)
	}
	d.phases = append(d.phases, p)
	for _, gate := range v.Get("gates").Elements() {
		d.gate(gate, len(d.phases)-1)
	}
}

// skillKeys are where a skill that is an object has its name.
var skillKeys = []string{"skillId", "id", "name", "skill"}

// gate takes a gate; in is the index of the phase that it stands in, -1 for none.
func (d *definition) gate(v *jsondoc.Value, in int) {
	id, ok := named(v, "id", "name")
	if !ok {
		d.faults = append(d.faults, fault{at: v.At, text: "a gate has no id", fix: "give it one; it is left out"})
		return
	}
	g := definedGate{
		id: id, name: v.Get("name").Text(), description: v.Get("description").Text(), at: v.At, required: v.Get("required"),
		approval: v.Get("approvalType"), approvalWord: firstText(v.Get("approvalType"), v.Get("type")),
		condition: v.Get("condition").Text(), autoCheck: v.Get("autoCheck").Text(),
		afterPhase: v.Get("afterPhase").Text(), after: in, nested: in >= 0,
	}
	g.deliverables, _ = texts(v.Get("deliverables"), "file", "path", "name")
	g.hasDeliverables = v.Get("deliverables").Is(jsondoc.Array)
	for _, key := range []string{"criteria", "guarantees"} {
		more, _ := texts(v.Get(key), "description", "path", "name", "type")
		g.criteria = append(g.criteria, more...)
	}
	d.gates = append(d.gates, g)
}

// place finds the phase that a gate stands behind: the one that it names, else the one that it is written in.
func (d *definition) place(g *definedGate) {
	if g.nested && g.afterPhase == "" {
		return
	}
	if g.after, g.byID = d.behind(g.afterPhase); g.after < 0 {
		d.faults = append(d.faults, fault{at: g.at, text: quoted(g.id) + " stands behind " + quoted(g.afterPhase) + ", and there is no such phase",
			fix: "name a phase of the loop in afterPhase; until then nobody knows where the gate is"})
	}
}

// behind returns the index of the phase that a gate names, by its name, else by its id (J-C8).
func (d *definition) behind(phase string) (at int, byID bool) {
	if phase == "" {
		return -1, false
	}
	if at, ok := d.phaseAt[phase]; ok {
		return at, false
	}
	for i := range d.phases {
		if d.phases[i].id == phase {
			return i, true
		}
	}
	return -1, false
}

// phaseNamed returns the phase with a name, nil where there is none.
func (d *definition) phaseNamed(name string) *definedPhase {
	if i, ok := d.phaseAt[name]; ok {
		return &d.phases[i]
	}
	return nil
}

// gateCalled returns the gate with an id, nil where there is none.
func (d *definition) gateCalled(id string) *definedGate {
	if i, ok := d.gateAt[id]; ok {
		return &d.gates[i]
	}
	return nil
}

// isRequired reads "required" of a phase or a gate: true unless it says false (J-C3, J-C6).
func isRequired(v *jsondoc.Value) bool { return !v.Is(jsondoc.Bool) || v.Raw != "false" }

// doublets reports keys that one object has twice.
func doublets(doc *jsondoc.Document) []fault {
	var all []fault
	for _, m := range doc.Twice {
		all = append(all, fault{at: m.KeyAt, rule: "loop-key-twice", text: "the key " + quoted(m.Key) + " is there twice", fix: "keep one; the last counts"})
	}
	return all
}

func quoted(word string) string { return "“" + strings.TrimSpace(word) + "”" }
