// This file decides which directories belong to the roots, finds roots that are missing, and follows links that stay inside a root.

package watch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

func (t *tree) isRoot(dir string) bool {
	return slices.ContainsFunc(t.roots, func(r Root) bool { return r.Dir == dir })
}

// level returns how far a directory is below the nearest root that includes it, 0 for a root itself, and whether one does.
func (t *tree) level(dir string) (depth int, ok bool) {
	for _, r := range t.roots {
		rel, inside := below(r.Dir, dir)
		if !inside {
			continue
		}
		if rel == "" {
			return 0, true
		}
		names := strings.Split(rel, separator)
		if !r.Recursive || slices.ContainsFunc(names, func(n string) bool { return isSkipped(n) || isTemp(n) }) {
			continue
		}
		if !ok || len(names) < depth {
			depth, ok = len(names), true
		}
	}
	return depth, ok
}

// rootOf returns the outermost root a directory is in.
func (t *tree) rootOf(dir string) string {
	for _, r := range t.roots { // Sorted, so that an outer root comes before an inner one.
		if _, ok := below(r.Dir, dir); ok {
			return r.Dir
		}
	}
	return dir
}

// seekRoots makes folders for roots that have appeared and returns them. For one that is still missing it watches the nearest directory above: each
// time something happens there it is called again.
func (t *tree) seekRoots() (fresh []string) {
	var anchors []string
	for _, r := range t.roots {
		if t.folders[r.Dir] != nil {
			continue
		}
		// The watch is added before the last look, so that what appears in between is not missed.
		anchor := ""
		for {
			above := nearestDir(r.Dir)
			if above == r.Dir {
				if t.begin(r.Dir).unread {
					fresh = append(fresh, r.Dir)
				}
				break
			}
			if above == anchor {
				anchors = append(anchors, anchor)
				break
			}
			anchor = above
			t.watch(anchor)
		}
	}
	for _, dir := range t.anchors {
		if !slices.Contains(anchors, dir) && t.folders[dir] == nil && !slices.Contains(fresh, dir) {
			t.unwatch(dir)
		}
	}
	slices.Sort(anchors)
	t.anchors = slices.Compact(anchors)
	return fresh
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
	delete(t.aliases, path)
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return
	}
	for _, r := range t.roots {
		rootReal, err := filepath.EvalSymlinks(r.Dir)
		if _, inside := below(r.Dir, path); !inside || err != nil {
			continue
		}
		if rel, ok := below(rootReal, target); ok {
			t.aliases[path] = filepath.Join(r.Dir, rel)
			return
		}
	}
}
