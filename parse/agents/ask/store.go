package ask

import (
	"bytes"
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

	"gatehouse/parse/agents/waiting"
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

	// sizeLimit is the largest file that is written or read.
	sizeLimit = 8 << 20
	// maxWaiting is how many asks may be open at once. No human answers a thousand; more come from a runaway loop.
	maxWaiting = 1000
)

var (
	// ErrNone means that no ask has the ID.
	ErrNone = errors.New("no such ask")
	// ErrSeveral means that several IDs begin with the given text.
	ErrSeveral = errors.New("several asks begin with this")
	// ErrFull means that 1000 asks are open.
	ErrFull = errors.New("1000 asks wait already; answer or withdraw some: gatehouse asks")
	// ErrLong means that a text is too long to be shown whole. Nobody can decide about a part of it.
	ErrLong = errors.New("too long to be shown whole")
	// ErrLater means that the ask was written by a later version of gatehouse.
	ErrLater = errors.New("a newer gatehouse asks it")
)

// Store is the asks and sessions of a user. Several goroutines and several processes may use it at once.
type Store struct {
	dir     string
	journal string // directory of the journals of decisions, "" if there is none
	user    string // login name
	request string // ID of the request from another machine that is being carried out, "" if local
	table   process.Table
	now     func() time.Time
	tick    time.Duration
	disk    disk
	limit   int // open asks at most: maxWaiting, less in tests
}

// Options are the parameters of [Open].
type Options struct {
	Dir     string // of the store, absolute; see [waiting.StorePath]
	Journal string // directory of the journals of decisions, absolute; without it nothing can be answered
	User    string // login name of the human who answers
	Table   process.Table
	Now     func() time.Time
	Tick    time.Duration // how often a waiting asker polls; default one second
}

// Open returns the store in a directory. It creates nothing.
func Open(o Options) *Store {
	return &Store{
		dir: o.Dir, journal: o.Journal, user: o.User, table: o.Table, now: o.Now,
		tick: cmp.Or(o.Tick, time.Second), disk: system{}, limit: maxWaiting,
	}
}

// For returns the same store for answers of a person on another machine: the journal has their name and the ID of the request.
func (s *Store) For(user, request string) *Store {
	other := *s
	other.user, other.request = user, request
	return &other
}

// Dir returns the directory of the store. It may not exist.
func (s *Store) Dir() string { return s.dir }

// User returns the login name of the human who answers.
func (s *Store) User() string { return s.user }

// Dirs returns the directories of a store that change when something is asked, answered or done, relative to it.
func Dirs() []string { return []string{waiting.Dir, waiting.Ended, sessionsDir} }

// enter opens a directory of the store. It refuses directories that other users own or can write to, because they could plant answers.
func (s *Store) enter(name string, create bool) (*os.Root, error) {
	if s.dir == "" {
		return nil, errors.New("there is no place for asks; set HOME or XDG_STATE_HOME")
	}
	path := filepath.Join(s.dir, name)
	if create {
		if err := s.disk.MkdirAll(path); err != nil {
			return nil, fmt.Errorf("%s: cannot be created: %w; check the permissions of its parent directories", path, cause(err))
		}
	}
	for _, dir := range []string{s.dir, path} {
		info, err := os.Lstat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, err
		case err != nil:
			return nil, fmt.Errorf("%s: cannot be opened: %w; check its permissions", dir, cause(err))
		case !info.IsDir():
			return nil, fmt.Errorf("%s: not a directory; remove it", dir)
		case !own(info):
			return nil, fmt.Errorf("%s: belongs to another user; remove it, or set XDG_STATE_HOME to a directory of yours", dir)
		case exposed(info):
			return nil, fmt.Errorf("%s: other users can write to it and could answer for you; run chmod 700 on it", dir)
		}
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be opened: %w; check its permissions", path, cause(err))
	}
	return root, nil
}

// cause returns an error of the operating system without its path.
func cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// writeError returns the error of a write to a directory of the store.
func (s *Store) writeError(dir string, err error) error {
	return fmt.Errorf("%s: cannot be written: %w; fix that first, agents cannot ask until then", filepath.Join(s.dir, dir), cause(err))
}

// encode returns the content of a file.
func encode[T any](value T) ([]byte, error) {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	if err := out.Encode(document[T]{value}); err != nil {
		return nil, err
	}
	if b.Len() > sizeLimit {
		return nil, ErrLong
	}
	return b.Bytes(), nil
}

// decode returns the value in the content of a file.
func decode[T any](text []byte) (value T, err error) {
	var version struct {
		Schema int `json:"schema"`
	}
	if err = json.Unmarshal(text, &version); err == nil && version.Schema != schema {
		err = fmt.Errorf("schema %d is not supported, only %d", version.Schema, schema)
		if version.Schema > schema {
			err = fmt.Errorf("%w: %w", ErrLater, err)
		}
	}
	if err == nil {
		err = json.Unmarshal(text, &value)
	}
	return value, err
}

// writeTries is how often a file is written again after a sweep removed its temporary file.
const writeTries = 5

// write puts a complete file in place and returns it open and locked. If the name exists and must not be replaced the error is
// fs.ErrExist.
func (s *Store) write(dir *os.Root, text []byte, name string, replace bool) (*os.File, error) {
	for try := 1; ; try++ {
		temp := "." + rand.Text() + tempEnd
		f, err := s.disk.Create(dir, temp)
		if err != nil {
			return nil, cause(err)
		}
		lock(f) // on systems without locks nothing is ever swept
		if err = s.disk.Write(f, text); err == nil {
			if replace {
				err = s.disk.Rename(dir, temp, name)
			} else {
				err = s.disk.Link(dir, temp, name)
			}
		}
		if err != nil || !replace {
			dir.Remove(temp)
		}
		if err == nil {
			return f, nil
		}
		f.Close()
		switch {
		case errors.Is(err, fs.ErrExist):
			return nil, fs.ErrExist
		case errors.Is(err, fs.ErrNotExist) && try < writeTries:
			// Another process with another clock swept the file before it was locked.
		case errors.As(err, new(*os.LinkError)) && !replace:
			return nil, fmt.Errorf("%w; the file system must support hard links", cause(err))
		default:
			return nil, cause(err)
		}
	}
}

// readFile returns the content of a file of the store.
func readFile(dir *os.Root, name string) ([]byte, error) {
	f, err := statefile.OpenRegular(dir, name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !own(info):
		return nil, errors.New("belongs to another user")
	case info.Size() > sizeLimit:
		return nil, errors.New("larger than 8 MiB")
	}
	return io.ReadAll(io.LimitReader(f, sizeLimit))
}

// eachName calls visit with the names in a directory of the store, up to a limit. A missing directory has none.
func (s *Store) eachName(dirName string, visit func(dir *os.Root, name string)) error {
	dir, err := s.enter(dirName, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	names, err := f.Readdirnames(waiting.Most)
	f.Close()
	for _, name := range names {
		visit(dir, name)
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// newID returns a random ID: 40 bits in lower-case letters and digits.
func newID() string { return strings.ToLower(rand.Text()[:waiting.IDSize]) }

// disk is every operation that changes files, so that tests can make each one fail.
type disk interface {
	MkdirAll(path string) error                         // for the user alone
	Create(dir *os.Root, name string) (*os.File, error) // a new file, for the user alone
	Write(f *os.File, text []byte) error
	Link(dir *os.Root, old, new string) error
	Rename(dir *os.Root, old, new string) error
}

// system is the disk of the operating system.
type system struct{}

func (system) MkdirAll(path string) error { return os.MkdirAll(path, 0o700) }

func (system) Create(dir *os.Root, name string) (*os.File, error) {
	return dir.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}

func (system) Write(f *os.File, text []byte) error {
	_, err := f.Write(text)
	return err
}

func (system) Link(dir *os.Root, old, new string) error { return dir.Link(old, new) }

func (system) Rename(dir *os.Root, old, new string) error { return dir.Rename(old, new) }
