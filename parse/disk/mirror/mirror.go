// Package mirror keeps in memory what was read of a project's state files, so
// that a changed file costs reading that file again and nothing else, and a
// file that cannot be read now still shows its last good state.
//
// Readers of all protocols go through it: [Mirror.List] for directories,
// [Read] for files. Both answer from memory until [Mirror.Touch] says that
// something changed on disk. Both may be called by several goroutines at once,
// so that a large tree can be read on all processors; Touch may not.
//
// A directory that cannot be listed now still shows what it last held.
//
// Nothing read through a mirror is trusted: only regular files are opened,
// only so much of them, and no symbolic link is followed out of the project
// (product.md §5).
package mirror

import (
	"errors"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"gatehouse/parse/disk/peek"
)

const (
	// maxEntries is how many entries of one directory are listed. Real state
	// directories hold fewer than a thousand; one with more is a mistake or an
	// attack, and reading on would only cost memory.
	maxEntries = 20_000
	// maxNames is how many entries are known of all directories of a project
	// together: some 40 MiB.
	maxNames = 100_000
)

// What [Mirror.List] returns beside the entries that it has read.
var (
	// errTooMany is the error of a directory that holds more than [maxEntries].
	errTooMany = errors.New("too many entries, only the first 20000 are read")
	// errFull is the error of a directory with which a project would have more
	// than [maxNames].
	errFull = errors.New("too many entries: of one project 100000 are read, and not all of these; archive what is over")
)

// errDangling is the error of a symbolic link to nothing.
var errDangling = errors.New("is a link that leads nowhere; mend it or take it away")

// racy is how soon after its modification a file may be read for an unchanged
// time still to prove unchanged content: kernels stamp files by a clock that
// ticks every 1 to 10 ms. (Coarser stamps, as on FAT, are made up for by the
// watcher, which names the path.)
const racy = 20 * time.Millisecond

// Mirror is what is known of one project's files.
type Mirror struct {
	root    string // the project, absolute
	trusted []string
	inside  []string // real paths that links may lead into: the project, its trusted directories
	reads   atomic.Int64

	mu    sync.Mutex // guards all below, not what the maps lead to
	dirs  map[string]*dir
	files map[string]*file
	kept  map[string]any // what readers keep, pointers
	round uint64         // see Sweep
	names int            // entries known, of all directories
	bytes int            // of what is kept of the files, see keptLimit
	texts int            // bytes that are held of texts, see textsLimit
	seed  maphash.Seed   // of what tells contents apart
}

// dir is one directory as listed once.
type dir struct {
	once    sync.Once
	entries []Entry
	err     error
	good    []Entry  // as it was last listed, now or before
	outside []string // paths of the links in it that lead out of the project; guarded by the mirror's lock
	asked   uint64   // the round in which it was asked for last
}

// again returns the directory, not listed yet.
func (d *dir) again() *dir { return &dir{good: d.good, asked: d.asked} }

// Entry is one name in a directory.
type Entry struct {
	Name string
	// Dir is true for directories and for links to directories inside the
	// project; Regular likewise for files. What is neither (a FIFO, a socket,
	// a link that leads out or nowhere) is never opened.
	Dir, Regular bool
	Size         int64     // bytes
	ModTime      time.Time // of what a link leads to

	info    fs.FileInfo // nil when it may not be looked at
	within  string      // for a link, the real directory that it may lead into
	refused error       // why it is not opened, nil for directories and files
}

// New returns an empty mirror of the project in root. State directories of it
// that are themselves links to somewhere else are followed, since that is how
// their owner laid them out; name them in trusted, relative to root.
func New(root string, trusted ...string) *Mirror {
	m := &Mirror{root: root, trusted: append([]string{"."}, trusted...), dirs: map[string]*dir{}, files: map[string]*file{}, kept: map[string]any{}, seed: maphash.MakeSeed()}
	m.resolve()
	return m
}

// resolve finds out what lies inside the project; it may have come just now.
func (m *Mirror) resolve() {
	m.inside = m.inside[:0]
	for _, rel := range m.trusted {
		if real, err := filepath.EvalSymlinks(m.abs(rel)); err == nil {
			m.inside = append(m.inside, real)
		}
	}
}

// Root returns the project's directory, as given to [New].
func (m *Mirror) Root() string { return m.root }

// Kept returns what a reader keeps about a project as long as its mirror lives, such as what a file said before it was
// emptied: at first the zero value. The key is the reader's own, and one key always goes with one type. The mirror does not
// guard what it leads to.
func Kept[T any](m *Mirror, key string) *T {
	m.mu.Lock()
	defer m.mu.Unlock()
	if kept, ok := m.kept[key].(*T); ok {
		return kept
	}
	kept := new(T)
	m.kept[key] = kept
	return kept
}

// Reads returns how many files were read from disk so far; tests and
// benchmarks hold a reader to it.
func (m *Mirror) Reads() int { return int(m.reads.Load()) }

// Touch makes the mirror look again at these paths, absolute or relative to
// the root, and at the directories that hold them. Without paths it looks
// again at everything; files whose size, time and permissions did not change
// are still not read again then.
func (m *Mirror) Touch(paths ...string) {
	m.resolve()
	if len(paths) == 0 {
		paths = []string{"."}
	}
	touched, holding := make(map[string]bool, len(paths)), make(map[string]bool, len(paths))
	for _, p := range paths {
		rel := p
		if filepath.IsAbs(p) {
			r, err := filepath.Rel(m.root, p)
			if err != nil {
				continue
			}
			rel = r
		}
		rel = path.Clean(filepath.ToSlash(rel))
		if f := m.files[rel]; f != nil {
			f.dirty = true
		}
		touched[rel], holding[path.Dir(rel)] = true, true
	}
	for name, d := range m.dirs {
		// A directory that came, went or was renamed takes all below it along.
		if holding[name] || within(name, touched) {
			m.dirs[name] = d.again()
		}
	}
}

// Relist makes the mirror look again at what one directory holds, and at
// nothing else.
func (m *Mirror) Relist(dir string) {
	dir = path.Clean(dir)
	m.mu.Lock()
	defer m.mu.Unlock()
	if d := m.dirs[dir]; d != nil {
		m.dirs[dir] = d.again()
	}
}

// within reports whether a path is one of some, or lies below one.
func within(name string, some map[string]bool) bool {
	for {
		if some[name] {
			return true
		}
		above := path.Dir(name)
		if above == name {
			return false
		}
		name = above
	}
}

// List returns the entries of a directory, sorted by name. The path is
// relative to the root and separated by "/". A directory that does not exist
// has no entries and, but for the root, no error. An error comes with the
// entries that could be read all the same, or else with those that were there
// when it could last be listed, none of which can be opened now.
func (m *Mirror) List(rel string) ([]Entry, error) {
	rel = path.Clean(rel)
	m.mu.Lock()
	d := m.dirs[rel]
	if d == nil {
		d = &dir{}
		m.dirs[strings.Clone(rel)] = d // a path may be cut out of a file
	}
	d.asked = m.round
	m.mu.Unlock()
	d.once.Do(func() {
		d.entries, d.err = m.list(rel)
		if d.err != nil && d.err != errTooMany && d.err != peek.ErrNotExist && d.good != nil {
			d.entries = refuse(d.good, d.err)
			return
		}
		m.admit(d)
		m.forget(rel, d.good, d.entries)
		d.good = d.entries
		m.mu.Lock()
		d.outside = outside(rel, d.entries)
		m.mu.Unlock()
	})
	return d.entries, d.err
}

// admit counts what a directory holds now, and leaves out what would be too much.
func (m *Mirror) admit(d *dir) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.names -= len(d.good)
	if room := maxNames - m.names; len(d.entries) > room {
		d.entries, d.err = slices.Clone(d.entries[:room]), errFull
	}
	m.names += len(d.entries)
}

// Sweep ends a reading: until then a file that was read is not read again,
// whoever asks for it. It lets go of the texts, and of what was not asked for
// since the sweep before: a file that nobody names any more, and a directory
// that is not there. Whoever reads the project over and over calls it when it
// has read all of it; as Touch, it may not be called beside others.
func (m *Mirror) Sweep() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, d := range m.dirs {
		if d.asked != m.round {
			m.drop(name)
		}
	}
	for name, f := range m.files {
		f.held, f.holds, f.texts = content{}, false, 0
		if f.asked != m.round {
			m.dropFile(name)
		}
	}
	m.texts = 0
	m.round++
}

// drop forgets a directory.
func (m *Mirror) drop(name string) {
	m.names -= len(m.dirs[name].good)
	delete(m.dirs, name)
}

// dropFile forgets a file.
func (m *Mirror) dropFile(name string) {
	f := m.files[name]
	m.texts -= f.texts
	m.bytes -= f.size
	delete(m.files, name)
}

// Outside returns the links in the directories that were listed, relative to the root, that lead out of the project: nothing
// behind them is read.
func (m *Mirror) Outside() (links []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, d := range m.dirs {
		links = append(links, d.outside...)
	}
	slices.Sort(links)
	return links
}

// outside returns the links among the entries of a directory that lead out of the project.
func outside(rel string, entries []Entry) (links []string) {
	for _, e := range entries {
		if e.refused == peek.ErrOutside {
			links = append(links, path.Join(rel, e.Name))
		}
	}
	return links
}

// refuse returns the entries of a directory as they were, not to be opened.
func refuse(entries []Entry, because error) []Entry {
	held := slices.Clone(entries)
	for i := range held {
		held[i].info, held[i].refused = nil, because
	}
	return held
}

// forget drops all that is known of what is no longer in a directory, so that
// a file that comes back under an old name begins anew.
func (m *Mirror) forget(rel string, before, now []Entry) {
	gone := map[string]bool{}
	for _, e := range before {
		if _, found := find(now, e.Name); !found {
			gone[e.Name] = true
		}
	}
	if len(gone) == 0 {
		return
	}
	prefix := rel + "/"
	if rel == "." {
		prefix = ""
	}
	lost := func(name string) bool {
		below, ok := strings.CutPrefix(name, prefix)
		top, _, _ := strings.Cut(below, "/")
		return ok && gone[top]
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for name := range m.files {
		if lost(name) {
			m.dropFile(name)
		}
	}
	for name := range m.dirs {
		if lost(name) {
			m.drop(name)
		}
	}
}

func (m *Mirror) list(rel string) (entries []Entry, err error) {
	f, err := openDir(m.abs(rel))
	if errors.Is(err, fs.ErrNotExist) {
		if rel == "." {
			return nil, peek.ErrNotExist
		}
		if _, err := os.Lstat(m.abs(rel)); err == nil {
			return nil, errDangling
		}
		return nil, nil
	}
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	real, err := filepath.EvalSymlinks(m.abs(rel))
	if err != nil {
		return nil, cause(err)
	}
	if _, ok := m.within(real); !ok {
		return nil, peek.ErrOutside
	}
	found, err := f.ReadDir(maxEntries + 1)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if len(found) > maxEntries {
		found, err = found[:maxEntries], errTooMany
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
	entry.Name, entry.Dir, entry.Regular = e.Name(), e.IsDir(), e.Type().IsRegular()
	info, err := e.Info()
	if errors.Is(err, fs.ErrNotExist) {
		return Entry{}, false
	}
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		entry.info, entry.ModTime = info, info.ModTime()
		info, entry.within, err = m.follow(filepath.Join(m.abs(rel), entry.Name))
	}
	if err != nil {
		entry.refused = cause(err)
		return entry, true
	}
	entry.Dir, entry.Regular = info.IsDir(), info.Mode().IsRegular()
	entry.Size, entry.ModTime, entry.info = info.Size(), info.ModTime(), info
	if !entry.Dir && !entry.Regular {
		entry.refused = peek.ErrNotRegular
	}
	return entry, true
}

// follow looks at what a link leads to and in which directory that lies.
func (m *Mirror) follow(link string) (info fs.FileInfo, within string, err error) {
	target, err := filepath.EvalSymlinks(link)
	if err != nil {
		if _, err := os.Stat(link); errors.Is(err, fs.ErrNotExist) {
			return nil, "", errDangling
		} else if errors.Is(err, syscall.ELOOP) {
			return nil, "", peek.ErrLoop
		}
		return nil, "", err
	}
	within, ok := m.within(target)
	if !ok {
		return nil, "", peek.ErrOutside
	}
	info, err = os.Stat(target)
	return info, within, err
}

// Stat returns the entry of one path and whether it exists.
func (m *Mirror) Stat(rel string) (Entry, bool) {
	rel = path.Clean(rel)
	entries, _ := m.List(path.Dir(rel))
	return find(entries, path.Base(rel))
}

// find returns the entry of a name among sorted ones.
func find(entries []Entry, name string) (Entry, bool) {
	i, ok := slices.BinarySearchFunc(entries, name, func(e Entry, name string) int { return strings.Compare(e.Name, name) })
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

// Contains reports whether a real path lies in the project or in one of its
// trusted directories.
func (m *Mirror) Contains(real string) bool {
	_, ok := m.within(real)
	return ok
}

// within returns the real directory of the project, its root or a trusted one,
// that a real path lies in, and whether there is one.
func (m *Mirror) within(real string) (dir string, ok bool) {
	for _, dir := range m.inside {
		if real == dir || peek.Inside(real, dir) {
			return dir, true
		}
	}
	return "", false
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
