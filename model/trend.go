package model

// Trend says how the durations of the last plans have moved.
type Trend string

// The trends. Fewer than five durations have no trend.
const (
	TrendUnknown   Trend = "-"
	TrendImproving Trend = "Improving"
	TrendStable    Trend = "Stable"
	TrendDeclining Trend = "Declining"
)

// TrendWindow is the number of durations in a trend.
const TrendWindow = 5

// TrendOf returns the trend of durations, the oldest first; only the last five count. It is improving if the last two
// took less on average than the three before them, declining if they took more by over a fifth, else stable. It does
// not divide: exactly a fifth is stable.
func TrendOf(durations []Millis) Trend { return TrendIn(durations, TrendWindow) }

// TrendIn returns the trend of the last durations, as many as the window has, at least two: it compares the last two
// fifths with those before them, as [TrendOf] compares two with three. With fewer durations there is none.
func TrendIn(durations []Millis, window int) Trend {
	if window < 2 || len(durations) < window {
		return TrendUnknown
	}
	newer := max(1, 2*window/5)
	older := window - newer
	var before, last float64 // exact up to a total of some hundred thousand years
	for i, d := range durations[len(durations)-window:] {
		if d = max(0, min(d, maxMillis)); i < older {
			before += float64(d)
		} else {
			last += float64(d)
		}
	}
	switch n, o := float64(newer), float64(older); {
	case o*last < n*before:
		return TrendImproving
	case 5*o*last > 6*n*before: // last/n > 1.2 × before/o
		return TrendDeclining
	}
	return TrendStable
}
