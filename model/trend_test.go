package model

import "testing"

func TestTrend(t *testing.T) {
	const far = Millis(1) << 62
	for _, c := range []struct {
		durations []Millis
		want      Trend
	}{
		{nil, TrendUnknown}, {[]Millis{1, 2, 3, 4}, TrendUnknown},
		{[]Millis{30, 30, 30, 20, 20}, TrendImproving}, {[]Millis{30, 30, 30, 30, 29}, TrendImproving},
		{[]Millis{30, 30, 30, 36, 36}, TrendStable}, {[]Millis{30, 30, 30, 36, 37}, TrendDeclining},
		{[]Millis{1, 1, 30, 30, 30, 20, 20}, TrendImproving}, // only the last five count
		{[]Millis{0, 0, 0, 0, 0}, TrendStable}, {[]Millis{0, 0, 0, 0, 1}, TrendDeclining},
		{[]Millis{far, far, far, far, far}, TrendStable}, {[]Millis{0, 0, 0, far, far}, TrendDeclining}, {[]Millis{-5, -5, -5, -5, -5}, TrendStable},
	} {
		if got := TrendOf(c.durations); got != c.want {
			t.Errorf("%v is %s, want %s", c.durations, got, c.want)
		}
	}
}

// TestTrendIn: a window of any size compares its last two fifths with the ones before them.
func TestTrendIn(t *testing.T) {
	for _, c := range []struct {
		durations []Millis
		window    int
		want      Trend
	}{
		{[]Millis{100, 50}, 2, TrendImproving}, {[]Millis{100, 120}, 2, TrendStable}, {[]Millis{100, 121}, 2, TrendDeclining},
		{[]Millis{900, 100, 100, 90}, 3, TrendImproving}, {[]Millis{900, 100, 100, 90}, 4, TrendImproving}, {[]Millis{1, 100, 100, 121}, 3, TrendDeclining},
		{[]Millis{1, 1, 1, 1, 1, 1, 2, 2, 2, 2}, 10, TrendDeclining}, {[]Millis{1, 1, 1, 1, 1, 1, 2, 2, 2, 2}, 4, TrendStable},
		{[]Millis{1, 2, 3}, 4, TrendUnknown}, {[]Millis{1, 2, 3}, 1, TrendUnknown}, {nil, -1, TrendUnknown},
	} {
		if got := TrendIn(c.durations, c.window); got != c.want {
			t.Errorf("%v in %d: %s, want %s", c.durations, c.window, got, c.want)
		}
	}
}
