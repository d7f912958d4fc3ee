package ask

import (
	"os"
	"slices"
	"strings"
	"time"

	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/statefile"
)

const (
	// keepEnded is how long an ask that ended can be looked up, maxEnded how many of them.
	keepEnded = 24 * time.Hour
	maxEnded  = 200
	// keepUnheld is how long an ask waits that has neither a holder nor a deadline.
	keepUnheld = 7 * 24 * time.Hour
	// leftBehind is the age at which a temporary file counts as abandoned.
	leftBehind = time.Minute
)

// Sweep ends asks whose asker is gone or whose deadline has passed, and removes what is old. Commands call it before they list asks, a
// dashboard every few seconds; an ask costs about ten microseconds.
func (s *Store) Sweep() {
	open := map[string]bool{}
	s.eachName(waiting.Dir, func(dir *os.Root, name string) {
		if n, ok := waiting.Parse(name); ok {
			open[n.ID] = !s.sweepAsk(dir, name)
		} else {
			s.sweepTemp(dir, name)
		}
	})
	s.sweepEnded(open)
	s.eachName(sessionsDir, func(dir *os.Root, name string) { s.sweepSession(dir, name) })
	s.eachName(statuslineDir, func(dir *os.Root, name string) {
		if info, err := dir.Lstat(name); err == nil && s.isOlder(info.ModTime(), keepSession) {
			dir.Remove(name)
		}
	})
	s.eachName(dashboardsDir, func(dir *os.Root, name string) {
		if isAbandoned(dir, name) {
			dir.Remove(name)
		}
	})
}

// sweepAsk ends an ask that waits for nothing any more, moves one that has ended, and reports whether it has ended.
func (s *Store) sweepAsk(dir *os.Root, name string) bool {
	n, _ := waiting.Parse(name)
	switch _, err := os.Lstat(waiting.EndPath(s.dir, n.ID)); {
	case err == nil:
		s.moveAside(n)
		return true
	case n.Kind == waiting.Held && isAbandoned(dir, name):
		_, _, err := s.finish(n, End{State: Withdrawn, Reason: "the process that asked has ended"})
		return err == nil
	case n.Kind != waiting.Held && s.isOverdue(dir, name, n.ID):
		_, _, err := s.finish(n, End{State: Expired})
		return err == nil
	}
	return false
}

// isAbandoned reports whether a file exists and no process holds it.
func isAbandoned(dir *os.Root, name string) bool {
	f, err := statefile.OpenRegular(dir, name, os.O_RDONLY, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return !held(f)
}

// isOverdue reports whether the deadline of an ask without a holder has passed.
func (s *Store) isOverdue(dir *os.Root, name, id string) bool {
	a, err := readAskFile(dir, name, id)
	if err != nil {
		return false
	}
	return !a.Until.IsZero() && s.now().After(a.Until) || s.isOlder(a.Since, keepUnheld)
}

// sweepTemp removes a temporary file whose writer was killed. Its age is measured against the file system's clock, not ours, and a
// young file may not be locked yet.
func (s *Store) sweepTemp(dir *os.Root, name string) {
	if !strings.HasPrefix(name, ".") || !strings.HasSuffix(name, tempEnd) {
		return
	}
	info, err := dir.Lstat(name)
	if err != nil {
		return
	}
	now, err := dir.Stat(".")
	if err == nil && now.ModTime().Sub(info.ModTime()).Abs() > leftBehind && isAbandoned(dir, name) {
		dir.Remove(name)
	}
}

// isOlder reports whether a time is longer ago than age, or as far in the future.
func (s *Store) isOlder(at time.Time, age time.Duration) bool { return s.now().Sub(at).Abs() > age }

// sweepEnded removes ended asks that are old or too many, but none that still has its file among the open ones.
func (s *Store) sweepEnded(open map[string]bool) {
	type ended struct {
		id   string
		info os.FileInfo
	}
	var all []ended
	s.eachName(waiting.Ended, func(dir *os.Root, name string) {
		s.sweepTemp(dir, name)
		id, ok := strings.CutSuffix(name, waiting.End)
		if info, err := dir.Lstat(name); ok && err == nil && !open[id] {
			all = append(all, ended{id, info})
		}
	})
	slices.SortFunc(all, func(a, b ended) int { return b.info.ModTime().Compare(a.info.ModTime()) })
	dir, err := s.enter(waiting.Ended, false)
	if err != nil {
		return
	}
	defer dir.Close()
	for i, e := range all {
		if i < maxEnded {
			if !s.isOlder(e.info.ModTime(), keepEnded) {
				continue
			}
			if end := readEnd(dir, e.id); end != nil && !s.isOlder(end.At, keepEnded) {
				continue // the clock of the file system differs
			}
		}
		removeEnded(dir, e.id)
	}
}

// removeEnded removes an ask that has ended.
func removeEnded(dir *os.Root, id string) {
	dir.Remove(id + askEnd)
	dir.Remove(id + toldEnd)
	dir.Remove(id + waiting.End) // last: while it exists, the ask can't be ended again
}

// Forget removes the asks of a project that have ended.
func (s *Store) Forget(project string) {
	items, _ := s.List(true)
	dir, err := s.enter(waiting.Ended, false)
	if err != nil {
		return
	}
	defer dir.Close()
	for i := range items {
		if item := &items[i]; item.Project == project && item.State != Waiting {
			removeEnded(dir, item.ID)
		}
	}
}
