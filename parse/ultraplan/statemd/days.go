// The results of days: the daily summaries, and the work on the plans by them and the logs.

package statemd

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
)

// Daily is the summary of a day, logs/summary/daily-2026-01-26.json.
type Daily struct {
	Date         string               `json:"date"`
	Executed     int                  `json:"tasks_executed"`
	Succeeded    int                  `json:"tasks_succeeded"`
	Failed       int                  `json:"tasks_failed"`
	Blocked      int                  `json:"tasks_blocked"`
	Retries      int                  `json:"total_retries"`
	SuccessRate  any                  `json:"success_rate"` // with four decimals; it is only written
	Total        model.Millis         `json:"total_duration_ms"`
	Average      model.Millis         `json:"average_duration_ms"`
	Plans        map[string]DailyPlan `json:"by_plan"` // by ID, as it is written
	Files        int                  `json:"files_modified_count"`
	WithDuration int                  `json:"tasks_with_duration"`
	Logs         []string             `json:"logs,omitempty"`    // the counted logs, oldest first; nil if it names none
	Earlier      map[string]Earlier   `json:"earlier,omitempty"` // by phase; "" is the project

	Fault string `json:"-"` // why it does not count, "" if it does
}

// DailyPlan holds the results of a plan on a day.
type DailyPlan struct {
	Tasks     int          `json:"tasks"`
	Succeeded int          `json:"succeeded"`
	Failed    int          `json:"failed"`
	Blocked   int          `json:"blocked"`
	Took      model.Millis `json:"duration_ms"`
}

// Earlier holds plans and times of a phase or the project that only STATE.md had when a result was captured. Later results are added to them.
type Earlier struct {
	Plans   int          `json:"plans"`   // of earlier milestones
	Took    model.Millis `json:"ms"`      // time that neither a summary nor a log has
	Untimed int          `json:"untimed"` // number of the tree's plans whose time is in Took
}

// AddEarlier adds up earlier plans and times by phase.
func AddEarlier(to, more map[string]Earlier) {
	for phase, e := range more {
		sum := to[phase]
		to[phase] = Earlier{sum.Plans + e.Plans, sum.Took + e.Took, sum.Untimed + e.Untimed}
	}
}

// DailyFile returns the file of the summary of a day.
func DailyFile(date string) string { return core.SummaryDir + "/daily-" + date + ".json" }

// wholeNumber matches a value such as 1.0, which is a count, too.
var wholeNumber = regexp.MustCompile(`(:\s*\d+)\.0+\b`)

// ParseDaily parses the summary of a day. A count that can't be read or is below 0, or the date of another day, makes the whole summary
// invalid. Its logs are counted instead.
func ParseDaily(text, date string) (*Daily, *doc.SyntaxError) {
	d := &Daily{}
	if _, syntax := doc.ParseJSON(text); syntax != nil {
		return &Daily{Date: date, Fault: syntax.Reason}, syntax
	}
	err := json.Unmarshal([]byte(wholeNumber.ReplaceAllString(strings.TrimPrefix(text, doc.ByteOrderMark), "$1")), d)
	counts := []int64{int64(d.Executed), int64(d.Succeeded), int64(d.Failed), int64(d.Blocked), int64(d.Retries), int64(d.Files), int64(d.WithDuration), int64(d.Total), int64(d.Average)}
	for _, p := range d.Plans {
		counts = append(counts, int64(p.Tasks), int64(p.Succeeded), int64(p.Failed), int64(p.Blocked), int64(p.Took))
	}
	var wrong *json.UnmarshalTypeError
	switch isDay := d.Date == "" || d.Date == date; {
	case errors.As(err, &wrong) && wrong.Field != "":
		d.Fault = wrong.Field + " has a value of the wrong type"
	case err != nil || !isDay || strings.TrimSpace(text) == "null":
		d.Fault = "it is no summary of " + date
	case slices.ContainsFunc(counts, func(n int64) bool { return n < 0 || n > 1<<50 }):
		d.Fault = "a count in it is below 0, or too large"
	}
	d.Date = date
	return d, nil
}

// ReadDaily reads the summary of a day, nil without one.
func ReadDaily(p *core.Project, date string) *Daily {
	d, _ := p.Read(DailyFile(date), func(text string) (any, *core.Fault) {
		d, syntax := ParseDaily(text, date)
		if syntax != nil {
			return nil, &core.Fault{Syntax: syntax}
		}
		return d, nil
	})
	daily, _ := d.(*Daily)
	return daily
}

// DailyDates returns the days that have a summary, in order.
func DailyDates(p *core.Project) (dates []string) {
	p.List(core.SummaryDir, func(name string) {
		if date, ok := strings.CutPrefix(strings.TrimSuffix(name, ".json"), "daily-"); ok && DailyFile(date) == core.SummaryDir+"/"+name && core.ParseDate(date) == date && date != "" {
			dates = append(dates, strings.Clone(date))
		}
	})
	slices.Sort(dates)
	return dates
}

// CountTimed returns how many of the results have a duration. For a summary with only the protocol's fields it is derived from the average.
func (d *Daily) CountTimed() int {
	switch {
	case d.WithDuration > 0 || d.Total <= 0:
		return d.WithDuration
	case d.Average > 0:
		return max(1, int((d.Total+d.Average/2)/d.Average))
	}
	return d.Executed
}

// PlanNamed returns the ID of a plan as the summary spells it, "" without one.
func (d *Daily) PlanNamed(key string) string {
	for _, id := range slices.Sorted(maps.Keys(d.Plans)) {
		if core.PlanKey(id) == key {
			return id
		}
	}
	return ""
}

// AddLog counts one more result.
func (d *Daily) AddLog(l *core.Log) {
	if d.Plans == nil {
		d.Plans = map[string]DailyPlan{}
	}
	id := cmp.Or(d.PlanNamed(core.PlanKey(l.Plan)), l.Plan)
	p := d.Plans[id]
	d.Executed, p.Tasks = d.Executed+1, p.Tasks+1
	switch l.Status {
	case core.Success:
		d.Succeeded, p.Succeeded = d.Succeeded+1, p.Succeeded+1
	case core.Failure:
		d.Failed, p.Failed = d.Failed+1, p.Failed+1
	case core.Blocked:
		d.Blocked, p.Blocked = d.Blocked+1, p.Blocked+1
	}
	if l.Attempt > 1 {
		d.Retries++
	}
	d.Files += l.Files
	if took := model.Millis(l.TookMS); l.Timed {
		d.WithDuration, d.Total, p.Took = d.CountTimed()+1, d.Total+took, p.Took+took
		d.Average = (d.Total + model.Millis(d.WithDuration)/2) / model.Millis(d.WithDuration)
	}
	d.Plans[id] = p
}

// CountDay counts a day by its summary, which may be nil, and its logs, each once. If the summary names its logs, the other logs are added.
// If it names none, it counts if its counts are at least those of the logs.
func CountDay(date string, summary *Daily, logs []*core.Log) *Daily {
	all := &Daily{Date: date, Logs: []string{}}
	for _, l := range logs {
		all.AddLog(l)
		all.Logs = append(all.Logs, core.BaseName(l.File))
	}
	switch {
	case summary == nil || summary.Fault != "":
		return all
	case summary.Logs == nil && summary.Executed < all.Executed:
		all.Earlier = summary.Earlier
		return all
	}
	day := *summary
	day.Plans, day.Logs = maps.Clone(summary.Plans), slices.Clone(summary.Logs)
	if summary.Logs != nil {
		for _, l := range logs {
			if !slices.Contains(summary.Logs, core.BaseName(l.File)) {
				day.AddLog(l)
				day.Logs = append(day.Logs, core.BaseName(l.File))
			}
		}
		return &day
	}
	for id, p := range all.Plans { // a summary by the protocol need not name plans, nor be updated after each result
		spelled := cmp.Or(day.PlanNamed(core.PlanKey(id)), id)
		if was := day.Plans[spelled]; was.Tasks < p.Tasks || was.Tasks == p.Tasks && was.Took != p.Took {
			if day.Plans == nil {
				day.Plans = map[string]DailyPlan{}
			}
			day.Plans[spelled] = p
		}
	}
	if all.Total > day.Total {
		day.Total, day.Average, day.WithDuration = all.Total, all.Average, all.WithDuration
	}
	day.Logs = all.Logs
	return &day
}

// CountDays counts the results of all days that have a summary or a log that was read, in order.
func CountDays(p *core.Project) (days []*Daily) {
	dates := DailyDates(p)
	byDay := map[string][]*core.Log{}
	for _, l := range p.Logs {
		byDay[l.Day()] = append(byDay[l.Day()], l)
	}
	dates = slices.AppendSeq(dates, maps.Keys(byDay))
	slices.Sort(dates)
	for _, date := range slices.Compact(dates) {
		days = append(days, CountDay(date, ReadDaily(p, date), byDay[date]))
	}
	return days
}

// PlanWork is the work on a plan, by the daily summaries and its own summary.
type PlanWork struct {
	Plan    *core.Plan
	Took    model.Millis // by its summary, else the sum of its results; 0 if unknown
	Results int          // number of results
	On      string       // the day on which it was finished, or of its last success; "" if unknown
	Place   int          // position of its last success among the results of that day, 0 without one
	// IsPartial says that more time may have been spent, because the duration of some results is unknown.
	IsPartial bool
}

// ListWork returns the work on each plan, in the order of the tree.
func ListWork(p *core.Project, days []*Daily) (all []PlanWork) {
	type result struct {
		DailyPlan
		place int // of the last success among the results of the day, from 1
	}
	results := make([]map[string]result, len(days))
	for i, d := range days {
		results[i] = map[string]result{}
		for _, id := range slices.Backward(slices.Sorted(maps.Keys(d.Plans))) {
			results[i][core.PlanKey(id)] = result{DailyPlan: d.Plans[id]}
		}
		for at, name := range d.Logs {
			if n, ok := core.ParseLogName(name); ok && n.Status == core.Success {
				r := results[i][n.Plan]
				r.place = at + 1
				results[i][n.Plan] = r
			}
		}
	}
	for _, ph := range p.Phases {
		for _, plan := range ph.Plans {
			w := PlanWork{Plan: plan}
			for i, d := range days {
				one := results[i][plan.Key]
				if one.Tasks == 0 || p.Plans[plan.Key] != plan { // logs mean another plan of this number
					continue
				}
				w.Took, w.Results = w.Took+one.Took, w.Results+one.Tasks
				w.IsPartial = w.IsPartial || d.CountTimed() < d.Executed-d.Blocked // results of blocked tasks have no duration
				if one.Succeeded > 0 {
					w.On = d.Date
				}
			}
			if plan.Done {
				s := p.Summary(plan.SummaryFile())
				if took, ok := protocol.ParseDuration(s.Duration); ok && took > 0 {
					w.Took, w.IsPartial = took, false
				}
				w.On = cmp.Or(s.Completed, w.On)
			}
			for i, d := range days {
				if d.Date == w.On {
					w.Place = results[i][plan.Key].place
				}
			}
			all = append(all, w)
		}
	}
	return all
}

// FinishedWork returns the work on the plans that are done, in the order in which they were finished. Plans of an unknown day come first,
// and plans whose order is unknown are in the order of the tree.
func FinishedWork(work []PlanWork) []PlanWork {
	done := slices.DeleteFunc(slices.Clone(work), func(w PlanWork) bool { return !w.Plan.Done })
	slices.SortStableFunc(done, func(a, b PlanWork) int { return cmp.Or(cmp.Compare(a.On, b.On), cmp.Compare(a.Place, b.Place)) })
	return done
}
