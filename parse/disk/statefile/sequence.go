// Helpers for changes of several files: a common lock, directories, files that may not exist yet, and archiving a file.

package statefile

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"gatehouse/parse/disk/peek"
)

// Hold takes a lock by a name, for a change of several files, and waits for it like [Store.Replace]. The name need not
// belong to a file: the lock is in its directory, which has to exist. Call release to unlock it.
func (s *Store) Hold(ctx context.Context, t Target) (release func(), err error) {
	p, err := s.enterParent(t)
	if err != nil {
		return nil, err
	}
	l, err := s.acquireLock(ctx, p)
	if err != nil {
		p.dir.Close()
		return nil, err
	}
	p.sweepLitter()
	return func() {
		l.releaseLock()
		p.dir.Close()
	}, nil
}

// MakeDir makes a directory, and missing ones above it, with the permissions of any new directory of the user. It
// succeeds if the directory exists.
func (s *Store) MakeDir(t Target) error {
	if _, ok := peek.RealPath(t.Path); ok {
		p, err := s.enterParent(Target{Path: filepath.Join(t.Path, "x"), Within: t.Within})
		if err != nil {
			return err
		}
		return p.dir.Close()
	}
	above := filepath.Dir(t.Path)
	if above == t.Path {
		return missingError(t.Path)
	}
	if err := s.MakeDir(Target{Path: above, Within: t.Within}); err != nil {
		return err
	}
	p, err := s.enterParent(t)
	if err != nil {
		return err
	}
	defer p.dir.Close()
	if err := p.dir.Mkdir(p.name, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return p.writeError(err)
	}
	return nil
}

// Move renames a file below a directory, both names "/"-separated and relative to it, and never replaces one: if the
// new name is taken by another file the error is an [*Error] that wraps [fs.ErrExist], and both stay. The directory of
// the new name has to exist. An interrupted move, which left the file with both names, is completed. If the old name
// does not exist the error wraps [fs.ErrNotExist].
func (s *Store) Move(t Target, from, to string) error {
	real, ok := peek.RealPath(t.Path)
	if !ok {
		return missingError(t.Path)
	}
	p, err := s.enterAt(t, real, filepath.FromSlash(from))
	if err != nil {
		return err
	}
	defer p.dir.Close()
	old, err := p.dir.Lstat(from)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p.fault("does not exist", "check the name", err)
	case err != nil:
		return p.writeError(err)
	case !old.Mode().IsRegular():
		return p.fault("is not a regular file", "move it yourself", peek.ErrNotRegular)
	}
	if err = p.dir.nameNew(from, to); errors.Is(err, fs.ErrExist) {
		q := &location{home: real, name: filepath.FromSlash(to)}
		return q.fault("exists already", "move one of the two away", fs.ErrExist)
	}
	if _, renamed := p.dir.Lstat(from); err == nil && renamed == nil { // without hard links it is gone
		err = p.dir.Remove(from)
	}
	if err != nil {
		return p.writeError(err)
	}
	p.dir.Sync()
	return nil
}

// Clear removes an empty directory; it keeps any other, which is not an error.
func (s *Store) Clear(t Target) {
	if p, err := s.enterParent(t); err == nil {
		if info, err := p.dir.Lstat(p.name); err == nil && info.IsDir() {
			p.dir.Remove(p.name)
		}
		p.dir.Close()
	}
}
