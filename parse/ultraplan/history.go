// What of a project was done when: its plans, by what their summaries say, else by their logs.

package ultraplan

import (
	"time"

	"gatehouse/model"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/facts"
)

// history lists the plans that are done.
func (c *builder) history() {
	logged := c.loggedTimes()
	h := &model.History{}
	done := c.Finished() // in another order
	finish := make(map[string]*model.Finish, len(done))
	for i := range done {
		finish[done[i].Plan] = &done[i]
	}
	for _, p := range c.Phases {
		if len(p.Plans) == 0 && !p.Status.Closed() {
			h.Unplanned++
		}
		for _, s := range p.Plans {
			f := finish[s.Node]
			if f == nil {
				continue
			}
			w := protocol.Worked{}
			if s.Summary != nil {
				w = s.Summary.Worked
			}
			if l := logged[s.Key]; w.Ended.IsZero() || w.DayOnly && l.Ended.UTC().Format(time.DateOnly) == w.Ended.Format(time.DateOnly) {
				w.Began, w.Ended, w.DayOnly = l.Began, l.Ended, false
			}
			if w.Ended.IsZero() && f.On != "" {
				w.Ended, w.DayOnly = protocol.ParseTime(f.On), true
			}
			h.Pieces = append(h.Pieces, w.Plan(s.Node, p.ID, f.Took))
		}
	}
	if len(h.Pieces) > 0 {
		c.Build.History = h
	}
}

// loggedTimes returns from when to when there were attempts at the tasks of plans, by their keys.
func (c *builder) loggedTimes() map[string]protocol.Worked {
	all := map[string]protocol.Worked{}
	for _, l := range c.Logs {
		if l.At.IsZero() {
			continue
		}
		key := facts.PlanKey(l.Plan)
		w := all[key]
		if began := l.At.Add(-l.Took.Duration()); w.Began.IsZero() || began.Before(w.Began) {
			w.Began = began
		}
		if l.Status == model.OutcomeSuccess && l.At.After(w.Ended) {
			w.Ended = l.At
		}
		all[key] = w
	}
	return all
}
