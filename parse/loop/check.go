package loop

import (
	"fmt"
	"path"
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
	"gatehouse/parse/loop/core"
	"gatehouse/parse/protocol"
	"gatehouse/parse/protocol/transition"
)

// The rules of a check in addition to the eleven of the protocol ("loop-01" to "loop-11"), "loop-readable" and "loop-truth".
const (
	ruleField      = "loop-field"      // a field is missing
	ruleType       = "loop-type"       // a field has another type
	ruleWord       = "loop-word"       // a word is unknown to the protocol
	ruleWhen       = "loop-when"       // a time or a reason does not fit the status
	ruleOrder      = "loop-order"      // something began before its predecessor
	ruleKeyTwice   = "loop-key-twice"  // an object has a key twice
	ruleOlderGate  = "loop-older-gate" // work has passed an undecided gate
	ruleVersion    = "loop-version"    // state and definition are of different versions
	ruleDefinition = "loop-definition" // the definition is missing, unusable, or has something twice
	ruleRequired   = "loop-required"   // state and definition differ in requirements
	ruleApproval   = "loop-approval"   // state and definition differ in who approves
)

// The fields of state and definition.
var (
	stringKind, boolKind, listKind = []doc.Kind{doc.String}, []doc.Kind{doc.Bool}, []doc.Kind{doc.List}
	mapKind, stringOrNull          = []doc.Kind{doc.Map}, []doc.Kind{doc.String, doc.Null}

	stateFields = []protocol.Field{
		{Key: "loop", Kinds: stringKind}, {Key: "version", Kinds: stringKind}, {Key: "mode", Kinds: stringKind}, {Key: "phase", Kinds: stringKind},
		{Key: "status", Kinds: stringKind}, {Key: "gates", Kinds: mapKind}, {Key: "phases", Kinds: mapKind}, {Key: "metrics", Kinds: mapKind},
	}
	gateFields = []protocol.Field{
		{Key: "status", Kinds: stringKind}, {Key: "required", Kinds: boolKind}, {Key: "approvalType", Kinds: stringKind},
		{Key: "deliverables", Kinds: listKind}, {Key: "passedAt", Kinds: stringOrNull}, {Key: "skippedReason", Kinds: stringOrNull},
	}
	phaseFields = []protocol.Field{
		{Key: "status", Kinds: stringKind}, {Key: "required", Kinds: boolKind}, {Key: "skills", Kinds: listKind},
		{Key: "deliverables", Kinds: listKind}, {Key: "startedAt", Kinds: stringOrNull}, {Key: "completedAt", Kinds: stringOrNull},
	}
	definitionFields = []protocol.Field{
		{Key: "id", Kinds: stringKind}, {Key: "version", Kinds: stringKind}, {Key: "name", Kinds: stringKind, Optional: true},
		{Key: "phases", Kinds: listKind}, {Key: "defaults", Kinds: mapKind, Optional: true},
	}
	definedPhaseFields = []protocol.Field{
		{Key: "id", Kinds: stringKind, Optional: true}, {Key: "required", Kinds: boolKind, Optional: true}, {Key: "skills", Kinds: listKind, Optional: true}, {Key: "deliverables", Kinds: listKind, Optional: true},
	}
	definedGateFields = []protocol.Field{
		{Key: "name", Kinds: stringKind, Optional: true}, {Key: "required", Kinds: boolKind, Optional: true}, {Key: "approvalType", Kinds: stringKind, Optional: true},
		{Key: "deliverables", Kinds: listKind, Optional: true}, {Key: "condition", Kinds: stringKind, Optional: true}, {Key: "autoCheck", Kinds: stringKind, Optional: true},
	}
)

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
	if !value.Is(doc.Map) {
		v.report(v.Pos(value.Offset()), model.Error, ruleType, name+" is "+value.Kind().String()+"; it must be an object", "write an object; until then it is ignored")
		return
	}
	report := func(s model.Severity) func(at int, text, fix string) {
		return func(at int, text, fix string) { v.report(v.Pos(at), s, ruleType, text, fix) }
	}
	protocol.CheckTypes(value, name, fields, report(model.Error))
	protocol.CheckNameLists(value, name, []string{"skills", "deliverables"}, false, report(model.Warning))
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
		v.checkState()
		if d.isReadable() {
			v.checkDefinition()
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

// checkState checks that every field exists, has a word that the protocol knows, and fits the status.
func (v *view) checkState() {
	missing := func(at int, isType bool, text, fix string) {
		rule := ruleField
		if isType {
			rule = ruleType
		}
		v.report(v.Pos(at), model.Warning, rule, text, fix)
	}
	dialect := func(name string, in doc.Value, word, meaning string) {
		if status := in.Get("status"); status.Is(doc.String) && word != meaning {
			v.report(v.Pos(status.Offset()), model.Warning, ruleWord, name+" is "+protocol.UnknownWord(word)+"; it is read as "+meaning, "write "+meaning)
		}
	}
	wrongNames := func(at int, text, fix string) { missing(at, true, text, fix) }
	root := v.root()
	protocol.CheckMissing(root, "", stateFields, missing)
	dialect("the loop", root, v.Status, core.LoopWord(v.Status))
	for _, p := range v.State.Phases {
		protocol.CheckMissing(p.Value, "phases."+p.Name, phaseFields, missing)
		protocol.CheckNameLists(p.Value, protocol.Quote(p.Name), []string{"skills", "deliverables"}, true, wrongNames)
		dialect(protocol.Quote(p.Name), p.Value, p.Status, core.PhaseWord(p.Status))
		v.checkPhase(p)
	}
	for _, g := range v.State.Gates {
		protocol.CheckMissing(g.Value, "gates."+g.Name, gateFields, missing)
		v.checkApproval(v.Source, g.Name, g.Value)
		protocol.CheckNameLists(g.Value, protocol.Quote(g.Name), []string{"deliverables"}, true, wrongNames)
		dialect(protocol.Quote(g.Name), g.Value, g.Status, core.GateWord(g.Status))
		v.checkGate(g)
	}
	v.checkOrder()
}

// checkApproval reports an approvalType that the protocol does not know.
func (v *view) checkApproval(s protocol.Source, name string, in doc.Value) {
	field := in.Get("approvalType")
	if _, unknown := protocol.ParseApproval(field.Text()); unknown != "" {
		v.report(s.Pos(field.Offset()), model.Warning, ruleWord, "approvalType of "+protocol.Quote(name)+" is "+protocol.UnknownWord(unknown), "write human, conditional or auto")
	}
}

// checkStatusTime reports a time of a phase or gate that does not fit its status.
func (v *view) checkStatusTime(item core.Item, key, status, want string) bool {
	text, fix := protocol.CheckStatusTime(item.Value, key, status, want, v.activePeriod())
	if text != "" {
		v.report(v.PosOf(item.Value.Get(key), item.Value.KeyOffset()), model.Warning, ruleWhen, protocol.Quote(item.Name)+" "+text, fix)
	}
	return text == ""
}

// activePeriod returns the period in which the loop ran.
func (v *view) activePeriod() protocol.Period {
	return protocol.Period{From: v.timeAt(startKey), To: v.timeAt(updateKey)}
}

// checkGate compares the fields of a gate with its status.
func (v *view) checkGate(g core.Item) {
	word, reason := core.GateWord(g.Status), g.Value.Get("skippedReason")
	if !core.GateMachine.Knows(word) {
		return
	}
	v.checkStatusTime(g, "passedAt", word, core.Passed)
	at, name := v.PosOf(reason, g.Value.KeyOffset()), protocol.Quote(g.Name)
	switch isSkipped := word == core.Skipped; {
	case reason.Text() != "" && !isSkipped:
		v.report(at, model.Warning, ruleWhen, name+" is "+protocol.WordOr(g.Status)+", but has a reason for a skip", "write null into skippedReason")
	case isSkipped && transition.CheckReason(reason.Text()) != transition.OK:
		v.report(at, model.Warning, ruleWhen, name+" was skipped without a reason of more than 10 characters", "write the reason into skippedReason")
	}
}

// checkPhase compares the times of a phase with its status.
func (v *view) checkPhase(p core.Item) {
	word, started, completed := core.PhaseWord(p.Status), p.Value.Get("startedAt"), p.Value.Get("completedAt")
	from, to := protocol.ParseTime(started.Text()), protocol.ParseTime(completed.Text())
	text := ""
	switch outside := v.activePeriod().Outside(started.Text()); {
	case !core.PhaseMachine.Knows(word) || !v.checkStatusTime(p, "completedAt", word, core.Complete):
		return
	case !from.IsZero() && !to.IsZero() && to.Before(from):
		text, started = "was completed before it began", completed
	case outside != "":
		text = "began " + outside
	}
	if text != "" {
		v.report(v.PosOf(started, p.Value.KeyOffset()), model.Warning, ruleWhen, protocol.Quote(p.Name)+" "+text, "correct one of the times")
	}
}

// checkOrder checks that allowed steps can have led to the statuses: no phase begins before the previous one is over or past an undecided
// gate, only one is active at a time, and no required one is skipped.
func (v *view) checkOrder() {
	active := -1
	for i := range v.Phases {
		p := &v.Phases[i]
		say := func(text, fix string) {
			v.report(v.PosOf(p.Item.Value.Get("status"), p.Item.Value.KeyOffset()), model.Warning, ruleOrder, protocol.Quote(p.Name)+" "+text, fix)
		}
		switch word := core.PhaseWord(p.Status); word {
		case core.Skipped:
			if p.Required || p.Defined != nil && p.Defined.Required {
				say("is required, but was skipped", "have it done")
			}
		case core.Complete, core.Active:
			if v.HasPlaces && i > 0 && !v.Phases[i-1].IsOver() {
				say("is "+p.Status+", but "+protocol.Quote(v.Phases[i-1].Name)+" before it is not over", "finish the phase before it first")
			}
			if word != core.Active {
				break
			}
			if active >= 0 {
				say("is active, and so is "+protocol.Quote(v.Phases[active].Name), "one phase is active at a time")
			}
			active = i
		}
	}
	if v.Phase != "" && v.PhaseNamed(v.Phase) < 0 {
		v.report(v.PosOf(v.root().Get("phase"), 0), model.Warning, ruleOrder, "the state has no phase "+protocol.Quote(v.Phase)+", which it calls the current one", "write the name of the active phase")
	}
	if at := v.resume.Phase; at >= 0 && active == at {
		for _, i := range v.waits.Now {
			v.report(v.gatePos(i), model.Warning, ruleOrder, protocol.Quote(v.Gates[i].ID)+" is "+protocol.WordOr(v.Gates[i].Status)+", but "+protocol.Quote(v.Phases[at].Name)+" behind it has begun", "decide it; work should have waited")
		}
	}
	if from, to := v.timeAt(startKey), v.timeAt(updateKey); !from.IsZero() && !to.IsZero() && to.Before(from) {
		v.report(v.PosOf(v.root().Get(updateKey), 0), model.Warning, ruleWhen, "the state was updated before it was started", "correct last_updated or started_at")
	}
}

// checkDefinition checks the fields of the definition.
func (v *view) checkDefinition() {
	source, d := v.definition.source, v.Definition
	protocol.ReportParsed(v.b, source, ruleDefinition, d.Repeated)
	wrongType := func(at int, text, fix string) { v.report(source.Pos(at), model.Warning, ruleType, text, fix) }
	check := func(object doc.Value, name string, fields []protocol.Field) {
		protocol.CheckTypes(object, name, fields, wrongType)
	}
	check(d.Tree.Root(), source.File, definitionFields)
	protocol.CheckMissing(d.Tree.Root(), source.File, definitionFields, func(at int, _ bool, text, fix string) { v.report(source.Pos(at), model.Warning, ruleField, text, fix) })
	for _, p := range d.Phases {
		check(p.Value, "phase "+protocol.Quote(p.Name)+" of "+source.File, definedPhaseFields)
		protocol.CheckNameLists(p.Value, protocol.Quote(p.Name)+" in "+source.File, []string{"skills"}, false, wrongType)
	}
	for _, g := range d.Gates {
		check(g.Value, "gate "+protocol.Quote(g.ID)+" of "+source.File, definedGateFields)
		protocol.CheckNameLists(g.Value, protocol.Quote(g.ID)+" in "+source.File, []string{"deliverables"}, false, wrongType)
		if g.Value.Get("approvalType").Text() != "manual" { // older definitions have this value
			v.checkApproval(source, g.ID, g.Value)
		}
	}
}
