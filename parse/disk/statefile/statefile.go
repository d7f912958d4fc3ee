// Package statefile writes state files so that nobody ever reads half of one: an agent, an editor, a second gatehouse, or
// whoever comes after a power failure finds the old file or the new one, whole.
//
//	lock ─► read ─► change ─► write beside ─► fsync ─► read again ─► exchange ─► read what came out ─► fsync of the directory ─► unlock
//	          ▲                                            │                            │
//	          └──────────── it has changed meanwhile ◄─────┴──── and is put back ◄──────┘
//
// Agents do not know the lock. Who writes between the second reading and the exchange of the two names is seen by what comes out
// of it, and put back. Lost is who has opened the file before and writes into it afterwards; and, where a system or file system
// can't exchange names (Windows, some network shares) so that the file is renamed over the other, or who is killed in between,
// whoever comes in that moment. Who writes over what was written is found out later, by whoever wrote. Among ours nothing is lost.
//
// The directory is opened once, after all links are resolved and the target is known to lie where it may, and everything
// happens in what was opened: who swaps a directory for a link meanwhile leads nobody out of the project.
//
// What a replaced file keeps: its name, content as changed, permission bits, access control lists, extended attributes, and
// the owner and group as far as the user may give them. Where it would lose a list or an attribute that counts, or give
// anybody more rights, it is not replaced.
//
// Whoever is killed at any moment leaves the old file or the new one, and perhaps files that bear the process's name: the
// next one who writes in that directory takes them away (litter.go).
//
// google/renameio and natefinch/atomic do the middle of this, temporary file, fsync and rename; neither locks, looks again
// before the rename, syncs the directory, or lets a test fail each step, so that nothing but twenty lines would be saved.
package statefile

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"time"

	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
)

// SizeLimit is the largest file that is changed, before and after: what is read whole.
const SizeLimit = peek.Limit

const (
	// changingFor is how long a change is tried on a file that keeps changing before it is given up. An agent that writes every 10 ms
	// leaves time for some of the tries.
	changingFor = time.Second
	leastTries  = 3                    // however slow the disk is
	tryPause    = 5 * time.Millisecond // between them
)

var (
	// ErrNothing is what a change returns that leaves the file as it is.
	ErrNothing = errors.New("nothing to write")
	// ErrBusy means that another process holds the lock of the file.
	ErrBusy = errors.New("locked")
	// ErrChanging means that another writer kept changing the file.
	ErrChanging = errors.New("keeps changing")
	// ErrNotText means a file that is UTF-16 or holds NUL bytes.
	ErrNotText = errors.New("not text")
)

// errAgain says that the file has changed between the reading and the writing.
var errAgain = errors.New("changed meanwhile")

// Error says why a file was not read or written. Where a file was to be written, it is unchanged.
type Error struct {
	Path string // absolute
	Text string // why, continuing the path: "is read-only"
	Fix  string // what to do about it
	Err  error  // what it is about, for errors.Is; nil for none
}

// Error returns path, reason and next step, on one line and fit to be shown: names of files may be hostile.
func (e *Error) Error() string { return line.Clean(e.Path + ": " + e.Text + "; " + e.Fix) }

// Unwrap returns what it is about.
func (e *Error) Unwrap() error { return e.Err }

// Hash returns what tells one content from another: "sha256:" and 64 hexadecimal digits.
func Hash(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Target is a file to be read or written.
type Target struct {
	Path string // absolute
	// Within are the directories, absolute, in one of which the file has to lie once all links are resolved: the project
	// and its trusted homes. Without any, nothing is written.
	Within []string
}

// Written is what was done.
type Written struct {
	Path          string // of the file, absolute, all links resolved
	Before, After string // hashes of its content; Before is "" for a file that was created
	Content       string // what was written
	Tries         int    // how often the change was made, from 1
}

// Store reads and writes state files. Its methods may be called from several goroutines.
type Store struct {
	system System
	now    func() time.Time
	pause  func(ctx context.Context, d time.Duration) error
}

// NewStore returns the store of a system; nil is that of the process, [OS].
func NewStore(system System) *Store {
	if system == nil {
		system = OS{}
	}
	return &Store{system: system, now: time.Now, pause: pause}
}

// pause waits, or returns the error of ctx.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Read returns the content of a file, as [Store.Replace] would give it to a change.
func (s *Store) Read(t Target) (content string, err error) {
	p, err := s.enter(t)
	if err != nil {
		return "", err
	}
	defer p.dir.Close()
	stands, err := p.read(false)
	if err != nil {
		return "", err
	}
	return stands.content, nil
}

// Replace changes a file. It gives change the content and writes what that returns; where the file has changed meanwhile, it
// starts over with the new content, for up to a second under the one lock. So change has to judge what it is given each time, and an
// error of its own ends it: that error is returned as it is, except that a content that was just being written is given once
// more.
//
// The error is [ErrNothing] where change returns that or leaves the content as it was; that of ctx, which ends waiting for
// another's lock; or an [*Error], in which [ErrBusy] is a lock that another one holds, [ErrChanging] a file that changes too
// often, and those of package fs and parse/disk/peek tell the others apart. With an error the file was not touched.
func (s *Store) Replace(ctx context.Context, t Target, change func(content string) (string, error)) (Written, error) {
	p, err := s.enter(t)
	if err != nil {
		return Written{}, err
	}
	defer p.dir.Close()
	// Before anything is made beside it: what cannot be written leaves no trace.
	if _, err := p.read(true); err != nil {
		return Written{}, err
	}
	return s.rewrite(ctx, p, rewriting{change: func(content string, _ bool) (string, error) { return change(content) }})
}

// rewrite makes attempts, holding the lock, until nobody comes between.
func (s *Store) rewrite(ctx context.Context, p *location, r rewriting) (Written, error) {
	l, err := s.lock(ctx, p)
	if err != nil {
		return Written{}, err
	}
	defer func() { l.unlock() }()
	s.sweep(p)
	p.finish()
	until := s.now().Add(changingFor)
	for try := 1; ; try++ {
		w, err := s.attempt(p, r, l)
		if !errors.Is(err, errAgain) {
			w.Tries = try
			return w, err
		}
		if try >= leastTries && s.now().After(until) {
			return Written{}, p.fault("keeps being changed by another writer", "try again when that one is done", ErrChanging)
		}
		if !l.held() { // it was taken for one that was left behind
			taken, err := s.lock(ctx, p)
			if err != nil {
				return Written{}, err
			}
			l = taken
		}
		if err := s.pause(ctx, tryPause); err != nil {
			return Written{}, err
		}
	}
}

// Create writes a new file, in a directory that exists, with the permissions of any new file of the user. Where something of
// that name exists already, the error is an [*Error] that wraps [fs.ErrExist], and that stays as it is.
func (s *Store) Create(ctx context.Context, t Target, content string) (Written, error) {
	p, err := s.enterParent(t)
	if err != nil {
		return Written{}, err
	}
	defer p.dir.Close()
	r := rewriting{change: func(string, bool) (string, error) { return content, nil }, mayMake: true, mustMake: true}
	if _, err := p.stands(r); err != nil {
		s.sweep(p) // of whoever was killed having made it
		return Written{}, err
	}
	return s.rewrite(ctx, p, r)
}

// Put is [Store.Replace] for a file that need not exist: change is told whether it does, and given "" where it does not; the
// file is created then.
func (s *Store) Put(ctx context.Context, t Target, change func(content string, exists bool) (string, error)) (Written, error) {
	p, err := s.enter(t)
	if errors.Is(err, fs.ErrNotExist) {
		p, err = s.enterParent(t)
	}
	if err != nil {
		return Written{}, err
	}
	defer p.dir.Close()
	r := rewriting{change: change, mayMake: true}
	if _, err := p.stands(r); err != nil {
		return Written{}, err
	}
	return s.rewrite(ctx, p, r)
}
