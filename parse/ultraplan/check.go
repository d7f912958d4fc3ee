package ultraplan

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/statemd"
)

// Check returns every broken rule in the build's files, in the order of files and lines, and the problems of [Reader.Read].
func (r *Reader) Check(now time.Time) []model.Problem {
	c := r.open(now)
	k := &checker{Check: protocol.NewCheck(c.Build), builder: c}
	for i := range k.Problems {
		switch file := k.Problems[i].File; {
		case file == c.Build.File && !c.HasState:
			k.Problems[i].Severity, k.Problems[i].Rule = model.Error, "ultraplan-state-missing"
		case strings.HasSuffix(file, "-SUMMARY.md") && k.Problems[i].Rule == Protocol+"-readable":
			k.Problems[i].Rule = "ultraplan-summary-alone"
		}
	}
	k.checkState()
	for _, ph := range c.Phases {
		for _, plan := range ph.Plans {
			k.checkPlan(plan)
		}
	}
	k.checkResults()
	return k.End("bring the file in line with the tree")
}

// checker collects broken rules.
type checker struct {
	*protocol.Check
	*builder
}

func (k *checker) addWarning(at model.Pos, rule, text, fix string) {
	k.Report(at, model.Warning, "ultraplan-"+rule, text, fix)
}

func (k *checker) addError(at model.Pos, rule, text, fix string) {
	k.Report(at, model.Error, "ultraplan-"+rule, text, fix)
}

// positionLines are the fields of a position.
var positionLines = []string{"Phase", "Plan", "Status", "Progress"}

// checkState checks STATE.md: its position line by line, the table By Phase, the gate of the current task, and the decisions.
func (k *checker) checkState() {
	file := k.Build.File
	text, err := k.src.m.Text(file)
	if err != nil {
		return // reported by reading
	}
	all := core.ContentLines(text)
	lines, ok := core.FindSection(all, core.PositionTitle)
	if !ok {
		k.addError(model.Pos{File: file, Line: 1}, "position", "there is no section “Current Position”", "add it, with Phase, Plan, Status and Progress")
	}
	seen := map[string]bool{}
	for _, l := range lines {
		f, isField := core.ParseField(l.Text)
		i := slices.IndexFunc(positionLines, func(name string) bool { return strings.EqualFold(name, f.Name) })
		if !isField || i < 0 {
			continue
		}
		name, at := positionLines[i], model.Pos{File: file, Line: l.Number, Col: f.From + 1}
		switch {
		case seen[name]:
			k.addError(at, "position", "the position has a second line “"+name+":”", "keep one; the first counts")
		case name == "Status" && !slices.Contains(core.StatusWords, f.Value):
			k.addError(at, "status", "the status is “"+f.Value+"”", "write one of "+strings.Join(core.StatusWords, ", "))
		case name == "Progress":
			k.checkProgress(at, f.Value)
		case name != "Status":
			k.checkPosition(at, strings.ToLower(name), f.Value)
		}
		seen[name] = true
	}
	for _, name := range positionLines {
		if ok && !seen[name] {
			k.addError(model.Pos{File: file}, "position", "the position has no line “"+name+":”", "add it below “Current Position”")
		}
	}
	for i, b := range core.FindYAML(text, core.GateKey) {
		if i > 0 {
			at := model.Pos{File: file, Line: 1 + strings.Count(text[:b.At], "\n"), Col: 1}
			k.addError(at, "gate", "a second block current_task", "keep one; the first counts")
		}
	}
	if k.State.Gate != nil {
		k.checkGate(k.State.Gate)
	}
	for _, d := range k.State.Decisions {
		if k.TaskWith(core.ParseTaskKey(d.Task)) == nil {
			k.addWarning(model.Pos{File: file, Line: d.Line}, "decision", "the decision about “"+d.Task+"” is about no task",
				"name plan and task: 01-01:task-2; until then it changes nothing")
		}
	}
}

// checkPosition checks "7 of 8 (name)" and "2 of 4".
func (k *checker) checkPosition(at model.Pos, name, value string) {
	p, _ := core.SplitPlace(value)
	if rest := p.Before + p.Name + p.Rest; strings.TrimSpace(p.Of) != "of" || rest != "" && rest[0] != ' ' {
		k.addError(at, "position", "the "+name+" is “"+value+"”", "write it like 2 of 4")
		return
	}
	whole, _, _ := strings.Cut(p.Number, ".")
	isKnown := name == "phase" && len(k.PhasesNumbered(p.Number)) > 0 // "2.5 of 2" is possible, and numbers may be left out
	if core.CompareNumbers(whole, p.Total) > 0 && !isKnown {
		k.addError(at, "position", "the "+name+" is "+p.Number+" of only "+p.Total, "count again")
	}
}

// checkProgress checks a progress line: a percentage, and a bar that shows it.
func (k *checker) checkProgress(at model.Pos, value string) {
	n, err := strconv.Atoi(strings.TrimSuffix(statemd.PercentIn(value), "%"))
	from, to, hasBar := statemd.BarIn(value)
	switch {
	case err != nil || n > 100:
		k.addError(at, "progress", "the progress is “"+value+"”", "write a whole percentage behind the bar, rounded down, like 45%")
	case !hasBar || value[from:to] != statemd.RedrawBar(value[from:to], n): // a bar keeps its width
		k.addWarning(at, "bar", "no bar shows "+strconv.Itoa(n)+"%", "draw it with 20 cells of 5%, # for a full one, U+2591 for an empty one")
	}
}

// checkGate checks the block current_task.
func (k *checker) checkGate(g *core.Gate) {
	fail := func(text, fix string) { k.addError(model.Pos{File: k.Build.File, Line: g.Line}, "gate", text, fix) }
	if g.Status == "" || g.Status == core.GatePending || g.Raw != g.Status {
		fail("gate_status is “"+g.Raw+"”", "write EXECUTING, VERIFYING, REVIEWING, APPROVED, FAILED, BLOCKED or SKIPPED")
	}
	if step := g.DeniedBy(); step != "" {
		fail("the "+step+" denies the gate_status", "the task does not count as done; retry or skip its gate")
	}
	if g.Attempt < 1 || g.Unclear {
		fail("attempt or max_attempts is no count", "write which attempt it is, starting with 1, and how often the task may be tried")
	}
	for _, text := range []string{g.Started, g.Last} {
		if text != "" && protocol.ParseTime(text).IsZero() {
			fail("“"+text+"” is no time", "write it like 2026-06-01T12:34:56Z")
		}
	}
	if k.GateTask() == nil {
		fail("no plan “"+g.Plan+"” of phase “"+g.Phase+"” has a task “"+g.Name+"”", "name a plan by its number, 03-01, and the task as PLAN.md does")
	}
}

// checkPlan checks a PLAN.md.
func (k *checker) checkPlan(plan *core.Plan) {
	text, err := k.src.m.Text(plan.File)
	if err != nil {
		return // reported by reading
	}
	at := model.Pos{File: plan.File, Line: 1}
	for _, entry := range plan.Doc.DependsOn {
		if other := k.FindDependency(plan, entry); other == nil || other == plan {
			k.addError(at, "depends-on", "depends_on names “"+entry+"”, which is no other plan", "name a plan by its number, 03-01")
		}
	}
	k.checkTasks(plan)
	if !plan.Doc.HasCriteria {
		at.Line = strings.Count(text, "\n") + 1
		k.addError(at, "criteria", "there is no section <success_criteria> that is closed", "end the plan with one; a task is checked off in it")
	}
}

var taskKinds = []string{"auto", "checkpoint:human-verify", "checkpoint:decision", "checkpoint:human-action"}

func (k *checker) checkTasks(plan *core.Plan) {
	named, numbered := map[string]bool{}, map[string]bool{}
	for _, t := range plan.Tasks {
		at := model.Pos{File: plan.File, Line: t.Line, Col: 1}
		if !slices.Contains(taskKinds, t.Kind) {
			k.addWarning(at, "task-type", "the task is of type “"+t.Kind+"”", "write one of "+strings.Join(taskKinds, ", "))
		}
		if t.Open {
			k.addError(at, "task", "task "+t.Number+" is not closed", "write </task> behind it")
		}
		_, _, hasNumber := doc.ParseTaskNumber(t.Name)
		if t.Name != "" && named[t.Name] || hasNumber && numbered[t.Number] {
			k.addError(at, "task-twice", "two tasks have the name or the number of “"+t.Name+"”", "results name their task: change one of the two")
		}
		named[t.Name], numbered[t.Number] = true, true
		l, b := t.LastLog(), plan.Doc.BoxOf(t.TaskDoc)
		if !plan.Done && l != nil && l.Status == core.Success && b != nil && !b.Checked {
			k.addWarning(model.Pos{File: plan.File, Line: b.Line, Col: 1}, "criteria",
				"the box of task "+t.Number+" is open, and it has succeeded by "+path.Base(l.File), "check it off")
		}
	}
	for _, b := range plan.Doc.Boxes {
		if number, _, ok := doc.ParseTaskNumber(b.Name); ok && plan.Doc.TaskNumbered(number) == nil {
			k.addWarning(model.Pos{File: plan.File, Line: b.Line, Col: 1}, "criteria",
				"a box of task "+number+", which the plan has not", "take it out, or give it the number of its task")
		}
	}
	if len(plan.Tasks) == 0 {
		k.addError(model.Pos{File: plan.File}, "task", "the plan has no task", "add one: <task type=\"auto\"> at the start of a line")
	}
}

// sessionWords are the statuses of a task in a session.
var sessionWords = []string{core.Success, core.Failure, core.Blocked, "in_progress"}

// checkResults checks the logs of results and the tasks of the session.
func (k *checker) checkResults() {
	for _, l := range k.Logs {
		at := model.Pos{File: l.File}
		if _, ok := core.ParseLogName(path.Base(l.File)); !ok {
			k.addWarning(at, "log-name", "the name of the log is not {plan}-task-{NN}-{status}.yaml", "rename it")
		}
		if k.TaskOfLog(l) == nil {
			k.addWarning(at, "log", "the tree has no task "+l.Task+" of plan "+l.Plan, "it is counted for the project alone")
		}
	}
	if k.Session == nil {
		return
	}
	for _, t := range k.Session.Tasks {
		if t.Name == "" || !slices.Contains(sessionWords, t.Status) {
			k.addWarning(model.Pos{File: core.SessionFile}, "session", "“"+t.Name+"” is “"+t.Status+"”",
				"write its task_name, and one of "+strings.Join(sessionWords, ", "))
		}
	}
}
