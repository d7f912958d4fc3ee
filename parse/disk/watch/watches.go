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
	"time"

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

// watches are the directories with readers.
type watches struct {
	byPath   map[string]*watched
	on       int    // on is how many of them send events.
	most     int    // most is how many may send events.
	noEvents string // noEvents says why there are no file events at all.
	refused  string // refused says why the last directory without a watch has none.
	spent    bool   // spent is set while the system has no further watches to give, so that it is not asked for each directory.

	lastCost time.Duration // lastCost is how long the last poll took.
}

// watched is a directory with readers.
type watched struct {
	by map[any]int // by is how often each has asked for it.
	is fs.FileInfo // is is the directory that sends the events; another one at its path sends none.
	on bool        // on reports whether it sends events.
}

func newWatches() watches {
	return watches{byPath: map[string]*watched{}, most: watchesGranted()}
}

// retryLimits has the limits of the system tried again.
func (t *watches) retryLimits() { t.spent, t.refused = false, "" }

// wantDir adds a directory to the event source, unless it is already there or beyond the limits; the poll sees it in any
// case.
func (t *watches) wantDir(src source, dir string, by any) {
	d := t.byPath[dir]
	if d == nil {
		d = &watched{by: map[any]int{}}
		t.byPath[dir] = d
	}
	d.by[by]++
	is, err := os.Stat(dir)
	if err != nil {
		return // The reader notices this.
	}
	if d.on && !os.SameFile(d.is, is) {
		t.removeDir(src, dir, d)
	}
	if d.is = is; !d.on {
		t.addDir(src, dir, d)
	}
}

// releaseDir undoes one call of want.
func (t *watches) releaseDir(src source, dir string, by any) {
	d := t.byPath[dir]
	if d == nil || d.by[by] == 0 {
		return
	}
	if d.by[by]--; d.by[by] > 0 {
		return
	}
	if delete(d.by, by); len(d.by) > 0 {
		return
	}
	t.removeDir(src, dir, d)
	delete(t.byPath, dir)
}

func (t *watches) addDir(src source, dir string, d *watched) {
	switch {
	case src == nil || t.spent:
		return
	case t.on >= t.most:
		t.refused = fmt.Sprintf("more than %d", t.most)
		return
	}
	err := src.Add(dir)
	switch {
	case err == nil:
		d.on = true
		t.on++
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		t.spent, t.refused = true, "no watches left, raise "+watchLimit
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission): // Both are seen when it is read.
		t.refused = statefile.Cause(err).Error()
	}
}

func (t *watches) removeDir(src source, dir string, d *watched) {
	if !d.on {
		return
	}
	d.on = false
	t.on--
	if src != nil {
		_ = src.Remove(dir) // An error means that the directory and its watch are gone, as intended.
	}
}

// pollServes reports whether some changes are seen by the poll only.
func (t *watches) pollServes(src source) bool {
	return src == nil || t.refused != "" && t.on < len(t.byPath)
}

// statusText returns the reason why changes may be seen late, "" if there is none.
func (t *watches) statusText(src source) string {
	switch n := len(t.byPath) - t.on; {
	case src == nil:
		return "polling: no file events (" + t.noEvents + ")"
	case n > 0 && t.refused != "":
		return fmt.Sprintf("polling %d of %d directories: %s", n, len(t.byPath), t.refused)
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
