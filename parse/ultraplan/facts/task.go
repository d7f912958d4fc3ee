// Tasks, with what logs, session, retries and STATE.md say of each.

package facts

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/doc"
	"gatehouse/parse/ultraplan/rules"
)

// Task is a task with what the files beside its plan say.
type Task struct {
	*PlanTask
	Plan *Plan
	Node string // its ID

	Gate  *Gate        // STATE.md's, when it is the task at work
	Retry *Retry       // of retry-state.json
	Skip  *Skip        // a user has left its gate out
	now   *SessionTask // of the session
	logs  []*Log       // of its results, the oldest first
	torn  string       // a log that is not whole and by its name the task's, "" for none

	// Overtaken is that it has succeeded since its gate stopped, and SpentSince how often it has failed since its gate moved, where
	// that is as often as it may; 0 where it is not. See [rules.Task.Overtaken] and [rules.Task.FailedSince].
	Overtaken  bool
	SpentSince int

	Status   model.Status
	Raw, Why string
}

// DeriveTasks makes the tasks of all plans, and gives each its status and every plan its own.
func (pr *Project) DeriveTasks() {
	pr.Tasks = map[TaskKey]*Task{}
	for _, p := range pr.Phases {
		for _, s := range p.Plans {
			for i := range s.Doc.Tasks {
				t := &Task{PlanTask: &s.Doc.Tasks[i], Plan: s, Node: fmt.Sprintf("task/%s/%s/%d", p.Dir, s.ID, i+1)}
				s.Tasks = append(s.Tasks, t)
				if k := (TaskKey{Plan: s.Key, Task: t.Number}); pr.Tasks[k] == nil {
					pr.Tasks[k] = t
				}
			}
		}
	}
	pr.gather()
	for _, p := range pr.Phases {
		for _, s := range p.Plans {
			for _, t := range s.Tasks {
				t.derive()
			}
			pr.derivePlan(s)
		}
	}
}

// gather gives the tasks what logs, session, retries and STATE.md say of them.
func (pr *Project) gather() {
	for _, l := range pr.Logs {
		if t := pr.Tasks[TaskKey{Plan: PlanKey(l.Plan), Task: l.Task}]; t != nil {
			t.logs = append(t.logs, l)
		}
	}
	for k, file := range pr.torn {
		if t := pr.Tasks[k]; t != nil && t.Last() == nil {
			t.torn = file
		}
	}
	if pr.Session != nil {
		for i := range pr.Session.Tasks {
			one := &pr.Session.Tasks[i]
			plan := one.Plan
			if plan == "" {
				plan = pr.Session.Plan
			}
			if t := pr.Named(PlanKey(plan), one.Name); t != nil {
				t.now = one
			}
		}
	}
	if pr.Retries != nil {
		for id, r := range pr.Retries.Tasks {
			if t := pr.Tasks[ParseTaskKey(id)]; t != nil && r != nil {
				t.Retry = r
			}
		}
	}
	if g := pr.State.Gate; g != nil {
		if t := pr.Named(g.PlanKey(), g.Name); t != nil {
			t.Gate = g
			t.holdGate()
		}
	}
	for i := range pr.State.Skipped {
		k := &pr.State.Skipped[i]
		t := pr.Tasks[ParseTaskKey(k.task)]
		if t == nil && pr.State.Gate != nil {
			t = pr.Named(pr.State.Gate.PlanKey(), k.task)
		}
		if t != nil {
			t.Skip = k
		}
	}
}

// holdGate holds the gate of a task against the logs of its results.
func (t *Task) holdGate() {
	by := results(t.logs, t.Gate.Counts.After)
	t.Overtaken = t.Gate.Counts.Overtaken(by)
	if times, spent := t.Gate.Counts.FailedSince(by); spent {
		t.SpentSince = times
	}
}

// Loose returns the task that STATE.md has a gate of and no plan has, nil without one. Its logs tell only that it has succeeded since: of
// how often it may fail, only a plan that is open does.
func (pr *Project) Loose() *Task {
	g := pr.State.Gate
	if g == nil || pr.Named(g.PlanKey(), g.Name) != nil {
		return nil
	}
	t := &Task{PlanTask: &PlanTask{Name: g.Name}, Node: "task/current", Gate: g, Status: GateStatus(g)}
	t.Number, _, _ = doc.ParseTaskNumber(strings.TrimSpace(g.Name))
	for _, l := range pr.Logs {
		if t.Number != "" && l.Task == t.Number && PlanKey(l.Plan) == g.PlanKey() {
			t.logs = append(t.logs, l)
		}
	}
	if t.Overtaken = g.Counts.Overtaken(results(t.logs, g.Counts.After)); t.Overtaken {
		t.Status, t.Why = model.Done, lastResult(t.Last())
	}
	return t
}

// lastResult says by which log a task is as it is.
func lastResult(l *Log) string { return path.Base(l.File) + " is the log of its last result" }

// Behind reports whether its gate in STATE.md is behind the logs of its results.
func (t *Task) Behind() bool { return t.Overtaken || t.SpentSince > 0 }

// PlanKey returns the plan that a gate is about: "03-01", or "01" beside its phase.
func (g *Gate) PlanKey() string {
	if strings.Contains(g.Plan, "-") {
		return PlanKey(g.Plan)
	}
	phase, _, _ := strings.Cut(g.Phase, "-")
	return PlanKey(phase + "-" + g.Plan)
}

// Named returns the task of a plan by its name, else by the number that the name begins with; nil where there is none.
func (pr *Project) Named(plan, name string) *Task {
	s := pr.Plans[plan]
	if s == nil {
		return nil
	}
	for _, t := range s.Tasks {
		if SameName(t.Name, name) {
			return t
		}
	}
	number, _, _ := doc.ParseTaskNumber(strings.TrimSpace(name))
	return pr.Tasks[TaskKey{Plan: plan, Task: number}]
}

// Last returns the log of a task's last result, nil without one.
func (t *Task) Last() *Log {
	if len(t.logs) == 0 {
		return nil
	}
	return t.logs[len(t.logs)-1]
}

// LastIn returns the log of a task's last result in a session, nil without one.
func (t *Task) LastIn(session string) *Log {
	for _, l := range slices.Backward(t.logs) {
		if l.Session == session {
			return l
		}
	}
	return nil
}

// succeeded reports whether the last result of a task was a success, by its log.
func (t *Task) succeeded() bool { return t.Last() != nil && t.Last().Status == model.OutcomeSuccess }

// Since returns since when a task is as it is, zero when that is not known.
func (t *Task) Since() time.Time {
	switch {
	case t.Gate != nil && !t.Behind():
		return t.Gate.Last
	case t.Last() != nil:
		return t.Last().At
	}
	return time.Time{}
}

// Failures returns how often a task has failed since its last success, by its logs and what they say of the attempt, and by the
// session, from which the prompt has it.
func (t *Task) Failures() int {
	n := Failures(t.logs)
	if t.now != nil && t.now.Status == model.OutcomeFailure && !t.succeeded() {
		n = max(n, t.now.Attempts)
	}
	return n
}

// Errors returns why a task has failed since its last success, by its logs, the oldest of at most [MaxFailures] first.
func (t *Task) Errors() (all []string) {
	for _, l := range t.logs {
		switch l.Status {
		case model.OutcomeSuccess:
			all = nil
		case model.OutcomeFailure:
			all = append(all, l.Error)
		}
	}
	return all[max(0, len(all)-MaxFailures):]
}

// Failures returns how often a task has failed since its last success, by its logs, the oldest first.
func Failures(logs []*Log) int {
	return results(logs, func(int64) bool { return false }).Failures()
}

// results adds up the logs of a task, the oldest first; after tells those that came after the last step of its gate.
func results(logs []*Log, after func(seconds int64) bool) *rules.Results {
	r := &rules.Results{}
	for _, l := range logs {
		r.Add(l.Status, l.Attempt, after(l.At.Unix()))
	}
	return r
}

// Failed says how often something has failed, as [rules.Failed] does.
func Failed(times int) string { return rules.Failed(strconv.Itoa(max(0, times))) }
