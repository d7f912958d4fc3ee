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
)

// performRemotely does an action on a machine of the fleet, or here. find says what the command is about.
func (d *decideFlags) performRemotely(ctx context.Context, s *env, find findAction) error {
	if d.watch > 0 {
		return usageError{errors.New("--watch: it is for files on this machine; a host looks again by itself")}
	}
	var dirs []string
	if d.dir != thisDir && !isRemoteDir(d.dir) {
		dirs = []string{d.dir}
	}
	local, err := s.localProjects(dirs)
	if err != nil {
		return err
	}
	return s.seeRemote(ctx, d.remote, func(ctx context.Context, f *remote.View, snap *model.Snapshot) error {
		a, name, err := d.findRemotely(f, s.readSnapshot(local).Projects, snap, find)
		switch {
		case err != nil && snap.Watch != "": // with the way gone, the rest is unknown
			return s.remoteTrouble(snap.Watch)
		case err != nil:
			return err
		case !f.Has(a.Project):
			i := slices.IndexFunc(local, func(p *parse.Project) bool { return p.Root() == a.Project })
			if i < 0 { // its host has removed it meanwhile
				return fmt.Errorf("%s: it is not there any more; look again", name)
			}
			d.remote = ""
			return d.perform(ctx, s, local[i], a, name)
		}
		if _, err = d.checkDecider(s); err == nil {
			err = s.checkSignable(a.Project, a.Node)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return d.performBy(ctx, s, remoteActor{f}, a, name)
	})
}

// findRemotely finds the action among the projects here and on other machines. A project that is both counts once.
func (d *decideFlags) findRemotely(f *remote.View, here []*model.Project, snap *model.Snapshot, find findAction) (a model.Action, name string, err error) {
	if !isRemoteDir(d.dir) {
		return find(&selection{f.Join(&model.Snapshot{Projects: here}, snap).Projects, "these machines"})
	}
	if d.dir, err = findRemoteRoot(snap, d.dir); err != nil {
		return a, "", err
	}
	return find(&selection{slices.DeleteFunc(slices.Clone(snap.Projects), func(p *model.Project) bool { return p.Root != d.dir }), d.dir})
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

// remoteActor is a fleet as commands need it: what else is to be done about files, their hosts do.
type remoteActor struct{ *remote.View }

// Tidy implements [actor].
func (remoteActor) Tidy(context.Context, model.Action) {}

// Watch implements [actor].
func (r remoteActor) Watch(ctx context.Context, o *model.Outcome, _ time.Duration) error {
	return r.Settle(ctx, o)
}
