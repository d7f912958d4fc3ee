// What a human can decide of an ultraplan build: a task's gate is left out or tried again, STATE.md is brought in line with
// the tree. Single lines of the file change, never more.

package ultraplan

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/protocol"
	"gatehouse/parse/text/yamldoc"
	"gatehouse/parse/ultraplan/facts"
	"gatehouse/parse/ultraplan/rules"
	"gatehouse/parse/ultraplan/statemd"
)

// gateEvents are the verbs about a task's gate, as the rules call them.
var gateEvents = map[model.Verb]string{model.VerbSkip: rules.UserSkip, model.VerbRetry: rules.TaskRetry}

// Target returns STATE.md, which every decision is written to. Its error is a [*model.Refusal].
func (r *Reader) Target(a model.Action, now time.Time) (t protocol.Target, err error) {
	c := r.read(now)
	var n *model.Node // the gate, for what is about one
	_, ofGate := gateEvents[a.Verb]
	switch {
	case a.Verb == model.VerbSync, a.Verb == model.VerbUndo && a.Node == "":
		if !c.HasState {
			return t, &model.Refusal{Text: "there is no STATE.md", Fix: "have the agents make one"}
		}
	case ofGate, a.Verb == model.VerbUndo:
		if n, err = c.gateNode(a.Node); err != nil {
			return t, err
		}
	default:
		return t, &model.Refusal{Code: protocol.Forbidden, Text: fmt.Sprintf("ultraplan knows no %q", string(a.Verb)), Fix: "skip or retry the gate of a task, or sync STATE.md"}
	}
	return protocol.Target{File: c.Build.File, Judge: func(content string) (protocol.Answer, error) {
		if a.Verb == model.VerbUndo {
			return c.undo, nil
		}
		if why := facts.Unwritable(content); why != "" {
			return nil, &model.Refusal{Text: why, Fix: "mend it first; nothing is written into it until then"}
		}
		if a.Verb == model.VerbSync {
			return c.sync, nil
		}
		s, _ := facts.ParseState(content)
		if s.Gate == nil {
			return nil, &model.Refusal{Code: protocol.NoGate, Text: "STATE.md has no current_task any more", Fix: "look at the build again"}
		}
		return func(q protocol.Request) (*protocol.Change, error) { return c.editGate(q, n, s.Gate) }, nil
	}}, nil
}

// sync brings STATE.md in line with the tree.
func (c *builder) sync(q protocol.Request) (*protocol.Change, error) {
	if c.Unlisted != "" {
		return nil, &model.Refusal{Text: "the tree can't be counted: " + c.Unlisted + " can't be listed in full", Fix: "mend that first; gatehouse check says what is wrong"}
	}
	spans := c.syncSpans(q.Content)
	if len(spans) == 0 {
		return nil, &model.Refusal{Text: "STATE.md is in line with the tree", Already: true}
	}
	slices.SortStableFunc(spans, func(a, b model.Span) int { return a.At - b.At })
	change := &protocol.Change{Spans: spans, Proposal: model.Proposal{Name: path.Base(c.Build.File)}}
	change.Was, change.Is, change.Effect = syncEffect(spans)
	for _, d := range c.Build.Divergences {
		if d.Source.File == c.Build.File {
			change.Checks = append(change.Checks, d.Claim+"; "+d.Truth)
		}
	}
	return change, nil
}

// gateNode returns the row of the gate that STATE.md has a block for, where a node is that row.
func (c *builder) gateNode(id string) (*model.Node, error) {
	n, above := c.Build.Find(id)
	switch {
	case n == nil:
		return nil, &model.Refusal{Code: protocol.NoGate, Text: "there is no such gate", Fix: "look at the build again; it may have changed"}
	case n.Kind != model.KindGate:
		return nil, &model.Refusal{Code: protocol.NoGate, Text: string(n.Kind) + " " + cmp.Or(n.Number, n.Title) + " is no gate of a task", Fix: "answer in the agent's session"}
	case n.Source.File != c.Build.File || c.State.Gate == nil || n.Source.Line != c.State.Gate.Line:
		name, fix := "the task", "decide when its turn has come"
		if len(above) > 0 {
			name = cmp.Or(above[len(above)-1].Title, name)
		}
		if slices.ContainsFunc(c.Build.Waits, func(w model.Wait) bool { return w.Node == id }) {
			fix = tellAgents
		}
		return nil, &model.Refusal{Code: protocol.Forbidden, Text: name + " is not the task at work: STATE.md has no gate of it", Fix: fix}
	}
	return n, nil
}

// editGate leaves a task's gate out or has it tried again.
func (c *builder) editGate(q protocol.Request, n *model.Node, g *facts.Gate) (*protocol.Change, error) {
	was := g.Status
	if was == "" {
		was = g.Raw
	}
	spent := g.Spent()
	if t := c.atWork(); t != nil && t.SpentSince > 0 && g.Status == t.Gate.Status { // as the gate would say, were it not behind
		was, spent = rules.TaskFailed, true
	}
	step, ok := rules.TaskEvent(was, gateEvents[q.Verb])
	if !ok {
		return nil, refuseTask(q.Verb, g)
	}
	if q.Verb == model.VerbSkip && !q.Asking {
		if refused := protocol.CheckSkipReason(q.Text); refused != nil {
			return nil, refused
		}
	}
	change := &protocol.Change{Was: g.Raw, Is: step.To, Proposal: model.Proposal{Name: line.Tidy(g.Name), Asks: stepsOf, Since: n.Updated}}
	for _, f := range g.Failures {
		change.Checks = append(change.Checks, line.Tidy("failed before: "+f))
	}
	var values []statemd.TaskValue
	if q.Verb == model.VerbSkip {
		values = skipValues(q)
		change.Wants, change.Warnings = "reason", []string{"the task counts as complete (unverified): nothing of it is committed by itself"}
	} else {
		if t := c.atWork(); t != nil && t.Last() != nil && t.Last().At.After(q.Now) { // by another clock: what it is decided on came before
			q.Now = t.Last().At
		}
		values = retryValues(q, spent, step)
		if was == rules.TaskBlocked {
			change.Confirm, change.Warnings = "retry", []string{"the task was blocked: have what blocked it mended first"}
		}
	}
	change.Effect = line.Tidy(g.Raw) + " → " + step.To
	var err error
	if change.Spans, err = statemd.SetTask(q.Content, values); err == nil && q.Verb == model.VerbSkip {
		change.Spans = append(change.Spans, c.blockersOf(q.Content, g)...)
		slices.SortStableFunc(change.Spans, func(a, b model.Span) int { return a.At - b.At })
	}
	return change, err
}

// blockersOf returns the spans that take out what the failures of the task at work have left among the blockers: of a task that
// is left out none is waited for. Where a task of another plan has its name, and is not done either, nobody can tell whose they are.
func (c *builder) blockersOf(content string, g *facts.Gate) []model.Span {
	at, names := c.atWork(), []string{g.Name}
	if at != nil && at.Name != g.Name {
		names = append(names, at.Name)
	}
	for _, t := range c.Tasks {
		if t != at && slices.Contains(names, t.Name) && t.Last() != nil && !t.Status.Closed() {
			return nil
		}
	}
	return statemd.RemoveBlockersOf(content, names)
}

// askedText stands for a reason that has yet to be typed, where what would be written is only shown.
const askedText = "(the reason you give)"

// skipValues are what a skip writes: the status, reason, user and time, and that nothing is committed by itself.
func skipValues(q protocol.Request) []statemd.TaskValue {
	now := yamldoc.Quote(protocol.FormatTime(q.Now))
	return []statemd.TaskValue{
		{Key: "gate_status", Value: rules.TaskSkipped}, {Key: "last_step_at", Value: now},
		{Key: "skip_reason", Value: yamldoc.Quote(line.Tidy(cmp.Or(strings.TrimSpace(q.Text), askedText)))}, {Key: "skipped_by", Value: yamldoc.Quote(line.Tidy(cmp.Or(q.Who, "user")))}, {Key: "skipped_at", Value: now},
		{Key: "requires_manual_commit", Value: "true"},
	}
}

// retryValues are what a retry writes: the first step again, and what the steps said forgotten. Who retries a task that has
// failed as often as it may starts the count anew.
func retryValues(q protocol.Request, spent bool, step rules.TaskStep) []statemd.TaskValue {
	values := []statemd.TaskValue{
		{Key: "gate_status", Value: step.To}, {Key: "gate_step", Value: fmt.Sprint(step.Step)}, {Key: "last_step_at", Value: yamldoc.Quote(protocol.FormatTime(q.Now))},
		{Key: "executor_status", Value: "pending"}, {Key: "verify_status", Value: "pending"}, {Key: "architect_status", Value: "pending"},
	}
	if spent {
		values = append(values, statemd.TaskValue{Key: "attempt", Value: "1"})
	}
	return values
}

// refuseTask says why nothing is done to the gate of a task.
func refuseTask(verb model.Verb, g *facts.Gate) error {
	r := &model.Refusal{Code: protocol.Forbidden}
	name := line.Tidy(cmp.Or(g.Name, "the task"))
	switch {
	case g.Status == "":
		r.Code = protocol.UnknownStatus
		r.Text, r.Fix = fmt.Sprintf("the gate of %s is %q, which the protocol does not know", name, line.Tidy(g.Raw)), "write a word of the protocol into STATE.md"
	case verb == model.VerbSkip && g.Status == rules.TaskSkipped:
		r.Text, r.Already = "the gate of "+name+" was skipped already", true
	case verb == model.VerbSkip:
		r.Text, r.Fix = "the gate of "+name+" has passed", "nothing is left to skip"
	case g.Status == rules.TaskApproved, g.Status == rules.TaskSkipped:
		r.Text, r.Fix = "the gate of "+name+" is "+g.Status, "nothing is left to try again"
	default:
		r.Text, r.Fix = "the gate of "+name+" is "+g.Status, "wait for it; only what failed or is blocked is tried again"
	}
	return r
}

// gateWord returns the status of a task's gate as it would be, were it not behind the logs.
func gateWord(t *facts.Task) string {
	if t.SpentSince > 0 {
		return rules.TaskFailed
	}
	return t.Gate.Status
}

// taskVerbs returns what can be done to the gate of a task of this status.
func taskVerbs(status string) (verbs []model.Verb) {
	for _, verb := range []model.Verb{model.VerbSkip, model.VerbRetry} {
		if _, ok := rules.TaskEvent(status, gateEvents[verb]); ok {
			verbs = append(verbs, verb)
		}
	}
	return verbs
}

// undoPart returns where the block of the task at work stands. What a sync has written all over the file is taken back as a
// whole or not at all; a blocker that a skip took out comes back while the file is as the skip left it.
func undoPart(q protocol.Request) (p protocol.Region) {
	if at, ok := rules.TaskBlock(q.Content); ok && q.Node != "" {
		head := strings.IndexByte(q.Content[at:], '\n') + 1
		p = protocol.Region{From: at, To: at + head + len(facts.IndentedLines("\n"+q.Content[at+head:]))}
	}
	return p
}

// undo takes the last decision back.
func (c *builder) undo(q protocol.Request) (*protocol.Change, error) {
	if refused := protocol.CheckUndo(q); refused != nil {
		return nil, refused
	}
	change, refused := protocol.UndoChange(q, c.Build.File, undoPart(q), statemd.BlockersTitle)
	if refused != nil {
		return nil, refused
	}
	change.Name, change.Effect = line.Tidy(q.Last.Name), line.Tidy(q.Last.Is)+" → "+line.Tidy(q.Last.Was)
	return change, nil
}
