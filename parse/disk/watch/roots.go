// This file decides which directories belong to the roots, finds roots that are missing, and follows links that stay inside a root.

package watch

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

// cleanRoots returns the roots absolute, clean and each directory once.
func cleanRoots(roots []Root) ([]Root, error) {
	byDir := map[string]bool{}
	for _, r := range roots {
		if r.Dir == "" {
			return nil, errors.New("watch: a root without a directory")
		}
		dir, err := filepath.Abs(r.Dir)
		if err != nil {
			return nil, fmt.Errorf("watch: %s: %w", r.Dir, err)
		}
		byDir[dir] = byDir[dir] || r.Recursive
	}
	clean := make([]Root, 0, len(byDir))
	for _, dir := range sortedKeys(byDir) {
		clean = append(clean, Root{dir, byDir[dir]})
	}
	return clean, nil
}

// A rootSet holds the roots by directory: what is asked of it takes as long as a path is deep, however many roots there are.
type rootSet map[string]bool // recursive, by directory

func newRootSet(roots []Root) rootSet {
	set := make(rootSet, len(roots))
	for _, r := range roots {
		set[r.Dir] = r.Recursive
	}
	return set
}

func (s rootSet) has(dir string) bool {
	_, ok := s[dir]
	return ok
}

// above yields a path and the directories above it, from the innermost to the outermost.
func above(path string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for yield(path) {
			next := filepath.Dir(path)
			if next == path {
				return
			}
			path = next
		}
	}
}

// level returns how far a directory is below the nearest root that includes it, 0 for a root itself, and whether one does.
func (s rootSet) level(dir string) (depth int, ok bool) {
	for d := range above(dir) {
		if recursive, is := s[d]; is && (recursive || depth == 0) {
			return depth, true
		}
		if name := filepath.Base(d); isSkipped(name) || isTemp(name) {
			return 0, false
		}
		depth++
	}
	return 0, false
}

// outermost returns the outermost root that a path is in, the path itself without one.
func (s rootSet) outermost(path string) string {
	root := path
	for d := range above(path) {
		if s.has(d) {
			root = d
		}
	}
	return root
}

// A missing root waits at an anchor: the nearest directory above it that is there.
type missing struct {
	anchor string // anchor is watched as long as roots wait at it.
	next   string // next is what has to appear in the anchor first: the root itself, or a directory on the way to it.
}

// seekRoots looks for some of the roots and returns the directories found in those that have appeared, which are to be read. For one that is still
// missing it watches its anchor: when something happens there it is looked for again.
func (t *tree) seekRoots(ctx context.Context, dirs []string) (unread []string) {
	for _, dir := range dirs {
		if ctx.Err() != nil {
			return unread
		}
		if f := t.folders[dir]; f != nil { // An outer root's reading found it.
			t.anchor(dir, "")
			continue
		}
		unread = append(unread, t.seek(dir)...)
		runtime.Gosched()
	}
	return unread
}

func (t *tree) seek(dir string) (unread []string) {
	up := filepath.Dir(dir)
	if f := t.folders[up]; f != nil && !f.unread && up != dir {
		if _, there := f.entries[filepath.Base(dir)]; !there {
			t.anchor(dir, up) // Its coming is an event, or a difference, in a directory that is read anyway.
			return nil
		}
	}
	// The watch is added before the last look, so that what appears in between is not missed.
	anchor := ""
	for {
		switch nearest := nearestDir(dir); nearest {
		case dir:
			t.anchor(dir, "")
			if f := t.begin(dir); f.unread {
				return t.read(dir, f)
			}
			return nil
		case anchor:
			return nil
		default:
			anchor = nearest
			t.anchor(dir, anchor)
		}
	}
}

// anchor has a missing root wait at a directory, "" when it is there.
func (t *tree) anchor(dir, at string) {
	if at != "" {
		t.watch(at)
	}
	was, waits := t.missing[dir]
	if waits && was.anchor == at {
		return
	}
	if waits {
		delete(t.missing, dir)
		leave(t.anchors, was.anchor, dir)
		leave(t.awaited, was.next, dir)
		if len(t.anchors[was.anchor]) == 0 && t.folders[was.anchor] == nil {
			t.unwatch(was.anchor)
		}
	}
	if at == "" {
		return
	}
	next := dir
	for d := range above(dir) {
		if d == at {
			break
		}
		next = d
	}
	t.missing[dir] = missing{at, next}
	join(t.anchors, at, dir)
	join(t.awaited, next, dir)
}

// join and leave keep sets by key, none that is empty.
func join(sets map[string]map[string]struct{}, key, member string) {
	if sets[key] == nil {
		sets[key] = map[string]struct{}{}
	}
	sets[key][member] = struct{}{}
}

func leave(sets map[string]map[string]struct{}, key, member string) {
	delete(sets[key], member)
	if len(sets[key]) == 0 {
		delete(sets, key)
	}
}

// expected returns the roots that may have appeared, or have to wait elsewhere, now that something happened at some paths: those that wait for one of
// them, and those that wait at one.
func (t *tree) expected(paths []string) (dirs []string) {
	for _, p := range paths {
		dirs = slices.AppendSeq(dirs, maps.Keys(t.awaited[p]))
		dirs = slices.AppendSeq(dirs, maps.Keys(t.anchors[p]))
	}
	return dirs
}

// nearestDir returns dir if it is a directory, otherwise the nearest one above it.
func nearestDir(dir string) string {
	for {
		above := filepath.Dir(dir)
		if info, err := os.Stat(dir); err == nil && info.IsDir() || above == dir {
			return dir
		}
		dir = above
	}
}

// link records where a linked directory leads if that is inside the same root. It is not read a second time under that name, which could go round in
// circles: what changes where it leads is reported under both.
func (t *tree) link(path string) {
	t.unlink(path)
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return
	}
	for _, root := range slices.Backward(slices.Collect(above(path))) { // An outer root comes before an inner one.
		if !t.set.has(root) {
			continue
		}
		rootReal, err := filepath.EvalSymlinks(root)
		if err != nil {
			continue
		}
		if rel, ok := below(rootReal, target); ok {
			t.aliases[path] = filepath.Join(root, rel)
			join(t.linked, t.aliases[path], path)
			return
		}
	}
}

// unlink forgets where a linked directory leads.
func (t *tree) unlink(path string) {
	if target, ok := t.aliases[path]; ok {
		delete(t.aliases, path)
		leave(t.linked, target, path)
	}
}
