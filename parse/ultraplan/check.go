// The strict side of reading: every rule of the files that a project breaks. "gatehouse check" shows them.

package ultraplan

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
	"gatehouse/parse/text/yamldoc"
	"gatehouse/parse/ultraplan/facts"
	"gatehouse/parse/ultraplan/rules"
	"gatehouse/parse/ultraplan/statemd"
)

// Check returns every rule that the build's files break, in the order of files and lines. Besides the rules, it holds what
// [Reader.Read] has to report.
func (r *Reader) Check(now time.Time) []model.Problem {
	c := r.read(now)
	k := &checker{Check: protocol.NewCheck(c.Build), c: c}
	for i := range k.Problems {
		switch file := k.Problems[i].File; {
		case file == c.Build.File && !c.HasState:
			k.Problems[i].Severity, k.Problems[i].Rule = model.Error, "ultraplan-state-missing"
		case strings.HasSuffix(file, "-SUMMARY.md"):
			k.Problems[i].Rule = "ultraplan-summary-alone"
		}
	}
	k.state()
	k.directories()
	for _, p := range c.Phases {
		for _, s := range p.Plans {
			k.plan(s)
		}
	}
	k.logs()
	k.session()
	k.rejected()
	return k.End("bring the file in line with the tree")
}

// checker gathers the rules broken.
type checker struct {
	*protocol.Check
	c *builder
}

// statusWords are the values of "Status:".
var statusWords = []string{rules.StatusReadyToPlan, rules.StatusPlanning, rules.StatusInProgress, rules.StatusVerifying, rules.StatusComplete}

// state checks STATE.md: its position, line by line, and the block of the task at work.
func (k *checker) state() {
	file := k.c.Build.File
	text, err := k.c.Mirror.Text(file)
	if err != nil {
		return // reported by reading
	}
	text = strings.TrimPrefix(text, "\uFEFF")
	lines, ok := facts.SectionLines(text, facts.PositionTitle)
	if !ok {
		k.Report(model.Pos{File: file, Line: 1}, model.Error, "ultraplan-position", "there is no section “Current Position”", "add it, with Phase, Plan, Status and Progress")
	}
	seen := map[string]bool{}
	for _, l := range lines {
		name, value, ok := facts.Field(l.Text)
		if ok && seen[name] && slices.Contains(positionLines, name) {
			k.Report(model.Pos{File: file, Line: l.Number, Col: 1}, model.Error, "ultraplan-position", "the position has a second line “"+strings.ToUpper(name[:1])+name[1:]+":”", "keep one; the first counts")
		}
		if !ok || seen[name] {
			continue
		}
		seen[name] = true
		from, _, _ := facts.FieldValue(l.Text, name)
		at := model.Pos{File: file, Line: l.Number, Col: from + 1}
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
	for _, name := range positionLines {
		if ok && !seen[name] {
			k.Report(model.Pos{File: file}, model.Error, "ultraplan-position", "the position has no line “"+strings.ToUpper(name[:1])+name[1:]+":”", "add it below “Current Position”")
		}
	}
	k.twice(text)
	k.byPhase(text)
	k.gate()
}

// byPhase checks that each row of the table By Phase is about a phase of its own that is there, or meant to come.
func (k *checker) byPhase(text string) {
	seen := map[string]bool{}
	for _, row := range statemd.PhaseRows(text) {
		at, number := model.Pos{File: k.c.Build.File, Line: row.Line, Col: 1}, rules.TrimZeros(row.Number)
		there := rules.CompareNumbers(number, "0") > 0 && k.c.State.PhaseTotal != "" && rules.CompareNumbers(number, k.c.State.PhaseTotal) <= 0
		for _, p := range k.c.Phases {
			there = there || rules.CompareNumbers(p.Number, number) == 0
		}
		switch {
		case seen[number]:
			k.Report(at, model.Warning, "ultraplan-by-phase", "a second row of phase "+number, "keep one; the first is brought in line")
		case !there:
			k.Report(at, model.Warning, "ultraplan-by-phase", "a row of phase "+number+", which is in no directory, no roadmap and beyond the count of phases", "take it out")
		}
		seen[number] = true
	}
}

// positionLines are the lines that a position has.
var positionLines = []string{"phase", "plan", "status", "progress"}

// twice reports what the file has one of, and a second one of which nobody reads.
func (k *checker) twice(text string) {
	at := model.Pos{File: k.c.Build.File, Col: 1}
	found := false
	for _, l := range facts.LinesOf(text) {
		if l.Level == 0 || !strings.EqualFold(l.Title, facts.PositionTitle) {
			continue
		}
		if at.Line = l.Number; found {
			k.Report(at, model.Error, "ultraplan-position", "a second section “Current Position”", "keep one; the first counts")
		}
		found = true
	}
	first, ok := rules.TaskBlock(text)
	if !ok {
		k.unreadGate(text)
		return
	}
	behind := first + len("current_task:")
	if second, ok := rules.TaskBlock(text[behind:]); ok {
		at.Line = 1 + strings.Count(text[:behind+second], "\n")
		k.Report(at, model.Error, "ultraplan-gate", "a second block current_task", "keep one; the first counts")
	}
}

// gateKey finds the key of a gate's block in any form that YAML has for it, with a value on its line.
var gateKey = regexp.MustCompile(`^ {0,3}["']?current_task["']?[ \t]*:[ \t]*(.*)$`)

// unreadGate reports a gate in a form of YAML that nobody reads: agents write the key at the start of a line, and the fields
// below it.
func (k *checker) unreadGate(text string) {
	lines := slices.Collect(doc.Lines(text, 0, len(text)))
	for i, l := range lines {
		m := gateKey.FindStringSubmatch(l.Text)
		if m == nil || l.Comment {
			continue
		}
		value := strings.TrimSpace(m[1])
		below := i+1 < len(lines) && strings.TrimLeft(lines[i+1].Text, " \t") != lines[i+1].Text && strings.TrimSpace(lines[i+1].Text) != ""
		if strings.HasPrefix(value, "{") && value != "{}" || below {
			k.Report(model.Pos{File: k.c.Build.File, Line: l.Number, Col: 1}, model.Error, "ultraplan-gate", "current_task is in a form that is not read",
				"write current_task: at the start of a line, and its fields below it, indented")
			return
		}
	}
}

// position checks "7 of 8 (name)" and "2 of 4".
func (k *checker) position(at model.Pos, name, value string) {
	words := strings.Fields(value)
	if len(words) < 3 || words[1] != "of" || strings.Trim(words[0]+words[2], "0123456789.") != "" {
		k.Report(at, model.Error, "ultraplan-position", "the "+name+" is “"+value+"”", "write it like 2 of 4")
		return
	}
	if whole, _, _ := strings.Cut(words[0], "."); rules.CompareNumbers(whole, words[2]) > 0 { // 2.5 comes behind 2, of 2
		k.Report(at, model.Error, "ultraplan-position", "the "+name+" is "+words[0]+" of only "+words[2], "count again")
	}
}

// progress checks a progress line: a percentage, and a bar that shows it. The document's has 20 cells of # and ░.
func (k *checker) progress(at model.Pos, value string) {
	percent := facts.PercentIn(value)
	if percent == "" {
		k.Report(at, model.Error, "ultraplan-progress", "the progress has no percentage", "write it behind the bar, like 45%")
		return
	}
	n, err := strconv.Atoi(strings.TrimSuffix(percent, "%"))
	if err != nil || n > 100 {
		k.Report(at, model.Error, "ultraplan-progress", "the progress is "+percent, "write a whole number up to 100, rounded down")
		return
	}
	from, to, ok := statemd.BarIn(value)
	if !ok {
		k.Report(at, model.Warning, "ultraplan-bar", "the progress has no bar", "write "+progressText(n))
	} else if value[from:to] != statemd.Redraw(value[from:to], n) { // one of another width is kept where the file is written
		at.Col += from - 1
		k.Report(at, model.Warning, "ultraplan-bar", "the bar does not show "+percent, "write "+progressText(n))
	}
}

// progressText says how the progress is written. Its empty cells are a character that is never shown but in bars of ours.
func progressText(percent int) string {
	return "[" + statemd.Bar(percent, statemd.TemplateCells, '#', '.') + "] " + strconv.Itoa(percent) + "%, with U+2591 for each dot"
}

// gate checks the current_task block.
func (k *checker) gate() {
	g := k.c.State.Gate
	if g == nil {
		return
	}
	at := model.Pos{File: k.c.Build.File, Line: g.Line}
	report := func(text, fix string) { k.Report(at, model.Error, "ultraplan-gate", text, fix) }
	if g.Status == "" || g.Status == rules.TaskPending || g.Raw != g.Status {
		report("gate_status is “"+g.Raw+"”", "write EXECUTING, VERIFYING, REVIEWING, APPROVED, FAILED, BLOCKED or SKIPPED")
	}
	for key, no := range g.Twice {
		k.Report(model.Pos{File: at.File, Line: no, Col: 1}, model.Error, "ultraplan-gate", key+" is there twice", "keep one; the last counts")
	}
	if g.Step != "1" && g.Step != "2" && g.Step != "3" {
		report("gate_step is “"+g.Step+"”", "write 1, 2 or 3")
	}
	for _, step := range []struct {
		key, value string
		words      []string
	}{
		{"executor_status", g.Executor, []string{"pending", "running", "success", "failure", "blocked"}},
		{"verify_status", g.Verify, []string{"pending", "running", "passed", "failed", "skipped"}},
		{"architect_status", g.Architect, []string{"pending", "reviewing", "approved", "rejected"}},
	} {
		if step.value != "" && !slices.Contains(step.words, step.value) {
			report(step.key+" is “"+step.value+"”", "write one of "+strings.Join(step.words, ", "))
		}
	}
	if g.Status == rules.TaskApproved && facts.GateStatus(g) == model.Failed {
		report("gate_status is APPROVED, and a step of it has failed", "the task does not count as done; have the gate gone through again")
	}
	if g.Attempt < 1 {
		report("attempt is not a number from 1", "write which attempt it is, starting with 1")
	}
	if g.Attempt >= 1 && g.Counts.Unclear {
		report("max_attempts is no whole number", "write how often the task may be tried, 3 by the protocol")
	}
	for _, key := range g.NoTimes {
		report(key+" is no time", "write it like 2026-06-01T12:34:56Z")
	}
	if s, number := k.c.Plans[g.PlanKey()], leadingNumber(g.Phase); s != nil && number != "" && rules.CompareNumbers(number, s.Phase.Number) != 0 {
		report("phase is “"+g.Phase+"”, and plan “"+g.Plan+"” is of phase "+rules.TrimZeros(s.Phase.Number), "make both the same")
	}
	if k.c.Plans[g.PlanKey()] != nil && k.c.atWork() == nil {
		report("plan “"+g.Plan+"” has no task “"+g.Name+"”", "write the name as PLAN.md has it")
	}
	if k.c.Plans[g.PlanKey()] == nil {
		report("the plan “"+g.Plan+"” is not in the tree", "name a plan by its number, 03-01")
	}
}

// directories checks the names below phases.
func (k *checker) directories() {
	for _, e := range k.c.List(facts.PhasesDir) {
		if _, _, ok := rules.PhaseDir(e.Name); e.Dir && !ok {
			k.Report(model.Pos{File: path.Join(facts.PhasesDir, e.Name)}, model.Warning, "ultraplan-phase-name", "the directory is no phase, and not counted", "name it NN-slug, like 03-auth")
		}
	}
	for i, p := range k.c.Phases {
		if i > 0 && p.Dir != "" && rules.CompareNumbers(p.Number, k.c.Phases[i-1].Number) == 0 {
			k.Report(model.Pos{File: p.Path()}, model.Warning, "ultraplan-phase-twice", "a second directory for phase "+p.Number, "give one of them another number, like "+p.Number+".1")
		}
	}
}

// planKeys are the keys that every PLAN.md has.
var planKeys = []string{"phase", "plan", "type", "wave", "depends_on", "files_modified", "autonomous", "must_haves"}

// plan checks a PLAN.md.
func (k *checker) plan(s *facts.Plan) {
	text, err := k.c.Mirror.Text(s.File)
	if err != nil {
		return // reported by reading
	}
	at := func(line int) model.Pos { return model.Pos{File: s.File, Line: line} }
	_, front, err := yamldoc.Read(text)
	var e *yamldoc.Error
	if errors.As(err, &e) {
		k.Report(at(e.Line), model.Warning, "ultraplan-yaml", "the frontmatter is not YAML: "+e.Text, "mend the line; what can be read without YAML is shown")
	} else {
		for key, no := range front.Twice() {
			k.Report(model.Pos{File: s.File, Line: no, Col: 1}, model.Warning, "ultraplan-key-twice", "the key "+key+" is there twice", "keep one; the last counts")
		}
		k.planKeys(s, front)
	}
	k.tasks(s)
	if !s.Doc.HasCriteria {
		k.Report(at(strings.Count(text, "\n")+1), model.Error, "ultraplan-criteria", "there is no section <success_criteria> that is closed", "end the plan with one; a task is checked off in it")
	}
}

func (k *checker) planKeys(s *facts.Plan, front yamldoc.Doc) {
	for _, key := range planKeys {
		if !front.Has(key) {
			k.Report(model.Pos{File: s.File, Line: 1}, model.Warning, "ultraplan-frontmatter", key+" is missing", "add it to the frontmatter")
		}
	}
	odd := func(key, text, fix string) {
		if front.Has(key) {
			k.Report(model.Pos{File: s.File, Line: front.Line(key), Col: front.Col(key)}, model.Warning, "ultraplan-frontmatter", key+" is "+text, fix)
		}
	}
	if kind := front.String("type"); kind != "execute" && kind != "tdd" {
		odd("type", "“"+kind+"”", "write execute or tdd")
	}
	if n, ok := front.Int("wave"); !ok || n < 1 {
		odd("wave", "“"+front.String("wave")+"”, and no number from 1", "write in which wave of its phase the plan runs, starting with 1")
	}
	if _, ok := front.Texts("files_modified"); !ok {
		odd("files_modified", "no list", "write the files that the plan touches, [] for none")
	}
	if text := front.String("autonomous"); text != "true" && text != "false" {
		odd("autonomous", "neither true nor false", "write false where the plan stops for a human")
	}
	_, number := rules.SplitPlan(s.ID)
	if own := front.String("plan"); own != "" && rules.CompareNumbers(own, number) != 0 && !rules.SamePlan(own, s.ID, s.Phase.Number) {
		k.Report(model.Pos{File: s.File, Line: front.Line("plan"), Col: front.Col("plan")}, model.Warning, "ultraplan-frontmatter", "plan is “"+own+"”, the file's name says "+number, "make both the same")
	}
	if n := leadingNumber(front.String("phase")); n != "" && rules.CompareNumbers(n, s.Phase.Number) != 0 {
		odd("phase", "“"+front.String("phase")+"”, and the plan lies in "+s.Phase.Dir, "make both the same")
	}
	report := func(rule, text, fix string) {
		k.Report(model.Pos{File: s.File, Line: front.Line("depends_on"), Col: front.Col("depends_on")}, model.Error, rule, text, fix)
	}
	for _, d := range s.Doc.DependsOn {
		switch on := k.c.dependency(s, d); {
		case on == nil:
			report("ultraplan-depends-on", "depends_on names “"+d+"”, and there is no such plan", "name a plan by its number, 03-01")
		case s.Done || on.Done: // nobody waits
		case on == s:
			report("ultraplan-cycle", "the plan depends on itself", "take it out")
		case k.c.waits(on, s, map[*facts.Plan]bool{}):
			report("ultraplan-cycle", "depends_on names “"+d+"”, which itself waits for this plan", "take one of the dependencies out; neither plan can come first")
		case on.Phase == s.Phase && s.Doc.Wave > 0 && on.Doc.Wave > s.Doc.Wave:
			report("ultraplan-cycle", fmt.Sprintf("depends_on names “%s” of wave %d, and the plan is of wave %d", d, on.Doc.Wave, s.Doc.Wave), "give the plan a later wave; neither can come first")
		}
	}
}

// leadingNumber returns the number that the name of a phase begins with, "03" of "03-auth"; "" without one.
func leadingNumber(name string) string {
	number := name[:len(name)-len(strings.TrimLeft(name, "0123456789."))]
	return strings.Trim(number, ".")
}

// dependency returns the plan that an entry of depends_on names, nil where there is none.
func (c *builder) dependency(s *facts.Plan, entry string) *facts.Plan {
	return c.Plans[facts.PlanKey(rules.Dependency(entry, s.Phase.Number))]
}

// waits reports whether an open plan depends on another, by way of others too.
func (c *builder) waits(s, on *facts.Plan, seen map[*facts.Plan]bool) bool {
	seen[s] = true
	for _, d := range s.Doc.DependsOn {
		next := c.dependency(s, d)
		if next == nil || next.Done || seen[next] && next != on {
			continue
		}
		if next == on || c.waits(next, on, seen) {
			return true
		}
	}
	return false
}

var taskKinds = []string{"auto", "checkpoint:human-verify", "checkpoint:decision", "checkpoint:human-action"}

func (k *checker) tasks(s *facts.Plan) {
	named, numbered := map[string]bool{}, map[string]bool{}
	for i := range s.Doc.Tasks {
		t := &s.Doc.Tasks[i]
		at := model.Pos{File: s.File, Line: t.Line, Col: 1}
		if !slices.Contains(taskKinds, t.Kind) {
			k.Report(at, model.Warning, "ultraplan-task-type", "the task is of type “"+t.Kind+"”", "write one of "+strings.Join(taskKinds, ", "))
		}
		if len(t.Missing) > 0 {
			k.Report(at, model.Error, "ultraplan-task", "task "+t.Number+" has no <"+strings.Join(t.Missing, ">, no <")+">", "add it; the protocol's own reader refuses the whole plan")
		}
		if t.Open {
			k.Report(at, model.Error, "ultraplan-task", "task "+t.Number+" is not closed", "write </task> behind it")
		}
		if t.Name != "" && named[t.Name] {
			k.Report(at, model.Error, "ultraplan-task-twice", "two tasks have the name “"+t.Name+"”", "a result is told by it: give one another name")
		}
		if _, _, ok := doc.ParseTaskNumber(t.Name); ok && numbered[t.Number] && !named[t.Name] {
			k.Report(at, model.Error, "ultraplan-task-twice", "two tasks have the number "+t.Number, "results are logged by it: give one another number")
		}
		named[t.Name], numbered[t.Number] = true, true
	}
	for _, b := range s.Doc.Boxes {
		number, _, ok := doc.ParseTaskNumber(b.Name)
		if ok && !slices.ContainsFunc(s.Doc.Tasks, func(t facts.PlanTask) bool { return t.Number == number }) {
			k.Report(model.Pos{File: s.File, Line: b.Line, Col: 1}, model.Warning, "ultraplan-criteria", "a box of task "+number+", which the plan has not", "take it out, or give it the number of its task")
		}
	}
	if len(s.Doc.Tasks) == 0 {
		k.Report(model.Pos{File: s.File}, model.Error, "ultraplan-task", "the plan has no task", "add one: <task type=\"auto\"> at the start of a line")
	}
}
