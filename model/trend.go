package model

// Trend says how the durations of the last plans have moved.
type Trend string

// The trends. They have no middle between five durations and none: with fewer there is no trend.
const (
	TrendUnknown   Trend = "-"
	TrendImproving Trend = "Improving"
	TrendStable    Trend = "Stable"
	TrendDeclining Trend = "Declining"
)

// TrendWindow is how many durations a trend is read off.
const TrendWindow = 5

// TrendOf returns the trend of durations, the oldest first; only the last five count. It is improving when the last two took
// less on average than the three before them, declining when they took more by over a fifth, else stable. There is no
// division: exactly a fifth is stable.
func TrendOf(durations []Millis) Trend {
	n := len(durations)
	if n < TrendWindow {
		return TrendUnknown
	}
	var before, last int64
	for i, d := range durations[n-TrendWindow:] {
		d = max(0, min(d, maxMillis))
		if i < 3 {
			before += int64(d)
		} else {
			last += int64(d)
		}
	}
	switch {
	case 3*last < 2*before:
		return TrendImproving
	case 5*last > 4*before: // last/2 > 1.2 × before/3
		return TrendDeclining
	}
	return TrendStable
}
