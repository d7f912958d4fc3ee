package demo

// This file is the agent that has executors do tasks, in a project of its own below the first. What it does next follows from
// the gate of the task at work, which stands in STATE.md and is read at every tick; what executors return is written down as by
// "gatehouse capture". A task that has failed as often as it may waits for the user, for as long as it takes: it is tried again,
// or left out.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/record"
)

const (
	// judging is how long a verify command, and an architect, take.
	judging = 2 * time.Second
	// regrouping is how long it takes until a task that failed is tried again.
	regrouping = 4 * time.Second
)

// taskAgent builds Nestcam.
type taskAgent struct {
	b     *Build
	story taskStory
	order []*nestTask // all tasks, in their order

	working work
	failed  map[*nestTask]int // how often

	stateText string // STATE.md as it was read last
	gateWas   *core.Gate
}

// taskStory is stories/nestcam.yaml.
type taskStory struct {
	Project   string
	Decisions []struct {
		Ago  time.Duration
		Text string
	}
	Phases []*nestPhase
	State  string
}

type nestPhase struct {
	Number, Dir, Name, Goal string
	Plans                   []*nestPlan
}

type nestPlan struct {
	ID, Title string
	Wave      int
	Needs     []string
	Tasks     []*nestTask

	phase *nestPhase
}

type nestTask struct {
	Name, File, Verify, Output, Done string
	Takes, Before                    time.Duration
	Minutes                          int
	Fails                            []string

	plan   *nestPlan
	number int
}

func newTaskAgent(b *Build) *taskAgent {
	a := &taskAgent{b: b, failed: map[*nestTask]int{}}
	load("nestcam.yaml", &a.story)
	for _, ph := range a.story.Phases {
		for _, pl := range ph.Plans {
			pl.phase, pl.Wave = ph, max(1, pl.Wave)
			for i, t := range pl.Tasks {
				t.plan, t.number, t.Name = pl, i+1, fmt.Sprintf("Task %d: %s", i+1, t.Name)
				a.order = append(a.order, t)
			}
		}
	}
	return a
}

// taskJob is one thing that the agent does.
type taskJob struct {
	name  string
	takes time.Duration
	do    func(state string, g *core.Gate) error
}

// tick lets time go by for the agent.
func (a *taskAgent) tick(ctx context.Context, d time.Duration) error {
	state, g := a.gate()
	if g == nil {
		return nil // gone, or somebody is writing it
	}
	next := a.next(ctx, g)
	if !a.working.done(next.name, next.takes, d) {
		return nil
	}
	return next.do(state, g)
}

// gate returns STATE.md and the gate in it, nil while there is none.
func (a *taskAgent) gate() (state string, g *core.Gate) {
	state, err := a.b.readFile(nestState)
	if err != nil {
		return "", nil
	}
	if state != a.stateText {
		a.stateText, a.gateWas = state, core.ParseState(state).Gate
	}
	return state, a.gateWas
}

// next returns what there is to do, nothing while the agent has to stand still.
func (a *taskAgent) next(ctx context.Context, g *core.Gate) taskJob {
	t := a.task(g.Plan, g.Name)
	if t == nil {
		return taskJob{}
	}
	job := func(takes time.Duration, do func(string, *core.Gate) error) taskJob {
		return taskJob{fmt.Sprint(g.Plan, " ", g.Name, " ", g.Status, " ", g.Attempt), takes, do}
	}
	fails := a.failed[t] < len(t.Fails)
	switch g.Status {
	case core.GateExecuting:
		return job(t.Takes, func(state string, g *core.Gate) error {
			return a.save(state, t, g.Attempt, gateAt{status: core.GateVerifying, step: 2, steps: [3]string{"success", "running", "pending"}})
		})
	case core.GateVerifying:
		return job(judging, func(state string, g *core.Gate) error {
			if !fails {
				return a.save(state, t, g.Attempt, gateAt{status: core.GateReviewing, step: 3, steps: [3]string{"success", "passed", "reviewing"}})
			}
			failed := gateAt{status: core.GateFailed, step: 2, steps: [3]string{"success", "failed", "pending"}}
			if err := a.save(state, t, g.Attempt+1, failed); err != nil {
				return err
			}
			a.failed[t]++
			return a.capture(ctx, t, a.failed[t], t.Fails[a.failed[t]-1])
		})
	case core.GateReviewing:
		return job(judging, func(state string, g *core.Gate) error {
			if err := a.save(state, t, g.Attempt, gateAt{status: core.GateApproved, step: 3, steps: [3]string{"success", "passed", "approved"}}); err != nil {
				return err
			}
			return a.succeed(ctx, t)
		})
	case core.GateFailed:
		if g.IsSpent() {
			return taskJob{} // a human's turn
		}
		return job(regrouping, func(state string, g *core.Gate) error { return a.save(state, t, g.Attempt, executing) })
	case core.GateApproved, core.GateSkipped:
		return job(handover, func(state string, g *core.Gate) error { return a.goOn(state, t, g) })
	}
	return taskJob{}
}

// task returns the task of the story that a gate is about.
func (a *taskAgent) task(plan, name string) *nestTask {
	for _, t := range a.order {
		if t.plan.ID == plan && t.Name == name {
			return t
		}
	}
	return nil
}

// last reports whether a task is the last of its plan.
func (t *nestTask) last() bool { return t.number == len(t.plan.Tasks) }

// succeed writes what came of a task: its file, the summary of the plan that it closes, and the result.
func (a *taskAgent) succeed(ctx context.Context, t *nestTask) error {
	if err := a.b.writeFile(path.Join(nestDir, t.File), "# "+t.Done+".\n"); err != nil {
		return err
	}
	if t.last() {
		if err := a.b.writeFile(t.plan.file("SUMMARY"), a.b.renderNestSummary(t.plan)); err != nil {
			return err
		}
	}
	return a.capture(ctx, t, a.failed[t]+1, "")
}

// goOn begins the task after one that is over; a plan that ends with one that was left out gets its summary first.
func (a *taskAgent) goOn(state string, t *nestTask, g *core.Gate) error {
	if g.Status == core.GateSkipped {
		state = noteSkip(state, t, g)
		if t.last() {
			if err := a.b.writeFile(t.plan.file("SUMMARY"), a.b.renderNestSummary(t.plan)); err != nil {
				return err
			}
		}
	}
	for i, other := range a.order {
		if other == t && i+1 < len(a.order) {
			return a.save(state, a.order[i+1], 1, executing)
		}
	}
	a.working.job = "" // nothing is left
	return nil
}

// capture writes down what an executor returned; why is its error, "" for a success.
func (a *taskAgent) capture(ctx context.Context, t *nestTask, attempt int, why string) error {
	c, err := a.recorder().Capture(ctx, record.Report{Text: renderResult(t, attempt, why), Plan: t.plan.ID, Session: "nest-" + t.plan.ID})
	if err != nil {
		return err
	}
	if c.Outcome == record.Invalid {
		return fmt.Errorf("the result of %s is %s: %v", t.Name, c.Outcome, c.Errors)
	}
	return a.date(c.Files)
}

// recorder returns what writes down results. It does not wait for the disk: a demo need not outlive a power cut.
func (a *taskAgent) recorder() *record.Recorder {
	return record.New(filepath.Join(a.b.dir, nestDir), statefile.Unsynced{}, a.b.when)
}

// date gives files that were written the time that they belong to.
func (a *taskAgent) date(files []record.FileChange) error {
	var err error
	for _, f := range files {
		err = errors.Join(err, a.b.date(path.Join(nestDir, f.File)))
	}
	return err
}

// over reports whether the build has ended, or was never there.
func (a *taskAgent) over() bool {
	if _, err := a.b.readFile(nestState); err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	for _, ph := range a.story.Phases {
		for _, pl := range ph.Plans {
			if _, err := a.b.readFile(pl.file("SUMMARY")); err != nil {
				return false
			}
		}
	}
	return true
}

// plannedAgo is when the build was planned, before the round.
const plannedAgo = 3 * time.Hour

// begin writes a build that is under way: what has a time before the round is captured as if it were then.
func (a *taskAgent) begin() error {
	*a = taskAgent{b: a.b, story: a.story, order: a.order, failed: map[*nestTask]int{}}
	defer func() { a.b.ago = 0 }()
	if err := a.b.removeAll(nestDir); err != nil {
		return err
	}
	a.b.ago = plannedAgo
	for _, f := range a.b.nestFiles(&a.story) {
		if err := a.b.writeFile(f.name, f.text); err != nil {
			return err
		}
	}
	ctx := context.Background()
	for _, d := range a.story.Decisions {
		a.b.ago = d.Ago
		decided, err := a.recorder().Decide(ctx, record.Decision{Text: d.Text})
		if err != nil {
			return err
		}
		if err := a.date(decided.Files); err != nil {
			return err
		}
	}
	for _, t := range a.order {
		state, g := a.gate()
		if g == nil {
			return fmt.Errorf("%s has no gate", nestState)
		}
		if t.Before == 0 { // it is at work when the round begins
			a.b.ago = time.Minute
			return a.save(state, t, 1, executing)
		}
		a.b.ago = t.Before
		if err := a.save(state, t, 1, gateAt{status: core.GateApproved, step: 3, steps: [3]string{"success", "passed", "approved"}}); err != nil {
			return err
		}
		if err := a.succeed(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// gateAt is how far the gate of a task is.
type gateAt struct {
	status string
	step   int
	steps  [3]string // what executor, verify command and architect say
}

// executing is the gate of a task that begins.
var executing = gateAt{status: core.GateExecuting, step: 1, steps: [3]string{"running", "pending", "pending"}}

// save writes how far the gate of a task is into a STATE.md, and nothing else of it.
func (a *taskAgent) save(state string, t *nestTask, attempt int, at gateAt) error {
	g := core.ParseState(state).Gate
	if g == nil {
		return &model.Refusal{Text: nestState + " has no current_task"}
	}
	now := a.b.second()
	block := fmt.Sprintf("current_task:\n  name: %q\n  phase: %q\n  plan: %q\n  gate_status: %s\n  gate_step: %d\n  executor_status: %s\n  verify_status: %s\n  architect_status: %s\n  last_step_at: %q\n  attempt: %d\n  max_attempts: %d\n",
		t.Name, t.plan.phase.Dir, t.plan.ID, at.status, at.step, at.steps[0], at.steps[1], at.steps[2], now, attempt, core.MaxAttempts)
	return a.b.writeFile(nestState, state[:g.At]+block+state[gateEnd(state, g):])
}

// gateEnd returns the offset behind the last line of a gate.
func gateEnd(state string, g *core.Gate) int {
	return g.At + len(strings.TrimRight(state[g.At:g.End], " \t\r\n")) + 1
}

// noteSkip adds a task that was left out to the list of those, behind the gate.
func noteSkip(state string, t *nestTask, g *core.Gate) string {
	end := gateEnd(state, g)
	item := fmt.Sprintf("  - task: %q\n    reason: %q\n    skipped_by: %q\n    timestamp: %q\n", fmt.Sprintf("%s:task-%d", t.plan.ID, t.number), g.SkipReason, g.By, g.SkippedAt)
	const list = "skipped_tasks:\n"
	if strings.HasPrefix(state[end:], list) {
		end += len(list)
		return state[:end] + item + state[end:]
	}
	return state[:end] + list + item + state[end:]
}
