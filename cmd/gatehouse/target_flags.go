package main

// Which build a command is about, and which of its gates.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/text/shell"
)

// target holds the flags that select the build of a command.
type target struct {
	dir   string
	build string
	file  string // the state file that dir names, relative to the project
	exact bool   // ignore projects below dir
	quick bool   // a shell waits for completions
}

// thisDir is the default directory.
const thisDir = "."

// addTo gives a command the flags.
func (pl *target) addTo(s *env, cmd *cobra.Command) {
	cmd.Flags().StringVar(&pl.dir, "dir", thisDir, "the project's `directory`, or one of its state files")
	cmd.Flags().StringVar(&pl.build, "build", "", "the `ID` of the build, if there are several; gatehouse status names them")
	completeFlag(cmd, "dir", completeDirs)
	completeFlag(cmd, "build", func(*cobra.Command, []string, string) (ids []string, _ cobra.ShellCompDirective) {
		for _, b := range pl.candidateBuilds(s) {
			ids = append(ids, b.ID)
		}
		slices.Sort(ids)
		return slices.Compact(ids), cobra.ShellCompDirectiveNoFileComp
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
	if pl.exact {
		projects, err := openDirs(s, []string{pl.dir})
		if err != nil {
			return nil, nil, err
		}
		return projects[0], s.readSettled(projects[0]), nil
	}
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

// findIn reads the project until something is found in it, or certainly missing.
func (pl *target) findIn(s *env, look func(*model.Project) error) (*parse.Project, error) {
	p, mp, err := pl.readProject(s)
	if err != nil {
		return nil, err
	}
	s.rereadUntil(p, mp, searchTime, func(mp *model.Project) bool {
		err = look(mp)
		return err == nil || len(mp.Builds) > 0 && len(errorsOf(mp)) == 0
	})
	return p, err
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

// find reads the project, and calls look to find something in it.
func (pl *target) find(s *env, look func(*selection) error) (*parse.Project, error) {
	return pl.findIn(s, func(mp *model.Project) error {
		return look(&selection{[]*model.Project{mp}, shortPath(mp.Root, s.user.Home)})
	})
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
	builds, err := pl.selectBuilds(in.builds())
	if err != nil {
		return g, err
	}
	all := nameGates(builds)
	found := findGates(all, word)
	switch len(found) {
	case 0:
		var names []string
		for _, g := range all {
			names = append(names, g.Name)
		}
		return g, noGateError(builds, in.where, word, names)
	case 1:
		return found[0], nil
	}
	return g, usageError{fmt.Errorf("%q is ambiguous; these gates match: %s", word, in.listGates(found))}
}

// listGates lists gates with the flags that distinguish them.
func (in *selection) listGates(gates []namedGate) string {
	var all []string
	for _, g := range gates {
		name, root := shell.Word(g.Node.ID)+" --build "+shell.Word(g.Build.ID), in.rootOf(g.Build)
		if len(in.projects) > 1 || remote.IsRoot(root) {
			name += " --dir " + shell.Word(root)
		}
		all = append(all, name)
	}
	return model.Listed(all)
}

// noGateError returns an error that the selected builds have no gate with this name, and which they have.
func noGateError(builds []*model.Build, where, word string, names []string) error {
	switch unread := unreadableReason(builds); {
	case unread != nil:
		return fmt.Errorf("%q: the gate can't be looked for: %w", word, unread)
	case len(names) == 0:
		return usageError{fmt.Errorf("%q: there is no gate at all in %s; %s", word, where, elsewhere)}
	}
	return usageError{fmt.Errorf("%q: there is no such gate; there is %s", word, model.Listed(names))}
}

// selectPhase returns the phase with a name, and its build.
func (pl *target) selectPhase(in *selection, name string) (of *model.Build, phase *model.Node, err error) {
	builds, err := pl.selectBuilds(in.builds())
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
func (pl *target) selectBuilds(builds []*model.Build) ([]*model.Build, error) {
	if pl.build == "" {
		return ofFile(builds, pl.file), nil
	}
	found := slices.DeleteFunc(slices.Clone(builds), func(b *model.Build) bool { return b.ID != pl.build })
	if len(found) == 0 {
		return nil, usageError{fmt.Errorf("--build %s: there is no such build; there is %s", pl.build, buildIDs(builds))}
	}
	return found, nil
}

// selectBuild returns the build to act on: the one named, the only one there is, or the only one for
// which this verb or any verb is possible.
func (pl *target) selectBuild(in *selection, verb model.Verb) (*model.Build, error) {
	builds, err := pl.selectBuilds(in.builds())
	if err != nil {
		return nil, err
	}
	for _, may := range []func(*model.Build) bool{
		func(b *model.Build) bool { return slices.Contains(b.Can, verb) },
		func(b *model.Build) bool { return len(b.Can) > 0 },
		func(*model.Build) bool { return true },
	} {
		able := slices.DeleteFunc(slices.Clone(builds), func(b *model.Build) bool { return !may(b) })
		switch {
		case len(able) == 1:
			return able[0], nil
		case len(able) > 1:
			return nil, usageError{fmt.Errorf("there are several builds: %s", in.listBuilds(able))}
		}
	}
	return nil, usageError{fmt.Errorf("there is no build in %s; %s", in.where, elsewhere)}
}

// listBuilds lists builds with the flags that select them: builds of several projects may have one ID.
func (in *selection) listBuilds(builds []*model.Build) string {
	if len(in.projects) < 2 {
		return buildIDs(builds) + "; name one with --build"
	}
	var all []string
	for _, b := range builds {
		all = append(all, "--build "+shell.Word(b.ID)+" --dir "+shell.Word(in.rootOf(b)))
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

// candidateBuilds returns the builds in the directory, for completions.
func (pl *target) candidateBuilds(s *env) []*model.Build {
	pl.quick = true
	_, p, err := pl.readProject(s)
	if err != nil {
		return nil
	}
	return p.Builds
}

// completeGates makes shells complete the gates that a verb can be applied to; all gates if the verb is empty.
func (pl *target) completeGates(s *env, verb model.Verb) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
		if len(args) == 0 {
			builds, _ := pl.selectBuilds(pl.candidateBuilds(s))
			for _, g := range nameGates(builds) {
				name := cobra.CompletionWithDesc(g.Name, g.Node.Gate.Asks)
				if (verb == "" || slices.Contains(g.Node.Gate.Can, verb)) && !slices.Contains(names, name) { // several hosts may have it
					names = append(names, name)
				}
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}
