package main

// Deciding about what is built on other machines: the same commands with --remote.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/text/shell"
)

// fleetPlace is what a command with --remote may be about: all projects of a fleet and the one here, or the one of --dir.
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
	if d.dir != thisDir && !elsewhereDir(d.dir) {
		dirs = []string{d.dir}
	}
	local, err := s.localProjects(dirs)
	if err != nil {
		return err
	}
	f, err := s.openFleet(ctx, d.fleet)
	if err != nil {
		return err
	}
	snap, err := fleetSnapshot(ctx, f)
	if err != nil {
		return err
	}
	if elsewhereDir(d.dir) {
		if d.dir, err = rootOn(snap, d.dir); err != nil {
			if snap.Watch != "" {
				return s.fleetTrouble(snap.Watch)
			}
			return err
		}
	}
	a, name, err := find(d.among(f, s.snapshot(local).Projects, snap))
	if err != nil && snap.Watch != "" { // what is on the other side of a way that is gone is unknown
		return s.fleetTrouble(snap.Watch)
	}
	if err != nil {
		return err
	}
	if !f.Has(a.Project) {
		i := slices.IndexFunc(local, func(p *parse.Project) bool { return p.Root() == a.Project })
		if i < 0 { // its host has said meanwhile that it is no more
			return fmt.Errorf("%s: it is not there any more; look again", name)
		}
		d.fleet = ""
		return d.do(ctx, s, local[i], a, name)
	}
	if _, err := d.decider(s); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := s.unsignable(a.Project, a.Node); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return d.doBy(ctx, s, fleetActor{f}, a, name)
}

// elsewhereDir reports whether --dir names a project of another machine: build-7:/src/shop, or build-7:shop where nothing here is called so.
func elsewhereDir(dir string) bool {
	if remote.IsRoot(dir) {
		return true
	}
	if _, err := os.Lstat(dir); err == nil {
		return false
	}
	host, name, ok := strings.Cut(dir, ":")
	return ok && host != "" && name != "" && !strings.ContainsAny(host, `/\`)
}

// rootOn returns the root of the project that is called build-7:shop, or build-7:/src/shop.
func rootOn(snap *model.Snapshot, dir string) (string, error) {
	var joined, hosts, found []string
	host, name, _ := strings.Cut(dir, ":")
	for _, p := range snap.Projects {
		if p.Host.Name != host {
			continue
		}
		joined = append(joined, p.Name)
		if p.Root == dir || p.Name == name {
			found = append(found, p.Root)
		}
	}
	for _, h := range snap.Hosts {
		hosts = append(hosts, h.Name)
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return "", usageError{fmt.Errorf("--dir %s: several are called so: %s", dir, model.Listed(found))}
	case !slices.Contains(hosts, host):
		return "", usageError{fmt.Errorf("--dir %s: there is no host %s; there is %s", dir, host, model.Listed(hosts))}
	}
	return "", usageError{fmt.Errorf("--dir %s: %s has not joined %s; it has joined %s", dir, host, name, model.Listed(joined))}
}

// elsewhere returns the projects of a fleet that a command may be about: what is here is not meant twice.
func (d *deciding) elsewhere(f *remote.Fleet, here []*model.Project, snap *model.Snapshot) []*model.Project {
	if elsewhereDir(d.dir) {
		return snap.Projects
	}
	joined := f.Join(&model.Snapshot{Projects: here}, snap).Projects
	return slices.DeleteFunc(joined, func(p *model.Project) bool { return p.Host == nil })
}

// among returns what a command may be about, of what is here and elsewhere.
func (d *deciding) among(f *remote.Fleet, here []*model.Project, snap *model.Snapshot) *fleetPlace {
	pl := &fleetPlace{all: &model.Project{}, where: "this fleet"}
	for _, p := range slices.Concat(here, d.elsewhere(f, here, snap)) {
		if elsewhereDir(d.dir) && p.Root != d.dir {
			continue
		}
		pl.projects = append(pl.projects, p)
		pl.all.Builds = append(pl.all.Builds, p.Builds...)
		pl.all.Problems = append(pl.all.Problems, p.Problems...)
	}
	if elsewhereDir(d.dir) {
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
	if found := findGates(nameGates(builds), word); len(found) > 1 {
		return a, "", usageError{fmt.Errorf("%q is ambiguous; these gates match: %s", word, pl.apart(found))}
	}
	g, err := d.gateIn(pl.all, pl.where, word)
	if err != nil {
		return a, "", err
	}
	return model.Action{Verb: verb, Project: pl.root(g.Build), Build: g.Build.ID, Node: g.Node.ID, Text: d.text, RecordFailed: d.recordFailed, Ahead: d.ahead}, g.Name, nil
}

// apart lists gates by where they are.
func (pl *fleetPlace) apart(gates []namedGate) string {
	var all []string
	for _, g := range gates {
		all = append(all, fmt.Sprintf("%s --build %s --dir %s", shell.Word(g.Node.ID), shell.Word(g.Build.ID), shell.Word(pl.root(g.Build))))
	}
	return model.Listed(all)
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
	switch {
	case err != nil && len(pl.projects) > 1:
		return a, "", usageError{fmt.Errorf("%w, or a project with --dir, like --dir %s", err, shell.Word(pl.projects[len(pl.projects)-1].Root))}
	case err != nil:
		return a, "", err
	}
	return model.Action{Verb: verb, Project: pl.root(b), Build: b.ID}, b.ID, nil
}

// fleetActor is a fleet as commands need it: what else is to be done about files, their hosts do.
type fleetActor struct{ *remote.Fleet }

// Tidy implements [actor].
func (fleetActor) Tidy(context.Context, model.Action) {}

// Watch implements [actor].
func (r fleetActor) Watch(ctx context.Context, o *model.Outcome, _ time.Duration) error {
	return r.Settle(ctx, o)
}
