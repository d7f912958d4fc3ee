package ask

// Asking: an ask appears, and its asker waits for how it ends.

import (
	"context"
	"errors"
	"fmt"
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
	file  *os.File // locked; nil for one that is kept
}

// Ask has an ask appear, with an ID, its time and the processes behind it, and holds it. Everything in it is cleaned and bounded
// first; the error is [ErrLong] where it could not be shown whole.
func (s *Store) Ask(a Ask) (*Asked, error) {
	if err := tidy(&a); err != nil {
		return nil, err
	}
	dir, err := s.enter(waiting.Dir, true)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	if waiting.Count(s.dir, "", nil) >= s.most {
		s.Sweep()
		if waiting.Count(s.dir, "", nil) >= s.most {
			return nil, ErrFull
		}
	}
	a.ID, a.Since = newID(), s.now().UTC()
	switch {
	case !a.Kept:
		a.Asker = s.table.Self()
	case a.Session != "": // this process goes at once; what it ran for stays, and may take its marks off
		a.Asker = s.behind()
	}
	text, err := encode(a)
	if err != nil {
		return nil, err
	}
	f, err := s.put(dir, text, a.name().String(), false)
	if err != nil {
		return nil, s.fault(waiting.Dir, err)
	}
	if a.Kept {
		f.Close()
		f = nil
	}
	return &Asked{Ask: a, store: s, file: f}, nil
}

// behind returns the process that this one runs for. Where it was typed into the shell of a terminal that is the shell: agents have
// terminals, too.
func (s *Store) behind() process.ID {
	self := s.table.Self().PID
	owner := process.Owner(s.table, self)
	for p := range process.Ancestors(s.table, self) {
		if owner.PID == self && p.PID != self && p.PID != 1 {
			return p.ID
		}
	}
	return owner
}

// fault returns an error about a directory of the store.
func (s *Store) fault(dir string, err error) error {
	return fmt.Errorf("%s: cannot be written: %w; nobody can be asked before that is mended", filepath.Join(s.dir, dir), reason(err))
}

// sessionKey returns what stands for a session in names.
func sessionKey(agent, session string) string { return waiting.Key(agent + " " + session) }

// Await blocks until the ask has ended, and returns how. Its own end is the asker's: where ctx ends the ask is withdrawn, with the
// cause as the reason, and where its time is up it expires. gone is asked about once a second, and first at once; where it
// returns a reason the ask is withdrawn for it. It may be nil.
func (w *Asked) Await(ctx context.Context, gone func() string) (*End, error) {
	return w.store.await(ctx, &w.Ask, func() *End {
		reason := ""
		if gone != nil {
			reason = gone()
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

// AwaitKept blocks until an ask that another process has made has ended, or ctx ends, with its error.
func (s *Store) AwaitKept(ctx context.Context, a *Ask) (*End, error) {
	return s.await(ctx, a, func() *End { return nil })
}

// await waits for the end of an ask: by events of its own file, which is moved when it ends, and by a look each second, which costs
// some microseconds. over is asked at each look whether the asker gives up, and how.
func (s *Store) await(ctx context.Context, a *Ask, over func() *End) (*End, error) {
	path := filepath.Join(s.dir, waiting.Dir, a.name().String())
	var events <-chan fsnotify.Event
	if watcher, err := fsnotify.NewBufferedWatcher(8); err == nil { // without events the looks remain
		defer watcher.Close()
		if watcher.Add(path) == nil {
			events = watcher.Events
		}
	}
	clock := time.NewTicker(s.tick)
	defer clock.Stop()
	var expiry <-chan time.Time
	if !a.Until.IsZero() {
		timer := time.NewTimer(max(0, a.Until.Sub(s.now())))
		defer timer.Stop()
		expiry = timer.C
	}
	for {
		if end, ended := s.look(path, a.ID); ended {
			return end, nil
		}
		mine := over()
		if mine == nil && context.Cause(ctx) != nil {
			return nil, context.Cause(ctx)
		}
		if mine != nil {
			end, _, err := s.finish(a.name(), *mine)
			return end, err
		}
		select {
		case <-events:
		case <-clock.C:
		case <-ctx.Done():
		case <-expiry:
			end, _, err := s.finish(a.name(), End{State: Expired})
			return end, err
		}
	}
}

// look returns how an ask has ended, if it has. What can't be read now is looked at again later.
func (s *Store) look(path, id string) (end *End, ended bool) {
	_, gone := os.Lstat(path)
	if _, err := os.Lstat(waiting.EndPath(s.dir, id)); err == nil {
		end = s.endOf(id)
		return end, end != nil
	}
	if errors.Is(gone, fs.ErrNotExist) { // and was not moved, since that comes after the end
		return &End{ID: id, State: Withdrawn, At: s.now().UTC(), Reason: "its file was removed"}, true
	}
	return nil, false
}

// Ended returns how the ask has ended, nil while it waits.
func (w *Asked) Ended() *End {
	end, _ := w.store.look(filepath.Join(w.store.dir, waiting.Dir, w.Ask.name().String()), w.Ask.ID)
	return end
}

// Withdraw ends the ask because its asker gives it up, and returns how it ended: somebody may have been faster.
func (w *Asked) Withdraw(reason string) (*End, error) {
	end, _, err := w.store.finish(w.Ask.name(), End{State: Withdrawn, Reason: reason})
	return end, err
}

// Delivered enters that the answer has been printed.
func (s *Store) Delivered(id string) error {
	dir, err := s.enter(waiting.Ended, true)
	if err != nil {
		return err
	}
	defer dir.Close()
	f, err := s.disk.Create(dir, id+toldEnd)
	if errors.Is(err, fs.ErrExist) {
		return nil // to somebody who asked for it by the ID
	}
	if err != nil {
		return s.fault(waiting.Ended, err)
	}
	return f.Close()
}

// Close lets the ask go. One that has not ended is withdrawn by the next sweep.
func (w *Asked) Close() error {
	if w.file == nil {
		return nil
	}
	return w.file.Close()
}
