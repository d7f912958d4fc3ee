package model

import (
	"cmp"
	"slices"
	"time"
)

// Piece is a unit of work that a build's progress counts: a plan, a chunk, a phase of a loop. Its times come from its
// files, or from an observed change; a file's modification time may come from a checkout and does not count.
type Piece struct {
	Node  string    `json:"node"`            // its ID
	Phase string    `json:"phase,omitempty"` // ID of its phase, "" if it has none
	Done  bool      `json:"done"`            // as its protocol counts
	Began time.Time `json:"began,omitzero"`  // zero: not known
	Ended time.Time `json:"ended,omitzero"`  // zero: not done, or not known when
	// DayOnly reports whether only the day of both times is known: they are its midnight.
	DayOnly bool   `json:"day_only,omitempty"`
	Took    Millis `json:"took_ms,omitempty"` // how long it was worked on; 0: not known
}

// History is the record of finished pieces of a build. A reader supplies the pieces; [Build.Reckon] derives the rest.
type History struct {
	Of    string `json:"of"`    // unit of the pieces: "plans", "chunks" or "phases"
	Count Count  `json:"count"` // how many are done, of how many that there are today
	// Dated is how many of those that are done have a time.
	Dated int `json:"dated"`
	// TotalSince is when the number of pieces last changed; zero if only the current number is known.
	TotalSince time.Time `json:"total_since,omitzero"`
	// Unplanned is the number of open phases without known pieces.
	Unplanned int `json:"unplanned,omitempty"`
	// Pieces are those that are done, those without a time first, then the oldest, and then those that have begun.
	Pieces []Piece `json:"pieces"`
	// PieceTime is how long pieces took, and PhaseTime how long all pieces of a phase took together, of phases that are done.
	PieceTime *Durations `json:"piece_time,omitempty"`
	PhaseTime *Durations `json:"phase_time,omitempty"`
	Pace      *Pace      `json:"pace,omitempty"` // nil if too few durations are known ([PaceFrom])
	// Stretches are from when to when there was work on each phase, else on each piece, in the order of the tree.
	Stretches []Stretch `json:"stretches,omitempty"`
	Forecast  *Forecast `json:"forecast,omitempty"` // nil if nothing is left

	reckoned bool
}

// Durations are the known durations.
type Durations struct {
	Known   int    `json:"known"`        // number of known durations; 1 at least
	Median  Millis `json:"median_ms"`    // of the middle one, in milliseconds like all others
	Lower   Millis `json:"lower_ms"`     // lower quartile; Upper is the upper quartile
	Upper   Millis `json:"upper_ms"`     // see Lower
	Longest Millis `json:"longest_ms"`   // of the one that took longest
	Node    string `json:"longest_node"` // which took the longest
}

// Stretch is from when to when there was work on something.
type Stretch struct {
	Node string    `json:"node"` // its ID
	From time.Time `json:"from"` // when work on it began, or the first of it was done
	To   time.Time `json:"to"`   // if only the day is known, the end of it
	// Open reports whether it is unfinished: To is its last known time.
	Open bool   `json:"open,omitempty"`
	Took Millis `json:"took_ms,omitempty"` // how long it was worked on; 0: not known of all of it
}

// Agents built nothing before firstYear, and no clock is further ahead of ours than clockAhead: a time outside of that range was
// written by mistake.
const (
	firstYear  = 2000
	clockAhead = 5 * time.Minute
)

// plausibleTime returns a time at which something can have happened, else the zero time.
func plausibleTime(t, now time.Time) time.Time {
	if t.Year() < firstYear || t.After(now.Add(clockAhead)) {
		return time.Time{}
	}
	return t
}

// startOfDay returns the beginning of a day in a location; the day is taken as written.
func startOfDay(t time.Time, in *time.Location) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, in)
}

// DayNumber returns the number of a day in a location. Consecutive days have consecutive numbers, however long a day
// is.
func DayNumber(t time.Time, in *time.Location) int {
	y, m, d := t.In(in).Date()
	return int(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / (24 * 60 * 60))
}

// Reckon derives the history from its reader's data, at a time whose location defines days, once everything else about
// the build is known. It does not change a history that is already computed.
func (b *Build) Reckon(now time.Time) {
	h := b.History
	if h == nil || h.reckoned {
		return
	}
	h.reckoned = true
	h.Of, h.Count = b.Progress.Of(), b.Progress.Counted()
	h.setTimes(b, now)
	h.addStretches(b, now)
	slices.SortStableFunc(h.Pieces, func(x, y Piece) int {
		if x.Done != y.Done {
			if x.Done {
				return -1
			}
			return 1
		}
		return cmp.Or(x.Ended.Compare(y.Ended), x.Began.Compare(y.Began))
	})
	took := map[string]Millis{}
	for _, p := range h.Pieces {
		if p.Done && p.Took > 0 {
			took[p.Node] = p.Took
		}
		if p.Done && !p.Ended.IsZero() {
			h.Dated++
		}
	}
	h.PieceTime = durationsOf(took)
	h.Pace = paceOf(h.Pieces)
	h.Forecast = b.makeForecast(h, now)
}

// setTimes drops impossible times, and gives undated pieces the time of an observed change. A piece that was reset to its
// beginning counts as not begun, even if it has times.
func (h *History) setTimes(b *Build, now time.Time) {
	nodes := make(map[string]*Node, len(h.Pieces))
	for _, p := range h.Pieces {
		nodes[p.Node] = nil
	}
	for _, n := range Walk(b.Nodes) {
		if _, asked := nodes[n.ID]; asked {
			nodes[n.ID] = n
		}
	}
	h.Pieces = slices.DeleteFunc(h.Pieces, func(p Piece) bool {
		n := nodes[p.Node]
		return !p.Done && n != nil && n.Status == Pending
	})
	for i := range h.Pieces {
		p := &h.Pieces[i]
		p.Began, p.Ended = plausibleTime(p.Began, now), plausibleTime(p.Ended, now)
		if !p.Done {
			p.Ended, p.Took = time.Time{}, 0 // it continues or restarted
		} else if p.Ended.IsZero() {
			if n := nodes[p.Node]; n != nil && n.Status == Done && !n.SinceFile {
				p.Ended = plausibleTime(n.Since, now)
				p.DayOnly = p.DayOnly && p.Ended.IsZero()
			}
		}
		if p.DayOnly {
			p.Began, p.Ended = dayOf(p.Began, now.Location()), dayOf(p.Ended, now.Location())
		}
		if p.Done && p.Began.After(p.Ended) {
			p.Began = time.Time{} // one of the two is wrong, and the end is written last
		}
		p.Took = max(0, min(p.Took, maxMillis))
	}
	h.forgetStray()
	h.forgetTooLong(now)
}

// strayFrom is the minimum number of dated pieces for one to be a stray, and strayBefore its minimum distance to all others.
const (
	strayFrom   = 8
	strayBefore = 90 * 24 * time.Hour
)

// forgetStray drops the times of a piece that is dated long before all others, five times their whole span before them: agents
// write the wrong year, above all in January.
func (h *History) forgetStray() {
	var first, second, last time.Time
	stray, dated := -1, 0
	for i := range h.Pieces {
		p := &h.Pieces[i]
		at := p.Ended
		if !p.Began.IsZero() {
			at = p.Began
		}
		if at.IsZero() {
			continue
		}
		dated++
		switch {
		case first.IsZero() || at.Before(first):
			first, second, stray = at, first, i
		case second.IsZero() || at.Before(second):
			second = at
		}
		if p.Ended.After(last) {
			last = p.Ended
		}
	}
	if gap := second.Sub(first); dated >= strayFrom && gap > strayBefore && gap > 5*last.Sub(second) {
		h.Pieces[stray].Began, h.Pieces[stray].Ended = time.Time{}, time.Time{}
	}
}

// Durations are often rounded to an hour, and the start of the first piece is unknown.
const (
	roundedBy   = time.Hour
	beforeFirst = day
)

// forgetTooLong drops impossible durations: longer than from the beginning of a piece to its end or, if that is
// unknown, from the first known time of the build.
func (h *History) forgetTooLong(now time.Time) {
	var first time.Time
	for _, p := range h.Pieces {
		for _, t := range []time.Time{p.Began, p.Ended} {
			if !t.IsZero() && (first.IsZero() || t.Before(first)) {
				first = t
			}
		}
	}
	if first.IsZero() {
		return
	}
	for i := range h.Pieces {
		p := &h.Pieces[i]
		from, to, more := p.Began, p.Ended, roundedBy
		if from.IsZero() {
			from, more = first, beforeFirst
		}
		if to.IsZero() {
			to = now
		}
		if p.DayOnly {
			more = day
		}
		if p.Took > Millis((to.Sub(from) + more).Milliseconds()) {
			p.Took = 0
		}
	}
}

func dayOf(t time.Time, in *time.Location) time.Time {
	if t.IsZero() {
		return t
	}
	return startOfDay(t, in)
}

// addStretches computes the stretches of work per node, and the durations of phases.
func (h *History) addStretches(b *Build, now time.Time) {
	at := map[string]int{} // index of a node's stretch
	whole := map[string]Millis{}
	for _, p := range h.Pieces {
		node := cmp.Or(p.Phase, p.Node)
		if p.Phase != "" && p.Done {
			if took, known := whole[node]; p.Took == 0 || known && took == 0 {
				whole[node] = 0
			} else {
				whole[node] = min(took+p.Took, maxMillis)
			}
		}
		from, to := p.Began, p.Ended
		if from.IsZero() {
			from = to
		}
		if from.IsZero() {
			continue
		}
		if to.IsZero() {
			to = from
		} else if p.DayOnly {
			to = startOfDay(to.AddDate(0, 0, 1), to.Location())
		}
		i, known := at[node]
		if !known {
			i = len(h.Stretches)
			at[node] = i
			h.Stretches = append(h.Stretches, Stretch{Node: node, From: from, To: to})
		}
		s := &h.Stretches[i]
		if from.Before(s.From) {
			s.From = from
		}
		if to.After(s.To) {
			s.To = to
		}
		if p.Phase == "" {
			s.Took = p.Took
		}
	}
	done := map[string]Millis{}
	for _, n := range Walk(b.Nodes) {
		i, known := at[n.ID]
		if n.Status.Closed() && whole[n.ID] > 0 {
			done[n.ID] = whole[n.ID]
		}
		if !known {
			continue
		}
		s := &h.Stretches[i]
		if s.Took == 0 {
			s.Took = whole[n.ID]
		}
		switch since := plausibleTime(n.Since, now); {
		case n.Status.Closed():
			if !n.SinceFile && since.After(s.To) {
				s.To = since // it was verified then
			}
		case goesOn(n.Status) && !n.IsStale() && !b.Paused() && now.Sub(s.To) < forgotten:
			s.Open, s.To = true, now
		default:
			s.Open = true
		}
		if s.To.After(now) {
			s.To = now // today is not over
		}
		if s.To.Before(s.From) {
			s.To = s.From
		}
	}
	h.PhaseTime = durationsOf(done)
}

// durationsOf returns the durations of some nodes, nil if there are none.
func durationsOf(took map[string]Millis) *Durations {
	if len(took) == 0 {
		return nil
	}
	d := &Durations{Known: len(took)}
	all := make([]Millis, 0, len(took))
	for node, t := range took {
		all = append(all, t)
		if t > d.Longest || t == d.Longest && node < d.Node {
			d.Longest, d.Node = t, node
		}
	}
	slices.Sort(all)
	n := len(all)
	d.Lower, d.Median, d.Upper = all[(n-1)/4], Median(all), all[n-1-(n-1)/4]
	return d
}

// Median returns the median of sorted durations, the mean of the middle two if their number is even.
func Median(sorted []Millis) Millis {
	n := len(sorted)
	if n == 0 {
		return 0
	}
	a, b := sorted[(n-1)/2], sorted[n/2]
	return a + (b-a)/2
}
