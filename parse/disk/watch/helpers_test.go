// This file holds what the tests share: a temporary tree, a reader of batches that waits until something has been reported, and a fake event source.

package watch

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	never    = time.Hour   // never is a poll that does not come during a test: what is seen was seen by events.
	patience = time.Minute // patience ends a test that waits for something that does not happen.
)

// A probe reads the batches of one watcher and remembers what they said.
type probe struct {
	t       *testing.T
	w       *Watcher
	dir     string
	batches []Batch
	paths   map[string]bool
	all     bool
}

// watchDir watches dir, which the probe's paths are relative to, and all below it unless roots are given.
func watchDir(t *testing.T, dir string, opts Options, roots ...Root) *probe {
	t.Helper()
	if roots == nil {
		roots = []Root{{dir, true}}
	}
	w, err := New(t.Context(), roots, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return &probe{t: t, w: w, dir: dir, paths: map[string]bool{}}
}

func (p *probe) abs(rel string) string { return filepath.Join(p.dir, filepath.FromSlash(rel)) }

// forget forgets what was reported so far.
func (p *probe) forget() { p.batches, p.paths, p.all = nil, map[string]bool{}, false }

// until reads batches until ok says so.
func (p *probe) until(what string, ok func() bool) {
	p.t.Helper()
	deadline := time.After(patience)
	for !ok() {
		select {
		case b, open := <-p.w.Changes():
			if !open {
				p.t.Fatalf("watcher ended before: %s", what)
			}
			p.batches = append(p.batches, b)
			p.all = p.all || b.All
			for _, path := range b.Paths {
				p.paths[path] = true
			}
		case <-deadline:
			p.t.Fatalf("not reported: %s; last of %d batches: %+v", what, len(p.batches), p.last())
		}
	}
}

func (p *probe) last() Batch {
	if len(p.batches) == 0 {
		return Batch{}
	}
	return p.batches[len(p.batches)-1]
}

// wait reads batches until all these paths were reported since the last forget, then forgets them.
func (p *probe) wait(rels ...string) {
	p.t.Helper()
	for _, rel := range rels {
		p.until(rel, func() bool { return p.all || p.paths[p.abs(rel)] })
	}
	p.forget()
}

func (p *probe) write(rel, text string) {
	p.t.Helper()
	must(p.t, os.WriteFile(p.abs(rel), []byte(text), 0o644))
}

func (p *probe) mkdir(rel string)       { p.t.Helper(); must(p.t, os.MkdirAll(p.abs(rel), 0o755)) }
func (p *probe) remove(rel string)      { p.t.Helper(); must(p.t, os.RemoveAll(p.abs(rel))) }
func (p *probe) rename(from, to string) { p.t.Helper(); must(p.t, os.Rename(p.abs(from), p.abs(to))) }

// replace writes a file as careful programs do: beside, then renamed over it.
func (p *probe) replace(rel, text string) {
	p.t.Helper()
	p.write(rel+".tmp.7", text)
	p.rename(rel+".tmp.7", rel)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// makeTree writes files with their directories.
func makeTree(t testing.TB, dir string, rels ...string) {
	t.Helper()
	for _, rel := range rels {
		path := filepath.Join(dir, filepath.FromSlash(rel))
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, []byte("first\n"), 0o644))
	}
}

// A fakeSource sends what a test tells it to, and grants limit watches.
type fakeSource struct {
	events chan fsnotify.Event
	errors chan error

	mu     sync.Mutex
	added  map[string]bool
	limit  int
	refuse error
	closed bool
}

func newFakeSource() *fakeSource {
	return &fakeSource{events: make(chan fsnotify.Event), errors: make(chan error), added: map[string]bool{}, limit: 1 << 20}
}

func (s *fakeSource) open() (source, error)         { return s, nil }
func (s *fakeSource) Events() <-chan fsnotify.Event { return s.events }
func (s *fakeSource) Errors() <-chan error          { return s.errors }

func (s *fakeSource) Add(dir string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.added[dir] && len(s.added) >= s.limit {
		return s.refuse
	}
	s.added[dir] = true
	return nil
}

func (s *fakeSource) Remove(dir string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.added, dir)
	return nil
}

func (s *fakeSource) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

func (s *fakeSource) setLimit(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limit = n
}
