package ultraplan

import (
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
)

// The IDs of rows.
func phaseID(ph *core.Phase) string {
	if ph.Dir == "" {
		return "phase/" + core.TrimZeros(ph.Number)
	}
	return "phase/" + ph.Dir
}

func planID(plan *core.Plan) string { return "plan/" + plan.Phase.Dir + "/" + plan.ID }

func taskID(t *core.Task) string {
	for i, other := range t.Plan.Tasks {
		if other == t {
			return "task/" + t.Plan.Phase.Dir + "/" + t.Plan.ID + "/" + strconv.Itoa(i+1)
		}
	}
	return ""
}

// gateID returns the ID of the row of a task's gate, which ends with the numbers of the plan and the task. If tasks share a number, it
// ends with the task's place instead.
func gateID(t *core.Task) string {
	switch {
	case t.Plan != nil && t.Plan.Doc.TaskNumbered(t.Number) == t.TaskDoc:
		return "task/" + t.Plan.Phase.Dir + "/" + t.Plan.ID + "/" + t.Number + "/gate"
	case t.Plan != nil:
		return taskID(t) + "#2/gate"
	case t.Number == "":
		return "task/current/gate"
	}
	return line.Tidy("task/current/" + t.GateName() + "/gate")
}

// taskStatus returns the model's status for a task.
func taskStatus(s core.TaskStatus) model.Status {
	return [...]model.Status{core.TaskUnknown: model.Unknown, core.TaskPending: model.Pending, core.TaskActive: model.Active, core.TaskRetrying: model.Retrying,
		core.TaskDone: model.Done, core.TaskFailed: model.Failed, core.TaskBlocked: model.Blocked}[s]
}

// addRows adds the rows of the build and their waits.
func (c *builder) addRows() {
	if t := c.UnplannedTask(); t != nil {
		c.Build.Nodes = append(c.Build.Nodes, c.unplannedRow(t))
	}
	for _, ph := range c.Phases {
		c.Build.Nodes = append(c.Build.Nodes, c.phaseRow(ph))
	}
	c.addWaits()
	c.addCheckpoints()
	model.SortWaits(c.Build.Waits)
}

func (c *builder) phaseRow(ph *core.Phase) *model.Node {
	done, total := ph.Count()
	n := &model.Node{ID: phaseID(ph), Kind: model.KindPhase, Number: ph.Number, Title: line.Tidy(ph.Title), Count: model.Count{Done: done, Total: total}, Source: model.Pos{File: ph.Path()}}
	if ph.Dir == "" && ph.Road == nil {
		n.Source = model.Pos{File: c.StateFile}
	} else if ph.Dir == "" {
		n.Source = model.Pos{File: core.RoadmapFile, Line: ph.Road.Line}
	} else if e, ok := c.src.m.Stat(ph.Path()); ok {
		n.Updated = e.ModTime
	}
	if ph.Road != nil && ph.Road.Checked {
		protocol.AddFact(n, "roadmap", "checked off")
	} else if ph.Road != nil {
		protocol.AddFact(n, "roadmap", "not checked off")
	}
	if ph.Missing > 0 {
		protocol.AddFact(n, "announced", protocol.Count(ph.Missing, "plan")+" without a file")
	}
	for _, plan := range ph.Plans {
		n.Children = append(n.Children, c.planRow(plan))
	}
	c.setPhaseStatus(ph, n)
	n.Raw, n.Why = line.Tidy(n.Raw), line.Tidy(n.Why)
	return n
}

// setPhaseStatus sets the status of a phase. No file shows that a phase is being planned or verified, so STATE.md decides that.
func (c *builder) setPhaseStatus(ph *core.Phase, n *model.Node) {
	count := n.Count
	n.Raw = ph.Word()
	switch {
	case ph.IsSkipped():
		n.Status, n.Raw, n.Why = model.Skipped, "skipped", "ROADMAP.md says so"
	case ph.Dir == "" && ph.Road == nil:
		n.Status, n.Why = model.Pending, "only the table By Phase of STATE.md announces it"
	case ph.Dir == "" && ph.Road.Checked:
		n.Status, n.Raw, n.Why = model.Unknown, "", "ROADMAP.md checks it off, but nothing of it is on disk"
	case ph.Dir == "":
		n.Status, n.Why = model.Pending, "it is in ROADMAP.md only, without a directory"
	case len(ph.Plans) == 0:
		n.Status, n.Why = model.Pending, "no plan yet"
	case ph.IsDone():
		n.Status, n.Why = model.Done, "all "+protocol.Count(count.Total, "plan")+" have a summary"
		if count.Total == 1 {
			n.Why = "its plan has a summary"
		}
	default:
		var statuses []model.Status
		for _, plan := range ph.Plans {
			statuses = append(statuses, c.status[plan])
		}
		if ph.Missing > 0 || ph.IsVague {
			statuses = append(statuses, model.Pending)
		}
		n.Status, n.Why = model.RollUp(statuses), count.String()+" plans with a summary"
		if ph.Missing > 0 {
			n.Why += ", " + protocol.Count(ph.Missing, "announced plan") + " without a file"
		}
		if ph.IsVague {
			n.Why += "; how many ROADMAP.md announces can't be read: write it as \"3 plans\""
		}
		if n.Status != model.Active {
			n.Raw = "" // "In progress" to the protocol as soon as there is a plan
		}
	}
	if c.State.Phase == "" || core.CompareNumbers(c.State.Phase, ph.Number) != 0 {
		return
	}
	switch claimed := core.ParseStatus(c.State.Status); {
	case claimed == core.StatusPlanning && n.Status == model.Pending && len(ph.Plans) == 0:
		n.Status, n.Raw, n.Why = model.Active, claimed, n.Why+"; STATE.md says that it is being planned"
	case claimed == core.StatusVerifying && len(ph.Plans) > 0:
		n.Raw, n.Why = claimed, n.Why+"; STATE.md says that it is being verified"
		if n.Status == model.Pending {
			n.Status = model.Active
		}
	}
}

func artifact(name, file string, e mirror.Entry) model.Artifact {
	return model.Artifact{Name: name, File: file, Exists: true, Size: e.Size, Changed: e.ModTime}
}

func (c *builder) planRow(plan *core.Plan) *model.Node {
	info := c.src.files[plan.File]
	n := &model.Node{
		ID: planID(plan), Kind: model.KindPlan, Number: plan.ID, Title: line.Tidy(plan.Doc.Objective), Wave: core.ParseCount(plan.Doc.Wave), Held: info.isHeld,
		Source: model.Pos{File: plan.File}, Updated: info.changed,
	}
	for _, entry := range plan.Doc.DependsOn {
		if other := c.FindDependency(plan, entry); other != nil && other != plan {
			n.DependsOn = append(n.DependsOn, planID(other))
		}
	}
	if plan.Done {
		file := plan.SummaryFile()
		if took, ok := protocol.ParseDuration(c.Summary(file).Duration); ok {
			protocol.AddFact(n, "took", duration(took))
		}
		if e, ok := c.src.m.Stat(file); ok {
			n.Artifacts = append(n.Artifacts, artifact("SUMMARY", file, e))
			if e.ModTime.After(n.Updated) {
				n.Updated = e.ModTime
			}
		}
	}
	statuses := make([]model.Status, len(plan.Tasks))
	for i, t := range plan.Tasks {
		if statuses[i] = taskStatus(t.Status); statuses[i].Closed() {
			n.Count.Done++
		}
		n.Count.Total++
		n.Children = append(n.Children, c.taskRow(t))
	}
	c.setPlanStatus(plan, n, model.RollUp(statuses))
	c.status[plan] = n.Status
	return n
}

// setPlanStatus sets the status of a plan. A summary closes it. If it is named as running, it runs, whatever its tasks say.
func (c *builder) setPlanStatus(plan *core.Plan, n *model.Node, whole model.Status) {
	n.Status, n.Why = model.Pending, "it has no summary yet"
	switch {
	case plan.Done:
		n.Status, n.Why = model.Done, plan.ID+"-SUMMARY.md closes it"
		return
	case whole == model.Failed, whole == model.Blocked, whole == model.Retrying:
		n.Status = whole
	case c.at.Running == plan:
		n.Status, n.Raw, n.Why = model.Active, c.at.RunningStatus, "it is named as running"
	case n.Count.Done > 0 || whole == model.Active:
		n.Status = model.Active
	}
	if n.Status != model.Pending && n.Count.Total > 0 {
		n.Why = "it has no summary yet; " + strconv.Itoa(n.Count.Done) + " of " + protocol.Count(n.Count.Total, "task") + " done"
	}
}

func (c *builder) taskRow(t *core.Task) *model.Node {
	n := &model.Node{
		ID: taskID(t), Kind: model.KindTask, Number: line.Tidy(t.Number), Title: line.Tidy(t.Title), Status: taskStatus(t.Status), Raw: line.Tidy(t.Raw), Why: t.Why,
		Source: model.Pos{File: t.Plan.File, Line: t.Line},
	}
	if n.Title == "" {
		n.Title = "task " + n.Number
	}
	n.Attempt, n.Attempts = countTries(t)
	protocol.AddFact(n, "files", strings.Join(t.Files, ", "))
	protocol.AddFact(n, "verify", t.Verify)
	protocol.AddFact(n, "done when", t.Done)
	if l := t.LastLog(); l != nil {
		n.Updated = unixTime(l.At)
		protocol.AddFact(n, "result", resultText(l))
		protocol.AddFact(n, "error", l.Error)
	}
	if b := t.Plan.Doc.BoxOf(t.TaskDoc); b != nil && b.Date != "" {
		protocol.AddFact(n, "checked off", b.Date)
	}
	if kind := t.CheckpointKind(); kind != "" {
		if n.Raw == "" && !n.Status.Closed() {
			n.Raw, n.Why = "checkpoint: "+line.Tidy(kind), "its plan stops here for a human"
		}
		n.Gate = &model.Gate{
			Approval: model.ApprovalHuman, Required: strings.HasPrefix(t.GateKind, "blocking"), Asks: line.Tidy(t.Asks), Expects: line.Tidy(t.Expects),
			Opens: []string{planID(t.Plan)}, Upcoming: true,
		}
	}
	if g := c.gateRow(t); g != nil {
		n.Children = append(n.Children, g)
	}
	return n
}

// addCheckpoints adds the tasks at which the running or next plan will stop for a human. No file says whether one was reached.
func (c *builder) addCheckpoints() {
	plan := c.at.Running
	if plan == nil {
		plan = c.at.Next
	}
	if plan == nil {
		return
	}
	for _, t := range plan.Tasks {
		if t.CheckpointKind() != "" && !t.IsOver() {
			c.Build.Waits = append(c.Build.Waits, model.Wait{
				Node: taskID(t), Text: line.Tidy(t.Title), Place: "Plan " + plan.ID, Evidence: model.Checkpoint, Standing: model.Standing{Status: model.Upcoming}, Source: model.Pos{File: plan.File, Line: t.Line},
			})
		}
	}
}
