// What is called like a loop's state and is something else: the files of the controllers and engines around loops, see "Which
// file is a state" in README.md. Their owners keep them in memory and would write over whatever was changed: they are shown,
// and never written.

package loop

import (
	"strings"

	"gatehouse/parse/loop/rules"
	"gatehouse/parse/text/jsondoc"
)

// lookalike reads a file of another shape, nil for one that has nothing to do with loops.
func lookalike(root *jsondoc.Value) (s *state) {
	switch {
	case root.Get("systemId").Is(jsondoc.String) && root.Get("stages") != nil:
		s = controller(root)
	case root.Get("orchestratorId").Is(jsondoc.String) && root.Get("gates").Is(jsondoc.Object):
		s = orchestrator(root)
	case root.Get("loopId").Is(jsondoc.String) && root.Get("phases").Is(jsondoc.Array):
		s = execution(root)
	default:
		return nil
	}
	for i := range s.phases {
		s.Phases = append(s.Phases, s.phases[i].Item)
	}
	for i := range s.gates {
		s.Gates = append(s.Gates, s.gates[i].Item)
	}
	return s
}

// controller reads the state of a loop controller: stages, and gates by name.
func controller(root *jsondoc.Value) *state {
	s := &state{
		kind: "loop controller", readOnly: "it is the file of a loop controller, which answers for it",
		State: rules.State{ID: root.Get("systemId").Text(), Status: root.Get("state").Text()}, updated: firstText(root.Get("last_updated"), root.Get("updatedAt")),
	}
	stages := root.Get("stages")
	for m := range stages.Members() {
		s.stage(m.Key, &m.Value, m.KeyAt)
	}
	for _, v := range stages.Elements() {
		name, _ := named(v, "name", "stage", "id")
		s.stage(name, v, v.At)
	}
	for m := range root.Get("gates").Members() {
		s.foreignGate(m.Key, &m.Value, m.KeyAt)
	}
	return s
}

// orchestrator reads the state of an orchestrator: gates in lists by their status.
func orchestrator(root *jsondoc.Value) *state {
	s := &state{
		kind: "orchestrator", readOnly: "it is the file of an orchestrator, which answers for it",
		State:   rules.State{ID: root.Get("orchestratorId").Text(), Phase: root.Get("currentPhase").Text(), Status: firstText(root.Get("status"), root.Get("state"))},
		updated: firstText(root.Get("last_updated"), root.Get("updatedAt")),
	}
	if s.Phase != "" {
		s.phases = append(s.phases, statePhase{Item: rules.Item{Name: s.Phase, Status: rules.Active}, at: root.Get("currentPhase").At, statusAt: root.Get("currentPhase").At})
	}
	for m := range root.Get("gates").Members() {
		for _, v := range m.Value.Elements() {
			if id, ok := named(v, "gateId", "id", "name"); ok {
				s.gates = append(s.gates, stateGate{Item: rules.Item{Name: id, Status: m.Key}, at: v.At, statusAt: v.At})
			}
		}
	}
	return s
}

// execution reads the state of an engine's execution: phases and gates in lists.
func execution(root *jsondoc.Value) *state {
	s := &state{
		kind: "execution", readOnly: "an engine keeps this execution in memory and writes it; decide in the engine",
		State:   rules.State{ID: root.Get("loopId").Text(), Phase: root.Get("currentPhase").Text(), Status: root.Get("status").Text()},
		version: root.Get("loopVersion").Text(), mode: root.Get("mode").Text(),
		started: root.Get("startedAt").Text(), updated: firstText(root.Get("updatedAt"), root.Get("completedAt")),
	}
	for _, v := range root.Get("phases").Elements() {
		name, _ := named(v, "phase", "name", "id")
		s.stage(name, v, v.At)
	}
	for _, v := range root.Get("gates").Elements() {
		id, _ := named(v, "gateId", "id", "name")
		s.foreignGate(id, v, v.At)
	}
	return s
}

// stage takes a phase of a look-alike.
func (s *state) stage(name string, v *jsondoc.Value, at int) {
	if name == "" {
		return
	}
	status, _ := named(v, "status", "state")
	if v.Is(jsondoc.String) && name == status { // a list of names
		status = ""
	}
	p := statePhase{
		Item: rules.Item{Name: name, Status: status}, at: at, statusAt: v.Get("status").Place(at),
		startedAt: v.Get("startedAt").Text(), completed: v.Get("completedAt").Text(),
	}
	for _, skill := range v.Get("skills").Elements() {
		if id, ok := named(skill, skillKeys...); ok {
			p.skills = append(p.skills, id)
			p.skillStatus = append(p.skillStatus, skill.Get("status").Text())
		}
	}
	p.deliverables, _ = texts(v.Get("deliverables"), "file", "path", "name")
	s.phases = append(s.phases, p)
}

// foreignGate takes a gate of a look-alike.
func (s *state) foreignGate(id string, v *jsondoc.Value, at int) {
	if id == "" {
		return
	}
	status, _ := named(v, "status", "state")
	g := stateGate{
		Item: rules.Item{Name: id, Status: status}, at: at, statusAt: v.Get("status").Place(at), passedAt: v.Get("approvedAt").Text(),
		approval: firstText(v.Get("approvalTypeOverride"), v.Get("approvalType")),
	}
	g.deliverables, _ = texts(v.Get("deliverables"), "file", "path", "name")
	for _, of := range [][2]string{{"approvedBy", "approved by"}, {"feedback", "feedback"}} {
		if text := strings.TrimSpace(v.Get(of[0]).Text()); text != "" {
			g.facts = append(g.facts, [2]string{of[1], text})
		}
	}
	if enabled, ok := v.Get("enabled").Bool(); ok && !enabled {
		g.facts = append(g.facts, [2]string{"switched", "off"})
	}
	s.gates = append(s.gates, g)
}
