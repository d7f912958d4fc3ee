package model

import (
	"math"
	"slices"
	"time"
)

// Forecast estimates the remaining work at the recent pace.
type Forecast struct {
	Left int `json:"left"` // pieces that are not done, of those there are today
	// Work is the expected working time in milliseconds, and Days the expected number of working days, including today
	// if work is left today. Both are nil if the files do not say enough.
	Work *Range `json:"work_ms,omitempty"`
	Days *Range `json:"days,omitempty"`
	// None is the reason why there is no forecast, "" if there is one.
	None string `json:"none,omitempty"`
}

// Range is an interval that covers the value four times in five, estimated from recent known values.
type Range struct {
	From   int64 `json:"from"`    // the lower bound, in the unit of the range
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
	var took, perDay []float64 // the oldest first
	var last time.Time
	day := 0
	for i := range h.Pieces {
		p := &h.Pieces[i]
		if !p.Done {
			continue
		}
		if p.Took > 0 {
			took = append(took, float64(p.Took))
		}
		if p.Ended.IsZero() {
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
	if took = took[max(0, len(took)-forecastOf):]; len(took) >= forecastFrom {
		f.Work = workFor(f.Left, took)
	}
	if perDay = perDay[max(0, len(perDay)-forecastOf):]; len(perDay) >= forecastDays && h.Dated >= forecastFrom {
		f.Days = daysFor(f.Left, perDay)
	}
	if f.Work == nil && f.Days == nil {
		f.None = "no file says when, or how long"
	}
	return f
}

// whyUnforeseen returns the reason why a forecast is impossible, "" if it is possible. last is the time at which a piece
// was last finished, zero if unknown.
func (b *Build) whyUnforeseen(h *History, last, now time.Time) string {
	singular := map[string]string{"plans": "plan", "chunks": "chunk", "phases": "phase"}[h.Of]
	idle, left := b.Freshness.Idle(now)
	keeps := describeStuck(b.Nodes)
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
	case keeps != "":
		return keeps
	case !last.IsZero() && now.Sub(last) > forgotten:
		return "no " + singular + " was finished for " + Age(now.Sub(last))
	case left:
		return "nothing has changed for " + Age(idle)
	}
	return ""
}

// describeStuck describes the remaining nodes that can't proceed, "" if all can: the length of a blockage is unpredictable.
func describeStuck(nodes []*Node) string {
	for _, n := range nodes {
		switch {
		case n.IsArchived() || n.Status.Closed() || n.Kind == KindTask:
			continue
		case n.Kind != KindPhase && n.Kind != KindPlan && n.Kind != KindChunk:
		case n.Status == Failed:
			return "a " + string(n.Kind) + " has failed"
		case n.Status == Blocked:
			return "a " + string(n.Kind) + " is blocked"
		}
		if why := describeStuck(n.Children); why != "" {
			return why
		}
	}
	return ""
}

// workFor returns the working time for a number of pieces, from the durations of the last ones. A single piece lies
// between the shortest and the longest tenth of these, regardless of their distribution, as soon as there are enough of
// them.
func workFor(left int, took []float64) *Range {
	if n := len(took); left == 1 && n >= 9 {
		took = slices.Sorted(slices.Values(took))
		return &Range{inMillis(took[(n+1)/10-1]), inMillis(took[n-(n+1)/10]), n}
	}
	mean, _ := meanAndVariance(took)
	sum := mean * float64(left)
	low, high := spreadOfSum(took, float64(left))
	return &Range{inMillis(sum * low), inMillis(sum * high), len(took)}
}

// daysFor returns the number of working days for a number of pieces, from the numbers done on each of the last days.
func daysFor(left int, perDay []float64) *Range {
	mean, _ := meanAndVariance(perDay)
	days := float64(left) / mean
	low, high := spreadOfSum(perDay, days)
	from := max(1, int64(math.Ceil(days/high)))
	return &Range{from, max(from, int64(math.Ceil(days/low))), len(perDay)}
}

// spreadOfSum returns the multiples of the expected value between which the sum of n more values will lie four times in
// five, given a sample of earlier values. A small sample also leaves its mean uncertain; ignoring that would make the
// range far too narrow if much is left. So it adds the variances of the sum and of the mean, with Student's
// distribution instead of the normal one. Durations are positive and long ones much longer, so all of it is on a
// logarithmic scale, centered between the mean and the median of such a distribution. TestForecastIsCalibrated measures the
// hit rate.
func spreadOfSum(sample []float64, n float64) (low, high float64) {
	mean, variance := meanAndVariance(sample)
	of := float64(len(sample))
	scale := math.Log1p(variance / (mean * mean) * (1/n + 1/of))
	reach := studentQuantile(len(sample)-1) * math.Sqrt(scale*(1+2/of))
	return math.Exp(-scale/4 - reach), math.Exp(-scale/4 + reach)
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

// studentQuantile returns the quantile 0.9 of Student's distribution with some degrees of freedom, 2 to 19: four in five values lie
// between it and its negative.
func studentQuantile(freedom int) float64 {
	return [...]float64{1.886, 1.638, 1.533, 1.476, 1.440, 1.415, 1.397, 1.383, 1.372, 1.363, 1.356, 1.350, 1.345, 1.341, 1.337, 1.333, 1.330, 1.328}[min(max(freedom, 2), 19)-2]
}

// inMillis rounds a duration, which may be impossibly long.
func inMillis(d float64) int64 { return max(1, int64(math.Round(min(d, float64(maxMillis))))) }
