package statefile_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/parse/disk/process"
	. "gatehouse/parse/disk/statefile"
	"gatehouse/parse/disk/statefile/faults"
)

// locked writes a lock of the given age. Its text is content if that is a string, else the JSON of content.
func (p project) locked(content any, age time.Duration) {
	p.Helper()
	text, ok := content.(string)
	if !ok {
		b, err := json.Marshal(content)
		must(p.T, err)
		text = string(b)
	}
	must(p.T, os.WriteFile(p.file+".lock", []byte(text), 0o644))
	at := time.Now().Add(-age)
	must(p.T, os.Chtimes(p.file+".lock", at, at))
}

func TestLock(t *testing.T) {
	self, gone := (*System)(nil).Self(), faults.Gone()
	since := time.Date(2026, 2, 1, 11, 0, 0, 0, time.UTC)
	elsewhere := process.ID{PID: gone.PID, Host: "elsewhere"}
	before := self // an earlier process with the same PID
	before.Start = "before"
	for name, c := range map[string]struct {
		content any
		age     time.Duration
		waits   bool
		broken  bool
	}{
		"held":                          {content: Holder{self, since, "t"}, waits: true, broken: true},
		"held for a long time":          {content: Holder{self, since, "t"}, age: 11 * time.Second, broken: true},
		"held by a dead process":        {content: Holder{gone, since, "t"}, broken: true},
		"held by an earlier process":    {content: Holder{before, since, "t"}, waits: self.Start == "", broken: true},
		"held on another host":          {content: Holder{elsewhere, since, "t"}, waits: true, broken: true},
		"held on another host for long": {content: Holder{elsewhere, since, "t"}, age: time.Minute, broken: true},
		"dated in the future":           {content: Holder{self, since, "t"}, age: -time.Hour, broken: true},
		"just made":                     {content: "", waits: true, broken: true},
		"made by a killed process":      {content: "", age: 11 * time.Second, broken: true},
		"half made":                     {content: `{"pid":12,"ho`, waits: true, broken: true},
		"half made by a killed process": {content: `{"pid":12,"ho`, age: 11 * time.Second, broken: true},
		"not ours":                      {content: "123\n", age: time.Hour, waits: true},
		"not ours, JSON":                {content: `{"process":1}`, age: time.Hour, waits: true},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, "one")
			p.locked(c.content, c.age)
			s := skipping(nil)
			waited := time.Duration(0)
			var pause func(context.Context, time.Duration) error
			pause = s.OnPause(func(ctx context.Context, d time.Duration) error {
				waited += d
				return pause(ctx, d)
			})
			_, err := s.Replace(t.Context(), p.target(), upper)
			if waited > LockPoll != c.waits {
				t.Errorf("waited %v", waited)
			}
			if !c.broken {
				p.fails(err, ErrBusy, "something that is not gatehouse", "remove x-state.json.lock")
				p.holds("one", "x-state.json.lock")
				return
			}
			must(t, err)
			p.holds("ONE")
		})
	}
}

func TestLockErrorNamesHolder(t *testing.T) {
	p := newProject(t, "one")
	s := skipping(nil)
	var renew func(context.Context, time.Duration) error
	renew = s.OnPause(func(ctx context.Context, d time.Duration) error {
		// Its holder keeps renewing it, so that it never gets old.
		must(t, renew(ctx, d))
		at := s.Now()
		must(t, os.Chtimes(p.file+".lock", at, at))
		return nil
	})
	p.locked(Holder{process.ID{PID: os.Getpid(), Host: "some\x1b[31mhost"}, time.Now(), "t"}, 0)
	_, err := s.Replace(t.Context(), p.target(), upper)
	p.fails(err, ErrBusy, "process ", " holds it since ")
	if strings.Contains(err.Error(), "\x1b") {
		t.Errorf("%q", err)
	}
	p.holds("one", "x-state.json.lock")
}

func TestLockEndsWithContext(t *testing.T) {
	p := newProject(t, "one")
	p.locked(Holder{(*System)(nil).Self(), time.Now(), "t"}, 0)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	begun := time.Now()
	_, err := NewStore(nil).Replace(ctx, p.target(), upper)
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) > time.Minute {
		t.Errorf("%v after %v", err, time.Since(begun))
	}
	p.holds("one", "x-state.json.lock")
}

func TestLockIsNotRegularFile(t *testing.T) {
	for name, make := range map[string]func(lock string) error{
		"a directory": func(lock string) error { return os.Mkdir(lock, 0o755) },
		"a link":      func(lock string) error { return os.Symlink("precious", lock) },
		"a dead link": func(lock string) error { return os.Symlink("gone", lock) },
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, "one")
			must(t, os.WriteFile(filepath.Join(p.dir, "precious"), []byte("precious"), 0o644))
			must(t, make(p.file+".lock"))
			_, err := skipping(nil).Replace(t.Context(), p.target(), upper)
			p.fails(err, ErrBusy, ".lock: is not a lock", "remove what stands there")
			p.holds("one", "precious", "x-state.json.lock")
		})
	}
}

// TestBreakLock: a lock that is taken between the check of the old one and its removal stays, and only one process at a time
// removes a lock.
func TestBreakLock(t *testing.T) {
	p := newProject(t, "one")
	s := NewStore(nil)
	pl, err := s.Enter(p.target())
	must(t, err)
	defer pl.Close()
	p.locked("new", 0)
	s.BreakLock(pl, "old")
	if text, err := pl.ReadLock(); text != "new" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	p.holds("one", "x-state.json.lock")
	other := filepath.Join(p.dir, "x-state.json.breaking.lock")
	must(t, os.WriteFile(other, []byte("somebody's"), 0o644))
	s.BreakLock(pl, "new")
	p.holds("one", "x-state.json.breaking.lock", "x-state.json.lock")
	must(t, os.Remove(other))
	s.BreakLock(pl, "new")
	s.BreakLock(pl, "new") // the lock is already gone
	p.holds("one")
}

// TestLostLock: a writer that lost its lock because it held it for too long does not write.
func TestLostLock(t *testing.T) {
	p := newProject(t, "one")
	rounds := 0
	w, err := skipping(nil).Replace(t.Context(), p.target(), func(c string) (string, error) {
		if rounds++; rounds == 1 {
			p.locked(Holder{process.ID{PID: os.Getpid(), Host: "elsewhere"}, time.Now(), "t"}, time.Minute)
		}
		return c + "!", nil
	})
	if err != nil || w.Tries != 2 {
		t.Error(w, err)
	}
	p.holds("one!")
	p.locked("x", 0)
	if _, err = skipping(nil).Replace(t.Context(), p.target(), upper); err == nil {
		t.Error("written without the lock")
	}
	p.holds("one!", "x-state.json.lock") // and it is not ours to remove
}
