// The gate that every task goes through, as a row below it; what waits for a human; what keeps agents from going on.

package ultraplan

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/reader"
	"gatehouse/parse/text/plantask"
	"gatehouse/parse/ultraplan/rules"
)

// steps are the three steps of a gate, in their order.
var steps = [...]string{"executor", "verify", "architect"}

// stepsOf is what a gate asks before its task may be committed.
const stepsOf = "executor, verify command and architect have to pass"

// gateRow returns the row of a task's gate, nil for a task of which nothing says where its gate is.
func (c *collector) gateRow(t *taskState) *model.Node {
	n := &model.Node{
		ID: t.node + "/gate", Kind: model.KindGate, Title: "gate", Source: model.Pos{File: c.b.File},
		Gate: &model.Gate{Approval: model.ApprovalAuto, Required: true, Asks: stepsOf, Opens: []string{t.node}},
	}
	if t.plan != nil {
		n.Gate.Opens = []string{t.node, t.plan.node}
	}
	switch {
	case t.gate != nil:
		c.blockGate(t, n)
	case t.skip != nil:
		n.Status, n.Raw, n.Source.Line = model.Skipped, rules.TaskSkipped, t.skip.line
		n.Updated = reader.Time(t.skip.at)
	case t.retry != nil && t.status != model.Done:
		c.retryGate(t, n)
	default:
		return nil
	}
	if t.skip != nil {
		n.Gate.Reason = clean(t.skip.reason)
		fact(n, "skipped by", t.skip.by)
		fact(n, "skipped at", t.skip.at)
	}
	c.failures(t, n)
	c.stuck(t, n)
	return n
}

func fact(n *model.Node, label, value string) {
	if value = clean(value); value != "" {
		n.Facts = append(n.Facts, model.Fact{Label: label, Value: value})
	}
}

// blockGate fills in what the current_task block says.
func (c *collector) blockGate(t *taskState, n *model.Node) {
	g := t.gate
	n.Source.Line, n.Updated = g.line, g.last
	if n.Updated.IsZero() {
		n.Updated = g.started
	}
	n.Status, n.Raw = gateStatus(g), g.status
	if g.status == "" {
		n.Raw, n.Why = clean(g.raw), "gate_status is no word of the protocol"
	} else if at, err := strconv.Atoi(g.step); err == nil && at >= 1 && at <= len(steps) {
		n.Why = fmt.Sprintf("step %d of %d, %s", at, len(steps), steps[at-1])
	}
	for i, word := range []string{g.executor, g.verify, g.architect} {
		fact(n, steps[i], word)
	}
	fact(n, "attempt", attempts(g))
	n.Gate.Can = taskVerbs(g)
	n.Gate.Reason = clean(g.skipReason)
	fact(n, "skipped by", g.skippedBy)
	fact(n, "skipped at", g.skippedAt)
}

// spent reports whether no attempt is left. A limit of none at all is spent by the first: nobody else can tell what is meant.
func (g *taskGate) spent() bool { return g.limited && g.max >= 0 && g.attempt > g.max }

// attempts says which attempt a task is at. When a gate fails its attempt is counted up at once, so that it names the next
// one.
func attempts(g *taskGate) string {
	of := ""
	if g.max > 0 {
		of = " of " + strconv.Itoa(g.max)
	}
	switch {
	case g.attempt == 0:
		return ""
	case g.status == rules.TaskFailed && g.attempt > 1 && g.spent():
		return fmt.Sprintf("%d%s failed, none is left", g.attempt-1, of)
	case g.status == rules.TaskFailed && g.attempt > 1:
		return fmt.Sprintf("%d failed, next %d%s", g.attempt-1, g.attempt, of)
	}
	return strconv.Itoa(g.attempt) + of
}

// retryGate fills in what the state of retries says of a task that is not the one at work.
func (c *collector) retryGate(t *taskState, n *model.Node) {
	r := t.retry
	n.Source.File = Home + "/state/retry-state.json"
	n.Status, n.Raw, n.Updated = t.status, clean(r.Status), reader.Time(r.Last)
	n.Why = "it has failed " + times(r.Count)
	if r.Current > 0 {
		at := strconv.Itoa(r.Current)
		if r.Max > 0 {
			at += " of " + strconv.Itoa(r.Max)
		}
		fact(n, "attempt", at)
	}
}

// failures lists what is known of a task's failures, which an agent is told before it tries again.
func (c *collector) failures(t *taskState, n *model.Node) {
	if t.gate != nil {
		for i, f := range t.gate.failures {
			fact(n, "failure "+strconv.Itoa(i+1), f)
		}
	}
	if t.retry == nil || t.gate != nil && len(t.gate.failures) > 0 {
		return
	}
	for i, f := range t.retry.Failures {
		if i == maxFailures {
			return
		}
		text := f.Error
		if f.Type != "" {
			text += " (" + f.Type + ")"
		}
		if f.Fix != "" {
			text += " → " + f.Fix
		}
		fact(n, "failure "+strconv.Itoa(max(f.Attempt, i+1)), text)
	}
}

// stuck adds what waits for a human: a gate that is blocked, or that has failed as often as it may.
func (c *collector) stuck(t *taskState, n *model.Node) {
	why := ""
	switch g := t.gate; {
	case g != nil && g.status == rules.TaskBlocked:
		why = "is blocked: retry or skip it"
	case g != nil && g.status == rules.TaskFailed && g.spent():
		why = "failed " + times(g.max) + ": retry or skip it"
	case g == nil && t.retry != nil && t.retry.Status == "escalated" && t.status == model.Failed:
		why = "failed " + times(t.retry.Count) + ": retry or skip it"
	default:
		return
	}
	name := "a task"
	if t.name != "" {
		name = clean(t.name)
	}
	place := ""
	if t.plan != nil {
		place = "Plan " + t.plan.ID
	}
	c.b.Waits = append(c.b.Waits, model.Wait{Node: n.ID, Text: name + " " + why, Place: place, Evidence: model.Reached, Since: n.Updated, Source: n.Source})
}

// looseGate is the row of a gate whose task no plan has: it is shown at the top of the tree.
func (c *collector) looseGate() *model.Node {
	g := c.state.gate
	if g == nil {
		return nil
	}
	for _, p := range c.phases {
		for _, s := range p.plans {
			for _, t := range s.tasks {
				if t.gate == g {
					return nil
				}
			}
		}
	}
	n := c.gateRow(&taskState{task: &task{name: g.name}, node: "task/current", gate: g, status: gateStatus(g)})
	n.Title, n.Gate.Opens = clean(g.name), nil
	if n.Title == "" {
		n.Title = "a task without a name"
	}
	if s := c.plans[g.planKey()]; s != nil {
		n.Gate.Opens = []string{s.node}
	}
	fact(n, "plan", g.plan)
	return n
}

// checkpoints adds the tasks that will stop for a human in the plan that is or will be executed. No file says whether one
// has been reached.
func (c *collector) checkpoints() {
	turn := c.facts.Running
	if turn == "" {
		turn = c.facts.Next
	}
	for _, p := range c.phases {
		for _, s := range p.plans {
			if s.ID != turn || s.Done {
				continue
			}
			for _, t := range s.tasks {
				if t.checkpoint() != "" && !t.status.Closed() {
					c.b.Waits = append(c.b.Waits, model.Wait{
						Node: t.node, Text: clean(t.title), Place: "Plan " + s.ID, Evidence: model.Checkpoint, Potential: true, Source: model.Pos{File: s.file, Line: t.line},
					})
				}
			}
		}
	}
}

// blockers lists what keeps agents from going on, each with where it comes from: tasks that are blocked or have failed, and
// the lines of STATE.md. Such a line is also written for a task, "Task 2: name: why"; then it is told once, with its task.
func (c *collector) blockers() {
	told := map[*taskState]bool{}
	for _, x := range c.state.blockers {
		b := model.Blocker{Text: clean(x.text), Source: model.Pos{File: c.b.File, Line: x.line}, Concern: true}
		if t := c.blocked(x.text); t != nil {
			told[t], b.Node, b.Concern = true, t.node, t.status.Closed()
			b.Since = t.since()
		} else if _, _, ok := plantask.Number(x.text); ok {
			b.Concern = false
		}
		for _, p := range c.phases {
			if x.phase != "" && p.Number != "" && parseKey(x.phase).task == parseKey(p.Number).task && b.Node == "" {
				b.Node = p.id
			}
		}
		c.b.Blockers = append(c.b.Blockers, b)
	}
	for _, p := range c.phases {
		for _, s := range p.plans {
			for _, t := range s.tasks {
				if told[t] || t.status != model.Blocked && t.status != model.Failed {
					continue
				}
				b := model.Blocker{Text: clean(t.name + " " + t.status.String()), Node: t.node, Since: t.since(), Source: model.Pos{File: s.file, Line: t.line}}
				if l := t.last(); l != nil {
					b.Source = model.Pos{File: l.file}
					if l.err != "" {
						b.Text = clean(t.name + ": " + l.err)
					}
				}
				c.b.Blockers = append(c.b.Blockers, b)
			}
		}
	}
}

// since returns since when a task is as it is, zero when that is not known.
func (t *taskState) since() time.Time {
	switch {
	case t.gate != nil:
		return t.gate.last
	case t.last() != nil:
		return t.last().at
	}
	return time.Time{}
}

// blocked returns the task that a blocker of STATE.md was written for, nil for none: the last one logged whose name it
// begins with.
func (c *collector) blocked(text string) *taskState {
	for i := len(c.logs) - 1; i >= 0; i-- {
		l := c.logs[i]
		if rest, ok := strings.CutPrefix(text, l.name); l.name != "" && ok && strings.HasPrefix(rest, ":") {
			return c.tasks[key{planKey(l.plan), l.task}]
		}
	}
	return nil
}
