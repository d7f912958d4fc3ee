package statefile

import (
	"context"
	"time"
)

// Internals of the package for its external tests.

type (
	Holder   = holder
	Location = location
)

const (
	LockPoll  = lockPoll
	LockStale = lockStale
)

var (
	Owner     = ownerOf
	Links     = linkCount
	Temporary = parseTempName
)

func (s *Store) Now() time.Time                                   { return s.now() }
func (s *Store) Pause(ctx context.Context, d time.Duration) error { return s.pause(ctx, d) }
func (s *Store) Enter(t Target) (*Location, error)                { return s.enterTarget(t) }
func (s *Store) BreakLock(p *Location, text string)               { s.breakLock(p, text) }
func (p *location) TempName() string                              { return p.tempName() }
func (p *location) Close() error                                  { return p.dir.Close() }
func (p *location) Named(name string) *Location                   { q := *p; q.name = name; return &q }

// OnPause replaces the pause function of the store, and returns the previous one.
func (s *Store) OnPause(pause func(context.Context, time.Duration) error) (before func(context.Context, time.Duration) error) {
	before, s.pause = s.pause, pause
	return before
}

func (p *location) ReadLock() (string, error) {
	text, _, err := p.readLock()
	return text, err
}

// Skipping makes pauses take no time, but move the clock.
func (s *Store) Skipping() *Store {
	skipped := time.Duration(0)
	s.now = func() time.Time { return time.Now().Add(skipped) }
	s.pause = func(ctx context.Context, d time.Duration) error {
		skipped += d
		return ctx.Err()
	}
	return s
}
