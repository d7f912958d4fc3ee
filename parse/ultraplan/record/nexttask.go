// Which task of a plan comes next.

package record

import (
	"slices"
)

// taskStanding is how far a task is, for finding the next one.
type taskStanding struct {
	Wave          int // tasks of a wave run side by side, after those of the waves before
	Done, Blocked bool
}

// nextTask returns which task comes next, -1 for none: the first that is neither done nor blocked, once all of the waves
// before its own are done. A task that failed comes again.
func nextTask(tasks []taskStanding) int {
	for i, t := range tasks {
		free := !slices.ContainsFunc(tasks, func(o taskStanding) bool { return o.Wave < t.Wave && !o.Done })
		if !t.Done && !t.Blocked && free {
			return i
		}
	}
	return -1
}
