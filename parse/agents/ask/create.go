package ask

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"

	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/process"
	"gatehouse/parse/disk/statefile"
)

// Asked is an ask of this process, which holds it until [Asked.Close].
type Asked struct {
	Ask   Ask
	store *Store
	file  *statefile.File // locked; nil if the ask is kept
}

// Ask opens an ask, which gets an ID, its time and the processes behind it, and this process holds it. The error is [ErrLong] if a text
// is too long to be shown, [ErrFull] if too many asks are open. A new finished turn replaces the one of its session.
func (s *Store) Ask(a Ask) (*Asked, error) {
	if !cleanAsk(&a) {
		return nil, ErrLong
	}
	if s.isFull() {
		if s.Sweep(); s.isFull() {
			return nil, ErrFull
		}
	}
	if a.Kind == Turn {
		s.WithdrawTurns(a.Agent, a.Session, ReasonWentOn)
	}
	a.ID, a.State = newID(), Waiting
	if a.Since.IsZero() || a.Kind != Turn {
		a.Since = s.Now().UTC()
	}
	switch {
	case a.Kind == Turn: // the session may take words from anywhere
	case !a.Kept:
		a.Asker = s.Table.Self()
	case a.Session != "": // this process ends soon; the one it runs for stays and may fetch the answer
		a.Asker = s.ownerOfSelf()
	}
	if a.Kind != Turn && a.Owner == (process.ID{}) {
		a.Runner = s.runnerOfSelf()
	}
	f, err := s.writeFile(waiting.Dir, a.fileName().String(), a, false)
	if err != nil {
		return nil, err
	}
	if a.Kept {
		f.Close()
		f = nil
	}
	return &Asked{a, s, f}, nil
}

// isFull reports whether too many asks are open, finished turns included.
func (s *Store) isFull() bool {
	n := waiting.Count(s.Dir, "")
	return n.Asks+n.Turns >= s.limit
}

// ownerOfSelf returns the process that this one runs for. A command typed into a shell at a terminal is owned by that
// shell, because agents have terminals, too.
func (s *Store) ownerOfSelf() process.ID {
	self := s.Table.Self().PID
	owner := process.Owner(s.Table, self)
	for p := range process.Ancestors(s.Table, self) {
		if owner.PID == self && p.PID != self && p.PID != 1 {
			return p.ID
		}
	}
	return owner
}

// runnerOfSelf returns the program that runs this process. It is zero for a shell, which a human may use, and for a
// service, because the user's own shells may run below it.
func (s *Store) runnerOfSelf() process.ID {
	self := s.Table.Self().PID
	owner := process.Owner(s.Table, self)
	info, ok := s.Table.Look(owner.PID)
	if !ok || owner.PID == self || owner.PID == 1 || process.IsShell(info.Name) || info.Leader && info.Terminal == "" {
		return process.ID{}
	}
	return owner
}

// Await blocks until the ask has ended and returns the result. When ctx ends the ask is withdrawn with its cause, and
// at its deadline it expires. isGone is called at once and then every second: if it returns a reason the ask is
// withdrawn for it. It may be nil. A finished turn is not withdrawn but stays open, and the error is the reason.
func (w *Asked) Await(ctx context.Context, isGone func() string) (*End, error) {
	return w.store.awaitEnd(ctx, &w.Ask, w.Ask.Kind == Turn, isGone)
}

// AwaitKept blocks until an ask of any process has ended. It returns the cause when ctx ends; the ask stays open then.
func (s *Store) AwaitKept(ctx context.Context, a *Ask) (*End, error) {
	return s.awaitEnd(ctx, a, true, nil)
}

// awaitEnd waits until an ask has ended. The file of an ask is moved when it ends, which fsnotify reports; polling covers the rest. If
// nobody waits for it any more the ask is withdrawn, unless it stays open.
func (s *Store) awaitEnd(ctx context.Context, a *Ask, stays bool, isGone func() string) (*End, error) {
	var events <-chan fsnotify.Event
	if watcher, err := fsnotify.NewBufferedWatcher(8); err == nil {
		defer watcher.Close()
		if watcher.Add(s.pathOf(a)) == nil {
			events = watcher.Events
		}
	}
	var deadline <-chan time.Time
	if !a.Until.IsZero() {
		deadline = time.After(a.Until.Sub(s.Now()))
	}
	tick := time.Tick(time.Second)
	for {
		if end := s.lookupEnd(a); end != nil {
			return end, nil
		}
		cause := context.Cause(ctx)
		if isGone != nil {
			if reason := isGone(); reason != "" {
				cause = errors.New(reason)
			}
		}
		if cause != nil && stays {
			return nil, cause
		} else if cause != nil {
			return s.endAsk(a, End{State: Withdrawn, Reason: cause.Error()})
		}
		select {
		case <-events:
		case <-tick:
		case <-ctx.Done():
		case <-deadline:
			return s.endAsk(a, End{State: Expired})
		}
	}
}

// pathOf returns the path of the file of an open ask.
func (s *Store) pathOf(a *Ask) string {
	return filepath.Join(s.Dir, waiting.Dir, a.fileName().String())
}

// lookupEnd returns how an ask ended, nil while it is open or if its end can't be read now.
func (s *Store) lookupEnd(a *Ask) *End {
	_, missing := os.Lstat(s.pathOf(a))
	if _, err := os.Lstat(waiting.EndPath(s.Dir, a.ID)); err == nil {
		return s.endOf(a.ID)
	}
	if errors.Is(missing, fs.ErrNotExist) { // not moved either: the end is written before
		return &End{ID: a.ID, State: Withdrawn, At: s.Now().UTC(), Reason: "its file was removed"}
	}
	return nil
}

// Close releases the ask. An open ask is withdrawn by the next sweep, a finished turn stays.
func (w *Asked) Close() error {
	if w.file == nil {
		return nil
	}
	return w.file.Close()
}

// Delivered records that the asker has printed the answer.
func (s *Store) Delivered(id string) error {
	if err := s.createFile(waiting.Ended, id+toldEnd, nil); !errors.Is(err, fs.ErrExist) { // else another process fetched it by ID
		return err
	}
	return nil
}
