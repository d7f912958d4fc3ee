package model

import (
	"math"
	"time"
)

// Forecast estimates the remaining work at the recent pace.
type Forecast struct {
	Left int `json:"left"` // pieces that are not done, of those there are today
	// Days is the expected number of working days, including today if work is left today; nil if the files do not say enough.
	Days *Range `json:"days,omitempty"`
	// None is the reason why there is no forecast, "" if there is one.
	None string `json:"none,omitempty"`
}

// Range is a number of days that holds in most cases, estimated from recent days.
type Range struct {
	From   int64 `json:"from"`    // the lower bound
	To     int64 `json:"to"`      // the most, not less than From
	ReadOf int   `json:"read_of"` // how many these are
}

const (
	// forecastFrom is the minimum number of finished pieces for a forecast, and forecastDays the minimum number of days.
	forecastFrom = 5
	forecastDays = 3
	// forecastOf is the number of recent values in the estimate; older ones predict little.
	forecastOf = 20
	// forgotten is the quiet time after which a build is considered abandoned: a build with nothing finished for this
	// long has no forecast.
	forgotten = 14 * 24 * time.Hour
)

// makeForecast estimates the remaining work; nil if nothing is left.
func (b *Build) makeForecast(h *History, now time.Time) *Forecast {
	if b.Status.Closed() {
		return nil
	}
	f := &Forecast{Left: max(0, h.Count.Open())}
	var perDay []float64 // how many were done on each day, the oldest first
	var last time.Time
	day := 0
	for i := range h.Pieces {
		p := &h.Pieces[i]
		if !p.Done || p.Ended.IsZero() {
			continue
		}
		last = p.Ended
		switch on := DayNumber(p.Ended, now.Location()); {
		case on >= DayNumber(now, now.Location()): // the day is not over
		case len(perDay) > 0 && on == day:
			perDay[len(perDay)-1]++
		default:
			perDay, day = append(perDay, 1), on
		}
	}
	if f.None = b.whyUnforeseen(h, last, now); f.None != "" {
		return f
	}
	if perDay = perDay[max(0, len(perDay)-forecastOf):]; len(perDay) >= forecastDays && h.Dated >= forecastFrom {
		f.Days = daysFor(f.Left, perDay)
	}
	if f.Days == nil {
		f.None = "too few have a date"
	}
	return f
}

// whyUnforeseen returns the reason why a forecast is impossible, "" if it is possible. last is the time at which a piece
// was last finished, zero if unknown.
func (b *Build) whyUnforeseen(h *History, last, now time.Time) string {
	singular := map[string]string{"plans": "plan", "chunks": "chunk", "phases": "phase"}[h.Of]
	idle, left := b.Freshness.Idle(now)
	switch {
	case !b.Progress.Known:
		return "nobody knows how much is left"
	case b.Paused():
		return "it is paused"
	case b.Status == Waiting:
		return "it waits for you"
	case b.Status == Blocked:
		return "it is blocked"
	case b.Status == Failed:
		return "it has failed"
	case !b.StaleSince.IsZero():
		return "it is stale"
	case h.Count.Open() <= 0 && h.Unplanned > 0:
		return "what is left is not planned yet"
	case h.Count.Open() <= 0:
		return "no " + singular + " is left"
	case h.Count.Done < forecastFrom:
		return "it takes 5 " + h.Of + " that are done"
	case !last.IsZero() && now.Sub(last) > forgotten:
		return "no " + singular + " was finished for " + Age(now.Sub(last))
	case left:
		return "nothing has changed for " + Age(idle)
	}
	return ""
}

// daysFor returns the number of working days for a number of pieces, from the numbers done on each of the last days.
func daysFor(left int, perDay []float64) *Range {
	mean, _ := meanAndVariance(perDay)
	days := float64(left) / mean
	low, high := rangeOfSum(perDay, days)
	from := max(1, int64(math.Ceil(days*float64(left)/high)))
	return &Range{from, max(from, int64(math.Ceil(days*float64(left)/low))), len(perDay)}
}

// rangeOfSum returns between which values the sum of n more values will lie in most cases, given a sample of earlier values. A small sample
// also leaves its mean uncertain.
func rangeOfSum(sample []float64, n float64) (low, high float64) {
	mean, variance := meanAndVariance(sample)
	reach := 1.5 * math.Sqrt(variance*(n+n*n/float64(len(sample))))
	return max(mean*n-reach, mean*n/3), mean*n + reach
}

func meanAndVariance(sample []float64) (mean, variance float64) {
	for _, x := range sample {
		mean += x
	}
	mean /= float64(len(sample))
	for _, x := range sample {
		variance += (x - mean) * (x - mean)
	}
	return mean, variance / float64(len(sample)-1)
}
