// The changes of a result in STATE.md and continue.md, and the task that comes next.

package record

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/statemd"
)

// updateState brings STATE.md up to date with the logs and the tree. Missing sections stay missing.
func (c *capture) updateState(ctx context.Context) error {
	if !c.HasState {
		c.addNote("there is no STATE.md to update")
		return nil
	}
	return c.writeFile(ctx, c.StateFile, false, inPlace(func(content string) ([]model.Span, error) {
		if why := core.WhyUnwritable(content); why != "" {
			c.addNote("%s: it stays as it is; fix it and run this capture again", why)
			return nil, nil
		}
		c.refreshProject() // files may have changed before a repeated try
		if c.Unlisted != "" {
			c.addNote("%s can't be listed in full: counts in STATE.md stay as they are", c.Unlisted)
		}
		last := c.Logs[len(c.Logs)-1]
		is := statemd.NewFigures(c.Project, last, !c.Already || last.File == c.Log)
		is.HasResume = is.HasResume && !c.isTaken
		is.Exists = func(file string) bool { _, exists := c.m.Stat(file); return exists }
		spans := statemd.Spans(statemd.FindDifferences(content, is))
		if newest := c.task.LastLog(); newest.Status == core.Success {
			spans = append(spans, statemd.RemoveBlockers(content, func(item string) bool {
				isOurs := slices.ContainsFunc(c.task.Logs, func(l *core.Log) bool { return strings.TrimSpace(statemd.BlockerOf(l)) == item })
				return isOurs && !c.isBlockerOfOther(item)
			})...)
		} else if c.task.Skip == nil {
			more, _ := statemd.AddBlocker(content, statemd.BlockerOf(newest))
			spans = append(spans, more...)
		}
		return spans, nil
	}))
}

// isBlockerOfOther reports whether a line of the blockers also belongs to a task of another plan that has the same name and is not over.
func (c *capture) isBlockerOfOther(blocker string) bool {
	for _, ph := range c.Phases {
		for _, p := range ph.Plans {
			for _, t := range p.Tasks {
				if l := t.LastLog(); l != nil && p != c.plan && strings.TrimSpace(statemd.BlockerOf(l)) == blocker && !t.IsOver() {
					return true
				}
			}
		}
	}
	return false
}

// putResumeAway renames continue.md once its task has succeeded. A file that names no task, or that was written after the result was logged,
// is about other work and stays.
func (c *capture) putResumeAway(context.Context) error {
	written, _ := c.m.Stat(core.ResumeFile)
	logged, isLogged := c.m.Stat(c.Log)
	if c.Result.Status != core.Success || isLogged && written.ModTime.After(logged.ModTime) || !c.isInterrupted() {
		return nil
	}
	return c.takeResume()
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

// isInterrupted reports whether continue.md is about the task: it names the number of the task, and its plan; without a plan, it is about
// the one that runs or comes next.
func (c *capture) isInterrupted() bool {
	if _, exists := c.m.Stat(core.ResumeFile); !exists || c.Resume == nil {
		return false
	}
	at := c.FindPosition()
	for _, text := range []string{c.Resume.Last, c.Resume.Next} {
		plan, task := core.PlanKey(core.FindPlan(text)), resumedTask(text)
		isHere := plan == c.plan.Key || plan == "" && (at.Running == c.plan || at.Running == nil && at.Next == c.plan)
		if isHere && task == c.task.Number {
			return true
		}
	}
	return false
}

// resumedTask returns the number of the task that a line of continue.md names: "03-01:task-2 …", "Task 2: …", "task 2"; "" for none.
func resumedTask(text string) string {
	for word := range strings.FieldsSeq(text) {
		if k := core.ParseTaskKey(strings.Trim(word, "()[],.;`*")); k.Plan != "" && k.Task != "" {
			return k.Task
		}
	}
	for _, word := range []string{"Task ", "task "} {
		_, rest, _ := strings.Cut(text, word)
		if number := core.LeadingNumber(rest); number != "" {
			return core.TrimZeros(number)
		}
	}
	return ""
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
	c.refreshProject()
	f := Following{Kind: planStuck, Plan: c.Plan}
	var next *core.Task // the first that is neither done nor blocked
	open := 0
	for _, t := range c.plan.Tasks {
		isDone, isBlocked := t.IsOver(), t.Status == core.TaskBlocked || t.IsRunning() || t.IsSpent || t.Stuck != ""
		if last := t.LastLog(); t == c.task && !t.Closed && t.Skip == nil && last != nil { // the result is the newest information about the task
			isDone = last.Status == core.Success
			isBlocked = last.Status == core.Blocked || t.IsSpent || t.SpentSince > 0
		}
		if isDone {
			continue
		}
		open++
		if next == nil && !isBlocked {
			next = t
		}
		if t.Status == core.TaskBlocked {
			c.addNote("task %s of %s is blocked: retry or skip %s", t.Number, c.Plan, t.GateName())
		} else if t.IsSpent || t.SpentSince > 0 {
			c.addNote("task %s of %s has failed as often as it may: retry or skip %s", t.Number, c.Plan, t.GateName())
		}
	}
	if other, isWave := c.PlanBefore(c.plan); other != nil && open > 0 {
		why := "plan %s depends on %s, which has no summary"
		if isWave {
			why = "plan %s is of a later wave than %s, which has no summary"
		}
		c.addNote(why, c.Plan, other.ID)
		return f
	}
	if next != nil {
		f.Kind, f.Task, f.Name = nextTaskIs, next.Number, line.Clean(cmp.Or(next.Name, next.Title))
	} else if open == 0 {
		if f.Kind = planDone; !c.plan.Done {
			f.Summary = c.plan.SummaryFile()
			c.addNote("all tasks of %s are done: write %s", c.Plan, f.Summary)
		}
	}
	return f
}
