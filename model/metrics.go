package model

import (
	"cmp"
	"slices"
	"time"
)

// Millis is a duration in milliseconds, the unit of the agents' logs.
type Millis int64

// maxMillis is the longest accepted duration, some nine million years: sums of a few can't overflow.
const maxMillis Millis = 1 << 58

// Duration returns d as Go has it.
func (d Millis) Duration() time.Duration {
	return time.Duration(min(d, Millis(1<<63-1)/Millis(time.Millisecond))) * time.Millisecond
}

// The outcomes of an attempt at a task.
const (
	OutcomeSuccess = "success"
	OutcomeFailure = "failure"
	OutcomeBlocked = "blocked"
)

// Attempt is one attempt at a task, as it was logged.
type Attempt struct {
	At                time.Time // zero: not known; then no day counts it
	Phase, Plan, Task string    // IDs of its nodes, "" for none
	Outcome           string    // one of the outcomes
	Number            int       // which attempt it was, from 1; 0: not known
	Took              Millis    // how long it took, with Timed
	Timed             bool
	Files             int // how many files it touched
}

// Finish is a plan that is done.
type Finish struct {
	Plan  string // ID of its node
	On    string // the day it was finished, "2026-01-26"; "" if unknown
	Took  Millis // how long it took, with Timed
	Timed bool
}

// Metrics are the numbers of a build computed from its logs and its tree, regardless of its state file.
type Metrics struct {
	All Tally `json:"project"`
	// Phases, Plans and Tasks are in tree order; only those with an attempt.
	Phases []Measure `json:"phases,omitempty"`
	Plans  []Measure `json:"plans,omitempty"`
	Tasks  []Measure `json:"tasks,omitempty"`
	Days   []Day     `json:"days,omitempty"` // the oldest first; days without anything are left out

	PlansDone int      `json:"plans_done"`       // plans that are finished
	PlanTime  Spread   `json:"plan_time"`        // of plans with a known duration
	Recent    []Millis `json:"recent,omitempty"` // durations of the last plans, the oldest first, at most TrendWindow
	Trend     Trend    `json:"trend"`
	PlanTimes []Millis `json:"-"` // all durations of plans that are known, the oldest first
}

// Measure is the tally of one node.
type Measure struct {
	Node string `json:"node"` // its ID
	Tally
}

// Day is the work of one day.
type Day struct {
	Date string `json:"date"` // "2026-01-26"
	Tally
	Plans int `json:"plans"` // plans finished on it
}

// Tally counts attempts.
type Tally struct {
	Executed  int    `json:"executed"`  // attempts, not tasks
	Succeeded int    `json:"succeeded"` // attempts that did
	Failed    int    `json:"failed"`    // attempts that did
	Blocked   int    `json:"blocked"`   // attempts that were
	Retries   int    `json:"retries"`   // attempts after the first one of a task
	Files     int    `json:"files"`     // files touched, counted once an attempt
	Time      Spread `json:"time"`
}

// Spread summarizes the known durations.
type Spread struct {
	Known int    `json:"known"`    // number of known durations; without any the others are 0
	Total Millis `json:"total_ms"` // all together, in milliseconds
	Min   Millis `json:"min_ms"`   // the shortest, in milliseconds
	Max   Millis `json:"max_ms"`   // the longest, in milliseconds
}

// Average returns the average in whole milliseconds, halves rounded up, 0 if nothing is known.
func (s Spread) Average() Millis {
	if s.Known == 0 {
		return 0
	}
	n := Millis(s.Known)
	return s.Total/n + (s.Total%n*2)/n
}

// Add adds a duration. Negative and absurdly long ones are clamped.
func (s *Spread) Add(d Millis) {
	d = max(0, min(d, maxMillis))
	if s.Known == 0 || d < s.Min {
		s.Min = d
	}
	s.Max = max(s.Max, d)
	s.Total = min(s.Total+d, maxMillis)
	s.Known++
}

// Rate returns the share of attempts that succeeded; its Total is 0 without any.
func (t *Tally) Rate() Count { return Count{Done: t.Succeeded, Total: t.Executed} }

// Add counts one more attempt.
func (t *Tally) Add(a *Attempt) {
	t.Executed++
	switch a.Outcome {
	case OutcomeSuccess:
		t.Succeeded++
	case OutcomeFailure:
		t.Failed++
	case OutcomeBlocked:
		t.Blocked++
	}
	if a.Number > 1 {
		t.Retries++
	}
	t.Files += max(0, a.Files)
	if a.Timed {
		t.Time.Add(a.Took)
	}
}

// NewMetrics computes the metrics of attempts and of finished plans, both in display order; the plans finished first
// come first. Days begin and end in the given location.
func NewMetrics(attempts []Attempt, finished []Finish, in *time.Location) *Metrics {
	m := &Metrics{PlansDone: len(finished)}
	phases, plans, tasks := tallies{}, tallies{}, tallies{}
	days := map[string]*Day{}
	day := func(date string) *Day {
		if days[date] == nil {
			days[date] = &Day{Date: date}
		}
		return days[date]
	}
	for i := range attempts {
		a := &attempts[i]
		m.All.Add(a)
		phases.add(a.Phase, a)
		plans.add(a.Plan, a)
		tasks.add(a.Task, a)
		if !a.At.IsZero() {
			day(a.At.In(in).Format(time.DateOnly)).Add(a)
		}
	}
	m.Phases, m.Plans, m.Tasks = phases.measures, plans.measures, tasks.measures
	for _, f := range finished {
		if f.On != "" {
			day(f.On).Plans++
		}
		if f.Timed {
			m.PlanTime.Add(f.Took)
			m.PlanTimes = append(m.PlanTimes, f.Took)
		}
	}
	m.Recent, m.Trend = m.Lately(TrendWindow)
	for _, d := range days {
		m.Days = append(m.Days, *d)
	}
	slices.SortFunc(m.Days, func(a, b Day) int { return cmp.Compare(a.Date, b.Date) })
	return m
}

// Lately returns the durations of the last plans, at most as many as the window has, and their trend.
func (m *Metrics) Lately(window int) ([]Millis, Trend) {
	n := len(m.PlanTimes)
	return m.PlanTimes[max(0, n-window):n:n], TrendIn(m.PlanTimes, window)
}

// tallies counts attempts by node, in the order of first appearance.
type tallies struct {
	measures []Measure
	at       map[string]int
}

func (t *tallies) add(node string, a *Attempt) {
	if node == "" {
		return
	}
	i, known := t.at[node]
	if !known {
		if t.at == nil {
			t.at = map[string]int{}
		}
		i = len(t.measures)
		t.at[node] = i
		t.measures = append(t.measures, Measure{Node: node})
	}
	t.measures[i].Add(a)
}
