package main

// Which projects, builds and gates a command is about.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/config"
	"gatehouse/cmd/gatehouse/remote"
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
func (s *env) keptStore() *kept.Store { return kept.Open(s.user.System, s.keptDir) }

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
	search := parse.Search{Within: within}
	if dir, err := os.Getwd(); err == nil {
		search.Below = append(search.Below, dir)
	}
	for _, dir := range s.readConfig().Texts(settingRoots) {
		search.Below = append(search.Below, config.PathOf(dir, s.user.Home))
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
			dirs = append(dirs, shell.Word(s.shortPath(p.Root())))
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

// notifyUser shows a text in the dashboard, or on standard error at the end of a command.
func (s *env) notifyUser(text string) {
	select {
	case s.notices <- text:
	default:
	}
}

// printNotices prints the notices that no dashboard has shown.
func (s *env) printNotices() {
	for {
		select {
		case text := <-s.notices:
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

// target holds the flags that select the build of a command.
type target struct {
	dir   string
	build string
	file  string // the state file that dir names, relative to the project
	quick bool   // a shell waits for completions
}

// thisDir is the default directory.
const thisDir = "."

// addTo gives a command the flags.
func (pl *target) addTo(s *env, cmd *cobra.Command) {
	cmd.Flags().StringVar(&pl.dir, "dir", thisDir, "the project's `directory`, or one of its state files")
	cmd.Flags().StringVar(&pl.build, "build", "", "the `ID` of the build, if there are several; gatehouse status names them")
	completeFlag(cmd, "build", func(*cobra.Command, []string, string) (ids []string, _ cobra.ShellCompDirective) {
		for _, b := range pl.candidates(s).builds() {
			ids = append(ids, b.ID)
		}
		slices.Sort(ids)
		return ids, cobra.ShellCompDirectiveNoFileComp
	})
}

// completeFlag makes shells complete the values of a flag.
func completeFlag(cmd *cobra.Command, flag string, values cobra.CompletionFunc) {
	// It fails only for an unknown flag or a second call, which are programming errors.
	if err := cmd.RegisterFlagCompletionFunc(flag, plainOnly(values)); err != nil {
		panic(err)
	}
}

// readProject opens the project and reads it once.
func (pl *target) readProject(s *env) (*parse.Project, *model.Project, error) {
	within := commandSearch
	if pl.quick {
		within = dashboardSearch
	}
	p, file, err := s.openProject(pl.dir, within)
	if err != nil {
		return nil, nil, err
	}
	pl.file = file
	return p, s.readSettled(p), nil
}

// Writers that truncate a file before they write it leave it empty for a moment. A command must not report that.
const (
	settleTime   = 100 * time.Millisecond // how long a command waits for such a moment to end
	searchTime   = 300 * time.Millisecond // the same for a command that looks for something
	rereadPause  = 10 * time.Millisecond
	leastRereads = 5 // if this process was suspended, the writer may have been, too
)

// rereadUntil reads a project again until isDone accepts what was read, or the time is up.
func (s *env) rereadUntil(p *parse.Project, mp *model.Project, limit time.Duration, isDone func(*model.Project) bool) *model.Project {
	end := time.Now().Add(limit)
	for n := 1; !isDone(mp) && (n < leastRereads || time.Now().Before(end)); n++ {
		time.Sleep(rereadPause)
		p.Touch()
		mp = p.Read(s.now())
	}
	return mp
}

// readSettled reads a project, and reads again while a file that was just written can't be read.
func (s *env) readSettled(p *parse.Project) *model.Project {
	return s.rereadUntil(p, p.Read(s.now()), settleTime, func(mp *model.Project) bool {
		return !slices.ContainsFunc(errorsOf(mp), func(p model.Problem) bool {
			info, err := os.Stat(filepath.Join(mp.Root, filepath.FromSlash(p.File)))
			return p.File != "" && err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()).Abs() < time.Second
		})
	})
}

// errorsOf returns the errors of a project and its builds.
func errorsOf(mp *model.Project) (all []model.Problem) {
	all = slices.Clone(mp.Problems)
	for _, b := range mp.Builds {
		all = append(all, b.Problems...)
	}
	return slices.DeleteFunc(all, func(p model.Problem) bool { return p.Severity != model.Error })
}

// selection holds the projects that may have the gate, phase or build of a command: one project here, or all of a remote.
type selection struct {
	projects []*model.Project
	where    string // for people
}

// find reads the project until look finds something in it, or it is certainly missing.
func (pl *target) find(s *env, look func(*selection) error) (*parse.Project, error) {
	p, mp, err := pl.readProject(s)
	if err != nil {
		return nil, err
	}
	s.rereadUntil(p, mp, searchTime, func(mp *model.Project) bool {
		err = look(&selection{[]*model.Project{mp}, s.shortPath(mp.Root)})
		return err == nil || len(mp.Builds) > 0 && len(errorsOf(mp)) == 0
	})
	return p, err
}

// builds returns the builds of all projects.
func (in *selection) builds() (all []*model.Build) {
	for _, p := range in.projects {
		all = append(all, p.Builds...)
	}
	return all
}

// rootOf returns the project of a build.
func (in *selection) rootOf(b *model.Build) string {
	for _, p := range in.projects {
		if slices.Contains(p.Builds, b) {
			return p.Root
		}
	}
	return ""
}

// findGate returns the project and the gate that a word selects.
func (pl *target) findGate(s *env, word string) (p *parse.Project, g namedGate, err error) {
	p, err = pl.find(s, func(in *selection) (err error) {
		g, err = pl.selectGate(in, word)
		return err
	})
	return p, g, err
}

// namedGate is a gate with a name that can be typed.
type namedGate struct {
	Build *model.Build
	Node  *model.Node
	// Name is the shortest end of the node's ID that no other gate of the build has: "frame-gate", "02-UAT/3".
	Name string
}

// nameGates returns the gates of the builds in their order, without archived milestones.
func nameGates(builds []*model.Build) []namedGate {
	var all []namedGate
	for _, b := range builds {
		var gates []*model.Node
		shared := map[string]int{} // the number of gates with this ending
		for _, n := range model.Walk(b.Nodes) {
			if n.Gate == nil || n.IsArchived() {
				continue
			}
			gates = append(gates, n)
			for _, end := range idEnds(n.ID) {
				shared[end]++
			}
		}
		for _, n := range gates {
			g := namedGate{Build: b, Node: n, Name: n.ID}
			for _, end := range idEnds(n.ID) {
				if shared[end] == 1 && strings.Trim(end, "0123456789.") != "" { // a number alone is no name
					g.Name = end
					break
				}
			}
			all = append(all, g)
		}
	}
	return all
}

// idEnds returns the ends of an ID, the shortest first: of "gate/02/02-UAT.md/3" these are "3", "02-UAT/3", "02/02-UAT/3". The gate of a
// task has the name of the task: "02-01/3" of "task/02-quay/02-01/3/gate".
func idEnds(id string) []string {
	name, isGate := strings.CutPrefix(id, "gate/")
	if !isGate {
		name = strings.TrimSuffix(name, "/gate")
	}
	parts := strings.Split(name, "/")
	for i := range parts {
		parts[i] = strings.TrimSuffix(parts[i], ".md")
	}
	all := make([]string, len(parts))
	for i := range parts {
		all[len(parts)-1-i] = strings.Join(parts[i:], "/")
	}
	return all
}

// findGates returns the gates that a word selects: those with this ID, else those whose name or ID ends with it, else
// those with this title, ignoring case.
func findGates(gates []namedGate, word string) []namedGate {
	for _, means := range []func(namedGate) bool{
		func(g namedGate) bool { return g.Node.ID == word },
		func(g namedGate) bool { return slices.Contains(idEnds(g.Node.ID), word) },
		func(g namedGate) bool { return strings.HasSuffix(g.Node.ID, "/"+word) },
		func(g namedGate) bool { return strings.EqualFold(g.Node.Title, word) },
	} {
		if found := slices.DeleteFunc(slices.Clone(gates), func(g namedGate) bool { return !means(g) }); len(found) > 0 {
			return found
		}
	}
	return nil
}

// selectGate returns the gate that a word selects.
func (pl *target) selectGate(in *selection, word string) (g namedGate, err error) {
	builds, err := pl.selectBuilds(in)
	if err != nil {
		return g, err
	}
	var names []string
	all := nameGates(builds)
	found, unread := findGates(all, word), unreadableReason(builds)
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		for _, g := range found {
			names = append(names, shell.Word(g.Node.ID)+" "+in.flagsFor(g.Build))
		}
		return g, usageError{fmt.Errorf("%q is ambiguous; these gates match: %s", word, model.Listed(names))}
	case unread != nil:
		return g, fmt.Errorf("%q: the gate can't be looked for: %w", word, unread)
	case len(all) == 0:
		return g, usageError{fmt.Errorf("%q: there is no gate at all in %s; %s", word, in.where, elsewhere)}
	}
	for _, g := range all {
		names = append(names, g.Name)
	}
	return g, usageError{fmt.Errorf("%q: there is no such gate; there is %s", word, model.Listed(names))}
}

// flagsFor returns the flags that select a build: builds of several projects may have one ID.
func (in *selection) flagsFor(b *model.Build) string {
	flags, root := "--build "+shell.Word(b.ID), in.rootOf(b)
	if len(in.projects) > 1 || remote.IsRoot(root) {
		flags += " --dir " + shell.Word(root)
	}
	return flags
}

// selectPhase returns the phase with a name, and its build.
func (pl *target) selectPhase(in *selection, name string) (of *model.Build, phase *model.Node, err error) {
	builds, err := pl.selectBuilds(in)
	if err != nil {
		return nil, nil, err
	}
	var all []string
	for _, b := range builds {
		for _, n := range b.OfKind(model.KindPhase) {
			all = append(all, n.Title)
			switch {
			case n.Title != name && n.ID != name:
			case phase != nil:
				return nil, nil, usageError{fmt.Errorf("%q: several phases are called so, in %s", name, in.listBuilds([]*model.Build{of, b}))}
			default:
				of, phase = b, n
			}
		}
	}
	if phase == nil {
		return nil, nil, usageError{fmt.Errorf("%q: there is no such phase; there is %s", name, model.Listed(all))}
	}
	return of, phase, nil
}

// unreadableReason returns why a build's own file can't be read, or which other unreadable file hides parts of the build; nil
// if all can be read.
func unreadableReason(builds []*model.Build) error {
	for _, b := range builds {
		for _, p := range b.Problems {
			if p.Severity == model.Error && p.File == b.File && len(b.Nodes) == 0 {
				return errors.New(p.String())
			}
		}
		if b.Unread != "" {
			return errors.New(b.Unread)
		}
	}
	return nil
}

const elsewhere = "name another directory with --dir"

// selectBuilds returns the selected builds: the one of --build, or all.
func (pl *target) selectBuilds(in *selection) (found []*model.Build, err error) {
	builds := in.builds()
	if pl.build == "" {
		return ofFile(builds, pl.file), nil
	}
	found = slices.DeleteFunc(slices.Clone(builds), func(b *model.Build) bool { return b.ID != pl.build })
	if len(found) == 0 {
		return nil, usageError{fmt.Errorf("--build %s: there is no such build; there is %s", pl.build, buildIDs(builds))}
	}
	return found, nil
}

// selectBuild returns the build to act on: the one named, the only one there is, or the only one for
// which this verb or any verb is possible.
func (pl *target) selectBuild(in *selection, verb model.Verb) (*model.Build, error) {
	builds, err := pl.selectBuilds(in)
	if err != nil {
		return nil, err
	}
	for _, may := range []func(*model.Build) bool{
		func(b *model.Build) bool { return slices.Contains(b.Can, verb) },
		func(b *model.Build) bool { return len(b.Can) > 0 && verb != model.VerbAdd },
		func(*model.Build) bool { return verb != model.VerbAdd },
	} {
		able := slices.DeleteFunc(slices.Clone(builds), func(b *model.Build) bool { return !may(b) })
		switch {
		case len(able) == 1:
			return able[0], nil
		case len(able) > 1:
			return nil, usageError{fmt.Errorf("there are several builds: %s", in.listBuilds(able))}
		}
	}
	if verb == model.VerbAdd {
		return nil, usageError{errors.New("there is no inbox here; " + elsewhere)}
	}
	return nil, usageError{fmt.Errorf("there is no build in %s; %s", in.where, elsewhere)}
}

// listBuilds lists builds with the flags that select them.
func (in *selection) listBuilds(builds []*model.Build) string {
	if len(in.projects) < 2 {
		return buildIDs(builds) + "; name one with --build"
	}
	var all []string
	for _, b := range builds {
		all = append(all, in.flagsFor(b))
	}
	return model.Listed(all) + "; name one by these flags"
}

func buildIDs(builds []*model.Build) string {
	var ids []string
	for _, b := range builds {
		if !slices.Contains(ids, b.ID) {
			ids = append(ids, b.ID)
		}
	}
	return model.Listed(ids)
}

// oneArg is the argument rule of a command that takes one argument. The text is the error if it is missing.
func oneArg(what, missing string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0 || args[0] == "":
			return usageError{errors.New(missing)}
		case len(args) > 1:
			return usageError{fmt.Errorf("%q: %s takes one %s", args[1], cmd.CommandPath(), what)}
		}
		return nil
	}
}

var (
	oneGate = oneArg("gate", "which gate? gatehouse gates lists what waits for you")
	oneAsk  = oneArg("ask", "name one ask; gatehouse asks lists them")
)

// candidates returns the projects in the directory, for completions.
func (pl *target) candidates(s *env) *selection {
	pl.quick = true
	if _, p, err := pl.readProject(s); err == nil {
		return &selection{projects: []*model.Project{p}}
	}
	return &selection{}
}

// completeGates makes shells complete the gates that a verb can be applied to; all gates if the verb is empty.
func (pl *target) completeGates(s *env, verb model.Verb) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
		if len(args) == 0 {
			builds, _ := pl.selectBuilds(pl.candidates(s))
			for _, g := range nameGates(builds) {
				if verb == "" || slices.Contains(g.Node.Gate.Can, verb) {
					names = append(names, cobra.CompletionWithDesc(g.Name, g.Node.Gate.Asks))
				}
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}
