// This file tests when changes are delivered, with simulated times.

package watch

import (
	"slices"
	"testing"
	"time"
)

var epoch = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// simulate plays writes at the given milliseconds after the epoch and returns when they are delivered.
func simulate(writes []int) (deliveries []int) {
	var c coalescer
	at := func(ms int) time.Time { return epoch.Add(time.Duration(ms) * time.Millisecond) }
	for ms := 0; len(writes) > 0 || c.pending; ms++ {
		for len(writes) > 0 && writes[0] == ms {
			c.addChanges(at(ms), []string{"a"}, false)
			writes = writes[1:]
		}
		if due, ok := c.dueAt(); ok && !due.After(at(ms)) {
			c.takeBatch(at(ms))
			deliveries = append(deliveries, ms)
		}
	}
	return deliveries
}

func every(step, n int) (ms []int) {
	for i := range n {
		ms = append(ms, i*step)
	}
	return ms
}

func TestDeliveryTimes(t *testing.T) {
	for _, c := range []struct {
		name         string
		writes, want []int
	}{
		{"one, at once", []int{5}, []int{5}},
		{"after quiet, at once again", []int{0, 40, 100}, []int{0, 40, 100}},
		{"two close together", []int{0, 10}, []int{0, 50}},
		{"a bundle waits for quiet", []int{0, 10, 30, 60}, []int{0, 100}},
		{"a steady writer waits 250 ms at most", every(10, 60), []int{0, 260, 520, 630}},
		{"a second of a write each millisecond", every(1, 1000), []int{0, 251, 502, 753, 1004}},
	} {
		if got := simulate(c.writes); !slices.Equal(got, c.want) {
			t.Errorf("%s: delivered at %v, want %v", c.name, got, c.want)
		}
	}
}

// TestDeliveryBounds: for any writer, deliveries are at least 40 ms apart and no change waits longer than 250 ms.
func TestDeliveryBounds(t *testing.T) {
	for step := 1; step <= 300; step++ {
		writes := every(step, 200)
		got := simulate(writes)
		for i := 1; i < len(got); i++ {
			if gap := got[i] - got[i-1]; gap < int(quiet.Milliseconds()) {
				t.Fatalf("step %d: deliveries %d ms apart", step, gap)
			}
		}
		for _, w := range writes {
			i, _ := slices.BinarySearch(got, w)
			if i == len(got) || got[i]-w > int(maxWait.Milliseconds()) {
				t.Fatalf("step %d: the write at %d ms is delivered too late: %v", step, w, got)
			}
		}
	}
}
