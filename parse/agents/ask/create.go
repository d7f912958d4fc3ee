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
)

// Asked is an ask of this process, which holds it until [Asked.Close].
type Asked struct {
	Ask   Ask
	store *Store
	file  *os.File // locked; nil if the ask is kept
}

// Ask opens an ask: it gets an ID, its time and the processes behind it, and this process holds it. Its texts are cleaned first; the
// error is [ErrLong] if one is too long to be shown. A session has one finished turn at most: a new one replaces the one before.
func (s *Store) Ask(a Ask) (*Asked, error) {
	if err := cleanNew(&a); err != nil {
		return nil, err
	}
	dir, err := s.enter(waiting.Dir, true)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	if s.countOpen() >= s.limit {
		s.Sweep()
		if s.countOpen() >= s.limit {
			return nil, ErrFull
		}
	}
	if a.Kind == Turn {
		s.WithdrawTurns(a.Agent, a.Session, ReasonWentOn)
	}
	a.ID = newID()
	if a.Since.IsZero() || a.Kind != Turn {
		a.Since = s.now().UTC()
	}
	switch {
	case a.Kind == Turn: // the session may take words from anywhere
	case !a.Kept:
		a.Asker = s.table.Self()
	case a.Session != "": // this process ends soon; the one it runs for stays and may fetch the answer
		a.Asker = s.ownerOfSelf()
	}
	text, err := encode(a)
	if err != nil {
		return nil, err
	}
	f, err := s.write(dir, text, a.name().String(), false)
	if err != nil {
		return nil, s.writeError(waiting.Dir, err)
	}
	if a.Kept {
		f.Close()
		f = nil
	}
	return &Asked{Ask: a, store: s, file: f}, nil
}

// countOpen returns how many asks are open, finished turns included.
func (s *Store) countOpen() int {
	n := waiting.Count(s.dir, "", nil)
	return n.Asks + n.Turns
}

// ownerOfSelf returns the process that this one runs for. If it was typed into a shell at a terminal that is the shell, because agents
// have terminals, too.
func (s *Store) ownerOfSelf() process.ID {
	self := s.table.Self().PID
	owner := process.Owner(s.table, self)
	for p := range process.Ancestors(s.table, self) {
		if owner.PID == self && p.PID != self && p.PID != 1 {
			return p.ID
		}
	}
	return owner
}

// sessionKey returns the key of a session in file names.
func sessionKey(agent, session string) string { return waiting.Key(agent + " " + session) }

// name returns the name of the file of an open ask.
func (a *Ask) name() waiting.Name {
	n := waiting.Name{Project: waiting.Key(a.Project), Session: sessionKey(a.Agent, a.Session), ID: a.ID, Kind: waiting.Held}
	switch {
	case a.Kind == Turn:
		n.Kind = waiting.Turn
	case a.Kept:
		n.Kind = waiting.Kept
	}
	return n
}

// Await blocks until the ask has ended and returns how. When ctx ends the ask is withdrawn with its cause, and at its deadline it
// expires. isGone is called at once and then every second: if it returns a reason the ask is withdrawn for it. It may be nil.
func (w *Asked) Await(ctx context.Context, isGone func() string) (*End, error) {
	return w.store.await(ctx, &w.Ask, func() *End {
		reason := ""
		if isGone != nil {
			reason = isGone()
		}
		if cause := context.Cause(ctx); cause != nil && reason == "" {
			reason = cause.Error()
		}
		if reason == "" {
			return nil
		}
		return &End{State: Withdrawn, Reason: reason}
	})
}

// AwaitKept blocks until an ask of any process has ended. It returns the cause when ctx ends; the ask stays open then.
func (s *Store) AwaitKept(ctx context.Context, a *Ask) (*End, error) {
	return s.await(ctx, a, func() *End { return nil })
}

// AwaitTurn blocks until a finished turn has ended, and returns nil when ctx ends or giveUp, called every second, returns true. The
// turn stays open then.
func (w *Asked) AwaitTurn(ctx context.Context, giveUp func() bool) *End {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	end, _ := w.store.await(ctx, &w.Ask, func() *End {
		if giveUp() {
			stop()
		}
		return nil
	})
	return end
}

// await waits until an ask has ended. The file of an ask is moved when it ends, which fsnotify reports; polling covers the rest.
// giveUp is called at each look and returns how the asker ends it, nil to go on.
func (s *Store) await(ctx context.Context, a *Ask, giveUp func() *End) (*End, error) {
	path := filepath.Join(s.dir, waiting.Dir, a.name().String())
	var events <-chan fsnotify.Event
	if watcher, err := fsnotify.NewBufferedWatcher(8); err == nil {
		defer watcher.Close()
		if watcher.Add(path) == nil {
			events = watcher.Events
		}
	}
	ticker := time.NewTicker(s.tick)
	defer ticker.Stop()
	var deadline <-chan time.Time
	if !a.Until.IsZero() {
		timer := time.NewTimer(max(0, a.Until.Sub(s.now())))
		defer timer.Stop()
		deadline = timer.C
	}
	for {
		if end := s.lookupEnd(path, a.ID); end != nil {
			return end, nil
		}
		own := giveUp()
		if own == nil && context.Cause(ctx) != nil {
			return nil, context.Cause(ctx)
		}
		if own != nil {
			end, _, err := s.finish(a.name(), *own)
			return end, err
		}
		select {
		case <-events:
		case <-ticker.C:
		case <-ctx.Done():
		case <-deadline:
			end, _, err := s.finish(a.name(), End{State: Expired})
			return end, err
		}
	}
}

// lookupEnd returns how an ask ended, nil while it is open or if its end can't be read now.
func (s *Store) lookupEnd(path, id string) *End {
	_, missing := os.Lstat(path)
	if _, err := os.Lstat(waiting.EndPath(s.dir, id)); err == nil {
		return s.endOf(id)
	}
	if errors.Is(missing, fs.ErrNotExist) { // not moved either: the end is written before
		return &End{ID: id, State: Withdrawn, At: s.now().UTC(), Reason: "its file was removed"}
	}
	return nil
}

// Ended returns how the ask ended, nil while it is open.
func (w *Asked) Ended() *End {
	return w.store.lookupEnd(filepath.Join(w.store.dir, waiting.Dir, w.Ask.name().String()), w.Ask.ID)
}

// Withdraw ends the ask because its asker gives it up, and returns how it ended: someone may have been faster.
func (w *Asked) Withdraw(reason string) (*End, error) {
	end, _, err := w.store.finish(w.Ask.name(), End{State: Withdrawn, Reason: reason})
	return end, err
}

// Delivered records that the asker has printed the answer.
func (s *Store) Delivered(id string) error {
	dir, err := s.enter(waiting.Ended, true)
	if err != nil {
		return err
	}
	defer dir.Close()
	f, err := s.disk.Create(dir, id+toldEnd)
	if errors.Is(err, fs.ErrExist) {
		return nil // another process fetched it by ID
	}
	if err != nil {
		return s.writeError(waiting.Ended, err)
	}
	return f.Close()
}

// Close releases the ask. An open ask is withdrawn by the next sweep, a finished turn stays.
func (w *Asked) Close() error {
	if w.file == nil {
		return nil
	}
	return w.file.Close()
}
