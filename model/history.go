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
	Pieces    []Piece    `json:"pieces"`
	PieceTime *Durations `json:"piece_time,omitempty"` // how long pieces took
	Forecast  *Forecast  `json:"forecast,omitempty"`   // nil if nothing is left

	reckoned bool
}

// Durations are the known durations.
type Durations struct {
	Known   int    `json:"known"`        // number of known durations; 1 at least
	Median  Millis `json:"median_ms"`    // of the middle one, in milliseconds like all others
	Longest Millis `json:"longest_ms"`   // of the one that took longest
	Node    string `json:"longest_node"` // which took the longest
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
		if p.Took = max(0, min(p.Took, maxMillis)); !p.isPossible() {
			p.Took = 0
		}
	}
}

// isPossible reports whether a piece can have taken as long as it says: not longer than from its beginning to its end, which may be rounded.
func (p *Piece) isPossible() bool {
	rounded := time.Hour
	if p.DayOnly {
		rounded = day
	}
	return p.Began.IsZero() || p.Ended.IsZero() || p.Took <= Millis((p.Ended.Sub(p.Began)+rounded).Milliseconds())
}

func dayOf(t time.Time, in *time.Location) time.Time {
	if t.IsZero() {
		return t
	}
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, in)
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
	d.Median = Median(all)
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
