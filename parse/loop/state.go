// A loop's state file beyond what package rules reads: what phases and gates carry, with the place of each value. Reading is
// lenient: what is absent has its default, and a value of another type is said and passed over.

package loop

import (
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/loop/rules"
	"gatehouse/parse/text/jsondoc"
)

// state is what a state file says.
type state struct {
	rules.State
	doc *jsondoc.Document
	// readOnly says why nothing of it may be changed, "" for the protocol's own files.
	readOnly string
	kind     string // what else than a loop it is: "loop controller"; "" for a loop

	version, mode    string
	phases           []statePhase // one for each of State.Phases
	gates            []stateGate  // one for each of State.Gates
	metrics          *jsondoc.Value
	started, updated string
	faults           []fault
}

// statePhase is a phase of a state file.
type statePhase struct {
	rules.Item
	skills               []string
	skillStatus          []string // of look-alikes, that tell it; nil for loops
	deliverables         []string
	startedAt, completed string
	at, statusAt         int
	value                *jsondoc.Value // nil in a look-alike
}

// stateGate is a gate of a state file.
type stateGate struct {
	rules.Item
	approval          string
	deliverables      []string
	passedAt, skipped string
	facts             [][2]string // of look-alikes: who approved it, and the like
	at, statusAt      int
	value             *jsondoc.Value
}

// parseState reads a file that may be a state. It returns nil, and no error, for a document that is none.
func parseState(text string) (*state, error) {
	doc, err := parse(text)
	if err != nil {
		return nil, err
	}
	facts, reason := new(rules.Memory).State(text)
	s := &state{State: facts}
	switch {
	case reason == "":
		s.read(doc.Root)
	case reason != rules.ErrNotLoop:
		return nil, &mirror.Fault{Line: 1, Text: "it " + reason.Error()}
	default:
		if s = lookalike(doc.Root); s == nil {
			return nil, nil
		}
	}
	s.doc = doc
	s.faults = append(s.faults, doublets(doc)...)
	return s, nil
}

// read reads what a state of the protocol says besides the facts of the rules.
func (s *state) read(root *jsondoc.Value) {
	s.metrics = root.Get("metrics")
	for _, key := range []string{"loop", "phase", "status"} {
		s.text(root, key, "")
	}
	s.version = s.text(root, "version", "")
	s.mode = s.text(root, "mode", "")
	s.started = s.text(root, "started_at", "")
	s.updated = s.text(root, "last_updated", "")
	s.object(root, "gates", "")
	for m := range root.Get("gates").Members() {
		s.gate(m)
	}
	for m := range root.Get("phases").Members() {
		s.phase(m)
	}
}

func (s *state) gate(m *jsondoc.Member) {
	v := &m.Value
	g := stateGate{Item: s.Gates[len(s.gates)], at: m.KeyAt, statusAt: v.Get("status").Place(m.KeyAt), value: v}
	path := "gates." + m.Key
	if !v.Is(jsondoc.Object) {
		s.wrong(v, path, jsondoc.Object)
	}
	s.text(v, "status", path)
	g.approval = s.text(v, "approvalType", path)
	g.passedAt = s.text(v, "passedAt", path)
	g.skipped = s.text(v, "skippedReason", path)
	s.boolean(v, "required", path)
	s.list(v, "deliverables", path)
	g.deliverables = demanded(v.Get("deliverables"))
	s.gates = append(s.gates, g)
}

func (s *state) phase(m *jsondoc.Member) {
	v := &m.Value
	p := statePhase{Item: s.Phases[len(s.phases)], at: m.KeyAt, statusAt: v.Get("status").Place(m.KeyAt), value: v}
	path := "phases." + m.Key
	if !v.Is(jsondoc.Object) {
		s.wrong(v, path, jsondoc.Object)
	}
	s.text(v, "status", path)
	p.startedAt = s.text(v, "startedAt", path)
	p.completed = s.text(v, "completedAt", path)
	s.boolean(v, "required", path)
	p.skills = s.list(v, "skills", path)
	p.deliverables = s.list(v, "deliverables", path)
	s.phases = append(s.phases, p)
}

// text returns the text at a key, "" for none and for null. Any other type is a fault.
func (s *state) text(v *jsondoc.Value, key, path string) string {
	m := v.Get(key)
	if m == nil || m.Is(jsondoc.Null) || m.Is(jsondoc.String) {
		return m.Text()
	}
	s.wrong(m, join(path, key), jsondoc.String)
	return ""
}

func (s *state) boolean(v *jsondoc.Value, key, path string) {
	if m := v.Get(key); m != nil && !m.Is(jsondoc.Bool) {
		s.wrong(m, join(path, key), jsondoc.Bool)
	}
}

func (s *state) object(v *jsondoc.Value, key, path string) {
	if m := v.Get(key); m != nil && !m.Is(jsondoc.Object) {
		s.wrong(m, join(path, key), jsondoc.Object)
	}
}

// list returns the texts of a list.
func (s *state) list(v *jsondoc.Value, key, path string) []string {
	m := v.Get(key)
	if m == nil || m.Is(jsondoc.Null) {
		return nil
	}
	all, whole := texts(m, skillKeys...)
	if !m.Is(jsondoc.Array) {
		s.wrong(m, join(path, key), jsondoc.Array)
	} else if !whole {
		s.faults = append(s.faults, fault{at: m.At, rule: "loop-type",
			text: join(path, key) + " holds something else than texts", fix: "write names, as texts; the others are left out"})
	}
	return all
}

func (s *state) wrong(v *jsondoc.Value, path string, want jsondoc.Kind) {
	s.faults = append(s.faults, fault{at: v.At, severe: true, rule: "loop-type",
		text: path + " is " + kindWords[v.Kind()] + ", it has to be " + kindWords[want], fix: "mend it; it is passed over"})
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
