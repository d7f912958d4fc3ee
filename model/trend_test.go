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
