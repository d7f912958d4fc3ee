package ask

import (
	"os"
	"slices"
	"strings"
	"time"

	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/process"
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

// Sweep ends asks whose asker is gone or whose deadline has passed, and removes old files. Commands call it before they
// list asks, a dashboard every few seconds; an ask costs about ten microseconds.
func (s *Store) Sweep() {
	open := map[string]bool{}
	s.eachName(waiting.Dir, func(dir *statefile.Directory, name string) {
		s.sweepTemp(dir, name)
		if n, ok := waiting.Parse(name); ok {
			open[n.ID] = true
			s.sweepAsk(dir, n)
		}
	})
	s.sweepEnded(open)
	s.eachName(sessionsDir, func(dir *statefile.Directory, name string) {
		s.sweepTemp(dir, name)
		in, err := readSession(dir, name)
		life := process.LifeOf(s.Table, in.Process)
		isOld := s.isOlder(in.Heard, keepSession) || life == process.Unknown && s.isOlder(in.Heard, keepUnknown)
		if err == nil && (life == process.Gone || isOld) {
			dir.Remove(name)
			if !in.ReportsEnd { // else it crashed, and its last words still wait
				s.WithdrawTurns(in.Agent, in.ID, "its session has ended")
			}
		}
	})
	s.eachName(statuslineDir, func(dir *statefile.Directory, name string) {
		if info, err := dir.Lstat(name); err == nil && s.isOlder(info.ModTime(), keepSession) {
			dir.Remove(name)
		}
	})
	s.eachName(dashboardsDir, func(dir *statefile.Directory, name string) {
		if isAbandoned(dir, name) {
			dir.Remove(name)
		}
	})
}

// sweepAsk ends an open ask that waits for nothing any more, and moves one that has ended.
func (s *Store) sweepAsk(dir *statefile.Directory, n waiting.Name) {
	switch _, err := os.Lstat(waiting.EndPath(s.Dir, n.ID)); {
	case err == nil:
		s.moveAside(n)
	case n.Kind == waiting.Held && isAbandoned(dir, n.String()):
		s.finishAsk(n, End{State: Withdrawn, Reason: "the process that asked has ended"})
	case n.Kind != waiting.Held && s.isOverdue(dir, n):
		s.finishAsk(n, End{State: Expired})
	}
}

// isAbandoned reports whether a file exists and no process holds it.
func isAbandoned(dir *statefile.Directory, name string) bool {
	f, err := dir.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return !f.IsLocked()
}

// isOverdue reports whether the deadline of an ask without a holder has passed.
func (s *Store) isOverdue(dir *statefile.Directory, n waiting.Name) bool {
	a, err := readAsk(dir, n.String(), n.ID)
	return err == nil && (!a.Until.IsZero() && s.Now().After(a.Until) || s.isOlder(a.Since, keepUnheld))
}

// sweepTemp removes a temporary file whose writer was killed. Its age is measured against the file system's clock, not ours, and a
// young file may not be locked yet.
func (s *Store) sweepTemp(dir *statefile.Directory, name string) {
	if !strings.HasPrefix(name, ".") || !strings.HasSuffix(name, tempEnd) {
		return
	}
	info, err := dir.Lstat(name)
	now, failed := dir.Lstat(".")
	if err == nil && failed == nil && now.ModTime().Sub(info.ModTime()).Abs() > leftBehind && isAbandoned(dir, name) {
		dir.Remove(name)
	}
}

// isOlder reports whether a time is longer ago than age, or as far in the future.
func (s *Store) isOlder(at time.Time, age time.Duration) bool { return s.Now().Sub(at).Abs() > age }

// sweepEnded removes ended asks that are old or too many, but none that had its file among the open ones.
func (s *Store) sweepEnded(open map[string]bool) {
	type ended struct {
		id string
		at time.Time // by the file system's clock
	}
	var all []ended
	s.eachName(waiting.Ended, func(dir *statefile.Directory, name string) {
		s.sweepTemp(dir, name)
		if id, ok := strings.CutSuffix(name, waiting.End); ok && !open[id] {
			if info, err := dir.Lstat(name); err == nil {
				all = append(all, ended{id, info.ModTime()})
			}
		}
	})
	slices.SortFunc(all, func(a, b ended) int { return b.at.Compare(a.at) })
	for i, e := range all {
		if i < maxEnded && !s.isOlder(e.at, keepEnded) {
			continue
		}
		if end := s.endOf(e.id); i >= maxEnded || end == nil || s.isOlder(end.At, keepEnded) {
			s.removeEnded(e.id)
		}
	}
}

// removeEnded removes an ask that has ended. The end is last: while it exists, the ask can't be ended again.
func (s *Store) removeEnded(id string) {
	for _, suffix := range []string{askEnd, toldEnd, waiting.End} {
		s.removeFile(waiting.Ended, id+suffix)
	}
}

// Forget removes the asks of a project that have ended.
func (s *Store) Forget(project string) {
	items, _ := s.List(true)
	for _, item := range items {
		if item.Project == project && item.State != Waiting {
			s.removeEnded(item.ID)
		}
	}
}
