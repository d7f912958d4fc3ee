// The lock: a file next to the target, used only by Gatehouse's own processes. It is created from a finished file: a
// process killed between creating and writing it would leave a lock without a holder, and all others would have to wait
// until it is old.

package statefile

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	mathrand "math/rand/v2"
	"os"
	"strings"
	"time"

	"gatehouse/model/line"
	"gatehouse/parse/disk/process"
)

const (
	// lockStale is the age at which a lock is broken regardless of its holder; a write takes milliseconds.
	lockStale = 10 * time.Second
	// lockPatience is how long to wait for another process's lock: longer than an abandoned lock can last.
	lockPatience = 12 * time.Second
	// lockSize is how many bytes of a lock are read.
	lockSize = 4096
	// lockPoll is the longest time between two looks at another process's lock.
	lockPoll = 25 * time.Millisecond
	// lockEnd is the suffix of the names of locks.
	lockEnd = ".lock"
	// breaking is the prefix in the name of the lock that guards the removal of another one.
	breaking = ".breaking"
)

// lockStart is the beginning of the text of each lock.
const lockStart = `{"pid":`

// holder is the holder according to the lock.
type holder struct {
	process.ID
	Since time.Time `json:"since"`
	Token string    `json:"token"` // unique to this lock
}

// lock is a lock that is held.
type lock struct {
	at   *location
	text string // its content
}

func (p *location) lockName() string { return p.name + lockEnd }

// acquireLock takes the lock of a file. While another process holds it, it waits until ctx ends or lockPatience has passed.
func (s *Store) acquireLock(ctx context.Context, p *location) (*lock, error) {
	l, err := s.newLock(p)
	if err != nil {
		return nil, p.writeError(err)
	}
	until := s.now().Add(lockPatience)
	for wait := time.Millisecond; ; wait = min(2*wait, lockPoll) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		_, err := p.dir.Lstat(p.lockName())
		if errors.Is(err, fs.ErrNotExist) {
			if err = l.make(); err == nil {
				return l, nil
			}
		}
		if err != nil && !errors.Is(err, fs.ErrExist) && !errors.Is(err, errAgain) {
			return nil, p.writeError(err)
		}
		held, info, err := p.readLock()
		switch {
		case errors.Is(err, fs.ErrNotExist) && s.now().Before(until):
			continue // just given back
		case errors.Is(err, errNotRegular):
			return nil, &Error{Path: p.path() + lockEnd, Text: "is not a lock but something else", Fix: "remove what stands there", Err: ErrBusy}
		case err == nil && s.abandoned(held, info):
			s.breakLock(p, held)
		}
		if !s.now().Before(until) {
			return nil, p.fault("is locked: "+said(held), "try again; if nobody writes it, remove "+p.lockName(), ErrBusy)
		}
		if err := s.pause(ctx, wait/2+mathrand.N(wait)); err != nil {
			return nil, err
		}
	}
}

// make creates the lock file. It fails with fs.ErrExist if there is one.
func (l *lock) make() error {
	err := l.at.putNew(l.at.lockName(), l.text, false)
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	// Others can see it half-written, but no other way ensures that only one process creates it.
	_, err = l.at.writeTemp(l.at.lockName(), l.text, nil, false)
	return err
}

// readLock returns the content of the lock file.
func (p *location) readLock() (text string, info fs.FileInfo, err error) {
	return p.readSmall(p.lockName())
}

func (p *location) readSmall(name string) (text string, info fs.FileInfo, err error) {
	f, err := p.dir.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return "", nil, err
	}
	b, err := io.ReadAll(io.LimitReader(f, lockSize))
	return string(b), info, err
}

// abandoned reports whether the holder of a lock is gone. A lock with foreign content is not ours to break.
func (s *Store) abandoned(text string, info fs.FileInfo) bool {
	h, ours := parseHolder(text)
	switch {
	case ours && process.LifeOf(s.system, h.ID) == process.Gone:
		return true
	case ours, strings.HasPrefix(text, lockStart), strings.HasPrefix(lockStart, text): // whole, or half written
		return isStale(s.now(), info)
	}
	return false
}

// parseHolder returns the holder in a lock, and whether the lock is one of ours.
func parseHolder(text string) (h holder, ours bool) {
	err := json.Unmarshal([]byte(text), &h)
	return h, err == nil && h.PID > 0 && h.Token != ""
}

// said describes the holder of a lock for people.
func said(text string) string {
	h, ours := parseHolder(text)
	if !ours {
		return "something that is not gatehouse holds its lock"
	}
	return fmt.Sprintf("process %d on %s holds it since %s", h.PID, line.Clean(h.Host), h.Since.Local().Format(time.TimeOnly))
}

// breakLock removes a lock with the given text, whose holder is gone. A lock of its own ensures that only one process
// does so at a time: the old lock stays until that process removes it, so that no newly taken lock is removed by
// mistake.
func (s *Store) breakLock(p *location, text string) {
	q := *p
	q.name += breaking
	l, err := s.newLock(&q)
	if err != nil {
		return
	}
	if l.make() != nil {
		if other, info, err := q.readLock(); err == nil && s.abandoned(other, info) {
			q.dir.Remove(q.lockName()) // of one that was killed between these lines
		}
		return
	}
	if now, _, err := p.readLock(); err == nil && now == text {
		p.dir.Remove(p.lockName())
	}
	l.releaseLock()
}

// newLock returns a lock of ours that is not made yet.
func (s *Store) newLock(p *location) (*lock, error) {
	text, err := json.Marshal(holder{ID: p.self, Since: s.now().UTC(), Token: rand.Text()})
	return &lock{at: p, text: string(text)}, err
}

// isHeld reports whether the lock is still ours: one older than lockStale is given up by others.
func (l *lock) isHeld() bool {
	text, _, err := l.at.readLock()
	return err == nil && text == l.text
}

// releaseLock gives the lock back.
func (l *lock) releaseLock() {
	if l.isHeld() {
		l.at.dir.Remove(l.at.lockName())
	}
}
