package statefile_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	. "gatehouse/parse/disk/statefile"
	"gatehouse/parse/disk/statefile/faults"
)

// writing is an operation that writes in a project of its own.
type writing struct {
	name string
	do   func(ctx context.Context, s *Store, p project) error
	// done reports whether the project is in the state after the operation; before whether it is in the state before it.
	done, before func(p project) bool
}

func (p project) hasContent(name, content string) bool {
	b, err := os.ReadFile(filepath.Join(p.dir, name))
	return err == nil && string(b) == content
}

func (p project) lacks(name string) bool {
	_, err := os.Lstat(filepath.Join(p.dir, name))
	return errors.Is(err, fs.ErrNotExist)
}

func (p project) at(name string) Target {
	return Target{filepath.Join(p.dir, name), []string{p.dir}}
}

var writings = []writing{
	{
		"replace", func(ctx context.Context, s *Store, p project) error {
			_, err := s.Replace(ctx, p.target(), upper)
			if errors.Is(err, ErrNothing) {
				err = nil
			}
			return err
		},
		func(p project) bool { return p.hasContent("x-state.json", "ONE") }, func(p project) bool { return p.hasContent("x-state.json", "one") },
	},
	{
		"create", func(ctx context.Context, s *Store, p project) error {
			err := s.Create(ctx, p.at("new"), "new")
			if errors.Is(err, fs.ErrExist) {
				err = nil
			}
			return err
		},
		func(p project) bool { return p.hasContent("new", "new") }, func(p project) bool { return p.lacks("new") },
	},
	{
		"put", func(ctx context.Context, s *Store, p project) error {
			_, err := s.Put(ctx, p.at("new"), func(content string, exists bool) (string, error) {
				if exists != (content == "new") {
					return "", fmt.Errorf("%q, %v", content, exists)
				}
				return "new", nil
			})
			if errors.Is(err, ErrNothing) {
				err = nil
			}
			return err
		},
		func(p project) bool { return p.hasContent("new", "new") }, func(p project) bool { return p.lacks("new") },
	},
	{
		"move", func(ctx context.Context, s *Store, p project) error {
			release, err := s.Hold(ctx, p.at("all"))
			if err != nil {
				return err
			}
			defer release()
			if err := s.MakeDir(p.at("a/b")); err != nil {
				return err
			}
			if err := s.Move(Target{p.dir, []string{p.dir}}, "x-state.json", "a/b/moved"); !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return nil
		},
		func(p project) bool { return p.hasContent("a/b/moved", "one") && p.lacks("x-state.json") },
		func(p project) bool { return p.hasContent("x-state.json", "one") && p.lacks("a/b/moved") },
	},
}

// systems are the calls that kinds of systems lack.
var systems = map[string][]string{
	"Linux and macOS": nil,
	"no hard links":   {faults.Link},
	"no exchange":     {faults.Exchange},
}

// TestKilledAtEveryCall kills a writer at each call: the file is the old one or the new one, and repeating the operation
// completes it and removes all leftovers.
func TestKilledAtEveryCall(t *testing.T) {
	kills := 0
	for kind, calls := range systems {
		for _, w := range writings {
			for n := 1; ; n++ {
				p := newProject(t, "one")
				system, hit := faults.At(n, faults.ErrKilled, lacks(calls...))
				err := w.do(t.Context(), NewStore(system), p)
				if hit() == "" {
					must(t, err)
					if !w.done(p) {
						t.Errorf("%s, %s: not done", kind, w.name)
					}
					break
				}
				kills++
				if !w.done(p) && !w.before(p) && !(w.name == "move" && p.hasContent("x-state.json", "one") && p.hasContent("a/b/moved", "one")) {
					t.Errorf("%s, %s, killed at %d, %s: half done", kind, w.name, n, hit())
				}
				if err := w.do(t.Context(), NewStore(without(calls...)).Skipping(), p); err != nil || !w.done(p) {
					t.Errorf("%s, %s, killed at %d, %s: repeated: %v", kind, w.name, n, hit(), err)
				}
				p.noLitter(fmt.Sprintf("%s, %s, killed at %d, %s", kind, w.name, n, hit()))
			}
		}
	}
	t.Logf("%d kills", kills)
}

// noLitter checks that writers left nothing behind, and that every file has one name.
func (p project) noLitter(when string) {
	p.Helper()
	must(p.T, filepath.WalkDir(p.dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && (IsLitter(e.Name()) || Links(stat(p.T, path)) > 1) {
			p.Errorf("%s: left behind: %s", when, path)
		}
		return err
	}))
}

// TestEveryCallFails: every failing call is reported, whatever the error, and nothing is lost, half-written or left behind.
func TestEveryCallFails(t *testing.T) {
	for _, errno := range []syscall.Errno{syscall.ENOSPC, syscall.EIO, syscall.EROFS, syscall.EACCES} {
		for kind, calls := range systems {
			if errno != syscall.ENOSPC && calls != nil {
				continue // one error is enough for the other systems
			}
			for _, w := range writings {
				for n := 1; ; n++ {
					p := newProject(t, "one")
					system, hit := faults.At(n, errno, lacks(calls...))
					err := w.do(t.Context(), NewStore(system).Skipping(), p)
					when := fmt.Sprintf("%s, %s, %v at %d, %s: %v", kind, w.name, errno, n, hit(), err)
					if hit() == "" {
						break
					}
					if w.name == "move" && p.hasContent("x-state.json", "one") && p.hasContent("a/b/moved", "one") && err != nil {
						// The file has both names if the old one can't be removed.
					} else if err == nil && !w.done(p) || err != nil && !w.before(p) {
						t.Error(when)
					}
					if err != nil {
						p.fails(err, errno, errno.Error())
						if (hit() == faults.Write || hit() == faults.Sync) && errno == syscall.ENOSPC && !strings.Contains(err.Error(), "free some space") {
							t.Error(when)
						}
					}
					if hit() != faults.Remove { // without the right to remove files, leftovers stay
						p.noLitter(when)
					}
					if err := w.do(t.Context(), NewStore(nil).Skipping(), p); err != nil || !w.done(p) {
						t.Errorf("%s; repeated: %v", when, err)
					}
				}
			}
		}
	}
}
