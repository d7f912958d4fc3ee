package core

import (
	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// TaskStatus is the status of a task.
type TaskStatus uint8

// The statuses of tasks.
const (
	TaskUnknown TaskStatus = iota
	TaskPending
	TaskActive
	TaskRetrying // it has failed, and its next attempt is due
	TaskDone
	TaskFailed
	TaskBlocked
)

// Task is a task of a plan, with the data of all files about it.
type Task struct {
	*TaskDoc
	Plan *Plan // nil for a gate whose task is in no plan

	Gate    *Gate        // from STATE.md, if it is the current task
	Retry   *RetryState  // from retry-state.json
	Skip    *Decision    // a human has skipped it
	Retried *Decision    // a human has retried it
	Earlier *Decision    // its last gate, before another gate replaced that
	Session *SessionTask // from the session
	Logs    []*Log       // the oldest first
	Torn    string       // a log of it that is not whole, if that may be the newest one; "" without one

	Closed     bool // its plan has a summary
	Overtaken  bool // it has succeeded after its gate stopped
	SpentSince int  // number of failures since the last step of its gate, if all attempts are spent; else 0

	Status    TaskStatus
	IsSpent   bool   // all attempts are spent: a human decides
	Stuck     string // why it waits for a human's decision, "failed 3 times"; "" if it does not
	Raw, Why  string // the status word of the file, and the reason
	unread    int    // number of logs of failures that are not whole
	retriedAt int64
}

// GateName returns the name of the task's gate, "01-01/2".
func (t *Task) GateName() string {
	if t.Plan != nil {
		return t.Plan.ID + "/" + t.Number
	}
	plan := t.Gate.Plan
	if !doc.Contains(plan, "-") {
		plan = LeadingNumber(t.Gate.Phase) + "-" + plan
	}
	return plan + "/" + t.Number
}

// ReferenceName returns the name of the task in lists of decisions, "01-01:task-2".
func (t *Task) ReferenceName() string { return t.Plan.ID + ":task-" + t.Number }

// gatherTasks combines all files about the tasks of a plan, and derives their statuses.
func (p *Project) gatherTasks(plan *Plan, logs, broken []*Log) {
	for _, t := range plan.Tasks {
		t.Closed = plan.Done
	}
	p.findDecisions(plan)
	for _, l := range logs {
		if t := plan.taskOf(plan.Doc.TaskNumbered(l.Task)); t != nil {
			t.Logs = append(t.Logs, l)
		}
	}
	for _, l := range broken {
		n, ok := ParseLogName(BaseName(l.File))
		if other := p.PlanOfLog(l); !ok || p.Plans[n.Plan] != plan || other != nil && other != plan {
			continue
		}
		if t := plan.taskOf(plan.Doc.TaskNumbered(n.Task)); t != nil {
			t.addBroken(l, n.Status)
		}
	}
	if p.Session != nil {
		for i := range p.Session.Tasks {
			one := &p.Session.Tasks[i]
			if p.PlanWith(one.Key()) != plan {
				continue
			}
			if t := plan.taskOf(plan.Doc.FindTask(one.Name)); t != nil {
				t.Session = one
			}
		}
	}
	if p.Retries != nil {
		for i := range p.Retries.Tasks {
			if t := p.TaskWith(ParseTaskKey(p.Retries.Tasks[i].ID)); t != nil && t.Plan == plan {
				t.Retry = &p.Retries.Tasks[i]
			}
		}
	}
	if t := p.GateTask(); t != nil && t.Plan == plan {
		t.Gate = p.State.Gate
		t.compareGate()
	}
	for _, t := range plan.Tasks {
		t.deriveStatus()
	}
}

// findDecisions finds the tasks of a plan that a human has skipped or retried, or that had an earlier gate.
func (p *Project) findDecisions(plan *Plan) {
	for i := range p.State.Decisions {
		d := &p.State.Decisions[i]
		k := ParseTaskKey(d.Task)
		t := plan.taskOf(plan.Doc.TaskNumbered(k.Task))
		if t == nil || p.Plans[k.Plan] != plan {
			continue
		}
		switch d.List {
		case SkippedKey:
			t.Skip = d
		case EarlierKey:
			t.Earlier = d
		case RetriedKey:
			if at, ok := doc.ParseSeconds(trimQuotes(d.At)); ok {
				t.Retried, t.retriedAt = d, max(at, t.retriedAt)
			}
		}
	}
}

// addBroken records a log that is not whole. If only its spelling is not supported and its name says failure or blocked, it counts as a
// failure.
func (t *Task) addBroken(l *Log, status string) {
	if (status == Failure || status == Blocked) && l.IsOdd && (l.At == 0 || l.At > t.retriedAt) && (l.At == 0 || t.LastLog() == nil || t.LastLog().Status != Success || l.At > t.LastLog().At) {
		t.unread++
	}
	if t.LastLog() == nil {
		t.Torn = l.File
	}
}

// LastLog returns the log of the last result, nil without one.
func (t *Task) LastLog() *Log {
	if len(t.Logs) == 0 {
		return nil
	}
	return t.Logs[len(t.Logs)-1]
}

// hasSucceeded reports whether the last log has a success.
func (t *Task) hasSucceeded() bool { return t.LastLog() != nil && t.LastLog().Status == Success }

// isSinceRetry reports whether the i-th log came after a human retried the task, by the number of results or else by time.
func (t *Task) isSinceRetry(i int) bool {
	switch {
	case i < 0:
		return false
	case t.Retried != nil && t.Retried.After > 0:
		return i >= t.Retried.After
	}
	return t.Logs[i].At > t.retriedAt
}

// results summarizes the logs of a task.
type results struct {
	since           string // status of the last result, if it came after the gate's last step; else ""
	sinceFailures   int    // failures since that step and the last success
	failed, attempt int    // since the last success: number of failures, and the highest attempt that their logs name
}

// sumResults summarizes the logs. Failures before a human retried the task do not count.
func (t *Task) sumResults() (r results) {
	step, hasStep := int64(0), false
	if t.Gate != nil {
		step, hasStep = doc.ParseSeconds(trimQuotes(t.Gate.Last))
	}
	for i, l := range t.Logs {
		isAfter := !hasStep || l.At > step || l.At == step && t.Gate.Started == t.Gate.Last // the gate has just started
		if r.since = ""; isAfter {
			r.since = l.Status
		}
		switch {
		case l.Status == Success:
			r.sinceFailures, r.failed, r.attempt = 0, 0, 0
		case l.Status == Failure && (t.Retried == nil || t.isSinceRetry(i)):
			r.failed++
			if t.Retried == nil {
				r.attempt = max(r.attempt, l.Attempt)
			}
			if isAfter {
				r.sinceFailures++
			}
		}
	}
	return r
}

func (r results) countFailures() int { return max(r.failed, r.attempt) }

// compareGate finds out whether the logs of a task are ahead of its gate: it has succeeded since the gate failed or was blocked, or all
// attempts are spent although the gate is running or to be retried. Each failure increases the attempt; attempts that the gate names but
// no log has do not count.
func (t *Task) compareGate() {
	g, r := t.Gate, t.sumResults()
	t.Overtaken = (g.Status == GateFailed || g.Status == GateBlocked) && r.since == Success
	mayFail := g.Status == GateFailed && !g.IsSpent() || g.isOpen()
	if times := min(max(g.Attempt, 1)-1+r.sinceFailures, r.countFailures()); mayFail && r.since == Failure && times >= g.AttemptLimit() {
		t.SpentSince = times
	}
}

// CountFailures returns how often the task has failed since its last success, by its logs and the session.
func (t *Task) CountFailures() int {
	n := t.sumResults().countFailures()
	if t.unread > 0 { // their attempts are unknown
		n = max(n+t.unread, t.AttemptLimit())
	}
	if t.Session != nil && t.Session.Status == Failure && !t.hasSucceeded() && t.Retried == nil {
		n = max(n, t.Session.Attempts)
	}
	return n
}

// AttemptLimit returns the maximum number of attempts.
func (t *Task) AttemptLimit() int {
	switch {
	case t.Gate != nil:
		return t.Gate.AttemptLimit()
	case t.Earlier != nil:
		return max(MaxAttempts, t.Earlier.Max)
	}
	return MaxAttempts
}

// NextAttempt returns the number of the next attempt.
func (t *Task) NextAttempt() int {
	n := t.CountFailures() + 1
	if t.Earlier != nil && !t.hasSucceeded() && !(t.Retried != nil && t.Retried.At > t.Earlier.At) {
		n = max(n, t.Earlier.Attempt)
	}
	return n
}

// IsForgotten reports whether replacing the task's gate would lose information: that the task was skipped or approved, or its attempts.
func (t *Task) IsForgotten() bool {
	switch g := t.Gate; {
	case g == nil || t.Plan == nil || t.Closed || t.Overtaken:
		return false
	case g.Status == GateSkipped:
		return t.Skip == nil
	case g.Status == GateApproved:
		return !t.hasSucceeded()
	default:
		return g.Attempt > t.NextAttempt() || g.AttemptLimit() > MaxAttempts
	}
}

// ListErrors returns the errors since the last success, the last [MaxFailures] at most, oldest first.
func (t *Task) ListErrors() (all []string) {
	for _, l := range t.Logs {
		switch l.Status {
		case Success:
			all = nil
		case Failure:
			all = append(all, l.Error)
		}
	}
	return all[max(0, len(all)-MaxFailures):]
}

// IsBehind reports whether the gate in STATE.md is behind the logs.
func (t *Task) IsBehind() bool { return t.Overtaken || t.SpentSince > 0 }

// IsOver reports whether the task is done.
func (t *Task) IsOver() bool { return t.Status == TaskDone }

// outcomeStatus returns the task status for the outcome of a result.
func outcomeStatus(word string) TaskStatus {
	switch word {
	case Success:
		return TaskDone
	case Failure:
		return TaskFailed
	case Blocked:
		return TaskBlocked
	}
	return TaskUnknown
}

// deriveStatus derives the status of a task. A skipped task is done, and so are the tasks of a plan with a summary. Otherwise the gate decides
// unless newer logs overtake it, then the session if it shows the task as running. Then come retries and logs; without these the session,
// and finally PLAN.md itself.
func (t *Task) deriveStatus() {
	set := func(s TaskStatus, raw, why string) { t.Status, t.Raw, t.Why = s, raw, why }
	failures, last, session := t.CountFailures(), t.LastLog(), TaskUnknown
	isEscalated := t.Retry != nil && t.Retry.Status == Escalated && t.Retried == nil
	spent := func(why string) {
		set(TaskFailed, Escalated, why)
		t.IsSpent, t.Stuck = true, TimesFailed(failures)
		if t.SpentSince > 0 {
			t.Stuck = TimesFailed(t.SpentSince)
		} else if isEscalated {
			t.Stuck = TimesFailed(t.Retry.Count)
		}
	}
	if t.Session != nil {
		session = outcomeStatus(t.Session.Status)
	}
	switch g := t.Gate; {
	case t.Skip != nil || g != nil && g.Status == GateSkipped:
		set(TaskDone, "complete (unverified)", "a human skipped its gate")
	case t.Closed:
		set(TaskDone, "", "with its plan")
	case t.Overtaken:
		set(TaskDone, "", resultOf(last))
	case g != nil && g.IsWrong():
		set(TaskFailed, line.Tidy(g.Raw), "its gate "+g.whyWrong())
		t.Stuck = g.Stuck()
	case g != nil && g.Status != "" && g.Status != GatePending && t.SpentSince == 0:
		set(g.TaskStatus(), g.Status, "its gate is "+g.Status)
		t.IsSpent, t.Stuck = g.Status == GateFailed && g.IsSpent(), g.Stuck()
	case t.Session != nil && t.Session.isRunning():
		set(TaskActive, "", "the session says "+line.Tidy(t.Session.Status))
	case t.Earlier != nil && t.Earlier.Status == GateApproved && (last == nil || last.At <= t.Earlier.seconds()):
		set(TaskDone, GateApproved, "its gate was APPROVED")
	case session == TaskFailed && last == nil && t.Retried == nil && t.Session.Attempts >= t.AttemptLimit():
		spent("the session says " + t.Session.Status + ", and that it has " + TimesFailed(t.Session.Attempts))
	case t.unread > 0:
		spent("it has " + TimesFailed(failures) + ", as often as it may")
	case t.Torn != "":
		set(TaskPending, "", BaseName(t.Torn)+" is an incomplete log: its result is unknown")
	case t.Retried != nil && !t.isSinceRetry(len(t.Logs)-1): // no result has come since
		set(TaskPending, "", "a human has it tried again")
	case session != TaskUnknown && last == nil:
		if set(session, "", "the session says "+t.Session.Status); session == TaskFailed && (t.Session.Attempts >= t.AttemptLimit() || t.Retry != nil && t.Retry.Status == Escalated) {
			spent(t.Why)
		}
	case t.Retry != nil && t.Retry.Status == Retrying && !t.hasSucceeded():
		set(TaskRetrying, Retrying, "it has "+TimesFailed(t.Retry.Count))
	case t.SpentSince > 0:
		spent("it has " + TimesFailed(t.SpentSince) + " since its gate moved, as often as it may")
	case isEscalated && !t.hasSucceeded():
		spent("it has " + TimesFailed(t.Retry.Count) + ", as often as it may")
	case last != nil:
		set(outcomeStatus(last.Status), "", resultOf(last))
		if t.Status == TaskFailed && failures >= t.AttemptLimit() {
			spent("it has " + TimesFailed(failures) + ", as often as it may")
		} else if t.Status == TaskFailed {
			set(TaskRetrying, "", "it has "+TimesFailed(failures)+", and may be tried "+line.Decimal(t.AttemptLimit())+" times in all")
		}
	case t.Plan != nil && t.TaskDoc.Status == "completed":
		set(TaskDone, "", "its tag says completed")
	case t.Plan != nil && t.isCheckedOff():
		set(TaskDone, "", "its box among the success criteria is checked off")
	default:
		t.Status = TaskPending
	}
	if t.Status == TaskBlocked {
		t.Stuck = "is blocked"
	}
}

func (t *Task) isCheckedOff() bool {
	b := t.Plan.Doc.BoxOf(t.TaskDoc)
	return b != nil && b.Checked
}

// TaskStatus returns the task status for the gate.
func (g *Gate) TaskStatus() TaskStatus {
	switch g.Status {
	case GateExecuting:
		if g.Attempt > 1 {
			return TaskRetrying
		}
		return TaskActive
	case GateVerifying, GateReviewing:
		return TaskActive
	case GateApproved:
		return TaskDone
	case GateFailed:
		if g.Attempt > 1 && !g.IsSpent() {
			return TaskRetrying
		}
		return TaskFailed
	case GateBlocked:
		return TaskBlocked
	}
	return TaskPending
}

// whyWrong describes the fault of a gate.
func (g *Gate) whyWrong() string {
	if step := g.DeniedBy(); step != "" && g.Raw == "" {
		return "has no status, and the " + step + " has failed"
	} else if step != "" {
		return "is APPROVED, but the " + step + " denies it"
	}
	if g.Raw == "" {
		return "can't be read"
	}
	return "is “" + line.Tidy(g.Raw) + "”, which is no status"
}

// IsRunning reports whether an agent executes the task, so that it must not be handed out again.
func (t *Task) IsRunning() bool {
	switch {
	case t.Status == TaskActive:
		return true
	case t.Status != TaskRetrying:
		return false
	case t.Gate != nil:
		return t.Gate.Status != GateFailed
	}
	return t.Retry != nil && t.Retry.Status == Retrying
}

// FindWaits returns the tasks that wait for a human: first the one whose gate STATE.md has, then the others in the order of the tree.
func (p *Project) FindWaits() (waits []*Task) {
	if p.isShallow {
		p.readSuspects()
	}
	gate := p.GateTask()
	if gate == nil {
		gate = p.UnplannedTask()
	}
	tasks := []*Task{gate}
	for _, ph := range p.Phases {
		for _, plan := range ph.Plans {
			tasks = append(tasks, plan.Tasks...)
		}
	}
	for i, t := range tasks {
		if t != nil && t.Stuck != "" && (i == 0 || t != gate) {
			waits = append(waits, t)
		}
	}
	return waits
}

// WaitText says why the task waits for a human.
func (t *Task) WaitText() string {
	if t.Name == "" {
		return "a task " + t.Stuck
	}
	return t.Name + " " + t.Stuck
}

// FindEvidence returns the file that shows why a task waits.
func (p *Project) FindEvidence(t *Task) string {
	switch last := t.LastLog(); {
	case t.Gate != nil && t.SpentSince == 0 && (t.Gate.Status != "" || t.Gate.IsWrong()):
		return p.StateFile
	case t.Retry != nil && t.Retry.Status == Escalated && t.Retried == nil:
		return RetriesFile
	case last != nil:
		return last.File
	case t.Torn != "":
		return t.Torn
	}
	return SessionFile
}
