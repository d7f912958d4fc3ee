// The changes of a result in STATE.md and continue.md, and the task that comes next.

package record

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/statemd"
)

// updateState brings STATE.md up to date with the logs and the tree. Missing sections stay missing.
func (c *capture) updateState(ctx context.Context) error {
	if !c.HasState {
		c.addNote("there is no STATE.md to update")
		return nil
	}
	return c.writeFile(ctx, c.StateFile, false, inPlace(func(content string) []model.Span {
		if why := core.WhyUnwritable(content); why != "" {
			c.addNote("%s: it stays as it is; fix it and run this capture again", why)
			return nil
		}
		c.m.Touch(core.PhasesDir, core.RoadmapFile, core.StateFile, core.ResumeFile, core.SummaryDir) // files may have changed before a repeated try
		c.refreshProject()
		c.readUncounted()
		if c.Unlisted != "" {
			c.addNote("%s can't be listed in full: counts in STATE.md stay as they are", c.Unlisted)
		}
		last := c.findNewest()
		c.isNewest = last.File == c.Log
		is := statemd.NewFigures(c.Project, last, !c.Already || c.isNewest)
		is.HasResume = is.HasResume && !c.isTaken
		is.Exists = func(file string) bool { _, exists := c.m.Stat(file); return exists }
		spans := statemd.Spans(statemd.FindDifferences(content, is))
		if newest := c.task.LastLog(); newest.Status == core.Success {
			for _, l := range c.task.Logs {
				b := statemd.BlockerOf(l)
				if gone := statemd.RemoveBlocker(content, b); b != "" && len(gone) > 0 && !c.isBlockerOfOther(b) && !slices.Contains(spans, gone[0]) {
					spans = append(spans, gone...)
				}
			}
		} else if c.task.Skip == nil {
			more, _ := statemd.AddBlocker(content, statemd.BlockerOf(newest))
			spans = append(spans, more...)
		}
		return spans
	}))
}

// isBlockerOfOther reports whether a line of the blockers also belongs to a task of another plan that has the same name and has not
// succeeded since.
func (c *capture) isBlockerOfOther(blocker string) bool {
	var files []string
	for _, file := range c.LogFiles() {
		if n, ok := core.ParseLogName(path.Base(file)); ok && n.Task == c.task.Number {
			files = append(files, file)
		}
	}
	logs, _, _ := c.ReadLogs(files)
	last := map[string]*core.Log{}
	for _, l := range logs {
		if core.PlanKey(l.Plan) != c.plan.Key {
			last[l.Plan] = l
		}
	}
	for _, l := range last {
		if statemd.BlockerOf(l) == blocker && !c.isTaskOver(l) {
			return true
		}
	}
	return false
}

// isTaskOver reports whether the task of a log is over, even if the log is no success.
func (c *capture) isTaskOver(l *core.Log) bool {
	if plan := c.PlanOfLog(l); plan != nil {
		c.ReadTasks(plan)
	}
	t := c.TaskOfLog(l)
	return t != nil && t.IsOver()
}

// putResumeAway renames continue.md once its task has succeeded. A file that names no task, or that was written after the result was logged,
// is about other work and stays.
func (c *capture) putResumeAway(context.Context) error {
	written, exists := c.m.Stat(core.ResumeFile)
	logged, isLogged := c.m.Stat(c.Log)
	if c.Result.Status != core.Success || !exists || isLogged && written.ModTime.After(logged.ModTime) || c.Resume == nil || !c.isResumed(written.ModTime) {
		return nil
	}
	return c.takeResume()
}

// isInterrupted reports whether continue.md is about the task.
func (c *capture) isInterrupted() bool {
	written, exists := c.m.Stat(core.ResumeFile)
	return exists && c.Resume != nil && c.isResumed(written.ModTime)
}

// takeResume renames continue.md.
func (c *capture) takeResume() error {
	to, err := c.setAside(core.ResumeFile, ".done")
	if err != nil {
		return err
	}
	c.isTaken = true
	c.Files = append(c.Files, FileChange{File: path.Join(core.StateDir, to), Made: true, Edits: []model.Edit{}})
	if !c.rep.DryRun {
		c.addNote("the interrupted work goes on: continue.md is now %s", to)
	}
	return nil
}

// isResumed reports whether continue.md names the task, together with its plan or without a plan but meaning this one.
func (c *capture) isResumed(written time.Time) bool {
	for _, text := range []string{c.Resume.Last, c.Resume.Next} {
		named := resumedTask(text)
		if named.task != c.task.Number {
			continue
		}
		if named.plan == "" {
			named.plan = c.interruptedPlan(named, written)
		}
		if named.plan == c.plan.Key {
			return true
		}
	}
	return false
}

// interruptedPlan returns the plan of a task that continue.md names without a plan: the plan for which such a task last reported before the
// file was written, else the only open plan with such a task; "" if it is unknown.
func (c *capture) interruptedPlan(named resumed, written time.Time) (plan string) {
	var files []string
	for _, file := range c.LogFiles() {
		if n, ok := core.ParseLogName(path.Base(file)); ok && n.Task == named.task && file != c.Log {
			files = append(files, file)
		}
	}
	logs, _, _ := c.ReadLogs(files)
	for _, l := range slices.Backward(logs) {
		if l.At <= written.Unix() && named.mayMean(l.Name) {
			return core.PlanKey(l.Plan)
		}
	}
	for _, ph := range c.Phases {
		for _, p := range ph.Plans {
			d := c.PlanDoc(p.File)
			if p.Done || d == nil || !slices.ContainsFunc(d.Tasks, func(t core.TaskDoc) bool { return t.Number == named.task && named.mayMean(t.Name) }) {
				continue
			}
			if plan != "" {
				return ""
			}
			plan = p.Key
		}
	}
	return plan
}

// resumed is the task that a line of continue.md names.
type resumed struct {
	plan, task string // plan "" if none is named
	text       string // from "Task 2: …" on; "" for other forms
}

// mayMean reports whether a task of that number may be meant, by its name.
func (r resumed) mayMean(name string) bool {
	said, its := strings.Join(strings.Fields(r.text), " "), strings.Join(strings.Fields(name), " ")
	rest, ok := strings.CutPrefix(said, its)
	return said == "" || ok && (rest == "" || !startsInWord(rest))
}

// startsInWord reports whether a text begins in the middle of a word.
func startsInWord(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// resumedTask returns the task that a line of continue.md names: "03-01:task-2 …", "Task 2: … (03-01)".
func resumedTask(text string) (r resumed) {
	for word := range strings.FieldsSeq(text) {
		switch k := core.ParseTaskKey(strings.Trim(word, "()[],.;`*")); {
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
			r.task = core.TrimZeros(number)
			return r
		}
	}
	return r
}

// The kinds of [Following].
const (
	nextTaskIs = "next"    // a task can be executed
	planDone   = "done"    // every task is done
	planStuck  = "blocked" // no task can be executed
)

// Following is the next step after a result.
type Following struct {
	Kind    string `json:"kind"`              // next, done or blocked
	Plan    string `json:"plan"`              // ID
	Task    string `json:"task,omitempty"`    // number
	Name    string `json:"name,omitempty"`    // of the task, as PLAN.md has it
	Summary string `json:"summary,omitempty"` // of a plan that is done: the file that is missing
}

// findFollowing returns the next step in the plan. A running task is not handed out twice, and one that failed for good waits for a human.
func (c *capture) findFollowing() Following {
	if !c.rep.DryRun {
		c.m.Touch(c.plan.File, core.SessionFile, c.StateFile)
		c.refreshProject()
	}
	f := Following{Kind: planStuck, Plan: c.Plan}
	var tasks []taskStanding
	open := 0
	for _, t := range c.plan.Tasks {
		status := taskStanding{Wave: t.Wave, Done: t.IsOver(), Blocked: t.Status == core.TaskBlocked || t.IsRunning() || t.IsSpent || t.StuckReason() != ""}
		if last := t.LastLog(); t == c.task && !t.Closed && t.Skip == nil && last != nil { // the result is the newest information about the task
			status.Done = last.Status == core.Success
			status.Blocked = last.Status == core.Blocked || t.IsSpent || t.SpentSince > 0
		}
		switch {
		case status.Done:
		case t.Status == core.TaskBlocked:
			c.addNote("task %s of %s is blocked: retry or skip %s", t.Number, c.Plan, t.GateName())
		case t.IsSpent || t.SpentSince > 0:
			c.addNote("task %s of %s has failed as often as it may: retry or skip %s", t.Number, c.Plan, t.GateName())
		}
		if !status.Done {
			open++
		}
		tasks = append(tasks, status)
	}
	if other, isWave := c.PlanBefore(c.plan); other != nil && open > 0 {
		why := "plan %s depends on %s, which has no summary"
		if isWave {
			why = "plan %s is of a later wave than %s, which has no summary"
		}
		c.addNote(why, c.Plan, other.ID)
		return f
	}
	if i := nextTask(tasks); i >= 0 {
		t := c.plan.Tasks[i]
		f.Kind, f.Task, f.Name = nextTaskIs, t.Number, line.Clean(cmp.Or(t.Name, t.Title))
	} else if open == 0 {
		if f.Kind = planDone; !c.plan.Done {
			f.Summary = c.plan.SummaryFile()
			c.addNote("all tasks of %s are done: write %s", c.Plan, f.Summary)
		}
	}
	return f
}

// taskStanding is the state of a task, as the choice of the next one needs it.
type taskStanding struct {
	Wave          int // tasks of a wave run in parallel, after the earlier waves
	Done, Blocked bool
}

// nextTask returns the first task that is neither done nor blocked and whose earlier waves are done; -1 for none.
func nextTask(tasks []taskStanding) int {
	for i, t := range tasks {
		isFree := !slices.ContainsFunc(tasks, func(o taskStanding) bool { return o.Wave < t.Wave && !o.Done })
		if !t.Done && !t.Blocked && isFree {
			return i
		}
	}
	return -1
}
