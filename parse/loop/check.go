package loop

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
	"gatehouse/parse/loop/core"
	"gatehouse/parse/protocol"
	"gatehouse/parse/protocol/transition"
)

// The rules of a check besides the eleven of the protocol ("loop-01" to "loop-11"), "loop-readable" and "loop-truth".
const (
	ruleField      = "loop-field"      // a field is missing
	ruleType       = "loop-type"       // a field has another type
	ruleWord       = "loop-word"       // a word that the protocol does not know
	ruleWhen       = "loop-when"       // a time or a reason does not fit the status
	ruleOrder      = "loop-order"      // something began before what comes before it
	ruleKeyTwice   = "loop-key-twice"  // an object has a key twice
	ruleOlderGate  = "loop-older-gate" // work has passed an undecided gate
	ruleVersion    = "loop-version"    // state and definition are of different versions
	ruleDefinition = "loop-definition" // the definition is missing, unusable, or has something twice
	ruleRequired   = "loop-required"   // state and definition differ in what is required
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

// reportProblems adds the problems that everybody has to know, without a check: values that are ignored, unknown words, a definition
// that can't be used, and where the state is weaker than its definition.
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
	for _, b := range v.compare() {
		if b.isWeaker {
			v.reportBreach(b)
		}
	}
	for _, i := range v.waits.Overdue {
		if g := &v.Gates[i]; g.After >= 0 {
			v.report(v.gatePos(i), model.Warning, ruleOlderGate, protocol.Quote(g.ID)+" is "+wordOr(g.Status)+", but work has passed it", "decide it, or have the agents say why not")
		}
	}
}

// reportObject reports a phase or a gate that is not an object, and the values that are ignored in one.
func (v *view) reportObject(value doc.Value, name string, fields []protocol.Field) {
	if !value.Is(doc.Map) {
		v.report(v.Pos(value.Offset()), model.Error, ruleType, name+" is "+value.Kind().String()+"; it must be an object", "write an object; until then it is ignored")
		return
	}
	protocol.CheckTypes(value, name, fields, func(at int, text, fix string) { v.report(v.Pos(at), model.Error, ruleType, text, fix) })
	for _, key := range []string{"skills", "deliverables"} {
		list := value.Get(key)
		if _, isWhole := names(list, nameKeys...); list.Is(doc.List) && !isWhole {
			v.report(v.Pos(list.Offset()), model.Warning, ruleType, protocol.Join(name, key)+" has entries without a name", "write names, as text; the other entries are ignored")
		}
	}
}

// reportDefinition reports what is wrong with the definition, and files that can't be used as one.
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
		if has, want := v.text("version"), d.Tree.Root().Get("version").Text(); has != "" && want != "" && has != want {
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

// reportUnusable reports a file that should be the definition and can't be used. Links out of the project are reported for all
// protocols at once.
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

// breach is a broken rule.
type breach struct {
	number   int    // of the eleven rules of the protocol; 0 for another
	rule     string // another rule
	isWeaker bool   // the state is weaker than the definition: everybody has to know
	subject  string // the phase, gate or field
	at       int    // offset in the state
	text     string
	fix      string
}

// reportBreach reports a broken rule. If state and definition are of different versions, their differences are warnings.
func (v *view) reportBreach(b breach) {
	severity := model.Warning
	if b.number >= 7 || !v.definition.isReadable() || v.text("version") == v.definition.Tree.Root().Get("version").Text() {
		severity = model.Error
	}
	if b.number > 0 {
		b.rule = fmt.Sprintf("loop-%02d", b.number)
	}
	v.report(v.Pos(b.at), severity, b.rule, b.text, b.fix)
}

// Check returns every rule that the state breaks, by file and place. The rules for a new state are asked of one that was written once.
func (r *Reader) Check(now time.Time) []model.Problem {
	v := r.open(now)
	v.build()
	if v.Loop != nil {
		d := &v.definition
		if d.Definition == nil && d.other == "" {
			v.report(model.Pos{File: v.File}, model.Warning, ruleDefinition, "no loop.json of "+v.name()+" was found, so names and lists were not checked against it",
				"put it beside the state, or name its directory in GATEHOUSE_LOOPS")
		}
		started := v.text("started_at")
		for _, b := range v.brokenRules(started != "" && started == v.text("last_updated")) {
			if !b.isWeaker {
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
func (v *view) brokenRules(isNew bool) []breach {
	all := append(v.compare(), v.checkTimes()...)
	if isNew {
		all = append(all, v.checkNew()...)
	}
	slices.SortStableFunc(all, func(a, b breach) int { return a.number - b.number })
	return all
}

// compare holds the state against its definition: rules 1 to 6, what is required and who approves.
func (v *view) compare() (all []breach) {
	if !v.definition.isReadable() {
		return nil
	}
	root, gates := v.root(), v.Definition.Gates
	var defined []string
	for _, p := range v.Definition.Phases {
		defined = append(defined, p.Name)
	}
	all = compareNames(1, "phase", defined, v.State.Phases, root.Get("phases"), func(string) bool { return false })
	defined = nil
	for _, g := range gates {
		if g.Asked {
			defined = append(defined, g.ID)
		}
	}
	isUnasked := func(id string) bool { g := v.Definition.Gate(id); return g != nil && !g.Asked }
	all = append(all, compareNames(2, "gate", defined, v.State.Gates, root.Get("gates"), isUnasked)...)
	for i := range v.Gates {
		if g := &v.Gates[i]; g.Item != nil && g.Defined != nil {
			var want []string
			for _, place := range g.Defined.Values {
				want = append(want, requiredNames(place.Get("deliverables"))...)
			}
			all = append(all, compareLists(5, g.ID, "deliverables", g.Item.Value, protocol.Unique(want))...)
			all = append(all, compareRequired(g.ID, g.Item.Value, g.Defined.Required)...)
			all = append(all, compareApproval(g)...)
		}
	}
	for i := range v.Phases {
		if p := &v.Phases[i]; p.Defined != nil {
			want, _ := names(p.Defined.Value.Get("skills"), nameKeys...)
			all = append(all, compareLists(6, p.Name, "skills", p.Item.Value, want)...)
			all = append(all, compareRequired(p.Name, p.Item.Value, p.Defined.Required)...)
		}
	}
	return all
}

// compareNames compares the names of phases or gates. number is the rule of missing names, number+2 that of others. A name in another
// case is a misspelling, not a missing name.
func compareNames(number int, what string, defined []string, held []core.Item, in doc.Value, isIgnored func(string) bool) (all []breach) {
	folded, known, spelling := map[string]bool{}, map[string]bool{}, map[string]string{}
	for _, item := range held {
		folded[strings.ToLower(item.Name)] = true
	}
	for _, name := range defined {
		lower := strings.ToLower(name)
		known[name], spelling[lower] = true, name
		if !folded[lower] {
			all = append(all, breach{number: number, subject: name, at: in.Offset(), isWeaker: true,
				text: "the " + what + " " + protocol.Quote(name) + " of the definition is missing", fix: "add it to " + what + "s"})
		}
	}
	for _, item := range held {
		if known[item.Name] || isIgnored(item.Name) {
			continue
		}
		fix := "add the " + what + " to the definition, or write it as the definition does"
		if right := spelling[strings.ToLower(item.Name)]; right != "" {
			fix = "write it as the definition does: " + right
		}
		all = append(all, breach{number: number + 2, subject: item.Name, at: item.Value.KeyOffset(),
			text: "the definition has no " + what + " " + protocol.Quote(item.Name), fix: fix})
	}
	return all
}

// compareLists compares the deliverables of a gate, or the skills of a phase, in their order.
func compareLists(number int, subject, key string, in doc.Value, want []string) []breach {
	list := in.Get(key)
	got, isWhole := names(list, nameKeys...)
	if isWhole && slices.Equal(got, want) {
		return nil
	}
	b := breach{number: number, subject: subject, at: list.OffsetOr(in.KeyOffset()), text: "the " + key + " of " + protocol.Quote(subject) + " differ from the definition"}
	if !list.Exists() {
		b.text = "the " + key + " of " + protocol.Quote(subject) + " are missing"
	}
	b.fix = "write [" + strings.Join(want, ", ") + "], in this order"
	if number == 5 {
		b.isWeaker = slices.ContainsFunc(want, func(name string) bool { return !slices.Contains(got, name) })
		if more := slices.DeleteFunc(got, func(name string) bool { return slices.Contains(want, name) }); len(more) > 0 { // no advice takes one away
			b.text += "; the deliverables of both are required"
			b.fix = "name all of them in both, in the same order: [" + strings.Join(append(want, more...), ", ") + "]"
		}
	}
	return []breach{b}
}

// differs returns the breach of a state that differs from its definition; of the two the stricter counts, and no advice proposes the
// weaker one.
func differs(rule, subject string, in doc.Value, strictness int, has, want string) []breach {
	b := breach{rule: rule, subject: subject, at: in.Offset(), isWeaker: strictness < 0, fix: "write " + want,
		text: protocol.Quote(subject) + " is " + has + " in the state, but " + want + " in the definition; the stricter counts"}
	if strictness > 0 {
		b.fix = "write the same into the definition"
	}
	return []breach{b}
}

func compareRequired(subject string, in doc.Value, isDefined bool) []breach {
	field := in.Get("required")
	is, ok := field.Bool()
	switch {
	case !ok || is == isDefined:
		return nil
	case is:
		return differs(ruleRequired, subject, field, 1, "required", "not required")
	}
	return differs(ruleRequired, subject, field, -1, "not required", "required")
}

func compareApproval(g *core.Gate) []breach {
	field := g.Item.Value.Get("approvalType")
	has, unknown := approvalOf(field.Text())
	want, wantWord := definedApproval(g.Defined)
	if field.Text() == "" || has == want && (unknown == "" || unknown == wantWord) {
		return nil
	}
	return differs(ruleApproval, g.ID, field, strictness[has]-strictness[want], protocol.Quote(field.Text()), string(want))
}

// iso8601 is a time with date, time and zone, in the extended or the basic form.
var iso8601 = regexp.MustCompile(`^(?:(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?|` +
	`(\d{4})(\d\d)(\d\d)[Tt](\d\d)(\d\d)(?:(\d\d)(?:[.,]\d+)?)?)(?:[Zz]|[+-](\d\d)(?::?(\d\d))?)$`)

// isTime reports whether a text is a time that exists by ISO 8601. Its second may be a leap second.
func isTime(s string) bool {
	part := iso8601.FindStringSubmatch(s)
	if part == nil {
		return false
	}
	at := 1
	if part[at] == "" {
		at = 7
	}
	_, err := time.Parse("20060102T1504", strings.Join(part[at:at+3], "")+"T"+part[at+3]+part[at+4])
	return err == nil && part[at+5] <= "60" && part[13] <= "23" && part[14] <= "59"
}

// checkTimes is rule 7.
func (v *view) checkTimes() (all []breach) {
	check := func(in doc.Value, name, key string, isNeeded bool) {
		value, subject := in.Get(key), protocol.Join(name, key)
		switch {
		case value.Is(doc.String) && isTime(value.Text()), !isNeeded && value.IsEmpty():
		case !value.Exists():
			all = append(all, breach{number: 7, subject: subject, at: in.Offset(), text: subject + " is missing", fix: "write a time like 2026-06-01T12:34:56Z"})
		default:
			all = append(all, breach{number: 7, subject: subject, at: value.Offset(), text: subject + " is not an ISO 8601 time with date, time and zone", fix: "write it like 2026-06-01T12:34:56Z"})
		}
	}
	check(v.root(), "", "started_at", true)
	check(v.root(), "", "last_updated", true)
	for _, g := range v.State.Gates {
		check(g.Value, g.Name, "passedAt", false)
	}
	for _, p := range v.State.Phases {
		check(p.Value, p.Name, "startedAt", false)
		check(p.Value, p.Name, "completedAt", false)
	}
	return all
}

// checkNew is rules 8 to 11, about a state that was just made.
func (v *view) checkNew() (all []breach) {
	first := ""
	if v.definition.isReadable() {
		first = v.Definition.Phases[0].Name
	}
	add := func(number int, subject string, value doc.Value, at int, is, want string) {
		all = append(all, breach{number: number, subject: subject, at: value.OffsetOr(at), text: subject + " of a new state is " + is + ", not " + want,
			fix: "write " + want + ", or the time of the change into last_updated"})
	}
	root := v.root()
	if v.Status != core.Active {
		add(8, "status", root.Get("status"), root.Offset(), wordOr(v.Status), core.Active)
	}
	if first != "" && v.Phase != first {
		add(9, "phase", root.Get("phase"), root.Offset(), protocol.Quote(v.Phase), first)
	}
	for _, g := range v.State.Gates {
		if g.Status != core.Pending {
			add(10, g.Name, g.Value.Get("status"), g.Value.KeyOffset(), wordOr(g.Status), core.Pending)
		}
	}
	for _, p := range v.State.Phases {
		want := core.Pending
		if p.Name == first {
			want = core.Active
		}
		if p.Status != want && (first != "" || p.Status != core.Active) {
			add(11, p.Name, p.Value.Get("status"), p.Value.KeyOffset(), wordOr(p.Status), want)
		}
	}
	return all
}

// checkState checks that every field is there, says a word that the protocol knows, and fits the status.
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
	root := v.root()
	protocol.CheckMissing(root, "", stateFields, missing)
	dialect("the loop", root, v.Status, core.LoopWord(v.Status))
	for _, p := range v.State.Phases {
		protocol.CheckMissing(p.Value, "phases."+p.Name, phaseFields, missing)
		v.checkNames(v.Source, p.Name, p.Value, "skills", "deliverables")
		dialect(protocol.Quote(p.Name), p.Value, p.Status, core.PhaseWord(p.Status))
		v.checkPhase(p)
	}
	for _, g := range v.State.Gates {
		protocol.CheckMissing(g.Value, "gates."+g.Name, gateFields, missing)
		v.checkApproval(v.Source, g.Name, g.Value)
		v.checkNames(v.Source, g.Name, g.Value, "deliverables")
		dialect(protocol.Quote(g.Name), g.Value, g.Status, core.GateWord(g.Status))
		v.checkGate(g)
	}
	v.checkOrder()
}

// checkApproval reports an approvalType that the protocol does not know.
func (v *view) checkApproval(s protocol.Source, name string, in doc.Value) {
	field := in.Get("approvalType")
	if _, unknown := approvalOf(field.Text()); unknown != "" {
		v.report(s.Pos(field.Offset()), model.Warning, ruleWord, "approvalType of "+protocol.Quote(name)+" is "+protocol.UnknownWord(unknown), "write human, conditional or auto")
	}
}

// checkNames reports lists of names that have objects in them.
func (v *view) checkNames(s protocol.Source, name string, in doc.Value, keys ...string) {
	for _, key := range keys {
		for element := range in.Get(key).Children() {
			if element.Is(doc.Map) {
				v.report(s.Pos(element.Offset()), model.Warning, ruleType, key+" of "+protocol.Quote(name)+" has objects, not names", "write names, as text")
				break
			}
		}
	}
}

// checkGate holds what a gate carries against its status.
func (v *view) checkGate(g core.Item) {
	say := func(key, text, fix string) {
		v.report(v.PosOf(g.Value.Get(key), g.Value.KeyOffset()), model.Warning, ruleWhen, protocol.Quote(g.Name)+" "+text, fix)
	}
	word, passedAt, reason := core.GateWord(g.Status), g.Value.Get("passedAt").Text(), g.Value.Get("skippedReason").Text()
	if !core.GateMachine.Knows(word) {
		return
	}
	switch isPassed := word == core.Passed; {
	case passedAt != "" && !isPassed:
		say("passedAt", "is "+wordOr(g.Status)+", but passedAt has a time", "write null into passedAt")
	case passedAt == "" && isPassed:
		say("passedAt", "has passed, but passedAt has no time", "write the time, like 2026-06-01T12:34:56Z")
	case v.outside(passedAt) != "":
		say("passedAt", "passed "+v.outside(passedAt), "correct one of the times")
	}
	switch isSkipped := word == core.Skipped; {
	case reason != "" && !isSkipped:
		say("skippedReason", "is "+wordOr(g.Status)+", but has a reason for a skip", "write null into skippedReason")
	case isSkipped && transition.CheckReason(reason) != transition.OK:
		say("skippedReason", "was skipped without a reason of more than 10 characters", "write the reason into skippedReason")
	}
}

// outside says of a time that it is before the loop was started or after it was updated last; "" if it is neither.
func (v *view) outside(text string) string {
	at, from, to := protocol.ParseTime(text), v.time("started_at"), v.time("last_updated")
	switch {
	case at.IsZero():
	case !from.IsZero() && at.Before(from.Truncate(time.Second)): // some write fractions, some do not
		return "before started_at of the loop"
	case !to.IsZero() && at.Truncate(time.Second).After(to):
		return "after last_updated of the loop"
	}
	return ""
}

// checkPhase holds the times of a phase against its status.
func (v *view) checkPhase(p core.Item) {
	say := func(key, text, fix string) {
		v.report(v.PosOf(p.Value.Get(key), p.Value.KeyOffset()), model.Warning, ruleWhen, protocol.Quote(p.Name)+" "+text, fix)
	}
	word, startedAt, completedAt := core.PhaseWord(p.Status), p.Value.Get("startedAt").Text(), p.Value.Get("completedAt").Text()
	from, to := protocol.ParseTime(startedAt), protocol.ParseTime(completedAt)
	switch {
	case !core.PhaseMachine.Knows(word):
	case word == core.Complete && completedAt == "":
		say("completedAt", "is complete, but completedAt has no time", "write the time, like 2026-06-01T12:34:56Z")
	case word != core.Complete && completedAt != "":
		say("completedAt", "is "+wordOr(p.Status)+", but completedAt has a time", "write null into completedAt, or complete into status")
	case !from.IsZero() && !to.IsZero() && to.Before(from):
		say("completedAt", "was completed before it began", "correct one of the times")
	case v.outside(startedAt) != "":
		say("startedAt", "began "+v.outside(startedAt), "correct one of the times")
	case v.outside(completedAt) != "":
		say("completedAt", "was completed "+v.outside(completedAt), "correct one of the times")
	}
}

// checkOrder holds the statuses against the steps that may have led to them: no phase begins before the one ahead is over or past an
// undecided gate, one is active at a time, and no required one is skipped.
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
			v.report(v.gatePos(i), model.Warning, ruleOrder, protocol.Quote(v.Gates[i].ID)+" is "+wordOr(v.Gates[i].Status)+", but "+protocol.Quote(v.Phases[at].Name)+" behind it has begun", "decide it; work should have waited")
		}
	}
	if from, to := v.time("started_at"), v.time("last_updated"); !from.IsZero() && !to.IsZero() && to.Before(from) {
		v.report(v.PosOf(v.root().Get("last_updated"), 0), model.Warning, ruleWhen, "the state was updated before it was started", "correct last_updated or started_at")
	}
}

// checkDefinition checks the fields of the definition.
func (v *view) checkDefinition() {
	source, d := v.definition.source, v.Definition
	protocol.ReportParsed(v.b, source, ruleDefinition, d.Repeated)
	check := func(object doc.Value, name string, fields []protocol.Field) {
		protocol.CheckTypes(object, name, fields, func(at int, text, fix string) { v.report(source.Pos(at), model.Warning, ruleType, text, fix) })
	}
	check(d.Tree.Root(), source.File, definitionFields)
	protocol.CheckMissing(d.Tree.Root(), source.File, definitionFields, func(at int, _ bool, text, fix string) { v.report(source.Pos(at), model.Warning, ruleField, text, fix) })
	for _, p := range d.Phases {
		check(p.Value, "phase "+protocol.Quote(p.Name)+" of "+source.File, definedPhaseFields)
		v.checkList(source, p.Name, p.Value.Get("skills"), "skills")
	}
	for _, g := range d.Gates {
		for _, place := range g.Values {
			check(place, "gate "+protocol.Quote(g.ID)+" of "+source.File, definedGateFields)
			v.checkList(source, g.ID, place.Get("deliverables"), "deliverables")
			if place.Get("approvalType").Text() != "manual" { // older definitions
				v.checkApproval(source, g.ID, place)
			}
		}
	}
}

// checkList reports a list of the definition that has entries without a name.
func (v *view) checkList(s protocol.Source, name string, list doc.Value, key string) {
	if _, isWhole := names(list, slices.Concat(fileKeys, nameKeys)...); list.Is(doc.List) && !isWhole {
		v.report(s.Pos(list.Offset()), model.Warning, ruleType, key+" of "+protocol.Quote(name)+" in "+s.File+" has entries without a name", "write names, as text; the other entries are ignored")
	}
}
