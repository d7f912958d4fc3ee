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
	k.checkDirectories()
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
	k.checkPhaseRows()
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
	n, err := strconv.Atoi(strings.TrimSuffix(core.PercentIn(value), "%"))
	from, to, hasBar := statemd.BarIn(value)
	switch {
	case err != nil || n > 100:
		k.addError(at, "progress", "the progress is “"+value+"”", "write a whole percentage behind the bar, rounded down, like 45%")
	case !hasBar || value[from:to] != statemd.RedrawBar(value[from:to], n): // a bar keeps its width
		k.addWarning(at, "bar", "no bar shows "+strconv.Itoa(n)+"%", "draw it with 20 cells of 5%, # for a full one, U+2591 for an empty one")
	}
}

// checkPhaseRows checks that each row of the table By Phase is about a different phase that exists or is still to come.
func (k *checker) checkPhaseRows() {
	seen := map[string]bool{}
	for _, row := range k.State.Phases {
		if row.Number == "" {
			continue
		}
		at, number := model.Pos{File: k.Build.File, Line: row.Line.Number, Col: 1}, core.TrimZeros(row.Number)
		isCounted := core.CompareNumbers(number, "0") > 0 && k.State.PhaseTotal != "" && core.CompareNumbers(number, k.State.PhaseTotal) <= 0
		switch {
		case seen[number]:
			k.addWarning(at, "by-phase", "a second row of phase "+number, "keep one; the first is brought in line")
		case !isCounted && len(k.PhasesNumbered(number)) == 0:
			k.addWarning(at, "by-phase", "a row of phase "+number+", which is in no directory, no roadmap and beyond the count of phases", "take it out")
		}
		seen[number] = true
	}
}

// isTimeOrEmpty reports whether a text is a time, or missing.
func isTimeOrEmpty(text string) bool { return text == "" || !protocol.ParseTime(text).IsZero() }

// isOneOf returns a check for words separated by blanks.
func isOneOf(words string) func(string) bool {
	return func(text string) bool { return slices.Contains(strings.Fields(words), text) }
}

// gateFields are the fields of a gate with their allowed values. Times and steps may be missing.
var gateFields = []struct {
	key   string
	value func(g *core.Gate) string
	isOK  func(text string) bool
	fix   string
}{
	{"gate_status", func(g *core.Gate) string { return g.Raw }, isOneOf("EXECUTING VERIFYING REVIEWING APPROVED FAILED BLOCKED SKIPPED"),
		"EXECUTING, VERIFYING, REVIEWING, APPROVED, FAILED, BLOCKED or SKIPPED"},
	{"gate_step", func(g *core.Gate) string { return g.Step }, isOneOf("1 2 3"), "1, 2 or 3"},
	{"executor_status", func(g *core.Gate) string { return orPending(g.Executor) }, isOneOf("pending running success failure blocked"),
		"pending, running, success, failure or blocked"},
	{"verify_status", func(g *core.Gate) string { return orPending(g.Verify) }, isOneOf("pending running passed failed skipped"),
		"pending, running, passed, failed or skipped"},
	{"architect_status", func(g *core.Gate) string { return orPending(g.Architect) }, isOneOf("pending reviewing approved rejected"),
		"pending, reviewing, approved or rejected"},
	{"started_at", func(g *core.Gate) string { return g.Started }, isTimeOrEmpty, "a time, 2026-06-01T12:34:56Z"},
	{"last_step_at", func(g *core.Gate) string { return g.Last }, isTimeOrEmpty, "a time, 2026-06-01T12:34:56Z"},
}

// orPending returns the status of a step; a missing one is pending.
func orPending(text string) string {
	if text == "" {
		return "pending"
	}
	return text
}

// checkGate checks the block current_task.
func (k *checker) checkGate(g *core.Gate) {
	fail := func(text, fix string) { k.addError(model.Pos{File: k.Build.File, Line: g.Line}, "gate", text, fix) }
	for _, f := range gateFields {
		if value := f.value(g); !f.isOK(value) {
			fail(f.key+" is “"+value+"”", "write "+f.fix)
		}
	}
	if step := g.DeniedBy(); step != "" {
		fail("the "+step+" denies the gate_status", "the task does not count as done; retry or skip its gate")
	}
	if g.Attempt < 1 || g.Unclear {
		fail("attempt or max_attempts is no count", "write which attempt it is, starting with 1, and how often the task may be tried")
	}
	plan, number := k.PlanOfGate(g), core.LeadingNumber(g.Phase)
	switch {
	case plan == nil:
		fail("the plan “"+g.Plan+"” is not in the tree", "name a plan by its number, 03-01")
	case number != "" && core.CompareNumbers(number, plan.Phase.Number) != 0:
		fail("phase is “"+g.Phase+"”, and plan “"+g.Plan+"” is of phase "+core.TrimZeros(plan.Phase.Number), "make both the same")
	case k.GateTask() == nil:
		fail("plan “"+g.Plan+"” has no task “"+g.Name+"”", "write the name as PLAN.md has it")
	}
}

// checkDirectories checks the names below phases.
func (k *checker) checkDirectories() {
	entries, _ := k.src.m.List(core.PhasesDir)
	for _, e := range entries {
		if _, _, ok := core.ParsePhaseDir(e.Name); e.Dir && !ok {
			at := model.Pos{File: path.Join(core.PhasesDir, e.Name)}
			k.addWarning(at, "phase-name", "the directory is no phase, and not counted", "name it NN-slug, like 03-auth")
		}
	}
	for i, ph := range k.Phases {
		if i > 0 && ph.Dir != "" && core.CompareNumbers(ph.Number, k.Phases[i-1].Number) == 0 {
			k.addWarning(model.Pos{File: ph.Path()}, "phase-twice", "a second directory for phase "+ph.Number, "give one of them another number")
		}
	}
}

// frontFields are the fields of a PLAN.md's frontmatter with their allowed values.
var frontFields = []struct {
	key  string
	isOK func(v doc.Value, plan *core.Plan) bool
	fix  string
}{
	{"phase", func(v doc.Value, plan *core.Plan) bool {
		number := core.LeadingNumber(v.Scalar())
		return number == "" || core.CompareNumbers(number, plan.Phase.Number) == 0
	}, "the phase of its directory"},
	{"plan", func(v doc.Value, plan *core.Plan) bool {
		return v.Scalar() == "" || core.PlanKeyIn(v.Scalar(), plan.Phase.Number) == plan.Key
	}, "the number of its file"},
	{"type", func(v doc.Value, _ *core.Plan) bool { return v.Scalar() == "execute" || v.Scalar() == "tdd" }, "execute or tdd"},
	{"wave", func(v doc.Value, _ *core.Plan) bool { return core.ParseCount(v.Scalar()) > 0 }, "in which wave of its phase it runs, from 1"},
	{"depends_on", func(doc.Value, *core.Plan) bool { return true }, "the plans that it needs, [] for none"},
	{"files_modified", func(v doc.Value, _ *core.Plan) bool { return v.Is(doc.List) }, "the files that the plan touches, [] for none"},
	{"autonomous", func(v doc.Value, _ *core.Plan) bool { _, ok := v.Bool(); return ok }, "true, or false if the plan stops for a human"},
	{"must_haves", func(doc.Value, *core.Plan) bool { return true }, "what must be true in the end"},
}

// checkPlan checks a PLAN.md.
func (k *checker) checkPlan(plan *core.Plan) {
	text, err := k.src.m.Text(plan.File)
	if err != nil {
		return // reported by reading
	}
	f := doc.SplitFrontmatter(text)
	front := doc.ParseYAML(text, f.Block, max(f.Block, f.BlockEnd))
	source := protocol.Source{File: plan.File, Lines: doc.IndexLines(text)}
	for _, p := range front.Problems {
		k.addWarning(source.Pos(p.At), "yaml", "the frontmatter: "+p.Text, p.Fix)
	}
	for _, field := range frontFields {
		v := front.Root().Get(field.key)
		if v.Exists() && field.isOK(v, plan) {
			continue
		}
		at, text := model.Pos{File: plan.File, Line: 1}, field.key+" is missing"
		if v.Exists() {
			at, text = source.Pos(v.Offset()), field.key+" is “"+v.Scalar()+"”"
		}
		k.addWarning(at, "frontmatter", text, "write "+field.fix)
	}
	for _, entry := range plan.Doc.DependsOn {
		if other := k.FindDependency(plan, entry); other == nil || other == plan {
			at := source.Pos(front.Root().Get("depends_on").KeyOffset())
			k.addError(at, "depends-on", "depends_on names “"+entry+"”, which is no other plan", "name a plan by its number, 03-01")
		}
	}
	k.checkTasks(plan)
	if !plan.Doc.HasCriteria {
		k.addError(model.Pos{File: plan.File, Line: strings.Count(text, "\n") + 1}, "criteria",
			"there is no section <success_criteria> that is closed", "end the plan with one; a task is checked off in it")
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
		if len(t.Missing) > 0 {
			k.addError(at, "task", "task "+t.Number+" has no <"+strings.Join(t.Missing, ">, no <")+">", "add it; the protocol's own reader refuses the whole plan")
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
