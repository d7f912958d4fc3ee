package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse"
)

// TestReadHalfWrittenFile checks that a command that finds a half-written file reads again and reports the whole one, and that it does
// not wait for a file that has been broken for long.
func TestReadHalfWrittenFile(t *testing.T) {
	const loop = `{"loop": "x", "status": "active", "phases": {"A": {"status": "active"}}, "gates": {}}`
	const run = `{"buildRun": {"status": "running", "chunks": [{"id": 1, "status": "active"}]}}`
	for file, text := range map[string]string{"x-state.json": loop, ".fctry/state.json": run} {
		for _, half := range []string{"", text[:len(text)/2]} {
			dir := t.TempDir()
			path := filepath.Join(dir, filepath.FromSlash(file))
			write := func(text string) {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Error(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Error(err)
				}
			}
			var p *parse.Project
			var mp *model.Project
			var err error
			s := &env{now: time.Now}
			for wasSlow := true; wasSlow; {
				write(half)
				begun := time.Now()
				if p, err = parse.Open(dir, parse.User{Home: dir}); err != nil {
					t.Fatal(err)
				}
				written := make(chan time.Time)
				time.AfterFunc(2*time.Millisecond, func() { write(text); written <- time.Now() })
				mp = s.readSettled(p)
				wasSlow = (<-written).Sub(begun) > settleTime/2 && unread(mp)
			}
			if len(mp.Builds) != 1 || len(mp.Builds[0].Nodes) != 1 || unread(mp) {
				t.Errorf("%s, first %q: %+v", file, half, mp.Builds)
			}
			write(half)
			old := time.Now().Add(-time.Minute)
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
			p, err = parse.Open(dir, parse.User{Home: dir})
			if err != nil {
				t.Fatal(err)
			}
			reads := 0
			s.now = func() time.Time { reads++; return time.Now() }
			if mp := s.readSettled(p); !unread(mp) || reads != 1 {
				t.Errorf("%s, %q: %d looks, %+v", file, half, reads, mp.Builds)
			}
		}
	}
}

func unread(mp *model.Project) bool {
	return slices.ContainsFunc(mp.Builds, func(b *model.Build) bool {
		return slices.ContainsFunc(b.Problems, func(p model.Problem) bool { return p.Severity == model.Error })
	})
}
