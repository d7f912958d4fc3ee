// The lock: a file next to the target that only Gatehouse's own processes lock (flock). The system releases the lock of a killed
// process; the file that it leaves behind is empty, and is taken over by the next writer.

package statefile

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"time"
)

const (
	// lockPatience is how long to wait for another process's lock; a write takes milliseconds.
	lockPatience = 12 * time.Second
	// lockPoll is the longest time between two looks at another process's lock.
	lockPoll = 25 * time.Millisecond
	// lockEnd is the suffix of the names of locks.
	lockEnd = ".lock"
)

// lock is a lock that is held.
type lock struct {
	at   *location
	file *File
}

func (p *location) lockName() string { return p.name + lockEnd }

// acquireLock takes the lock of a file. While another process holds it, it waits until ctx ends or lockPatience has passed.
func (s *Store) acquireLock(ctx context.Context, p *location) (*lock, error) {
	until := s.now().Add(lockPatience)
	for wait := time.Millisecond; ; wait = min(2*wait, lockPoll) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l, err := p.tryLock()
		switch {
		case err == nil:
			p.locked = true
			return l, nil
		case errors.Is(err, errNotRegular):
			return nil, &Error{Path: p.path() + lockEnd, Text: "is not a lock but something else", Fix: "remove what stands there", Err: ErrBusy}
		case !errors.Is(err, ErrBusy):
			return nil, p.writeError(err)
		case !s.now().Before(until):
			return nil, p.fault("is locked by another process", "try again; if nobody writes it, remove "+p.lockName(), ErrBusy)
		}
		if err := s.pause(ctx, wait/2+rand.N(wait)); err != nil {
			return nil, err
		}
	}
}

// tryLock takes the lock, or returns [ErrBusy]. A file with content is the lock of another program. On a file system without locks
// it succeeds: the file is compared again before it is replaced.
func (p *location) tryLock() (*lock, error) {
	f, err := p.dir.OpenFile(p.lockName(), os.O_RDONLY|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	locked := f.TryLock()
	info, err := f.Stat()
	if here, gone := p.dir.Lstat(p.lockName()); err == nil && (locked == errLocked || gone != nil || !os.SameFile(info, here) || info.Size() > 0) {
		err = ErrBusy // or its holder has just removed it
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &lock{p, f}, nil
}

// releaseLock gives the lock back. The file is removed first: another process must not lock it in between.
func (l *lock) releaseLock() {
	if l.at.dir.Remove(l.at.lockName()) != nil { // as on Windows, while it is open
		l.file.Close()
		l.at.dir.Remove(l.at.lockName())
	}
	l.file.Close()
}
