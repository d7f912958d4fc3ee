// The gates of a loop: what each asks, whether the work has come to it, and what may be done about it.

package loop

import (
	"path"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/loop/rules"
	"gatehouse/parse/reader"
	"gatehouse/parse/text/jsondoc"
)

// gateRow makes the row of a gate of the rules.
func (v *view) gateRow(i int) *model.Node {
	g, rule := v.gate(i), &v.loop.Gates[i]
	d := v.definedGate(g.Name)
	n := &model.Node{ID: v.gateIDs[i], Kind: model.KindGate, Title: line.Tidy(g.Name), Raw: line.Tidy(g.Status), Source: v.pos(g.at)}
	gate := &model.Gate{
		Required: rule.Required, Reason: line.Tidy(g.skipped), Opens: v.opens(i), Can: v.gateVerbs(rule),
		Potential: !v.reached(i),
	}
	gate.Asks, gate.Expects = asks(d)
	n.Gate = gate
	var odd string
	gate.Approval, odd = approvalOf(g, d)
	fact(n, "approval type", odd)
	n.Status, n.Why = v.gateStatus(i)
	if rule.At < 0 {
		n.Source = v.defined(d.at)
	}
	v.gateFacts(n, i, d)
	v.deliverables(n, deliverablesOf(g, d), v.reached(i))
	return n
}

// definedGate returns the gate of the definition with an ID, nil where there is none.
func (v *view) definedGate(id string) *definedGate {
	if v.d == nil {
		return nil
	}
	return v.d.gateCalled(id)
}

// deliverablesOf returns what a gate is judged by: all that the state names, and all that the definition does.
func deliverablesOf(g *stateGate, d *definedGate) []string {
	if d == nil {
		return g.deliverables
	}
	return distinct(slices.Concat(g.deliverables, d.deliverables))
}

// asks returns what a gate asks, and what lets it pass.
func asks(d *definedGate) (asks, expects string) {
	if d == nil {
		return "", ""
	}
	asks = d.name
	if d.description != "" {
		if asks != "" {
			asks += ": "
		}
		asks += d.description
	}
	var all []string
	for _, text := range append([]string{d.autoCheck, d.condition}, d.criteria...) {
		if text != "" {
			all = append(all, text)
		}
	}
	return line.Tidy(asks), line.Tidy(strings.Join(all, "; "))
}

// approvalOf says who opens a gate, by the stricter of state and definition; odd is the file's own word where it is none of the
// protocol's. What is not known is a human's.
func approvalOf(g *stateGate, d *definedGate) (a model.Approval, odd string) {
	switch {
	case d == nil:
		return approval(g.approval)
	case g.approval == "":
		return approval(d.approval)
	}
	a, odd = approval(g.approval)
	if defined, word := approval(d.approval); strictness[defined] > strictness[a] {
		return defined, word
	}
	return a, odd
}

// strictness is the order of the kinds of approval.
var strictness = map[model.Approval]int{model.ApprovalAuto: 0, model.ApprovalConditional: 1, model.ApprovalHuman: 2}

// approvalKind is what a word for who opens a gate means.
func approvalKind(word string) model.Approval {
	a, _ := approval(word)
	return a
}

// approval reads a word for who opens a gate; odd is that word where it is none of the protocol's: then a human does.
func approval(word string) (a model.Approval, odd string) {
	switch word {
	case "", "human":
		return model.ApprovalHuman, ""
	case "auto": // and nothing else: what is not known is a human's
		return model.ApprovalAuto, ""
	case "conditional":
		return model.ApprovalConditional, ""
	}
	return model.ApprovalHuman, word
}

// gateStatus says what the status of a gate means. One that is asked for now waits for a human, unless it has failed.
func (v *view) gateStatus(i int) (s model.Status, why string) {
	raw := v.loop.Gates[i].Status
	word := rules.GateWord(raw)
	if v.loop.Gates[i].At < 0 {
		if why = v.lacked(); v.asked(i) {
			return model.Waiting, why
		}
		return model.Unknown, why
	}
	if v.s.kind != "" && raw == "approved" { // the word of those who keep such files
		word = rules.Passed
	}
	switch word {
	case rules.Pending:
		if v.asked(i) {
			return model.Waiting, "the work has come to it"
		}
		s = model.Pending
	case rules.Passed:
		s = model.Done
	case rules.Skipped, "not-applicable":
		s = model.Skipped
	case rules.Failed:
		s = model.Failed
	case "requested":
		if v.s.kind != "" {
			return model.Waiting, "approval was requested"
		}
		fallthrough
	default:
		return model.Unknown, "the file says " + spelled(raw) + ", which no gate can be"
	}
	return s, says(raw, s)
}

// lacked says why nothing is known of a gate that only the definition has.
func (v *view) lacked() string { return "the definition has it, and " + v.r.file + " does not" }

// asked reports whether a gate has to be decided now, before the work goes on.
func (v *view) asked(i int) bool {
	return v.s.kind == "" && v.loop.Status == rules.Active && v.prompted(i)
}

// prompted reports whether a gate is one of those that have to be decided before the work goes on.
func (v *view) prompted(i int) bool { return slices.Contains(v.waiting.Now, i) }

// reached reports whether the work has demonstrably come to a gate: it has to be decided, or the phase that it stands behind is
// over, and with it all before.
func (v *view) reached(i int) bool {
	g := &v.loop.Gates[i]
	if v.s.kind != "" {
		return g.Status == "requested"
	}
	return v.prompted(i) || slices.Contains(v.waiting.Past, i) || g.After >= 0 && g.After < v.loop.Over()
}

// opens returns the rows that a gate releases: the phase behind it.
func (v *view) opens(i int) []string {
	next := v.next(i)
	if next < 0 {
		return nil
	}
	return []string{line.Tidy(phaseID(v.loop.Phases[next].Name))}
}

// next returns the index of the phase that a gate releases, -1 where it is the last, or nobody knows.
func (v *view) next(i int) int {
	if at := v.loop.Gates[i].After; at >= 0 && at+1 < len(v.loop.Phases) {
		return at + 1
	}
	return -1
}

// gateVerbs returns what the protocol allows for a gate.
func (v *view) gateVerbs(g *rules.Gate) (can []model.Verb) {
	if !v.writable() {
		return nil
	}
	for _, verb := range []model.Verb{model.VerbApprove, model.VerbSkip, model.VerbChanges, model.VerbRetry} {
		if v.loop.MayGate(g, gateActions[verb]) == rules.OK {
			can = append(can, verb)
		}
	}
	return can
}

func (v *view) gateFacts(n *model.Node, i int, d *definedGate) {
	g := v.gate(i)
	if d != nil {
		fact(n, "automatic check", d.autoCheck)
		fact(n, "condition", d.condition)
		fact(n, "type", d.oldType)
		for _, c := range d.criteria {
			fact(n, "criterion", c)
		}
	}
	if v.s.kind == "" && v.loop.Gates[i].After < 0 {
		fact(n, "place", "not known: "+v.unplaced(d))
	}
	fact(n, "passed", g.passedAt)
	for _, f := range g.facts {
		fact(n, f[0], f[1])
	}
}

// unplaced says why nobody knows where a gate stands; d is the definition's gate.
func (v *view) unplaced(d *definedGate) string {
	switch {
	case v.d == nil && v.undefinable != nil:
		return v.undefinable.file + " can't be read"
	case v.d == nil:
		return "no loop.json of " + v.name() + " was found, beside the state or in GATEHOUSE_LOOPS"
	case d == nil:
		return v.d.file + " has no such gate"
	case d.once.Dangling:
		return v.d.file + " names it in a phase and defines it nowhere"
	case d.once.After < 0 && d.Behind != "":
		return v.d.file + " has no phase " + reader.Quoted(d.Behind)
	case d.once.After < 0 && d.afterKind != "":
		return "its afterPhase in " + v.d.file + " is " + d.afterKind + ", not the name of a phase"
	case d.once.After < 0:
		return v.d.file + " names no phase that it stands behind"
	}
	return "it stands behind no phase of the state"
}

// ruleOf returns the index of the gate with a row's ID, -1 where there is none.
func (v *view) ruleOf(id string) int {
	for i := range v.gateIDs {
		if v.gateIDs[i] == id {
			return i
		}
	}
	return -1
}

// since says how long a gate has been before the human: from when its phase was completed, or its deliverables came,
// whichever was later; else from the last that was written. byFile says that it is only the time of a file.
func (v *view) since(i int) (newest time.Time, byFile bool) {
	take := func(t time.Time, file bool) {
		if t.After(newest) && !t.After(v.now) {
			newest, byFile = t, file
		}
	}
	if at := v.loop.Gates[i].After; at >= 0 {
		take(reader.Time(v.s.phases[v.loop.Phases[at].At].completed), false)
	}
	g := v.gate(i)
	for _, name := range deliverablesOf(g, v.definedGate(g.Name)) {
		if d := v.look(name); d.there {
			take(d.entry.ModTime, true)
		}
	}
	if newest.IsZero() {
		take(reader.Time(v.s.updated), false)
	}
	if newest.IsZero() {
		take(v.read.ModTime, true)
	}
	return newest, byFile
}

// waits lists the gates that wait for a human. What may be somebody's turn and stops nobody is less certain: a gate that is not
// required, and those that no definition places. So is all of a loop that is not active: nothing can be decided in it as it is.
func (v *view) waits() {
	if v.s.kind != "" {
		for i := range v.loop.Gates {
			if v.loop.Gates[i].Status == "requested" {
				v.wait(i, model.Reached, false)
			}
		}
		return
	}
	switch {
	case v.s.doc == nil:
		if v.r.lost() {
			v.waitWhole(path.Base(v.r.file)+" can't be read: nobody knows what waits in it", model.Pos{File: v.r.file}, false)
		}
		return
	case v.loop.Status == rules.Failed:
		v.waitWhole(v.name()+" has failed: take it up again, or begin it anew", v.pos(v.s.doc.Root.Get("status").Place(0)), false)
	}
	w := &v.waiting
	if rules.LoopWord(v.loop.Status) == rules.Complete && !v.overclaims() {
		return
	}
	if text, at := v.unread(); text != "" {
		v.waitWhole(text, at, v.loop.Status == rules.Failed) // also of one that is paused: somebody has to mend it
	}
	v.waitAll(w.Now, model.Reached, !w.Certain)
	v.waitAll(w.Past, model.Outstanding, !w.Certain)
	if w.Certain {
		v.waitAll(w.Beside, model.Reached, true)
	}
	v.waitAll(w.Anywhere, model.Reached, true)
	model.SortWaits(v.b.Waits)
}

// waitWhole has the loop as a whole wait for a human.
func (v *view) waitWhole(text string, at model.Pos, potential bool) {
	since := reader.Time(v.s.updated)
	if since.IsZero() || since.After(v.now) {
		since = v.read.ModTime
	}
	v.b.Waits = append(v.b.Waits, model.Wait{Text: line.Tidy(text), Evidence: model.Outstanding, Since: since, Potential: potential, Source: at})
}

// unread says what of the loop can't be read, so that nobody knows all that waits, and where it stands; "" where all can.
func (v *view) unread() (text string, at model.Pos) {
	const unknown = ": nobody knows which gates stand in it"
	switch {
	case v.loop.Unread == "":
		return "", at
	case v.d == nil && v.undefinable != nil:
		return v.undefinable.file + " can't be read" + unknown, placeOf(v.undefinable.file, v.undefinable.read.Err)
	case v.d != nil && v.d.Odd:
		return "not all of " + v.d.file + " can be read" + unknown, model.Pos{File: v.d.file}
	}
	if v.s.Unread == "phases" {
		for m := range v.s.doc.Root.Get("phases").Members() {
			if !m.Value.Is(jsondoc.Object) {
				return "phase " + m.Key + " of " + v.r.file + " can't be read: it is " + kindWords[m.Value.Kind()] + ", not an object", v.pos(m.KeyAt)
			}
		}
	}
	gates := v.s.doc.Root.Get("gates")
	return "the gates of " + v.r.file + " can't be read: they are " + kindWords[gates.Kind()] + ", not an object", v.pos(gates.Place(0))
}

func (v *view) waitAll(gates []int, e model.Evidence, potential bool) {
	for _, i := range gates {
		v.wait(i, e, potential)
	}
}

func (v *view) wait(i int, e model.Evidence, potential bool) {
	g, d := v.gate(i), v.definedGate(v.loop.Gates[i].ID)
	text := rules.GateName(g.Name)
	switch {
	case rules.GateWord(g.Status) == rules.Failed:
		text += " has failed: retry or skip it"
	case !rules.KnownGate(g.Status):
		text += " is " + unknownWord(g.Status)
	case d != nil && d.name != "":
		text += ": " + d.name
	}
	if v.loop.Gates[i].At < 0 {
		text += "; " + v.r.file + " lacks it: have the agents add it"
	}
	if a, _ := approvalOf(g, d); a == model.ApprovalAuto {
		text += " (an automatic check decides it)"
	}
	if v.loop.Placed && v.loop.Gates[i].After < 0 {
		text += "; nobody knows where it stands: " + v.unplaced(d)
	}
	if warning := v.twinWarning(i); warning != "" {
		text += "; " + warning
	}
	if !rules.KnownLoop(v.loop.Status) {
		text += "; the loop is " + unknownWord(v.loop.Status)
	}
	since, byFile := v.since(i)
	w := model.Wait{Node: v.gateIDs[i], Text: line.Tidy(text), Evidence: e, Since: since, SinceFile: byFile, Potential: potential, Source: v.pos(g.statusAt)}
	if at := v.loop.Gates[i].After; at >= 0 {
		w.Place = line.Tidy("Phase " + v.loop.Phases[at].Name)
	}
	v.b.Waits = append(v.b.Waits, w)
}
