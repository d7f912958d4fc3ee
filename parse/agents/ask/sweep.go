package ask

// Sweeping: what nobody waits for any more is ended, and what is old goes.

import (
	"os"
	"slices"
	"strings"
	"time"

	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/statefile"
)

const (
	// keepEnded is how long an ask that has ended can be looked at, and mostEnded how many of them.
	keepEnded = 24 * time.Hour
	mostEnded = 200
	// keepUnheld is how long an ask waits that nobody holds and that says no time itself.
	keepUnheld = 7 * 24 * time.Hour
	// leftBehind is how old a file beside its place must be to be one that its writer has left behind.
	leftBehind = time.Minute
)

// Sweep ends the asks whose askers are gone or whose time is up, and removes what is old. Whoever lists asks does it before, and a
// dashboard every few seconds: a look at an ask costs some ten microseconds.
func (s *Store) Sweep() {
	waits := map[string]bool{}
	r := s.Reader()
	r.each(waiting.Dir, func(dir *os.Root, name string) {
		if n, ok := waiting.Parse(name); ok {
			waits[n.ID] = !s.sweepAsk(dir, name)
		} else {
			s.sweepTemp(dir, name)
		}
	})
	s.sweepEnded(waits)
	r.each(sessionsDir, func(dir *os.Root, name string) { s.sweepSession(dir, name) })
	r.each(dashboardsDir, func(dir *os.Root, name string) {
		if abandoned(dir, name) {
			dir.Remove(name)
		}
	})
}

// sweepAsk ends an ask that nobody waits for any more, tidies where one has ended, and reports whether it has.
func (s *Store) sweepAsk(dir *os.Root, name string) bool {
	n, _ := waiting.Parse(name)
	switch _, err := os.Lstat(waiting.EndPath(s.dir, n.ID)); {
	case err == nil:
		s.moveAside(n)
		return true
	case n.Held && abandoned(dir, name):
		_, _, err := s.finish(n, End{State: Withdrawn, Reason: "whoever asked is gone"})
		return err == nil
	case !n.Held && s.overdue(dir, name, n.ID):
		_, _, err := s.finish(n, End{State: Expired})
		return err == nil
	}
	return false
}

// abandoned reports whether a file is there that nobody holds.
func abandoned(dir *os.Root, name string) bool {
	f, err := statefile.OpenRegular(dir, name, os.O_RDONLY, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return !held(f)
}

// overdue reports whether the time of an ask is up that nobody holds.
func (s *Store) overdue(dir *os.Root, name, id string) bool {
	a, err := askIn(dir, name, id)
	if err != nil {
		return false
	}
	return !a.Until.IsZero() && s.now().After(a.Until) || s.old(a.Since, keepUnheld)
}

// sweepTemp removes what a writer that was killed has left behind beside its place. How old that is the file system says alone: what was
// made just now is as young as its directory, whatever a clock of ours says, and its writer may not hold it yet.
func (s *Store) sweepTemp(dir *os.Root, name string) {
	if !strings.HasPrefix(name, ".") || !strings.HasSuffix(name, tempEnd) {
		return
	}
	info, err := dir.Lstat(name)
	if err != nil {
		return
	}
	now, err := dir.Stat(".")
	if err == nil && now.ModTime().Sub(info.ModTime()).Abs() > leftBehind && abandoned(dir, name) {
		dir.Remove(name)
	}
}

// old reports whether something was so long ago, or is so far ahead of the clock.
func (s *Store) old(at time.Time, age time.Duration) bool { return s.now().Sub(at).Abs() > age }

// sweepEnded removes ended asks that are old, or of which there are too many; none whose file waits still.
func (s *Store) sweepEnded(waits map[string]bool) {
	type ended struct {
		id   string
		info os.FileInfo
	}
	var all []ended
	s.Reader().each(waiting.Ended, func(dir *os.Root, name string) {
		s.sweepTemp(dir, name)
		id, ok := strings.CutSuffix(name, waiting.End)
		if info, err := dir.Lstat(name); ok && err == nil && !waits[id] {
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
		if i < mostEnded {
			if !s.old(e.info.ModTime(), keepEnded) {
				continue
			}
			if end := endIn(dir, e.id); end != nil && !s.old(end.At, keepEnded) {
				continue // the clock of the file system is another one
			}
		}
		forget(dir, e.id)
	}
}

// forget removes an ask that has ended.
func forget(dir *os.Root, id string) {
	dir.Remove(id + askEnd)
	dir.Remove(id + toldEnd)
	dir.Remove(id + waiting.End) // last: while it is there, nobody can end the ask again
}

// Forget removes what was asked in a project and has ended.
func (s *Store) Forget(project string) {
	items, _ := s.List(true)
	dir, err := s.enter(waiting.Ended, false)
	if err != nil {
		return
	}
	defer dir.Close()
	for i := range items {
		if item := &items[i]; item.Project == project && item.State != Waiting {
			forget(dir, item.ID)
		}
	}
}
