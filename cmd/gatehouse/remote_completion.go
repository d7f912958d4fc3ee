package main

// Completing command lines with --remote: what is on the machines of the remote that is named already.

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/model"
)

// completeWithin is how long somebody waits for a completion: what is not known by then is not offered.
const completeWithin = 1500 * time.Millisecond

// fleetOf returns what is known of the fleet that a command line names; empty without one.
func (s *surroundings) fleetOf(cmd *cobra.Command) *model.Snapshot {
	name := ""
	if flag := cmd.Flags().Lookup("remote"); flag != nil {
		name = flag.Value.String()
	}
	ctx, cancel := context.WithTimeout(context.Background(), completeWithin)
	defer cancel()
	if name == "" {
		return &model.Snapshot{}
	}
	f, err := s.openFleet(ctx, name)
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
func (s *surroundings) completeProjects(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, p := range s.fleetOf(cmd).Projects {
		names = append(names, cobra.CompletionWithDesc(p.Host.Name+":"+p.Name, p.Root))
	}
	if len(names) > 0 {
		return names, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// candidates returns the builds that the arguments of a command may be about: those of the directory, and those of the fleet that is named.
func (pl *place) candidates(s *surroundings, cmd *cobra.Command) (builds []*model.Build) {
	for _, p := range s.fleetOf(cmd).Projects {
		builds = append(builds, p.Builds...)
	}
	pl.quick = true
	if _, mp, err := pl.read(s); err == nil {
		builds = append(builds, mp.Builds...)
	}
	return builds
}
