package ultraplan

import (
	"cmp"
	"fmt"
	"maps"
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
	k.checkDecisions()
	for _, ph := range c.Phases {
		for _, plan := range ph.Plans {
			k.checkPlan(plan)
		}
	}
	k.checkLogs()
	k.checkDays()
	k.checkSession()
	for _, file := range c.RejectedFiles() {
		k.checkRejected(file)
	}
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

// checkState checks STATE.md: its position line by line, the table By Phase, and the gate of the current task.
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
		if seen[name] {
			at.Col = 1
			k.addError(at, "position", "the position has a second line “"+name+":”", "keep one; the first counts")
			continue
		}
		seen[name] = true
		switch name {
		case "Status":
			if !slices.Contains(core.StatusWords, f.Value) {
				k.addError(at, "status", "the status is “"+f.Value+"”", "write one of "+strings.Join(core.StatusWords, ", "))
			}
		case "Progress":
			k.checkProgress(at, f.Value)
		default:
			k.checkPosition(at, strings.ToLower(name), f.Value)
		}
	}
	for _, name := range positionLines {
		if ok && !seen[name] {
			k.addError(model.Pos{File: file}, "position", "the position has no line “"+name+":”", "add it below “Current Position”")
		}
	}
	first := true
	for _, l := range all {
		if l.Level > 0 && strings.EqualFold(l.Title, core.PositionTitle) {
			if !first {
				k.addError(model.Pos{File: file, Line: l.Number, Col: 1}, "position", "a second section “Current Position”", "keep one; the first counts")
			}
			first = false
		}
	}
	for i, b := range core.FindYAML(text, core.GateKey) {
		if i > 0 {
			k.addError(model.Pos{File: file, Line: 1 + strings.Count(text[:b.At], "\n"), Col: 1}, "gate", "a second block current_task", "keep one; the first counts")
		}
	}
	k.checkPhaseRows()
	if k.State.Gate != nil {
		k.checkGate(k.State.Gate)
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
	if core.CompareNumbers(whole, p.Total) > 0 && (name == "plan" || len(k.PhasesNumbered(p.Number)) == 0) { // "2.5 of 2" is possible, and numbers may be left out
		k.addError(at, "position", "the "+name+" is "+p.Number+" of only "+p.Total, "count again")
	}
}

// checkProgress checks a progress line: a percentage, and a bar that shows it.
func (k *checker) checkProgress(at model.Pos, value string) {
	percent := core.PercentIn(value)
	n, err := strconv.Atoi(strings.TrimSuffix(percent, "%"))
	switch from, to, ok := statemd.BarIn(value); {
	case percent == "":
		k.addError(at, "progress", "the progress has no percentage", "write it behind the bar, like 45%")
	case err != nil || n > 100:
		k.addError(at, "progress", "the progress is "+percent, "write a whole number up to 100, rounded down")
	case !ok:
		k.addWarning(at, "bar", "the progress has no bar", "write "+progressText(n))
	case value[from:to] != statemd.RedrawBar(value[from:to], n): // a bar keeps its width
		at.Col += from - 1
		k.addWarning(at, "bar", "the bar does not show "+percent, "write "+progressText(n))
	}
}

// progressText describes how to write the progress. Its empty cells are a character that only bars have.
func progressText(percent int) string {
	return "[" + statemd.DrawBar(percent, statemd.TemplateCells, '#', '.') + "] " + strconv.Itoa(percent) + "%, with U+2591 for each dot"
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

// gateSteps are the words of the steps of a gate.
var gateSteps = [...]struct {
	key   string
	value func(g *core.Gate) string
	words []string
}{
	{"executor_status", func(g *core.Gate) string { return g.Executor }, []string{"pending", "running", "success", "failure", "blocked"}},
	{"verify_status", func(g *core.Gate) string { return g.Verify }, []string{"pending", "running", "passed", "failed", "skipped"}},
	{"architect_status", func(g *core.Gate) string { return g.Architect }, []string{"pending", "reviewing", "approved", "rejected"}},
}

// checkGate checks the block current_task.
func (k *checker) checkGate(g *core.Gate) {
	at := model.Pos{File: k.Build.File, Line: g.Line}
	fail := func(text, fix string) { k.addError(at, "gate", text, fix) }
	if g.Status == "" || g.Status == core.GatePending || g.Raw != g.Status {
		fail("gate_status is “"+g.Raw+"”", "write EXECUTING, VERIFYING, REVIEWING, APPROVED, FAILED, BLOCKED or SKIPPED")
	}
	if g.Step != "1" && g.Step != "2" && g.Step != "3" {
		fail("gate_step is “"+g.Step+"”", "write 1, 2 or 3")
	}
	for _, step := range gateSteps {
		if value := step.value(g); value != "" && !slices.Contains(step.words, value) {
			fail(step.key+" is “"+value+"”", "write one of "+strings.Join(step.words, ", "))
		}
	}
	if step := g.DeniedBy(); step != "" {
		fail("gate_status is "+cmp.Or(g.Status, "not there")+", and the "+step+" denies it", "the task does not count as done; retry or skip its gate")
	}
	if g.Attempt < 1 {
		fail("attempt is not a number from 1", "write which attempt it is, starting with 1")
	} else if g.Unclear {
		fail("max_attempts is no whole number", "write how often the task may be tried, 3 by the protocol")
	}
	for key, text := range map[string]string{"started_at": g.Started, "last_step_at": g.Last} {
		if text != "" && protocol.ParseTime(text).IsZero() {
			fail(key+" is no time", "write it like 2026-06-01T12:34:56Z")
		}
	}
	plan, number := k.PlanOfGate(g), core.LeadingNumber(g.Phase)
	switch {
	case plan == nil:
		fail("the plan “"+g.Plan+"” is not in the tree", "name a plan by its number, 03-01")
	case number != "" && core.CompareNumbers(number, plan.Phase.Number) != 0:
		fail("phase is “"+g.Phase+"”, and plan “"+g.Plan+"” is of phase "+core.TrimZeros(plan.Phase.Number), "make both the same")
	}
	if plan != nil && k.GateTask() == nil {
		fail("plan “"+g.Plan+"” has no task “"+g.Name+"”", "write the name as PLAN.md has it")
	}
}

// checkDecisions reports decisions about tasks that do not exist.
func (k *checker) checkDecisions() {
	for _, d := range k.State.Decisions {
		if plan, number := k.DecidedTask(d.Task); plan == nil || plan.Doc.TaskNumbered(number) == nil {
			k.addWarning(model.Pos{File: k.Build.File, Line: d.Line}, "decision", "the decision about “"+d.Task+"” is about no task, or about several", "name plan and task: 01-01:task-2; until then it changes nothing")
		}
	}
}

// checkDirectories checks the names below phases.
func (k *checker) checkDirectories() {
	entries, _ := k.src.m.List(core.PhasesDir)
	for _, e := range entries {
		if _, _, ok := core.ParsePhaseDir(e.Name); e.Dir && !ok {
			k.addWarning(model.Pos{File: path.Join(core.PhasesDir, e.Name)}, "phase-name", "the directory is no phase, and not counted", "name it NN-slug, like 03-auth")
		}
	}
	for i, ph := range k.Phases {
		if i > 0 && ph.Dir != "" && core.CompareNumbers(ph.Number, k.Phases[i-1].Number) == 0 {
			k.addWarning(model.Pos{File: ph.Path()}, "phase-twice", "a second directory for phase "+ph.Number, "give one of them another number, like "+ph.Number+".1")
		}
	}
}

// planKeys are the keys of every PLAN.md.
var planKeys = []string{"phase", "plan", "type", "wave", "depends_on", "files_modified", "autonomous", "must_haves"}

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
		if strings.HasSuffix(p.Text, "appears twice") {
			k.addWarning(source.Pos(p.At), "key-twice", p.Text, p.Fix)
		} else {
			k.addWarning(source.Pos(p.At), "yaml", "the frontmatter is not YAML: "+p.Text, p.Fix)
		}
	}
	k.checkFront(plan, front.Root(), source)
	k.checkTasks(plan)
	if !plan.Doc.HasCriteria {
		k.addError(model.Pos{File: plan.File, Line: strings.Count(text, "\n") + 1}, "criteria", "there is no section <success_criteria> that is closed", "end the plan with one; a task is checked off in it")
	}
}

func (k *checker) checkFront(plan *core.Plan, front doc.Value, source protocol.Source) {
	for _, key := range planKeys {
		if !front.Get(key).Exists() {
			k.addWarning(model.Pos{File: plan.File, Line: 1}, "frontmatter", key+" is missing", "add it to the frontmatter")
		}
	}
	odd := func(key, text, fix string) {
		if v := front.Get(key); v.Exists() {
			k.addWarning(source.Pos(v.Offset()), "frontmatter", key+" is "+text, fix)
		}
	}
	word := func(key string) string { return front.Get(key).Scalar() }
	if kind := word("type"); kind != "execute" && kind != "tdd" {
		odd("type", "“"+kind+"”", "write execute or tdd")
	}
	if core.ParseCount(word("wave")) < 1 {
		odd("wave", "“"+word("wave")+"”, and no number from 1", "write in which wave of its phase the plan runs, starting with 1")
	}
	if !front.Get("files_modified").Is(doc.List) {
		odd("files_modified", "no list", "write the files that the plan touches, [] for none")
	}
	if text := word("autonomous"); text != "true" && text != "false" {
		odd("autonomous", "neither true nor false", "write false if the plan stops for a human")
	}
	if own := word("plan"); own != "" && core.PlanKeyIn(own, plan.Phase.Number) != plan.Key {
		odd("plan", "“"+own+"”, and the file's name says "+core.PlanNumber(plan.ID), "make both the same")
	}
	if n := core.LeadingNumber(word("phase")); n != "" && core.CompareNumbers(n, plan.Phase.Number) != 0 {
		odd("phase", "“"+word("phase")+"”, and the plan is in "+plan.Phase.Dir, "make both the same")
	}
	at := source.Pos(front.Get("depends_on").KeyOffset())
	for _, entry := range plan.Doc.DependsOn {
		if k.FindDependency(plan, entry) == nil {
			k.addError(at, "depends-on", "depends_on names “"+entry+"”, and there is no such plan", "name a plan by its number, 03-01")
		}
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
		if t.Name != "" && named[t.Name] {
			k.addError(at, "task-twice", "two tasks have the name “"+t.Name+"”", "results name their task: give one another name")
		}
		if _, _, ok := doc.ParseTaskNumber(t.Name); ok && numbered[t.Number] && !named[t.Name] {
			k.addError(at, "task-twice", "two tasks have the number "+t.Number, "results are logged by it: give one another number")
		}
		named[t.Name], numbered[t.Number] = true, true
		l, b := t.LastLog(), plan.Doc.BoxOf(t.TaskDoc)
		if !plan.Done && l != nil && l.Status == core.Success && b != nil && !b.Checked {
			k.addWarning(model.Pos{File: plan.File, Line: b.Line, Col: 1}, "criteria", "the box of task "+t.Number+" is open, and it has succeeded by "+path.Base(l.File), "check it off")
		}
	}
	for _, b := range plan.Doc.Boxes {
		if number, _, ok := doc.ParseTaskNumber(b.Name); ok && plan.Doc.TaskNumbered(number) == nil {
			k.addWarning(model.Pos{File: plan.File, Line: b.Line, Col: 1}, "criteria", "a box of task "+number+", which the plan has not", "take it out, or give it the number of its task")
		}
	}
	if len(plan.Tasks) == 0 {
		k.addError(model.Pos{File: plan.File}, "task", "the plan has no task", "add one: <task type=\"auto\"> at the start of a line")
	}
}

// checkLogs checks the logs of results, and what retry-state.json counts.
func (k *checker) checkLogs() {
	for _, l := range k.Logs {
		at := model.Pos{File: l.File}
		if _, ok := core.ParseLogName(path.Base(l.File)); !ok {
			k.addWarning(at, "log-name", "the name of the log is not {plan}-task-{NN}-{status}.yaml", "rename it")
		}
		if k.TaskOfLog(l) == nil {
			k.addWarning(at, "log", "the tree has no task "+l.Task+" of plan "+l.Plan, "it is counted for the project alone")
		}
		if day, own := l.Day(), core.ParseDate(l.AtText); day < unixTime(l.At).UTC().Add(-12*time.Hour).Format(time.DateOnly) || day > unixTime(l.At).UTC().Add(14*time.Hour).Format(time.DateOnly) { // allow for every time zone
			k.addWarning(at, "log-day", "it was logged on "+own+", and is in "+day, "move it; it counts for the day of its directory")
		}
	}
	if k.Retries == nil {
		return
	}
	for _, t := range k.Retries.Tasks {
		if plan := core.ParseTaskKey(t.ID).Plan; k.PlanWith(plan) == nil {
			k.addWarning(model.Pos{File: core.RetriesFile}, "retries", "it counts the retries of “"+t.ID+"”, and there is no such plan", "take the entry out")
		}
	}
}

// checkDays checks the sums of the daily summaries, also against the logs that they name if all of these are found.
func (k *checker) checkDays() {
	for _, d := range k.readSummaries() {
		if d.Fault != "" {
			continue
		}
		var logs []*core.Log
		for _, l := range k.Logs {
			if l.Day() == d.Date && slices.Contains(d.Logs, path.Base(l.File)) {
				logs = append(logs, l)
			}
		}
		if len(logs) != len(d.Logs) || len(logs) != d.Executed {
			logs = nil
		}
		for _, wrong := range findContradictions(d, logs) {
			k.addWarning(model.Pos{File: core.SummaryFile(d.Date)}, "daily", wrong, "delete the file: the next capture counts the logs of its day again")
		}
	}
}

// findContradictions returns the contradictions between a summary's numbers, and between these and the counted logs; logs is nil if not all
// are known.
func findContradictions(d *core.Daily, logs []*core.Log) (wrong []string) {
	expect := func(ok bool, format string, args ...any) {
		if !ok {
			wrong = append(wrong, fmt.Sprintf(format, args...))
		}
	}
	if d.Executed > 0 {
		sum := d.Succeeded + d.Failed + d.BlockedN
		expect(sum == d.Executed, "%d tasks were executed, and %d succeeded, failed or were blocked", d.Executed, sum)
		rate := float64(d.Succeeded) / float64(d.Executed)
		expect(!d.HasRate || d.Rate-rate < 0.0051 && rate-d.Rate < 0.0051, "the success rate is not that of %d of %d tasks", d.Succeeded, d.Executed)
	}
	if n := int64(d.WithDuration); n > 0 {
		average := (d.TotalMS + n/2) / n
		expect(d.AverageMS == average || d.AverageMS == d.TotalMS/n, "the average is %d ms, and that of %d ms by %d is %d", d.AverageMS, d.TotalMS, n, average)
	} else if d.AverageMS > 0 {
		expect(d.AverageMS <= d.TotalMS && (d.AverageMS+1)*int64(max(1, d.Executed)) >= d.TotalMS, "the average of %d tasks in %d ms can't be %d ms", d.Executed, d.TotalMS, d.AverageMS)
	}
	tasks, ms := 0, int64(0)
	for _, p := range d.Plans {
		sum := p.Succeeded + p.Failed + p.BlockedN
		expect(sum == p.Tasks, "by_plan has %d tasks of %s, and %d succeeded, failed or were blocked", p.Tasks, core.ShortenText(p.Plan), sum)
		tasks, ms = tasks+p.Tasks, ms+p.DurationMS
	}
	if len(d.Plans) > 0 {
		isPart := d.Logs != nil // another writer may have started the summary without plans
		expect(tasks == d.Executed || isPart && tasks < d.Executed, "by_plan has %d tasks in all, and tasks_executed is %d", tasks, d.Executed)
		expect(ms == d.TotalMS || isPart && ms < d.TotalMS, "by_plan has %d ms in all, and total_duration_ms is %d", ms, d.TotalMS)
	}
	if logs == nil {
		return wrong
	}
	counted := core.CountDay(d.Date, nil, logs)
	has, want := numbersOf(d), numbersOf(counted)
	for _, name := range slices.Sorted(maps.Keys(has)) {
		expect(has[name] == want[name], "%s is %d, and the logs that it names have %d", name, has[name], want[name])
	}
	for _, p := range d.Plans {
		if its := counted.PlanWith(core.PlanKey(p.Plan)); its != nil {
			its.Plan = p.Plan
			expect(*its == p, "the logs that it names deny what by_plan has of %s", core.ShortenText(p.Plan))
		}
	}
	return wrong
}

func numbersOf(d *core.Daily) map[string]int64 {
	return map[string]int64{
		"tasks_succeeded": int64(d.Succeeded), "tasks_failed": int64(d.Failed), "total_retries": int64(d.Retries), "files_modified_count": int64(d.Files), "total_duration_ms": d.TotalMS,
	}
}

// sessionWords are the statuses of a task in a session.
var sessionWords = []string{core.Success, core.Failure, core.Blocked, "in_progress"}

// checkSession checks the tasks of the session against the plans and the logs of its own results.
func (k *checker) checkSession() {
	s := k.Session
	if s == nil {
		return
	}
	report := func(text, fix string) { k.addWarning(model.Pos{File: core.SessionFile}, "session", text, fix) }
	if s.Plan != "" && k.PlanWith(core.PlanKey(s.Plan)) == nil {
		report("plan_id is “"+s.Plan+"”, and there is no such plan", "name a plan by its number, 03-01")
	}
	for i := range s.Tasks {
		one := &s.Tasks[i]
		if one.Name == "" {
			report(fmt.Sprintf("entry %d of its tasks has no task_name", i+1), "take it out")
			continue
		}
		isKnown := slices.Contains(sessionWords, one.Status)
		if !isKnown {
			report("“"+one.Name+"” is “"+one.Status+"”", "write one of "+strings.Join(sessionWords, ", "))
		}
		plan, t := k.PlanWith(one.Key()), k.FindTask(one.Key(), one.Name)
		if plan == nil {
			continue // the task was renamed or removed
		}
		if t == nil {
			report("plan "+plan.ID+" has no task “"+one.Name+"”", "write the name as PLAN.md has it")
			continue
		}
		var last *core.Log
		for _, l := range t.Logs {
			if l.Session == s.ID {
				last = l
			}
		}
		if last != nil && isKnown && one.Status != "in_progress" && last.Status != one.Status {
			report("“"+one.Name+"” is “"+one.Status+"”, and its last log in this session says "+last.Status, "the log counts; write what it says")
		}
	}
}

// checkRejected reports a refused result until its task has reported.
func (k *checker) checkRejected(file string) {
	r := k.ReadRejected(file)
	if r == nil {
		return
	}
	own := *r
	if k.FindAnswer(&own); !own.Answered {
		k.addWarning(model.Pos{File: file}, "rejected", "a result of plan "+own.Plan+" was refused: "+strings.Join(own.Reasons, "; "), "have the task executed again; nothing of the result counts")
	}
}
