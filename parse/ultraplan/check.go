// The strict side of reading: every rule of the files that a project breaks. "gatehouse check" shows them.

package ultraplan

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/reader"
	"gatehouse/parse/text/yamldoc"
	"gatehouse/parse/ultraplan/rules"
)

// Check returns every rule that the build's files break, in the order of files and lines. Besides the rules, it holds what
// [Reader.Read] has to report.
func (r *Reader) Check(now time.Time) []model.Problem {
	c := r.read(now)
	k := &checker{Check: reader.NewCheck(c.b), c: c}
	for i := range k.Problems {
		switch file := k.Problems[i].File; {
		case file == c.b.File && !c.stateIs:
			k.Problems[i].Severity, k.Problems[i].Rule = model.Error, "ultraplan-state-missing"
		case strings.HasSuffix(file, "-SUMMARY.md"):
			k.Problems[i].Rule = "ultraplan-summary-alone"
		}
	}
	k.state()
	k.directories()
	for _, p := range c.phases {
		for _, s := range p.plans {
			k.plan(s)
		}
	}
	k.logs()
	return k.End("bring the file in line with the tree")
}

// checker gathers the rules broken.
type checker struct {
	*reader.Check
	c *collector
}

// statusWords are the values of "Status:".
var statusWords = []string{rules.StatusReadyToPlan, rules.StatusPlanning, rules.StatusInProgress, rules.StatusVerifying, rules.StatusComplete}

// state checks STATE.md: its position, line by line, and the block of the task at work.
func (k *checker) state() {
	file := k.c.b.File
	text, err := k.c.m.Text(file)
	if err != nil {
		return // reported by reading
	}
	text = strings.TrimPrefix(text, "\uFEFF")
	lines, ok := sectionLines(text, positionTitle)
	if !ok {
		k.Report(model.Pos{File: file, Line: 1}, model.Error, "ultraplan-position", "there is no section “Current Position”", "add it, with Phase, Plan, Status and Progress")
	}
	seen := map[string]bool{}
	for _, l := range lines {
		name, value, ok := field(l.Text)
		if !ok || seen[name] {
			continue
		}
		seen[name] = true
		from, _, _ := fieldValue(l.Text, name)
		at := model.Pos{File: file, Line: l.No, Col: from + 1}
		switch name {
		case "status":
			if !slices.Contains(statusWords, value) {
				k.Report(at, model.Error, "ultraplan-status", "the status is “"+value+"”", "write one of "+strings.Join(statusWords, ", "))
			}
		case "phase", "plan":
			k.position(at, name, value)
		case "progress":
			k.progress(at, value)
		}
	}
	for _, name := range []string{"phase", "plan", "status", "progress"} {
		if ok && !seen[name] {
			k.Report(model.Pos{File: file}, model.Error, "ultraplan-position", "the position has no line “"+strings.ToUpper(name[:1])+name[1:]+":”", "add it below “Current Position”")
		}
	}
	k.gate()
}

// position checks "7 of 8 (name)" and "2 of 4".
func (k *checker) position(at model.Pos, name, value string) {
	words := strings.Fields(value)
	if len(words) < 3 || words[1] != "of" || strings.Trim(words[0]+words[2], "0123456789.") != "" {
		k.Report(at, model.Error, "ultraplan-position", "the "+name+" is “"+value+"”", "write it like 2 of 4")
		return
	}
	if rules.CompareNumbers(words[0], words[2]) > 0 {
		k.Report(at, model.Error, "ultraplan-position", "the "+name+" is "+words[0]+" of only "+words[2], "count again")
	}
}

// progress checks a progress line against the document's: 20 cells of # and ░, one for each full twentieth.
func (k *checker) progress(at model.Pos, value string) {
	percent := percentForm.FindString(value)
	if percent == "" {
		k.Report(at, model.Error, "ultraplan-progress", "the progress has no percentage", "write it behind the bar, like 45%")
		return
	}
	n, err := strconv.Atoi(strings.TrimSuffix(percent, "%"))
	if err != nil || n > 100 {
		k.Report(at, model.Error, "ultraplan-progress", "the progress is "+percent, "write a whole number up to 100, rounded down")
		return
	}
	m := barForm.FindStringIndex(value)
	if m == nil {
		k.Report(at, model.Warning, "ultraplan-bar", "the progress has no bar", "write "+progressText(n))
	} else if bar := value[m[0]+1 : m[1]-1]; bar != Bar(n, templateCells, '#', '░') {
		at.Col += m[0]
		k.Report(at, model.Warning, "ultraplan-bar", "the bar is not the document's for "+percent, "write "+progressText(n))
	}
}

// progressText says how the progress is written. Its empty cells are a character that is never shown but in bars of ours.
func progressText(percent int) string {
	return "[" + Bar(percent, templateCells, '#', '.') + "] " + strconv.Itoa(percent) + "%, with U+2591 for each dot"
}

// gate checks the current_task block.
func (k *checker) gate() {
	g := k.c.state.gate
	if g == nil {
		return
	}
	at := model.Pos{File: k.c.b.File, Line: g.line}
	report := func(text, fix string) { k.Report(at, model.Error, "ultraplan-gate", text, fix) }
	if g.status == "" || g.status == rules.TaskPending || g.raw != g.status {
		report("gate_status is “"+g.raw+"”", "write EXECUTING, VERIFYING, REVIEWING, APPROVED, FAILED, BLOCKED or SKIPPED")
	}
	if g.step != "1" && g.step != "2" && g.step != "3" {
		report("gate_step is “"+g.step+"”", "write 1, 2 or 3")
	}
	for _, step := range []struct {
		key, value string
		words      []string
	}{
		{"executor_status", g.executor, []string{"pending", "running", "success", "failure", "blocked"}},
		{"verify_status", g.verify, []string{"pending", "running", "passed", "failed", "skipped"}},
		{"architect_status", g.architect, []string{"pending", "reviewing", "approved", "rejected"}},
	} {
		if step.value != "" && !slices.Contains(step.words, step.value) {
			report(step.key+" is “"+step.value+"”", "write one of "+strings.Join(step.words, ", "))
		}
	}
	if g.attempt < 1 {
		report("attempt is not a number from 1", "write which attempt it is, starting with 1")
	}
	if k.c.plans[g.planKey()] == nil {
		report("the plan “"+g.plan+"” is not in the tree", "name a plan by its number, 03-01")
	}
}

// directories checks the names below phases.
func (k *checker) directories() {
	for _, e := range k.c.list(phasesDir) {
		if _, _, ok := rules.PhaseDir(e.Name); e.Dir && !ok {
			k.Report(model.Pos{File: path.Join(phasesDir, e.Name)}, model.Warning, "ultraplan-phase-name", "the directory is no phase, and not counted", "name it NN-slug, like 03-auth")
		}
	}
	for i, p := range k.c.phases {
		if i > 0 && p.Dir != "" && rules.CompareNumbers(p.Number, k.c.phases[i-1].Number) == 0 {
			k.Report(model.Pos{File: p.dir()}, model.Warning, "ultraplan-phase-twice", "a second directory for phase "+p.Number, "give one of them another number, like "+p.Number+".1")
		}
	}
}

// planKeys are the keys that every PLAN.md has.
var planKeys = []string{"phase", "plan", "type", "wave", "depends_on", "files_modified", "autonomous", "must_haves"}

// plan checks a PLAN.md.
func (k *checker) plan(s *planState) {
	text, err := k.c.m.Text(s.file)
	if err != nil {
		return // reported by reading
	}
	at := func(line int) model.Pos { return model.Pos{File: s.file, Line: line} }
	_, front, err := yamldoc.Read(text)
	var e *yamldoc.Error
	if errors.As(err, &e) {
		k.Report(at(e.Line), model.Warning, "ultraplan-yaml", "the frontmatter is not YAML: "+e.Text, "mend the line; what can be read without YAML is shown")
	} else {
		for key, no := range front.Twice() {
			k.Report(model.Pos{File: s.file, Line: no, Col: 1}, model.Warning, "ultraplan-key-twice", "the key "+key+" is there twice", "keep one; the last counts")
		}
		k.planKeys(s, front)
	}
	k.tasks(s)
	if !s.plan.criteria {
		k.Report(at(strings.Count(text, "\n")+1), model.Error, "ultraplan-criteria", "there is no section <success_criteria> that is closed", "end the plan with one; a task is checked off in it")
	}
}

func (k *checker) planKeys(s *planState, front yamldoc.Doc) {
	for _, key := range planKeys {
		if !front.Has(key) {
			k.Report(model.Pos{File: s.file, Line: 1}, model.Warning, "ultraplan-frontmatter", key+" is missing", "add it to the frontmatter")
		}
	}
	_, number := rules.SplitPlan(s.ID)
	if own := front.String("plan"); own != "" && rules.CompareNumbers(own, number) != 0 && !rules.SamePlan(own, s.ID, s.phase.Number) {
		k.Report(model.Pos{File: s.file, Line: front.Line("plan"), Col: front.Col("plan")}, model.Warning, "ultraplan-frontmatter", "plan is “"+own+"”, the file's name says "+number, "make both the same")
	}
	for _, d := range s.plan.dependsOn {
		if k.c.plans[planKey(dependency(d, s.phase.Number))] == nil {
			k.Report(model.Pos{File: s.file, Line: front.Line("depends_on"), Col: front.Col("depends_on")}, model.Error, "ultraplan-depends-on", "depends_on names “"+d+"”, and there is no such plan", "name a plan by its number, 03-01")
		}
	}
}

var taskKinds = []string{"auto", "checkpoint:human-verify", "checkpoint:decision", "checkpoint:human-action"}

func (k *checker) tasks(s *planState) {
	named := map[string]bool{}
	for i := range s.plan.tasks {
		t := &s.plan.tasks[i]
		at := model.Pos{File: s.file, Line: t.line, Col: 1}
		if !slices.Contains(taskKinds, t.kind) {
			k.Report(at, model.Warning, "ultraplan-task-type", "the task is of type “"+t.kind+"”", "write one of "+strings.Join(taskKinds, ", "))
		}
		if len(t.missing) > 0 {
			k.Report(at, model.Error, "ultraplan-task", "task "+t.number+" has no <"+strings.Join(t.missing, ">, no <")+">", "add it; the protocol's own reader refuses the whole plan")
		}
		if t.name != "" && named[t.name] {
			k.Report(at, model.Error, "ultraplan-task-twice", "two tasks have the name “"+t.name+"”", "a result is told by it: give one another name")
		}
		named[t.name] = true
	}
	if len(s.plan.tasks) == 0 {
		k.Report(model.Pos{File: s.file}, model.Error, "ultraplan-task", "the plan has no task", "add one: <task type=\"auto\"> at the start of a line")
	}
}

// logs checks the logs of results and the summaries of days.
func (k *checker) logs() {
	for _, l := range k.c.logs {
		at := model.Pos{File: l.file}
		if logName.FindString(path.Base(l.file)) == "" {
			k.Report(at, model.Warning, "ultraplan-log-name", "the name of the log is not {plan}-task-{NN}-{status}.yaml", "rename it")
		}
		if outcomeStatus(l.status) == model.Unknown {
			k.Report(at, model.Error, "ultraplan-log", "the status is “"+l.status+"”", "write success, failure or blocked")
		}
		if l.at.IsZero() {
			k.Report(at, model.Error, "ultraplan-log", "logged_at is missing or no time", "write it like 2026-06-01T12:34:56Z")
		}
		if k.c.tasks[key{planKey(l.plan), l.task}] == nil {
			k.Report(at, model.Warning, "ultraplan-log", fmt.Sprintf("the tree has no task %s of plan %s", l.task, l.plan), "it is counted for the project alone")
		}
	}
	for _, d := range k.c.days {
		file := Home + "/logs/summary/daily-" + d.Date + ".json"
		if sum := d.TasksSucceeded + d.TasksFailed + d.TasksBlocked; sum != d.TasksExecuted && d.TasksExecuted > 0 {
			k.Report(model.Pos{File: file}, model.Warning, "ultraplan-daily", fmt.Sprintf("%d tasks were executed, and %d succeeded, failed or were blocked", d.TasksExecuted, sum), "have it computed from the logs again")
		}
	}
}
