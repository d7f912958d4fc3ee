package main

// Which build a command is about, and which gate of it.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/text/shell"
)

// place are the flags that say which build a command is about.
type place struct {
	dir   string
	build string
	file  string // the state file that dir names, relative to the project
	exact bool   // a project below dir does not count
	quick bool   // a shell waits for completions
}

// thisDir is the directory that is meant where none is named.
const thisDir = "."

// addTo gives a command the flags.
func (pl *place) addTo(s *surroundings, cmd *cobra.Command) {
	cmd.Flags().StringVar(&pl.dir, "dir", thisDir, "the project's `directory`, or one of its state files")
	cmd.Flags().StringVar(&pl.build, "build", "", "the `ID` of the build, where there are several; gatehouse status names them")
	complete(cmd, "dir", s.completeProjects)
	complete(cmd, "build", func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		var ids []string
		for _, b := range pl.candidates(s, cmd) {
			if !slices.Contains(ids, b.ID) {
				ids = append(ids, b.ID)
			}
		}
		return ids, cobra.ShellCompDirectiveNoFileComp
	})
}

// complete makes shells complete the values of a flag.
func complete(cmd *cobra.Command, flag string, values cobra.CompletionFunc) {
	// It fails for a flag that does not exist or twice for the same one, which no user can bring about.
	if err := cmd.RegisterFlagCompletionFunc(flag, plainOnly(values)); err != nil {
		panic(err)
	}
}

// read opens the project and reads it once.
func (pl *place) read(s *surroundings) (*parse.Project, *model.Project, error) {
	if pl.exact {
		projects, err := open(s, []string{pl.dir})
		if err != nil {
			return nil, nil, err
		}
		return projects[0], s.settled(projects[0]), nil
	}
	within := commandSearch
	if pl.quick {
		within = dashboardSearch
	}
	p, file, err := s.project(pl.dir, within)
	if err != nil {
		return nil, nil, err
	}
	pl.file = file
	return p, s.settled(p), nil
}

// settled reads a project, and again as long as something of it can't be read that was written just now: a command looks once, and
// must not tell of the moment in which a writer has emptied a file and not yet written it.
func (s *surroundings) settled(p *parse.Project) *model.Project {
	mp := p.Read(s.now())
	end := time.Now().Add(beingWritten)
	for looks := 1; halfWay(mp) && (looks < fewLooks || time.Now().Before(end)); looks++ {
		time.Sleep(beingWritten / 20)
		p.Touch()
		mp = p.Read(s.now())
	}
	return mp
}

// halfWay reports whether a file of a project can't be read and was written just now.
func halfWay(mp *model.Project) bool {
	young := func(p model.Problem) bool {
		if p.Severity != model.Error || p.File == "" {
			return false
		}
		info, err := os.Stat(filepath.Join(mp.Root, filepath.FromSlash(p.File)))
		return err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()).Abs() < time.Second
	}
	return slices.ContainsFunc(mp.Builds, func(b *model.Build) bool { return slices.ContainsFunc(b.Problems, young) })
}

// Writers that truncate a file before they write it leave nothing to be found for a moment.
const (
	halfWritten = 300 * time.Millisecond // how long such a moment may be
	lookAgain   = 20 * time.Millisecond  // how often it is looked
	// beingWritten is the same for who asks for nothing in particular, and would wait for that long for each file that is broken.
	beingWritten = 100 * time.Millisecond
	// fewLooks is how often it is looked at least: where the machine stood still, so may have who writes.
	fewLooks = 5
)

// find reads the project until something is found in it, or until it is sure that there is nothing.
func (pl *place) find(s *surroundings, look func(*model.Project) error) (*parse.Project, error) {
	p, mp, err := pl.read(s)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(halfWritten); ; mp = p.Read(s.now()) {
		if err = look(mp); err == nil || !torn(mp) || time.Now().After(end) {
			return p, err
		}
		time.Sleep(lookAgain)
		p.Touch()
	}
}

// torn reports whether something of a project can't be read as it is now.
func torn(mp *model.Project) bool {
	bad := func(problems []model.Problem) bool {
		return slices.ContainsFunc(problems, func(p model.Problem) bool { return p.Severity == model.Error })
	}
	return len(mp.Builds) == 0 || bad(mp.Problems) || slices.ContainsFunc(mp.Builds, func(b *model.Build) bool { return bad(b.Problems) })
}

// gate returns the project and the gate that a word means.
func (pl *place) gate(s *surroundings, word string) (p *parse.Project, g namedGate, err error) {
	p, err = pl.find(s, func(mp *model.Project) (err error) {
		g, err = pl.gateIn(mp, shortPath(mp.Root, s.user.Home), word)
		return err
	})
	return p, g, err
}

// gateIn returns the gate that a word means among those of the builds that are meant; where is the place for people.
func (pl *place) gateIn(mp *model.Project, where, word string) (g namedGate, err error) {
	builds, err := pl.builds(mp)
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
		return g, missing(builds, where, "gate", word, names)
	case 1:
		return found[0], nil
	}
	var apart []string
	for _, g := range found {
		apart = append(apart, fmt.Sprintf("%s --build %s", shell.Word(g.Node.ID), shell.Word(g.Build.ID)))
	}
	return g, usageError{fmt.Errorf("%q is ambiguous; these gates match: %s", word, model.Listed(apart))}
}

// missing returns that nothing of a kind is called so in the builds that are meant, and what is there.
func missing(builds []*model.Build, where, kind, word string, names []string) error {
	err := error(usageError{fmt.Errorf("%q: there is no such %s; there is %s", word, kind, model.Listed(names))})
	switch unread := unreadable(builds); {
	case unread != nil:
		err = fmt.Errorf("%q: the %s can't be looked for: %w", word, kind, unread)
	case len(names) == 0:
		err = usageError{fmt.Errorf("%q: there is no %s at all in %s; %s", word, kind, where, elsewhere)}
	}
	return err
}

// phase returns the project, the build and the phase that a name means.
func (pl *place) phase(s *surroundings, name string) (p *parse.Project, in *model.Build, phase *model.Node, err error) {
	p, err = pl.find(s, func(mp *model.Project) (err error) {
		in, phase, err = pl.phaseIn(mp, shortPath(mp.Root, s.user.Home), name)
		return err
	})
	return p, in, phase, err
}

// phaseIn is the same as [place.gateIn] for a phase.
func (pl *place) phaseIn(mp *model.Project, where, name string) (in *model.Build, phase *model.Node, err error) {
	builds, err := pl.builds(mp)
	if err != nil {
		return nil, nil, err
	}
	var all []string
	for _, b := range builds {
		for _, n := range b.OfKind(model.KindPhase) {
			if n.Title != name && n.ID != name {
				all = append(all, n.Title)
				continue
			}
			if phase != nil {
				return nil, nil, usageError{fmt.Errorf("%q: several phases are called so, in %s and %s; name one with --build", name, in.ID, b.ID)}
			}
			in, phase = b, n
		}
	}
	if phase == nil {
		return nil, nil, missing(builds, where, "phase", name, all)
	}
	return in, phase, nil
}

// completePhases makes shells complete the phases to which something can be done.
func (pl *place) completePhases(s *surroundings, verb model.Verb) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		var found []string
		if len(args) == 0 {
			builds, _ := pl.builds(&model.Project{Builds: pl.candidates(s, cmd)})
			for _, b := range builds {
				for _, n := range b.OfKind(model.KindPhase) {
					if slices.Contains(n.Can, verb) {
						found = append(found, n.Title)
					}
				}
			}
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}

// unreadable returns why a build's own file can't be read, or what else of it keeps anybody from knowing what it consists of; nil
// where all can be read.
func unreadable(builds []*model.Build) error {
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

// builds returns the builds that are meant: the one of --build, or all.
func (pl *place) builds(mp *model.Project) ([]*model.Build, error) {
	if pl.build == "" {
		return ofFile(mp.Builds, pl.file), nil
	}
	i := slices.IndexFunc(mp.Builds, func(b *model.Build) bool { return b.ID == pl.build })
	if i < 0 {
		return nil, usageError{fmt.Errorf("--build %s: there is no such build; there is %s", pl.build, buildIDs(mp.Builds))}
	}
	return mp.Builds[i : i+1], nil
}

// one returns the project and the build that something is to be done to as a whole: the one named, the only one there is, or
// the only one to which this or anything can be done.
func (pl *place) one(s *surroundings, verb model.Verb) (p *parse.Project, one *model.Build, err error) {
	p, err = pl.find(s, func(mp *model.Project) (err error) {
		one, err = pl.oneIn(mp, shortPath(mp.Root, s.user.Home), verb)
		return err
	})
	return p, one, err
}

// oneIn is the same as [place.gateIn] for a build.
func (pl *place) oneIn(mp *model.Project, where string, verb model.Verb) (*model.Build, error) {
	builds, err := pl.builds(mp)
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
			return nil, usageError{fmt.Errorf("there are several builds: %s; name one with --build", buildIDs(able))}
		}
	}
	return nil, usageError{fmt.Errorf("there is no build in %s; %s", where, elsewhere)}
}

func buildIDs(builds []*model.Build) string {
	var ids []string
	for _, b := range builds {
		ids = append(ids, b.ID)
	}
	return model.Listed(ids)
}

// oneGate is the rule for the arguments of a command about a gate.
func oneGate(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return usageError{errors.New("which gate? gatehouse gates lists what waits for you")}
	case len(args) > 1:
		return usageError{fmt.Errorf("%q: %s takes one gate", args[1], cmd.CommandPath())}
	}
	return nil
}

// completeGates makes shells complete the gates to which something can be done; any gate where no verb is given.
func (pl *place) completeGates(s *surroundings, verb model.Verb) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		var found []string
		if len(args) == 0 {
			builds, _ := pl.builds(&model.Project{Builds: pl.candidates(s, cmd)})
			for _, g := range nameGates(builds) {
				offer := cobra.CompletionWithDesc(g.Name, g.Node.Gate.Asks)
				if (verb == "" || slices.Contains(g.Node.Gate.Can, verb)) && !slices.Contains(found, offer) { // once, of several hosts
					found = append(found, offer)
				}
			}
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}
