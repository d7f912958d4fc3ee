// This file tests what happens when events are lost, refused or wrong, with a fake event source and, where time matters, a fake clock.

package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
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

func TestPollOnlyStatus(t *testing.T) {
	if got := watchDir(t, t.TempDir(), Options{PollOnly: true}).w.Status(); got != "polling: no file events (as asked)" {
		t.Error(got)
	}
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
	if len(p.w.byPath) != 1 || p.w.on != 1 {
		t.Errorf("%d directories are known, %d watched", len(p.w.byPath), p.w.on)
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
