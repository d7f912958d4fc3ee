// This file has the system watch directories, within the limits that it and we set.

package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

const (
	// leastWatches is how many directories get a file watch where nobody says how many the system grants: half of what the oldest Linux kernels in use
	// grant a user for all programs (8192). Where it says so it is half of that, and mostWatches at most, which take some 64 MiB of the kernel's memory.
	leastWatches, mostWatches = 4096, 65536
	// maxDepth is how many levels below a root get a file watch; state files live within five.
	maxDepth = 32
)

// watch adds a directory to the event source, unless it is there or beyond the limits; the poll sees it in any case.
func (t *tree) watch(dir string) {
	if _, ok := t.watched[dir]; ok || t.src == nil || t.spent {
		return
	}
	if depth, _ := t.set.level(dir); depth > maxDepth || len(t.watched) >= t.most {
		t.refused = fmt.Sprintf("more than %d, or %d levels deep", t.most, maxDepth)
		return
	}
	err := t.src.Add(dir)
	switch {
	case err == nil:
		t.watched[dir] = struct{}{}
	case isExhausted(err):
		t.spent, t.refused = true, "no watches left, raise "+watchLimit
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission): // Both are seen when it is read.
		t.refused = reason(err)
	}
}

func (t *tree) unwatch(dir string) {
	if _, ok := t.watched[dir]; ok {
		delete(t.watched, dir)
		_ = t.src.Remove(dir) // An error says that the directory and its watch are gone, which is what is wanted.
	}
}

// unwatchBelow gives up the watches on a directory and on the ones below it: after a rename they would go on sending events under the old names.
func (t *tree) unwatchBelow(dir string) {
	t.unwatch(dir)
	if f := t.folders[dir]; f != nil {
		f.unread = true
		for name, s := range f.entries {
			if s.isDir() {
				t.unwatchBelow(filepath.Join(dir, name))
			}
		}
	}
}

func (t *tree) unwatchAll() {
	for dir := range t.watched {
		t.unwatch(dir)
	}
}

func (t *tree) dropSource() {
	if t.src != nil {
		_ = t.src.Close() // Nothing can be done about it, and nothing depends on it.
		t.src = nil
		clear(t.watched)
	}
}
