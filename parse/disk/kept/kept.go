// Package kept stores Gatehouse's memory for its user between runs, in the user's own state directory: the known
// projects, and the view settings of each.
//
// Losing it is harmless: an unreadable file is reported once and rewritten; files from a later version are left alone.
package kept

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"

	"gatehouse/parse/disk/peek"
	"gatehouse/parse/disk/statefile"
)

// Version is the version of the file format. A later one is not read, and not overwritten.
const Version = 1

// sizeLimit is how large a file may be, in bytes: the longest has some 100 KiB.
const sizeLimit = 1 << 20

// Store is a directory of such files. Its methods may be called from several goroutines, and by several processes.
type Store struct {
	dir   string
	files *statefile.Store
	sys   *statefile.System
}

// Open returns the store in an absolute directory on a system; nil is the system of the process. It creates nothing.
// With the directory "" the store is empty and discards saved values.
func Open(system *statefile.System, dir string) *Store {
	if system == nil {
		system = &statefile.System{Unsynced: true} // losing it in a power failure is harmless
	}
	return &Store{dir: dir, files: statefile.NewStore(system), sys: system}
}

// file is the form of each file.
type file struct {
	Version int             `json:"version"`
	Kept    json.RawMessage `json:"kept"`
}

// Load reads the stored value of a name. The value stays unchanged if nothing usable is stored.
func (s *Store) Load(name string, into any) error {
	if s.dir == "" {
		return nil
	}
	path, err := s.filePath(name)
	if err != nil {
		return err
	}
	text, cut, err := peek.ReadFile(path, "", sizeLimit)
	switch {
	case err != nil && peek.Missing(err):
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w; what was remembered is not used", path, err)
	case cut:
		return fmt.Errorf("%s: it is larger than %d KiB; what was remembered is not used", path, sizeLimit>>10)
	}
	if err := decodeKept(text, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

var (
	errLater = errors.New("it is of a later version of gatehouse, and left alone; nothing is remembered")
	errTorn  = errors.New("it can't be read, and will be written anew; what was remembered is lost")
)

// decodeKept reads the text of a file into a value.
func decodeKept(text string, into any) error {
	var f file
	err := json.Unmarshal([]byte(text), &f)
	if f.Version > Version {
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

// Change updates the value of a name depending on its stored value: that is read into before, and then value is called.
// No other process changes it during that time.
func (s *Store) Change(ctx context.Context, name string, before any, value func() any) error {
	if s.dir == "" {
		return nil
	}
	path, err := s.filePath(name)
	if err != nil {
		return err
	}
	if err := s.sys.MakeAll(s.dir, 0o700); err != nil {
		return s.wrapFault(err)
	}
	_, err = s.files.Put(ctx, statefile.Target{Path: path, Within: []string{s.dir}}, func(content string, exists bool) (string, error) {
		var f file
		if exists && json.Unmarshal([]byte(content), &f) == nil && f.Version > Version {
			return "", statefile.ErrNothing
		}
		if before != nil && f.Version == Version {
			_ = json.Unmarshal(f.Kept, before) // unreadable content is overwritten
		}
		text, err := json.Marshal(value())
		if err != nil {
			return "", err
		}
		text, err = json.Marshal(file{Version, text})
		return string(text) + "\n", err
	})
	if err != nil && !errors.Is(err, statefile.ErrNothing) {
		return s.wrapFault(err)
	}
	return nil
}

func (s *Store) wrapFault(err error) error {
	return fmt.Errorf("nothing can be remembered in %s: %w", s.dir, err)
}

// plain matches the valid names: none of them leaves the directory, on any system.
var plain = regexp.MustCompile(`^[a-z0-9-]{1,64}$`)

// filePath returns the file of a name, or an error if the name is invalid.
func (s *Store) filePath(name string) (string, error) {
	if !plain.MatchString(name) {
		return "", fmt.Errorf("nothing can be remembered as %q: that is no name of a file", name)
	}
	return filepath.Join(s.dir, name+".json"), nil
}
