package ultraplan

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/statemd"
)

const (
	// maxActivity limits the items of the timeline; older ones are in the logs.
	maxActivity = 1000
	// maxWarnings limits the warnings of a result that are shown.
	maxWarnings = 10
)

// addActivity adds the timeline and the metrics.
func (c *builder) addActivity() {
	attempts := make([]model.Attempt, 0, len(c.Logs))
	for _, l := range c.Logs {
		a := model.Attempt{At: unixTime(l.At), Outcome: l.Status, Number: l.Attempt, Took: model.Millis(l.TookMS), Timed: l.Timed, Files: l.Files}
		if plan := c.PlanOfLog(l); plan != nil {
			a.Phase, a.Plan = phaseID(plan.Phase), planID(plan)
		}
		if t := c.TaskOfLog(l); t != nil {
			a.Task = taskID(t)
		}
		attempts = append(attempts, a)
		c.Build.Activity = append(c.Build.Activity, resultItem(l, &a))
	}
	c.Build.Activity = model.MergeActivities(c.Build.Activity)
	c.Build.Activity = c.Build.Activity[max(0, len(c.Build.Activity)-maxActivity):]
	if len(attempts) > 0 || len(c.finished) > 0 {
		var finished []model.Finish // in the order in which they were finished
		for _, w := range c.finished {
			finished = append(finished, model.Finish{Plan: planID(w.Plan), On: w.On, Took: w.Took, Timed: w.Took > 0})
		}
		c.Build.Measured = model.NewMetrics(attempts, finished, c.now.Location())
	}
}

// resultItem is a result in the timeline.
func resultItem(l *core.Log, a *model.Attempt) model.Activity {
	text := resultText(l)
	if a.Task == "" { // otherwise the row shows the name
		text += ": " + l.Name
	} else if l.Error != "" {
		text += ": " + core.FirstLine(l.Error)
	}
	item := model.Activity{
		At: a.At, Family: model.FamilyResults, Kind: line.Tidy(l.Status), Status: outcomeStatus[l.Status], Node: cmp.Or(a.Task, a.Plan),
		Text: line.Tidy(text), Source: model.Pos{File: l.File},
	}
	facts := []model.Fact{{Label: "plan", Value: l.Plan}, {Label: "error", Value: l.Error}, {Label: "verification", Value: l.Output}}
	for _, w := range l.Warnings[:min(len(l.Warnings), maxWarnings)] {
		facts = append(facts, model.Fact{Label: "to review", Value: w})
	}
	for _, f := range facts {
		if f.Value = line.Tidy(f.Value); f.Value != "" {
			item.Details = append(item.Details, f)
		}
	}
	return item
}

// resultText says how an attempt ended: "failure, attempt 2, 45 s".
func resultText(l *core.Log) string {
	text := l.Status
	if l.Attempt > 1 {
		text += fmt.Sprintf(", attempt %d", l.Attempt)
	}
	if l.Timed {
		text += ", " + duration(model.Millis(l.TookMS))
	}
	return text
}

var outcomeStatus = map[string]model.Status{core.Success: model.Done, core.Failure: model.Failed, core.Blocked: model.Blocked}

// duration formats a duration: "340 ms", "45 s", "2m 5s", "1h 20m".
func duration(d model.Millis) string {
	switch s := (d + 500) / 1000; {
	case d < 1000:
		return fmt.Sprintf("%d ms", d)
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 3600:
		return fmt.Sprintf("%dm %ds", s/60, s%60)
	default:
		return fmt.Sprintf("%dh %dm", s/3600, s/60%60)
	}
}

// addHistory lists the plans that are done, with the times of their summaries or, without these, of their logs.
func (c *builder) addHistory() {
	logged := map[string]protocol.Worked{}
	for _, l := range c.Logs {
		key, at := core.PlanKey(l.Plan), unixTime(l.At)
		w := logged[key]
		if began := at.Add(-model.Millis(l.TookMS).Duration()); w.Began.IsZero() || began.Before(w.Began) {
			w.Began = began
		}
		if l.Status == core.Success && at.After(w.Ended) {
			w.Ended = at
		}
		logged[key] = w
	}
	h := &model.History{}
	for _, ph := range c.Phases {
		if len(ph.Plans) == 0 && !ph.IsSkipped() {
			h.Unplanned++
		}
		for _, plan := range ph.Plans {
			i := slices.IndexFunc(c.finished, func(w statemd.PlanWork) bool { return w.Plan == plan })
			if i < 0 {
				continue
			}
			f, w := c.finished[i], c.src.workTimes(plan.SummaryFile())
			if l := logged[plan.Key]; w.Ended.IsZero() || w.DayOnly && l.Ended.UTC().Format(time.DateOnly) == w.Ended.Format(time.DateOnly) {
				w.Began, w.Ended, w.DayOnly = l.Began, l.Ended, false
			}
			if w.Ended.IsZero() && f.On != "" {
				w.Ended, w.DayOnly = protocol.ParseTime(f.On), true
			}
			h.Pieces = append(h.Pieces, w.Plan(planID(plan), phaseID(ph), f.Took))
		}
	}
	if len(h.Pieces) > 0 {
		c.Build.History = h
	}
}
