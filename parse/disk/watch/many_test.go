// This file tests that many roots cost their number: what is done for one does not depend on how many others there are.

package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/fsnotify/fsnotify"
)

// rootsOf makes projects and returns the roots of each: its directory, and what may be in it, most of which is missing.
func rootsOf(t testing.TB, dir string, projects int) (roots []Root) {
	for i := range projects {
		p := filepath.Join(dir, fmt.Sprintf("p%05d", i))
		makeTree(t, p, ".planning/STATE.md", ".planning/phases/01-a/01-01-PLAN.md")
		roots = append(roots, Root{p, false})
		for _, name := range []string{".planning", ".gsd", ".fctry", "memory", filepath.Join("data", "executions")} {
			roots = append(roots, Root{filepath.Join(p, name), true})
		}
	}
	return roots
}

// allocations returns how often f allocates: every look at the disk and every path put together does, and nothing here depends on the clock or on
// other programs.
func allocations(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.Mallocs - before.Mallocs)
}

func TestCostOfManyRootsIsTheirNumber(t *testing.T) {
	const few, times = 100, 8
	type cost struct{ first, poll, event, gone int }
	measure := func(projects int) (c cost) {
		dir := t.TempDir()
		roots, err := cleanRoots(rootsOf(t, dir, projects))
		must(t, err)
		tree := newTree(roots, Options{open: newFakeSource().open})
		c.first = allocations(func() { tree.do(t.Context(), task{rescan: true}) })
		c.poll = allocations(func() { tree.do(t.Context(), task{rescan: true}) })
		at := func(rel string) string { return filepath.Join(dir, "p00007", rel) }
		event := func(rel string, op fsnotify.Op) {
			if got := tree.do(t.Context(), task{dirty: map[string]fsnotify.Op{at(rel): op}}); len(got.paths) == 0 {
				t.Errorf("%s: nothing is reported", rel)
			}
		}
		c.event = allocations(func() {
			makeTree(t, at(""), ".planning/STATE.md", ".gsd/new.md")
			must(t, os.WriteFile(at(".planning/STATE.md"), []byte("longer than before"), 0o644))
			event(".planning/STATE.md", fsnotify.Write)
			event(".gsd", fsnotify.Create)
		})
		must(t, os.RemoveAll(at("")))
		c.gone = allocations(func() { event("", fsnotify.Remove) })
		if n := len(tree.missing); n != 4*projects+2 {
			t.Errorf("%d roots of %d projects are missing", n, projects)
		}
		return c
	}
	small, large := measure(few), measure(few*times)
	for what, c := range map[string]struct{ small, large, times int }{
		"the first reading": {small.first, large.first, times}, "a poll": {small.poll, large.poll, times},
		"a change": {small.event, large.event, 1}, "a project that goes": {small.gone, large.gone, 1},
	} {
		if most := (c.small + 100) * c.times * 5 / 4; c.large > most {
			t.Errorf("%s of %d projects allocates %d times, of %d %d times; want %d at most", what, few, c.small, few*times, c.large, most)
		}
	}
}

// A root that is missing is found by the one event of what it waits for.
func TestMissingRootIsFoundByItsEvent(t *testing.T) {
	for name, test := range map[string]struct {
		root  string // which is missing
		make  func(t *testing.T, dir string)
		event string
	}{
		"itself":                  {"p/.planning", func(t *testing.T, dir string) { makeTree(t, dir, "p/.planning/x.md") }, "p/.planning"},
		"a directory on the way":  {"p/data/runs", func(t *testing.T, dir string) { makeTree(t, dir, "p/data/runs/x.md") }, "p/data"},
		"a link in a directory":   {"p/.planning", func(t *testing.T, dir string) { link(t, dir, "p/.planning") }, "p/.planning"},
		"a link on the way":       {"p/data/real", func(t *testing.T, dir string) { link(t, dir, "p/data") }, "p/data"},
		"far below what is there": {"a/b/c/.planning", func(t *testing.T, dir string) { makeTree(t, dir, "a/b/c/.planning/x.md") }, "a"},
		"a file that gives way": {"p/file", func(t *testing.T, dir string) {
			must(t, os.Remove(filepath.Join(dir, "p/file")))
			makeTree(t, dir, "p/file/x.md")
		}, "p/file"},
		"with its project, beside": {"q/.planning", func(t *testing.T, dir string) { makeTree(t, dir, "q/.planning/x.md") }, "q"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			makeTree(t, dir, "p/file", "far/real/x.md")
			root := filepath.Join(dir, filepath.FromSlash(test.root))
			roots, err := cleanRoots([]Root{{filepath.Join(dir, "p"), false}, {filepath.Join(dir, "q"), false}, {root, true}})
			must(t, err)
			tree := newTree(roots, Options{open: newFakeSource().open})
			tree.do(t.Context(), task{rescan: true})
			if tree.folders[root] != nil {
				t.Fatal("it is there already")
			}
			test.make(t, dir)
			tree.do(t.Context(), task{dirty: map[string]fsnotify.Op{filepath.Join(dir, filepath.FromSlash(test.event)): fsnotify.Create}})
			if f := tree.folders[root]; f == nil || f.unread || len(f.entries) == 0 {
				t.Errorf("found: %+v", f)
			}
			if _, watched := tree.watched[root]; !watched || len(tree.missing[root].anchor) > 0 {
				t.Errorf("watched: %v, waits: %+v", watched, tree.missing[root])
			}
		})
	}
}

// link makes a link to the directory far.
func link(t *testing.T, dir, at string) {
	t.Helper()
	if err := os.Symlink(filepath.Join(dir, "far"), filepath.Join(dir, filepath.FromSlash(at))); err != nil {
		t.Skip("no symbolic links here:", err)
	}
}

// The watches that a system has left are given up with the directories that they were on.
func TestAnchorsAreLetGo(t *testing.T) {
	dir := t.TempDir()
	src := newFakeSource()
	tree := newTree([]Root{{filepath.Join(dir, "a", "b"), true}, {filepath.Join(dir, "c"), true}}, Options{open: src.open})
	poll := func() { tree.do(t.Context(), task{rescan: true}) }
	poll()
	for range 3 {
		makeTree(t, dir, "a/b/x.md", "c/y.md")
		poll()
		if len(src.added) != 2 || len(tree.anchors)+len(tree.awaited)+len(tree.missing) != 0 {
			t.Errorf("both are there: watched %v, anchors %v, awaited %v", src.added, tree.anchors, tree.awaited)
		}
		must(t, os.RemoveAll(filepath.Join(dir, "a")))
		must(t, os.RemoveAll(filepath.Join(dir, "c")))
		poll()
		if len(src.added) != 1 || !src.added[dir] || len(tree.anchors) != 1 || len(tree.missing) != 2 {
			t.Errorf("both are gone: watched %v, anchors %v, missing %v", src.added, tree.anchors, tree.missing)
		}
	}
}
