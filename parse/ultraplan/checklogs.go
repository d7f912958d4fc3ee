// The strict side of what stands below .ultraplan: logs, results that were refused, summaries of days, the session.

package ultraplan

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/ultraplan/facts"
)

// rejected lists the results that were refused, until their task has reported in earnest.
func (k *checker) rejected() {
	for _, r := range k.c.Rejected() {
		if !r.Answered {
			k.Report(model.Pos{File: r.File}, model.Warning, "ultraplan-rejected", "a result of plan "+r.Plan+" was refused: "+strings.Join(r.Reasons, "; "), "have the task executed again; nothing of the result counts")
		}
	}
}

// logs checks the logs of results and the summaries of days.
func (k *checker) logs() {
	for _, l := range k.c.Logs {
		at := model.Pos{File: l.File}
		if _, _, ok := facts.SplitLogName(path.Base(l.File)); !ok {
			k.Report(at, model.Warning, "ultraplan-log-name", "the name of the log is not {plan}-task-{NN}-{status}.yaml", "rename it")
		}
		if k.c.Tasks[facts.TaskKey{Plan: facts.PlanKey(l.Plan), Task: l.Task}] == nil {
			k.Report(at, model.Warning, "ultraplan-log", fmt.Sprintf("the tree has no task %s of plan %s", l.Task, l.Plan), "it is counted for the project alone")
		}
	}
	for _, l := range k.c.Logs {
		if day := facts.LogDay(l); day != l.At.Format(time.DateOnly) && day != l.At.UTC().Format(time.DateOnly) {
			k.Report(model.Pos{File: l.File}, model.Warning, "ultraplan-log-day", "it was logged on "+l.At.Format(time.DateOnly)+", and lies in "+day, "move it; it counts for the day that it lies in")
		}
	}
	k.unticked()
	k.retries()
	for _, d := range k.c.Summaries {
		var logs []*facts.Log
		if d.Logs != nil {
			logs = k.c.NamedLogs(d)
		}
		for _, wrong := range d.Sums(logs) {
			k.Report(model.Pos{File: facts.SummaryOf(d.Date)}, model.Warning, "ultraplan-daily", wrong, "take the file away: the next capture counts the logs of its day anew")
		}
	}
}

// unticked reports the boxes of open plans whose task has succeeded by its log.
func (k *checker) unticked() {
	for _, p := range k.c.Phases {
		for _, s := range p.Plans {
			for _, t := range s.Tasks {
				l := t.Last()
				if s.Done || l == nil || l.Status != model.OutcomeSuccess {
					continue
				}
				if b := s.Doc.Box(t.PlanTask); b != nil && !b.Checked {
					k.Report(model.Pos{File: s.File, Line: b.Line, Col: 1}, model.Warning, "ultraplan-criteria", "the box of task "+t.Number+" is open, and it has succeeded by "+path.Base(l.File), "check it off")
				}
			}
		}
	}
}

// retries reports what retry-state.json counts for plans that are not there.
func (k *checker) retries() {
	if k.c.Retries == nil {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(k.c.Retries.Tasks)) {
		if plan := facts.ParseTaskKey(id).Plan; plan == "" || k.c.Plans[plan] == nil {
			k.Report(model.Pos{File: facts.StateDir + "/retry-state.json"}, model.Warning, "ultraplan-retries", "it counts the retries of “"+id+"”, and there is no such plan", "take the entry out")
		}
	}
}

// sessionWords are what a task of a session can be.
var sessionWords = []string{model.OutcomeSuccess, model.OutcomeFailure, model.OutcomeBlocked, "in_progress"}

// session checks the tasks of the current session against the plans and the logs of its own results.
func (k *checker) session() {
	s := k.c.Session
	if s == nil {
		return
	}
	if s.Plan != "" && k.c.Plans[facts.PlanKey(s.Plan)] == nil {
		k.Report(model.Pos{File: facts.SessionFile}, model.Warning, "ultraplan-session", "plan_id is “"+s.Plan+"”, and there is no such plan", "name a plan by its number, 03-01")
	}
	for i := range s.Tasks {
		one := &s.Tasks[i]
		report := func(text, fix string) {
			k.Report(model.Pos{File: facts.SessionFile}, model.Warning, "ultraplan-session", text, fix)
		}
		if one.Name == "" {
			report(fmt.Sprintf("entry %d of its tasks has no task_name", i+1), "take it out")
			continue
		}
		if !slices.Contains(sessionWords, one.Status) {
			report("“"+one.Name+"” is “"+one.Status+"”", "write one of "+strings.Join(sessionWords, ", "))
		}
		plan := facts.PlanKey(cmp.Or(one.Plan, s.Plan))
		t := k.c.Named(plan, one.Name)
		switch {
		case k.c.Plans[plan] == nil: // it was renamed, or is gone
		case t == nil:
			report("plan "+k.c.Plans[plan].ID+" has no task “"+one.Name+"”", "write the name as PLAN.md has it")
		default:
			if l := t.LastIn(s.ID); l != nil && one.Status != "in_progress" && slices.Contains(sessionWords, one.Status) && l.Status != one.Status {
				report("“"+one.Name+"” is “"+one.Status+"”, and its last log in this session says "+l.Status, "the log counts; write what it says")
			}
		}
	}
}
