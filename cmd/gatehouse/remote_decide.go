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

	"gatehouse/cmd/gatehouse/config"
	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
	"gatehouse/parse"
)

// performRemotely does an action on a machine of the fleet, or here. find says what the command is about.
func (d *decideFlags) performRemotely(ctx context.Context, s *env, find findAction) error {
	if d.watch > 0 {
		return usageError{errors.New("--watch: it is for files on this machine; a host looks again by itself")}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var dirs []string
	if d.dir != thisDir && !isRemoteDir(d.dir) {
		dirs = []string{d.dir}
	}
	local, err := s.localProjects(dirs)
	if err != nil {
		return err
	}
	f, err := s.openRemote(ctx, d.remote, 0)
	if err != nil {
		return err
	}
	snap, err := remoteSnapshot(ctx, f, nil)
	if err != nil {
		return err
	}
	if isRemoteDir(d.dir) {
		if d.dir, err = findRemoteRoot(snap, d.dir); err != nil {
			if snap.Watch != "" {
				return s.remoteTrouble(snap.Watch)
			}
			return err
		}
	}
	a, name, err := d.findRemote(ctx, s, f, s.readSnapshot(local).Projects, snap, find)
	if err != nil {
		return err
	}
	if !f.Has(a.Project) {
		i := slices.IndexFunc(local, func(p *parse.Project) bool { return p.Root() == a.Project })
		if i < 0 { // its host has removed it meanwhile
			return fmt.Errorf("%s: it is not there any more; look again", name)
		}
		d.remote = ""
		return d.perform(ctx, s, local[i], a, name)
	}
	if _, err := d.checkDecider(s); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := s.checkSignable(a.Project, a.Node); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return d.performBy(ctx, s, remoteActor{f}, a, name)
}

// findRemote finds the target of a command. Waits and gates that can be decided are known at once, everything else only from the trees.
func (d *decideFlags) findRemote(ctx context.Context, s *env, f *remote.Fleet, here []*model.Project, snap *model.Snapshot, find findAction) (model.Action, string, error) {
	a, name, err := find(d.remoteTargets(f, here, snap))
	var unknown notFound
	for _, within := range []time.Duration{treesSoon, remoteReady} {
		there, _ := d.partialHosts(d.remoteProjects(f, here, snap))
		if !errors.As(err, &unknown) || len(there) == 0 {
			break
		}
		if within > treesSoon { // a host may hang
			s.complain("%v", unknown.soFar("; asking "+model.Listed(there)+" for the rest"))
		}
		soon, cancel := context.WithTimeout(ctx, within)
		f.ReadTrees(soon, d.isMeant)
		cancel()
		if snap, err = f.Next(ctx, 0); err != nil {
			return a, "", err
		}
		a, name, err = find(d.remoteTargets(f, here, snap))
	}
	if err != nil && snap.Watch != "" { // what is on the other side of a way that is gone is unknown
		return a, "", s.remoteTrouble(snap.Watch)
	}
	if _, hosts := d.partialHosts(d.remoteProjects(f, here, snap)); errors.As(err, &unknown) && len(hosts) > 0 {
		err = unknown.soFar(", and not all that is on " + model.Listed(hosts) + " is known now")
	}
	return a, name, err
}

// treesSoon is how long the trees are searched before the user hears that the search goes on.
const treesSoon = time.Second

// soFar says the same where not all is known, and what of the rest.
func (n notFound) soFar(rest string) error {
	names := "there is " + model.Listed(n.names)
	if near := config.Nearest(n.word, n.names); near != "" {
		names = "did you mean " + near + "?"
	}
	return fmt.Errorf("%q: nothing that is known here is called so%s; %s", n.word, rest, names)
}

// isMeant reports whether a command may be about a build of the fleet.
func (d *decideFlags) isMeant(p *model.Project, b *model.Build) bool {
	return (d.build == "" || b.ID == d.build) && (!isRemoteDir(d.dir) || p.Root == d.dir)
}

// partialHosts returns the hosts of the builds that a command may be about and whose trees are not here: those that are there to be asked, and all.
func (d *decideFlags) partialHosts(remote []*model.Project) (there, all []string) {
	for _, p := range remote {
		if slices.Contains(all, p.Host.Name) || !slices.ContainsFunc(p.Builds, func(b *model.Build) bool { return b.Partial && d.isMeant(p, b) }) {
			continue
		}
		if all = append(all, p.Host.Name); !p.OutOfReach() {
			there = append(there, p.Host.Name)
		}
	}
	return there, all
}

// isRemoteDir reports whether --dir names a project of another machine: build-7:/src/shop, or build-7:shop if no directory here has this name.
func isRemoteDir(dir string) bool {
	if remote.IsRoot(dir) {
		return true
	}
	if _, err := os.Lstat(dir); err == nil {
		return false
	}
	host, name, ok := strings.Cut(dir, ":")
	return ok && host != "" && name != "" && !strings.ContainsAny(host, `/\`)
}

// findRemoteRoot returns the root of the project that is called build-7:shop, or build-7:/src/shop.
func findRemoteRoot(snap *model.Snapshot, dir string) (string, error) {
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

// remoteProjects returns the projects of a fleet that a command may be about: what is here is not meant twice.
func (d *decideFlags) remoteProjects(f *remote.Fleet, here []*model.Project, snap *model.Snapshot) []*model.Project {
	if isRemoteDir(d.dir) {
		return snap.Projects
	}
	joined := f.Join(&model.Snapshot{Projects: here}, snap).Projects
	return slices.DeleteFunc(joined, func(p *model.Project) bool { return p.Host == nil })
}

// remoteTargets returns the projects that a command may be about, here and on other machines.
func (d *decideFlags) remoteTargets(f *remote.Fleet, here []*model.Project, snap *model.Snapshot) *selection {
	in := &selection{where: "these machines"}
	if isRemoteDir(d.dir) {
		in.where = d.dir
	}
	for _, p := range slices.Concat(here, d.remoteProjects(f, here, snap)) {
		if !isRemoteDir(d.dir) || p.Root == d.dir {
			in.projects = append(in.projects, p)
		}
	}
	return in
}

// remoteActor is a fleet as commands need it: what else is to be done about files, their hosts do.
type remoteActor struct{ *remote.Fleet }

// Tidy implements [actor].
func (remoteActor) Tidy(context.Context, model.Action) {}

// Watch implements [actor].
func (r remoteActor) Watch(ctx context.Context, o *model.Outcome, _ time.Duration) error {
	return r.Settle(ctx, o)
}
