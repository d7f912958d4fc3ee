// This file holds what the tests share: a temporary tree, a reader that reads it again when the watcher reports a change, and a fake event source.

package watch

import (
	"os"
	"path"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"gatehouse/parse/disk/mirror"
)

const (
	never    = time.Hour   // never is a poll that does not come during a test: what is seen was seen by events.
	patience = time.Minute // patience ends a test that waits for something that does not happen.
)

// A probe reads a tree through a mirror, as the followers of a project do.
type probe struct {
	t       *testing.T
	w       *Watcher
	m       *mirror.Mirror
	dir     string
	also    []string // also are further directories to read, relative to dir.
	batches []Batch
}

func watchDir(t *testing.T, dir string, opts Options, also ...string) *probe {
	t.Helper()
	w := New(t.Context(), opts)
	t.Cleanup(w.Close)
	return probeOf(t, w, dir, also...)
}

func probeOf(t *testing.T, w *Watcher, dir string, also ...string) *probe {
	p := &probe{t: t, w: w, m: mirror.New(dir), dir: dir, also: also}
	p.m.Watched(w)
	p.read()
	return p
}

func (p *probe) abs(rel string) string { return filepath.Join(p.dir, filepath.FromSlash(rel)) }

// read reads all directories. It follows links only in the directories that the test names.
func (p *probe) read() {
	var list func(rel string)
	list = func(rel string) {
		entries, _ := p.m.List(rel)
		for _, e := range entries {
			at := path.Join(rel, e.Name)
			if info, err := os.Lstat(p.abs(at)); err == nil && info.IsDir() && e.Dir {
				list(at)
			}
		}
	}
	list(".")
	for _, rel := range p.also {
		p.m.List(rel)
	}
	p.m.Sweep()
}

// until reads again at each report of the watcher, until ok returns true.
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
			p.m.Touch(b.Paths...)
		case <-p.w.Due():
			p.w.Poll(func() { p.m.Poll() })
		case <-deadline:
			p.t.Fatalf("not seen: %s; after %d batches: %+v", what, len(p.batches), p.batches)
		}
		p.read()
	}
}

// wait waits until the current state of these paths was read.
func (p *probe) wait(rels ...string) {
	p.t.Helper()
	for _, rel := range rels {
		p.until(rel, func() bool { return p.seen(rel) == there(p.abs(rel)) })
	}
}

// seen returns the content that was read for a path, "" if there is none.
func (p *probe) seen(rel string) string {
	e, ok := p.m.Stat(rel)
	switch {
	case !ok:
		return ""
	case e.Dir:
		return "a directory"
	}
	return mirror.Read(p.m, rel, func(text string) (string, error) { return text, nil }).Value
}

// there returns the current content of a path, "" if there is none.
func there(file string) string {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return "a directory"
	}
	text, _ := os.ReadFile(file)
	return string(text)
}

func (p *probe) write(rel, text string) {
	p.t.Helper()
	must(p.t, os.WriteFile(p.abs(rel), []byte(text), 0o644))
}

func (p *probe) mkdir(rel string)       { p.t.Helper(); must(p.t, os.MkdirAll(p.abs(rel), 0o755)) }
func (p *probe) remove(rel string)      { p.t.Helper(); must(p.t, os.RemoveAll(p.abs(rel))) }
func (p *probe) rename(from, to string) { p.t.Helper(); must(p.t, os.Rename(p.abs(from), p.abs(to))) }

// replace writes a file as careful programs do: it writes a temporary file and renames it.
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

// A fakeSource sends the events that a test gives it, and grants limit watches.
type fakeSource struct {
	events chan fsnotify.Event
	errors chan error

	mu     sync.Mutex
	added  map[string]bool
	times  map[string]int // times is how often each directory was added.
	limit  int
	refuse error
	closed bool
}

func newFakeSource() *fakeSource {
	return &fakeSource{events: make(chan fsnotify.Event), errors: make(chan error), added: map[string]bool{}, times: map[string]int{}, limit: 1 << 20}
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
	s.times[dir]++
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
