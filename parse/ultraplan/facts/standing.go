// What STATE.md has to say of a project, by its tree and its logs.

package facts

import (
	"cmp"
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/parse/ultraplan/rules"
)

// Standing is how far a project is by its tree and its logs, as far as STATE.md has fields for it. Package statemd holds the
// fields against it.
type Standing struct {
	Phases []PhaseStanding // by number, those that are skipped left out
	Plans  model.Count     // of all phases
	Tree   []rules.Phase   // for finding what comes next
	Road   []rules.RoadmapPhase

	numbers int    // how many phases there are, those that are skipped among them
	highest string // the number of the last of them

	Last *Log   // the newest result, nil for none
	On   string // its day
	// Event says that the newest result was only now captured: the position is where it was executed.
	Event bool

	Took   Time // of all plans
	Recent []model.Millis
	Trend  model.Trend
	// Resume says that work was broken off: continue.md is there. Exists says of a file of the project whether it is.
	Resume  bool
	Exists  func(file string) bool
	Partial string // a directory that can't be listed in full, "" for none: then nothing is known
}

// PhaseStanding is how far the phases of one number are.
type PhaseStanding struct {
	Number, Title string
	Dir           bool // it has a directory
	Plans         []*Plan
	Count         model.Count
	Begun         bool // a plan of it is done, or has a result
	Took          Time
}

// Time is how long plans have taken.
type Time struct {
	Total   model.Millis // of all work that is known of
	Average model.Millis // of the plans that are done; 0: not known
	// Before is what STATE.md said beyond what was logged when the first result was.
	Before model.Millis
	// Whole says that nothing is missing from the total: of each plan that is done or has results it is known how long it took, or
	// Before says what was not logged. Without that a file that says more may know more.
	Whole bool
}

// Standing returns how far the project is. The newest result is given by who has read the logs.
func (pr *Project) Standing(last *Log, event bool) *Standing {
	is := &Standing{Exists: func(file string) bool { _, ok := pr.Mirror.Stat(file); return ok }, Road: pr.Roadmap, Last: last, Event: event && last != nil, Partial: pr.Unlisted}
	if last != nil {
		is.On = LogDay(last)
	}
	is.Resume = is.Exists(ResumeFile)
	plans := pr.loggedPlans()
	before := map[string]model.Millis{}
	for _, d := range pr.Days {
		for number, ms := range d.Before {
			if _, known := before[number]; !known {
				before[number] = max(0, ms)
			}
		}
	}
	numbers := 0
	var whole, finished model.Spread
	missing := false // a plan of any phase took time that nobody has written down
	for _, p := range pr.Phases {
		if p.Dir != "" {
			is.Tree = append(is.Tree, p.Phase)
		}
		n := len(is.Phases)
		if n == 0 || rules.CompareNumbers(is.Phases[n-1].Number, p.Number) != 0 {
			numbers++
			if p.Dir == "" && p.Road != nil && p.Road.Skipped {
				continue
			}
			is.Phases = append(is.Phases, PhaseStanding{Number: rules.TrimZeros(p.Number), Title: p.Title})
			n++
		}
		s := &is.Phases[n-1]
		s.Dir = s.Dir || p.Dir != ""
		if len(p.Plans) > 0 && len(s.Plans) == 0 {
			s.Title = p.Title
		}
		s.Plans = append(s.Plans, p.Plans...)
	}
	for i := range is.Phases {
		p := &is.Phases[i]
		var all, done model.Spread
		lost := false
		for _, s := range p.Plans {
			p.Count.Total++
			p.Begun = p.Begun || s.Done || plans[s.Key].results > 0
			took := pr.planTook(s, plans)
			summed := s.Summary != nil && s.Summary.Timed && s.Summary.Duration > 0
			lost = lost || took <= 0 && s.Done || !summed && plans[s.Key].untimed
			if took > 0 {
				all.Add(took)
				whole.Add(took)
			}
			if s.Done {
				p.Count.Done++
				if took > 0 {
					done.Add(took)
					finished.Add(took)
				}
			}
		}
		is.Plans.Done += p.Count.Done
		is.Plans.Total += p.Count.Total
		p.Took = newTime(all, done, before[p.Number], p.Count.Done, !lost)
		missing = missing || lost && p.Took.Before == 0
	}
	is.Took = newTime(whole, finished, before[""], is.Plans.Done, !missing)
	is.numbers = numbers
	if numbers > 0 {
		is.highest = pr.Phases[len(pr.Phases)-1].Number
	}
	for _, f := range pr.Finished() {
		if f.Timed {
			is.Recent = append(is.Recent, f.Took)
		}
	}
	is.Trend = model.TrendOf(is.Recent)
	is.Recent = is.Recent[max(0, len(is.Recent)-model.TrendWindow):]
	return is
}

// newTime returns the times of plans: what was known before the first log is spread over all plans that are done.
func newTime(all, done model.Spread, before model.Millis, plans int, whole bool) Time {
	t := Time{Total: all.Total + before, Average: done.Average(), Before: before, Whole: whole || before > 0}
	if before > 0 && plans > 0 {
		t.Average = (done.Total + before) / model.Millis(plans)
	}
	return t
}

// planTook returns how long a plan has taken: as its summary says, else as its results add up to; 0 is not known.
func (pr *Project) planTook(s *Plan, plans map[string]logged) model.Millis {
	if s.Summary != nil && s.Summary.Timed && s.Summary.Duration > 0 {
		return s.Summary.Duration
	}
	return plans[s.Key].took
}

// Finished returns the plans that are done, the first one first: by the days that summaries and logs name, and where not all
// of them do, in the order of the tree, in which they are worked off.
func (pr *Project) Finished() (all []model.Finish) {
	plans := pr.loggedPlans()
	dated := true
	for _, p := range pr.Phases {
		for _, s := range p.Plans {
			if !s.Done {
				continue
			}
			f := model.Finish{Plan: s.Node, On: plans[s.Key].last, Took: pr.planTook(s, plans)}
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

// Total returns of how many phases the position at one is, as it is claimed: see [rules.PhaseTotal].
func (is *Standing) Total(claimed, at string) string {
	return rules.PhaseTotal(claimed, at, is.numbers, is.highest)
}

// Find returns the phases of a number, nil where there are none.
func (is *Standing) Find(number string) *PhaseStanding {
	for i := range is.Phases {
		if number != "" && rules.CompareNumbers(is.Phases[i].Number, number) == 0 {
			return &is.Phases[i]
		}
	}
	return nil
}

// Of returns the phase and the plan of a log, nil where the tree has none.
func (is *Standing) Of(l *Log) (*PhaseStanding, *Plan) {
	for i := range is.Phases {
		for _, s := range is.Phases[i].Plans {
			if l != nil && s.Key == PlanKey(l.Plan) {
				return &is.Phases[i], s
			}
		}
	}
	return nil, nil
}

// LogDay returns the day of a log: that of its directory, else of its time.
func LogDay(l *Log) string {
	if day := dayOf(l.File); day != "" {
		return day
	}
	return l.At.UTC().Format(time.DateOnly)
}
