// What else the protocol asks of a state and of its definition, beside the eleven rules: that every field is there, is of its type
// and says a word that is known, and that what a gate or a phase carries fits its status.

package loop

import (
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/loop/rules"
	"gatehouse/parse/reader"
	"gatehouse/parse/text/jsondoc"
)

// Rules of the schema.
const (
	ruleField = "loop-field" // a field is missing
	ruleType  = "loop-type"  // or of another type
	ruleWord  = "loop-word"  // or says a word that the protocol does not know
	ruleWhen  = "loop-when"  // what goes with a status is missing, or is there without it
	ruleOrder = "loop-order" // something has begun before what is before it
)

// field is a member that an object has to have.
type field struct {
	key      string
	kinds    []jsondoc.Kind
	optional bool
	// read says that reading the document reports another type.
	read bool
}

var (
	isString, isBool, isArray, isNull = jsondoc.String, jsondoc.Bool, jsondoc.Array, jsondoc.Null

	stateTop = []field{
		{"loop", kinds(isString), false, true}, {"version", kinds(isString), false, true}, {"mode", kinds(isString), false, true}, {"phase", kinds(isString), false, true},
		{"status", kinds(isString), false, true}, {"gates", kinds(jsondoc.Object), false, true}, {"phases", kinds(jsondoc.Object), false, true},
		{"metrics", kinds(jsondoc.Object), false, false},
	}
	stateGateFields = []field{
		{"status", kinds(isString), false, true}, {"required", kinds(isBool), false, true}, {"approvalType", kinds(isString), false, true},
		{"deliverables", kinds(isArray), false, true}, {"passedAt", kinds(isString, isNull), false, true}, {"skippedReason", kinds(isString, isNull), false, true},
	}
	statePhaseFields = []field{
		{"status", kinds(isString), false, true}, {"required", kinds(isBool), false, true}, {"skills", kinds(isArray), false, true},
		{"deliverables", kinds(isArray), false, true}, {"startedAt", kinds(isString, isNull), false, true}, {"completedAt", kinds(isString, isNull), false, true},
	}
	definitionTop = []field{
		{"id", kinds(isString), false, false}, {"version", kinds(isString), false, false}, {"name", kinds(isString), true, false}, {"phases", kinds(isArray), false, false},
		{"gates", kinds(isArray), true, false}, {"defaults", kinds(jsondoc.Object), true, false},
	}
	definedPhaseFields = []field{
		{"name", kinds(isString), true, false}, {"id", kinds(isString), true, false}, {"required", kinds(isBool), true, false}, {"skills", kinds(isArray), true, false},
		{"deliverables", kinds(isArray), true, false}, {"gates", kinds(isArray), true, false},
	}
	definedGateFields = []field{
		{"id", kinds(isString), true, false}, {"name", kinds(isString), true, false}, {"required", kinds(isBool), true, false}, {"approvalType", kinds(isString), true, false},
		{"deliverables", kinds(isArray), true, false}, {"condition", kinds(isString), true, false}, {"autoCheck", kinds(isString), true, false},
	}
)

func kinds(k ...jsondoc.Kind) []jsondoc.Kind { return k }

// schema holds an object against its fields.
func (v *view) schema(what string, at func(int) model.Pos, o *jsondoc.Value, place int, fields []field) {
	if !o.Is(jsondoc.Object) {
		return // which reading reports
	}
	var missing []string
	for _, f := range fields {
		m := o.Get(f.key)
		switch {
		case !f.optional && (m == nil || m.Is(isString) && m.Text() == "" && f.key != "version"): // a loop may have no version
			missing = append(missing, f.key)
		case m == nil, slices.Contains(f.kinds, m.Kind()):
		case f.read && (!m.Is(isNull) || !slices.Contains(f.kinds, isString) && !slices.Contains(f.kinds, isArray)): // reading reports it
		case f.optional && m.Is(jsondoc.Null):
		default:
			v.problem(at(m.At), fault{rule: ruleType, text: join(what, f.key) + " is " + kindWords[m.Kind()] + ", it has to be " + f.wants(), fix: "mend it; it is passed over"})
		}
	}
	if len(missing) > 0 {
		if what == "" {
			what = "the state"
		}
		v.problem(at(place), fault{rule: ruleField, text: what + " lacks " + list(missing), fix: "write what the protocol has there; until then it counts as not said"})
	}
}

func (f *field) wants() string {
	var words []string
	for _, k := range f.kinds {
		words = append(words, kindWords[k])
	}
	return strings.Join(words, " or ")
}

// conforms holds the state against the schema.
func (v *view) conforms() {
	root := v.s.doc.Root
	v.schema("", v.pos, root, root.At, stateTop)
	for i := range v.s.phases {
		p := &v.s.phases[i]
		v.schema("phases."+p.Name, v.pos, p.value, p.at, statePhaseFields)
		v.onlyStrings(p.Name, p.value, "skills")
		v.onlyStrings(p.Name, p.value, "deliverables")
		v.dialect(reader.Quoted(p.Name), p.value, p.Status, rules.PhaseWord(p.Status))
		v.phaseFits(p)
	}
	for i := range v.s.gates {
		g := &v.s.gates[i]
		v.schema("gates."+g.Name, v.pos, g.value, g.at, stateGateFields)
		if a, _ := approval(g.approval); g.approval != "" && g.approval != string(a) {
			v.problem(v.pos(g.value.Get("approvalType").Place(g.at)), fault{rule: ruleWord, text: "approvalType of " + reader.Quoted(g.Name) + " is " + unknownWord(g.approval), fix: "write human, conditional or auto"})
		}
		v.onlyStrings(g.Name, g.value, "deliverables")
		v.dialect(reader.Quoted(g.Name), g.value, g.Status, rules.GateWord(g.Status))
		v.gateFits(g)
	}
	v.dialect("the loop", root, v.s.Status, rules.LoopWord(v.s.Status))
	v.inOrder()
}

// dialect reports a status that is understood and is not the protocol's word.
func (v *view) dialect(what string, o *jsondoc.Value, raw, means string) {
	if m := o.Get("status"); m.Is(isString) && raw != means {
		v.problem(v.pos(m.At), fault{rule: ruleWord, text: what + " is " + unknownWord(raw) + "; it is read as " + means, fix: "write " + means})
	}
}

// onlyStrings reports objects among the names of a list of the state, which reading takes by what they are called.
func (v *view) onlyStrings(of string, o *jsondoc.Value, key string) {
	for _, e := range o.Get(key).Elements() {
		if e.Is(jsondoc.Object) {
			v.problem(v.pos(e.At), fault{rule: ruleType, text: key + " of " + reader.Quoted(of) + " holds objects, not names", fix: "write names, as texts"})
			return
		}
	}
}

// gateFits holds what a gate carries against its status.
func (v *view) gateFits(g *stateGate) {
	say := func(key, text, fix string) {
		v.problem(v.pos(g.value.Get(key).Place(g.at)), fault{rule: ruleWhen, text: reader.Quoted(g.Name) + " " + text, fix: fix})
	}
	status := rules.GateWord(g.Status)
	if rules.KnownGate(g.Status) {
		switch passed := g.passedAt != ""; {
		case passed && status != rules.Passed:
			say("passedAt", "is "+word(g.Status)+" and has a time at which it passed", "write null into passedAt; who approves it writes both")
		case passed && v.outside(g.passedAt) != "":
			say("passedAt", "passed "+v.outside(g.passedAt), "mend one of the times")
		case !passed && status == rules.Passed:
			say("passedAt", "has passed, and passedAt does not say when", "write the time, like 2026-06-01T12:34:56Z")
		}
		switch skipped := g.skipped != ""; {
		case skipped && status != rules.Skipped:
			say("skippedReason", "is "+word(g.Status)+" and has a reason why it was skipped", "write null into skippedReason; who skips it writes both")
		case status == rules.Skipped && rules.SkipReason(g.skipped) != rules.OK:
			say("skippedReason", "was skipped without a reason of more than 10 characters", "write why into skippedReason")
		}
	}
}

// outside says of a time that it is not one of the loop's, from when it was started until it was last updated; "" where it is.
func (v *view) outside(text string) string {
	at, from, to := reader.Time(text), reader.Time(v.s.started), reader.Time(v.s.updated)
	switch {
	case at.IsZero():
	case !from.IsZero() && at.Before(from.Truncate(time.Second)): // some write fractions and some none
		return "before the loop was started, by started_at"
	case !to.IsZero() && at.Truncate(time.Second).After(to):
		return "after the state was last updated, by last_updated"
	}
	return ""
}

// phaseFits holds the times of a phase against its status.
func (v *view) phaseFits(p *statePhase) {
	say := func(key, text, fix string) {
		v.problem(v.pos(p.value.Get(key).Place(p.at)), fault{rule: ruleWhen, text: reader.Quoted(p.Name) + " " + text, fix: fix})
	}
	status := rules.PhaseWord(p.Status)
	from, to := reader.Time(p.startedAt), reader.Time(p.completed)
	switch {
	case !rules.KnownPhase(p.Status):
	case status == rules.Complete && p.completed == "":
		say("completedAt", "is complete, and completedAt does not say since when", "write the time, like 2026-06-01T12:34:56Z")
	case status != rules.Complete && p.completed != "":
		say("completedAt", "is "+word(p.Status)+" and has a time at which it was completed", "write null into completedAt, or complete into status")
	case !from.IsZero() && !to.IsZero() && to.Before(from):
		say("completedAt", "was completed before it began", "mend one of the two times")
	case v.outside(p.startedAt) != "":
		say("startedAt", "began "+v.outside(p.startedAt), "mend one of the times")
	case v.outside(p.completed) != "":
		say("completedAt", "was completed "+v.outside(p.completed), "mend one of the times")
	}
}

// inOrder holds the state against the steps that may have led to it: no phase is at work before another is over, or past a gate
// that blocks; and no required one is left out.
func (v *view) inOrder() {
	l := v.loop
	active := -1
	for i := range l.Phases {
		p := &l.Phases[i]
		at := v.s.phases[p.At].statusAt
		say := func(text, fix string) {
			v.problem(v.pos(at), fault{rule: ruleOrder, text: reader.Quoted(p.Name) + " " + text, fix: fix})
		}
		switch rules.PhaseWord(p.Status) {
		case rules.Skipped:
			if p.Required || p.Defined {
				say("is required, and was skipped", "have it done")
			}
		case rules.Complete, rules.Active:
			if l.Placed && i > 0 && !l.Phases[i-1].Finished() {
				say("is "+p.Status+", and "+reader.Quoted(l.Phases[i-1].Name)+" before it is not over", "finish what is before it first")
			}
			if rules.PhaseWord(p.Status) == rules.Active {
				if active >= 0 {
					say("is active, and so is "+reader.Quoted(l.Phases[active].Name), "one phase is active at a time")
				}
				active = i
			}
		}
	}
	if named := v.s.doc.Root.Get("phase"); v.s.Phase != "" && !slices.ContainsFunc(v.s.phases, func(p statePhase) bool { return p.Name == v.s.Phase }) {
		v.problem(v.pos(named.Place(0)), fault{rule: ruleOrder, text: "the state has no phase " + reader.Quoted(v.s.Phase) + ", which it calls the current one", fix: "write the name of the phase that is at work"})
	}
	if r := v.resume.Phase; r >= 0 && active == r {
		for _, i := range v.waiting.Now {
			g := &l.Gates[i]
			v.problem(v.pos(v.gate(i).statusAt), fault{rule: ruleOrder, text: reader.Quoted(g.ID) + " is " + word(g.Status) + ", and " + reader.Quoted(l.Phases[r].Name) + " behind it has begun", fix: "decide it; work should have waited"})
		}
	}
	if from, to := reader.Time(v.s.started), reader.Time(v.s.updated); !from.IsZero() && !to.IsZero() && to.Before(from) {
		v.problem(v.pos(v.s.doc.Root.Get("last_updated").Place(0)), fault{rule: ruleWhen, text: "the state was updated before it was started", fix: "mend last_updated or started_at"})
	}
}

// definitionConforms holds the definition against the schema.
func (v *view) definitionConforms() {
	d := v.d
	root := d.doc.Root
	v.schema(d.file, v.defined, root, root.At, definitionTop)
	named := func(kind string, o *jsondoc.Value, fields []field, name string, seen map[string]bool) {
		v.schema(kind+" "+reader.Quoted(name)+" of "+d.file, v.defined, o, o.At, fields)
		if seen[name] {
			counts := map[string]string{"phase": "the first counts", "gate": "what any of them asks for counts"}[kind]
			v.problem(v.defined(o.At), fault{rule: ruleDefinition, text: d.file + " has two " + kind + "s " + reader.Quoted(name), fix: "rename one, or take it out; " + counts})
		}
		seen[name] = true
	}
	phases, gates := map[string]bool{}, map[string]bool{}
	element := map[int]*jsondoc.Value{}
	for i, o := range root.Get("phases").Elements() {
		element[i] = o
	}
	for i := range d.phases {
		p := &d.phases[i]
		named("phase", element[p.Element], definedPhaseFields, p.Name, phases)
		v.onlyTexts(p.Name, element[p.Element].Get("skills"), "skills")
	}
	for i := range d.written {
		g := &d.written[i]
		if g.text && g.nested() {
			continue // no more than a mention
		}
		list := root.Get("gates")
		if g.nested() {
			list = element[d.phases[g.Inside].Element].Get("gates")
		}
		for k, o := range list.Elements() {
			if k != g.Element {
				continue
			}
			named("gate", o, definedGateFields, g.ID, gates)
			v.onlyTexts(g.ID, o.Get("deliverables"), "deliverables")
			if _, odd := approval(o.Get("approvalType").Text()); odd != "" && odd != "manual" {
				v.problem(v.defined(o.Get("approvalType").At), fault{rule: ruleWord, text: "approvalType of " + reader.Quoted(g.ID) + " in " + d.file + " is " + unknownWord(odd), fix: "write human, conditional or auto"})
			}
		}
	}
}

// onlyTexts reports a list of the definition that holds something else than names.
func (v *view) onlyTexts(of string, l *jsondoc.Value, key string) {
	if _, whole := texts(l, append([]string{"file", "path"}, skillKeys...)...); l.Is(jsondoc.Array) && !whole {
		v.problem(v.defined(l.At), fault{rule: ruleType, text: key + " of " + reader.Quoted(of) + " in " + v.d.file + " holds something else than names", fix: "write names, as texts; the others are left out"})
	}
}
