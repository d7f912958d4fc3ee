// Package statefile writes state files atomically: an agent, an editor, a second Gatehouse, or a reader after a power
// failure finds the old file or the new one, whole.
//
//	lock ─► read ─► change ─► write temporary file ─► fsync ─► read again ─► exchange ─► read what came out ─► fsync of the directory ─► unlock
//	          ▲                                                    │                           │
//	          └────────────── the file has changed ◄───────────────┴──── and is put back ◄─────┘
//
// Agents do not use the lock. A write between the second reading and the exchange of the two names is detected in the
// exchanged file, and put back. Two kinds of writes are lost: those of a program that has opened the file before and
// writes into it afterwards; and, if the system or file system can't exchange names (Windows, some network shares) or
// the process is killed in between, those at that moment. If another program overwrites the result, the journal shows it
// later. Between Gatehouse processes nothing is lost.
//
// The directory is opened once, after all links are resolved and the target is known to be in an allowed place, and
// everything happens in that open directory: swapping a directory for a link during the write does not lead out of the
// project.
//
// A replaced file keeps its name and permission bits, and the owner and group as far as the user may set them. A file with
// an access control list is not replaced (on macOS the list is not seen, and is lost); other extended attributes are lost.
//
// A process killed at any moment leaves the old file or the new one, and perhaps a temporary file: the next writer in
// that directory removes it.
//
// google/renameio and natefinch/atomic do the middle of this, temporary file, fsync and rename; neither locks, looks
// again before the rename, syncs the directory, or lets a test fail each step. Using them would save twenty lines.
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

// SizeLimit is the largest file that can be changed, before and after: the limit for reading a whole file.
const SizeLimit = peek.Limit

const (
	// changingFor is how long a change is tried on a file that keeps changing before it is given up. An agent that writes every 10 ms
	// leaves time for some of the tries.
	changingFor = time.Second
	leastTries  = 3                    // however slow the disk is
	tryPause    = 5 * time.Millisecond // between them
)

var (
	// ErrNothing is returned by a change that leaves the file as it is.
	ErrNothing = errors.New("nothing to write")
	// ErrBusy means that another process holds the lock of the file.
	ErrBusy = errors.New("locked")
	// ErrChanging means that another writer kept changing the file.
	ErrChanging = errors.New("keeps changing")
	// ErrNotText means a file that is UTF-16 or holds NUL bytes.
	ErrNotText = errors.New("not text")
)

// errAgain means that the file has changed between the reading and the writing.
var errAgain = errors.New("changed meanwhile")

// Error is the reason why a file was not read or written. After a failed write, the file is unchanged.
type Error struct {
	Path string // absolute
	Text string // why, continuing the path: "is read-only"
	Fix  string // the remedy
	Err  error  // the underlying error, for errors.Is; nil for none
}

// Error returns path, reason and next step, on one line and fit to be shown: names of files may be hostile.
func (e *Error) Error() string { return line.Clean(e.Path + ": " + e.Text + "; " + e.Fix) }

// Unwrap returns the underlying error.
func (e *Error) Unwrap() error { return e.Err }

// Hash returns the hash of a content: "sha256:" and 64 hexadecimal digits.
func Hash(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Target is a file to be read or written.
type Target struct {
	Path string // absolute
	// Within are absolute directories. One of them must contain the file after resolving all links: the project
	// and its trusted homes. Without any, nothing is written.
	Within []string
}

// Store reads and writes state files. Its methods may be called from several goroutines.
type Store struct {
	system *System
	now    func() time.Time
	pause  func(ctx context.Context, d time.Duration) error
}

// NewStore returns the store of a system.
func NewStore(system *System) *Store {
	return &Store{system: system, now: time.Now, pause: pauseFor}
}

// pauseFor waits, or returns the error of ctx.
func pauseFor(ctx context.Context, d time.Duration) error {
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
	p, err := s.enterTarget(t)
	if err != nil {
		return "", err
	}
	defer p.dir.Close()
	current, err := p.readVersion(false)
	if err != nil {
		return "", err
	}
	return current.content, nil
}

// Replace changes a file. It passes the content to change and writes the result; if the file has changed since, it
// starts over with the new content, for up to a second under the one lock. So change has to check its argument each
// time. An error of its own ends Replace and is returned unchanged, except that a content in the middle of being
// written is passed once more. It returns how often the change was made, from 1.
//
// The error is [ErrNothing] if change returns it or leaves the content unchanged; the context's, which ends waiting for
// another's lock; or an [*Error]: [ErrBusy] is a lock held by another process, [ErrChanging] a file that
// changes too often, and errors of package fs and parse/disk/peek identify the others. With an error the file was not
// touched.
func (s *Store) Replace(ctx context.Context, t Target, change func(content string) (string, error)) (tries int, err error) {
	return s.rewriteTarget(ctx, t, rewriting{change: func(content string, _ bool) (string, error) { return change(content) }})
}

// rewriteTarget makes attempts, holding the lock, until no other writer interferes. It creates no temporary file if the write cannot succeed.
func (s *Store) rewriteTarget(ctx context.Context, t Target, r rewriting) (tries int, err error) {
	enter := s.enterTarget
	if r.mustMake {
		enter = s.enterParent
	}
	p, err := enter(t)
	if r.mayMake && errors.Is(err, fs.ErrNotExist) {
		p, err = s.enterParent(t)
	}
	if err != nil {
		return 0, err
	}
	defer p.dir.Close()
	if _, err := p.currentVersion(r); err != nil {
		p.sweepLitter()
		return 0, err
	}
	if !r.mustMake { // creating a file replaces none, even without a lock
		l, err := s.acquireLock(ctx, p)
		if err != nil {
			return 0, err
		}
		defer l.releaseLock()
	}
	p.sweepLitter()
	until := s.now().Add(changingFor)
	for try := 1; ; try++ {
		err := p.attemptWrite(r)
		if errors.Is(err, errAgain) && try >= leastTries && s.now().After(until) {
			err = p.fault("keeps being changed by another writer", "try again when that one is done", ErrChanging)
		}
		if !errors.Is(err, errAgain) {
			if r.ended != nil {
				err = r.ended(err)
			}
			return try, err
		}
		if err := s.pause(ctx, tryPause); err != nil {
			return 0, err
		}
	}
}

// Create writes a new file, in a directory that exists, with the permissions of any new file of the user. If the name
// exists already, the error is an [*Error] that wraps [fs.ErrExist], and the existing file stays.
func (s *Store) Create(ctx context.Context, t Target, content string) error {
	_, err := s.rewriteTarget(ctx, t, rewriting{change: func(string, bool) (string, error) { return content, nil }, mayMake: true, mustMake: true})
	return err
}

// Put is [Store.Replace] for a file that may be missing: change learns whether it exists, and gets "" if not; the file
// is created then.
func (s *Store) Put(ctx context.Context, t Target, change func(content string, exists bool) (string, error)) (tries int, err error) {
	return s.rewriteTarget(ctx, t, rewriting{change: change, mayMake: true})
}

// Decide is [Store.Replace], or [Store.Put] if the file may be made, with an end: ended gets the result while the lock is still held, and
// returns what the caller gets. It is not called if the lock can't be taken.
func (s *Store) Decide(ctx context.Context, t Target, mayMake bool, change func(content string, exists bool) (string, error), ended func(error) error) error {
	_, err := s.rewriteTarget(ctx, t, rewriting{change: change, mayMake: mayMake, ended: ended})
	return err
}
