// This file tests what happens when events are lost, refused or wrong, with a fake event source and, where time matters, a fake clock.

package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"

	"gatehouse/parse/disk/mirror"
)

func TestLostEventsRequestCompleteReread(t *testing.T) {
	for _, err := range []error{fsnotify.ErrEventOverflow, errors.New("input/output error")} {
		src := newFakeSource()
		dir := t.TempDir()
		makeTree(t, dir, "a/x.md", "b/y.md")
		p := watchDir(t, dir, Options{Poll: never, open: src.open})
		p.mkdir("c") // Its event is lost.
		src.errors <- err
		p.wait("c")
		if b := p.batches[0]; len(b.Paths) > 0 || !b.All || p.w.Status() != "" {
			t.Errorf("%v: got %+v, want all, no paths and no status but %q", err, b, p.w.Status())
		}
		src.mu.Lock()
		if !src.added[p.abs("c")] || len(src.added) != 4 {
			t.Errorf("%v: watching %v afterwards", err, src.added)
		}
		src.mu.Unlock()
	}
}

func TestTooManyPathsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := newFakeSource()
		w := New(t.Context(), Options{open: src.open})
		defer w.Close()
		for i := range maxPaths + 1 {
			src.events <- fsnotify.Event{Name: fmt.Sprintf("/%d", i), Op: fsnotify.Create}
		}
		time.Sleep(time.Second) // no batch is taken during this time
		if b := <-w.Changes(); !b.All || len(b.Paths) > 0 {
			t.Errorf("%d paths at once: all=%v with %d paths", maxPaths+1, b.All, len(b.Paths))
		}
	})
}

func TestNoWatchesLeft(t *testing.T) {
	for _, refuse := range []error{syscall.ENOSPC, syscall.EMFILE} {
		src := newFakeSource()
		src.limit, src.refuse = 2, refuse
		dir := t.TempDir()
		makeTree(t, dir, "a/x.md", "b/y.md", "c/z.md")
		p := watchDir(t, dir, Options{Poll: time.Millisecond, open: src.open})
		if got := p.w.Status(); !strings.Contains(got, "polling 2 of 4 directories: no watches left") {
			t.Errorf("%v: %q", refuse, got)
		}
		p.write("c/z.md", "seen by the poll\n")
		p.wait("c/z.md")
		src.setLimit(100) // The next poll asks again.
		p.until("no status", func() bool { return p.w.Status() == "" })
	}
}

func TestNoEventSource(t *testing.T) {
	p := watchDir(t, t.TempDir(), Options{Poll: time.Millisecond, open: func() (source, error) { return nil, syscall.EMFILE }})
	if got := p.w.Status(); !strings.Contains(got, "polling: no file events (too many open files)") {
		t.Error(got)
	}
	p.write("x.md", "x")
	p.wait("x.md")
}

func TestPollOnlyStatus(t *testing.T) {
	if got := watchDir(t, t.TempDir(), Options{PollOnly: true}).w.Status(); got != "polling: no file events (as asked)" {
		t.Error(got)
	}
}

func TestSourceReportsOnlyErrors(t *testing.T) {
	src := newFakeSource()
	p := watchDir(t, t.TempDir(), Options{Poll: 20 * time.Millisecond, open: src.open})
	for range maxErrors {
		src.errors <- errors.New("broken")
	}
	p.until("a status", func() bool {
		return strings.Contains(p.w.Status(), "no file events (the system reports only errors)")
	})
	p.write("x.md", "x")
	p.wait("x.md")
}

func TestSourceCloses(t *testing.T) {
	src := newFakeSource()
	p := watchDir(t, t.TempDir(), Options{open: src.open})
	close(src.events)
	close(src.errors)
	p.until("a status", func() bool { return strings.Contains(p.w.Status(), "no file events") })
}

func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		makeTree(t, dir, "x.md")
		src := newFakeSource()
		begin := time.Now()
		p := watchDir(t, dir, Options{open: src.open})
		defer p.w.Close()
		p.seen("x.md")
		p.write("x.md", "an event for it never comes\n")
		p.wait("x.md")
		if took := time.Since(begin); took != pollBase {
			t.Errorf("the poll came after %v, want %v", took, pollBase)
		}
		time.Sleep(quiet)
		begin = time.Now()
		src.events <- fsnotify.Event{Name: p.abs("x.md"), Op: fsnotify.Write}
		p.until("the event", func() bool { return len(p.batches) == 1 })
		if took := time.Since(begin); took != 0 {
			t.Errorf("an event after quiet was delivered after %v, want at once", took)
		}
	})
}

// TestSlowConsumer: a consumer that takes nothing for a while gets one batch with everything, and the watcher takes events all the while.
func TestSlowConsumer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := newFakeSource()
		w := New(t.Context(), Options{open: src.open})
		defer w.Close()
		for i := range 300 {
			src.events <- fsnotify.Event{Name: fmt.Sprintf("/%03d.md", i), Op: fsnotify.Create}
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(time.Second)
		if b := <-w.Changes(); len(b.Paths) != 300 {
			t.Errorf("%d paths in the first batch, want 300", len(b.Paths))
		}
	})
}

func TestLimit(t *testing.T) {
	dir := t.TempDir()
	makeTree(t, dir, "a/x.md", "b/y.md")
	src := newFakeSource()
	w := New(t.Context(), Options{open: src.open})
	defer w.Close()
	w.dirs.most = 2
	for _, rel := range []string{"a", "b", ".", "a"} {
		w.Watch(filepath.Join(dir, rel), t)
	}
	if got := w.Status(); got != "polling 1 of 3 directories: more than 2" || len(src.added) != 2 {
		t.Errorf("%q, watching %v", got, src.added)
	}
	w.Unwatch(filepath.Join(dir, "a"), t) // It was requested twice.
	if len(src.added) != 2 {
		t.Errorf("watching %v", src.added)
	}
	w.Unwatch(filepath.Join(dir, "a"), t)
	w.Poll(func() { w.Watch(dir, t) })
	if got := w.Status(); got != "" || len(src.added) != 2 || !src.added[dir] {
		t.Errorf("%q, watching %v", got, src.added)
	}
	w.Unwatch(filepath.Join(dir, "never"), t)
}

// TestWatchesFollowDirectories: for a missing directory, the nearest existing one above it is watched until it appears. A directory that
// replaces a watched one gets a new watch.
func TestWatchesFollowDirectories(t *testing.T) {
	dir := t.TempDir()
	src := newFakeSource()
	p := watchDir(t, filepath.Join(dir, "a"), Options{open: src.open}, "b/c")
	poll := func() {
		p.w.Poll(func() { p.m.Poll() })
		p.read()
	}
	for range 3 {
		if len(src.added) != 1 || !src.added[dir] {
			t.Errorf("all missing: watched %v", src.added)
		}
		makeTree(t, dir, "a/b/c/x.md")
		poll()
		if len(src.added) != 3 || src.added[dir] || !src.added[p.abs("b/c")] {
			t.Errorf("all created: watched %v", src.added)
		}
		times := src.times[p.abs("b")]
		must(t, os.Rename(p.abs("b"), filepath.Join(dir, "old")))
		p.mkdir("b")
		poll()
		if len(src.added) != 2 || src.times[p.abs("b")] != times+1 {
			t.Errorf("replaced: watched %v, the new directory %d times", src.added, src.times[p.abs("b")])
		}
		must(t, os.RemoveAll(p.dir))
		must(t, os.RemoveAll(filepath.Join(dir, "old")))
		poll()
	}
	if len(p.w.dirs.byPath) != 1 || p.w.dirs.on != 1 {
		t.Errorf("%d directories are known, %d watched", len(p.w.dirs.byPath), p.w.dirs.on)
	}
}

// TestFileSystemRoot: the root of the file system is its own parent.
func TestFileSystemRoot(t *testing.T) {
	top, err := filepath.Abs(string(filepath.Separator))
	must(t, err)
	w := New(t.Context(), Options{open: newFakeSource().open})
	defer w.Close()
	m := mirror.New(top)
	m.Watched(w)
	for range 2 {
		if entries, err := m.List("."); len(entries) == 0 || err != nil {
			t.Errorf("lost the root: %v", err)
		}
		m.Touch(top)
	}
}

// TestPollWithoutChanges: a poll of unchanged directories lists each once, reports nothing, and causes no reading afterwards.
func TestPollWithoutChanges(t *testing.T) {
	dir := t.TempDir()
	makeTree(t, dir, "a/1", "a/2", "b/c/3", "5")
	p := watchDir(t, dir, Options{PollOnly: true}, "missing/one")
	p.seen("a/1")
	lists, reads := p.m.Lists(), p.m.Reads()
	if changed := p.m.Poll(); len(changed) > 0 || p.m.Lists() != lists+4 {
		t.Errorf("%d listings reported %q", p.m.Lists()-lists, changed)
	}
	p.read()
	p.seen("a/1")
	if p.m.Lists() != lists+4 || p.m.Reads() != reads {
		t.Errorf("reading cost %d listings and %d files", p.m.Lists()-lists-4, p.m.Reads()-reads)
	}
}

func TestContextEndsWatcher(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	w := New(ctx, Options{})
	cancel()
	<-w.done
	if _, open := <-w.Changes(); open {
		t.Error("a batch after the end")
	}
	w.Watch(t.TempDir(), t) // This has no effect, and nothing fails.
	w.Close()
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
		t.Errorf("a poll that was set to never comes after %v", got)
	}
}
