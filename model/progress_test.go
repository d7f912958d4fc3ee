package model

import (
	"testing"
	"time"
)

func TestFloorIsFullOnlyWhenAllIsDone(t *testing.T) {
	for total := 1; total < 400; total++ {
		for done := range total {
			if got := (Count{done, total}).Floor(); got > 99 || got*total > done*100 || (got+1)*total <= done*100 {
				t.Fatalf("%d of %d are %d %%", done, total, got)
			}
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
