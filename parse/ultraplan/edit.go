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
	"gatehouse/parse/reader"
	"gatehouse/parse/text/edit"
	"gatehouse/parse/ultraplan/rules"
)

// gateEvents are the verbs about a task's gate, as the rules call them.
var gateEvents = map[model.Verb]string{model.VerbSkip: rules.UserSkip, model.VerbRetry: rules.TaskRetry}

// Target returns STATE.md, which every decision is written to. Its error is a [*model.Refusal].
func (r *Reader) Target(a model.Action, now time.Time) (t edit.Target, err error) {
	c := r.read(now)
	var n *model.Node // the gate, for what is about one
	_, ofGate := gateEvents[a.Verb]
	switch {
	case a.Verb == model.VerbSync, a.Verb == model.VerbUndo && a.Node == "":
		if !c.stateIs {
			return t, &model.Refusal{Text: "there is no STATE.md", Fix: "have the agents make one"}
		}
	case ofGate, a.Verb == model.VerbUndo:
		if n, err = c.gateNode(a.Node); err != nil {
			return t, err
		}
	default:
		return t, &model.Refusal{Code: reader.Forbidden, Text: fmt.Sprintf("ultraplan knows no %q", string(a.Verb)), Fix: "skip or retry the gate of a task, or sync STATE.md"}
	}
	return edit.Target{File: c.b.File, Judge: func(content string) (edit.Answer, error) {
		switch a.Verb {
		case model.VerbSync:
			return c.sync, nil
		case model.VerbUndo:
			return c.undo, nil
		}
		s := parsedState(content)
		if s.gate == nil {
			return nil, &model.Refusal{Code: reader.NoGate, Text: "STATE.md has no current_task any more", Fix: "look at the build again"}
		}
		return func(q edit.Request) (*edit.Change, error) { return c.editGate(q, n, s.gate) }, nil
	}}, nil
}

// sync brings STATE.md in line with the tree.
func (c *collector) sync(q edit.Request) (*edit.Change, error) {
	if c.unlisted != "" {
		return nil, &model.Refusal{Text: "the tree can't be counted: " + c.unlisted + " can't be listed in full", Fix: "mend that first; gatehouse check says what is wrong"}
	}
	spans := c.syncSpans(q.Content)
	if len(spans) == 0 {
		return nil, &model.Refusal{Text: "STATE.md is in line with the tree", Already: true}
	}
	slices.SortStableFunc(spans, func(a, b model.Span) int { return a.At - b.At })
	change := &edit.Change{Spans: spans, Proposal: model.Proposal{Name: path.Base(c.b.File)}}
	change.Was, change.Is, change.Effect = syncEffect(spans)
	for _, d := range c.b.Divergences {
		if d.Source.File == c.b.File {
			change.Checks = append(change.Checks, d.Claim+"; "+d.Truth)
		}
	}
	return change, nil
}

// gateNode returns the row of the gate that STATE.md has a block for, where a node is that row.
func (c *collector) gateNode(id string) (*model.Node, error) {
	n, above := c.b.Find(id)
	switch {
	case n == nil:
		return nil, &model.Refusal{Code: reader.NoGate, Text: "there is no such gate", Fix: "look at the build again; it may have changed"}
	case n.Kind != model.KindGate:
		return nil, &model.Refusal{Code: reader.NoGate, Text: string(n.Kind) + " " + cmp.Or(n.Number, n.Title) + " is no gate of a task", Fix: "answer in the agent's session"}
	case n.Source.File != c.b.File || c.state.gate == nil || n.Source.Line != c.state.gate.line:
		name := "the task"
		if len(above) > 0 {
			name = cmp.Or(above[len(above)-1].Title, name)
		}
		return nil, &model.Refusal{Code: reader.Forbidden, Text: name + " is not the task at work: STATE.md has no gate of it", Fix: "decide when its turn has come"}
	}
	return n, nil
}

// gateValue is a key of the current_task block with its new value, as YAML.
type gateValue struct{ key, value string }

// editGate leaves a task's gate out or has it tried again.
func (c *collector) editGate(q edit.Request, n *model.Node, g *taskGate) (*edit.Change, error) {
	was := g.status
	if was == "" {
		was = g.raw
	}
	step, ok := rules.TaskEvent(was, gateEvents[q.Verb])
	if !ok {
		return nil, refuseTask(q.Verb, g)
	}
	if q.Verb == model.VerbSkip && !q.Asking {
		if refused := reader.SkipReason(q.Text); refused != nil {
			return nil, refused
		}
	}
	change := &edit.Change{Was: g.raw, Is: step.To, Proposal: model.Proposal{Name: clean(g.name), Asks: stepsOf, Since: n.Updated}}
	for _, f := range g.failures {
		change.Checks = append(change.Checks, clean("failed before: "+f))
	}
	var values []gateValue
	if q.Verb == model.VerbSkip {
		values = skipValues(q)
		change.Wants, change.Warnings = "reason", []string{"the task counts as complete (unverified): nothing of it is committed by itself"}
	} else {
		values = retryValues(q, g, step)
		if was == rules.TaskBlocked {
			change.Confirm, change.Warnings = "retry", []string{"the task was blocked: have what blocked it mended first"}
		}
	}
	change.Effect = clean(g.raw) + " → " + step.To
	var err error
	change.Spans, err = setTask(q.Content, values)
	return change, err
}

// askedText stands for a reason that has yet to be typed, where what would be written is only shown.
const askedText = "(the reason you give)"

// skipValues are what a skip writes: the status, reason, user and time, and that nothing is committed by itself.
func skipValues(q edit.Request) []gateValue {
	now := quote(reader.Stamp(q.Now))
	return []gateValue{
		{"gate_status", rules.TaskSkipped}, {"last_step_at", now},
		{"skip_reason", quote(clean(cmp.Or(strings.TrimSpace(q.Text), askedText)))}, {"skipped_by", quote(clean(cmp.Or(q.Who, "user")))}, {"skipped_at", now},
		{"requires_manual_commit", "true"},
	}
}

// retryValues are what a retry writes: the first step again, and what the steps said forgotten. Who retries a task that has
// failed as often as it may starts the count anew.
func retryValues(q edit.Request, g *taskGate, step rules.TaskStep) []gateValue {
	values := []gateValue{
		{"gate_status", step.To}, {"gate_step", fmt.Sprint(step.Step)}, {"last_step_at", quote(reader.Stamp(q.Now))},
		{"executor_status", "pending"}, {"verify_status", "pending"}, {"architect_status", "pending"},
	}
	if g.spent() {
		values = append(values, gateValue{"attempt", "1"})
	}
	return values
}

// refuseTask says why nothing is done to the gate of a task.
func refuseTask(verb model.Verb, g *taskGate) error {
	r := &model.Refusal{Code: reader.Forbidden}
	name := clean(cmp.Or(g.name, "the task"))
	switch {
	case g.status == "":
		r.Code = reader.UnknownStatus
		r.Text, r.Fix = fmt.Sprintf("the gate of %s is %q, which the protocol does not know", name, clean(g.raw)), "write a word of the protocol into STATE.md"
	case verb == model.VerbSkip && g.status == rules.TaskSkipped:
		r.Text, r.Already = "the gate of "+name+" was skipped already", true
	case verb == model.VerbSkip:
		r.Text, r.Fix = "the gate of "+name+" has passed", "nothing is left to skip"
	case g.status == rules.TaskApproved, g.status == rules.TaskSkipped:
		r.Text, r.Fix = "the gate of "+name+" is "+g.status, "nothing is left to try again"
	default:
		r.Text, r.Fix = "the gate of "+name+" is "+g.status, "wait for it; only what failed or is blocked is tried again"
	}
	return r
}

// taskVerbs returns what can be done to the gate of a task.
func taskVerbs(g *taskGate) (verbs []model.Verb) {
	for _, verb := range []model.Verb{model.VerbSkip, model.VerbRetry} {
		if _, ok := rules.TaskEvent(g.status, gateEvents[verb]); ok {
			verbs = append(verbs, verb)
		}
	}
	return verbs
}

// setTask returns the spans that give keys of the current_task block other values: each is one line, and one that is not
// there is added behind the last.
func setTask(text string, values []gateValue) (spans []model.Span, err error) {
	at, ok := rules.TaskBlock(text)
	if !ok {
		return nil, &model.Refusal{Code: reader.NoGate, Text: "STATE.md has no current_task any more", Fix: "look at the build again"}
	}
	at += strings.IndexByte(text[at:], '\n') + 1
	body := block("\n" + text[at:])
	indent, last := "", at // of its keys; the last line of the block
	found := map[string]int{}
	for l := range strings.Lines(body) {
		t := strings.TrimRight(l, "\r\n \t")
		lead := t[:len(t)-len(strings.TrimLeft(t, " \t"))]
		if t != "" && indent == "" {
			indent = lead
		}
		key, value, isKey := strings.Cut(strings.TrimLeft(t, " \t"), ":")
		for i, v := range values {
			if !isKey || key != v.key || lead != indent {
				continue
			}
			if _, twice := found[key]; twice {
				return nil, &model.Refusal{Text: "current_task has “" + key + "” twice", Fix: "mend STATE.md first"}
			}
			found[key] = i
			span, err := scalarSpan(at+len(lead)+len(key)+1, value, v)
			if err != nil {
				return nil, err
			}
			if span.Old != span.New {
				spans = append(spans, span)
			}
		}
		if t != "" {
			last = at
		}
		at += len(l)
	}
	var missing []gateValue
	for _, v := range values {
		if _, there := found[v.key]; !there {
			missing = append(missing, v)
		}
	}
	return append(spans, addLines(text, last, indent, missing)...), nil
}

// scalarSpan returns the span of a value that stands on the line of its key, behind the colon at an offset. A comment behind
// it stays. A value over several lines is not touched.
func scalarSpan(at int, rest string, v gateValue) (model.Span, error) {
	value := strings.TrimLeft(rest, " \t")
	at += len(rest) - len(value)
	end := len(value)
	if value != "" && (value[0] == '"' || value[0] == '\'') {
		if i := strings.IndexByte(value[1:], value[0]); i >= 0 && !strings.Contains(value[:i+1], `\`) {
			end = i + 2
		}
	} else if i := strings.Index(" "+value, " #"); i >= 0 {
		end = len(strings.TrimRight(value[:i], " \t"))
	}
	if value != "" && strings.ContainsRune("|>&*![{", rune(value[0])) {
		return model.Span{}, &model.Refusal{Text: "“" + v.key + "” of current_task is no plain value", Fix: "mend STATE.md first"}
	}
	span := model.Span{At: at, Old: value[:end], New: v.value, Label: "current_task." + v.key}
	if rest == "" || rest[0] != ' ' && rest[0] != '\t' {
		span.New = " " + span.New
	}
	if end == 0 && value != "" { // a comment follows at once
		span.New += " "
	}
	return span, nil
}

// addLines returns the spans that add keys behind the line at an offset.
func addLines(text string, last int, indent string, values []gateValue) (spans []model.Span) {
	for _, v := range values {
		s := insertLine(text, last, indent+v.key+": "+v.value)[0]
		s.Label = "current_task." + v.key
		spans = append(spans, s)
	}
	return spans
}

// undo takes the last decision back.
func (c *collector) undo(q edit.Request) (*edit.Change, error) {
	if refused := reader.Undoable(q, c.b.File); refused != nil {
		return nil, refused
	}
	change, refused := reader.Undone(q, c.b.File)
	if refused != nil {
		return nil, refused
	}
	change.Name, change.Effect = clean(q.Last.Name), clean(q.Last.Is)+" → "+clean(q.Last.Was)
	return change, nil
}
