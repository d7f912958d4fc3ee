// The status of tasks, plans and phases.

package ultraplan

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/text/plantask"
	"gatehouse/parse/ultraplan/rules"
)

// taskState is a task with what the files beside its plan say.
type taskState struct {
	*task
	plan *planState
	node string // its ID

	gate  *taskGate    // STATE.md's, when it is the task at work
	retry *retry       // of retry-state.json
	skip  *skip        // a user has left its gate out
	now   *sessionTask // of the session
	logs  []*logEntry  // of its results, the oldest first

	status   model.Status
	raw, why string
}

// locate finds out which plan is running and what comes next, as the prompt does.
func (c *collector) locate() {
	var tree []rules.Phase
	for _, p := range c.phases {
		if p.Dir != "" {
			tree = append(tree, p.Phase)
		}
	}
	var running []string
	if c.session != nil {
		running = rules.SessionPlans(c.session.text)
	}
	c.facts = rules.Line(tree, &c.state.State, running, func() []rules.RoadmapPhase { return c.roadmap })
}

// deriveTasks makes the tasks of all plans, and gives each its status and every plan its own.
func (c *collector) deriveTasks() {
	c.tasks = map[key]*taskState{}
	for _, p := range c.phases {
		for _, s := range p.plans {
			for i := range s.plan.tasks {
				t := &taskState{task: &s.plan.tasks[i], plan: s, node: fmt.Sprintf("task/%s/%s/%d", p.Dir, s.ID, i+1)}
				s.tasks = append(s.tasks, t)
				if k := (key{s.key, t.number}); c.tasks[k] == nil {
					c.tasks[k] = t
				}
			}
		}
	}
	c.gather()
	for _, p := range c.phases {
		for _, s := range p.plans {
			for _, t := range s.tasks {
				t.derive()
			}
			c.derivePlan(s)
		}
	}
}

// gather gives the tasks what logs, session, retries and STATE.md say of them.
func (c *collector) gather() {
	for _, l := range c.logs {
		if t := c.tasks[key{planKey(l.plan), l.task}]; t != nil {
			t.logs = append(t.logs, l)
		}
	}
	if c.session != nil {
		for i := range c.session.Tasks {
			one := &c.session.Tasks[i]
			plan := one.Plan
			if plan == "" {
				plan = c.session.Plan
			}
			if t := c.named(planKey(plan), one.Name); t != nil {
				t.now = one
			}
		}
	}
	if c.retries != nil {
		for id, r := range c.retries.Tasks {
			if t := c.tasks[parseKey(id)]; t != nil && r != nil {
				t.retry = r
			}
		}
	}
	if g := c.state.gate; g != nil {
		if t := c.named(g.planKey(), g.name); t != nil {
			t.gate = g
		}
	}
	for i := range c.state.skipped {
		k := &c.state.skipped[i]
		t := c.tasks[parseKey(k.task)]
		if t == nil && c.state.gate != nil {
			t = c.named(c.state.gate.planKey(), k.task)
		}
		if t != nil {
			t.skip = k
		}
	}
}

// planKey returns the plan that a gate is about: "03-01", or "01" beside its phase.
func (g *taskGate) planKey() string {
	if strings.Contains(g.plan, "-") {
		return planKey(g.plan)
	}
	phase, _, _ := strings.Cut(g.phase, "-")
	return planKey(phase + "-" + g.plan)
}

// named returns the task of a plan by its name, else by the number that the name begins with; nil where there is none.
func (c *collector) named(plan, name string) *taskState {
	s := c.plans[plan]
	if s == nil {
		return nil
	}
	for _, t := range s.tasks {
		if t.name == strings.TrimSpace(name) {
			return t
		}
	}
	number, _, _ := plantask.Number(strings.TrimSpace(name))
	return c.tasks[key{plan, number}]
}

// last returns the log of a task's last result, nil without one.
func (t *taskState) last() *logEntry {
	if len(t.logs) == 0 {
		return nil
	}
	return t.logs[len(t.logs)-1]
}

// derive gives a task its status. The summary of its plan closes it; then its gate counts, which is the newest word about
// it, then the session, the log, the retries, and at last what PLAN.md itself has.
func (t *taskState) derive() {
	set := func(s model.Status, raw, why string) { t.status, t.raw, t.why = s, raw, why }
	switch {
	case t.skip != nil || t.gate != nil && t.gate.status == rules.TaskSkipped:
		set(model.Done, "complete (unverified)", "a user has left its gate out")
	case t.plan.Done:
		set(model.Done, "", "with its plan")
	case t.gate != nil && t.gate.status != "" && t.gate.status != rules.TaskPending:
		set(gateStatus(t.gate), t.gate.status, "its gate is "+t.gate.status)
	case t.now != nil && sessionStatus(t.now.Status) != model.Unknown:
		set(sessionStatus(t.now.Status), "", "the session says "+clean(t.now.Status))
	case t.retry != nil && t.retry.Status == "retrying":
		set(model.Retrying, "retrying", fmt.Sprintf("it has failed %s", times(t.retry.Count)))
	case t.retry != nil && t.retry.Status == "escalated":
		set(model.Failed, "escalated", fmt.Sprintf("it has failed %s, as often as it may", times(t.retry.Count)))
	case t.last() != nil && outcomeStatus(t.last().status) != model.Unknown:
		set(outcomeStatus(t.last().status), "", path.Base(t.last().file)+" is the log of its last result")
	default:
		t.planned()
	}
}

// planned gives a task the status that PLAN.md has for it.
func (t *taskState) planned() {
	t.status, t.why = model.Pending, ""
	p := t.plan.plan
	switch word := p.states[t.number]; {
	case word == "completed" || word == "done":
		t.status, t.why = model.Done, "task_states of its plan says "+word
	case word == "in_progress" || word == "executing":
		t.status, t.why = model.Active, "task_states of its plan says "+word
	case word == "failed":
		t.status, t.why = model.Failed, "task_states of its plan says failed"
	case t.task.status == "completed":
		t.status, t.why = model.Done, "its tag says completed"
	default:
		if b := p.box(t.task); b != nil && b.checked {
			t.status, t.why = model.Done, "its box among the success criteria is checked off"
		}
	}
}

// gateStatus returns the status of a task by its gate.
func gateStatus(g *taskGate) model.Status {
	switch g.status {
	case rules.TaskPending:
		return model.Pending
	case rules.TaskExecuting:
		if g.attempt > 1 {
			return model.Retrying
		}
		return model.Active
	case rules.TaskVerifying, rules.TaskReviewing:
		return model.Active
	case rules.TaskApproved:
		return model.Done
	case rules.TaskFailed:
		return model.Failed
	case rules.TaskBlocked:
		return model.Blocked
	case rules.TaskSkipped:
		return model.Skipped
	}
	return model.Unknown
}

func sessionStatus(word string) model.Status {
	if strings.EqualFold(word, "in_progress") {
		return model.Active
	}
	return outcomeStatus(word)
}

func outcomeStatus(word string) model.Status {
	switch word {
	case model.OutcomeSuccess:
		return model.Done
	case model.OutcomeFailure:
		return model.Failed
	case model.OutcomeBlocked:
		return model.Blocked
	}
	return model.Unknown
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return number(n, "time")
}

// derivePlan gives a plan its status: its summary closes it; what is named as running is, whatever its tasks say; else it
// is as its tasks are.
func (c *collector) derivePlan(s *planState) {
	statuses, done := make([]model.Status, len(s.tasks)), 0
	for i, t := range s.tasks {
		if statuses[i] = t.status; t.status.Closed() {
			done++
		}
	}
	s.status, s.why = model.Pending, "it has no summary yet"
	if s.Done {
		s.status, s.why = model.Done, s.ID+"-SUMMARY.md closes it"
		return
	}
	whole := model.RollUp(statuses)
	switch {
	case len(statuses) > 0 && (whole == model.Failed || whole == model.Blocked || whole == model.Retrying):
		s.status = whole
	case c.facts.Running == s.ID && planKey(c.facts.Running) == s.key:
		s.status, s.word, s.why = model.Active, c.facts.RunningStatus, "it is named as running"
	case done > 0 || whole == model.Active:
		s.status = model.Active
	}
	if s.status != model.Pending && len(s.tasks) > 0 {
		s.why = fmt.Sprintf("it has no summary yet; %d of %s done", done, number(len(s.tasks), "task"))
	}
}

// treeWord returns the document's word for a phase by its files alone. A phase without plans is never complete.
func treeWord(plans model.Count) string {
	switch {
	case plans.Total == 0:
		return rules.StatusReadyToPlan
	case plans.Open() == 0:
		return rules.StatusComplete
	}
	return rules.StatusInProgress
}

// count returns how many of a phase's plans have a summary.
func (p *phase) count() (n model.Count) {
	for _, s := range p.plans {
		n.Total++
		if s.Done {
			n.Done++
		}
	}
	return n
}

func (c *collector) derivePhases() {
	claimed := rules.Status(c.state.Status)
	for _, p := range c.phases {
		c.derivePhase(p)
		// That somebody plans or verifies is in no file: it is taken from the text.
		if c.state.Phase == "" || rules.CompareNumbers(c.state.Phase, p.Number) != 0 {
			continue
		}
		switch {
		case claimed == rules.StatusPlanning && p.Dir != "" && len(p.plans) == 0:
			p.status, p.word, p.why = model.Active, claimed, p.why+"; STATE.md says that it is being planned"
		case claimed == rules.StatusVerifying && len(p.plans) > 0:
			p.word, p.why = claimed, p.why+"; STATE.md says that it is being verified"
			if p.status == model.Pending {
				p.status = model.Active
			}
		}
	}
}

func (c *collector) derivePhase(p *phase) {
	plans := p.count()
	p.word = treeWord(plans)
	switch {
	case p.Dir == "" && p.road.Skipped:
		p.status, p.word, p.why = model.Skipped, "skipped", "ROADMAP.md says so"
	case p.Dir == "" && p.road.Checked:
		p.status, p.word, p.why = model.Unknown, "", "ROADMAP.md checks it off, but nothing of it is on disk"
	case p.Dir == "":
		p.status, p.why = model.Pending, "it stands in ROADMAP.md only, without a directory"
	case plans.Total == 0:
		p.status, p.why = model.Pending, "no plan yet"
	case plans.Open() == 0:
		p.status, p.why = model.Done, "all "+number(plans.Total, "plan")+" have a summary"
		if plans.Total == 1 {
			p.why = "its plan has a summary"
		}
	default:
		statuses := make([]model.Status, len(p.plans))
		for i, s := range p.plans {
			statuses[i] = s.status
		}
		p.status, p.why = model.RollUp(statuses), fmt.Sprintf("%d of %s with a summary", plans.Done, number(plans.Total, "plan"))
		if p.status != model.Active {
			p.word = "" // "In progress" to the document, as soon as there is a plan and whatever became of it
		}
	}
	for _, id := range p.orphans {
		c.problem(model.Pos{File: path.Join(p.dir(), id+"-SUMMARY.md")}, model.Warning, "this summary has no plan, and is not counted", "give it the name of its plan, with SUMMARY for PLAN")
	}
}

// numbers returns the phases in a list, by number: "1, 13 and 14".
func numbers(phases []*phase) string {
	const most = 12
	var names []string
	for _, p := range phases {
		names = append(names, p.Number)
	}
	names = slices.Compact(names)
	if len(names) > most+1 {
		return strings.Join(names[:most], ", ") + " and " + number(len(names)-most, "other")
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return names[0]
}
