// Changes on disk: reported by a watcher, and found by polling.

package mirror

import (
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"

	"gatehouse/parse/disk/peek"
)

// Watcher reports changes in directories. Its paths are real ones.
type Watcher interface {
	// Watch is called on behalf of a mirror before each listing of a directory.
	Watch(dir string, by any)
	// Unwatch is called when that listing no longer counts.
	Unwatch(dir string, by any)
}

// Watched sets the watcher of the directories that are listed from now on.
func (m *Mirror) Watched(w Watcher) { m.watcher = w }

// Touch makes the mirror look again at these paths, absolute (also under their real names) or relative to the root, and at the directories that hold
// them, and reports whether anything known is among that. Without paths it looks again at everything; files whose size, time and permissions did not
// change are still not read again then.
func (m *Mirror) Touch(paths ...string) (known bool) {
	m.resolveRoots()
	if len(paths) == 0 {
		paths = []string{"."}
	}
	touched, holding := make(map[string]bool, len(paths)), make(map[string][]string, len(paths))
	for _, p := range paths {
		if !filepath.IsAbs(p) {
			p = m.absPath(p)
		}
		p = filepath.Clean(p)
		touched[p] = true
		holding[filepath.Dir(p)] = append(holding[filepath.Dir(p)], filepath.Base(p))
	}
	for name, d := range m.dirs {
		at := m.absPath(name)
		// A directory that was created, removed or renamed affects everything below it, and its watches.
		again := isWithin(at, touched) || isWithin(d.real, touched)
		if again {
			m.unwatchDir(d)
		}
		for _, base := range slices.Concat(holding[at], holding[d.real]) {
			again = true
			if f := m.files[path.Join(name, base)]; f != nil {
				f.dirty = true
			}
		}
		if again {
			m.dirs[name], known = d.unlistedCopy(), true
		}
	}
	return known
}

// isWithin reports whether a path is in a set or below a member.
func isWithin(name string, some map[string]bool) bool {
	for {
		if some[name] {
			return true
		}
		above := filepath.Dir(name)
		if above == name || name == "" {
			return false
		}
		name = above
	}
}

// Poll lists all known directories again, and returns the absolute paths that changed since the last listing. Unchanged
// files are not read again.
func (m *Mirror) Poll() (changed []string) {
	m.resolveRoots()
	names := make([]string, 0, len(m.dirs))
	for name := range m.dirs {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return len(m.absPath(a)) - len(m.absPath(b)) }) // parents come first: their children may be gone with them
	for _, name := range names {
		d := m.dirs[name]
		if d == nil {
			continue
		}
		now := d.unlistedCopy()
		m.listOnce(name, now)
		differs := d.listDifferences(now)
		if d.watched, d.real = now.watched, now.real; len(differs) > 0 {
			m.dirs[name] = now
		}
		for _, base := range differs {
			changed = append(changed, filepath.Join(m.absPath(name), base))
		}
		runtime.Gosched() // Key handling must not wait for thousands of directories.
	}
	return changed
}

// listDifferences returns the names of the changed entries, with "" if the directory itself has changed.
func (d *dir) listDifferences(now *dir) (names []string) {
	if errorText(d.err) != errorText(now.err) || d.real != now.real || d.watched != now.watched {
		names = append(names, "")
	}
	for _, e := range now.good {
		if was, ok := findEntry(d.good, e.Name); !ok || !e.isSame(was) {
			names = append(names, e.Name)
		}
	}
	for _, e := range d.good {
		if _, ok := findEntry(now.good, e.Name); !ok {
			names = append(names, e.Name)
		}
	}
	return names
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// isSame reports whether an entry is as it was. The size and time of a directory change with its entries, which are compared one by one.
func (e Entry) isSame(was Entry) bool {
	if errorText(e.refused) != errorText(was.refused) || e.within != was.within || (e.listing == 0) != (was.listing == 0) {
		return false
	}
	return e.listing == 0 || e.mode == was.mode && e.file.isSame(was.file) &&
		(e.mode.IsDir() || e.Size == was.Size && e.ModTime.Equal(was.ModTime))
}

// locateDir resolves the real path of a directory before it is listed, and watches it; if it does not exist, it watches
// the nearest one above, so that its creation is an event. there is false if the parent directory, itself watched, is
// known not to have it.
func (m *Mirror) locateDir(rel string, d *dir) (there bool, err error) {
	m.mu.Lock()
	holds := m.dirs[path.Dir(rel)]
	known := rel != "." && filepath.IsLocal(rel) && holds != nil && holds.done && holds.err == nil && holds.real != ""
	m.mu.Unlock()
	if known {
		real := filepath.Join(holds.real, path.Base(rel))
		if e, there := findEntry(holds.entries, path.Base(rel)); !there {
			m.watchDir(d, real, "")
			return false, nil
		} else if e.Dir && e.within == "" {
			m.watchDir(d, real, real)
			return true, nil
		}
	}
	name, last := m.absPath(rel), ""
	for {
		at := nearestDir(name)
		real, err := realPath(at)
		switch _, ok := m.rootWithin(real); {
		case err != nil || at == last: // It is gone again, or nothing has come in between.
			return true, nil
		case at == name && !ok:
			m.watchDir(d, "", "")
			return true, peek.ErrOutside
		}
		m.watchDir(d, filepath.Join(real, name[len(at):]), real)
		if last = at; at == name {
			return true, nil
		}
	}
}

// watchDir records the real path of a directory and its watch target, and starts the watch.
func (m *Mirror) watchDir(d *dir, real, dir string) {
	if m.watcher == nil {
		dir = ""
	} else if dir != "" {
		m.watcher.Watch(dir, m) // Before the other is given up, which may be the same.
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.unwatchDir(d)
	d.real, d.watched = real, dir
}

// unwatchDir gives up the watch that was asked for a directory.
func (m *Mirror) unwatchDir(d *dir) {
	if d.watched != "" {
		m.watcher.Unwatch(d.watched, m)
		d.watched = ""
	}
}

// nearestDir returns dir if it is a directory, otherwise the nearest one above it.
func nearestDir(dir string) string {
	for {
		above := filepath.Dir(dir)
		if info, err := os.Stat(dir); err == nil && info.IsDir() || above == dir {
			return dir
		}
		dir = above
	}
}
