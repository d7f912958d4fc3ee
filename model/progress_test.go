package model

import (
	"math"
	"testing"
	"time"
)

func TestCount(t *testing.T) {
	for _, c := range []struct {
		done, total  int
		floor, round int
	}{
		{0, 0, 0, 0}, {3, 0, 0, 0}, {3, -1, 0, 0},
		{0, 7, 0, 0}, {7, 7, 100, 100}, {8, 7, 100, 100}, {-1, 7, 0, 0},
		{1, 3, 33, 33}, {2, 3, 66, 67},
		{1, 8, 12, 13}, {3, 8, 37, 38}, // halves are rounded up
		{1, 200, 0, 1}, {199, 200, 99, 100}, {999, 1000, 99, 100}, {994, 1000, 99, 99},
		// Math.round(23/40*100) and Math.round(29/200*100) in JavaScript: these quotients
		// are slightly below a half, and so not rounded up.
		{23, 40, 57, 57}, {29, 200, 14, 14}, {46, 80, 57, 57}, {113, 200, 56, 56},
		{math.MaxInt, math.MaxInt, 100, 100},
	} {
		n := Count{c.done, c.total}
		if n.Floor() != c.floor || n.Round() != c.round {
			t.Errorf("%v is %d and %d %%, want %d and %d", n, n.Floor(), n.Round(), c.floor, c.round)
		}
	}
	if n := (Count{2, 5}); n.Open() != 3 || n.String() != "2/5" {
		t.Errorf("%v has %d open", n, n.Open())
	}
}

func TestFloorIsFullOnlyWhenAllIsDone(t *testing.T) {
	for total := 1; total < 400; total++ {
		for done := range total {
			if got := (Count{done, total}).Floor(); got > 99 || got*total > done*100 || (got+1)*total <= done*100 {
				t.Fatalf("%d of %d are %d %%", done, total, got)
			}
		}
	}
}

func TestAge(t *testing.T) {
	const day = 24 * time.Hour
	for d, want := range map[time.Duration]string{
		-time.Hour: "now", 0: "now", time.Minute - 1: "now",
		time.Minute: "1m", time.Hour - 1: "59m",
		time.Hour: "1h", day - 1: "23h",
		day: "1d", 2*day - 1: "1d", 99 * day: "99d", 100*day - 1: "99d",
		100 * day: "14w", 105 * day: "15w", 3650 * day: "521w",
	} {
		if got := Age(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

func TestIdle(t *testing.T) {
	ago := func(d time.Duration) time.Time { return noon.Add(-d) }
	for _, c := range []struct {
		name string
		f    Freshness
		idle time.Duration
		left bool
	}{
		{"no time known", Freshness{}, 0, false},
		{"changed just now", Freshness{Changed: noon}, 0, false},
		{"changed a while ago", Freshness{Changed: ago(time.Hour)}, time.Hour, false},
		{"exactly the limit", Freshness{Changed: ago(idleAfter)}, idleAfter, false},
		{"beyond the limit", Freshness{Changed: ago(idleAfter + 1)}, idleAfter + 1, true},
		{"only claimed", Freshness{Claimed: ago(time.Hour)}, time.Hour, false},
		{"claimed later than changed", Freshness{Changed: ago(100 * time.Hour), Claimed: ago(time.Hour)}, time.Hour, false},
		{"changed later than claimed", Freshness{Changed: ago(time.Hour), Claimed: ago(100 * time.Hour)}, time.Hour, false},
		{"changed by a clock that is ahead", Freshness{Changed: ago(-time.Hour)}, 0, false},
		{"a claim from the future is not believed", Freshness{Changed: ago(100 * time.Hour), Claimed: ago(-time.Hour)}, 100 * time.Hour, true},
		{"nothing but such a claim", Freshness{Claimed: ago(-time.Hour)}, 0, false},
	} {
		if idle, left := c.f.Idle(noon); idle != c.idle || left != c.left {
			t.Errorf("%s: %v, %v, want %v, %v", c.name, idle, left, c.idle, c.left)
		}
	}
}
