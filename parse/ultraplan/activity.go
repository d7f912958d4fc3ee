package ultraplan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
)

// maxActivity limits the items of the timeline; older ones are in the logs.
const maxActivity = 1000

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
	c.addEvents(core.StateDir+"/events.jsonl", model.FamilySession)
	c.addEvents(core.LogsDir+"/retry.jsonl", model.FamilyRetries)
	c.Build.Activity = model.MergeActivities(c.Build.Activity)
	c.Build.Activity = c.Build.Activity[max(0, len(c.Build.Activity)-maxActivity):]
	if len(attempts) > 0 || len(c.finished) > 0 || len(c.days) > 0 {
		c.Build.Measured = model.NewMetrics(attempts, c.finishes(), c.now.Location())
		c.addDays()
	}
	for _, f := range c.State.Metrics {
		c.Build.Metrics = append(c.Build.Metrics, model.Fact(f))
	}
	c.Build.Notes = c.sessionNote()
	for _, f := range c.State.Notes {
		c.Build.Notes = append(c.Build.Notes, model.Fact(f))
	}
}

// finishes returns the plans that are done, in the order in which they were finished.
func (c *builder) finishes() (all []model.Finish) {
	for _, w := range c.finished {
		all = append(all, model.Finish{Plan: planID(w.Plan), On: w.On, Took: model.Millis(w.MS), Timed: w.MS > 0})
	}
	return all
}

// sessionNote describes the current session.
func (c *builder) sessionNote() []model.Fact {
	if c.Session == nil || strings.TrimSpace(c.Session.ID) == "" {
		return nil
	}
	parts := []string{core.ShortenText(c.Session.ID)}
	if at := protocol.ParseTime(c.Session.Started); !at.IsZero() {
		parts = append(parts, "since "+at.In(c.now.Location()).Format("2006-01-02 15:04"))
	}
	if n := len(c.Session.Tasks); n > 0 {
		parts = append(parts, protocol.Count(n, "task"))
	}
	return []model.Fact{{Label: "session", Value: line.Tidy(strings.Join(parts, ", "))}}
}

// addDays adds what the summaries of days count beyond the logs that are still there.
func (c *builder) addDays() {
	m := c.Build.Measured
	logged := map[string]*model.Tally{}
	for _, l := range c.Logs {
		if logged[l.Day()] == nil {
			logged[l.Day()] = &model.Tally{}
		}
		logged[l.Day()].Add(&model.Attempt{Outcome: l.Status, Number: l.Attempt, Files: l.Files})
	}
	for _, d := range c.days {
		l := cmp.Or(logged[d.Date], &model.Tally{})
		more := model.Tally{
			Executed: max(0, d.Executed-l.Executed), Succeeded: max(0, d.Succeeded-l.Succeeded), Failed: max(0, d.Failed-l.Failed),
			Blocked: max(0, d.BlockedN-l.Blocked), Retries: max(0, d.Retries-l.Retries), Files: max(0, d.Files-l.Files),
		}
		if more == (model.Tally{}) {
			continue
		}
		i, exists := slices.BinarySearchFunc(m.Days, d.Date, func(day model.Day, date string) int { return cmp.Compare(day.Date, date) })
		if !exists {
			m.Days = slices.Insert(m.Days, i, model.Day{Date: d.Date})
		}
		for _, t := range []*model.Tally{&m.All, &m.Days[i].Tally} {
			t.Executed, t.Succeeded, t.Failed = t.Executed+more.Executed, t.Succeeded+more.Succeeded, t.Failed+more.Failed
			t.Blocked, t.Retries, t.Files = t.Blocked+more.Blocked, t.Retries+more.Retries, t.Files+more.Files
		}
	}
}

// details collects labeled values of an item of the timeline.
type details []model.Fact

func (d *details) add(label, value string) {
	const maxDetails = 12
	if value = line.Tidy(value); value != "" && len(*d) < maxDetails {
		*d = append(*d, model.Fact{Label: label, Value: value})
	}
}

// resultItem is a result in the timeline.
func resultItem(l *core.Log, a *model.Attempt) model.Activity {
	item := model.Activity{At: a.At, Family: model.FamilyResults, Kind: line.Tidy(l.Status), Status: outcomeStatus[l.Status], Node: cmp.Or(a.Task, a.Plan), Text: resultText(l), Source: model.Pos{File: l.File}}
	if a.Task == "" { // otherwise the row shows the name
		item.Text += ": " + l.Name
	} else if l.Error != "" {
		item.Text += ": " + core.FirstLine(l.Error)
	}
	item.Text = line.Tidy(item.Text)
	var d details
	d.add("plan", l.Plan)
	d.add("error", l.Error)
	d.add("verification", l.Output)
	for _, w := range l.Warnings {
		d.add("to review", w)
	}
	if l.Files > 0 {
		d.add("files", protocol.Count(l.Files, "file"))
	}
	item.Details = d
	return item
}

var outcomeStatus = map[string]model.Status{core.Success: model.Done, core.Failure: model.Failed, core.Blocked: model.Blocked}

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

// addEvents adds the events of a file to the timeline.
func (c *builder) addEvents(file string, family model.Family) {
	all, _ := c.src.Read(file, func(text string) (any, *core.Fault) {
		list, problem := core.ParseEvents(text)
		if problem != nil {
			return list, &core.Fault{Text: problem.Text, Line: problem.Line, IsMinor: true}
		}
		return list, nil
	})
	list, _ := all.([]core.Event)
	for _, e := range list {
		item := model.Activity{At: protocol.ParseTime(e.At), Family: family, Kind: line.Tidy(e.Kind), Text: line.Tidy(e.Kind), Source: model.Pos{File: file, Line: e.Line}}
		if t := c.TaskWith(core.ParseTaskKey(e.Task)); t != nil {
			item.Node, item.Text = taskID(t), line.Tidy(item.Kind+": "+t.Name)
		}
		var d details
		d.add("from", e.Source)
		d.add("status", e.Status)
		d.add("error", core.ShortenText(e.Error))
		d.add("reason", core.ShortenText(e.Reason))
		for _, f := range e.Payload {
			d.add(line.Tidy(f.Label), core.ShortenText(f.Value))
		}
		item.Details = d
		c.Build.Activity = append(c.Build.Activity, item)
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
			i := slices.IndexFunc(c.finished, func(w core.PlanWork) bool { return w.Plan == plan })
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
			h.Pieces = append(h.Pieces, w.Plan(planID(plan), phaseID(ph), model.Millis(f.MS)))
		}
	}
	if len(h.Pieces) > 0 {
		c.Build.History = h
	}
}
