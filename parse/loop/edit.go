// What a human's decision changes in a state file: the gate and last_updated, or the loop's status; nothing else.
// README.md, "What may be done".

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
	"gatehouse/parse/loop/rules"
	"gatehouse/parse/reader"
	"gatehouse/parse/text/edit"
	"gatehouse/parse/text/jsondoc"
)

// askedText stands for a reason that has yet to be typed, where what would be written is only shown.
const askedText = "(the reason you give)"

// gateActions are the verbs about a gate, as flow calls them.
var gateActions = map[model.Verb]string{
	model.VerbApprove: rules.Approve, model.VerbSkip: rules.Skip, model.VerbChanges: rules.Changes, model.VerbRetry: rules.Retry,
}

// loopActions are the verbs about a loop, as the rules call them, and the word that has to be typed before.
var loopActions = map[model.Verb]struct{ is, confirm string }{
	model.VerbPause:       {rules.Pause, ""},
	model.VerbResume:      {rules.ResumeLoop, ""},
	model.VerbAbort:       {rules.Abort, "abort"},
	model.VerbRetryFailed: {rules.RetryFailed, "retry"},
	model.VerbComplete:    {rules.Finish, ""},
	model.VerbRestart:     {rules.Restart, "restart"},
}

// Target returns the state file, which every decision about a loop is written to. Its error is a [*model.Refusal].
func (r *Reader) Target(a model.Action, now time.Time) (edit.Target, error) {
	s := mirror.Read(r.m, r.file, parseState).Value
	if s == nil {
		return edit.Target{}, fmt.Errorf("%s: %w", r.file, edit.ErrUnreadable)
	}
	if err := r.editable(s); err != nil {
		return edit.Target{}, err
	}
	_, ofGate := gateActions[a.Verb]
	_, ofLoop := loopActions[a.Verb]
	if !ofGate && !ofLoop && a.Verb != model.VerbSkipPhase && a.Verb != model.VerbUndo {
		return edit.Target{}, &model.Refusal{Code: string(rules.Forbidden), Text: fmt.Sprintf("a loop knows no %q", string(a.Verb))}
	}
	return edit.Target{File: r.file, Judge: func(content string) (edit.Answer, error) { return r.judge(a, content, now) }}, nil
}

// editable returns a refusal where nothing of the file may be changed.
func (r *Reader) editable(s *state) error {
	if s.readOnly == "" {
		return nil
	}
	return &model.Refusal{Code: string(rules.Forbidden), Text: r.file + " is read only here: " + s.readOnly}
}

// judge finds what an action is about in the content of the state file. Its error is a [*model.Refusal], or says why that is
// no state.
func (r *Reader) judge(a model.Action, content string, now time.Time) (edit.Answer, error) {
	v, err := r.parse(content, now)
	if err != nil {
		return nil, err
	}
	if err := r.editable(v.s); err != nil {
		return nil, err
	}
	action, ofGate := gateActions[a.Verb]
	switch {
	case v.loop.Unread != "" && (a.Verb == model.VerbComplete || a.Verb == model.VerbSkipPhase):
		text, _ := v.unread()
		return nil, &model.Refusal{Code: string(rules.Forbidden), Text: line.Tidy(text), Fix: "mend it first"}
	case ofGate:
		i := v.ruleOf(a.Node)
		switch {
		case i < 0 && v.loop.Status != rules.Active: // that comes first, whatever gate is meant
			return nil, v.notActive(&model.Refusal{Code: string(rules.LoopNotActive)})
		case i < 0 || v.loop.Gates[i].At < 0:
			return nil, v.noGate(a.Node)
		}
		return func(q edit.Request) (*edit.Change, error) { return v.editGate(q, i, action) }, nil
	case a.Verb == model.VerbUndo:
		return v.undo, nil
	case a.Verb == model.VerbSkipPhase:
		return v.skipPhase, nil
	case a.Verb == model.VerbRestart:
		return v.restart, nil
	}
	return v.editLoop, nil
}

// parse returns the loop by a content of its file.
func (r *Reader) parse(content string, now time.Time) (*view, error) {
	s, err := parseState(content)
	var place *mirror.Fault
	switch {
	case errors.As(err, &place):
		return nil, fmt.Errorf("%s:%d:%d: %s; nothing is written to a file that can't be read", r.file, place.Line, place.Col, place.Text)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", r.file, err)
	case s == nil:
		return nil, fmt.Errorf("%s: this is no loop's state any more; nothing is written to it", r.file)
	}
	v := &view{r: r, now: now, s: s, read: mirror.Result[*state]{Value: s, Exists: true}}
	v.decide()
	return v, nil
}

// lastUpdated returns what last_updated has to say: now, or what it says already where that is later.
func (v *view) lastUpdated(now time.Time) string {
	if old := reader.Time(v.s.updated); old.After(now.Truncate(time.Second)) {
		return v.s.updated
	}
	return reader.Stamp(now)
}

// change returns the change that makes the writes of an action.
func (v *view) change(q edit.Request, p model.Proposal, was, is string, writes []rules.Write) (*edit.Change, error) {
	values := make([]jsondoc.Assignment, len(writes))
	for i, w := range writes {
		if slices.Equal(w.Path, lastUpdated) {
			w.Value = v.lastUpdated(q.Now)
		}
		values[i] = jsondoc.Text(w.Value, w.Path...)
	}
	spans, err := jsondoc.Set(q.Content, values)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", v.r.file, err)
	}
	return v.changed(p, was, is, spans), nil
}

var lastUpdated = []string{"last_updated"}

// changed returns a change of the status of its target.
func (v *view) changed(p model.Proposal, was, is string, spans []model.Span) *edit.Change {
	slices.SortStableFunc(spans, func(a, b model.Span) int { return a.At - b.At })
	if p.Effect == "" {
		p.Effect = line.Tidy(word(was) + " → " + is)
	}
	return &edit.Change{Proposal: p, Was: was, Is: is, Spans: spans, Of: v.loopID(), Began: reader.Time(v.s.started)}
}

// editGate approves, skips or retries a gate, or asks for changes.
func (v *view) editGate(q edit.Request, i int, verb string) (*edit.Change, error) {
	g := v.gate(i)
	action := rules.GateAction{Gate: g.Name, Verb: verb, Text: q.Text, Now: reader.Stamp(q.Now)}
	if q.Asking && strings.TrimSpace(q.Text) == "" {
		action.Text = askedText
	}
	p := v.gateProposal(i)
	lacks := ""
	if q.Verb == model.VerbApprove {
		action.Missing, lacks = v.missing(deliverablesOf(g, v.definedGate(g.Name)))
	}
	writes, warnings, code := v.loop.GateAction(action)
	is := g.Status
	switch {
	case code == rules.DeliverablesMissing:
		if !q.Asking && !q.RecordFailed {
			return nil, &model.Refusal{Code: string(code), Text: lacks, Fix: "have it delivered first, or go on and the gate is written failed"}
		}
		p.Missing, p.Lacks, is = action.Missing, lacks, rules.Failed
		p.Warnings = append(p.Warnings, lacks+": the check of the deliverables fails, and going on writes the gate failed, and nothing is released")
	case code != rules.OK:
		return nil, v.refuseGate(i, code, action)
	case q.Verb == model.VerbApprove:
		is = rules.Passed
		v.beforeApproving(i, &p)
	case q.Verb == model.VerbSkip:
		is, p.Wants = rules.Skipped, "reason"
	case q.Verb == model.VerbChanges:
		p.Wants, p.Effect = "changes", "the gate stays pending; what you ask for is handed on to whoever waits for the gate"
	case q.Verb == model.VerbRetry:
		is = rules.Pending
	}
	if is == rules.Passed || is == rules.Skipped {
		p.Releases = v.releases(i)
	}
	if slices.Contains(warnings, rules.RequiredGateSkipped) {
		p.Warnings = append(p.Warnings, "the gate is required; the protocol has no way back from a skip")
	}
	return v.change(q, p, g.Status, is, writes)
}

// gateProposal returns what is known of a gate, for whoever decides it.
func (v *view) gateProposal(i int) model.Proposal {
	g := v.gate(i)
	d := v.definedGate(g.Name)
	p := model.Proposal{Name: line.Tidy(g.Name), Evidence: v.artifacts(deliverablesOf(g, d))}
	if v.reached(i) || v.loop.Gates[i].After < 0 { // what nothing has come to waits for nobody
		p.Since, _ = v.since(i)
	}
	if warning := v.twinWarning(i); warning != "" {
		p.Warnings = append(p.Warnings, line.Tidy(warning))
	}
	p.Asks, _ = asks(d)
	approval, _ := approvalOf(g, d)
	p.Terms = string(approval) + ", optional"
	if v.loop.Gates[i].Required {
		p.Terms = string(approval) + ", required"
	}
	if d == nil {
		return p
	}
	for _, check := range [][2]string{{"automatic check: ", d.autoCheck}, {"condition: ", d.condition}} {
		if check[1] != "" {
			p.Checks = append(p.Checks, line.Tidy(check[0]+check[1]))
		}
	}
	for _, c := range d.criteria {
		p.Checks = append(p.Checks, line.Tidy(c))
	}
	return p
}

// beforeApproving warns of what is unusual about letting a gate pass.
func (v *view) beforeApproving(i int, p *model.Proposal) {
	g := v.gate(i)
	if a, _ := approvalOf(g, v.definedGate(g.Name)); a == model.ApprovalAuto {
		p.Warnings = append(p.Warnings, "an automatic check decides this gate; approve it yourself only if you have made the check")
	}
	if at := v.loop.Gates[i].After; at >= 0 && !v.reached(i) {
		p.Warnings = append(p.Warnings, line.Tidy("the work has not come to this gate: phase "+v.loop.Phases[v.loop.Over()].Name+" is not over"))
	}
	if v.loop.Placed && v.loop.Gates[i].After < 0 {
		p.Warnings = append(p.Warnings, line.Tidy("nobody knows where this gate stands: "+v.unplaced(v.definedGate(g.Name))))
	}
	for _, name := range deliverablesOf(g, v.definedGate(g.Name)) {
		if !isFile(name) {
			p.Checks = append(p.Checks, line.Tidy("deliverable: "+name))
		}
	}
}

// releases names what may begin once a gate is decided: the phase behind it, unless that has begun or another gate is still before it.
func (v *view) releases(i int) []string {
	next := v.next(i)
	if next < 0 || rules.PhaseWord(v.loop.Phases[next].Status) != rules.Pending { // it has begun, or is over
		return nil
	}
	for k := range v.loop.Gates {
		g := &v.loop.Gates[k]
		if w := rules.GateWord(g.Status); k != i && g.After == v.loop.Gates[i].After && g.Required && (w == rules.Pending || w == rules.Failed) {
			return nil
		}
	}
	return []string{line.Tidy("Phase " + v.loop.Phases[next].Name)}
}

// editLoop pauses, resumes, aborts or takes up a loop.
func (v *view) editLoop(q edit.Request) (*edit.Change, error) {
	action, was := loopActions[q.Verb], v.loop.Status
	to, refused := v.loop.LoopAction(action.is)
	if refused != rules.OK {
		return nil, v.refuseLoop(q.Verb, refused)
	}
	p := model.Proposal{Name: line.Tidy(v.name()), Confirm: action.confirm}
	switch q.Verb {
	case model.VerbPause:
		p.Warnings = []string{"gates can't be decided while the loop is paused"}
	case model.VerbComplete:
		p.Warnings = []string{"the protocol has no way back; a loop that is complete can only be begun anew"}
	case model.VerbAbort:
		p.Warnings = []string{"the loop is given up; it can only be taken up again as one that has failed"}
	case model.VerbResume, model.VerbRetryFailed:
		resumed := *v.loop
		resumed.Status = rules.Active
		p.Releases, p.Warnings = resumes(&resumed)
	}
	return v.change(q, p, was, to, []rules.Write{{Path: []string{"status"}, Value: to}, {Path: lastUpdated}})
}

// resumes names the phase in which a loop goes on, or else warns of the gate that has to be decided first.
func resumes(l *rules.Loop) (released, warnings []string) {
	switch r := l.Resume(); r.Action {
	case rules.ContinuePhase:
		released = []string{line.Tidy("Phase " + l.Phases[r.Phase].Name)}
	case rules.GatePrompt:
		warnings = []string{line.Tidy(l.Gates[r.Gate].ID) + " has to be decided before work goes on"}
	}
	return released, warnings
}

// loopID returns the ID of the loop, by its definition where the state names none; "" where neither does.
func (v *view) loopID() string {
	if v.d == nil {
		return v.s.ID
	}
	return v.s.Name(v.d.Definition)
}

// name is what people call the loop.
func (v *view) name() string {
	if id := v.loopID(); id != "" {
		return id
	}
	return strings.TrimSuffix(path.Base(v.r.file), ".json")
}
