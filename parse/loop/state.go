// A loop's state file: loop-state.md "Full Schema". Reading is lenient: what is absent has its default, and a value of
// another type is said and passed over. Which of the files that are called like one is a state at all, its shape decides
// (notes on loops §2.3).

package loop

import (
	"strings"
	"time"

	"gatehouse/model/flow"
	"gatehouse/parse/text/jsondoc"
)

// state is what a state file says.
type state struct {
	doc *jsondoc.Document
	// readOnly says why nothing of it may be changed, "" for the protocol's own files.
	readOnly string
	kind     string // what else than a loop it is: "loop controller"; "" for a loop

	loop, version, mode string
	phase, status       string
	phases              []statePhase
	gates               []stateGate
	metrics             *jsondoc.Value
	started, updated    string
	faults              []fault
}

// statePhase is a phase of a state file.
type statePhase struct {
	name, status         string
	skills               []string
	skillStatus          []string // of look-alikes, that tell it; nil for loops
	deliverables         []string
	startedAt, completed string
	at, statusAt         int
	value                *jsondoc.Value // nil in a look-alike
}

// stateGate is a gate of a state file.
type stateGate struct {
	id, status        string
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
	root := doc.Root
	var s *state
	switch {
	case !root.Is(jsondoc.Object):
		return nil, nil
	case root.Get("systemId").Is(jsondoc.String) && root.Get("stages") != nil:
		s = controller(root)
	case root.Get("orchestratorId").Is(jsondoc.String) && root.Get("gates").Is(jsondoc.Object):
		s = orchestrator(root)
	case root.Get("loopId").Is(jsondoc.String) && root.Get("phases").Is(jsondoc.Array):
		s = execution(root)
	case root.Get("phases").Is(jsondoc.Object) && (root.Get("gates").Is(jsondoc.Object) || root.Get("loop").Text() != ""):
		s = loopState(root)
	default:
		return nil, nil
	}
	s.doc = doc
	s.faults = append(s.faults, doublets(doc)...)
	return s, nil
}

// loopState reads a state of the protocol.
func loopState(root *jsondoc.Value) *state {
	s := &state{metrics: root.Get("metrics")}
	s.loop = s.text(root, "loop", "")
	s.version = s.text(root, "version", "")
	s.mode = s.text(root, "mode", "")
	s.phase = s.text(root, "phase", "")
	s.status = s.text(root, "status", "")
	s.started = s.text(root, "started_at", "")
	s.updated = s.text(root, "last_updated", "")
	s.object(root, "gates", "")
	for m := range root.Get("gates").Members() {
		s.gate(m)
	}
	for m := range root.Get("phases").Members() {
		s.phaseOf(m)
	}
	return s
}

func (s *state) gate(m *jsondoc.Member) {
	v := &m.Value
	g := stateGate{id: m.Key, at: m.KeyAt, statusAt: v.Get("status").Place(m.KeyAt), value: v}
	path := "gates." + m.Key
	if !v.Is(jsondoc.Object) {
		s.wrong(v, path, jsondoc.Object)
	}
	g.status = s.text(v, "status", path)
	g.approval = s.text(v, "approvalType", path)
	g.passedAt = s.text(v, "passedAt", path)
	g.skipped = s.text(v, "skippedReason", path)
	s.boolean(v, "required", path)
	g.deliverables = s.list(v, "deliverables", path)
	s.gates = append(s.gates, g)
}

func (s *state) phaseOf(m *jsondoc.Member) {
	v := &m.Value
	p := statePhase{name: m.Key, at: m.KeyAt, statusAt: v.Get("status").Place(m.KeyAt), value: v}
	path := "phases." + m.Key
	if !v.Is(jsondoc.Object) {
		s.wrong(v, path, jsondoc.Object)
	}
	p.status = s.text(v, "status", path)
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

// rules returns the state as the rules of flow have it: the phases in the order of the definition, those that it does not
// have behind them; the gates likewise. A phase or gate that the file does not hold is not there for the rules. Without a
// definition the order is that of the file, and no gate has a place.
//
// The second and third results are the indexes of the phases and the gates in the state.
func (s *state) rules(d *definition) (l *flow.Loop, phases, gates []int) {
	l = &flow.Loop{Status: s.status, Phase: s.phase, Placed: d != nil}
	inState, place := map[string]int{}, map[int]int{}
	for i := range s.phases {
		inState[s.phases[i].name] = i
	}
	take := func(i int, defined *jsondoc.Value) {
		p := &s.phases[i]
		phases = append(phases, i)
		l.Phases = append(l.Phases, flow.Phase{Name: p.name, Status: p.status, Required: isRequired(either(p.value.Get("required"), defined))})
	}
	if d != nil {
		for k := range d.phases {
			if i, ok := inState[d.phases[k].name]; ok {
				place[k] = len(l.Phases)
				delete(inState, d.phases[k].name)
				take(i, d.phases[k].required)
			}
		}
	}
	for i := range s.phases {
		if _, left := inState[s.phases[i].name]; left {
			take(i, nil)
		}
	}
	gates = s.ruleGates(l, d, place)
	return l, phases, gates
}

// ruleGates adds the gates to the rules' loop; place says where a phase of the definition stands in it.
func (s *state) ruleGates(l *flow.Loop, d *definition, place map[int]int) (gates []int) {
	inState := map[string]int{}
	for i := range s.gates {
		inState[s.gates[i].id] = i
	}
	take := func(i, after int, defined *jsondoc.Value) {
		g := &s.gates[i]
		gates = append(gates, i)
		l.Gates = append(l.Gates, flow.Gate{ID: g.id, Status: g.status, Required: isRequired(either(g.value.Get("required"), defined)), After: after})
	}
	if d != nil {
		for k := range d.gates {
			if i, ok := inState[d.gates[k].id]; ok {
				delete(inState, d.gates[k].id)
				after := -1
				if at, ok := place[d.gates[k].after]; ok {
					after = at
				}
				take(i, after, d.gates[k].required)
			}
		}
	}
	for i := range s.gates {
		if _, left := inState[s.gates[i].id]; left {
			take(i, -1, nil)
		}
	}
	return gates
}

// either returns what the state says, else what the definition does.
func either(state, definition *jsondoc.Value) *jsondoc.Value {
	if state.Is(jsondoc.Bool) {
		return state
	}
	return definition
}

// parseTime reads a time as agents write them; zero for what is none. What has no zone counts as UTC.
func parseTime(s string) time.Time {
	s = strings.TrimSpace(s)
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}
