package loop

import (
	"path"
	"slices"
	"strconv"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/loop/core"
	"gatehouse/parse/protocol"
	"gatehouse/parse/protocol/transition"
)

// addRows adds each phase and the gates that follow it, in the order of the definition, then gates without a place. Without a definition it
// adds the phases, then the gates, in the order of the state.
func (v *view) addRows() {
	following := make([][]int, len(v.Phases)+1)
	for i := range v.Gates {
		after := v.Gates[i].After
		if after < 0 {
			after = len(v.Phases)
		}
		following[after] = append(following[after], i)
	}
	for i := range v.Phases {
		v.addNode(v.phaseRow(i))
		for _, gate := range following[i] {
			v.addNode(v.gateRow(gate))
		}
	}
	v.addMissing()
	for _, gate := range following[len(v.Phases)] {
		v.addNode(v.gateRow(gate))
	}
}

func (v *view) addNode(n *model.Node) {
	v.b.Freshness.Changed = laterOf(v.b.Freshness.Changed, n.Updated)
	n.Held = v.read.Held
	v.b.Nodes = append(v.b.Nodes, n)
}

// addMissing adds the phases and gates that only the definition has. Their status is unknown.
func (v *view) addMissing() {
	if !v.definition.isReadable() {
		return
	}
	row := func(kind model.Kind, name string, value doc.Value) {
		v.addNode(&model.Node{ID: v.rows.ID(string(kind) + "/" + name), Kind: kind, Title: line.Tidy(name), Status: model.Unknown,
			Source: v.definition.source.Pos(value.Offset()), Why: v.missingText()})
	}
	for _, p := range v.Definition.Phases {
		if v.PhaseNamed(p.Name) < 0 {
			row(model.KindPhase, p.Name, p.Value)
		}
	}
	for _, g := range v.Definition.Gates {
		if v.GateNamed(g.ID) < 0 {
			row(model.KindGate, g.ID, g.Value)
		}
	}
}

// missingText returns why the status of something that only the definition has is unknown.
func (v *view) missingText() string { return "the definition has it, but " + v.File + " does not" }

// The model's statuses for the words of the protocol and of dialects.
var (
	phaseStatuses = map[string]model.Status{core.Pending: model.Pending, core.Active: model.Active, core.Complete: model.Done,
		core.Skipped: model.Skipped, "blocked": model.Blocked, "failed": model.Failed}
	gateStatuses = map[string]model.Status{core.Pending: model.Pending, core.Passed: model.Done, core.Skipped: model.Skipped,
		"not-applicable": model.Skipped, core.Failed: model.Failed}
)

// statusOf returns the status of a phase or gate for its word, with the reason.
func statusOf(statuses map[string]model.Status, word, raw string) (model.Status, string) {
	s, known := statuses[word]
	switch {
	case !known:
		return model.Unknown, line.Tidy("the file says " + protocol.Quote(raw) + ", which is no status of the protocol")
	case raw == "":
		return s, "the file has no status; " + s.String() + " is the default"
	}
	return s, "the file says " + protocol.Quote(line.Tidy(raw))
}

func (v *view) phaseRow(i int) *model.Node {
	p := &v.Phases[i]
	value := p.Item.Value
	n := &model.Node{ID: v.phaseIDs[i], Kind: model.KindPhase, Title: line.Tidy(p.Name), Raw: line.Tidy(p.Status), Source: v.Pos(value.KeyOffset())}
	n.Status, n.Why = statusOf(phaseStatuses, core.PhaseWord(p.Status), p.Status)
	if n.Status == model.Pending && v.resume.Action == core.GatePrompt && v.resume.Phase == i {
		n.Why = core.GateName(v.Gates[v.resume.Gate].ID) + " has to be decided first"
	}
	var defined doc.Value
	isDefinedRequired := false
	if p.Defined != nil {
		defined, isDefinedRequired = p.Defined.Value, p.Defined.Required
		if id := defined.Get("id").Text(); id != p.Name {
			protocol.AddFact(n, "id", id)
		}
		protocol.AddFact(n, "about", defined.Get("description").Text())
		protocol.AddFact(n, "about", defined.Get("notes").Text())
	}
	if !p.Required && !isDefinedRequired {
		protocol.AddFact(n, "required", "no")
	}
	v.addPhaseTimes(n, i)
	if v.isWritable() && v.Unread == "" && v.checkSkipPhase(i) == transition.OK {
		n.Can = []model.Verb{model.VerbSkipPhase}
	}
	v.addSkills(n, value, defined)
	names, _ := protocol.Names(value.Get("deliverables"), protocol.NameKeys...)
	if len(names) == 0 {
		names = definedDeliverables(defined)
	}
	protocol.AddRows(n, v.rows, v.r.m, v.findDeliverables(names), false)
	return n
}

// checkSkipPhase returns why a phase can't be skipped. The protocol looks only at the state, which agents write. So that nobody skips a phase
// that the definition requires, the definition is checked, too.
func (v *view) checkSkipPhase(i int) transition.Code {
	p := &v.Phases[i]
	code := v.CheckPhase(p.Name, core.Skipped)
	if code == transition.OK && p.Defined != nil && p.Defined.Required {
		return transition.PhaseRequired
	}
	return code
}

func (v *view) addPhaseTimes(n *model.Node, i int) {
	started, completed := v.startOf(i), v.Phases[i].Item.Value.Get("completedAt").Text()
	protocol.AddFact(n, "started", started)
	protocol.AddFact(n, "completed", completed)
	if from, to := protocol.ParseTime(started), protocol.ParseTime(completed); !from.IsZero() && to.After(from) {
		protocol.AddFact(n, "took", to.Sub(from).Round(time.Second).String())
	}
}

// addSkills adds the rows of a phase's skills. The file has no status for a skill: in a finished phase skills are
// done, in an active one they are unknown.
func (v *view) addSkills(n *model.Node, value, defined doc.Value) {
	all, _ := protocol.Names(value.Get("skills"), protocol.NameKeys...)
	if len(all) == 0 {
		all, _ = protocol.Names(defined.Get("skills"), protocol.NameKeys...)
	}
	optional := map[string]bool{}
	for skill := range defined.Get("skills").Children() {
		if is, ok := skill.Get("required").Bool(); ok && !is {
			name, _ := protocol.NameOf(skill, protocol.NameKeys...)
			optional[name] = true
		}
	}
	for i, name := range all {
		row := &model.Node{ID: v.rows.ID(n.ID + "/skill/" + strconv.Itoa(i+1)), Kind: model.KindSkill, Title: line.Tidy(name), Source: n.Source, Status: n.Status, Why: "as its phase"}
		if !n.Status.Closed() && n.Status != model.Pending {
			row.Status, row.Why = model.Unknown, "the file does not say which skills of a phase have run"
		}
		if optional[name] {
			protocol.AddFact(row, "required", "no")
		}
		n.Children = append(n.Children, row)
	}
}

func (v *view) gateRow(i int) *model.Node {
	g, value := &v.Gates[i], v.gateValue(i)
	t := v.gateTerms(i)
	n := &model.Node{ID: v.gateIDs[i], Kind: model.KindGate, Title: line.Tidy(g.ID), Raw: line.Tidy(g.Status), Source: v.Pos(value.KeyOffset())}
	if g.Item == nil {
		n.Source = v.definition.source.Pos(g.Defined.Value.Offset())
	}
	n.Gate = t.Gate(g.Required)
	n.Gate.Reason, n.Gate.Can, n.Gate.Upcoming = line.Tidy(value.Get("skippedReason").Text()), v.allowedForGate(i), !v.HasReached(&v.waits, i)
	if next := v.nextPhase(i); next >= 0 {
		n.Gate.Opens = []string{v.phaseIDs[next]}
	}
	n.Status, n.Why = v.gateStatus(i)
	protocol.AddFact(n, "approval type", t.UnknownApproval)
	for _, f := range t.Facts {
		protocol.AddFact(n, f.Label, f.Value)
	}
	if g.After < 0 {
		protocol.AddFact(n, "place", "unknown: "+v.unplacedWhy(i))
	}
	protocol.AddFact(n, "passed", value.Get("passedAt").Text())
	protocol.AddRows(n, v.rows, v.r.m, v.findDeliverables(t.Deliverables), !n.Gate.Upcoming)
	return n
}

// gateStatus returns the status of a gate. A gate to decide now is waiting, unless it has failed.
func (v *view) gateStatus(i int) (s model.Status, why string) {
	g := &v.Gates[i]
	isAsked := v.Status == core.Active && slices.Contains(v.waits.Now, i)
	if g.Item == nil {
		if isAsked {
			return model.Waiting, v.missingText()
		}
		return model.Unknown, v.missingText()
	}
	s, why = statusOf(gateStatuses, core.GateWord(g.Status), g.Status)
	if s == model.Pending && isAsked {
		return model.Waiting, "the work has reached it"
	}
	return s, why
}

// gateTerms returns the terms of a gate by state and definition; if they differ, the stricter ones.
func (v *view) gateTerms(i int) (t protocol.GateTerms) {
	value := v.gateValue(i)
	t.Approval, t.UnknownApproval = protocol.ParseApproval(value.Get("approvalType").Text())
	t.Deliverables = protocol.RequiredNames(value.Get("deliverables"))
	if v.Gates[i].Defined == nil {
		return t
	}
	defined := v.Gates[i].Defined.Value
	approval, unknown := protocol.ParseApproval(defined.Get("approvalType").Text())
	if value.Get("approvalType").Text() == "" || protocol.Strictness(approval) > protocol.Strictness(t.Approval) {
		t.Approval, t.UnknownApproval = approval, unknown
	}
	t.AddFact("automatic check", defined.Get("autoCheck").Text())
	t.AddFact("condition", defined.Get("condition").Text())
	t.AddFact("type", defined.Get("type").Text())
	for _, key := range []string{"criteria", "guarantees"} {
		all, _ := protocol.Names(defined.Get(key), "description", "path", "name", "type")
		for _, text := range all {
			t.AddFact(protocol.Criterion, text)
		}
	}
	t.Name, t.About = defined.Get("name").Text(), defined.Get("description").Text()
	t.Deliverables = protocol.Unique(append(t.Deliverables, protocol.RequiredNames(defined.Get("deliverables"))...))
	return t
}

// nextPhase returns the phase that a gate releases, -1 if it is the last or its place is unknown.
func (v *view) nextPhase(gate int) int {
	if after := v.Gates[gate].After; after >= 0 && after+1 < len(v.Phases) {
		return after + 1
	}
	return -1
}

// unplacedWhy returns why the place of a gate is unknown.
func (v *view) unplacedWhy(i int) string {
	g := &v.Gates[i]
	switch {
	case v.definition.Definition == nil:
		return "no loop.json of " + v.loopName() + " was found, beside the state or in GATEHOUSE_LOOPS"
	case v.definition.Unreadable:
		return v.definition.unread + " can't be read"
	case g.Defined == nil:
		return v.definition.source.File + " has no such gate"
	case g.Defined.After < 0:
		return "in " + v.definition.source.File + " it " + v.Definition.UnplacedReason(g.Defined)
	}
	return "the state lacks the phase that it follows"
}

// findDeliverables looks for deliverables in the directory of the state.
func (v *view) findDeliverables(names []string) []protocol.Deliverable {
	return protocol.FindDeliverables(v.r.m, path.Dir(v.File), names)
}

func definedDeliverables(phase doc.Value) []string {
	all, _ := protocol.Names(phase.Get("deliverables"), protocol.FileKeys...)
	more, _ := protocol.Names(phase.Get("requiredDeliverables"), protocol.FileKeys...)
	return append(all, more...)
}
