package core

import (
	"cmp"
	"slices"

	"gatehouse/parse/doc"
)

// SummaryDates returns the days that have a summary, in order.
func (p *Project) SummaryDates() (dates []string) {
	const before, after = "daily-", ".json"
	p.List(SummaryDir, func(name string) {
		if n := len(name) - len(after); n > len(before) && doc.HasPrefix(name, before) && doc.HasSuffix(name, after) && ParseDate(name[len(before):n]) == name[len(before):n] {
			dates = append(dates, copyOf(name[len(before):n]))
		}
	})
	slices.Sort(dates)
	return dates
}

// CountDays counts the results of all days that have a summary or a log that was read, in order.
func (p *Project) CountDays() (days []*Daily) {
	dates := p.SummaryDates()
	byDay := map[string][]*Log{}
	for _, l := range p.Logs {
		if byDay[l.Day()] == nil {
			dates = append(dates, l.Day())
		}
		byDay[l.Day()] = append(byDay[l.Day()], l)
	}
	slices.Sort(dates)
	for _, date := range slices.Compact(dates) {
		days = append(days, CountDay(date, p.Daily(date), byDay[date]))
	}
	return days
}

// PlanWork is the work on a plan, by the daily summaries and its own summary.
type PlanWork struct {
	Plan    *Plan
	MS      int64  // its duration by its summary, else the sum of its results; 0 if unknown
	Results int    // number of results
	On      string // the day on which it was finished, or of its last success; "" if unknown
	Place   int    // position of its last success among the results of that day, 0 without one
	// IsPartial says that more time may have been spent, because the duration of some results is unknown.
	IsPartial bool
}

// ListWork returns the work on each plan, in the order of the tree.
func (p *Project) ListWork(days []*Daily) (all []PlanWork) {
	plans, places := make([]map[string]*DailyPlan, len(days)), make([]map[string]int, len(days))
	for i, d := range days {
		plans[i] = make(map[string]*DailyPlan, len(d.Plans))
		for k := len(d.Plans) - 1; k >= 0; k-- { // the first entry with a key counts
			plans[i][PlanKey(d.Plans[k].Plan)] = &d.Plans[k]
		}
		places[i] = d.lastPlaces()
	}
	for _, ph := range p.Phases {
		for _, plan := range ph.Plans {
			w := PlanWork{Plan: plan}
			for i, d := range days {
				one := plans[i][plan.Key]
				if one == nil || p.Plans[plan.Key] != plan { // logs mean another plan of this number
					continue
				}
				w.MS, w.Results = w.MS+one.DurationMS, w.Results+one.Tasks
				w.IsPartial = w.IsPartial || d.CountTimed() < d.Executed-d.BlockedN // results of blocked tasks have no duration
				if one.Succeeded > 0 {
					w.On = d.Date
				}
			}
			if plan.Done {
				s := p.Summary(plan.SummaryFile())
				if s.Timed && s.DurationMS > 0 {
					w.MS, w.IsPartial = s.DurationMS, false
				}
				if s.Completed != "" {
					w.On = s.Completed
				}
			}
			for i, d := range days {
				if d.Date == w.On {
					w.Place = places[i][plan.Key]
				}
			}
			all = append(all, w)
		}
	}
	return all
}

// lastPlaces returns for each plan the number of its last success among the results of a day, from 1.
func (d *Daily) lastPlaces() map[string]int {
	places := map[string]int{}
	for i, name := range d.Logs {
		if n, ok := ParseLogName(name); ok && n.Status == Success {
			places[n.Plan] = i + 1
		}
	}
	return places
}

// FinishedWork returns the work on the plans that are done, in the order in which they were finished. Plans of an unknown day come first,
// and plans whose order is unknown are in the order of the tree.
func FinishedWork(work []PlanWork) (done []PlanWork) {
	for _, w := range work {
		if w.Plan.Done {
			done = append(done, w)
		}
	}
	slices.SortStableFunc(done, func(a, b PlanWork) int { return cmp.Or(cmp.Compare(a.On, b.On), cmp.Compare(a.Place, b.Place)) })
	return done
}
