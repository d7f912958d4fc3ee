// This file says how often the poll has to make up for events that don't come.

package watch

import "time"

const (
	// pollBase is how often everything is looked at when that costs next to nothing: a missed change is seen before one looks twice.
	pollBase = 2 * time.Second
	// pollIdle and pollServing bound the cost of the poll: one part in 1000 of the time (0.1 % of a CPU) while it only
	// backs up the events, one in 100 while there are no events. A tree that takes longer to read is read less often.
	pollIdle, pollServing = 1000, 100
	// slowestIdle and slowestServing end that: on a tree so large, a higher cost is felt less than a change seen later than this.
	slowestIdle, slowestServing = 30 * time.Second, 10 * time.Second
)

// pollAfter returns how long to wait for the next poll when one takes cost.
func pollAfter(base, cost time.Duration, serving bool) time.Duration {
	share, slowest := time.Duration(pollIdle), slowestIdle
	if serving {
		share, slowest = pollServing, slowestServing
	}
	return max(base, min(cost*share, slowest))
}
