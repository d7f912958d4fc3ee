// Package mirror caches a project's state files in memory, so that a changed file costs reading that file again and
// nothing else, and a file that cannot be read now still shows its last good state.
//
// Readers of all protocols go through it: [Mirror.List] for directories, [Read] for files. Both answer from memory
// until [Mirror.Touch] reports a change on disk, or [Mirror.Poll] has found one. Both may be called by several
// goroutines at once, so that a large tree can be read on all processors; Touch and Poll may not.
//
// A directory that cannot be listed now still shows its last content.
//
// Nothing read through a mirror is trusted: only regular files are opened, only up to a limit, and no symbolic link is
// followed out of the project.
package mirror

import (
	"hash/maphash"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"gatehouse/parse/disk/peek"
)

// Mirror is the cached state of one project's files.
type Mirror struct {
	root    string // the project, absolute
	trusted []string
	inside  []string // real paths that links may lead into: the project, its trusted directories
	watcher Watcher
	most    limits
	reads   atomic.Int64
	lists   atomic.Int64

	mu    sync.Mutex // guards all below, not the values in the maps
	dirs  map[string]*dir
	files map[string]*file
	kept  map[string]any // readers' data, pointers
	round uint64         // see Sweep
	names int            // entries known, of all directories
	bytes int            // size of the cached files
	texts int            // bytes that are held of texts, see textsLimit
	seed  maphash.Seed   // seed of the content digests
}

// limits bound the cache; tests reach lower ones.
type limits struct {
	entries int // listed of one directory, see maxEntries
	names   int // known of all directories, see maxNames
	kept    int // bytes of the texts of all files, see keptLimit
}

// New returns an empty mirror of the project in root. It follows state directories that are themselves links to other
// places, since their owner chose that layout; name them in trusted, relative to root.
func New(root string, trusted ...string) *Mirror {
	m := &Mirror{
		root: root, trusted: append([]string{"."}, trusted...), most: limits{maxEntries, maxNames, keptLimit},
		dirs: map[string]*dir{}, files: map[string]*file{}, kept: map[string]any{}, seed: maphash.MakeSeed(),
	}
	m.resolveRoots()
	return m
}

// resolveRoots determines the real directories of the project; they may have appeared just now.
func (m *Mirror) resolveRoots() {
	m.inside = m.inside[:0]
	for _, rel := range m.trusted {
		if real, err := realPath(m.absPath(rel)); err == nil {
			m.inside = append(m.inside, real)
		}
	}
}

// realPath returns a path with all links resolved, with a single kernel call if possible: checking each directory on
// the way takes time quadratic in the depth.
func realPath(path string) (string, error) {
	if real, ok := peek.RealPath(path); ok {
		return real, nil
	}
	if _, err := os.Stat(path); err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// Root returns the project's directory, as given to [New].
func (m *Mirror) Root() string { return m.root }

// Kept returns a reader's data about a project, which lives as long as its mirror, such as the content of a file before
// it was emptied: at first the zero value. The key is the reader's own, and each key always has the same type. The
// mirror does not guard the data.
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

// Sweep ends a reading: until then a file is read from disk at most once. It frees the texts, and everything that was
// not requested since the sweep before: a file without references, and a missing directory. Call it after each complete
// reading of a project; like Touch, it must not run concurrently with other calls.
func (m *Mirror) Sweep() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, d := range m.dirs {
		if d.asked != m.round {
			m.dropDir(name)
		}
	}
	for name, f := range m.files {
		f.held, f.holds = content{}, false
		if f.asked != m.round {
			m.dropFile(name)
		}
	}
	m.texts = 0
	m.round++
}

// dropDir forgets a directory.
func (m *Mirror) dropDir(name string) {
	d := m.dirs[name]
	m.names -= len(d.good)
	m.unwatchDir(d)
	delete(m.dirs, name)
}

// dropFile forgets a file.
func (m *Mirror) dropFile(name string) {
	f := m.files[name]
	m.bytes -= f.size
	delete(m.files, name)
}

func (m *Mirror) absPath(rel string) string { return filepath.Join(m.root, filepath.FromSlash(rel)) }

// Contains reports whether a real path is in the project or in one of its trusted directories.
func (m *Mirror) Contains(real string) bool {
	_, ok := m.rootWithin(real)
	return ok
}

// rootWithin returns the real directory of the project, its root or a trusted one, that contains a real path, and whether
// there is one.
func (m *Mirror) rootWithin(real string) (dir string, ok bool) {
	for _, dir := range m.inside {
		if real == dir || peek.Inside(real, dir) {
			return dir, true
		}
	}
	return "", false
}
