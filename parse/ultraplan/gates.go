// The gate that every task goes through, as a row below it; what waits for a human; what keeps agents from going on.

package ultraplan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/facts"
	"gatehouse/parse/ultraplan/rules"
	"gatehouse/parse/ultraplan/statemd"
)

// steps are the three steps of a gate, in their order.
var steps = [...]string{"executor", "verify", "architect"}

// stepsOf is what a gate asks before its task may be committed.
const stepsOf = "executor, verify command and architect have to pass"

// gateRow returns the row of a task's gate, nil for a task of which nothing says where its gate is.
func (c *builder) gateRow(t *facts.Task) *model.Node {
	n := &model.Node{
		ID: t.Node + "/gate", Kind: model.KindGate, Title: "gate", Source: model.Pos{File: c.Build.File},
		Gate: &model.Gate{Approval: model.ApprovalAuto, Required: true, Asks: stepsOf, Opens: []string{t.Node}},
	}
	if t.Plan != nil {
		n.Gate.Opens = []string{t.Node, t.Plan.Node}
	}
	switch {
	case t.Gate != nil:
		c.blockGate(t, n)
	case t.Skip != nil:
		n.Status, n.Raw, n.Source.Line = model.Skipped, rules.TaskSkipped, t.Skip.Line
		n.Updated = protocol.ParseTime(t.Skip.At)
	case t.Retry != nil && t.Status != model.Done:
		c.retryGate(t, n)
	case t.IsEscalated(): // by its logs or the session alone
		n.Source = model.Pos{File: facts.SessionFile}
		if l := t.Last(); l != nil {
			n.Source.File = l.File
		}
		n.Status, n.Raw, n.Updated, n.Why = t.Status, t.Raw, t.Since(), t.Why
	default:
		return nil
	}
	if t.Skip != nil {
		n.Gate.Reason = line.Tidy(t.Skip.Reason)
		fact(n, "skipped by", t.Skip.By)
		fact(n, "skipped at", t.Skip.At)
	}
	n.Attempt, n.Attempts = tries(t)
	c.failures(t, n)
	c.stuck(t, n)
	return n
}

func fact(n *model.Node, label, value string) {
	if value = line.Tidy(value); value != "" {
		n.Facts = append(n.Facts, model.Fact{Label: label, Value: value})
	}
}

// blockGate fills in what the current_task block says.
func (c *builder) blockGate(t *facts.Task, n *model.Node) {
	g := t.Gate
	n.Source.Line, n.Updated = g.Line, g.Last
	if n.Updated.IsZero() {
		n.Updated = g.Started
	}
	n.Status, n.Raw = facts.GateStatus(g), g.Status
	if g.Status == "" {
		n.Raw, n.Why = line.Tidy(g.Raw), "gate_status is no word of the protocol"
	} else if at, err := strconv.Atoi(g.Step); err == nil && at >= 1 && at <= len(steps) {
		n.Why = fmt.Sprintf("step %d of %d, %s", at, len(steps), steps[at-1])
	}
	for i, word := range []string{g.Executor, g.Verify, g.Architect} {
		fact(n, steps[i], word)
	}
	fact(n, "attempt", attempts(g))
	n.Gate.Can = taskVerbs(gateWord(t))
	switch {
	case c.closed(t) && !n.Status.Closed():
		n.Status, n.Why, n.Gate.Can = model.Done, "STATE.md is behind: its plan has a summary", nil
	case t.Behind():
		n.Status, n.Why, n.Updated = t.Status, "STATE.md is behind: "+t.Why, t.Since()
	}
	if t.Overtaken {
		n.Gate.Can = nil
	}
	n.Gate.Reason = line.Tidy(g.SkipReason)
	fact(n, "skipped by", g.SkippedBy)
	fact(n, "skipped at", g.SkippedAt)
}

// attempts says which attempt a task is at. When a gate fails its attempt is counted up at once, so that it names the next
// one.
func attempts(g *facts.Gate) string {
	of := ""
	if g.Max > 0 {
		of = " of " + strconv.Itoa(g.Max)
	}
	switch {
	case g.Attempt == 0:
		return ""
	case g.Status == rules.TaskFailed && g.Attempt > 1 && g.Spent():
		return fmt.Sprintf("%d%s failed, none is left", g.Attempt-1, of)
	case g.Status == rules.TaskFailed && g.Attempt > 1:
		return fmt.Sprintf("%d failed, next %d%s", g.Attempt-1, g.Attempt, of)
	}
	return strconv.Itoa(g.Attempt) + of
}

// tries returns which attempt a task is at, of how many, by whichever file knows it; 0 is not known. Of one whose attempts are all
// spent it is the last.
func tries(t *facts.Task) (n, of int) {
	switch {
	case t.SpentSince > 0 && t.IsEscalated():
		n, of = t.SpentSince, max(0, t.Gate.Max)
	case t.Gate != nil:
		n, of = t.Gate.Attempt, max(0, t.Gate.Max)
	case t.Retry != nil:
		n, of = t.Retry.Current, max(0, t.Retry.Max)
	case t.Status == model.Retrying: // it has failed, and this is the next
		n, of = t.Failures()+1, rules.MaxAttempts
	case t.IsEscalated():
		n, of = t.Failures(), rules.MaxAttempts
	case t.Last() != nil:
		n = t.Last().Attempt
	}
	if of > 0 {
		n = min(n, of)
	}
	return max(0, n), of
}

// retryGate fills in what the state of retries says of a task that is not the one at work.
func (c *builder) retryGate(t *facts.Task, n *model.Node) {
	r := t.Retry
	n.Source.File = facts.StateDir + "/retry-state.json"
	n.Status, n.Raw, n.Updated = t.Status, line.Tidy(r.Status), protocol.ParseTime(r.Last)
	n.Why = "it has " + facts.Failed(r.Count)
	if r.Current > 0 {
		at := strconv.Itoa(r.Current)
		if r.Max > 0 {
			at += " of " + strconv.Itoa(r.Max)
		}
		fact(n, "attempt", at)
	}
}

// failures lists what is known of a task's failures, which an agent is told before it tries again.
func (c *builder) failures(t *facts.Task, n *model.Node) {
	if t.Gate != nil {
		for i, f := range t.Gate.Failures {
			fact(n, "failure "+strconv.Itoa(i+1), f)
		}
	}
	if t.Gate != nil && len(t.Gate.Failures) > 0 {
		return
	}
	if t.Retry == nil || len(t.Retry.Failures) == 0 {
		for i, why := range t.Errors() {
			fact(n, "failure "+strconv.Itoa(i+1), why)
		}
		return
	}
	for i, f := range t.Retry.Failures {
		if i == facts.MaxFailures {
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

// tellAgents is what there is to do about a task that STATE.md has no gate of: nothing says there that it is tried again.
const tellAgents = "tell its agents how to go on"

// stuck adds what waits for a human: a gate that is blocked, or that has failed as often as it may.
func (c *builder) stuck(t *facts.Task, n *model.Node) {
	why, how := "", "retry or skip it"
	switch g := t.Gate; {
	case c.closed(t): // whatever is left of its gate
		return
	case t.Overtaken:
		return
	case t.SpentSince > 0 && t.IsEscalated():
		why = facts.Failed(t.SpentSince)
	case g != nil && g.Status == rules.TaskBlocked:
		why = "is blocked"
	case g != nil && g.Status == rules.TaskFailed && g.Counts.Uncounted():
		why = "failed, and how often can't be read"
	case g != nil && g.Status == rules.TaskFailed && g.Spent():
		why = rules.Failed(g.Counts.Limit())
	case !t.IsEscalated() || g != nil && g.Status != "": // a word of the protocol says what the gate waits for
		return
	case t.Retry != nil && t.Retry.Status == facts.Escalated:
		why, how = facts.Failed(t.Retry.Count)+", as often as it may", tellAgents
	default:
		why, how = facts.Failed(t.Failures())+", as often as it may", tellAgents
	}
	name := "a task"
	if t.Name != "" {
		name = line.Tidy(t.Name)
	}
	place := ""
	if t.Plan != nil {
		place = "Plan " + t.Plan.ID
	}
	c.Build.Waits = append(c.Build.Waits, model.Wait{Node: n.ID, Text: name + " " + why + ": " + how, Place: place, Evidence: model.Reached, Since: n.Updated, Source: n.Source})
}

// closed reports whether a summary has closed the plan that a task is of, or that its gate names.
func (c *builder) closed(t *facts.Task) bool {
	s := t.Plan
	if s == nil && t.Gate != nil {
		s = c.Plans[t.Gate.PlanKey()]
	}
	return s != nil && s.Done
}

// atWork returns the task that the block of STATE.md is about, nil where no plan has it.
func (c *builder) atWork() *facts.Task {
	for _, p := range c.Phases {
		for _, s := range p.Plans {
			for _, t := range s.Tasks {
				if t.Gate != nil {
					return t
				}
			}
		}
	}
	return nil
}

// looseGate is the row of a gate whose task no plan has: it is shown at the top of the tree.
func (c *builder) looseGate() *model.Node {
	t := c.Loose()
	if t == nil {
		return nil
	}
	g, n := t.Gate, c.gateRow(t)
	n.Title, n.Gate.Opens = line.Tidy(g.Name), nil
	if n.Title == "" {
		n.Title = "a task without a name"
	}
	if s := c.Plans[g.PlanKey()]; s != nil {
		n.Gate.Opens = []string{s.Node}
	}
	fact(n, "plan", g.Plan)
	return n
}

// checkpoints adds the tasks that will stop for a human in the plan that is or will be executed. No file says whether one
// has been reached.
func (c *builder) checkpoints() {
	turn := c.Line.Running
	if turn == "" {
		turn = c.Line.Next
	}
	for _, p := range c.Phases {
		for _, s := range p.Plans {
			if s.ID != turn || s.Done {
				continue
			}
			for _, t := range s.Tasks {
				if t.Checkpoint() != "" && !t.Status.Closed() {
					c.Build.Waits = append(c.Build.Waits, model.Wait{
						Node: t.Node, Text: line.Tidy(t.Title), Place: "Plan " + s.ID, Evidence: model.Checkpoint, Standing: model.Standing{Status: model.Upcoming}, Source: model.Pos{File: s.File, Line: t.Line},
					})
				}
			}
		}
	}
}

// resumeID is the ID of the row of work that was broken off.
const resumeID = "resume"

// brokenOff adds the row of work that was broken off, below its plan, else above all; it waits for somebody to take it up or put
// it away. Where all plans are done there is nothing to go on with.
func (c *builder) brokenOff() {
	n := &model.Node{
		ID: resumeID, Kind: model.KindGate, Title: "broken off", Status: model.Waiting, Raw: "broken off", Why: "continue.md is there",
		Gate:   &model.Gate{Approval: model.ApprovalHuman, Asks: "go on where it was broken off, or put it away (gatehouse resume --discard)"},
		Source: model.Pos{File: facts.ResumeFile}, Updated: c.ResumeAt,
	}
	fact(n, "last", c.Resume.Last)
	for i, step := range c.Resume.Steps {
		fact(n, "next "+strconv.Itoa(i+1), step)
	}
	w := model.Wait{Node: resumeID, Text: "work was broken off", Evidence: model.HandedOff, Since: c.ResumeAt, SinceFile: true, Source: n.Source}
	if what := line.Tidy(c.Resume.Last); what != "" {
		w.Text += ": " + what
	}
	if s := c.Plans[facts.PlanKey(c.Line.PausedPlan)]; s != nil && c.Line.PausedPlan != "" {
		n.Gate.Opens, w.Place = []string{s.Node}, "Plan "+s.ID
		if row, _ := c.Build.Find(s.Node); row != nil {
			row.Children = append([]*model.Node{n}, row.Children...)
			n = nil
		}
	}
	if n != nil {
		c.Build.Nodes = append([]*model.Node{n}, c.Build.Nodes...)
	}
	c.Build.Waits = append(c.Build.Waits, w)
	model.SortWaits(c.Build.Waits)
}

// blockers lists what keeps agents from going on, each with where it comes from: tasks that are blocked or have failed, and
// the lines of STATE.md. Such a line is also written for a task, "Task 2: name: why"; then it is told once, with its task.
func (c *builder) blockers() {
	told := map[*facts.Task]bool{}
	for _, x := range c.State.Blockers {
		b := model.Blocker{Text: line.Tidy(x.Text), Source: model.Pos{File: c.Build.File, Line: x.Line}, Concern: true}
		if t := c.blocked(x.Text); t != nil {
			told[t], b.Node, b.Concern = true, t.Node, t.Status.Closed()
			b.Since = t.Since()
		} else if _, _, ok := doc.ParseTaskNumber(x.Text); ok {
			b.Concern = false
		}
		for _, p := range c.Phases {
			if x.Phase != "" && p.Number != "" && facts.ParseTaskKey(x.Phase).Task == facts.ParseTaskKey(p.Number).Task && b.Node == "" {
				b.Node = p.ID
			}
		}
		c.Build.Blockers = append(c.Build.Blockers, b)
	}
	for _, p := range c.Phases {
		for _, s := range p.Plans {
			for _, t := range s.Tasks {
				if told[t] || t.Status != model.Blocked && t.Status != model.Failed {
					continue
				}
				b := model.Blocker{Text: line.Tidy(t.Name + " " + t.Status.String()), Node: t.Node, Since: t.Since(), Source: model.Pos{File: s.File, Line: t.Line}}
				if l := t.Last(); l != nil {
					b.Source = model.Pos{File: l.File}
					if l.Error != "" {
						b.Text = line.Tidy(t.Name + ": " + l.Error)
					}
				}
				c.Build.Blockers = append(c.Build.Blockers, b)
			}
		}
	}
}

// blocked returns the task that a blocker of STATE.md was written for, nil for none: one logged whose name it begins with. Of tasks
// of one name it is of the plan that it names, then the one that failed with what it says, then one that is still open, then
// the last one logged.
func (c *builder) blocked(text string) (of *facts.Task) {
	named := facts.PlanKey(rules.ResumePlan(text))
	if c.Plans[named] == nil {
		named = "" // numbers of something else
	}
	best := -1
	for _, l := range slices.Backward(c.Logs) {
		rest, ok := strings.CutPrefix(text, l.Name)
		if l.Name == "" || !ok || !strings.HasPrefix(rest, ":") {
			continue
		}
		t := c.Tasks[facts.TaskKey{Plan: facts.PlanKey(l.Plan), Task: l.Task}]
		fit := 0
		if named != "" && facts.PlanKey(l.Plan) == named {
			fit += 4
		}
		if doc.StripMarks(statemd.BlockerOf(l.LogDoc)) == text {
			fit += 2
		}
		if t != nil && !t.Status.Closed() {
			fit++
		}
		if fit > best {
			of, best = t, fit
		}
	}
	return of
}
