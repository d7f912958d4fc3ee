// This file tests what happens when events are lost, refused or wrong, with a fake event source and, where time matters, a fake clock.

package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

func TestLostEventsAskToReadAll(t *testing.T) {
	for _, err := range []error{fsnotify.ErrEventOverflow, errors.New("input/output error")} {
		src := newFakeSource()
		dir := t.TempDir()
		makeTree(t, dir, "a/x.md", "b/y.md")
		p := watchDir(t, dir, Options{Poll: never, open: src.open})
		p.mkdir("c") // Its event is lost.
		src.errors <- err
		p.until("a batch for all", func() bool { return p.all })
		if b := p.last(); len(b.Paths) > 0 || b.Status != "" {
			t.Errorf("%v: got %+v, want all, no paths and no status", err, b)
		}
		src.mu.Lock()
		if !src.added[p.abs("c")] || len(src.added) != 4 {
			t.Errorf("%v: watching %v afterwards", err, src.added)
		}
		src.mu.Unlock()
	}
}

func TestTooManyPathsAtOnce(t *testing.T) {
	src := newFakeSource()
	started, proceed := make(chan bool), make(chan bool)
	block := false
	p := watchDir(t, t.TempDir(), Options{Poll: never, open: src.open, readDir: func(dir string) ([]fs.DirEntry, error) {
		if block {
			started <- true
			<-proceed
			block = false
		}
		return os.ReadDir(dir)
	}})
	block = true
	src.events <- fsnotify.Event{Name: p.dir, Op: fsnotify.Write}
	<-started // The tree is busy from here on, and events pile up.
	for i := range maxDirty + 1 {
		src.events <- fsnotify.Event{Name: p.abs(fmt.Sprint(i)), Op: fsnotify.Create}
	}
	proceed <- true
	p.until("a batch for all", func() bool { return p.all })
}

func TestNoWatchesLeft(t *testing.T) {
	for _, refuse := range []error{syscall.ENOSPC, syscall.EMFILE} {
		src := newFakeSource()
		src.limit, src.refuse = 2, refuse
		dir := t.TempDir()
		makeTree(t, dir, "a/x.md", "b/y.md", "c/z.md")
		p := watchDir(t, dir, Options{Poll: time.Millisecond, open: src.open})
		p.until("a status", func() bool { return strings.Contains(p.last().Status, "polling 2 of 4 directories: no watches left") })
		p.write("c/z.md", "seen by the poll\n")
		p.wait("c/z.md")
		src.setLimit(100)
		p.mkdir("d") // With something new to report or without: the next poll asks again.
		p.until("no status", func() bool { return len(p.batches) > 0 && p.last().Status == "" })
	}
}

func TestNoEventSource(t *testing.T) {
	p := watchDir(t, t.TempDir(), Options{Poll: time.Millisecond, open: func() (source, error) { return nil, syscall.EMFILE }})
	p.until("a status", func() bool { return strings.Contains(p.last().Status, "polling: no file events (too many open files)") })
	p.write("x.md", "x")
	p.wait("x.md")
}

func TestPollOnlySaysSo(t *testing.T) {
	p := watchDir(t, t.TempDir(), Options{PollOnly: true})
	p.until("a status", func() bool { return p.last().Status == "polling: no file events (as asked)" })
}

func TestSourceThatOnlyFails(t *testing.T) {
	src := newFakeSource()
	p := watchDir(t, t.TempDir(), Options{Poll: time.Millisecond, open: src.open})
	for range maxErrors {
		src.errors <- errors.New("broken")
	}
	p.until("a status", func() bool {
		return strings.Contains(p.last().Status, "no file events (the system reports only errors)")
	})
	p.write("x.md", "x")
	p.until("x.md", func() bool { return p.paths[p.abs("x.md")] })
	if !src.closed {
		t.Error("the event source is still open")
	}
}

func TestSourceThatCloses(t *testing.T) {
	src := newFakeSource()
	p := watchDir(t, t.TempDir(), Options{Poll: time.Millisecond, open: src.open})
	close(src.events)
	close(src.errors)
	p.until("a status", func() bool { return strings.Contains(p.last().Status, "no file events") })
}

func TestUnreadableDirectory(t *testing.T) {
	dir := t.TempDir()
	makeTree(t, dir, "a/x.md", "locked/y.md")
	locked := filepath.Join(dir, "locked")
	allowed := make(chan bool, 1)
	isAllowed := false
	p := watchDir(t, dir, Options{Poll: time.Millisecond, readDir: func(d string) ([]fs.DirEntry, error) {
		select {
		case isAllowed = <-allowed:
		default:
		}
		if d == locked && !isAllowed {
			return nil, &fs.PathError{Op: "open", Path: d, Err: syscall.EACCES}
		}
		return os.ReadDir(d)
	}})
	p.until("a problem", func() bool {
		b := p.last()
		return len(b.Problems) == 1 && b.Problems[0].Path == locked && strings.HasSuffix(b.Problems[0].Text, "not seen: permission denied")
	})
	p.write("a/x.md", "the rest goes on\n")
	p.wait("a/x.md")
	allowed <- true
	p.until("no problem, and the file", func() bool { return len(p.batches) > 0 && p.last().Problems == nil && p.paths[p.abs("locked/y.md")] })
}

func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		makeTree(t, dir, "x.md")
		src := newFakeSource()
		p := watchDir(t, dir, Options{open: src.open})
		defer p.w.Close()
		begin := time.Now()
		p.write("x.md", "an event for it never comes\n")
		p.wait("x.md")
		if took := time.Since(begin); took != pollBase {
			t.Errorf("the poll came after %v, want %v", took, pollBase)
		}
		time.Sleep(quiet)
		begin = time.Now()
		src.events <- fsnotify.Event{Name: p.abs("x.md"), Op: fsnotify.Write}
		p.wait("x.md")
		if took := time.Since(begin); took != 0 {
			t.Errorf("an event after quiet was delivered after %v, want at once", took)
		}
	})
}

// A consumer that takes nothing for a while gets one batch with everything, and the watcher takes events all the while.
func TestSlowConsumer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := newFakeSource()
		p := watchDir(t, t.TempDir(), Options{open: src.open})
		defer p.w.Close()
		for i := range 300 {
			name := fmt.Sprintf("%03d.md", i)
			p.write(name, "x")
			src.events <- fsnotify.Event{Name: p.abs(name), Op: fsnotify.Create}
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(time.Second)
		p.until("all", func() bool { return len(p.paths) == 300 })
		if len(p.batches) != 1 {
			t.Errorf("%d batches, want 1", len(p.batches))
		}
	})
}

// The limits of how much is watched and read, with a directory more than each.
func TestLimits(t *testing.T) {
	src := newFakeSource()
	dir := t.TempDir()
	makeTree(t, dir, strings.Repeat("d/", maxDepth+1)+"x.md")
	p := watchDir(t, dir, Options{Poll: time.Millisecond, open: src.open})
	p.until("a status", func() bool {
		return strings.Contains(p.last().Status, fmt.Sprintf("polling 1 of 34 directories: more than %d, or 32 levels deep", watchesGranted()))
	})
	p.write(strings.Repeat("d/", maxDepth+1)+"x.md", "seen by the poll\n")
	p.wait(strings.Repeat("d/", maxDepth+1) + "x.md")

	tree := newTree([]Root{{dir, true}}, Options{open: src.open})
	for i := range tree.most {
		tree.watched[fmt.Sprint(i)] = struct{}{}
	}
	tree.watch(dir)
	if len(tree.watched) != tree.most || tree.refused == "" {
		t.Errorf("%d watches, refused: %q", len(tree.watched), tree.refused)
	}
	tree.dirs[dir] = maxDirs
	tree.begin(filepath.Join(dir, "d"))
	if s := tree.state(); len(tree.folders) > 0 || len(s.problems) != 1 || s.problems[0].Path != dir {
		t.Errorf("%d folders, problems: %v", len(tree.folders), s.problems)
	}
}

// What is remembered of all directories is bounded, and counted right whatever happens.
func TestNamesAreCountedAndBounded(t *testing.T) {
	dir := t.TempDir()
	makeTree(t, dir, "a/1", "a/2", "b/c/3", "b/c/4", "5")
	tree := newTree([]Root{{dir, true}}, Options{open: newFakeSource().open})
	check := func(what string, want int) {
		t.Helper()
		names, dirs := 0, map[string]int{}
		for _, f := range tree.folders {
			names += len(f.entries)
			dirs[dir]++
		}
		if names != want || tree.names != want || fmt.Sprint(dirs) != fmt.Sprint(tree.dirs) {
			t.Errorf("%s: %d names, counted %d, want %d; directories %v, counted %v", what, names, tree.names, want, dirs, tree.dirs)
		}
	}
	at := func(rel string) string { return filepath.Join(dir, rel) }
	tree.do(t.Context(), task{rescan: true})
	check("first", 8)
	makeTree(t, dir, "a/6")
	tree.do(t.Context(), task{dirty: map[string]fsnotify.Op{at("a/6"): fsnotify.Create}})
	check("a file more", 9)
	tree.do(t.Context(), task{dirty: map[string]fsnotify.Op{at("a/6"): fsnotify.Write}})
	check("written again", 9)
	must(t, os.Remove(at("a/6")))
	tree.do(t.Context(), task{dirty: map[string]fsnotify.Op{at("a/6"): fsnotify.Remove}})
	check("and removed", 8)
	must(t, os.RemoveAll(at("b")))
	tree.do(t.Context(), task{dirty: map[string]fsnotify.Op{at("b"): fsnotify.Remove}})
	check("a directory less", 4)
	must(t, os.RemoveAll(dir))
	tree.do(t.Context(), task{rescan: true})
	check("nothing left", 0)

	makeTree(t, dir, "a/1", "a/2")
	tree.names = maxNames - 1
	tree.do(t.Context(), task{rescan: true})
	if s := tree.state(); tree.names != maxNames || len(s.problems) != 1 || s.problems[0].Path != at("a") {
		t.Errorf("%d names are counted, problems: %v", tree.names, s.problems)
	}
	makeTree(t, dir, "7")
	if got := tree.do(t.Context(), task{dirty: map[string]fsnotify.Op{at("7"): fsnotify.Create}}); tree.names != maxNames || len(got.paths) != 1 {
		t.Errorf("%d names are counted, reported: %v", tree.names, got.paths)
	}
}

// Of a directory with too many entries a part is read, and the user is told.
func TestDirectoryWithTooManyEntries(t *testing.T) {
	dir := t.TempDir()
	for i := range maxEntries + 10 {
		must(t, os.WriteFile(filepath.Join(dir, fmt.Sprint("f", i)), nil, 0o644))
	}
	tree := newTree([]Root{{dir, true}}, Options{open: newFakeSource().open})
	for range 2 {
		got := tree.do(t.Context(), task{rescan: true})
		if p := got.state.problems; tree.names != maxEntries || len(p) != 1 || !strings.Contains(p[0].Text, "more than 20000 entries") {
			t.Errorf("%d entries are remembered, problems: %v", tree.names, p)
		}
	}
}

// More changes than a batch lists are not collected one by one, nor is a path under all the names that lead to it.
func TestFloodIsReportedAsAll(t *testing.T) {
	dir := t.TempDir()
	makeTree(t, dir, "real/x")
	for i := range maxPaths + 10 {
		if err := os.Symlink("real", filepath.Join(dir, fmt.Sprint(i))); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	tree := newTree([]Root{{dir, true}}, Options{open: newFakeSource().open})
	if got := tree.do(t.Context(), task{rescan: true}); !got.all || len(got.paths) > 0 {
		t.Errorf("at first: all %v, %d paths", got.all, len(got.paths))
	}
	x := filepath.Join(dir, "real", "x")
	if got := tree.do(t.Context(), task{dirty: map[string]fsnotify.Op{x: fsnotify.Write}}); !got.all || len(got.paths) > 0 {
		t.Errorf("of one file: all %v, %d paths", got.all, len(got.paths))
	}
	must(t, os.RemoveAll(dir))
	tree.do(t.Context(), task{rescan: true})
	if len(tree.aliases)+len(tree.linked) > 0 {
		t.Errorf("%d links are remembered that are gone, to %d directories", len(tree.aliases), len(tree.linked))
	}
}

// Roots that are missing from the same directory share its watch, which is not one of a directory read.
func TestMissingRootsShareAWatch(t *testing.T) {
	dir := t.TempDir()
	tree := newTree([]Root{{filepath.Join(dir, "a"), true}, {filepath.Join(dir, "b", "c"), true}}, Options{open: newFakeSource().open})
	tree.do(t.Context(), task{rescan: true})
	if len(tree.watched) != 1 || len(tree.anchors) != 1 || tree.unwatched() != 0 {
		t.Errorf("watched %v for %v, %d unwatched", tree.watched, tree.anchors, tree.unwatched())
	}
	makeTree(t, dir, "a/x.md", "b/c/y.md")
	tree.do(t.Context(), task{rescan: true})
	if len(tree.watched) != 2 || len(tree.anchors) != 0 || tree.unwatched() != 0 {
		t.Errorf("once they are there: watched %v for %v, %d unwatched", tree.watched, tree.anchors, tree.unwatched())
	}
}

// The top of the file system is its own parent.
func TestTopOfTheFileSystem(t *testing.T) {
	top, err := filepath.Abs(string(filepath.Separator))
	must(t, err)
	tree := newTree([]Root{{top, false}}, Options{open: newFakeSource().open})
	tree.do(t.Context(), task{rescan: true})
	for range 2 {
		tree.do(t.Context(), task{dirty: map[string]fsnotify.Op{top: fsnotify.Create}, rescan: true})
	}
	if got := tree.folders[top]; got == nil || len(got.entries) == 0 || len(tree.folders) != 1 {
		t.Errorf("lost the top: %d folders, %+v", len(tree.folders), got)
	}
}

func TestNewFails(t *testing.T) {
	if _, err := New(t.Context(), []Root{{}}, Options{}); err == nil {
		t.Error("a root without a directory: no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	release := make(chan bool)
	defer close(release)
	_, err := New(ctx, []Root{{t.TempDir(), true}}, Options{PollOnly: true, readDir: func(string) ([]fs.DirEntry, error) {
		cancel()
		<-release // A file system that hangs.
		return nil, nil
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled while the first reading hangs: %v", err)
	}
}

func TestPollAfter(t *testing.T) {
	for _, c := range []struct {
		cost    time.Duration
		serving bool
		want    time.Duration
	}{
		{time.Millisecond, false, 2 * time.Second},
		{5 * time.Millisecond, false, 5 * time.Second},
		{5 * time.Millisecond, true, 2 * time.Second},
		{50 * time.Millisecond, true, 5 * time.Second},
		{time.Minute, false, 30 * time.Second},
		{time.Minute, true, 10 * time.Second},
	} {
		if got := pollAfter(pollBase, c.cost, c.serving); got != c.want {
			t.Errorf("after a poll of %v, serving %v: %v, want %v", c.cost, c.serving, got, c.want)
		}
	}
	if got := pollAfter(never, time.Minute, false); got != never {
		t.Errorf("the poll asked for never comes after %v", got)
	}
}
