package ask

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/disk/process"
	"gatehouse/parse/disk/statefile"
)

const (
	sessionsDir   = "sessions"
	dashboardsDir = "dashboards"
	statuslineDir = "statusline"

	askEnd  = ".ask"
	toldEnd = ".told"
	tempEnd = ".tmp"

	// schema is the version of the files. It grows when a field changes its meaning or disappears.
	schema = 1
	// sizeLimit is the largest file that is written or read.
	sizeLimit = 8 << 20
	// maxWaiting is how many asks may be open at once. No human answers a thousand; more come from a runaway loop.
	maxWaiting = 1000
)

// The errors of the store. Nobody can decide about a part of a text, so long ones are refused.
var (
	ErrNone    = errors.New("no such ask")
	ErrSeveral = errors.New("several asks begin with this")
	ErrFull    = errors.New("1000 asks wait already; answer or withdraw some: gatehouse asks")
	ErrLong    = errors.New("too long to be shown whole")
	ErrLater   = errors.New("a newer gatehouse asks it")

	errUnreadable = errors.New("unreadable") // a file can't be read now, regardless of its content
)

// Store is the asks and sessions of a user. Several goroutines and several processes may use it at once.
type Store struct {
	Options
	caller model.Caller
	sign   func(*model.Decision, string) error
	system *statefile.System
	limit  int // open asks at most: maxWaiting, less in tests
}

// Options are the parameters of [Open].
type Options struct {
	Dir     string // of the store, absolute; it need not exist; see [waiting.StorePath]
	Journal string // directory of the journals of decisions, absolute; without it nothing can be answered
	User    string // login name of the human who answers
	Table   process.Table
	Now     func() time.Time
}

// Open returns the store in a directory. It creates nothing.
func Open(o Options) *Store { return &Store{Options: o, limit: maxWaiting} }

// By returns the same store for answers of a caller. sign signs a decision before it is recorded, together with a hash
// of the question; it may be nil.
func (s *Store) By(c model.Caller, sign func(d *model.Decision, evidence string) error) *Store {
	other := *s
	other.caller, other.sign = c, sign
	return &other
}

// For returns the same store for answers of a person on another machine: the journal has their name.
func (s *Store) For(user string) *Store {
	other := *s
	other.User, other.caller = user, model.Caller{How: model.HowRemote}
	return &other
}

// Dirs returns the directories of a store that change when something is asked, answered or done, relative to it.
func Dirs() []string { return []string{waiting.Dir, waiting.Ended, sessionsDir} }

// openDir opens a directory of the store. It refuses directories that other users own or can write to, because they could plant answers.
func (s *Store) openDir(name string, create bool) (*statefile.Directory, error) {
	if s.Dir == "" {
		return nil, errors.New("there is no place for asks; set HOME or XDG_STATE_HOME")
	}
	path := filepath.Join(s.Dir, name)
	if create {
		if err := s.system.MakeAll(path, 0o700); err != nil {
			return nil, fmt.Errorf("%s: cannot be created: %w; check the permissions of its parent directories", path, statefile.Cause(err))
		}
	}
	for _, dir := range []string{s.Dir, path} {
		info, err := os.Lstat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, err
		case err != nil:
			return nil, fmt.Errorf("%s: cannot be opened: %w; check its permissions", dir, statefile.Cause(err))
		case !info.IsDir():
			return nil, fmt.Errorf("%s: not a directory; remove it", dir)
		}
		if err := statefile.Trusted(info); err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
	}
	real, _ := peek.RealPath(path)
	dir, err := s.system.Open(cmp.Or(real, path))
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be opened: %w; check its permissions", path, statefile.Cause(err))
	}
	return dir, nil
}

// writeError returns the error of a write to a directory of the store.
func (s *Store) writeError(dir string, err error) error {
	return fmt.Errorf("%s: cannot be written: %w; fix that first, agents cannot ask until then", filepath.Join(s.Dir, dir), statefile.Cause(err))
}

// writeFile puts a complete file in place and returns it open and locked. The file has the value, or nothing for nil. If the name exists and
// must not be replaced the error is fs.ErrExist.
func (s *Store) writeFile(in, name string, value any, replace bool) (*statefile.File, error) {
	var text []byte
	if value != nil {
		members, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		text = fmt.Appendf(nil, `{"schema":%d,%s`, schema, members[1:])
	}
	if len(text) > sizeLimit {
		return nil, ErrLong
	}
	dir, err := s.openDir(in, true)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	temp, place := "."+rand.Text()+tempEnd, dir.Link
	if replace {
		place = dir.Rename
	}
	f, err := dir.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, s.writeError(in, err)
	}
	f.TryLock() // on systems without locks nothing is ever swept
	if _, err = f.Write(text); err == nil {
		err = place(temp, name)
	}
	if err != nil || !replace {
		dir.Remove(temp)
	}
	switch {
	case err == nil:
		return f, nil
	case !errors.Is(err, fs.ErrExist):
		err = s.writeError(in, err)
	}
	f.Close()
	return nil, err
}

// createFile is writeFile for a new file that no process holds.
func (s *Store) createFile(in, name string, value any) error {
	f, err := s.writeFile(in, name, value, false)
	if err != nil {
		return err
	}
	return f.Close()
}

// readValue reads the value in a file of the store. The error is an errUnreadable if the file can't be read.
func readValue[T any](dir *statefile.Directory, name string) (value T, err error) {
	f, err := dir.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return value, fmt.Errorf("%w: %w", errUnreadable, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !statefile.IsOwn(info) || info.Size() > sizeLimit {
		return value, fmt.Errorf("%w: not of this user, or larger than 8 MiB", errUnreadable)
	}
	text, err := io.ReadAll(io.LimitReader(f, sizeLimit))
	if err != nil {
		return value, fmt.Errorf("%w: %w", errUnreadable, err)
	}
	var version struct{ Schema int }
	switch err = json.Unmarshal(text, &version); {
	case err != nil:
		return value, err
	case version.Schema > schema:
		return value, ErrLater
	case version.Schema < schema:
		return value, fmt.Errorf("schema %d is not supported, only %d", version.Schema, schema)
	}
	return value, json.Unmarshal(text, &value)
}

// eachName calls visit with the names in a directory of the store, up to a limit. A missing directory has none.
func (s *Store) eachName(in string, visit func(dir *statefile.Directory, name string)) error {
	dir, err := s.openDir(in, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer dir.Close()
	names, err := dir.Names(waiting.Most)
	for _, name := range names {
		visit(dir, name)
	}
	return err
}

// removeFile removes a file of the store if it exists.
func (s *Store) removeFile(in, name string) {
	if dir, err := s.openDir(in, false); err == nil {
		dir.Remove(name)
		dir.Close()
	}
}

// newID returns a random ID: 40 bits in lower-case letters and digits.
func newID() string { return strings.ToLower(rand.Text()[:waiting.IDSize]) }

// Presence marks an open dashboard that shows asks, as long as its process runs. Hooks that hold up their client's own prompt wait only
// while there is one.
type Presence struct {
	store *Store
	name  string
	file  *statefile.File
}

// Attend marks that a dashboard shows asks from now on.
func (s *Store) Attend() (*Presence, error) {
	name := rand.Text() + waiting.Held
	f, err := s.writeFile(dashboardsDir, name, nil, false)
	return &Presence{s, name, f}, err
}

// Close removes the mark.
func (p *Presence) Close() {
	p.store.removeFile(dashboardsDir, p.name)
	p.file.Close()
}

// Attended reports whether a dashboard shows asks.
func (s *Store) Attended() (yes bool) {
	s.eachName(dashboardsDir, func(dir *statefile.Directory, name string) { yes = yes || !isAbandoned(dir, name) })
	return yes
}

// Lease takes a lock of the store for this process, by name. It fails if another process has it, or if the store cannot
// be written. Close releases the lock.
func (s *Store) Lease(name string) (io.Closer, error) {
	dir, err := s.openDir("", true)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	f, err := dir.OpenFile(name+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, s.writeError("", err)
	}
	if f.TryLock() != nil {
		f.Close()
		return nil, fmt.Errorf("%s: held by another process", name)
	}
	return f, nil
}
