// Directories of a project, listed once until a change is reported: their content, and the entries that may be opened.

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
	"syscall"
	"time"

	"gatehouse/parse/disk/peek"
	"gatehouse/parse/disk/statefile"
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

// Errors that [Mirror.List] returns with the entries that it has read.
var (
	// errTooMany is the error of a directory that holds more than [maxEntries].
	errTooMany = errors.New("too many entries, only the first 20000 are read")
	// errFull is the error of a directory with which a project would have more
	// than [maxNames].
	errFull = errors.New("too many entries: of one project 100000 are read, and not all of these; archive what is over")
)

// errDangling is the error of a symbolic link to nothing.
var errDangling = errors.New("is a link that leads nowhere; mend it or take it away")

// dir is one directory as listed once.
type dir struct {
	once    sync.Once
	entries []Entry
	err     error
	good    []Entry // as it was last listed, now or before
	done    bool    // it was listed; guarded by the mirror's lock, like the fields below
	asked   uint64  // the round of the last request
	real    string  // its real or expected path, "" if unknown
	watched string  // the watched directory for it, "" for none: itself, or the nearest existing one above it
}

// unlistedCopy returns the directory, not listed yet.
func (d *dir) unlistedCopy() *dir {
	return &dir{good: d.good, asked: d.asked, real: d.real, watched: d.watched}
}

// Entry is one name in a directory.
type Entry struct {
	Name string
	// Dir is true for directories and for links to directories inside the project; Regular likewise for files. Any
	// other entry (a FIFO, a socket, a link that leads out or nowhere) is never opened.
	Dir, Regular bool
	Size         int64     // bytes
	ModTime      time.Time // of a link's target

	mode    fs.FileMode
	listing uint64   // the listing that examined it, 0 if it may not be read
	file    identity // its identity at that time
	within  string   // for a link, the real directory that it may lead into
	refused error    // why it is not opened, nil for directories and files
}

// setSeen records an entry's state in a listing.
func (e *Entry) setSeen(info fs.FileInfo, listing uint64) {
	e.Size, e.ModTime, e.mode, e.listing, e.file = info.Size(), info.ModTime(), info.Mode(), listing, identityOf(info)
}

// Outside reports whether the entry is a link that leads out of the project.
func (e *Entry) Outside() bool { return e.refused == peek.ErrOutside }

// List returns the entries of a directory, sorted by name. The path is relative to the root and separated by "/". A
// directory that does not exist has no entries and, except for the root, no error. An error comes with the entries that
// could be read, or else with the entries of the last successful listing, which cannot be opened now.
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
	return m.listOnce(rel, d)
}

// listOnce returns the content of a directory, listing it if necessary.
func (m *Mirror) listOnce(rel string, d *dir) ([]Entry, error) {
	d.once.Do(func() {
		defer func() {
			m.mu.Lock()
			defer m.mu.Unlock()
			d.done = true
		}()
		d.entries, d.err = m.listDir(rel, d)
		if d.err != nil && d.err != errTooMany && d.err != peek.ErrNotExist && d.good != nil {
			d.entries = refuseAll(d.good, d.err)
			return
		}
		m.admitEntries(d)
		m.forgetMissing(rel, d.good, d.entries)
		d.good = d.entries
	})
	return d.entries, d.err
}

// admitEntries counts the content of a directory, and drops the excess.
func (m *Mirror) admitEntries(d *dir) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.names -= len(d.good)
	if room := m.most.names - m.names; len(d.entries) > room {
		d.entries, d.err = slices.Clone(d.entries[:room]), errFull
	}
	m.names += len(d.entries)
}

// Outside returns the links in the directories that were listed, relative to the root, that lead out of the project: nothing
// behind them is read.
func (m *Mirror) Outside() (links []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, d := range m.dirs {
		if !d.done {
			continue
		}
		for _, e := range d.entries {
			if e.Outside() {
				links = append(links, path.Join(name, e.Name))
			}
		}
	}
	slices.Sort(links)
	return links
}

// refuseAll returns the entries of a directory as they were, not to be opened.
func refuseAll(entries []Entry, because error) []Entry {
	held := slices.Clone(entries)
	for i := range held {
		held[i].listing, held[i].refused = 0, because
	}
	return held
}

// forgetMissing drops all state of entries that disappeared from a directory, so that a file that comes back under an old name
// starts afresh.
func (m *Mirror) forgetMissing(rel string, before, now []Entry) {
	gone := map[string]bool{}
	for _, e := range before {
		if _, found := findEntry(now, e.Name); !found {
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
			m.dropDir(name)
		}
	}
}

func (m *Mirror) listDir(rel string, d *dir) (entries []Entry, err error) {
	if there, err := m.locateDir(rel, d); !there || err != nil {
		return nil, err
	}
	f, err := openDir(m.absPath(rel))
	if errors.Is(err, fs.ErrNotExist) {
		if rel == "." {
			return nil, peek.ErrNotExist
		}
		if _, err := os.Lstat(m.absPath(rel)); err == nil {
			return nil, errDangling
		}
		return nil, nil
	}
	if err != nil {
		return nil, rootCause(err)
	}
	defer f.Close()
	listing := uint64(m.lists.Add(1))
	found, err := f.ReadDir(m.most.entries + 1)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if len(found) > m.most.entries {
		found, err = found[:m.most.entries], errTooMany
	}
	entries = make([]Entry, 0, len(found))
	for _, e := range found {
		if entry, ok := m.inspectEntry(rel, e, listing); ok {
			entries = append(entries, entry)
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return entries, rootCause(err)
}

// inspectEntry looks at one name; ok is false when it is gone again.
func (m *Mirror) inspectEntry(rel string, e fs.DirEntry, listing uint64) (entry Entry, ok bool) {
	entry.Name, entry.Dir, entry.Regular = e.Name(), e.IsDir(), e.Type().IsRegular()
	info, err := e.Info()
	if errors.Is(err, fs.ErrNotExist) {
		return Entry{}, false
	}
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		entry.setSeen(info, listing)
		entry.Size = 0
		info, entry.within, err = m.followLink(filepath.Join(m.absPath(rel), entry.Name))
	}
	if err != nil {
		entry.refused = rootCause(err)
		return entry, true
	}
	entry.Dir, entry.Regular = info.IsDir(), info.Mode().IsRegular()
	entry.setSeen(info, listing)
	if !entry.Dir && !entry.Regular {
		entry.refused = peek.ErrNotRegular
	}
	return entry, true
}

// followLink returns the target of a link and the directory that contains it.
func (m *Mirror) followLink(link string) (info fs.FileInfo, within string, err error) {
	target, err := realPath(link)
	if err != nil {
		if _, err := os.Stat(link); errors.Is(err, fs.ErrNotExist) {
			return nil, "", errDangling
		} else if errors.Is(err, syscall.ELOOP) {
			return nil, "", peek.ErrLoop
		}
		return nil, "", err
	}
	within, ok := m.rootWithin(target)
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
	return findEntry(entries, path.Base(rel))
}

// findEntry returns the entry of a name among sorted ones.
func findEntry(entries []Entry, name string) (Entry, bool) {
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

// rootCause strips the path from an error of package os; callers know the path and add it themselves.
func rootCause(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return peek.ErrPermission
	}
	return statefile.Cause(err)
}
