package statefile

import (
	"context"
	"time"
)

// Internals of the package for its external tests.

var (
	Owner = ownerOf
	Links = linkCount
)

// Enter opens the location of a file.
func (s *Store) Enter(t Target) (*location, error) { return s.enterTarget(t) }

func (p *location) TempName() string            { return p.tempName() }
func (p *location) Close() error                { return p.dir.Close() }
func (p *location) Named(name string) *location { q := *p; q.name = name; return &q }

// OnPause replaces the pause function of the store, and returns the previous one.
func (s *Store) OnPause(pause func(context.Context, time.Duration) error) (before func(context.Context, time.Duration) error) {
	before, s.pause = s.pause, pause
	return before
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
