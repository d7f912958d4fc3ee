// The timeline of a build and its numbers, from its logs.

package ultraplan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"gatehouse/model"
)

// maxActivity is how many items the timeline has: what is older is in the logs.
const maxActivity = 1000

// record makes the timeline and the numbers.
func (c *collector) record() {
	attempts := make([]model.Attempt, 0, len(c.logs))
	for _, l := range c.logs {
		a := model.Attempt{At: l.at, Outcome: l.status, Number: l.attempt, Took: l.took, Timed: l.timed, Files: l.files}
		if s := c.plans[planKey(l.plan)]; s != nil {
			a.Phase, a.Plan = s.phase.id, s.node
		}
		if t := c.tasks[key{planKey(l.plan), l.task}]; t != nil {
			a.Task = t.node
		}
		attempts = append(attempts, a)
		c.b.Activity = append(c.b.Activity, c.resultItem(l, &a))
	}
	for _, f := range c.events {
		for i := range f.list {
			c.b.Activity = append(c.b.Activity, c.eventItem(&f, &f.list[i]))
		}
	}
	c.b.Activity = model.MergeActivities(c.b.Activity)
	c.b.Activity = c.b.Activity[max(0, len(c.b.Activity)-maxActivity):]
	finished := c.finished()
	if len(attempts) > 0 || len(finished) > 0 || len(c.days) > 0 {
		c.b.Measured = model.NewMetrics(attempts, finished, c.now.Location())
		c.rotated()
	}
	c.b.Metrics = c.state.metrics
}

// finished returns the plans that are done, the first one first: by the days that summaries and logs name, and where not
// all of them do, in the order of the tree, in which they are worked off.
func (c *collector) finished() []model.Finish {
	took, last := map[string]model.Spread{}, map[string]time.Time{}
	for _, l := range c.logs {
		k := planKey(l.plan)
		if l.timed {
			s := took[k]
			s.Add(l.took)
			took[k] = s
		}
		if l.status == model.OutcomeSuccess {
			last[k] = l.at
		}
	}
	var all []model.Finish
	dated := true
	for _, p := range c.phases {
		for _, s := range p.plans {
			if !s.Done {
				continue
			}
			f := model.Finish{Plan: s.node, On: s.summary.completed, Took: s.summary.duration, Timed: s.summary.timed}
			if at := last[s.key]; f.On == "" && !at.IsZero() {
				f.On = at.In(c.now.Location()).Format(time.DateOnly)
			}
			if logged := took[s.key]; !f.Timed && logged.Known > 0 {
				f.Took, f.Timed = logged.Total, true
			}
			dated = dated && f.On != ""
			all = append(all, f)
		}
	}
	if dated {
		slices.SortStableFunc(all, func(a, b model.Finish) int { return cmp.Compare(a.On, b.On) })
	}
	return all
}

// rotated adds the days whose logs are gone and whose summaries are kept.
func (c *collector) rotated() {
	m := c.b.Measured
	logged := map[string]bool{}
	for _, d := range m.Days {
		logged[d.Date] = d.Executed > 0
	}
	for _, d := range c.days {
		if d.Date == "" || logged[d.Date] {
			continue
		}
		one := model.Day{Date: d.Date, Tally: model.Tally{
			Executed: d.TasksExecuted, Succeeded: d.TasksSucceeded, Failed: d.TasksFailed, Blocked: d.TasksBlocked, Retries: d.TotalRetries, Files: d.FilesModified,
		}}
		i, there := slices.BinarySearchFunc(m.Days, d.Date, func(day model.Day, date string) int { return cmp.Compare(day.Date, date) })
		if there {
			one.Plans = m.Days[i].Plans
			m.Days[i] = one
		} else {
			m.Days = slices.Insert(m.Days, i, one)
		}
	}
}

// resultItem is a result in the timeline.
func (c *collector) resultItem(l *logEntry, a *model.Attempt) model.Activity {
	item := model.Activity{
		At: l.at, Family: model.FamilyResults, Kind: clean(l.status), Status: outcomeStatus(l.status), Node: cmp.Or(a.Task, a.Plan),
		Text: clean(l.name + ": " + resultText(l)), Source: model.Pos{File: l.file},
	}
	add := func(label, value string) {
		if value = clean(value); value != "" {
			item.Details = append(item.Details, model.Fact{Label: label, Value: value})
		}
	}
	add("plan", l.plan)
	add("error", l.err)
	add("verification", l.output)
	if l.files > 0 {
		add("files", number(l.files, "file"))
	}
	return item
}

// resultText says how an attempt ended: "failure, attempt 2, 45 s".
func resultText(l *logEntry) string {
	text := l.status
	if l.attempt > 1 {
		text += fmt.Sprintf(", attempt %d", l.attempt)
	}
	if l.timed {
		text += ", " + duration(l.took)
	}
	return text
}

// duration writes how long something took: "340 ms", "45 s", "2m 5s", "1h 20m".
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

// eventItem is an event in the timeline.
func (c *collector) eventItem(f *eventFile, e *event) model.Activity {
	item := model.Activity{At: e.when(), Family: f.family, Kind: clean(cmp.Or(e.Type, e.Event)), Source: model.Pos{File: f.file, Line: e.line}}
	item.Text = item.Kind
	if t := c.tasks[parseKey(e.Task)]; t != nil {
		item.Node, item.Text = t.node, clean(item.Kind+": "+t.name)
	}
	add := func(label, value string) {
		if value = clean(short(value)); value != "" && len(item.Details) < maxDetails {
			item.Details = append(item.Details, model.Fact{Label: label, Value: value})
		}
	}
	add("from", e.Source)
	add("status", e.Status)
	add("error", e.Error)
	add("reason", e.Reason)
	for _, name := range slices.Sorted(maps.Keys(e.Payload)) {
		switch v := e.Payload[name].(type) {
		case string:
			add(clean(name), v)
		case float64, bool:
			add(clean(name), fmt.Sprint(v))
		}
	}
	return item
}

// maxDetails is how many details of an event are kept.
const maxDetails = 12
