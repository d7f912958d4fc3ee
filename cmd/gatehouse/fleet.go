package main

// gatehouse fleet: the machines that are looked at together. This file has what its commands and --fleet share.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/fleet/hub"
	"gatehouse/parse/fleet/join"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/view"
	"gatehouse/parse/text/shell"
)

// fleetReady is how long a command waits for what hubs and hosts have to say.
const fleetReady = 15 * time.Second

func newFleet(s *surroundings) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fleet",
		Short: "See and decide what is built on other machines",
		Long: `See and decide what is built on other machines, as if it were here: gatehouse
--fleet NAME. Each of them runs "gatehouse join", and all connect to a hub, which is
a stock nats-server; or this machine reaches them through ssh, and there is no hub.
docs/many-machines.md has both step by step.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newFleetAdd(s), newFleetRemove(s), newFleetList(s), newFleetKeys(s), newFleetDoctor(s), newFleetOutcome(s))
	return cmd
}

// configDir returns where this user's configuration is, "" where there is no place for one.
func (s *surroundings) configDir() string {
	if s.configFile == "" {
		return ""
	}
	return filepath.Dir(s.configFile)
}

// fleetState returns where what this machine remembers of fleets is, "" where there is no place for it.
func (s *surroundings) fleetState() string {
	if s.user.Journal == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(s.user.Journal), "fleet")
}

// fleetFlag gives a command --fleet.
func (s *surroundings) fleetFlag(cmd *cobra.Command, name *string) {
	cmd.Flags().StringVar(name, "fleet", "", "with what is built on the machines of this `fleet`; gatehouse fleet list names them")
	complete(cmd, "fleet", s.completeFleets)
}

func (s *surroundings) completeFleets(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	fleets, err := hub.Load(s.configDir())
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return fleets.Names(), cobra.ShellCompDirectiveNoFileComp
}

// openFleet begins to look at a fleet, until ctx ends, and follows so many trees.
func (s *surroundings) openFleet(ctx context.Context, name string, trees int) (*view.Fleet, error) {
	fleets, err := hub.Load(s.configDir())
	if err != nil {
		return nil, err
	}
	name, x, err := fleets.Named(name)
	if err != nil {
		return nil, usageError{fmt.Errorf("--fleet: %w", err)}
	}
	links, err := viewers(fleets, name, x)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	o := view.Options{Fleet: name, Links: links, Trees: trees, Now: s.now, Machine: join.Machine(s.fleetState())}
	if dir := s.fleetState(); dir != "" {
		o.Sent = filepath.Join(dir, "sent")
	}
	return view.Open(ctx, o), nil
}

// viewers returns the links over which a fleet is looked at.
func viewers(fleets *hub.Fleets, name string, x *hub.Fleet) (links []link.Viewer, err error) {
	if len(x.Hub) > 0 {
		if x.User == nil {
			return nil, errors.New("this machine is no user of its hub; gatehouse fleet add " + shell.Word(name) + " --user NAME")
		}
		h, err := fleets.Link(name, x, x.User)
		if err != nil {
			return nil, err
		}
		links = append(links, link.NewHubViewer(h))
	}
	for _, m := range x.SSH {
		l, err := link.NewSSH(m.Called(), m.Target, m.Command(), m.Dirs)
		if err != nil {
			return nil, err
		}
		links = append(links, l)
	}
	if len(links) == 0 {
		return nil, errors.New("it leads to no machine; gatehouse fleet add " + shell.Word(name) + " tls://HUB:4222, or ssh://HOST")
	}
	return links, nil
}

// fleetSnapshot returns what is known of a fleet once all that can be there is, with the trees of the builds that which asks for.
func fleetSnapshot(ctx context.Context, f *view.Fleet, which func(*model.Project, *model.Build) bool) (*model.Snapshot, error) {
	ready, cancel := context.WithTimeout(ctx, fleetReady)
	defer cancel()
	if err := f.Ready(ready); err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if which != nil {
		f.Trees(ready, which)
	}
	return f.Next(ctx, 0)
}

// everywhere returns a snapshot of the projects that directories stand for and, with a name, of those of a fleet. The fleet has the trees of
// the builds that which selects.
func (s *surroundings) everywhere(ctx context.Context, name string, dirs []string, which func(*model.Project, *model.Build) bool) (*model.Snapshot, error) {
	snap, err := s.readProjects(ctx, dirs)
	if err != nil || name == "" {
		return snap, err
	}
	if len(dirs) == 0 { // an empty directory here is of no interest beside a fleet
		snap.Projects = slices.DeleteFunc(snap.Projects, func(p *model.Project) bool { return len(p.Builds) == 0 })
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f, err := s.openFleet(ctx, name, 0)
	if err != nil {
		return nil, err
	}
	remote, err := fleetSnapshot(ctx, f, which)
	if err != nil {
		return nil, err
	}
	snap.Projects = append(snap.Projects, f.Beside(snap.Projects, remote.Projects)...)
	snap.Sessions, snap.Hosts = append(snap.Sessions, remote.Sessions...), remote.Hosts
	snap.Watch = remote.Watch
	return snap, nil
}

// localProjects opens the projects of directories, for a command that decides. Without any it is the project here, if it has a build.
func (s *surroundings) localProjects(dirs []string) ([]*parse.Project, error) {
	local, err := open(s, dirs)
	if len(dirs) > 0 {
		return local, err
	}
	if err != nil || len(local[0].Read(s.now()).Builds) == 0 {
		return nil, nil
	}
	return local, nil
}

// fleetTrouble complains of what keeps something of a fleet from being seen, "" for nothing, and returns the error that a command ends with then.
func (s *surroundings) fleetTrouble(trouble string) error {
	if trouble == "" {
		return nil
	}
	s.complain("%s", trouble)
	return refusal{}
}

// hostName returns the name of this machine.
func hostName() string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return "localhost"
	}
	return name
}

// asOf says of a project on a host that is not there since when what is known of it is old; "" for all others.
func asOf(p *model.Project) string {
	if !p.OutOfReach() {
		return ""
	}
	return "  (" + p.Host.Why + ")"
}
