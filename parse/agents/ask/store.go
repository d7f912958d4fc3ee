package ask

// The store: its directories, and how its files are made and read.

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

	askEnd  = ".ask"
	toldEnd = ".told"
	tempEnd = ".tmp"

	// sizeLimit is the largest file that is written and read: 8 MiB.
	sizeLimit = 8 << 20
	// mostWaiting is how many asks may wait at once. A thousand is far beyond what a human can answer, and more come from a loop
	// gone wild.
	mostWaiting = 1000
)

var (
	// ErrNone means that there is no ask of an ID.
	ErrNone = errors.New("there is no such ask")
	// ErrSeveral means that an ID, cut short, is that of several asks.
	ErrSeveral = errors.New("several asks begin so")
	// ErrFull means that a thousand asks wait already.
	ErrFull = errors.New("1000 asks wait already; answer or withdraw some: gatehouse asks")
	// ErrLong means a text that is too long to be shown whole: nobody can decide about a part.
	ErrLong = errors.New("it is too long to be shown whole")
	// ErrLater means an ask of a later version of gatehouse, which only that can answer.
	ErrLater = errors.New("a newer gatehouse asks it")
)

// Store is the asks of a user. Its methods may be called by several goroutines, and by several processes.
type Store struct {
	dir     string
	journal string // directory of the journals of decisions, "" for none
	user    string // login name
	request string // ID of the request from another machine by which is answered, "" without one
	table   process.Table
	now     func() time.Time
	tick    time.Duration
	disk    disk
	most    int // asks that may wait at once, see mostWaiting; tests have fewer
}

// Options are what a store gets from its surroundings.
type Options struct {
	Dir     string // of the store, absolute; see [waiting.StorePath]
	Journal string // directory of the journals of decisions, absolute; "" for none, and then nothing can be answered
	User    string // login name of whoever answers
	Table   process.Table
	Now     func() time.Time
	Tick    time.Duration // how often a waiting asker looks for what no event tells; 0: each second
}

// Open returns the store in a directory. It creates nothing.
func Open(o Options) *Store {
	return &Store{dir: o.Dir, journal: o.Journal, user: o.User, table: o.Table, now: o.Now, tick: cmp.Or(o.Tick, time.Second), disk: system{}, most: mostWaiting}
}

// For returns the same store for what a person on another machine answers: the journal says who, and by which request.
func (s *Store) For(user, request string) *Store {
	other := *s
	other.user, other.request = user, request
	return &other
}

// Dir returns the directory of the store, whether it exists or not.
func (s *Store) Dir() string { return s.dir }

// Dirs are the directories of a store that change when something is asked, answered or done.
func Dirs() []string { return []string{waiting.Dir, waiting.Ended, sessionsDir} }

// enter opens a directory of the store. A directory that others may write, or that is theirs, is not used: whoever can put an
// answer there could approve what they like.
func (s *Store) enter(name string, create bool) (*os.Root, error) {
	if s.dir == "" {
		return nil, errors.New("there is no place for asks; set HOME or XDG_STATE_HOME")
	}
	path := filepath.Join(s.dir, name)
	if create {
		if err := s.disk.MkdirAll(path); err != nil {
			return nil, fmt.Errorf("%s: cannot be made: %w; check the permissions of the directories above", path, reason(err))
		}
	}
	for _, dir := range []string{s.dir, path} {
		info, err := os.Lstat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, err
		case err != nil:
			return nil, fmt.Errorf("%s: cannot be entered: %w; check its permissions", dir, reason(err))
		case !info.IsDir():
			return nil, fmt.Errorf("%s: is not a directory of its own; remove what stands there", dir)
		case !own(info):
			return nil, fmt.Errorf("%s: belongs to another user; remove it, or set XDG_STATE_HOME to a directory of yours", dir)
		case exposed(info):
			return nil, fmt.Errorf("%s: others may write there, and so answer for you; chmod 700 it", dir)
		}
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be entered: %w; check its permissions", path, reason(err))
	}
	return root, nil
}

// reason returns an error of the operating system without the path, which is said already.
func reason(err error) error {
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

// encode returns a value as a file has it.
func encode[T any](value T) ([]byte, error) {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	if err := out.Encode(written[T]{schema, value}); err != nil {
		return nil, err
	}
	if b.Len() > sizeLimit {
		return nil, ErrLong
	}
	return b.Bytes(), nil
}

// decode returns the value of a file.
func decode[T any](text []byte) (value T, err error) {
	var version struct {
		Schema int `json:"schema"`
	}
	if err = json.Unmarshal(text, &version); err == nil && version.Schema != schema {
		err = fmt.Errorf("it is of version %d, and %d is understood", version.Schema, schema)
		if version.Schema > schema {
			err = fmt.Errorf("%w: %w", ErrLater, err)
		}
	}
	if err == nil {
		err = json.Unmarshal(text, &value)
	}
	return value, err
}

// putTries is how often a file is made anew that was swept while it was made.
const putTries = 5

// put writes a file beside its place, so that it is whole when it gets there, and returns it open and locked: what nobody holds was left
// behind. Where something stands in its place the error is fs.ErrExist, unless it is to be replaced.
func (s *Store) put(dir *os.Root, text []byte, name string, replace bool) (*os.File, error) {
	for try := 1; ; try++ {
		temp := "." + rand.Text() + tempEnd
		f, err := s.disk.Create(dir, temp)
		if err != nil {
			return nil, reason(err)
		}
		lock(f) // where locks are not known nobody can tell whether its process runs, and nothing is swept
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
		case errors.Is(err, fs.ErrNotExist) && try < putTries:
			// A sweep by another clock has found it before it was locked.
		case errors.As(err, new(*os.LinkError)) && !replace:
			return nil, fmt.Errorf("%w; the file system has to know hard links", reason(err))
		default:
			return nil, reason(err)
		}
	}
}

// read returns the text of a file of the store.
func read(dir *os.Root, name string) ([]byte, error) {
	f, err := statefile.OpenRegular(dir, name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f)
}

func readAll(f *os.File) ([]byte, error) {
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !own(info):
		return nil, errors.New("it belongs to another user")
	case info.Size() > sizeLimit:
		return nil, errors.New("it is larger than 8 MiB")
	}
	return io.ReadAll(io.LimitReader(f, sizeLimit))
}

// namesIn returns the names in a directory, as many as are looked at.
func namesIn(dir *os.Root) ([]string, error) {
	f, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(waiting.Most)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return names, err
}

// newID returns an ID that no other ask has: 40 random bits, in letters and digits that are easily told apart.
func newID() string { return strings.ToLower(rand.Text()[:waiting.IDSize]) }
