// Opening: which project a directory or a file that the user has named belongs to.

package parse

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/disk/peek"
)

// Place is an existing directory or file that the user has named.
type Place struct {
	name string // as it was named
	abs  string
	file bool
}

// Named returns the place of a name. It fails if the name is not a file or directory, and reads nothing.
func Named(name string) (Place, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return Place{}, err
	}
	info, err := os.Stat(abs)
	switch {
	case os.IsNotExist(err):
		return Place{}, fmt.Errorf("%s: there is no such directory", name)
	case os.IsPermission(err):
		return Place{}, fmt.Errorf("%s: you may not look into it; check its permissions", name)
	case err != nil:
		return Place{}, err
	case !info.IsDir() && !info.Mode().IsRegular():
		return Place{}, fmt.Errorf("%s: this is neither a directory nor a regular file; name the directory of a project", name)
	}
	return Place{name, abs, !info.IsDir()}, nil
}

// IsFile reports whether the place is a file.
func (pl Place) IsFile() bool { return pl.file }

// Relative returns the path of a place below the project, "/"-separated.
func (p *Project) Relative(pl Place) string {
	if rel, err := filepath.Rel(p.root, pl.abs); err == nil {
		return filepath.ToSlash(rel)
	}
	return ""
}

// Open returns the project that a directory belongs to: the nearest directory with a build, among dir and the nine
// above it but not above home, as in GSD; without one, the nearest with a place for one, an empty .planning; without
// that, dir itself. For a file, it returns the project in its directory, with that file as a state file whatever its
// name is, or the project that the directory belongs to. Open fails only if the directory or file does not exist, or if
// the file has nothing to show; an unreadable directory is a problem that [Project.Read] reports.
func Open(name string, user User) (*Project, error) {
	place, err := Named(name)
	if err != nil {
		return nil, err
	}
	return newFinder(user).openPlace(place)
}

// OpenAll opens several places like [Open], each project once and in order of first mention. It looks at a common
// ancestor once, so that the time depends on the number of places and not on their depth. It fails when the context
// ends.
func OpenAll(ctx context.Context, places []Place, user User) ([]*Project, error) {
	all, err := openEach(ctx, places, user)
	return eachOnce(all), err
}

// OpenBelow opens several places like [OpenAll], but a directory without a build, and not inside one, means all
// projects below it that [Discover] finds within a time. If there are none, it stays.
func OpenBelow(ctx context.Context, places []Place, within time.Duration, user User) (Found, error) {
	opened, err := openEach(ctx, places, user)
	if err != nil {
		return Found{}, err
	}
	holds := make([]bool, len(opened))
	onAllProcessors(ctx, len(opened), func(i int) { holds[i] = places[i].file || opened[i].HoldsBuild() })
	search := Search{Within: within}
	for i, place := range places {
		if !holds[i] {
			search.Below = append(search.Below, place.abs)
		}
	}
	found, err := Discover(ctx, search, user)
	if err != nil {
		return Found{}, err
	}
	var all []*Project
	for i, p := range opened {
		before := len(all)
		if !holds[i] {
			for _, below := range found.Projects {
				if below.root == places[i].abs || peek.Inside(below.root, places[i].abs) {
					all = append(all, below)
				}
			}
		}
		if len(all) == before {
			all = append(all, p)
		}
	}
	return Found{Projects: eachOnce(all), Unsearched: found.Unsearched}, nil
}

// openEach opens places, one project for each.
func openEach(ctx context.Context, places []Place, user User) ([]*Project, error) {
	f := newFinder(user)
	all, errs := make([]*Project, len(places)), make([]error, len(places))
	onAllProcessors(ctx, len(places), func(i int) { all[i], errs[i] = f.openPlace(places[i]) })
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// eachOnce leaves out projects that come again.
func eachOnce(all []*Project) []*Project {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(p *Project) bool {
		again := seen[p.root]
		seen[p.root] = true
		return again
	})
}

// finder finds projects, and looks into each directory once. It may be used by several goroutines at once.
type finder struct {
	user User
	mu   sync.Mutex
	dirs map[string]func() candidate
}

// candidate is a directory that was searched.
type candidate struct {
	p     *Project // nil if there is none
	holds bool     // there is a build, and not only a place for one
}

func newFinder(user User) *finder { return &finder{user: user, dirs: map[string]func() candidate{}} }

// openPlace returns the project of a place.
func (f *finder) openPlace(place Place) (*Project, error) {
	if !place.file {
		return f.nearestProject(place.abs), nil
	}
	if p := projectAt(filepath.Dir(place.abs), f.user); p.takeAsState(filepath.Base(place.abs)) {
		return p, nil
	}
	if p := f.nearestProject(filepath.Dir(place.abs)); p.HoldsBuild() {
		return p, nil
	}
	return nil, fmt.Errorf("%s: this is no state file that is known; name the directory of a project", place.name)
}

// nearestProject returns the project that a directory, absolute, belongs to.
func (f *finder) nearestProject(abs string) *Project {
	var bare *Project // the nearest with a place for a build, and none in it
	for d := range peek.Climb(abs, f.user.Home) {
		switch l := f.lookInto(d); {
		case l.holds:
			return l.p
		case bare == nil:
			bare = l.p
		}
	}
	if bare != nil {
		return bare
	}
	return projectAt(abs, f.user)
}

// lookInto searches a directory, once.
func (f *finder) lookInto(dir string) candidate {
	f.mu.Lock()
	look := f.dirs[dir]
	if look == nil {
		look = sync.OnceValue(func() (c candidate) {
			home, p := isHome(dir, dir == f.user.Home), projectAt(dir, f.user)
			if c.holds = (home || p.mayHold()) && p.HoldsBuild(); c.holds || home {
				c.p = p
			}
			return c
		})
		f.dirs[dir] = look
	}
	f.mu.Unlock()
	return look()
}

// projectAt returns the project in a directory without reading it.
func projectAt(dir string, user User) *Project {
	p := &Project{root: dir, user: user, mirror: newMirror(dir)}
	for _, place := range user.Loops {
		p.loops = append(p.loops, mirror.New(place))
	}
	if user.Formats != "" {
		p.format = append(p.format, mirror.New(user.Formats))
	}
	p.ledger.log = p.openJournal()
	return p
}

// takeAsState has a file of the project's directory count as a state file, and reports
// whether a protocol takes it for one.
func (p *Project) takeAsState(file string) bool {
	before := p.countBuilds()
	p.named = file
	if p.countBuilds() > before {
		return true
	}
	p.named = ""
	return false
}

// countBuilds returns how many builds there are. A fault counts as one: reading the project reports it.
func (p *Project) countBuilds() int {
	readers, faults := p.allReaders()
	return len(readers) + len(faults)
}

// HoldsBuild reports whether there is a build in the project.
func (p *Project) HoldsBuild() bool { return p.countBuilds() > 0 }

// mayHold reports whether the names in the directory make it worth looking for
// builds in their files.
func (p *Project) mayHold() bool {
	return slices.ContainsFunc(protocols, func(pr registration) bool { return pr.mayHold != nil && pr.mayHold(p.mirror) }) || len(p.formatDefinitions()) > 0
}

// isHome reports whether a directory has a place for a build. In a user's home some of these places are there anyway.
func isHome(dir string, ofUser bool) bool {
	for _, pr := range protocols {
		if ofUser && pr.personal {
			continue
		}
		for _, h := range pr.homes {
			if info, err := os.Stat(filepath.Join(dir, h)); err == nil && info.IsDir() {
				return true
			}
		}
	}
	return false
}
