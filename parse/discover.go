// Discovering: which projects there are below some directories.

package parse

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Search selects the places of a search.
type Search struct {
	Below []string // directories, absolute, with all below them to a depth
	Known []string // roots of projects seen before, absolute
	// Within limits the time of the search. The nearest directories come first, and some are searched regardless of
	// time.
	Within time.Duration
}

// Found is the result of a search.
type Found struct {
	Projects []*Project // those from each directory by name, then the known ones
	// Unsearched reports whether time ran out before all directories were searched.
	Unsearched bool
}

// The bounds of a search.
const (
	searchDepth = 4    // levels below a directory
	searchLeast = 64   // this many directories are searched regardless of time
	searchMost  = 1000 // the maximum number of projects
)

// vendored lists directories of third-party projects or generated files.
var vendored = []string{"node_modules", "vendor", "third_party", "bower_components", "target", "dist", "build", "out", "venv", "__pycache__", "Pods", "DerivedData", "testdata", "fixtures"}

// Discover finds the projects for a search: directories with a build, but not those nested in one. It skips hidden and
// vendored directories and does not follow links. The error is the context's.
func Discover(ctx context.Context, s Search, user User) (Found, error) {
	l := &lookout{user: user, until: time.Now().Add(s.Within), seen: map[string]bool{}}
	for _, dir := range s.Below {
		l.searchBelow(ctx, filepath.Clean(dir))
	}
	known := make([]*Project, len(s.Known))
	onAllProcessors(ctx, len(s.Known), func(i int) {
		if root := filepath.Clean(s.Known[i]); filepath.IsAbs(root) && !l.hasFound(root) {
			known[i] = projectIn(root, user)
		}
	})
	for _, p := range known {
		if p != nil && !l.hasFound(p.root) {
			l.found = append(l.found, p)
		}
	}
	if err := context.Cause(ctx); err != nil {
		return Found{}, err
	}
	return Found{Projects: l.found[:min(len(l.found), searchMost)], Unsearched: l.late}, nil
}

// projectIn returns the project in a directory, nil if it has no build.
func projectIn(dir string, user User) *Project {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil
	}
	if p := projectAt(dir, user); p.HoldsBuild() {
		return p
	}
	return nil
}

// lookout looks into directories for a while.
type lookout struct {
	user  User
	until time.Time
	looks int
	late  bool
	found []*Project
	mu    sync.Mutex
	seen  map[string]bool // directories that were looked into
}

// hasFound reports whether a project was found already.
func (l *lookout) hasFound(root string) bool {
	return slices.ContainsFunc(l.found, func(p *Project) bool { return p.root == root })
}

// searchBelow finds the projects at and below a directory, level by level.
func (l *lookout) searchBelow(ctx context.Context, dir string) {
	level, first := []string{dir}, len(l.found)
	for depth := 0; depth <= searchDepth && len(level) > 0; depth++ {
		next, found := make([][]string, len(level)), make([]*Project, len(level))
		onAllProcessors(ctx, len(level), func(i int) {
			if !l.mayLookInto(level[i]) {
				return
			}
			may := false
			if may, next[i] = scanDir(level[i]); (may || l.user.Formats != "") && level[i] != l.user.Home {
				found[i] = projectIn(level[i], l.user)
			}
		})
		var deeper []string
		for i, p := range found {
			if p != nil {
				l.found = append(l.found, p)
			} else {
				deeper = append(deeper, next[i]...)
			}
		}
		level = deeper
	}
	slices.SortFunc(l.found[first:], func(a, b *Project) int { return strings.Compare(a.root, b.root) })
}

// mayLookInto reports whether a directory is still to be looked into.
func (l *lookout) mayLookInto(dir string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seen[dir] {
		return false
	}
	if l.looks >= searchLeast && time.Now().After(l.until) {
		l.late = true
		return false
	}
	l.looks++
	l.seen[dir] = true
	return true
}

// scanDir reports whether the names in a directory make it one that may hold a build, and returns the directories in it that are
// worth looking into.
func scanDir(dir string) (may bool, below []string) {
	entries, _ := os.ReadDir(dir) // an unlistable directory has nothing to show
	for _, e := range entries {
		name := e.Name()
		for i := range protocols {
			may = may || protocols[i].mayBeIn(name, e.IsDir())
		}
		if e.IsDir() && !strings.HasPrefix(name, ".") && !slices.Contains(vendored, name) {
			below = append(below, filepath.Join(dir, name))
		}
	}
	return may, below
}

// mayBeIn reports whether a name in a directory makes it one that may hold a build.
func (pr registration) mayBeIn(name string, isDir bool) bool {
	if !isDir {
		return pr.means != nil && pr.means(name)
	}
	begins := func(dir string) bool { first, _, _ := strings.Cut(dir, "/"); return first == name }
	return slices.Contains(pr.homes, name) || slices.ContainsFunc(pr.dirs, begins)
}
