// This file says how well the watching works, in words, and how often the poll has to make up for what does not.

package watch

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"
)

const (
	// pollBase is how often everything is compared when that costs next to nothing: a missed change is seen before one looks twice.
	pollBase = 2 * time.Second
	// pollIdle and pollServing bound what the poll may cost: one part in 1000 of the time (0.1 % of a CPU) while it is only a net below the events, one
	// in 100 while it is all there is. A tree that takes longer to read is read less often.
	pollIdle, pollServing = 1000, 100
	// slowestIdle and slowestServing end that: on a tree so large, a higher cost is felt less than a change seen later than this.
	slowestIdle, slowestServing = 30 * time.Second, 10 * time.Second

	// watchLimit is the setting that lets a Linux user have more watches. Elsewhere it is the limit of open files.
	watchLimit = "fs.inotify.max_user_watches or the limit of open files"
)

// pollAfter returns how long to wait for the next poll when one takes cost.
func pollAfter(base, cost time.Duration, serving bool) time.Duration {
	share, slowest := time.Duration(pollIdle), slowestIdle
	if serving {
		share, slowest = pollServing, slowestServing
	}
	return max(base, min(cost*share, slowest))
}

// unwatched returns how many of the directories read send no events.
func (t *tree) unwatched() int {
	n := len(t.folders) - len(t.watched)
	for dir := range t.anchors {
		if _, ok := t.watched[dir]; ok && t.folders[dir] == nil {
			n++
		}
	}
	return n
}

// pollServes reports whether some changes are seen by the poll only.
func (t *tree) pollServes() bool {
	return t.src == nil || t.network != "" || t.refused != "" && t.unwatched() > 0
}

// findNetwork returns the kind of the first file system below the roots that sends no events for changes made elsewhere.
func (t *tree) findNetwork() string {
	for _, dir := range t.roots {
		if waits, is := t.missing[dir]; is {
			if t.folders[waits.anchor] != nil {
				continue // which is in a root itself
			}
			dir = waits.anchor
		}
		if kind := eventlessFS(dir); kind != "" {
			return kind
		}
	}
	return ""
}

// state describes the tree as it is after a task.
func (t *tree) state() state {
	s := state{}
	switch n := t.unwatched(); {
	case t.src == nil:
		s.status = "polling: no file events (" + t.noEvent + ")"
	case n > 0 && t.refused != "":
		s.status = fmt.Sprintf("polling %d of %d directories: %s", n, len(t.folders), t.refused)
	case t.network != "":
		s.status = "polling: " + t.network + " tells only of changes made on this machine"
	}
	if t.crowded != "" {
		s.problems = append(s.problems, Problem{t.crowded, fmt.Sprintf("more than %d directories below: changes in the rest are not seen", maxDirs)})
	}
	if t.full != "" {
		s.problems = append(s.problems, Problem{t.full, fmt.Sprintf("more than %d files and directories in all: changes in the rest are not seen", maxNames)})
	}
	for dir := range t.trouble {
		s.problems = append(s.problems, Problem{dir, t.trouble[dir]})
	}
	slices.SortFunc(s.problems, func(a, b Problem) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Text, b.Text)) })
	return s
}

// reason returns what went wrong without the path that errors of the file system begin with.
func reason(err error) string {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return err.Error()
}
