package main

// Deciding about what is built on other machines: the same commands with --fleet.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/fleet/view"
)

// fleetPlace is what a command with --fleet may be about: all projects of a fleet and the one here, or the one of --dir.
type fleetPlace struct {
	projects []*model.Project
	all      *model.Project // their builds as if they were one project's
	where    string
}

// onFleet does an action on a machine of the fleet, or here. find says what the command is about.
func (d *deciding) onFleet(ctx context.Context, s *surroundings, verb model.Verb, find func(*fleetPlace) (model.Action, string, error)) error {
	if d.watch > 0 {
		return usageError{errors.New("--watch: it is for files on this machine; a host looks again by itself")}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var dirs []string
	if d.dir != thisDir && !view.IsRoot(d.dir) {
		dirs = []string{d.dir}
	}
	local, err := s.localProjects(d.fleet, dirs)
	if err != nil {
		return err
	}
	f, err := s.openFleet(ctx, d.fleet)
	if err != nil {
		return err
	}
	snap, err := fleetSnapshot(ctx, f, nil)
	if err != nil {
		return err
	}
	here := s.snapshot(local).Projects
	a, name, err := find(d.among(here, snap))
	if err != nil { // it may be where nothing can be decided now, which only the tree shows
		f.Trees(ctx, func(p *model.Project, _ *model.Build) bool { return d.dir == thisDir || p.Root == d.dir })
		if snap, err = f.Next(ctx, 0); err != nil {
			return err
		}
		if a, name, err = find(d.among(here, snap)); err != nil {
			return errors.Join(err, s.fleetTrouble(&model.Snapshot{Watch: snap.Watch}))
		}
	}
	if !f.Has(a.Project) {
		i := slices.IndexFunc(local, func(p *parse.Project) bool { return p.Root() == a.Project })
		d.fleet = ""
		return d.do(ctx, s, local[i], a, name)
	}
	return d.doBy(ctx, s, remoteActor{f}, a, name)
}

// among returns what a command may be about, of what is here and elsewhere.
func (d *deciding) among(here []*model.Project, snap *model.Snapshot) *fleetPlace {
	pl := &fleetPlace{all: &model.Project{}, where: "this fleet"}
	for _, p := range slices.Concat(here, snap.Projects) {
		if view.IsRoot(d.dir) && p.Root != d.dir {
			continue
		}
		pl.projects = append(pl.projects, p)
		pl.all.Builds = append(pl.all.Builds, p.Builds...)
		pl.all.Problems = append(pl.all.Problems, p.Problems...)
	}
	if view.IsRoot(d.dir) {
		pl.where = d.dir
	}
	return pl
}

// root returns the project of a build.
func (pl *fleetPlace) root(b *model.Build) string {
	for _, p := range pl.projects {
		if slices.Contains(p.Builds, b) {
			return p.Root
		}
	}
	return ""
}

func (pl *fleetPlace) gate(d *deciding, verb model.Verb, word string) (a model.Action, name string, err error) {
	builds, err := d.builds(pl.all)
	if err != nil {
		return a, "", err
	}
	if found := model.FindGates(model.NamedGates(builds), word); len(found) > 1 {
		return a, "", usageError{fmt.Errorf("%q: several gates are called so: %s", word, pl.apart(found))}
	}
	g, err := d.gateIn(pl.all, pl.where, word)
	if err != nil {
		return a, "", err
	}
	return model.Action{Verb: verb, Project: pl.root(g.Build), Build: g.Build.ID, Node: g.Node.ID, Text: d.text, RecordFailed: d.recordFailed}, g.Name, nil
}

// apart lists gates by where they are.
func (pl *fleetPlace) apart(gates []model.NamedGate) (all string) {
	for i, g := range gates {
		if i == maxNames {
			return all + fmt.Sprintf(", and %d more", len(gates)-i)
		}
		if i > 0 {
			all += ", "
		}
		all += fmt.Sprintf("%s --build %s --dir %s", g.Node.ID, g.Build.ID, pl.root(g.Build))
	}
	return all
}

func (pl *fleetPlace) phase(d *deciding, verb model.Verb, name string) (a model.Action, called string, err error) {
	b, n, err := d.phaseIn(pl.all, pl.where, name)
	if err != nil {
		return a, "", err
	}
	return model.Action{Verb: verb, Project: pl.root(b), Build: b.ID, Node: n.ID}, n.Title, nil
}

func (pl *fleetPlace) build(d *deciding, verb model.Verb) (a model.Action, name string, err error) {
	b, err := d.oneIn(pl.all, pl.where, verb)
	if err != nil {
		return a, "", err
	}
	return model.Action{Verb: verb, Project: pl.root(b), Build: b.ID}, b.ID, nil
}

// remoteActor is a fleet as commands need it: what else is to be done about files, their hosts do.
type remoteActor struct{ *view.Fleet }

// Tidy implements [actor].
func (remoteActor) Tidy(context.Context, model.Action) {}

// Watch implements [actor].
func (r remoteActor) Watch(ctx context.Context, o *model.Outcome, _ time.Duration) error {
	return r.Settle(ctx, o)
}
