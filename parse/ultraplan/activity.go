// The timeline of a build and its numbers, from its logs.

package ultraplan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/reader"
	"gatehouse/parse/ultraplan/facts"
)

// maxActivity is how many items the timeline has: what is older is in the logs.
const maxActivity = 1000

// timeline makes the timeline and the numbers.
func (c *builder) timeline() {
	attempts := make([]model.Attempt, 0, len(c.Logs))
	for _, l := range c.Logs {
		a := model.Attempt{At: l.At, Outcome: l.Status, Number: l.Attempt, Took: l.Took, Timed: l.Timed, Files: l.Files}
		if s := c.Plans[facts.PlanKey(l.Plan)]; s != nil {
			a.Phase, a.Plan = s.Phase.ID, s.Node
		}
		if t := c.Tasks[facts.TaskKey{Plan: facts.PlanKey(l.Plan), Task: l.Task}]; t != nil {
			a.Task = t.Node
		}
		attempts = append(attempts, a)
		c.Build.Activity = append(c.Build.Activity, c.resultItem(l, &a))
	}
	for _, f := range c.Events {
		for i := range f.List {
			c.Build.Activity = append(c.Build.Activity, c.eventItem(&f, &f.List[i]))
		}
	}
	c.Build.Activity = model.MergeActivities(c.Build.Activity)
	c.Build.Activity = c.Build.Activity[max(0, len(c.Build.Activity)-maxActivity):]
	finished := c.finished()
	if len(attempts) > 0 || len(finished) > 0 || len(c.Days) > 0 {
		c.Build.Measured = model.NewMetrics(attempts, finished, c.now.Location())
		c.rotated()
	}
	c.Build.Metrics = c.State.Metrics
}

// finished returns the plans that are done, the first one first: by the days that summaries and logs name, and where not
// all of them do, in the order of the tree, in which they are worked off.
func (c *builder) finished() []model.Finish {
	took, last := map[string]model.Spread{}, map[string]time.Time{}
	for _, l := range c.Logs {
		k := facts.PlanKey(l.Plan)
		if l.Timed {
			s := took[k]
			s.Add(l.Took)
			took[k] = s
		}
		if l.Status == model.OutcomeSuccess {
			last[k] = l.At
		}
	}
	var all []model.Finish
	dated := true
	for _, p := range c.Phases {
		for _, s := range p.Plans {
			if !s.Done {
				continue
			}
			f := model.Finish{Plan: s.Node, On: s.Summary.Completed, Took: s.Summary.Duration, Timed: s.Summary.Timed}
			if at := last[s.Key]; f.On == "" && !at.IsZero() {
				f.On = at.In(c.now.Location()).Format(time.DateOnly)
			}
			if logged := took[s.Key]; !f.Timed && logged.Known > 0 {
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
func (c *builder) rotated() {
	m := c.Build.Measured
	logged := map[string]bool{}
	for _, d := range m.Days {
		logged[d.Date] = d.Executed > 0
	}
	for _, d := range c.Days {
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
func (c *builder) resultItem(l *facts.Log, a *model.Attempt) model.Activity {
	item := model.Activity{
		At: l.At, Family: model.FamilyResults, Kind: line.Tidy(l.Status), Status: facts.OutcomeStatus(l.Status), Node: cmp.Or(a.Task, a.Plan),
		Text: line.Tidy(l.Name + ": " + resultText(l)), Source: model.Pos{File: l.File},
	}
	add := func(label, value string) {
		if value = line.Tidy(value); value != "" {
			item.Details = append(item.Details, model.Fact{Label: label, Value: value})
		}
	}
	add("plan", l.Plan)
	add("error", l.Error)
	add("verification", l.Output)
	if l.Files > 0 {
		add("files", reader.Counted(l.Files, "file"))
	}
	return item
}

// resultText says how an attempt ended: "failure, attempt 2, 45 s".
func resultText(l *facts.Log) string {
	text := l.Status
	if l.Attempt > 1 {
		text += fmt.Sprintf(", attempt %d", l.Attempt)
	}
	if l.Timed {
		text += ", " + duration(l.Took)
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
func (c *builder) eventItem(f *facts.EventFile, e *facts.Event) model.Activity {
	item := model.Activity{At: e.When(), Family: f.Family, Kind: line.Tidy(cmp.Or(e.Type, e.Event)), Source: model.Pos{File: f.File, Line: e.Line}}
	item.Text = item.Kind
	if t := c.Tasks[facts.ParseTaskKey(e.Task)]; t != nil {
		item.Node, item.Text = t.Node, line.Tidy(item.Kind+": "+t.Name)
	}
	add := func(label, value string) {
		if value = line.Tidy(facts.Shorten(value)); value != "" && len(item.Details) < maxDetails {
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
			add(line.Tidy(name), v)
		case float64, bool:
			add(line.Tidy(name), fmt.Sprint(v))
		}
	}
	return item
}

// maxDetails is how many details of an event are kept.
const maxDetails = 12
