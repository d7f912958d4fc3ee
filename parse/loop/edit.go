package loop

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/doc"
	"gatehouse/parse/loop/core"
	"gatehouse/parse/protocol"
	"gatehouse/parse/protocol/transition"
)

// reasonToCome is the placeholder for the reason while a change is shown before one is typed.
const reasonToCome = "(the reason you give)"

// The keys of a loop's times. Every decision writes updateKey.
const (
	startKey  = "started_at"
	updateKey = "last_updated"
)

// confirmWords are the words that a user has to type to confirm a verb about a loop.
var confirmWords = map[model.Verb]string{model.VerbAbort: "abort", model.VerbRetryFailed: "retry", model.VerbRestart: "restart"}

// loopWarnings are shown before a verb about a loop.
var loopWarnings = map[model.Verb]string{
	model.VerbPause:    "gates can't be decided while the loop is paused",
	model.VerbComplete: "this can't be undone by the protocol: a complete loop can only be started over",
	model.VerbAbort:    "the loop fails; it can only be retried or started over",
}

// Target returns the state file, to which every decision about a loop is written. Its error is a [*model.Refusal].
func (r *Reader) Target(a model.Action, now time.Time) (protocol.Target, error) {
	if f := mirror.Read(r.m, r.file, parseState).Value; f == nil || f.State == nil {
		return protocol.Target{}, fmt.Errorf("%s: %w", r.file, protocol.ErrUnreadable)
	}
	return protocol.Target{File: r.file, Judge: func(content string) (protocol.Answer, error) { return r.judge(a, content, now) }}, nil
}

// judge finds the target of an action in the content of the state file.
func (r *Reader) judge(a model.Action, content string, now time.Time) (protocol.Answer, error) {
	v, err := r.parse(content, now)
	if err != nil {
		return nil, err
	}
	_, isGate := core.GateResult(string(a.Verb))
	_, code := v.CheckLoop(string(a.Verb))
	switch {
	case v.Unread != "" && (a.Verb == model.VerbComplete || a.Verb == model.VerbSkipPhase):
		return nil, protocol.Refuse(transition.Forbidden, v.unreadText(), "fix that first")
	case isGate:
		i := slices.Index(v.gateIDs, a.Node)
		switch {
		case i < 0 && v.Status != core.Active: // the status of the loop comes first, whatever the gate
			return nil, v.refuseInactive(transition.LoopNotActive)
		case i < 0 || v.Gates[i].Item == nil:
			return nil, v.refuseNoGate(a.Node)
		}
		return func(q protocol.Request) (*protocol.Change, error) { return v.changeGate(q, i) }, nil
	case a.Verb == model.VerbUndo:
		return v.undo, nil
	case a.Verb == model.VerbSkipPhase:
		return v.skipPhase, nil
	case a.Verb == model.VerbRestart:
		return v.restart, nil
	case code == transition.Forbidden && !slices.Contains(loopVerbs, a.Verb):
		return nil, protocol.Refuse(transition.Forbidden, string(a.Verb)+" does not apply to a loop", "")
	}
	return v.changeLoop, nil
}

// parse returns the loop for a content of its file.
func (r *Reader) parse(content string, now time.Time) (*view, error) {
	f, err := parseState(content)
	var fault *mirror.Fault
	switch {
	case errors.As(err, &fault):
		return nil, fmt.Errorf("%s:%d:%d: %s; a file that can't be read is never written", r.file, fault.Line, fault.Col, fault.Text)
	case f.State == nil:
		return nil, fmt.Errorf("%s: it is not the state of a loop any more; it is not written", r.file)
	}
	return r.newView(mirror.Result[*stateFile]{Value: f, Exists: true}, now), nil
}

// newEdit returns the change that applies assignments and updates the time of the state.
func (v *view) newEdit(q protocol.Request, p model.Proposal, was, is string, assignments ...doc.Assignment) (*protocol.Change, error) {
	stamp := protocol.AssignStamp(q.Now, v.textAt(updateKey), updateKey)
	spans, err := doc.SetJSON(q.Content, append(assignments, stamp))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", v.File, err)
	}
	return v.newChange(p, was, is, protocol.ModelSpans(spans)), nil
}

func (v *view) newChange(p model.Proposal, was, is string, spans []model.Span) *protocol.Change {
	c := protocol.NewChange(p, was, is, spans)
	c.Of, c.Began = v.ID(), v.timeAt(startKey)
	return c
}

// changeGate approves, skips or retries a gate, or asks for changes.
func (v *view) changeGate(q protocol.Request, i int) (*protocol.Change, error) {
	g, d := &v.Gates[i], v.gateTerms(i)
	if code := v.CheckGate(i, string(q.Verb)); code != transition.OK {
		return nil, v.refuseGate(i, code)
	}
	is, _ := core.GateResult(string(q.Verb))
	text := q.Text
	if q.Asking && strings.TrimSpace(text) == "" {
		text = reasonToCome
	}
	set := func(key, value string) doc.Assignment { return doc.AssignText(value, "gates", g.ID, key) }
	deliverables := v.findDeliverables(d.Deliverables)
	p := v.gateProposal(i, d, deliverables)
	var assignments []doc.Assignment
	switch q.Verb {
	case model.VerbApprove:
		if !v.HasReached(&v.waits, i) && g.After >= 0 && !q.Ahead {
			return nil, protocol.Refuse(transition.NotReached, g.ID+" is ahead of the work: phase "+v.Phases[v.CountOver()].Name+" is not over", "wait for it, or approve it with --ahead")
		}
		var lacks string
		if p.Missing, lacks = protocol.Lacking(deliverables); len(p.Missing) == 0 {
			d.AddApprovalChecks(&p)
			if warning := v.placeWarning(i); warning != "" {
				p.Warnings = append(p.Warnings, line.Tidy(warning))
			}
			assignments = append(assignments, set("passedAt", protocol.FormatTime(q.Now)))
			break
		}
		if !q.Asking && !q.RecordFailed {
			return nil, protocol.Refuse(transition.DeliverablesMissing, lacks, "have the agents deliver what is missing, or record the failed check")
		}
		p.Lacks, is = lacks, core.Failed
		p.Warnings = append(p.Warnings, lacks+": going on records that the check failed; nothing is released")
	case model.VerbSkip:
		if refused := protocol.CheckSkipReason(text); refused != nil {
			return nil, refused
		}
		p.Wants = "reason"
		if g.Required {
			p.Warnings = append(p.Warnings, "the gate is required, and the protocol has no way back from a skip")
		}
		assignments = append(assignments, set("skippedReason", text))
	case model.VerbChanges:
		if strings.TrimSpace(text) == "" {
			return nil, protocol.Refuse(transition.FeedbackRequired, "no changes are described", "say what should change")
		}
		p.Wants, p.Effect = "changes", "the gate stays pending; your request goes to the agent that waits for it"
		return v.newEdit(q, p, g.Status, is)
	}
	if is == core.Passed || is == core.Skipped {
		p.Releases = v.releasedBy(i, is)
	}
	return v.newEdit(q, p, g.Status, is, append(assignments, set("status", is))...)
}

// gateProposal returns the proposal to decide a gate. A gate ahead of the work has no waiting time.
func (v *view) gateProposal(i int, t protocol.GateTerms, deliverables []protocol.Deliverable) model.Proposal {
	p := t.Proposal(v.Gates[i].ID, v.Gates[i].Required, deliverables)
	if v.HasReached(&v.waits, i) || v.Gates[i].After < 0 {
		p.Since = v.gateSince(i).At
	}
	return p
}

// placeWarning warns of a gate that work has not reached, or may not have reached; "" for another gate.
func (v *view) placeWarning(i int) string {
	switch g := &v.Gates[i]; {
	case g.After < 0:
		return "the place of this gate is unknown: " + v.unplacedWhy(i)
	case g.After >= 0 && !v.HasReached(&v.waits, i):
		return "the work has not reached this gate: phase " + v.Phases[v.CountOver()].Name + " is not over"
	}
	return ""
}

// releasedBy returns the phase that can begin once a gate has a status.
func (v *view) releasedBy(i int, is string) []string {
	next := v.nextPhase(i)
	if next < 0 {
		return nil
	}
	decided := *v.Loop
	decided.Gates = slices.Clone(v.Gates)
	decided.Gates[i].Status = is
	r := decided.FindResume()
	if r.Action != core.ContinuePhase || r.Phase != next || v.Unread != "" || v.CountOver() < next || decided.CheckPhase(v.Phases[next].Name, core.Active) != transition.OK {
		return nil
	}
	return []string{line.Tidy("Phase " + v.Phases[next].Name)}
}

// changeLoop changes the status of the loop.
func (v *view) changeLoop(q protocol.Request) (*protocol.Change, error) {
	to, code := v.CheckLoop(string(q.Verb))
	if code != transition.OK {
		return nil, v.refuseLoop(q.Verb, code)
	}
	p := model.Proposal{Name: line.Tidy(v.loopName()), Confirm: confirmWords[q.Verb]}
	if warning := loopWarnings[q.Verb]; warning != "" {
		p.Warnings = []string{warning}
	}
	if to == core.Active {
		resumed := *v.Loop
		resumed.Status = to
		switch r := resumed.FindResume(); r.Action {
		case core.ContinuePhase:
			p.Releases = []string{line.Tidy("Phase " + v.Phases[r.Phase].Name)}
		case core.GatePrompt:
			p.Warnings = append(p.Warnings, line.Tidy(v.Gates[r.Gate].ID)+" has to be decided before work goes on")
		}
	}
	return v.newEdit(q, p, v.Status, to, doc.AssignText(to, "status"))
}

// skipPhase skips a phase that is not required.
func (v *view) skipPhase(q protocol.Request) (*protocol.Change, error) {
	i := slices.Index(v.phaseIDs, q.Node)
	if i < 0 {
		return nil, protocol.Refuse(transition.NoPhase, fmt.Sprintf("%s has no phase %q", v.File, q.Node), "")
	}
	p := &v.Phases[i]
	if code := v.checkSkipPhase(i); code != transition.OK {
		return nil, v.refusePhase(p, code)
	}
	proposal := model.Proposal{Name: line.Tidy(p.Name), Warnings: []string{"the protocol has no way back from a skip"}}
	return v.newEdit(q, proposal, protocol.WordOr(p.Status), core.Skipped, doc.AssignText(core.Skipped, "phases", p.Name, "status"))
}

// restart archives the state and replaces it by one generated from the definition.
func (v *view) restart(q protocol.Request) (*protocol.Change, error) {
	if _, code := v.CheckLoop(core.Restart); code != transition.OK {
		return nil, v.refuseLoop(q.Verb, code)
	}
	if !v.definition.isReadable() {
		text := "no loop.json of " + v.loopName() + " was found"
		if v.definition.unread != "" {
			text = v.definition.unread + " can't be read"
		}
		return nil, protocol.Refuse(transition.Forbidden, text, "a new state is made from it; put it beside the state, or name its directory in GATEHOUSE_LOOPS")
	}
	text, _, err := generate(v.Definition, q.Now)
	if err != nil {
		return nil, protocol.Refuse(transition.Forbidden, v.definition.source.File+": "+err.Error(), "")
	}
	// The archive is named after the state's own time, so that a restart that was killed and repeated writes the same file.
	at := q.Now
	if updated := v.timeAt(updateKey); !updated.IsZero() {
		at = updated
	}
	archive := strings.TrimSuffix(v.File, ".json") + "-" + at.UTC().Format("20060102T150405Z") + ".json"
	p := model.Proposal{
		Name: line.Tidy(v.loopName()), Confirm: confirmWords[q.Verb], Effect: line.Tidy(protocol.WordOr(v.Status) + " → a new state, made from " + v.definition.source.File),
		Warnings: []string{line.Tidy("the present state is kept in " + path.Base(archive)), "the agents' deliverables stay as they are"},
		Releases: []string{line.Tidy("Phase " + v.Definition.Phases[0].Name)},
	}
	return &protocol.Change{Proposal: p, Was: v.Status, Is: core.Active, Keeps: []protocol.Copy{{File: archive, Content: q.Content}},
		Spans: []model.Span{{Old: q.Content, New: text, Label: "the whole state"}}}, nil
}

// undo restores the values that the last decision replaced, with a new last_updated. The protocol itself has no undo.
func (v *view) undo(q protocol.Request) (*protocol.Change, error) {
	i, p := -1, model.Proposal{Name: line.Tidy(v.loopName())}
	if q.Node != "" {
		if i = slices.Index(v.gateIDs, q.Node); i < 0 || v.Gates[i].Item == nil {
			return nil, v.refuseNoGate(q.Node)
		}
		d := v.gateTerms(i)
		p = v.gateProposal(i, d, v.findDeliverables(d.Deliverables))
	}
	for _, refused := range []*model.Refusal{v.refuseOtherLoop(q.Last), v.refuseBegun(q.Last, i), protocol.CheckUndo(q)} {
		if refused != nil {
			return nil, refused
		}
	}
	c, refused := protocol.UndoChange(q, v.File, protocol.Region{Dependent: []string{"passedAt", "skippedReason"}}, updateKey)
	if refused != nil {
		return nil, refused
	}
	if q.Last.Verb == model.VerbRestart { // restore the old state as a whole
		return v.newChange(p, c.Was, c.Is, c.Spans), nil
	}
	stamp, err := doc.SetJSON(q.Content, []doc.Assignment{protocol.AssignStamp(q.Now, v.textAt(updateKey), updateKey)})
	if err != nil {
		return nil, err
	}
	spans := slices.DeleteFunc(c.Spans, func(s model.Span) bool { return s.Label == updateKey })
	if q.Last.Verb == model.VerbChanges {
		p.Effect = "the request for changes is withdrawn"
	}
	return v.newChange(p, c.Was, c.Is, append(spans, protocol.ModelSpans(stamp)...)), nil
}

// refuseOtherLoop refuses to undo a decision about a loop that was replaced. A restart is undone as a whole.
func (v *view) refuseOtherLoop(last *model.Decision) *model.Refusal {
	if last != nil && last.Verb == model.VerbRestart {
		return nil
	}
	return protocol.CheckSameWork(last, v.File, v.ID(), v.timeAt(startKey))
}

// refuseBegun refuses to undo a decision about a gate once the phase after it has begun, the loop is complete, or the gate was passed
// again since.
func (v *view) refuseBegun(last *model.Decision, i int) *model.Refusal {
	if i < 0 || last == nil || last.Is == last.Was {
		return nil
	}
	refuse := func(text string) *model.Refusal {
		return protocol.Refuse(transition.Forbidden, text, "tell the agents what you want instead")
	}
	if core.LoopWord(v.Status) == core.Complete {
		return refuse("the loop is complete")
	}
	next := v.nextPhase(i)
	for at := next; at >= 0 && at < len(v.Phases); at++ {
		switch word := core.PhaseWord(v.Phases[at].Status); {
		case word == core.Pending, word == core.Skipped && at > next:
		case word == core.Skipped:
			return refuse("phase " + v.Phases[at].Name + ", behind the gate, was skipped")
		default:
			return refuse("phase " + v.Phases[at].Name + ", behind the gate, has begun")
		}
	}
	return protocol.CheckSameTime(last, v.Gates[i].ID, "passedAt", v.gateValue(i).Get("passedAt").Text())
}

// refuseNoGate refuses an action about a row that is no gate of the state.
func (v *view) refuseNoGate(node string) error {
	if i := slices.Index(v.gateIDs, node); i >= 0 {
		return protocol.Refuse(transition.NoGate, v.definition.source.File+" has the gate "+v.Gates[i].ID+", but "+v.File+" does not", "have the agents add it to the state")
	}
	return protocol.Refuse(transition.NoGate, fmt.Sprintf("%s has no gate %q", v.File, node), "")
}

// gateSentences describe the status of a gate, and what can be done about it.
var gateSentences = map[string]protocol.Sentence{
	core.Failed:  {Is: "has failed", Fix: "retry it first, or skip it"},
	core.Passed:  {Is: "has passed", Fix: "undo the decision, if it was wrong"},
	core.Skipped: {Is: "was skipped", Fix: "undo the decision, if it was wrong"},
	core.Pending: {Is: "is pending", Fix: "approve or skip it, or ask for changes"},
}

// phaseSentences are the same for phases, which can only be skipped.
var phaseSentences = map[string]protocol.Sentence{
	core.Active:   {Is: "is active", Fix: "only a pending phase can be skipped"},
	core.Complete: {Is: "is complete", Fix: "only a pending phase can be skipped"},
	core.Skipped:  {Is: "was skipped"},
	core.Pending:  {Is: "is pending"},
}

// refuseGate returns why an action on a gate is refused.
func (v *view) refuseGate(i int, code transition.Code) error {
	g, value := &v.Gates[i], v.gateValue(i)
	if code == transition.LoopNotActive {
		return v.refuseInactive(code)
	}
	details := ""
	if at := value.Get("passedAt").Text(); g.Status == core.Passed && at != "" {
		details = ", at " + at
	} else if reason := value.Get("skippedReason").Text(); g.Status == core.Skipped && reason != "" {
		details = ": " + reason
	}
	return protocol.RefuseStatus(code, g.ID, g.Status, gateSentences, details, core.GateMachine.States)
}

// refusePhase returns why skipping a phase is refused.
func (v *view) refusePhase(p *core.Phase, code transition.Code) error {
	name := "phase " + core.PhaseName(p.Name)
	switch code {
	case transition.LoopNotActive:
		return v.refuseInactive(code)
	case transition.PhaseRequired:
		return protocol.Refuse(code, name+" is required", "have the agents do it")
	}
	return protocol.RefuseStatus(code, name, p.Status, phaseSentences, "", core.PhaseMachine.States)
}

// statusText returns the status of the loop as a sentence.
func (v *view) statusText() string {
	if v.Status == core.Failed {
		return "the loop has failed"
	}
	return "the loop is " + v.Status
}

// refuseInactive returns why actions on a loop that is not active are refused.
func (v *view) refuseInactive(code transition.Code) error {
	text, fix := v.statusText(), ""
	switch core.LoopWord(v.Status) {
	case core.Paused:
		fix = "resume it first"
	case core.Complete:
		if fix = "start over (gatehouse restart)"; v.isOverclaiming() {
			text, fix = "the file says that the loop is "+protocol.Quote(v.Status)+", but "+v.unfinishedText(), "fix that first"
			if v.isAllowed(model.VerbResume) {
				fix = "resume it first (gatehouse resume)"
			}
		}
	case core.Failed:
		fix = "retry it first (gatehouse resume --retry-failed)"
	default:
		return protocol.RefuseStatus(code, "the loop", v.Status, nil, "", core.LoopMachine.States)
	}
	return protocol.Refuse(code, text, fix)
}

// refuseLoop returns why an action on a loop is refused.
func (v *view) refuseLoop(verb model.Verb, code transition.Code) error {
	text := v.statusText()
	switch {
	case code == transition.SameStatus:
		return protocol.RefuseAlready(text + " already")
	case code == transition.Unfinished:
		return protocol.Refuse(code, v.unfinishedText(), "a loop is complete when its phases are over and its gates are decided")
	case verb == model.VerbRestart && code != transition.UnknownStatus:
		return protocol.Refuse(code, text, "only a complete or failed loop can be started over; abort it first")
	case v.Status == core.Active:
		return protocol.Refuse(code, text, "")
	}
	return v.refuseInactive(code)
}
