// Package kept holds what gatehouse remembers for its user from one run to the next, in the user's own state directory: which
// projects there were, and how each was looked at.
//
// All of it may be lost, and nothing of it is ever in the way: what can't be read is an error that is worth saying once, and is
// written anew; what a later version wrote is left alone.
package kept

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"sync"

	"gatehouse/parse/disk/peek"
	"gatehouse/parse/disk/statefile"
)

// Version is that of the form of the files. A later one is not understood, and not written over.
const Version = 1

// sizeLimit is how large a file may be, in bytes: the longest has some 100 KiB.
const sizeLimit = 1 << 20

// Store is a directory of such files. Its methods may be called from several goroutines, and by several processes.
type Store struct {
	dir   string
	files *statefile.Store
	sys   statefile.System
	mu    sync.Mutex
	later map[string]bool // files of a later version
}

// Open returns the store in a directory, absolute, on a system; nil is that of the process. It creates nothing. A directory ""
// is none: there is nothing to read, and what is saved is forgotten.
func Open(system statefile.System, dir string) *Store {
	if system == nil {
		system = statefile.Unsynced{} // what a power failure takes is no loss
	}
	return &Store{dir: dir, files: statefile.NewStore(system), sys: system, later: map[string]bool{}}
}

// file is the form of each file.
type file struct {
	Version int             `json:"version"`
	Kept    json.RawMessage `json:"kept"`
}

// Load reads what is kept under a name into a value, which stays as it is where nothing is, or nothing that can be used.
func (s *Store) Load(name string, into any) error {
	if s.dir == "" {
		return nil
	}
	path, err := s.path(name)
	if err != nil {
		return err
	}
	text, cut, err := peek.ReadFile(path, "", nil, sizeLimit)
	switch {
	case err != nil && peek.Missing(err):
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w; what was remembered is not used", path, err)
	case cut:
		return fmt.Errorf("%s: it is larger than %d KiB; what was remembered is not used", path, sizeLimit>>10)
	}
	if err := s.take(name, text, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

var (
	errLater = errors.New("it is of a later version of gatehouse, and left alone; nothing is remembered")
	errTorn  = errors.New("it can't be read, and will be written anew; what was remembered is lost")
)

// take reads the text of a file into a value.
func (s *Store) take(name, text string, into any) error {
	var f file
	err := json.Unmarshal([]byte(text), &f)
	if f.Version > Version {
		s.mu.Lock()
		s.later[name] = true
		s.mu.Unlock()
		return errLater
	}
	if err != nil || f.Version != Version || json.Unmarshal(f.Kept, into) != nil {
		return errTorn
	}
	return nil
}

// Save keeps a value under a name.
func (s *Store) Save(ctx context.Context, name string, value any) error {
	return s.Change(ctx, name, nil, func() any { return value })
}

// Change keeps a value under a name that depends on what is kept there now: that is read into before, and then the value is asked
// for. Nobody else changes it meanwhile.
func (s *Store) Change(ctx context.Context, name string, before any, value func() any) error {
	s.mu.Lock()
	later := s.later[name]
	s.mu.Unlock()
	if s.dir == "" || later {
		return nil
	}
	path, err := s.path(name)
	if err != nil {
		return err
	}
	if err := s.sys.MakeAll(s.dir, 0o700); err != nil {
		return s.fault(err)
	}
	_, err = s.files.Put(ctx, statefile.Target{Path: path, Within: []string{s.dir}}, func(content string, exists bool) (string, error) {
		var f file
		if exists && json.Unmarshal([]byte(content), &f) == nil && f.Version > Version {
			return "", statefile.ErrNothing
		}
		if before != nil && f.Version == Version {
			_ = json.Unmarshal(f.Kept, before) // what can't be read is written anew
		}
		text, err := json.Marshal(value())
		if err != nil {
			return "", err
		}
		text, err = json.Marshal(file{Version, text})
		return string(text) + "\n", err
	})
	if err != nil && !errors.Is(err, statefile.ErrNothing) {
		return s.fault(err)
	}
	return nil
}

func (s *Store) fault(err error) error {
	return fmt.Errorf("nothing can be remembered in %s: %w", s.dir, err)
}

// plain matches the names that there are: none of them leaves the directory, on any system.
var plain = regexp.MustCompile(`^[a-z0-9-]{1,64}$`)

// path returns the file of a name, an error where that is none.
func (s *Store) path(name string) (string, error) {
	if !plain.MatchString(name) {
		return "", fmt.Errorf("nothing can be remembered as %q: that is no name of a file", name)
	}
	return filepath.Join(s.dir, name+".json"), nil
}
