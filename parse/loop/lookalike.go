// What is called like a loop's state and is something else: the files of the controllers and engines around loops (notes on
// loops §2.3, shapes B, C and D). Their owners keep them in memory and would write over whatever was changed: they are
// shown, and never written.

package loop

import "strings"

// controller reads the state of a loop controller (shape B): stages, and gates by name.
func controller(root *value) *state {
	s := &state{
		kind: "loop controller", readOnly: "it is the file of a loop controller, which answers for it",
		loop: root.get("systemId").text, status: root.get("state").str(), updated: firstText(root.get("last_updated"), root.get("updatedAt")),
	}
	stages := root.get("stages")
	for i, m := range stages.entries() {
		s.stage(m.key, &stages.members[i].value, m.at)
	}
	for _, v := range stages.items() {
		name, _ := v.named("name", "stage", "id")
		s.stage(name, v, v.at)
	}
	gates := root.get("gates")
	for i, m := range gates.entries() {
		v := &gates.members[i].value
		s.foreignGate(m.key, v, m.at)
	}
	return s
}

// orchestrator reads the state of an orchestrator (shape C): gates in lists by their status.
func orchestrator(root *value) *state {
	s := &state{
		kind: "orchestrator", readOnly: "it is the file of an orchestrator, which answers for it",
		loop: root.get("orchestratorId").text, phase: root.get("currentPhase").str(),
		status: firstText(root.get("status"), root.get("state")), updated: firstText(root.get("last_updated"), root.get("updatedAt")),
	}
	if s.phase != "" {
		s.phases = append(s.phases, statePhase{name: s.phase, status: "active", at: root.get("currentPhase").at, statusAt: root.get("currentPhase").at})
	}
	gates := root.get("gates")
	for i, m := range gates.entries() {
		for _, v := range gates.members[i].value.items() {
			if id, ok := v.named("gateId", "id", "name"); ok {
				s.gates = append(s.gates, stateGate{id: id, status: m.key, at: v.at, statusAt: v.at})
			}
		}
	}
	return s
}

// execution reads the state of an engine's execution (shape D): phases and gates in lists.
func execution(root *value) *state {
	s := &state{
		kind: "execution", readOnly: "an engine keeps this execution in memory and writes it; decide in the engine",
		loop: root.get("loopId").text, version: root.get("loopVersion").str(), mode: root.get("mode").str(),
		phase: root.get("currentPhase").str(), status: root.get("status").str(),
		started: root.get("startedAt").str(), updated: firstText(root.get("updatedAt"), root.get("completedAt")),
	}
	for _, v := range root.get("phases").items() {
		name, _ := v.named("phase", "name", "id")
		s.stage(name, v, v.at)
	}
	for _, v := range root.get("gates").items() {
		id, _ := v.named("gateId", "id", "name")
		s.foreignGate(id, v, v.at)
	}
	return s
}

// stage takes a phase of a look-alike.
func (s *state) stage(name string, v *value, at int) {
	if name == "" {
		return
	}
	status, _ := v.named("status", "state")
	if v.is(isText) && name == status { // a list of names
		status = ""
	}
	p := statePhase{
		name: name, status: status, at: at, statusAt: v.get("status").place(at),
		startedAt: v.get("startedAt").str(), completed: v.get("completedAt").str(),
	}
	for _, skill := range v.get("skills").items() {
		if id, ok := skill.named(skillKeys...); ok {
			p.skills = append(p.skills, id)
			p.skillStatus = append(p.skillStatus, skill.get("status").str())
		}
	}
	p.deliverables, _ = v.get("deliverables").texts("file", "path", "name")
	s.phases = append(s.phases, p)
}

// foreignGate takes a gate of a look-alike.
func (s *state) foreignGate(id string, v *value, at int) {
	if id == "" {
		return
	}
	status, _ := v.named("status", "state")
	g := stateGate{
		id: id, status: status, at: at, statusAt: v.get("status").place(at), passedAt: v.get("approvedAt").str(),
		approval: firstText(v.get("approvalTypeOverride"), v.get("approvalType")),
	}
	g.deliverables, _ = v.get("deliverables").texts("file", "path", "name")
	for _, of := range [][2]string{{"approvedBy", "approved by"}, {"feedback", "feedback"}} {
		if text := strings.TrimSpace(v.get(of[0]).str()); text != "" {
			g.facts = append(g.facts, [2]string{of[1], text})
		}
	}
	if v.get("enabled").is(isBool) && v.get("enabled").text == "false" {
		g.facts = append(g.facts, [2]string{"switched", "off"})
	}
	s.gates = append(s.gates, g)
}
