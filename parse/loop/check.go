package loop

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
	"gatehouse/parse/loop/core"
	"gatehouse/parse/protocol"
)

// The rules of a check in addition to the eleven of the protocol ("loop-01" to "loop-11"), "loop-readable" and "loop-truth".
const (
	ruleType       = "loop-type"       // a field has another type
	ruleWord       = "loop-word"       // a word is unknown to the protocol
	ruleOrder      = "loop-order"      // a required phase was skipped
	ruleKeyTwice   = "loop-key-twice"  // an object has a key twice
	ruleOlderGate  = "loop-older-gate" // work has passed an undecided gate
	ruleVersion    = "loop-version"    // state and definition are of different versions
	ruleDefinition = "loop-definition" // the definition is missing, unusable, or has something twice
	ruleRequired   = "loop-required"   // state and definition differ in requirements
	ruleApproval   = "loop-approval"   // state and definition differ in who approves
)

// The fields of a state.
var (
	stateFields = append(fieldsOf("loop version mode phase status", doc.String), fieldsOf("gates phases metrics", doc.Map)...)
	gateFields  = slices.Concat(fieldsOf("status approvalType", doc.String), fieldsOf("required", doc.Bool), fieldsOf("deliverables", doc.List),
		fieldsOf("passedAt skippedReason", doc.String, doc.Null))
	phaseFields = slices.Concat(fieldsOf("status", doc.String), fieldsOf("required", doc.Bool), fieldsOf("skills deliverables", doc.List),
		fieldsOf("startedAt completedAt", doc.String, doc.Null))
)

// fieldsOf returns fields of some kinds.
func fieldsOf(keys string, kinds ...doc.Kind) (fields []protocol.Field) {
	for key := range strings.FieldsSeq(keys) {
		fields = append(fields, protocol.Field{Key: key, Kinds: kinds})
	}
	return fields
}

func (v *view) report(at model.Pos, s model.Severity, rule, text, fix string) {
	protocol.Report(v.b, at, s, rule, text, fix)
}

// reportProblems adds the problems that are shown without a check: ignored values, unknown words, a definition that can't be used, and a
// state that is weaker than its definition.
func (v *view) reportProblems() {
	root := v.root()
	protocol.ReportParsed(v.b, v.Source, ruleKeyTwice, v.State.Tree.Problems)
	wrongType := func(at int, text, fix string) { v.report(v.Pos(at), model.Error, ruleType, text, fix) }
	protocol.CheckTypes(root, "", stateFields, wrongType)
	unknown := func(at model.Pos, s model.Severity, name, word, fix string) {
		v.report(at, s, ruleWord, name+" is "+protocol.UnknownWord(word), "write "+fix)
	}
	if !core.LoopMachine.Knows(core.LoopWord(v.Status)) {
		unknown(v.PosOf(root.Get("status"), 0), model.Error, "the loop", v.Status, "active, paused, complete or failed; until then nothing of it can be decided")
	}
	for i := range v.Gates {
		g := &v.Gates[i]
		if g.Item == nil {
			continue
		}
		v.reportObject(g.Item.Value, "gates."+g.ID, gateFields)
		if !core.GateMachine.Knows(core.GateWord(g.Status)) {
			unknown(v.gatePos(i), model.Warning, protocol.Quote(g.ID), g.Status, "pending, passed, skipped or failed")
		}
	}
	for i := range v.Phases {
		p := &v.Phases[i]
		v.reportObject(p.Item.Value, "phases."+p.Name, phaseFields)
		if !core.PhaseMachine.Knows(core.PhaseWord(p.Status)) {
			unknown(v.Pos(p.Item.Value.KeyOffset()), model.Warning, protocol.Quote(p.Name), p.Status, "pending, active, complete or skipped")
		}
	}
	v.reportDefinition()
	for _, b := range v.compareDefinition() {
		if b.IsWeaker {
			v.reportBreach(b)
		}
	}
	for _, i := range v.waits.Overdue {
		if g := &v.Gates[i]; g.After >= 0 {
			v.report(v.gatePos(i), model.Warning, ruleOlderGate, protocol.Quote(g.ID)+" is "+protocol.WordOr(g.Status)+", but work has passed it", "decide it, or have the agents say why not")
		}
	}
}

// reportObject reports a phase or a gate that is not an object, and ignored values in one.
func (v *view) reportObject(value doc.Value, name string, fields []protocol.Field) {
	wrongType := func(at int, text, fix string) { v.report(v.Pos(at), model.Error, ruleType, text, fix) }
	if !value.Is(doc.Map) {
		wrongType(value.Offset(), name+" is "+value.Kind().String()+"; it must be an object", "write an object; until then it is ignored")
		return
	}
	protocol.CheckTypes(value, name, fields, wrongType)
	protocol.CheckNameLists(value, name, []string{"skills", "deliverables"}, wrongType)
}

// reportDefinition reports problems of the definition, and files that can't be used as one.
func (v *view) reportDefinition() {
	d := &v.definition
	if d.unread != "" {
		v.reportUnusable()
	}
	switch {
	case d.isReadable():
		protocol.ReportUnreadable(v.b, d.source.File, d.read.Err, d.read.Held)
		protocol.ReportParsed(v.b, d.source, ruleKeyTwice, d.Tree.Problems)
		protocol.ReportParsed(v.b, d.source, "", d.Problems)
		protocol.ReportParsed(v.b, d.source, ruleDefinition, d.Repeated)
		if has, want := v.textAt("version"), d.Tree.Root().Get("version").Text(); has != "" && want != "" && has != want {
			v.report(v.PosOf(v.root().Get("version"), 0), model.Warning, ruleVersion,
				"the state is of version "+protocol.Quote(has)+" of the loop, "+d.source.File+" of version "+protocol.Quote(want),
				"names and order may differ; keep the loop.json that the state was made from beside it")
		}
	case d.other != "":
		file := path.Join(path.Dir(v.File), "loop.json")
		v.report(model.Pos{File: file}, model.Warning, ruleDefinition, file+" is the definition of "+protocol.Quote(d.other)+", not of "+protocol.Quote(v.State.ID)+"; it is not used",
			"put the definition of "+protocol.Quote(v.State.ID)+" beside the state, or name its directory in GATEHOUSE_LOOPS")
	}
}

// reportUnusable reports a file that should be the definition but can't be used. Links out of the project are reported elsewhere, for all
// protocols.
func (v *view) reportUnusable() {
	d := &v.definition
	text, err := d.unread+" can't be read: "+d.unreadErr.Error(), d.unreadErr
	if _, isReason := err.(peek.Error); isReason {
		text = d.unread + " " + err.Error()
	}
	switch err {
	case peek.ErrOutside:
		return
	case core.ErrNotLoop:
		text = d.unread + " has no phases, so it does not define a loop"
	}
	severity, fix := model.Error, "fix it; until then the places of the gates are unknown"
	if d.isReadable() {
		severity, fix = model.Warning, "fix or remove it; "+d.source.File+" is used instead"
	}
	v.report(protocol.ErrorPos(d.unread, err), severity, ruleDefinition, text, fix)
}

// reportBreach reports a broken rule. If state and definition are of different versions, their differences are warnings.
func (v *view) reportBreach(b protocol.Breach) {
	severity := model.Warning
	if b.Number >= 7 || !v.definition.isReadable() || v.textAt("version") == v.definition.Tree.Root().Get("version").Text() {
		severity = model.Error
	}
	if b.Number > 0 {
		b.Rule = fmt.Sprintf("loop-%02d", b.Number)
	}
	v.report(v.Pos(b.At), severity, b.Rule, b.Text, b.Fix)
}

// Check returns every rule that the state breaks, ordered by file and place. The rules for a new state apply to one that was written only
// once.
func (r *Reader) Check(now time.Time) []model.Problem {
	v := r.open(now)
	v.build()
	if v.Loop != nil {
		d := &v.definition
		if d.Definition == nil && d.other == "" {
			v.report(model.Pos{File: v.File}, model.Warning, ruleDefinition, "no loop.json of "+v.loopName()+" was found, so names and lists were not checked against it",
				"put it beside the state, or name its directory in GATEHOUSE_LOOPS")
		}
		started := v.textAt(startKey)
		for _, b := range v.brokenRules(started != "" && started == v.textAt(updateKey)) {
			if !b.IsWeaker {
				v.reportBreach(b)
			}
		}
		for i := range v.Phases {
			p := &v.Phases[i]
			if core.PhaseWord(p.Status) == core.Skipped && (p.Required || p.Defined != nil && p.Defined.Required) {
				at := v.PosOf(p.Item.Value.Get("status"), p.Item.Value.KeyOffset())
				v.report(at, model.Warning, ruleOrder, protocol.Quote(p.Name)+" is required, but was skipped", "have it done")
			}
		}
	}
	return protocol.NewCheck(v.b).End("have the agents correct the file")
}

// brokenRules returns the broken rules by number. isNew: the state was just made.
func (v *view) brokenRules(isNew bool) []protocol.Breach {
	all := append(v.compareDefinition(), v.checkTimes()...)
	if isNew {
		all = append(all, v.checkNew()...)
	}
	slices.SortStableFunc(all, func(a, b protocol.Breach) int { return a.Number - b.Number })
	return all
}

// compareDefinition compares the state with its definition: rules 1 to 6, what is required and who approves.
func (v *view) compareDefinition() (all []protocol.Breach) {
	if !v.definition.isReadable() {
		return nil
	}
	root, gates := v.root(), v.Definition.Gates
	var defined []string
	for _, p := range v.Definition.Phases {
		defined = append(defined, p.Name)
	}
	all = protocol.CompareNames(1, "phase", defined, root.Get("phases"), func(string) bool { return false })
	defined = nil
	for _, g := range gates {
		if g.Asked {
			defined = append(defined, g.ID)
		}
	}
	isUnasked := func(id string) bool { g := v.Definition.FindGate(id); return g != nil && !g.Asked }
	all = append(all, protocol.CompareNames(2, "gate", defined, root.Get("gates"), isUnasked)...)
	for i := range v.Gates {
		if g := &v.Gates[i]; g.Item != nil && g.Defined != nil {
			want := protocol.RequiredNames(g.Defined.Value.Get("deliverables"))
			all = append(all, protocol.CompareLists(5, "deliverables", g.Item.Value, want, true)...)
			all = append(all, compareRequired(g.ID, g.Item.Value, g.Defined.Required)...)
			all = append(all, compareApproval(g)...)
		}
	}
	for i := range v.Phases {
		if p := &v.Phases[i]; p.Defined != nil {
			want, _ := protocol.Names(p.Defined.Value.Get("skills"), protocol.NameKeys...)
			all = append(all, protocol.CompareLists(6, "skills", p.Item.Value, want, false)...)
			all = append(all, compareRequired(p.Name, p.Item.Value, p.Defined.Required)...)
		}
	}
	return all
}

func compareRequired(subject string, in doc.Value, isDefined bool) []protocol.Breach {
	field := in.Get("required")
	is, ok := field.Bool()
	switch {
	case !ok || is == isDefined:
		return nil
	case is:
		return protocol.CompareTerms(ruleRequired, subject, field, 1, "required", "not required")
	}
	return protocol.CompareTerms(ruleRequired, subject, field, -1, "not required", "required")
}

func compareApproval(g *core.Gate) []protocol.Breach {
	field := g.Item.Value.Get("approvalType")
	has, unknown := protocol.ParseApproval(field.Text())
	want, wantWord := protocol.ParseApproval(g.Defined.Value.Get("approvalType").Text())
	if field.Text() == "" || has == want && (unknown == "" || unknown == wantWord) {
		return nil
	}
	return protocol.CompareTerms(ruleApproval, g.ID, field, protocol.Strictness(has)-protocol.Strictness(want), protocol.Quote(field.Text()), string(want))
}

// checkTimes checks rule 7.
func (v *view) checkTimes() []protocol.Breach {
	all := append(protocol.CheckTime(7, v.root(), startKey, true), protocol.CheckTime(7, v.root(), updateKey, true)...)
	for _, g := range v.State.Gates {
		all = append(all, protocol.CheckTime(7, g.Value, "passedAt", false)...)
	}
	for _, p := range v.State.Phases {
		all = append(all, protocol.CheckTime(7, p.Value, "startedAt", false)...)
		all = append(all, protocol.CheckTime(7, p.Value, "completedAt", false)...)
	}
	return all
}

// checkNew checks rules 8 to 11, about a new state.
func (v *view) checkNew() (all []protocol.Breach) {
	first := ""
	if v.definition.isReadable() {
		first = v.Definition.Phases[0].Name
	}
	add := func(number int, subject string, value doc.Value, at int, is, want string) {
		all = append(all, protocol.Breach{Number: number, Subject: subject, At: value.OffsetOr(at), Text: subject + " of a new state is " + is + ", not " + want,
			Fix: "write " + want + ", or the time of the change into last_updated"})
	}
	root := v.root()
	if v.Status != core.Active {
		add(8, "status", root.Get("status"), root.Offset(), protocol.WordOr(v.Status), core.Active)
	}
	if first != "" && v.Phase != first {
		add(9, "phase", root.Get("phase"), root.Offset(), protocol.Quote(v.Phase), first)
	}
	for _, g := range v.State.Gates {
		if g.Status != core.Pending {
			add(10, g.Name, g.Value.Get("status"), g.Value.KeyOffset(), protocol.WordOr(g.Status), core.Pending)
		}
	}
	for _, p := range v.State.Phases {
		want := core.Pending
		if p.Name == first {
			want = core.Active
		}
		if p.Status != want && (first != "" || p.Status != core.Active) {
			add(11, p.Name, p.Value.Get("status"), p.Value.KeyOffset(), protocol.WordOr(p.Status), want)
		}
	}
	return all
}
