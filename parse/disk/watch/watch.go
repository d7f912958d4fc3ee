// Package watch uses the system's notifications for changes in directories, and schedules polls in addition.
//
// A reader requests the watch of a directory before reading it, so that any later change is an event. Only directories
// are watched, never files: an editor that saves by renaming a new file over the old one would remove the watch with
// the old file. Events say where to look and never what is there; a slow poll has everything checked, so that a missing
// event (overflow, network file system, no watches left) is a delay and not an error. Tracking the content and its
// changes is up to the reader.
package watch

// The event flow. The goroutine that takes events never touches the disk and never waits for one that does:
//
//	fsnotify ──events, errors──▶ coalescer: at once, then after 40 ms of quiet, after 250 ms at the latest
//	                             coalescer ──▶ mailbox of one: a batch not yet taken is merged into the next
//	                                           mailbox ──▶ Changes ──▶ reader: Watch, read
//	poll timer ───────────────────────────────────────────▶ Due ─────▶ reader: Poll

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// closeWait bounds how long Close waits for a system that does not answer, so that quitting stays instant.
	closeWait = 50 * time.Millisecond
	// pollBase is how often everything is looked at when that costs next to nothing: a missed change is seen before one looks twice.
	pollBase = 2 * time.Second
	// pollIdle and pollServing bound the cost of the poll: one part in 1000 of the time (0.1 % of a CPU) while it only
	// backs up the events, one in 100 while there are no events. slowest ends that on very large trees.
	pollIdle, pollServing, slowest = 1000, 100, 30 * time.Second
)

// A source sends an event when an entry of a directory added to it changes. Tests put their own in place of fsnotify.
type source interface {
	Add(dir string) error
	Remove(dir string) error
	Events() <-chan fsnotify.Event
	Errors() <-chan error
	Close() error
}

type fsnotifySource struct{ *fsnotify.Watcher }

func (s fsnotifySource) Events() <-chan fsnotify.Event { return s.Watcher.Events }
func (s fsnotifySource) Errors() <-chan error          { return s.Watcher.Errors }

func openFsnotify() (source, error) {
	w, err := fsnotify.NewWatcher()
	return fsnotifySource{w}, err
}

// Options changes how a Watcher works. The zero value is right for a dashboard.
type Options struct {
	PollOnly bool          // PollOnly does without file events, for file systems known to send none.
	Poll     time.Duration // Poll is the shortest time between two polls; 0 means two seconds.

	open func() (source, error) // open makes the event source; nil means fsnotify.
}

// A Batch lists the changed paths since the batch before it.
type Batch struct {
	// Paths are absolute, cleaned, sorted and each there once: files and directories that were created, written, renamed, removed or had
	// their permissions changed, and directories whose watch is lost with that. A path may be there although its bytes are the same, and may be
	// gone. It is empty when All is set.
	Paths []string
	// All requests a complete reread: events were lost, or there are too many to list.
	All bool
}

// A Watcher watches the directories that it is asked to until it is closed or its context ends. Watch, Unwatch, Watching and Status may be called by
// several goroutines at once.
type Watcher struct {
	changes chan Batch
	cancel  context.CancelFunc
	done    chan struct{} // done is closed when every goroutine has ended.
	src     source        // src is nil when only the poll serves.
	timer   *time.Timer   // timer for the next poll.
	base    time.Duration // base is the shortest time between two polls.

	mu       sync.Mutex // mu guards the fields below. It is held during system calls, so the goroutine that takes events never takes it.
	byPath   map[string]*watched
	on       int           // on is how many of them send events.
	most     int           // most is how many may send events.
	noEvents string        // noEvents says why there are no file events at all.
	refused  string        // refused says why the last directory without a watch has none.
	spent    bool          // spent is set while the system has no further watches to give, so that it is not asked for each directory.
	lastCost time.Duration // lastCost is how long the last poll took.
}

// New starts a watcher that watches nothing yet. It ends with ctx or Close, whichever is first.
func New(ctx context.Context, opts Options) *Watcher {
	ctx, cancel := context.WithCancel(ctx)
	w := &Watcher{changes: make(chan Batch, 1), cancel: cancel, done: make(chan struct{}), base: opts.Poll, byPath: map[string]*watched{}, most: watchesGranted()}
	if w.base <= 0 {
		w.base = pollBase
	}
	w.timer = time.NewTimer(w.base)
	open := opts.open
	if open == nil {
		open = openFsnotify
	}
	if opts.PollOnly {
		w.noEvents = "as asked"
	} else if src, err := open(); err != nil {
		w.noEvents = err.Error()
	} else {
		w.src = src
	}
	go func() {
		defer close(w.done)
		w.takeEvents(ctx)
		w.timer.Stop()
		close(w.changes)
		if w.src != nil {
			_ = w.src.Close() // Nothing can be done about it, and nothing depends on it.
		}
	}()
	return w
}

// Changes delivers the batches. It holds one batch: further changes are merged into it, so a slow reader gets fewer and
// larger batches and never delays the watcher. It is closed when the watcher ends.
func (w *Watcher) Changes() <-chan Batch { return w.changes }

// Due signals that it is time for a Poll.
func (w *Watcher) Due() <-chan time.Time { return w.timer.C }

// Poll calls look, which must call Watch again for each directory, and schedules the next poll by the time it took.
func (w *Watcher) Poll(look func()) {
	w.mu.Lock()
	w.spent, w.refused = false, "" // The system is asked again.
	w.mu.Unlock()
	begin := time.Now()
	look()
	cost := time.Since(begin)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer.Reset(pollAfter(w.base, min(cost, w.lastCost), w.src == nil || w.refused != "" && w.on < len(w.byPath))) // One stall of the disk does not slow the pace.
	w.lastCost = cost
}

// Watching returns on whose behalf a path of a batch is watched.
func (w *Watcher) Watching(path string) []any {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := map[any]bool{}
	for _, dir := range []string{path, filepath.Dir(path)} {
		if d := w.byPath[dir]; d != nil {
			for by := range d.by {
				all[by] = true
			}
		}
	}
	return slices.Collect(maps.Keys(all))
}

// pollAfter returns how long to wait for the next poll when one takes cost.
func pollAfter(base, cost time.Duration, serving bool) time.Duration {
	share := time.Duration(pollIdle)
	if serving {
		share = pollServing
	}
	return max(base, min(cost*share, slowest))
}

// Close ends the watcher and its goroutines. It may be called more than once, from any goroutine.
func (w *Watcher) Close() {
	w.cancel()
	select {
	case <-w.done:
	case <-time.After(closeWait):
	}
}

// takeEvents delivers changes until ctx ends.
func (w *Watcher) takeEvents(ctx context.Context) {
	var events <-chan fsnotify.Event
	var errors <-chan error
	if w.src != nil {
		events, errors = w.src.Events(), w.src.Errors()
	}
	var box coalescer
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case ev, ok := <-events:
			if !ok {
				events = nil
			} else if ev.Name != "" && !isTemp(filepath.Base(ev.Name)) {
				box.addChanges(time.Now(), []string{filepath.Clean(ev.Name)}, false)
			}
		case _, ok := <-errors:
			if !ok {
				errors = nil
			}
			box.addChanges(time.Now(), nil, true) // events are missing
		case <-timer.C:
		}
		w.deliverDue(&box, timer)
	}
}

// isTemp reports whether a file name is one that editors and careful writers use for a moment: 4913 is Vim's test for a writable directory. When such
// a file is renamed onto its real name, that name gets an event of its own.
func isTemp(name string) bool {
	switch {
	case name == "4913", strings.HasPrefix(name, ".#"), strings.HasSuffix(name, "~"):
		return true
	case strings.HasSuffix(name, ".swp"), strings.HasSuffix(name, ".swx"), strings.HasSuffix(name, ".lock"):
		return true
	}
	return strings.HasSuffix(name, ".tmp") || strings.Contains(name, ".tmp.")
}

// deliverDue puts due changes into the mailbox, merged with its content, and sets the timer for the rest.
func (w *Watcher) deliverDue(box *coalescer, timer *time.Timer) {
	due, pending := box.dueAt()
	if !pending {
		return
	}
	now := time.Now()
	if wait := due.Sub(now); wait > 0 {
		timer.Reset(wait)
		return
	}
	select {
	case old := <-w.changes:
		box.addChanges(now, old.Paths, old.All)
	default:
	}
	w.changes <- box.takeBatch(now) // Never blocks: this is the only sender and it has just emptied the only slot.
}
