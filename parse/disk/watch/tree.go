// This file holds what was last seen of the watched directories, looks again where it is told to, and notes what differs.

package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// maxDirs is how many directories are read of one root with all below, so that a root set on a home directory costs seconds once and not memory
	// without end.
	maxDirs = 16384
	// maxEntries is how many entries of one directory are read, as many as readers take note of.
	maxEntries = 20_000
	// maxNames is how many entries are remembered of all directories: some 100 MiB.
	maxNames = 1_000_000
)

// A tree is everything known about the watched directories. It belongs to one goroutine, which is allowed to wait for the disk.
type tree struct {
	roots   []string // roots are the directories of the roots, sorted, so that an outer one comes before an inner one.
	set     rootSet
	src     source // src is nil when only the poll serves.
	readDir func(string) ([]fs.DirEntry, error)

	base     time.Duration // base is the shortest time between two polls.
	lastCost time.Duration // lastCost is how long the last reading of everything took.

	folders map[string]*folder  // folders are the directories read, by path.
	dirs    map[string]int      // dirs is how many of them each outermost root has.
	names   int                 // names is how many entries all of them have.
	watched map[string]struct{} // watched are the directories added to src.
	most    int                 // most is how many may be.
	dirty   map[string]struct{} // dirty collects the paths to report for the task at hand,
	flooded bool                // unless there are too many to list.

	missing map[string]missing             // missing are the roots that are not there, by directory.
	anchors map[string]map[string]struct{} // anchors are the missing roots by the directory they wait at,
	awaited map[string]map[string]struct{} // and awaited by the path they wait for.
	lost    []string                       // lost are roots that have gone during the task at hand.
	aliases map[string]string              // aliases maps a linked directory to the watched directory it leads to,
	linked  map[string]map[string]struct{} // and linked maps that back to all that lead to it.

	trouble map[string]string // trouble is the text of the Problem of a directory that cannot be read.
	crowded string            // crowded is a root with more directories than are read, or "".
	full    string            // full is a directory of which the entries are not remembered for there are too many in all, or "".
	noEvent string            // noEvent says why there are no file events at all.
	refused string            // refused says why the last directory without a watch has none.
	spent   bool              // spent is set while the system has no further watches to give, so that it is not asked for each directory.
	network string            // network is the kind of a file system below the roots that sends no events.
}

// A folder is a directory as last read.
type folder struct {
	stamp   stamp
	entries map[string]stamp // entries are the stamps by name, without temporary files.
	unread  bool             // unread is set until it is read, and again when its watch was given up.
}

func newTree(roots []Root, opts Options) *tree {
	t := &tree{
		set:     newRootSet(roots),
		readDir: opts.readDir,
		base:    opts.Poll,
		folders: map[string]*folder{},
		dirs:    map[string]int{},
		watched: map[string]struct{}{},
		most:    watchesGranted(),
		dirty:   map[string]struct{}{},
		missing: map[string]missing{},
		anchors: map[string]map[string]struct{}{},
		awaited: map[string]map[string]struct{}{},
		aliases: map[string]string{},
		linked:  map[string]map[string]struct{}{},
		trouble: map[string]string{},
	}
	t.roots = sortedKeys(t.set)
	if t.readDir == nil {
		t.readDir = readDir
	}
	if t.base <= 0 {
		t.base = pollBase
	}
	open := opts.open
	if open == nil {
		open = openFsnotify
	}
	if opts.PollOnly {
		t.noEvent = "as asked"
	} else if src, err := open(); err != nil {
		t.noEvent = err.Error()
	} else {
		t.src = src
	}
	return t
}

// errCrowded is the error of a directory with more than maxEntries.
var errCrowded = fmt.Errorf("it holds more than %d entries", maxEntries)

// readDir lists a directory, maxEntries of it at most.
func readDir(dir string) ([]fs.DirEntry, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := f.ReadDir(maxEntries + 1)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if len(list) > maxEntries {
		list, err = list[:maxEntries], errCrowded
	}
	return list, err
}

// run answers tasks until there will be no more, then closes the event source.
func (t *tree) run(ctx context.Context, work <-chan task, answers chan<- report) {
	for job := range work {
		answers <- t.do(ctx, job)
	}
	t.dropSource()
}

// do does the parts of a task in the order that leaves no gap: watches are given up first, new ones are added before their directories are read.
func (t *tree) do(ctx context.Context, job task) report {
	begin := time.Now()
	if job.noEvents && t.src != nil {
		t.dropSource()
		t.noEvent = "the system reports only errors"
	}
	if job.lost {
		t.unwatchAll()
	}
	t.touch(ctx, job.dirty)
	var next time.Duration
	sought := t.expected(sortedKeys(job.dirty))
	if job.rescan {
		t.spent, t.refused, t.crowded, t.full = false, "", "", ""
		t.visit(ctx, sortedKeys(t.folders))
		sought = t.roots
	}
	for range 2 { // What is lost even then comes with the next task.
		sought = append(slices.Clip(sought), t.lost...)
		t.lost = nil
		slices.Sort(sought)
		t.visit(ctx, t.seekRoots(ctx, slices.Compact(sought)))
		sought = nil
	}
	if job.rescan {
		t.network = t.findNetwork()
		cost := time.Since(begin)
		next = pollAfter(t.base, min(cost, t.lastCost), t.pollServes()) // One stall of the disk does not slow the pace.
		t.lastCost = cost
	}
	answer := report{paths: slices.Collect(maps.Keys(t.dirty)), all: job.lost || t.flooded, state: t.state(), nextPoll: next}
	clear(t.dirty)
	t.flooded = false
	return answer
}

// touch looks at paths that had an event. What happened to a path is not believed, only that something did, with one exception: a directory that was
// created, renamed or removed has lost its watch even if there is one again at the same path.
func (t *tree) touch(ctx context.Context, events map[string]fsnotify.Op) {
	const replaced = fsnotify.Create | fsnotify.Remove | fsnotify.Rename
	paths := sortedKeys(events)
	for _, p := range paths {
		if events[p]&replaced != 0 {
			t.unwatchBelow(p)
		}
	}
	var queue []string
	for _, p := range paths {
		known := t.folders[p] != nil
		parent := t.folders[filepath.Dir(p)]
		if filepath.Dir(p) == p {
			parent = nil // The top of the file system is no entry of anything.
		}
		if parent == nil && !known {
			continue // Beside a missing root: seekRoots looks.
		}
		s, ok := t.stamp(p)
		if parent != nil {
			name := filepath.Base(p)
			// Some systems send a write for a directory when its entries change; only the entries are worth reporting then.
			if old := parent.entries[name]; !ok || !s.isDir() || old != s || events[p]&replaced != 0 {
				t.note(p)
			}
			t.remember(parent, name, s, ok)
		}
		if known || ok && s.isDir() && t.begin(p).unread {
			queue = append(queue, p)
		}
	}
	t.visit(ctx, queue)
}

// remember keeps the stamp of an entry of a directory, or that there is no such entry.
func (t *tree) remember(f *folder, name string, s stamp, there bool) {
	_, known := f.entries[name]
	switch {
	case there && known:
		f.entries[name] = s
	case there && t.names < maxNames:
		f.entries[name] = s
		t.names++
	case !there && known:
		delete(f.entries, name)
		t.names--
	}
}

// visit reads directories that have a folder, and the ones found in them afterwards: by then a directory that was moved has given up its watch
// under the old path, which the system would otherwise hand out again under that path.
func (t *tree) visit(ctx context.Context, queue []string) {
	for i := 0; i < len(queue) && ctx.Err() == nil; i++ {
		if f := t.folders[queue[i]]; f != nil {
			queue = append(queue, t.read(queue[i], f)...)
		}
		runtime.Gosched() // Whoever answers keys must not wait for thousands of directories.
	}
}

// read watches one directory, reads it, and returns the directories in it that must be read as well.
func (t *tree) read(dir string, f *folder) (unread []string) {
	now, ok := t.stampDir(dir)
	if !ok {
		t.forget(dir)
		return nil
	}
	if now != f.stamp {
		if now.inode != f.stamp.inode {
			t.unwatchBelow(dir)
		}
		t.note(dir)
		f.stamp = now
	}
	f.unread = false
	t.watch(dir) // Before reading: what happens after the reading is an event.
	list, err := t.readDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		t.forget(dir)
		return nil
	}
	if errors.Is(err, errCrowded) {
		t.trouble[dir] = err.Error() + ": changes in the rest are not seen"
		return t.compare(dir, f, list)
	}
	if err != nil {
		t.trouble[dir] = "cannot be read, changes in it are not seen: " + reason(err)
		return nil
	}
	delete(t.trouble, dir)
	return t.compare(dir, f, list)
}

// compare notes which entries of a directory differ from what was last seen, and returns the directories among them that must be read.
func (t *tree) compare(dir string, f *folder, list []fs.DirEntry) (unread []string) {
	seen := make(map[string]stamp, len(list))
	t.names -= len(f.entries)
	for _, e := range list {
		name := e.Name()
		if isTemp(name) {
			continue
		}
		path := filepath.Join(dir, name)
		s, ok := t.stamp(path)
		if !ok {
			continue // Gone since the listing.
		}
		if t.names+len(seen) >= maxNames {
			t.full = dir
			break
		}
		seen[name] = s
		if old, ok := f.entries[name]; !ok || old != s {
			t.note(path)
		}
		if s.isDir() && t.begin(path).unread {
			unread = append(unread, path)
		}
	}
	for name := range f.entries {
		if _, ok := seen[name]; !ok {
			t.forget(filepath.Join(dir, name))
		}
	}
	f.entries = seen
	t.names += len(seen)
	return unread
}

// begin returns the folder of a directory, made now if it is a new one to read. For one that is not to be read it returns an empty folder.
func (t *tree) begin(dir string) *folder {
	if f := t.folders[dir]; f != nil {
		return f
	}
	if _, ok := t.set.level(dir); !ok {
		return &folder{}
	}
	root := t.set.outermost(dir)
	if t.dirs[root] >= maxDirs {
		t.crowded = root
		return &folder{}
	}
	f := &folder{entries: map[string]stamp{}, unread: true}
	t.folders[dir] = f
	t.dirs[root]++
	return f
}

// forget notes that a path is gone, with everything known below it.
func (t *tree) forget(path string) {
	t.note(path)
	t.unlink(path)
	f := t.folders[path]
	if f == nil {
		return
	}
	for name := range f.entries {
		t.forget(filepath.Join(path, name))
	}
	t.unwatch(path)
	t.names -= len(f.entries)
	root := t.set.outermost(path)
	if t.dirs[root]--; t.dirs[root] == 0 {
		delete(t.dirs, root)
	}
	delete(t.folders, path)
	delete(t.trouble, path)
	if t.set.has(path) {
		t.lost = append(t.lost, path)
	}
	t.lost = slices.AppendSeq(t.lost, maps.Keys(t.anchors[path])) // They wait further up from now on.
}

// note adds a path to the report, under the names it has through linked directories as well. Beyond what a batch lists everything is reported.
func (t *tree) note(path string) {
	if t.flooded {
		return
	}
	t.dirty[path] = struct{}{}
	if len(t.linked) > 0 {
		for dir := range above(path) {
			for alias := range t.linked[dir] {
				rel, _ := below(dir, path)
				t.dirty[filepath.Join(alias, rel)] = struct{}{}
			}
		}
	}
	if len(t.dirty) > maxPaths {
		t.flooded = true
		clear(t.dirty)
	}
}

// stamp returns the stamp of an entry and whether it is there, and keeps track of linked directories.
func (t *tree) stamp(path string) (stamp, bool) {
	s, linked, ok := stampFile(path)
	if linked {
		t.link(path)
	} else {
		t.unlink(path)
	}
	return s, ok
}

// stampDir returns the stamp of a directory and whether it is there. A root may be a symbolic link, a directory below one may not.
func (t *tree) stampDir(dir string) (stamp, bool) {
	stat := os.Lstat
	if t.set.has(dir) {
		stat = os.Stat
	}
	info, err := stat(dir)
	if err != nil || !info.IsDir() {
		return stamp{}, false
	}
	return stampOf(info), true
}
