// Package mirror keeps in memory what was read of a project's state files, so
// that a changed file costs reading that file again and nothing else, and a
// file that cannot be read now still shows its last good state.
//
// Readers of all protocols go through it: [Mirror.List] for directories,
// [Read] for files. Both answer from memory until [Mirror.Touch] says that
// something changed on disk. Both may be called by several goroutines at once,
// so that a large tree can be read on all processors; Touch may not.
//
// Nothing read through a mirror is trusted: only regular files are opened,
// only so much of them, and no symbolic link is followed out of the project
// (product.md §5).
package mirror

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gatehouse/parse/peek"
)

// MaxEntries is how many entries of one directory are listed. Real state
// directories hold fewer than a thousand; one with more is a mistake or an
// attack, and reading on would only cost memory.
const MaxEntries = 20_000

// ErrTooMany is what [Mirror.List] returns beside the first [MaxEntries]
// entries of a directory that holds more.
var ErrTooMany = errors.New("too many entries, only the first 20000 are read")

// racy is how soon after its modification a file may be read for an unchanged
// time still to prove unchanged content: kernels stamp files by a clock that
// ticks every 1 to 10 ms. (Coarser stamps, as on FAT, are made up for by the
// watcher, which names the path.)
const racy = 20 * time.Millisecond

// Mirror is what is known of one project's files.
type Mirror struct {
	root   string   // the project, absolute
	inside []string // real paths that links may lead into: the project, its trusted directories
	reads  atomic.Int64

	mu    sync.Mutex // guards the maps, not what they lead to
	dirs  map[string]*dir
	files map[string]*file
}

// dir is one directory as listed once.
type dir struct {
	once    sync.Once
	entries []Entry
	err     error
}

// file is one file as last read.
type file struct {
	mu     sync.Mutex
	stamp  fs.FileInfo
	readAt time.Time
	dirty  bool // somebody said it changed: read it again whatever its stamp says
	last   any  // a *Result[T]
	good   any  // a T that was read without an error, nil if there never was one
}

// Entry is one name in a directory.
type Entry struct {
	Name string
	// Dir is true for directories and for links to directories inside the
	// project; Regular likewise for files. What is neither (a FIFO, a socket,
	// a link that leads out or nowhere) is never opened.
	Dir, Regular bool
	Size         int64     // bytes
	ModTime      time.Time // of what a link leads to

	info    fs.FileInfo
	refused error // why it is not opened, nil for directories and files
}

// New returns an empty mirror of the project in root. State directories of it
// that are themselves links to somewhere else are followed, since that is how
// their owner laid them out; name them in trusted, relative to root.
func New(root string, trusted ...string) *Mirror {
	m := &Mirror{root: root, dirs: map[string]*dir{}, files: map[string]*file{}}
	for _, rel := range append([]string{"."}, trusted...) {
		if real, err := filepath.EvalSymlinks(filepath.Join(root, rel)); err == nil {
			m.inside = append(m.inside, real)
		}
	}
	return m
}

// Root returns the project's directory, as given to [New].
func (m *Mirror) Root() string { return m.root }

// Reads returns how many files were read from disk so far; tests and
// benchmarks hold a reader to it.
func (m *Mirror) Reads() int { return int(m.reads.Load()) }

// Touch makes the mirror look again at these paths, absolute or relative to
// the root, and at the directories that hold them. Without paths it looks
// again at everything; files whose size and time did not change are still not
// read again then.
func (m *Mirror) Touch(paths ...string) {
	if len(paths) == 0 {
		clear(m.dirs)
		return
	}
	for _, p := range paths {
		rel := p
		if filepath.IsAbs(p) {
			r, err := filepath.Rel(m.root, p)
			if err != nil {
				continue
			}
			rel = r
		}
		rel = filepath.ToSlash(rel)
		if f := m.files[rel]; f != nil {
			f.dirty = true
		}
		delete(m.dirs, path.Dir(rel))
		// A directory that came, went or was renamed takes all below it along.
		delete(m.dirs, rel)
		for d := range m.dirs {
			if strings.HasPrefix(d, rel+"/") {
				delete(m.dirs, d)
			}
		}
	}
}

// List returns the entries of a directory, sorted by name. The path is
// relative to the root and separated by "/". A directory that does not exist
// has no entries and no error; an error comes with the entries that could be
// read all the same.
func (m *Mirror) List(rel string) ([]Entry, error) {
	rel = path.Clean(rel)
	m.mu.Lock()
	d := m.dirs[rel]
	if d == nil {
		d = &dir{}
		m.dirs[rel] = d
	}
	m.mu.Unlock()
	d.once.Do(func() { d.entries, d.err = m.list(rel) })
	return d.entries, d.err
}

func (m *Mirror) list(rel string) (entries []Entry, err error) {
	f, err := os.Open(m.abs(rel))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	found, err := f.ReadDir(MaxEntries + 1)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if len(found) > MaxEntries {
		found, err = found[:MaxEntries], ErrTooMany
	}
	entries = make([]Entry, 0, len(found))
	for _, e := range found {
		if entry, ok := m.entry(rel, e); ok {
			entries = append(entries, entry)
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return entries, cause(err)
}

// entry looks at one name; ok is false when it is gone again.
func (m *Mirror) entry(rel string, e fs.DirEntry) (entry Entry, ok bool) {
	info, err := e.Info()
	if err != nil {
		return Entry{}, false
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		link := Entry{Name: e.Name(), ModTime: info.ModTime(), info: info}
		target, err := filepath.EvalSymlinks(filepath.Join(m.abs(rel), e.Name()))
		if err == nil && !m.Contains(target) {
			err = peek.ErrOutside
		}
		if err == nil {
			info, err = os.Stat(target)
		}
		if err != nil {
			link.refused = cause(err)
			return link, true
		}
	}
	entry = Entry{
		Name: e.Name(), Dir: info.IsDir(), Regular: info.Mode().IsRegular(),
		Size: info.Size(), ModTime: info.ModTime(), info: info,
	}
	if !entry.Dir && !entry.Regular {
		entry.refused = peek.ErrNotRegular
	}
	return entry, true
}

// Stat returns the entry of one path and whether it exists.
func (m *Mirror) Stat(rel string) (Entry, bool) {
	rel = path.Clean(rel)
	entries, _ := m.List(path.Dir(rel))
	i, ok := slices.BinarySearchFunc(entries, path.Base(rel), func(e Entry, name string) int { return strings.Compare(e.Name, name) })
	if !ok {
		return Entry{}, false
	}
	return entries[i], true
}

// IsDir reports whether a path is a directory of the project.
func (m *Mirror) IsDir(rel string) bool {
	if path.Clean(rel) == "." {
		return true
	}
	e, ok := m.Stat(rel)
	return ok && e.Dir
}

func (m *Mirror) abs(rel string) string { return filepath.Join(m.root, filepath.FromSlash(rel)) }

// Contains reports whether a resolved path lies in the project or in one of
// its trusted directories.
func (m *Mirror) Contains(real string) bool {
	return slices.ContainsFunc(m.inside, func(dir string) bool {
		return real == dir || strings.HasPrefix(real, dir+string(filepath.Separator))
	})
}

// cause takes the path off an error of package os; whoever shows the error
// knows the path and puts it in front.
func cause(err error) error {
	var pathErr *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrPermission):
		return peek.ErrPermission
	case errors.As(err, &pathErr):
		return pathErr.Err
	}
	return err
}
