package main

// Completing command lines with --remote: what is on the machines of the remote that is named already.

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/model"
)

// completeWithin is how long a completion may take: names that are unknown by then are not offered.
const completeWithin = 1500 * time.Millisecond

// remoteSnapshotFor returns the snapshot of the remote that a command line names; empty without one.
func (s *env) remoteSnapshotFor(cmd *cobra.Command) *model.Snapshot {
	name := ""
	if flag := cmd.Flags().Lookup("remote"); flag != nil {
		name = flag.Value.String()
	}
	ctx, cancel := context.WithTimeout(context.Background(), completeWithin)
	defer cancel()
	if name == "" {
		return &model.Snapshot{}
	}
	f, err := s.openRemote(ctx, name)
	if err != nil {
		return &model.Snapshot{}
	}
	_ = f.Ready(ctx) // what has come by then is offered
	snap, err := f.Next(ctx, 0)
	if err != nil {
		return &model.Snapshot{}
	}
	return snap
}

// completeProjects makes shells complete directories, and projects of other machines: build-7:shop.
func (s *env) completeProjects(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, p := range s.remoteSnapshotFor(cmd).Projects {
		names = append(names, cobra.CompletionWithDesc(p.Host.Name+":"+p.Name, p.Root))
	}
	if len(names) > 0 {
		return names, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// candidateBuilds returns the builds that the arguments of a command may be about: in the directory, and on the named remote.
func (pl *target) candidateBuilds(s *env, cmd *cobra.Command) (builds []*model.Build) {
	for _, p := range s.remoteSnapshotFor(cmd).Projects {
		builds = append(builds, p.Builds...)
	}
	pl.quick = true
	if _, mp, err := pl.readProject(s); err == nil {
		builds = append(builds, mp.Builds...)
	}
	return builds
}
