// Package watch says which files of a few directory trees have changed, soon after they did and never more often than a screen can use.
//
// Directories are watched, never files: an editor that saves by renaming a new file over the old one would take the watch away with the old file.
// Events say where to look, the file system says what is there, and a slow poll compares all of it with what was last reported, so that an event
// that never came (overflow, network file system, no watches left) is a delay and not an error.
package watch

// The event flow. The front never touches the disk and so is never late; the tree is the only one that does:
//
//	fsnotify ──events, errors──▶ front ──task: dirty paths──▶ tree: stat, re-read, add watches
//	poll timer ────────────────▶ front ──task: re-read all──▶ tree: compare with what was last seen
//	                             front ◀──report: paths───── tree
//	                             front ──▶ coalescer: at once, then after 40 ms of quiet, after 250 ms at the latest
//	                             coalescer ──▶ mailbox of one: a batch not yet taken is merged into the next
//	                                           mailbox ──▶ Changes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// maxDirty is how many distinct paths with events may wait for the tree. Beyond it re-reading everything is cheaper than looking at each.
	maxDirty = 8192
	// maxErrors is how many errors in a row, without an event between them, make events useless: the poll takes over.
	maxErrors = 16
	// closeWait bounds how long Close waits for a file system that does not answer, so that quitting stays instant.
	closeWait = 50 * time.Millisecond
)

// A Root is a directory to watch. It need not exist: it is picked up when it appears, and again after it vanished and came back. It may be a symbolic
// link; of two roots that lead to the same directory, one gets the events and the other is left to the poll.
type Root struct {
	Dir       string // Dir is the directory; a relative path is taken from the working directory.
	Recursive bool   // Recursive includes every directory below, except .git, node_modules, and links that lead out of the root.
}

// Options changes how a Watcher works. The zero value is right for a dashboard.
type Options struct {
	PollOnly bool          // PollOnly does without file events, for file systems known to send none.
	Poll     time.Duration // Poll is the shortest time between two polls; 0 means two seconds.

	open    func() (source, error)              // open makes the event source; nil means fsnotify.
	readDir func(string) ([]fs.DirEntry, error) // readDir lists a directory; nil means os.ReadDir.
}

// A Batch tells what has changed since the batch before it.
type Batch struct {
	// Paths are absolute, cleaned, sorted and each there once: files and directories that were created, written, renamed, removed or had
	// their permissions changed. A path may be reported although its bytes are the same, and may be gone. It is empty when All is set, or
	// when only Status or Problems changed.
	Paths []string
	// All asks to re-read everything: events were lost, or too much changed to list.
	All bool
	// Status says in one line why changes may arrive late, for a status line; empty when file events work everywhere.
	Status string
	// Problems are the directories that cannot be watched as asked, sorted by path: the full list as it is now.
	Problems []Problem
}

// A Problem is a directory that cannot be watched as asked.
type Problem struct {
	Path string // Path is the directory, absolute.
	Text string // Text says what is wrong and what it means, in one line without the path.
}

// A Watcher watches the roots it was made for until it is closed or its context ends.
type Watcher struct {
	changes chan Batch
	cancel  context.CancelFunc
	done    chan struct{} // done is closed when every goroutine has ended.
}

// New starts to watch. When it returns, the directories have been read once: every later change is reported, so start the watcher first and read the
// files after. It fails on a root without a path and when ctx ends before the first reading did; a directory that cannot be watched is a Problem, and
// missing file events are a Status, never an error. The watcher ends with ctx or Close, whichever is first.
func New(ctx context.Context, roots []Root, opts Options) (*Watcher, error) {
	roots, err := cleanRoots(roots)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	w := &Watcher{changes: make(chan Batch, 1), cancel: cancel, done: make(chan struct{})}
	tree := newTree(roots, opts)
	f := &front{
		work:    make(chan task, 1),
		reports: make(chan report, 1),
		out:     w.changes,
		dirty:   map[string]fsnotify.Op{},
	}
	if tree.src != nil {
		f.events, f.errors = tree.src.Events(), tree.src.Errors()
	}
	ready := make(chan struct{})
	treeDone := make(chan struct{})
	go func() {
		defer close(treeDone)
		tree.run(ctx, f.work, f.reports)
	}()
	go func() {
		defer close(w.done)
		f.run(ctx, ready)
		close(w.changes)
		f.drain(treeDone)
	}()
	select {
	case <-ready:
		return w, nil
	case <-ctx.Done():
		err := context.Cause(ctx)
		w.Close()
		return nil, fmt.Errorf("watch: stopped before the first reading: %w", err)
	}
}

// Changes delivers the batches. It holds one: what changes while it is not taken is merged into it, so a slow reader gets fewer and larger batches and
// never holds the watcher up. It is closed when the watcher ends.
func (w *Watcher) Changes() <-chan Batch { return w.changes }

// Close ends the watcher and its goroutines. It may be called more than once, from any goroutine.
func (w *Watcher) Close() {
	w.cancel()
	select {
	case <-w.done:
	case <-time.After(closeWait):
	}
}

// A task is what the front asks of the tree. Its parts add up: dirty paths are looked at, then everything is when rescan is set.
type task struct {
	dirty    map[string]fsnotify.Op
	rescan   bool // rescan re-reads every directory and reports what differs.
	lost     bool // lost says that events are missing: watches are renewed, and the consumer is told to re-read everything.
	noEvents bool // noEvents gives up on file events for good.
}

// report is the tree's answer to a task.
type report struct {
	paths    []string
	all      bool
	state    state
	nextPoll time.Duration // nextPoll is how long to wait for the next poll; 0 after a task that was none.
}

// state is what a batch says besides the changes.
type state struct {
	status   string
	problems []Problem
}

func (s state) equal(o state) bool {
	return s.status == o.status && slices.Equal(s.problems, o.problems)
}

// front is the goroutine between events and consumer. It owns the coalescer and keeps the event source drained whatever the tree and the consumer do:
// fsnotify can deadlock on Windows when a watch is added while nobody takes its events.
type front struct {
	events  <-chan fsnotify.Event
	errors  <-chan error
	work    chan task   // work has room for the one task the tree does not have yet.
	reports chan report // reports has room for the one answer that can be under way.
	out     chan Batch

	dirty  map[string]fsnotify.Op // dirty are the paths with events since the last task.
	next   task                   // next collects the other parts of the next task.
	busy   bool                   // busy is set while the tree works on a task.
	inARow int                    // inARow counts errors without an event between them.
	gaveUp bool                   // gaveUp is set once events are done without.

	box   coalescer
	state state
}

// run works until ctx ends. It closes ready after the first reading, which is where changes start to be counted from.
func (f *front) run(ctx context.Context, ready chan<- struct{}) {
	defer close(f.work)
	poll, deliver := stopped(), stopped()
	defer poll.Stop()
	defer deliver.Stop()
	f.next.rescan = true
	for {
		f.assign()
		select {
		case <-ctx.Done():
			return
		case ev, ok := <-f.events:
			f.event(ev, ok)
		case err, ok := <-f.errors:
			f.trouble(err, ok)
		case <-poll.C:
			f.next.rescan = true
		case <-deliver.C:
		case got := <-f.reports:
			f.busy = false
			if got.nextPoll > 0 {
				poll.Reset(got.nextPoll)
			}
			if ready != nil {
				close(ready)
				ready = nil
				got.paths, got.all = nil, false
			}
			f.take(got)
		}
		f.deliver(deliver)
	}
}

// assign hands the tree the next task if it is idle and there is something to do.
func (f *front) assign() {
	if f.busy || len(f.dirty) == 0 && !f.next.rescan {
		return
	}
	f.next.dirty = f.dirty
	f.work <- f.next
	f.busy, f.next, f.dirty = true, task{}, map[string]fsnotify.Op{}
}

func (f *front) event(ev fsnotify.Event, ok bool) {
	if !ok {
		f.events = nil
		f.giveUp()
		return
	}
	f.inARow = 0
	if ev.Name == "" || isTemp(filepath.Base(ev.Name)) {
		return
	}
	f.dirty[filepath.Clean(ev.Name)] |= ev.Op
	if len(f.dirty) > maxDirty {
		f.dirty = map[string]fsnotify.Op{}
		f.next.rescan, f.next.lost = true, true
	}
}

func (f *front) trouble(err error, ok bool) {
	if !ok {
		f.errors = nil
		f.giveUp()
		return
	}
	f.next.rescan, f.next.lost = true, true
	if errors.Is(err, fsnotify.ErrEventOverflow) {
		return
	}
	f.inARow++
	if f.inARow >= maxErrors {
		f.giveUp()
	}
}

// giveUp asks the tree to do without an event source that has closed or only fails. Until it is closed, it is still drained.
func (f *front) giveUp() {
	if !f.gaveUp {
		f.gaveUp = true
		f.next.rescan, f.next.lost, f.next.noEvents = true, true, true
	}
}

func (f *front) take(got report) {
	news := !got.state.equal(f.state)
	f.state = got.state
	if news || got.all || len(got.paths) > 0 {
		f.box.add(time.Now(), got.paths, got.all)
	}
}

// deliver puts what is due into the mailbox, with what was still in there, and sets the timer for what is not due yet.
func (f *front) deliver(timer *time.Timer) {
	due, pending := f.box.due()
	if !pending {
		return
	}
	now := time.Now()
	if wait := due.Sub(now); wait > 0 {
		timer.Reset(wait)
		return
	}
	select {
	case old := <-f.out:
		f.box.add(now, old.Paths, old.All)
	default:
	}
	b := f.box.take(now)
	b.Status, b.Problems = f.state.status, f.state.problems
	f.out <- b // Never blocks: this is the only sender and it has just emptied the only slot.
}

// drain takes events until the tree, which may be inside a call to the event source, has ended and closed it.
func (f *front) drain(treeDone <-chan struct{}) {
	for {
		select {
		case <-treeDone:
			return
		case _, ok := <-f.events:
			if !ok {
				f.events = nil
			}
		case _, ok := <-f.errors:
			if !ok {
				f.errors = nil
			}
		}
	}
}

// stopped returns a timer that fires only after it was reset.
func stopped() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
