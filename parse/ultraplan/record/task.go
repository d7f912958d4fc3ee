// The steps of a task's gate, recorded for agents.

package record

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/protocol"
	"gatehouse/parse/protocol/transition"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/statemd"
)

// GateMove is a step of the gate of a task.
type GateMove struct {
	Plan, Task string // ID of the plan and number of the task
	Event      string // one of EventStart and the like
	DryRun     bool
}

// GateMoved is the result of a step.
type GateMoved struct {
	Plan, Task, Name string
	Was, Is          string // the status of the gate before and after; Was is "" for a new gate
	Step, Attempt    int
	Already          bool // the step was taken before
	Files            []FileChange
}

// The events of a task's gate that agents report.
const (
	EventStart             = "start"
	EventExecutorSuccess   = "executor_success"
	EventExecutorFailure   = "executor_failure"
	EventExecutorBlocked   = "executor_blocked"
	EventVerifyPassed      = "verify_passed"
	EventVerifyFailed      = "verify_failed"
	EventArchitectApproved = "architect_approved"
	EventArchitectRejected = "architect_rejected"
	eventRetry             = "retry"
)

// gateStep is the effect of an event on a gate.
type gateStep struct {
	event, from, to string
	step            int // 1 to 3; 0 keeps it
	attempts        int // attempts to add: one when the gate fails
	results         []statemd.TaskValue
}

var started = []statemd.TaskValue{{Key: "executor_status", Value: "running"}, {Key: "verify_status", Value: "pending"}, {Key: "architect_status", Value: "pending"}}

// gateSteps are the steps of the protocol, except skips. Only a human can retry a blocked gate.
var gateSteps = []gateStep{
	{EventStart, core.GatePending, core.GateExecuting, 1, 0, started},
	{eventRetry, core.GateFailed, core.GateExecuting, 1, 0, started},
	{eventRetry, core.GateBlocked, core.GateExecuting, 1, 0, started},
	{EventExecutorSuccess, core.GateExecuting, core.GateVerifying, 2, 0, []statemd.TaskValue{{Key: "executor_status", Value: "success"}, {Key: "verify_status", Value: "running"}}},
	{EventExecutorFailure, core.GateExecuting, core.GateFailed, 0, 1, []statemd.TaskValue{{Key: "executor_status", Value: "failure"}}},
	{EventExecutorBlocked, core.GateExecuting, core.GateBlocked, 0, 0, []statemd.TaskValue{{Key: "executor_status", Value: "blocked"}}},
	{EventVerifyPassed, core.GateVerifying, core.GateReviewing, 3, 0, []statemd.TaskValue{{Key: "verify_status", Value: "passed"}, {Key: "architect_status", Value: "reviewing"}}},
	{EventVerifyFailed, core.GateVerifying, core.GateFailed, 0, 1, []statemd.TaskValue{{Key: "verify_status", Value: "failed"}}},
	{EventArchitectApproved, core.GateReviewing, core.GateApproved, 0, 0, []statemd.TaskValue{{Key: "architect_status", Value: "approved"}}},
	{EventArchitectRejected, core.GateReviewing, core.GateFailed, 0, 1, []statemd.TaskValue{{Key: "architect_status", Value: "rejected"}}},
}

// MoveGate takes a step of a task's gate: it changes the block current_task of STATE.md as the protocol requires. The start of a task also
// moves the position there. A step that the protocol does not have is refused with a [*model.Refusal].
func (r *Recorder) MoveGate(ctx context.Context, m GateMove) (*GateMoved, error) {
	c, err := r.openProject(Report{DryRun: m.DryRun})
	if err == nil {
		err = c.findPlan(m.Plan)
	}
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(c.plan.Tasks, func(t *core.Task) bool { return t.Number == core.TrimZeros(m.Task) })
	if i < 0 {
		return nil, &NoPlan{Text: fmt.Sprintf("%s/%s: plan %s has no such task; it has %s", m.Plan, m.Task, c.Plan, listTasks(c.plan.Doc.Tasks))}
	}
	c.setTask(c.plan.Tasks[i])
	if !c.HasState {
		return nil, protocol.Refuse(transition.Forbidden, "there is no STATE.md to write the gate into", "have the agents make one")
	}
	done := &GateMoved{Plan: c.Plan, Task: c.task.Number, Name: c.Name}
	err = c.lockLogs(ctx, func() error {
		isResumed := m.Event == EventStart && c.isInterrupted()
		err := c.writeFile(ctx, c.StateFile, false, inPlace(func(content string) ([]model.Span, error) {
			if why := core.WhyUnwritable(content); why != "" {
				return nil, &model.Refusal{Text: why, Fix: "fix it first"}
			}
			spans, err := c.moveGate(content, m.Event, done)
			if err == nil && isResumed {
				is := statemd.NewFigures(c.Project, nil, false)
				is.HasResume = false
				spans = append(spans, changesOf(content, is, "Resume file")...)
				slices.SortStableFunc(spans, func(a, b model.Span) int { return a.At - b.At })
			}
			return spans, err
		}))
		if err == nil && isResumed {
			err = c.takeResume()
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	done.Files = c.Files
	return done, nil
}

// changesOf returns the edits that correct some fields of STATE.md.
func changesOf(content string, is *statemd.Figures, fields ...string) (spans []model.Span) {
	for _, d := range statemd.FindDifferences(content, is) {
		if slices.Contains(fields, d.Field) {
			spans = append(spans, d.Spans...)
		}
	}
	return spans
}

// moveGate returns the edits of a step.
func (c *capture) moveGate(content, event string, done *GateMoved) ([]model.Span, error) {
	g := core.ParseState(content).Gate
	if g == nil || c.TaskOf(g) != c.task {
		if event != EventStart {
			return nil, protocol.Refuse(transition.NoGate, "STATE.md has no gate of "+c.Name, "start the task first: gatehouse task start "+c.task.GateName())
		}
		return c.startTask(content, g, done)
	}
	done.Was, done.Is, done.Attempt = g.Status, g.Status, g.Attempt
	done.Step, _ = strconv.Atoi(g.Step)
	if slices.ContainsFunc(gateSteps, func(s gateStep) bool { return s.event == event && s.to == g.Status && s.isIn(g) }) {
		done.Already = true
		return nil, nil
	}
	from := g.Status
	if event == EventStart && (from == core.GateFailed || from == core.GateExecuting) { // EXECUTING: a human has retried it, and the last results are still there
		from, event = core.GateFailed, eventRetry
	}
	step := findStep(from, event)
	switch {
	case step == nil:
		return nil, protocol.Refuse(transition.Forbidden, "the gate of "+c.Name+" is "+g.Raw, "the protocol has no such step from there; see gatehouse task --help")
	case g.Status == core.GateFailed && g.IsSpent():
		return nil, protocol.Refuse(transition.Forbidden, c.Name+" "+core.TimesFailed(g.AttemptLimit())+", as often as it may", "a human has to decide: gatehouse retry or gatehouse skip "+c.task.GateName())
	}
	done.Is, done.Attempt, done.Step = step.to, max(1, g.Attempt)+step.attempts, cmp.Or(step.step, done.Step)
	values := append([]statemd.TaskValue{{Key: "gate_status", Value: step.to}, {Key: "gate_step", Value: strconv.Itoa(done.Step)}}, step.results...)
	values = append(values, statemd.TaskValue{Key: "last_step_at", Value: statemd.Quote(protocol.FormatTime(c.now))})
	if step.attempts > 0 {
		values = append(values, statemd.TaskValue{Key: "attempt", Value: strconv.Itoa(done.Attempt)})
	}
	return statemd.SetTask(content, values)
}

// findStep returns the step of an event from a status, nil if the protocol has none.
func findStep(from, event string) *gateStep {
	for i := range gateSteps {
		if s := &gateSteps[i]; s.event == event && s.from == from {
			return s
		}
	}
	return nil
}

// isIn reports whether a gate already has the results of the step.
func (s *gateStep) isIn(g *core.Gate) bool {
	said := map[string]string{"executor_status": g.Executor, "verify_status": g.Verify, "architect_status": g.Architect}
	return !slices.ContainsFunc(s.results, func(v statemd.TaskValue) bool { return said[v.Key] != v.Value })
}

// startTask writes the gate of a task that starts, and moves the position to its plan. A gate that waits for a human is not replaced.
func (c *capture) startTask(content string, old *core.Gate, done *GateMoved) ([]model.Span, error) {
	if c.task.IsOver() {
		return nil, protocol.Refuse(transition.Forbidden, c.Name+" is done", "start another task")
	}
	var left *core.Task
	if old != nil {
		if left = c.GateTask(); left == nil {
			left = c.UnplannedTask()
		}
	}
	if left != nil {
		if left.Stuck != "" {
			return nil, protocol.Refuse(transition.Forbidden, "STATE.md has the gate of "+old.Name+", which "+left.Stuck, "a human has to decide it first; gatehouse gates shows it")
		}
	}
	if c.task.Stuck != "" {
		return nil, protocol.Refuse(transition.Forbidden, c.Name+" "+c.task.Stuck, "a human has to decide: gatehouse retry or gatehouse skip "+c.task.GateName())
	}
	now := statemd.Quote(protocol.FormatTime(c.now))
	done.Is, done.Step, done.Attempt = core.GateExecuting, 1, c.task.NextAttempt()
	values := append([]statemd.TaskValue{
		{Key: "name", Value: statemd.Quote(c.Name)}, {Key: "phase", Value: statemd.Quote(c.plan.Phase.Dir)}, {Key: "plan", Value: statemd.Quote(c.Plan)},
		{Key: "gate_status", Value: core.GateExecuting}, {Key: "gate_step", Value: "1"},
	}, started...)
	values = append(values, []statemd.TaskValue{
		{Key: "started_at", Value: now}, {Key: "last_step_at", Value: now}, {Key: "attempt", Value: strconv.Itoa(done.Attempt)}, {Key: "max_attempts", Value: strconv.Itoa(max(c.task.AttemptLimit(), done.Attempt))},
	}...)
	is := statemd.NewFigures(c.Project, nil, false)
	is.StartTask(c.plan.Key)
	spans, err := keepGate(content, statemd.ReplaceTask(content, values), left)
	if err != nil {
		return nil, err
	}
	spans = append(spans, changesOf(content, is, "Phase", "Plan", "Status", "Current focus")...)
	slices.SortStableFunc(spans, func(a, b model.Span) int { return a.At - b.At })
	return spans, nil
}

// keepGate adds to the edit that replaces a gate what only this gate records of its task: that it was skipped or approved, and its attempts.
func keepGate(content string, spans []model.Span, left *core.Task) ([]model.Span, error) {
	if left == nil || !left.IsForgotten() {
		return spans, nil
	}
	g, key := left.Gate, core.EarlierKey
	item := [][2]string{{"task", statemd.Quote(left.ReferenceName())}}
	if g.Status == core.GateSkipped {
		key = core.SkippedKey
		item = append(item, [][2]string{{"reason", statemd.Quote(g.SkipReason)}, {"by", statemd.Quote(g.By)}, {"timestamp", statemd.Quote(cmp.Or(g.SkippedAt, g.Last))}}...)
	} else {
		item = append(item, [][2]string{{"gate_status", g.Status}, {"attempt", strconv.Itoa(g.Attempt)}, {"max_attempts", strconv.Itoa(left.AttemptLimit())}, {"timestamp", statemd.Quote(g.Last)}}...)
	}
	span, err := statemd.AppendDecision(content, key, item)
	if block := &spans[0]; err == nil && span.At > block.At && span.At < block.At+len(block.Old) { // the file ends with the block
		rest := block.Old[span.At-block.At:]
		block.New = strings.TrimRight(block.New, "\r\n") + span.New + rest
		return spans, nil
	}
	return append(spans, span), err
}
