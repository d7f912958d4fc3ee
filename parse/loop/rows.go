// The rows of a loop: its phases, and between them the gates.

package loop

import (
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/loop/rules"
	"gatehouse/parse/reader"
)

// layOut makes the rows: each phase with the gates behind it, in the order of the definition, then what has no place.
// Without a definition the phases come first and then the gates, each in the order of the file.
func (v *view) layOut() {
	behind := make([][]int, len(v.loop.Phases)+1)
	for i := range v.loop.Gates {
		at := v.loop.Gates[i].After
		if at < 0 {
			at = len(v.loop.Phases)
		}
		behind[at] = append(behind[at], i)
	}
	gates := func(of []int) {
		for _, i := range of {
			v.add(v.gateRow(i))
		}
	}
	for i := range v.loop.Phases {
		v.add(v.phaseRow(i))
		gates(behind[i])
	}
	v.absent()
	gates(behind[len(v.loop.Phases)])
}

func (v *view) add(n *model.Node) {
	if v.s.readOnly != "" {
		n.Facts = append(n.Facts, model.Fact{Label: "read only", Value: v.s.readOnly})
	}
	if n.Updated.After(v.b.Freshness.Changed) {
		v.newer(n.Updated)
	}
	n.Held = v.read.Held
	v.b.Nodes = append(v.b.Nodes, n)
}

// absent makes rows for what the definition has and the state has not: nothing is known of it.
func (v *view) absent() {
	if v.d == nil {
		return
	}
	in := map[string]bool{}
	for i := range v.s.phases {
		in["phase/"+v.s.phases[i].Name] = true
	}
	for i := range v.loop.Gates {
		in["gate/"+v.loop.Gates[i].ID] = true
	}
	row := func(kind model.Kind, name string, at int) {
		id := string(kind) + "/" + name
		if in[id] {
			return
		}
		in[id] = true
		v.add(&model.Node{ID: v.id(id), Kind: kind, Title: line.Tidy(name), Status: model.Unknown, Source: v.defined(at),
			Why: v.lacked()})
	}
	for i := range v.d.phases {
		row(model.KindPhase, v.d.phases[i].Name, v.d.phases[i].at)
	}
	for i := range v.d.gates {
		row(model.KindGate, v.d.gates[i].ID, v.d.gates[i].at)
	}
}

// phaseRow makes the row of a phase of the rules.
func (v *view) phaseRow(i int) *model.Node {
	p := &v.s.phases[v.loop.Phases[i].At]
	n := &model.Node{
		ID: v.id(phaseID(p.Name)), Kind: model.KindPhase, Title: line.Tidy(p.Name), Raw: line.Tidy(p.Status), Source: v.pos(p.at),
	}
	v.phaseIDs = append(v.phaseIDs, n.ID)
	n.Status, n.Why = phaseStatus(p.Status)
	if n.Status == model.Pending && v.resume.Action == rules.GatePrompt && v.resume.Phase == i {
		n.Why = rules.GateName(v.loop.Gates[v.resume.Gate].ID) + " has to be decided first"
	}
	var d *definedPhase
	if v.d != nil {
		d = v.d.phaseNamed(p.Name)
	}
	v.phaseFacts(n, p, d, v.loop.Phases[i].Required || v.loop.Phases[i].Defined)
	if v.writable() && v.loop.Unread == "" && v.maySkip(&v.loop.Phases[i]) == rules.OK && v.phaseOf(n.ID) == i {
		n.Can = []model.Verb{model.VerbSkipPhase}
	}
	v.skills(n, p, d)
	names := p.deliverables
	if len(names) == 0 && d != nil {
		names = d.deliverables
	}
	v.deliverables(n, names, false)
	return n
}

func phaseID(name string) string { return "phase/" + name }

// phaseStatus says what the status of a phase means. What is absent is what a phase begins with.
func phaseStatus(raw string) (s model.Status, why string) {
	switch rules.PhaseWord(raw) {
	case rules.Pending:
		s = model.Pending
	case rules.Active:
		s = model.Active
	case rules.Complete:
		s = model.Done
	case rules.Skipped:
		s = model.Skipped
	case "blocked":
		s = model.Blocked
	case "failed":
		s = model.Failed
	default:
		return model.Unknown, "the file says " + reader.Quoted(line.Tidy(raw)) + ", which no phase can be"
	}
	return s, says(raw, s)
}

// says is the sentence for where a status comes from.
func says(raw string, s model.Status) string {
	if raw == "" {
		return "the file gives no status; " + s.String() + " is what it begins with"
	}
	return "the file says " + reader.Quoted(line.Tidy(raw))
}

func (v *view) phaseFacts(n *model.Node, p *statePhase, d *definedPhase, required bool) {
	if d != nil {
		if d.ID != "" && d.ID != p.Name {
			fact(n, "id", d.ID)
		}
		for _, about := range d.about {
			fact(n, "about", about)
		}
	}
	if !required {
		fact(n, "required", "no")
	}
	started := p.startedAt
	if started == "" && n.Status == model.Active {
		// The document leaves the first phase's own field empty (README.md, "A new state").
		started = v.s.started
	}
	fact(n, "started", started)
	fact(n, "completed", p.completed)
	from, to := reader.Time(p.startedAt), reader.Time(p.completed)
	if !from.IsZero() && to.After(from) {
		fact(n, "took", to.Sub(from).Round(time.Second).String())
	}
}

// fact adds a line of detail, unless it is empty.
func fact(n *model.Node, label, value string) {
	if value = line.Tidy(value); value != "" {
		n.Facts = append(n.Facts, model.Fact{Label: label, Value: value})
	}
}

// skills makes the rows of a phase's skills. The file says nothing about a single one: those of a phase that is over are
// done, those of one that is at work are unknown.
func (v *view) skills(n *model.Node, p *statePhase, d *definedPhase) {
	names := p.skills
	if len(names) == 0 && d != nil {
		names = d.skills
	}
	for i, name := range names {
		row := &model.Node{ID: v.id(n.ID + "/skill/" + strconv.Itoa(i+1)), Kind: model.KindSkill, Title: line.Tidy(name), Source: n.Source, Status: n.Status, Why: "with its phase"}
		if i < len(p.skillStatus) {
			row.Raw = line.Tidy(p.skillStatus[i])
			row.Status, row.Why = phaseStatus(p.skillStatus[i])
		} else if !n.Status.Closed() && n.Status != model.Pending {
			row.Status, row.Why = model.Unknown, "the file does not say which skills of a phase have run"
		}
		if d != nil && d.optional[name] {
			fact(row, "required", "no")
		}
		n.Children = append(n.Children, row)
	}
}

// list joins names for people.
func list(names []string) string { return strings.Join(names, ", ") }
