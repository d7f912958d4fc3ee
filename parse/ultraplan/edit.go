package ultraplan

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/protocol"
	"gatehouse/parse/protocol/transition"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/statemd"
)

// Target returns STATE.md, which every decision is written to. Its error is a [*model.Refusal].
func (r *Reader) Target(a model.Action, now time.Time) (t protocol.Target, err error) {
	c := r.open(now)
	var task *core.Task
	switch {
	case !c.HasState:
		return t, protocol.Refuse(transition.Forbidden, "there is no STATE.md to write a decision into", "have the agents make one")
	case a.Verb == model.VerbSync, a.Verb == model.VerbUndo && a.Node == "":
	case a.Verb == model.VerbSkip, a.Verb == model.VerbRetry, a.Verb == model.VerbUndo:
		if task, err = c.gateTask(a.Node); err != nil {
			return t, err
		}
	default:
		return t, protocol.Refuse(transition.Forbidden, fmt.Sprintf("ultraplan has no %q", string(a.Verb)), "skip or retry the gate of a task, or sync STATE.md")
	}
	return protocol.Target{File: c.Build.File, Judge: func(content string) (protocol.Answer, error) {
		if a.Verb == model.VerbUndo {
			return c.undo, nil
		}
		if why := core.WhyUnwritable(content); why != "" {
			return nil, &model.Refusal{Text: why, Fix: "fix it first; nothing is written into it until then"}
		}
		if a.Verb == model.VerbSync {
			return c.sync, nil
		}
		return func(q protocol.Request) (*protocol.Change, error) { return c.decide(q, task) }, nil
	}}, nil
}

// gateTask returns the task of a gate's row.
func (c *builder) gateTask(id string) (task *core.Task, err error) {
	n, _ := c.Build.Find(id)
	switch {
	case n == nil:
		return nil, protocol.Refuse(transition.NoGate, "there is no such gate", "look at the build again; it may have changed")
	case n.Kind != model.KindGate || n.ID == resumeID:
		return nil, protocol.Refuse(transition.NoGate, string(n.Kind)+" "+cmp.Or(n.Number, n.Title)+" is no gate of a task", "answer in the agent's session")
	}
	c.eachTask(func(t *core.Task) {
		if task == nil && gateID(t) == id {
			task = t
		}
	})
	if task == nil {
		task = c.UnplannedTask()
	}
	return task, nil
}

// sync corrects STATE.md by the tree.
func (c *builder) sync(q protocol.Request) (*protocol.Change, error) {
	if c.Unlisted != "" {
		return nil, &model.Refusal{Text: "the tree can't be counted: " + c.Unlisted + " can't be listed in full", Fix: "fix that first; gatehouse check says what is wrong"}
	}
	spans := statemd.Spans(c.compareState(q.Content))
	if len(spans) == 0 {
		return nil, &model.Refusal{Text: "STATE.md is in line with the tree", Already: true}
	}
	change := protocol.NewChange(model.Proposal{Name: path.Base(c.Build.File)}, "", "", spans)
	change.Was, change.Is, change.Effect = syncEffect(spans)
	for _, d := range c.Build.Divergences {
		if d.Source.File == c.Build.File {
			change.Checks = append(change.Checks, d.Claim+"; "+d.Truth)
		}
	}
	return change, nil
}

// syncEffect describes a sync: the progress before and after, or the fields that change.
func syncEffect(spans []model.Span) (was, is, effect string) {
	var fields []string
	short := func(value string) string { return cmp.Or(statemd.PercentIn(value), line.Tidy(value)) }
	for _, s := range spans {
		if s.Label == "Progress" {
			was, is = short(s.Old), short(s.New)
		}
		if !slices.Contains(fields, s.Label) {
			fields = append(fields, s.Label)
		}
	}
	count := protocol.Count(len(spans), "value")
	if is != "" {
		return was, is, count + ", " + was + " → " + is
	}
	return "out of line", "in line", count + ": " + strings.Join(fields, ", ")
}

// decide skips or retries the gate of a task: in the block of STATE.md if that is about the task, else in a list of decisions.
func (c *builder) decide(q protocol.Request, task *core.Task) (*protocol.Change, error) {
	if q.Verb == model.VerbSkip && !q.Asking {
		if refused := protocol.CheckSkipReason(q.Text); refused != nil {
			return nil, refused
		}
	}
	if l := task.LastLog(); l != nil && unixTime(l.At).After(q.Now) { // the log is by another clock: the decision has to come after it
		q.Now = unixTime(l.At)
	}
	g := core.ParseState(q.Content).Gate
	isAtWork := task.Gate != nil && g != nil && (c.TaskOf(g) == task || task.Plan == nil && g.Key() == task.Gate.Key())
	isBlocked := task.Status == core.TaskBlocked
	was, is := core.Escalated, "retried"
	switch {
	case isAtWork:
		status := g.Status
		if task.SpentSince > 0 && g.Status == task.Gate.Status { // by the logs all attempts have failed, so the gate counts as failed
			status = core.GateFailed
		}
		if !core.CanDecide(status, string(q.Verb), g.IsWrong()) {
			return nil, refuseGate(q.Verb, g)
		}
		was, is, isBlocked = g.Raw, core.GateExecuting, status == core.GateBlocked
	case task.Gate != nil: // STATE.md has changed in between
		return nil, protocol.Refuse(transition.NoGate, "STATE.md has no gate of "+nameOf(task)+" any more", "look at the build again")
	case task.Skip != nil && q.Verb == model.VerbSkip:
		return nil, protocol.RefuseAlready("the gate of " + nameOf(task) + " was skipped")
	case task.Stuck == "":
		return nil, protocol.Refuse(transition.Forbidden, nameOf(task)+" is not at work, and waits for no decision", "decide when its turn has come")
	case isBlocked:
		was = core.GateBlocked
	}
	p := model.Proposal{Name: nameOf(task), Asks: stepsOf, Since: statusSince(task)}
	for _, f := range task.ListErrors() {
		p.Checks = append(p.Checks, line.Tidy("failed before: "+f))
	}
	if q.Verb == model.VerbSkip {
		is, p.Wants, p.Warnings = core.GateSkipped, "reason", []string{"the task counts as complete (unverified): nothing of it is committed by itself"}
	} else if isBlocked {
		p.Confirm, p.Warnings = "retry", []string{"the task was blocked: have the cause fixed first"}
	}
	p.Effect = line.Tidy(was) + " → " + is
	var spans []model.Span
	var err error
	if isAtWork {
		spans, err = gateDecision(q, task, g)
	} else {
		spans, err = listDecision(q, task)
	}
	if err != nil {
		return nil, err
	}
	if q.Verb == model.VerbSkip {
		spans = append(spans, c.blockersOf(q.Content, task)...)
	}
	return protocol.NewChange(p, was, is, spans), nil
}

// listDecision returns the edit that adds a decision to the list of retried or skipped tasks.
func listDecision(q protocol.Request, task *core.Task) ([]model.Span, error) {
	list, item := core.RetriedKey, [][2]string{{"task", statemd.Quote(task.ReferenceName())}}
	if q.Verb == model.VerbSkip {
		list, item = core.SkippedKey, append(item, [2]string{"reason", statemd.Quote(reasonOf(q))})
	} else if n := len(task.Logs); n > 0 { // the number distinguishes results of the same second
		item = append(item, [2]string{"after", strconv.Itoa(n)})
	}
	item = append(item, [2]string{"by", statemd.Quote(whoOf(q))}, [2]string{"timestamp", statemd.Quote(protocol.FormatTime(q.Now))})
	span, err := statemd.AppendDecision(q.Content, list, item)
	return []model.Span{span}, err
}

// gateDecision returns the edits of the block current_task. A retry keeps the count of attempts, and allows as many again.
func gateDecision(q protocol.Request, task *core.Task, g *core.Gate) ([]model.Span, error) {
	now := statemd.Quote(protocol.FormatTime(q.Now))
	if q.Verb == model.VerbSkip {
		return statemd.SetTask(q.Content, []statemd.TaskValue{
			{Key: "gate_status", Value: core.GateSkipped}, {Key: "last_step_at", Value: now}, {Key: "skip_reason", Value: statemd.Quote(reasonOf(q))},
			{Key: "skipped_by", Value: statemd.Quote(whoOf(q))}, {Key: "skipped_at", Value: now}, {Key: "requires_manual_commit", Value: "true"},
		})
	}
	values := []statemd.TaskValue{
		{Key: "gate_status", Value: core.GateExecuting}, {Key: "gate_step", Value: "1"}, {Key: "last_step_at", Value: now},
		{Key: "executor_status", Value: "pending"}, {Key: "verify_status", Value: "pending"}, {Key: "architect_status", Value: "pending"},
	}
	isSpent := g.IsSpent() || task.SpentSince > 0 && g.Status == task.Gate.Status
	if isSpent && g.IsUncounted() {
		values = append(values, statemd.TaskValue{Key: "attempt", Value: "1"})
	} else if isSpent {
		values = append(values, statemd.TaskValue{Key: "max_attempts", Value: strconv.Itoa(max(g.Attempt, g.AttemptLimit()) + core.MaxAttempts - 1)})
	}
	return statemd.SetTask(q.Content, values)
}

func whoOf(q protocol.Request) string { return line.Tidy(cmp.Or(q.Who, "user")) }

func nameOf(t *core.Task) string { return line.Tidy(cmp.Or(t.Name, "the task")) }

// reasonOf returns the reason of a skip, or a placeholder while the change is shown before a reason is typed.
func reasonOf(q protocol.Request) string {
	return line.Tidy(cmp.Or(strings.TrimSpace(q.Text), "(the reason you give)"))
}

// blockersOf returns the spans that remove the blockers of a skipped task. It returns none if an open task of another plan has the same
// name.
func (c *builder) blockersOf(content string, task *core.Task) []model.Span {
	names := []string{task.Name}
	if g := task.Gate; g != nil && g.Name != task.Name {
		names = append(names, g.Name)
	}
	isShared := false
	c.eachTask(func(t *core.Task) {
		isShared = isShared || t != task && slices.Contains(names, t.Name) && t.LastLog() != nil && !t.IsOver()
	})
	if isShared {
		return nil
	}
	return statemd.RemoveBlockers(content, func(item string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			name = statemd.PlainText(name)
			return name != "" && strings.HasPrefix(item, name+":")
		})
	})
}

// refuseGate returns why the gate of a task can't be decided.
func refuseGate(verb model.Verb, g *core.Gate) error {
	name := line.Tidy(cmp.Or(g.Name, "the task"))
	switch {
	case verb == model.VerbSkip && g.Status == core.GateSkipped:
		return &model.Refusal{Code: protocol.Forbidden, Text: "the gate of " + name + " was skipped already", Already: true}
	case verb == model.VerbSkip:
		return protocol.Refuse(transition.Forbidden, "the gate of "+name+" has passed", "nothing is left to skip")
	case g.Status == core.GateApproved, g.Status == core.GateSkipped:
		return protocol.Refuse(transition.Forbidden, "the gate of "+name+" is "+g.Status, "nothing is left to retry")
	}
	return protocol.Refuse(transition.Forbidden, "the gate of "+name+" is "+cmp.Or(g.Status, "without a status"), "wait for it; only a gate that failed or is blocked is retried")
}

// undo undoes the last decision: a sync as a whole or not at all, a decision about a gate within its block or list.
func (c *builder) undo(q protocol.Request) (*protocol.Change, error) {
	if refused := protocol.CheckUndo(q); refused != nil {
		return nil, refused
	}
	var region protocol.Region
	inList := slices.ContainsFunc(q.Last.Spans, func(s model.Span) bool { return s.Label == core.SkippedKey || s.Label == core.RetriedKey })
	if g := core.ParseState(q.Content).Gate; inList {
		region = protocol.Region{To: len(q.Content)}
	} else if g != nil && q.Node != "" {
		region = protocol.Region{From: g.At, To: g.End}
	}
	change, refused := protocol.UndoChange(q, c.Build.File, region, statemd.BlockersTitle)
	if refused != nil {
		return nil, refused
	}
	change.Name, change.Effect = line.Tidy(q.Last.Name), line.Tidy(q.Last.Is)+" → "+line.Tidy(q.Last.Was)
	return change, nil
}
