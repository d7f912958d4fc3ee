// The plans that are done, and what was known of a project before the first log.

package facts

import (
	"cmp"
	"slices"
	"time"

	"gatehouse/model"
)

// Earlier is what STATE.md said of plans beyond the tree and the logs when a result was captured: it is added to what is logged from then on.
type Earlier struct {
	Plans   int          `json:"plans,omitempty"`   // of earlier milestones
	Took    model.Millis `json:"ms"`                // that no log and no summary has
	Untimed int          `json:"untimed,omitempty"` // plans of the tree whose time is in it
}

// Earlier returns what is known from before by the number of the phase, "" for the whole project.
func (pr *Project) Earlier() map[string]Earlier {
	all := map[string]Earlier{}
	for _, d := range pr.Days {
		for number, e := range d.Earlier {
			sum := all[number]
			all[number] = Earlier{sum.Plans + max(0, e.Plans), sum.Took + max(0, e.Took), sum.Untimed + max(0, e.Untimed)}
		}
		for number, ms := range d.Before {
			if _, known := all[number]; !known {
				all[number] = Earlier{Took: max(0, ms), Untimed: 1 << 20}
			}
		}
	}
	return all
}

// planTook returns how long a plan has taken: as its summary says, else as its results add up to; 0 is not known.
func (pr *Project) planTook(s *Plan, plans map[string]Logged) model.Millis {
	if s.Summary != nil && s.Summary.Timed && s.Summary.Duration > 0 {
		return s.Summary.Duration
	}
	return plans[s.Key].Took
}

// Finished returns the plans that are done, the first one first: by the days that summaries and logs name, and where not all
// of them do, in the order of the tree, in which they are worked off.
func (pr *Project) Finished() (all []model.Finish) {
	plans := pr.LoggedPlans()
	dated := true
	for _, p := range pr.Phases {
		for _, s := range p.Plans {
			if !s.Done {
				continue
			}
			f := model.Finish{Plan: s.Node, On: plans[s.Key].Last, Took: pr.planTook(s, plans)}
			if s.Summary != nil && s.Summary.Completed != "" {
				f.On = s.Summary.Completed
			}
			f.Timed = f.Took > 0
			dated = dated && f.On != ""
			all = append(all, f)
		}
	}
	if dated {
		slices.SortStableFunc(all, func(a, b model.Finish) int { return cmp.Compare(a.On, b.On) })
	}
	return all
}

// LogDay returns the day of a log: that of its directory, else of its time.
func LogDay(l *Log) string {
	if day := dayOf(l.File); day != "" {
		return day
	}
	return l.At.UTC().Format(time.DateOnly)
}
