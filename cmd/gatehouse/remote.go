package main

// gatehouse remote: builds of other machines. This file has what its commands and --remote share.

import (
	"context"
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

// remoteReady is how long a command waits for hubs and hosts.
const remoteReady = 15 * time.Second

// allRemotes is the value of --remote without a name.
const allRemotes = "*"

func newRemote(s *env) *cobra.Command {
	return withCommands(&cobra.Command{
		Use:   "remote",
		Short: "See and decide builds of other machines",
		Long: `See and decide builds of other machines as if they were here: gatehouse --remote.
This machine reaches them through ssh, and runs "gatehouse join --stdio" there; or each
runs "gatehouse join", and all connect to a hub, a stock nats-server. See
docs/remote.md.`,
		Example: "  gatehouse remote add build-7\n  gatehouse --remote",
	}, newRemoteAdd(s, false), newRemoteRemove(s), newRemoteList(s), newRemoteKeys(s), newRemoteDoctor(s))
}

// newFormerFleet returns the former name of the command: remotes were called fleets, and named first.
func newFormerFleet(s *env) *cobra.Command {
	cmd := &cobra.Command{Use: "fleet", Hidden: true, Short: "The former name of gatehouse remote", Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	outcome := &cobra.Command{Use: "outcome HOST ID", Short: "Gone: decide again instead, which is applied once", Args: cobra.ExactArgs(2), RunE: func(*cobra.Command, []string) error {
		return errors.New("gatehouse fleet outcome is gone: make the decision again, and its host says what became of it; a decision is applied once")
	}}
	cmd.AddCommand(newRemoteAdd(s, true), newRemoteRemove(s), newRemoteList(s), newRemoteKeys(s), newRemoteDoctor(s), outcome)
	return cmd
}

// configDir returns where this user's configuration is, "" if there is no place for one.
func (s *env) configDir() string {
	if s.configFile == "" {
		return ""
	}
	return filepath.Dir(s.configFile)
}

// machineID returns an ID of this account on this machine.
func (s *env) machineID() string {
	if s.user.Journal == "" {
		return ""
	}
	return remote.MachineID(filepath.Join(filepath.Dir(s.user.Journal), "fleet"))
}

// remoteFlag gives a command --remote, and its former name.
func (s *env) remoteFlag(cmd *cobra.Command, name *string, usage string) {
	cmd.Flags().Var(remoteName{name}, "remote", usage)
	cmd.Flags().Lookup("remote").NoOptDefVal = everyRemote
	cmd.Flags().StringVar(name, "fleet", "", usage)
	cmd.Flags().Lookup("fleet").Hidden = true
	completeFlag(cmd, "remote", s.completeRemotes)
	completeFlag(cmd, "fleet", s.completeRemotes)
}

// remoteBuildsFlag gives a command --remote for builds.
func (s *env) remoteBuildsFlag(cmd *cobra.Command, name *string) {
	s.remoteFlag(cmd, name, "include other machines; with `=NAME` only this remote")
}

// remoteName is the value of --remote: all, or a name.
type remoteName struct{ name *string }

// everyRemote is the value that the framework sets without one; it prints "=true" nowhere.
const everyRemote = "true"

func (r remoteName) Type() string { return "bool" }

func (r remoteName) String() string {
	if r.name == nil {
		return ""
	}
	return *r.name
}

// Set implements [pflag.Value].
func (r remoteName) Set(name string) error {
	if *r.name = name; name == everyRemote {
		*r.name = allRemotes
	}
	return nil
}

func (s *env) completeRemotes(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	config, err := remote.LoadConfig(s.configDir())
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return config.Names(), cobra.ShellCompDirectiveNoFileComp
}

// openRemote begins to look at the hosts of a remote, or of all, until ctx ends.
func (s *env) openRemote(ctx context.Context, name string) (*remote.View, error) {
	config, err := remote.LoadConfig(s.configDir())
	if err != nil {
		return nil, err
	}
	names := config.Names()
	if name != allRemotes || len(names) < 2 {
		if name == allRemotes {
			name = ""
		}
		if name, _, err = config.Named(name); err != nil {
			return nil, usageError{fmt.Errorf("--remote: %w", err)}
		}
		names = []string{name}
	}
	o := remote.Options{Name: name, Now: s.now, Machine: s.machineID()}
	for _, n := range names {
		ways, err := waysOf(config, n)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", n, err)
		}
		o.Ways = append(o.Ways, ways...)
	}
	return remote.Open(ctx, o), nil
}

// waysOf returns the ways to the hosts of a remote.
func waysOf(config *remote.Config, name string) (ways []remote.Way, err error) {
	_, x, err := config.Named(name)
	if err != nil {
		return nil, err
	}
	if len(x.Hub) > 0 {
		if x.User == nil {
			return nil, errors.New("this machine is no user of its hub; gatehouse remote add " + shell.Word(x.Hub[0]) + " --name " + shell.Word(name) + " --user NAME")
		}
		h, err := config.HubOf(name, x, x.User)
		if err != nil {
			return nil, err
		}
		ways = append(ways, remote.NewHub(h))
	}
	for _, m := range x.SSH {
		w, err := remote.NewSSH(m.Called(), m.Target, m.Command(), m.Dirs)
		if err != nil {
			return nil, err
		}
		ways = append(ways, w)
	}
	if len(ways) == 0 {
		return nil, errors.New("it leads to no machine; gatehouse remote add HOST, or tls://HUB:4222, with --name " + shell.Word(name))
	}
	return ways, nil
}

// seeRemote opens a remote, or all, and calls see with the snapshot of all hosts once they have answered or the time is up. The remote is
// followed until see returns.
func (s *env) seeRemote(ctx context.Context, name string, see func(context.Context, *remote.View, *model.Snapshot) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f, err := s.openRemote(ctx, name)
	if err != nil {
		return err
	}
	ready, stop := context.WithTimeout(ctx, remoteReady)
	defer stop()
	if err := f.Ready(ready); err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	snap, err := f.Next(ctx, 0)
	if err != nil {
		return err
	}
	return see(ctx, f, snap)
}

// readEverywhere returns a snapshot of the projects that directories stand for and, with a name, of the projects of a remote.
func (s *env) readEverywhere(ctx context.Context, name string, dirs []string) (*model.Snapshot, error) {
	snap, err := s.readProjects(ctx, dirs)
	if err != nil || name == "" {
		return snap, err
	}
	if len(dirs) == 0 { // an empty directory here is of no interest
		snap.Projects = slices.DeleteFunc(snap.Projects, func(p *model.Project) bool { return len(p.Builds) == 0 })
	}
	err = s.seeRemote(ctx, name, func(_ context.Context, f *remote.View, elsewhere *model.Snapshot) error {
		snap = f.Join(snap, elsewhere)
		snap.Watch = elsewhere.Watch
		return nil
	})
	return snap, err
}

// localProjects opens the projects of directories, for a command that decides. Without any it is the project here, if it has a build.
func (s *env) localProjects(dirs []string) ([]*parse.Project, error) {
	local, err := openDirs(s, dirs)
	if len(dirs) > 0 {
		return local, err
	}
	if err != nil || len(local[0].Read(s.now()).Builds) == 0 {
		return nil, nil
	}
	return local, nil
}

// remoteTrouble complains of what keeps remote builds from being seen, "" for nothing, and returns the error that a command ends with then.
func (s *env) remoteTrouble(trouble string) error {
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

// isMachine reports whether an address is one that ssh leads to, and returns what follows ssh://.
func isMachine(address string, strict bool) (target string, ok bool) {
	target, ok = strings.CutPrefix(address, "ssh://")
	return strings.TrimSuffix(target, "/"), ok || !strict && !strings.Contains(address, "://")
}

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
