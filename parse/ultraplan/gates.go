package ultraplan

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
)

// steps are the three steps of a gate.
var steps = [...]string{"executor", "verify", "architect"}

// stepsOf describes the checks of a gate.
const stepsOf = "executor, verify command and architect have to pass"

// gateRow returns the row of a task's gate, nil if no file has a status for the gate.
func (c *builder) gateRow(t *core.Task) *model.Node {
	n := &model.Node{
		ID: gateID(t), Kind: model.KindGate, Title: "gate", Source: model.Pos{File: c.Build.File},
		Gate: &model.Gate{Approval: model.ApprovalAuto, Required: true, Asks: stepsOf},
	}
	if t.Plan != nil {
		n.Gate.Opens = []string{taskID(t), planID(t.Plan)}
	}
	switch {
	case t.Gate != nil:
		c.fillFromState(t, n)
	case t.Skip != nil:
		n.Status, n.Raw, n.Source.Line = model.Skipped, core.GateSkipped, t.Skip.Line
		n.Updated = protocol.ParseTime(t.Skip.At)
	case t.Retried != nil && t.Status == core.TaskPending:
		n.Status, n.Raw, n.Why, n.Source.Line, n.Updated = model.Pending, "retried", t.Why, t.Retried.Line, protocol.ParseTime(t.Retried.At)
	case t.IsSpent || t.Stuck != "": // known only by its logs or the session
		n.Status, n.Raw, n.Updated, n.Why = taskStatus(t.Status), t.Raw, statusSince(t), t.Why
		n.Source.File = c.FindEvidence(t)
	default:
		return nil
	}
	if t.Gate == nil && t.Stuck != "" {
		n.Gate.Can = []model.Verb{model.VerbSkip, model.VerbRetry}
	}
	if t.Skip != nil {
		n.Gate.Reason = line.Tidy(t.Skip.Reason)
		protocol.AddFact(n, "skipped by", t.Skip.By)
		protocol.AddFact(n, "skipped at", t.Skip.At)
	}
	n.Attempt, n.Attempts = countTries(t)
	for i, why := range t.ListErrors() {
		protocol.AddFact(n, "failure "+strconv.Itoa(i+1), why)
	}
	return n
}

// fillFromState fills in what the block current_task says.
func (c *builder) fillFromState(t *core.Task, n *model.Node) {
	g := t.Gate
	n.Source.Line, n.Updated = g.Line, protocol.ParseTime(g.Last)
	if n.Updated.IsZero() {
		n.Updated = protocol.ParseTime(g.Started)
	}
	n.Status, n.Raw = gateStatus(g), g.Status
	if g.IsWrong() {
		n.Raw, n.Why = line.Tidy(cmp.Or(g.Status, g.Raw)), t.Why
	} else if at, err := strconv.Atoi(g.Step); err == nil && at >= 1 && at <= len(steps) {
		n.Why = fmt.Sprintf("step %d of %d, %s", at, len(steps), steps[at-1])
	}
	for i, word := range []string{g.Executor, g.Verify, g.Architect} {
		protocol.AddFact(n, steps[i], word)
	}
	n.Gate.Can = verbsOf(t)
	switch {
	case t.Closed && !n.Status.Closed():
		n.Status, n.Why, n.Gate.Can = model.Done, "STATE.md is behind: its plan has a summary", nil
	case t.IsBehind():
		n.Status, n.Why, n.Updated = taskStatus(t.Status), "STATE.md is behind: "+t.Why, statusSince(t)
	}
	if t.Overtaken {
		n.Gate.Can = nil
	}
	n.Gate.Reason = line.Tidy(g.SkipReason)
	protocol.AddFact(n, "skipped by", g.By)
	protocol.AddFact(n, "skipped at", g.SkippedAt)
}

// gateStatus returns the status of a gate's row.
func gateStatus(g *core.Gate) model.Status {
	switch {
	case g.DeniedBy() != "":
		return model.Failed
	case g.Status == core.GateSkipped:
		return model.Skipped
	case g.Status == "":
		return model.Unknown
	}
	return taskStatus(g.TaskStatus())
}

// verbsOf returns the verbs that are allowed for the gate of the current task.
func verbsOf(t *core.Task) (all []model.Verb) {
	status := t.Gate.Status
	if t.SpentSince > 0 {
		status = core.GateFailed
	}
	for _, verb := range []model.Verb{model.VerbSkip, model.VerbRetry} {
		if core.CanDecide(status, string(verb), t.Gate.IsWrong()) {
			all = append(all, verb)
		}
	}
	return all
}

// countTries returns the attempt of a task and the number of attempts; 0 is unknown. If all attempts are spent, it is the last one.
func countTries(t *core.Task) (n, of int) {
	switch {
	case t.SpentSince > 0 && t.IsSpent:
		n, of = t.SpentSince, max(0, t.Gate.Max)
	case t.Gate != nil:
		n, of = t.Gate.Attempt, max(0, t.Gate.Max)
	case t.Status == core.TaskRetrying: // the previous attempt has failed, and this is the next one
		n, of = t.CountFailures()+1, core.MaxAttempts
	case t.IsSpent:
		n, of = t.CountFailures(), core.MaxAttempts
	case t.LastLog() != nil:
		n = t.LastLog().Attempt
	}
	if of > 0 {
		n = min(n, of)
	}
	return n, of
}

// statusSince returns since when a task has had its status, zero if unknown.
func statusSince(t *core.Task) time.Time {
	switch {
	case t.Gate != nil && !t.IsBehind():
		return protocol.ParseTime(t.Gate.Last)
	case t.LastLog() != nil:
		return unixTime(t.LastLog().At)
	}
	return time.Time{}
}

// addWaits adds the tasks that wait for a human.
func (c *builder) addWaits() {
	for _, t := range c.FindWaits() {
		place := ""
		n, _ := c.Build.Find(gateID(t))
		if t.Plan != nil {
			place = "Plan " + t.Plan.ID
		}
		c.Build.Waits = append(c.Build.Waits, model.Wait{
			Node: n.ID, Text: line.Tidy(t.WaitText()) + ": retry or skip it", Place: place, Evidence: model.Reached, Since: n.Updated, Source: n.Source,
		})
	}
}

// unplannedRow returns the row of a gate whose task is in no plan. It is shown at the top of the tree.
func (c *builder) unplannedRow(t *core.Task) *model.Node {
	n := c.gateRow(t)
	if n.Title = line.Tidy(t.Name); n.Title == "" {
		n.Title = "a task without a name"
	}
	if plan := c.PlanOfGate(t.Gate); plan != nil {
		n.Gate.Opens = []string{planID(plan)}
	}
	protocol.AddFact(n, "plan", t.Gate.Plan)
	return n
}

// resumeID is the ID of the row of interrupted work.
const resumeID = "resume"

// addPause reports interrupted work if continue.md exists. In a finished build the file is a leftover.
func (c *builder) addPause() {
	if c.Resume == nil || c.at.Complete {
		return
	}
	at := c.src.files[core.ResumeFile].changed
	c.Build.Pause = &model.Pause{Reason: c.interruptedAt(), Since: at, Source: model.Pos{File: core.ResumeFile}}
	n := &model.Node{
		ID: resumeID, Kind: model.KindGate, Title: "broken off", Status: model.Waiting, Raw: "broken off", Why: "continue.md is there",
		Gate:   &model.Gate{Approval: model.ApprovalHuman, Asks: "go on where it was broken off, or put it away (gatehouse resume --discard)"},
		Source: model.Pos{File: core.ResumeFile}, Updated: at,
	}
	protocol.AddFact(n, "last", c.Resume.Last)
	for i, step := range c.Resume.Steps {
		protocol.AddFact(n, "next "+strconv.Itoa(i+1), step)
	}
	w := model.Wait{Node: resumeID, Text: "work was broken off", Evidence: model.HandedOff, Since: at, SinceFile: true, Source: n.Source}
	if what := line.Tidy(c.Resume.Last); what != "" {
		w.Text += ": " + what
	}
	if plan := c.at.PausedPlan; plan != nil {
		n.Gate.Opens, w.Place = []string{planID(plan)}, "Plan "+plan.ID
		row, _ := c.Build.Find(planID(plan))
		row.Children = append([]*model.Node{n}, row.Children...)
	} else {
		c.Build.Nodes = append([]*model.Node{n}, c.Build.Nodes...)
	}
	c.Build.Waits = append(c.Build.Waits, w)
	model.SortWaits(c.Build.Waits)
}

// interruptedAt describes where work was interrupted: at the last task of continue.md, else where STATE.md says that it stopped.
func (c *builder) interruptedAt() string {
	return line.Tidy(cmp.Or(line.Tidy(c.Resume.Last), c.State.StoppedAt))
}

// blockedTask returns the task that a blocker of STATE.md was written for, nil without one: the last logged open task with a name that the
// blocker begins with, else the last logged one.
func (c *builder) blockedTask(text string) (task *core.Task) {
	for _, l := range slices.Backward(c.Logs) {
		if l.Name == "" || !strings.HasPrefix(text, l.Name+":") {
			continue
		}
		if t := c.TaskOfLog(l); t != nil && (task == nil || !t.IsOver()) {
			if task = t; !t.IsOver() {
				return task
			}
		}
	}
	return task
}

// eachTask calls see with each task, in the order of the tree.
func (c *builder) eachTask(see func(t *core.Task)) {
	for _, ph := range c.Phases {
		for _, plan := range ph.Plans {
			for _, t := range plan.Tasks {
				see(t)
			}
		}
	}
}

// addBlockers lists the blockers: the lines of STATE.md, and tasks that are blocked or have failed, each once.
func (c *builder) addBlockers() {
	listed := map[*core.Task]bool{}
	for _, x := range c.State.Blockers {
		b := model.Blocker{Text: line.Tidy(x.Text), Source: model.Pos{File: c.Build.File, Line: x.Line}, Concern: true}
		if t := c.blockedTask(x.Text); t != nil {
			listed[t], b.Node, b.Concern, b.Since = true, taskID(t), t.IsOver(), statusSince(t)
		} else if _, _, ok := doc.ParseTaskNumber(x.Text); ok {
			b.Concern = false
		}
		for _, ph := range c.Phases {
			if b.Node == "" && x.Phase != "" && core.TrimZeros(x.Phase) == core.TrimZeros(ph.Number) {
				b.Node = phaseID(ph)
			}
		}
		c.Build.Blockers = append(c.Build.Blockers, b)
	}
	c.eachTask(func(t *core.Task) {
		if listed[t] || t.Status != core.TaskBlocked && t.Status != core.TaskFailed {
			return
		}
		b := model.Blocker{Text: line.Tidy(t.Name + " " + taskStatus(t.Status).String()), Node: taskID(t), Since: statusSince(t), Source: model.Pos{File: t.Plan.File, Line: t.Line}}
		if l := t.LastLog(); l != nil {
			b.Source = model.Pos{File: l.File}
			if l.Error != "" {
				b.Text = line.Tidy(t.Name + ": " + l.Error)
			}
		}
		c.Build.Blockers = append(c.Build.Blockers, b)
	})
}
