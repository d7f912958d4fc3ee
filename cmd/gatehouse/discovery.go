package main

// Discovery: finds and remembers the projects that the directories of a command line stand for.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/disk/kept"
	"gatehouse/parse/text/shell"
)

// How long directories are searched for projects. A dashboard must start at once; a command may take longer.
const (
	dashboardSearch = 100 * time.Millisecond
	commandSearch   = 2 * time.Second
)

// keptStore returns the store of what is remembered between runs.
func (s *env) keptStore() *kept.Store {
	if s.memory == nil {
		s.memory = kept.Open(s.user.System, s.keptDir)
	}
	return s.memory
}

// opener opens projects. It may search directories, which takes time.
type opener = func(context.Context) ([]*parse.Project, error)

// discovery holds the projects that the directories of a command line stand for.
type discovery struct {
	open opener
	// only is the project of a single directory that belongs to one, or of a single state file; else nil.
	only *parse.Project
	// file is the state file, relative to only; "" for a directory.
	file string
	dirs []string
}

// discover resolves the directories of a command line: a directory in a project means that project, any other all projects below it, a state
// file its project. Without arguments it is the project here, otherwise all of the user's projects: those below, below the configured roots,
// and those seen before. within bounds the search. The error is about the command line.
func (s *env) discover(ctx context.Context, dirs []string, within time.Duration) (*discovery, error) {
	places, err := placesOf(dirs)
	if err != nil {
		return nil, err
	}
	d := &discovery{open: s.searchOpener(func(ctx context.Context) (parse.Found, error) { return parse.OpenBelow(ctx, places, within, s.user) }, within), dirs: dirs}
	s.scope = s.scopeOf(dirs)
	if len(places) > 1 && !slices.ContainsFunc(places, parse.Place.IsFile) {
		return d, nil // there may be many: the dashboard starts while they are opened
	}
	here, err := parse.OpenAll(ctx, places, s.user)
	switch {
	case err != nil:
		return nil, usageError{err}
	case len(places) > 1:
	case places[0].IsFile():
		d.file = here[0].Relative(places[0])
		fallthrough
	case here[0].HoldsBuild():
		d.only, d.open = here[0], parse.Opened(here...)
	case len(dirs) == 0:
		d.open, s.scope.Everywhere = s.atHome(here, within), true
	}
	return d, nil
}

// titlePath returns the path that names the projects, "" for the current directory.
func (d *discovery) titlePath() string {
	if d.only != nil {
		return d.only.Root()
	}
	if len(d.dirs) == 1 {
		if abs, err := filepath.Abs(d.dirs[0]); err == nil {
			return abs
		}
	}
	return ""
}

// atHome opens all of the user's projects; if there are none, the projects here, which have no build.
func (s *env) atHome(here []*parse.Project, within time.Duration) opener {
	search := parse.Search{Below: s.searchRoots(), Within: within}
	if dir, err := os.Getwd(); err == nil {
		search.Below = append([]string{dir}, search.Below...)
	}
	known, err := s.keptStore().Projects()
	if err != nil && within == dashboardSearch { // a command continues without them
		s.notifyUser(err.Error())
	}
	for _, p := range known {
		search.Known = append(search.Known, p.Root)
	}
	return s.searchOpener(func(ctx context.Context) (parse.Found, error) {
		found, err := parse.Discover(ctx, search, s.user)
		if len(found.Projects) == 0 {
			found.Projects = here
		}
		return found, err
	}, within)
}

// searchOpener opens the projects that a search finds, and notifies the user if the time was up.
func (s *env) searchOpener(search func(context.Context) (parse.Found, error), within time.Duration) opener {
	return func(ctx context.Context) ([]*parse.Project, error) {
		found, err := search(ctx)
		if err == nil && found.Unsearched {
			s.notifyUser(fmt.Sprintf("not every directory was searched within %v; pass project directories, or set roots: in your configuration to folders closer to them", within))
		}
		return found.Projects, err
	}
}

// readProjects reads the projects that directories stand for once, with the agents that work in them.
func (s *env) readProjects(ctx context.Context, dirs []string) (*model.Snapshot, error) {
	projects, file, err := s.openProjects(ctx, dirs)
	if err != nil {
		return nil, err
	}
	snap := s.readSnapshot(projects)
	for _, p := range snap.Projects {
		p.Builds = ofFile(p.Builds, file)
	}
	return snap, nil
}

// ofFile returns the build of a state file, all builds if it belongs to none of them.
func ofFile(builds []*model.Build, file string) []*model.Build {
	if i := slices.IndexFunc(builds, func(b *model.Build) bool { return file != "" && b.File == file }); i >= 0 {
		return builds[i : i+1]
	}
	return builds
}

// openProjects opens the projects that directories stand for. The file is the state file that was named instead of a directory.
func (s *env) openProjects(ctx context.Context, dirs []string) (all []*parse.Project, file string, err error) {
	d, err := s.discover(ctx, dirs, commandSearch)
	if err != nil {
		return nil, "", err
	}
	if all, err = d.open(ctx); err != nil {
		return nil, "", usageError{err}
	}
	return all, d.file, nil
}

// openProject opens the one project that a directory stands for: the project it belongs to, else the only one below it. The file is the state
// file that was named instead of a directory, relative to the project.
func (s *env) openProject(dir string, within time.Duration) (p *parse.Project, file string, err error) {
	places, err := placesOf([]string{dir})
	if err != nil {
		return nil, "", err
	}
	found, err := parse.OpenBelow(context.Background(), places, within, s.user)
	if err != nil {
		return nil, "", usageError{err}
	}
	p = found.Projects[0]
	switch {
	case len(found.Projects) > 1:
		var dirs []string
		for _, p := range found.Projects {
			dirs = append(dirs, shell.Word(shortPath(p.Root(), s.user.Home)))
		}
		return nil, "", usageError{fmt.Errorf("%s holds %d projects: %s; name one with --dir", dir, len(dirs), model.Listed(dirs))}
	case places[0].IsFile():
		file = p.Relative(places[0])
	}
	return p, file, nil
}

// readSnapshot reads projects once, with the agents that work in them or below the directories of the command line, and no others.
func (s *env) readSnapshot(projects []*parse.Project) *model.Snapshot {
	snap, scope := &model.Snapshot{Version: 1, At: s.now()}, s.scope
	scope.Only = true
	for _, p := range projects {
		snap.Projects = append(snap.Projects, s.readSettled(p))
	}
	snap.Projects, snap.Sessions = parse.WithAgents(snap.Projects, s.user, scope, s.now())
	return snap
}

// asksElsewhere counts the asks that wait in none of some projects.
func (s *env) asksElsewhere(projects []*model.Project) (n int) {
	if s.user.Asks == nil {
		return 0
	}
	asks, _ := s.localAsks(false) // gatehouse asks reports the error
	for _, a := range asks {
		here := slices.ContainsFunc(projects, func(p *model.Project) bool { return p.Host == nil && a.Project == realPath(p.Root) })
		if a.Kind != model.AskTurn && !here {
			n++
		}
	}
	return n
}

// rememberProjects stores which projects were shown, for the next run, after they have been read. Call end to stop; it returns the error.
func (s *env) rememberProjects(ctx context.Context, feed model.Feed) (end func()) {
	if s.apart {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		snap, err := feed.Next(ctx, 0)
		if err != nil {
			return // the dashboard has ended
		}
		var roots []string
		for _, p := range snap.Projects {
			for _, b := range p.Builds {
				if b.ID != model.AgentsBuild {
					roots = append(roots, p.Root)
					break
				}
			}
		}
		if err := s.keptStore().SeeProjects(ctx, roots, s.now()); err != nil && ctx.Err() == nil {
			s.notifyUser(err.Error())
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// noticeRoom is the capacity for unread notices; further ones are dropped.
const noticeRoom = 16

// noticeQueue returns the queue of notices for the dashboard.
func (s *env) noticeQueue() chan string {
	s.noticesOnce.Do(func() { s.noticeTexts = make(chan string, noticeRoom) })
	return s.noticeTexts
}

// notifyUser shows a text in the dashboard, or on standard error at the end of a command.
func (s *env) notifyUser(text string) {
	select {
	case s.noticeQueue() <- text:
	default:
	}
}

// printNotices prints the notices that no dashboard has shown.
func (s *env) printNotices() {
	for {
		select {
		case text := <-s.noticeQueue():
			s.complain("%s", text)
		default:
			return
		}
	}
}

// keeper stores the display state of projects: a file for each, named by the hash of its root.
type keeper struct {
	store *kept.Store
}

// Load implements [tui.Keeper].
func (k keeper) Load(name string, into any) error { return k.store.Load(fileOf(name), into) }

// saveWithin bounds one save: another dashboard may be saving, and the machine may be busy.
const saveWithin = 500 * time.Millisecond

// Save implements [tui.Keeper].
func (k keeper) Save(name string, value any) error {
	ctx, cancel := context.WithTimeout(context.Background(), saveWithin)
	defer cancel()
	return k.store.Save(ctx, fileOf(name), value)
}

// fileOf returns the name of a file. The root of a project may come from another machine, so the name is a hash.
func fileOf(name string) string { return "view-" + hashName(name) }

// hashName returns a file name for any text.
func hashName(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}
