// This file has the system watch directories, within the limits that it and we set, and says in words how well that works.

package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"

	"gatehouse/parse/disk/statefile"
)

const (
	// leastWatches is the number of watched directories if the system's limit is unknown: half of the limit per user of
	// the oldest Linux kernels in use (8192). With a known limit it is half of that, and at most mostWatches, which
	// take some 64 MiB of the kernel's memory.
	leastWatches, mostWatches = 4096, 65536

	// watchLimit names the setting that lets a Linux user have more watches. On other systems it is the limit of open
	// files.
	watchLimit = "fs.inotify.max_user_watches or the limit of open files"
)

// watched is a directory with readers.
type watched struct {
	by map[any]int // by is how often each has asked for it.
	is fs.FileInfo // is is the directory that sends the events; another one at its path sends none.
	on bool        // on reports whether it sends events.
}

// Watch watches a directory on behalf of a reader, which calls it before each reading; beyond the limits the poll sees its changes. The
// path is absolute and without links: if two paths lead to one directory, only one gets its events. A directory is watched until Unwatch
// was called as often.
func (w *Watcher) Watch(dir string, by any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	d := w.byPath[dir]
	if d == nil {
		d = &watched{by: map[any]int{}}
		w.byPath[dir] = d
	}
	d.by[by]++
	is, err := os.Stat(dir)
	if err != nil {
		return // The reader notices this.
	}
	if d.on && !os.SameFile(d.is, is) {
		w.removeDir(dir, d)
	}
	if d.is = is; !d.on {
		w.addDir(dir, d)
	}
}

// Unwatch undoes one Watch. Call it as soon as the directory or one above it may have changed: then its watch is gone,
// or reports events under another name.
func (w *Watcher) Unwatch(dir string, by any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	d := w.byPath[dir]
	if d == nil || d.by[by] == 0 {
		return
	}
	if d.by[by]--; d.by[by] > 0 {
		return
	}
	if delete(d.by, by); len(d.by) > 0 {
		return
	}
	w.removeDir(dir, d)
	delete(w.byPath, dir)
}

func (w *Watcher) addDir(dir string, d *watched) {
	switch {
	case w.src == nil || w.spent:
		return
	case w.on >= w.most:
		w.refused = fmt.Sprintf("more than %d", w.most)
		return
	}
	err := w.src.Add(dir)
	switch {
	case err == nil:
		d.on = true
		w.on++
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		w.spent, w.refused = true, "no watches left, raise "+watchLimit
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission): // Both are seen when it is read.
		w.refused = statefile.Cause(err).Error()
	}
}

func (w *Watcher) removeDir(dir string, d *watched) {
	if !d.on {
		return
	}
	d.on = false
	w.on--
	if w.src != nil {
		_ = w.src.Remove(dir) // An error means that the directory and its watch are gone, as intended.
	}
}

// Status says in one line why changes may be seen late, for a status line; it is empty when file events work everywhere.
func (w *Watcher) Status() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch n := len(w.byPath) - w.on; {
	case w.src == nil:
		return "polling: no file events (" + w.noEvents + ")"
	case n > 0 && w.refused != "":
		return fmt.Sprintf("polling %d of %d directories: %s", n, len(w.byPath), w.refused)
	}
	return ""
}

// watchesGranted returns the limit of watched directories: half of the system's limit for this user, as Linux has it.
func watchesGranted() int {
	text, err := os.ReadFile("/proc/sys/fs/inotify/max_user_watches")
	granted, wrong := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || wrong != nil {
		return leastWatches
	}
	return max(leastWatches, min(granted/2, mostWatches))
}
