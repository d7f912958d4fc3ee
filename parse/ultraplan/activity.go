// The timeline of a build and its numbers, from its logs.

package ultraplan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/protocol"
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
	finished := c.Finished()
	if len(attempts) > 0 || len(finished) > 0 || len(c.Days) > 0 {
		c.Build.Measured = model.NewMetrics(attempts, finished, c.now.Location())
		c.counted()
	}
	c.Build.Metrics, c.Build.Notes = c.State.Metrics, append(c.sessionNote(), c.State.Notes...)
}

// sessionNote says which session is at work, since when, and how much it has done; none where no file has one.
func (c *builder) sessionNote() []model.Fact {
	if c.Session == nil || strings.TrimSpace(c.Session.ID) == "" {
		return nil
	}
	said := []string{facts.Shorten(c.Session.ID)}
	if at := protocol.ParseTime(c.Session.Started); !at.IsZero() {
		said = append(said, "since "+at.In(c.now.Location()).Format("2006-01-02 15:04"))
	}
	if n := len(c.Session.Tasks); n > 0 {
		said = append(said, protocol.Count(n, "task"))
	}
	return []model.Fact{{Label: "session", Value: line.Tidy(strings.Join(said, ", "))}}
}

// counted adds what the summaries of days say beyond the logs that are still there.
func (c *builder) counted() {
	m := c.Build.Measured
	logged := map[string]*model.Tally{} // by the days that the logs lie under
	for _, l := range c.Logs {
		date := facts.LogDay(l)
		if logged[date] == nil {
			logged[date] = &model.Tally{}
		}
		logged[date].Add(&model.Attempt{Outcome: l.Status, Number: l.Attempt, Files: l.Files})
	}
	for _, d := range c.Days {
		l := cmp.Or(logged[d.Date], &model.Tally{})
		more := model.Tally{
			Executed: max(0, d.TasksExecuted-l.Executed), Succeeded: max(0, d.TasksSucceeded-l.Succeeded), Failed: max(0, d.TasksFailed-l.Failed),
			Blocked: max(0, d.TasksBlocked-l.Blocked), Retries: max(0, d.TotalRetries-l.Retries), Files: max(0, d.FilesModified-l.Files),
		}
		if more == (model.Tally{}) {
			continue
		}
		i, there := slices.BinarySearchFunc(m.Days, d.Date, func(day model.Day, date string) int { return cmp.Compare(day.Date, date) })
		if !there {
			m.Days = slices.Insert(m.Days, i, model.Day{Date: d.Date})
		}
		for _, t := range []*model.Tally{&m.All, &m.Days[i].Tally} {
			t.Executed += more.Executed
			t.Succeeded += more.Succeeded
			t.Failed += more.Failed
			t.Blocked += more.Blocked
			t.Retries += more.Retries
			t.Files += more.Files
		}
	}
}

// resultItem is a result in the timeline.
func (c *builder) resultItem(l *facts.Log, a *model.Attempt) model.Activity {
	item := model.Activity{
		At: l.At, Family: model.FamilyResults, Kind: line.Tidy(l.Status), Status: facts.OutcomeStatus(l.Status), Node: cmp.Or(a.Task, a.Plan),
		Text: resultText(l), Source: model.Pos{File: l.File},
	}
	// The row that it is about has the name.
	if a.Task == "" {
		item.Text += ": " + l.Name
	} else if l.Error != "" {
		item.Text += ": " + facts.FirstLine(l.Error)
	}
	item.Text = line.Tidy(item.Text)
	add := func(label, value string) {
		if value = line.Tidy(value); value != "" {
			item.Details = append(item.Details, model.Fact{Label: label, Value: value})
		}
	}
	add("plan", l.Plan)
	add("error", l.Error)
	add("verification", l.Output)
	for _, w := range l.Warnings {
		add("to review", w)
	}
	if l.Files > 0 {
		add("files", protocol.Count(l.Files, "file"))
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
