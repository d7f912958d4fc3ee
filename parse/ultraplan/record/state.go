// What a captured result changes beside the logs: STATE.md, continue.md; and which task comes next.

package record

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/facts"
	"gatehouse/parse/ultraplan/rules"
	"gatehouse/parse/ultraplan/statemd"
)

// updateState brings STATE.md up to date with the logs and the tree. There need not be one, and sections that it lacks stay
// missing.
func (c *capture) updateState(ctx context.Context) error {
	if !c.HasState {
		c.note("there is no STATE.md, which would be updated")
		return nil
	}
	return c.write(ctx, c.Build.File, false, inPlace(func(content string) []model.Span {
		if why := facts.Unwritable(content); why != "" {
			c.note("%s: it is left as it is; mend it and run this capture again", why)
			return nil
		}
		c.Mirror.Touch(facts.LogsDir, facts.PhasesDir) // a try again comes later
		tree := c.tree()
		if tree.Unlisted != "" {
			c.note("%s can't be listed in full: STATE.md does not get what is counted", tree.Unlisted)
		}
		last := c.newest(tree)
		is := statemd.NewFigures(tree, last, !c.Already || last.File == c.Log)
		is.HasResume = is.HasResume && !c.taken
		spans := statemd.Spans(statemd.Differences(content, is))
		logs := c.ofTask()
		if last := logs[len(logs)-1]; last.Status == model.OutcomeSuccess {
			for _, line := range unlike(logs) {
				if gone := statemd.RemoveBlocker(content, line); len(gone) > 0 && !c.elsewhere(line) {
					spans = append(spans, gone...)
				}
			}
		} else {
			more, _ := statemd.AddBlocker(content, statemd.BlockerOf(last.LogDoc))
			spans = append(spans, more...)
		}
		return spans
	}))
}

// tree reads what STATE.md is held against, as it is now; in a dry run with the log that would be written.
func (c *capture) tree() *facts.Project {
	tree := &facts.Project{Mirror: c.Mirror, Build: &model.Build{}}
	tree.ReadTree()
	c.Captured.tree = treeMark(tree)
	date := facts.LogDay(c.own)
	for i, d := range tree.Days {
		if d.Date == date {
			tree.Days[i] = c.counted(tree, d)
			return tree
		}
	}
	tree.Days = append(tree.Days, c.counted(tree, &facts.Daily{Date: date}))
	return tree
}

// treeMark tells trees apart by their plans and which of them are done.
func treeMark(tree *facts.Project) string {
	var b strings.Builder
	for _, p := range tree.Phases {
		for _, s := range p.Plans {
			fmt.Fprintf(&b, "%s/%s %v\n", p.Dir, s.ID, s.Done)
		}
	}
	return b.String()
}

// unlike returns the lines that results have left among the blockers, each once.
func unlike(logs []*facts.Log) (blockers []string) {
	for _, l := range logs {
		if b := statemd.BlockerOf(l.LogDoc); b != "" && !slices.Contains(blockers, b) {
			blockers = append(blockers, b)
		}
	}
	return blockers
}

// elsewhere reports whether a line among the blockers is also that of another plan's task, which has the same name and has not
// succeeded since.
func (c *capture) elsewhere(line string) bool {
	last := map[string]*facts.Log{}
	for _, l := range c.logsOf(func(plan, task string) bool { return plan != c.plan.Key && task == c.task.Number }) {
		last[l.Plan] = l
	}
	for _, l := range last {
		if statemd.BlockerOf(l.LogDoc) == line {
			return true
		}
	}
	return false
}

// newest returns the newest log of all.
func (c *capture) newest(tree *facts.Project) *facts.Log {
	newest := c.own
	for _, d := range slices.Backward(tree.Days) {
		if d.TasksExecuted == 0 || len(d.Logs) == 0 {
			continue
		}
		if d.Date < facts.LogDay(c.own) {
			break
		}
		if l := tree.NewestOf(d); l != nil && facts.CompareLogs(l, newest) > 0 {
			newest = l
		}
	}
	return newest
}

// takeUp puts continue.md away once the task that it names has succeeded, and then alone: one that names no task may be about any,
// and stays until a human puts it away. It is kept under another name, so that nothing is lost. One written after the result was
// logged is about something that happened since.
func (c *capture) takeUp(context.Context) error {
	if c.Result.Status != model.OutcomeSuccess {
		return nil // it has yet to be taken up
	}
	r := protocol.ReadFile(c.Mirror, c.Build, facts.ResumeFile, facts.ParseResume)
	logged, known := c.Mirror.Stat(c.Log)
	if !r.Exists || known && r.ModTime.After(logged.ModTime) || r.Value == nil || !c.resumes(r.Value, r.ModTime) {
		return nil
	}
	to, err := c.setAside(facts.ResumeFile, ".done")
	if err != nil {
		return err
	}
	c.taken = true
	c.Files = append(c.Files, FileChange{File: path.Join(facts.StateDir, to), Made: true, Edits: []model.Edit{}})
	if !c.rep.DryRun {
		c.note("work is taken up again: continue.md is now %s", to)
	}
	return nil
}

// resumes reports whether a task's result means that work is taken up where continue.md broke it off: it names the task, and its plan
// or no other that it could mean.
func (c *capture) resumes(r *facts.Resume, written time.Time) bool {
	for _, text := range []string{r.Last, r.Next} {
		named := resumedTask(text)
		if named.task != c.task.Number {
			continue
		}
		if named.plan == "" {
			named.plan = c.brokenOffIn(named, written)
		}
		if named.plan == c.plan.Key {
			return true
		}
	}
	return false
}

// brokenOffIn returns the plan that a task of continue.md is of, where no plan is named: the last one that had such a task reported
// before the file was written, else the only open one that has such a task; "" where nobody can tell.
func (c *capture) brokenOffIn(named resumed, written time.Time) (plan string) {
	logs := c.logsOf(func(_, task string) bool { return task == named.task })
	for _, l := range slices.Backward(logs) {
		if l.File != c.Log && !l.At.After(written) && named.means(l.Name) {
			return facts.PlanKey(l.Plan)
		}
	}
	for _, p := range c.Phases {
		for _, s := range p.Plans {
			d := mirror.Read(c.Mirror, s.File, facts.ParsePlan).Value
			if s.Done || d == nil || !slices.ContainsFunc(d.Tasks, func(t facts.PlanTask) bool { return t.Number == named.task && named.means(t.Name) }) {
				continue
			}
			if plan != "" {
				return ""
			}
			plan = s.Key
		}
	}
	return plan
}

// resumed is a task as a line of continue.md names it.
type resumed struct {
	plan, task string // plan "" where none is named
	text       string // from "Task 2: …" on; "" where it is not written so
}

// means reports whether a task of that number may be meant, by its name.
func (r resumed) means(name string) bool {
	said, its := strings.Join(strings.Fields(r.text), " "), strings.Join(strings.Fields(name), " ")
	rest, ok := strings.CutPrefix(said, its)
	return said == "" || ok && (rest == "" || !wordy(rest))
}

// wordy reports whether a text goes on with the word before it.
func wordy(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// resumedTask returns the task that a line of continue.md names: "03-01:task-2 …", "Task 2: … (03-01)".
func resumedTask(text string) (r resumed) {
	for word := range strings.FieldsSeq(text) {
		switch k := facts.ParseTaskKey(strings.Trim(word, "()[],.;`*")); {
		case k.Plan != "" && k.Task != "":
			return resumed{plan: k.Plan, task: k.Task}
		case k.Plan != "" && r.plan == "":
			r.plan = k.Plan
		}
	}
	for _, word := range []string{"Task ", "task "} {
		_, rest, there := strings.Cut(text, word)
		if !there {
			continue
		}
		if number, _, ok := doc.ParseTaskNumber("Task " + rest); ok {
			r.task, r.text = number, "Task "+rest
			return r
		}
		number, _, _ := strings.Cut(rest, " ")
		if number = strings.TrimRight(number, ".,;)"); strings.Trim(number, "0123456789.") == "" {
			r.task = rules.TrimZeros(number)
			return r
		}
	}
	return r
}

// following returns which task of the plan comes next, by all that is known of its tasks: the newest word about the one that
// reported is its result. One at work is not given out twice.
func (c *capture) following() Following {
	c.Mirror.Touch(c.plan.File, facts.SessionFile, c.Build.File)
	one := &facts.Project{Mirror: c.Mirror, Build: &model.Build{File: c.Build.File}, Plans: map[string]*facts.Plan{}}
	p := *c.plan.Phase
	s := &facts.Plan{Plan: c.plan.Plan, Node: c.plan.Node, Key: c.plan.Key, File: c.plan.File, Phase: &p}
	p.Plans = []*facts.Plan{s}
	one.Phases, one.Plans[s.Key] = []*facts.Phase{&p}, s
	one.ReadState()
	one.ReadSession()
	one.ReadPlan(s)
	one.Logs = c.ofPlan()
	one.DeriveTasks()
	tasks := make([]taskStanding, len(s.Tasks))
	open := 0
	for i, t := range s.Tasks {
		status := t.Status
		if t.Number == c.task.Number && t.Name == c.Name && !s.Done && status != model.Skipped {
			if last := t.Last(); last != nil && status != model.Done {
				status = facts.OutcomeStatus(last.Status)
			}
		}
		tasks[i] = taskStanding{Wave: t.Wave, Done: status.Closed(), Blocked: status == model.Blocked || status == t.Status && t.AtWork() || t.IsEscalated()}
		if t.IsEscalated() && !tasks[i].Done {
			c.note("task %s of %s has failed as often as it may: it is handed out no more until a human decides", t.Number, s.ID)
		}
		if !tasks[i].Done {
			open++
		}
	}
	f := Following{Kind: planStuck, Plan: c.Plan}
	if before, ofWave := c.Before(c.plan); before != "" && open > 0 {
		why := "plan %s depends on %s, which has no summary"
		if ofWave {
			why = "plan %s is of a later wave than %s, which has no summary"
		}
		c.note(why, c.Plan, before)
		return f
	}
	if i := nextTask(tasks); i >= 0 {
		f.Kind, f.Task, f.Name = nextTaskIs, s.Tasks[i].Number, line.Clean(cmp.Or(s.Tasks[i].Name, s.Tasks[i].Title))
	} else if open == 0 {
		f.Kind = planDone
	}
	return f
}
