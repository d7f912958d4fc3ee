package main

// gatehouse remote: builds of other machines. This file has the shared code of its commands and of --remote.

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

// remoteReady bounds how long a command waits for hubs and hosts.
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
	}, newRemoteAdd(s), newRemoteRemove(s), newRemoteList(s), newRemoteKeys(s), newRemoteDoctor(s))
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

// remoteFlag gives a command --remote.
func (s *env) remoteFlag(cmd *cobra.Command, name *string, usage string) {
	cmd.Flags().Var(remoteName{name}, "remote", usage)
	cmd.Flags().Lookup("remote").NoOptDefVal = everyRemote
	completeFlag(cmd, "remote", s.completeRemotes)
}

// remoteBuildsFlag gives a command --remote for builds.
func (s *env) remoteBuildsFlag(cmd *cobra.Command, name *string) {
	s.remoteFlag(cmd, name, "include other machines; with `=NAME` only this remote")
}

// remoteName is the value of --remote: all, or a name.
type remoteName struct{ name *string }

// everyRemote is the value that the framework sets for a bare flag; it never prints it as "=true".
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

// openRemote starts to follow the hosts of one or all remotes, until ctx ends.
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

// waysOf returns the connections to the hosts of a remote.
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

// seeRemote opens a remote, or all, and calls see with the snapshot of all hosts when they have answered or the time is up. The remote is
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

// readEverywhere returns a snapshot of the projects that directories stand for and, with a name, of a remote's projects.
func (s *env) readEverywhere(ctx context.Context, name string, dirs []string) (*model.Snapshot, error) {
	snap, err := s.readProjects(ctx, dirs)
	if err != nil || name == "" {
		return snap, err
	}
	if len(dirs) == 0 { // an empty directory here does not matter
		snap.Projects = slices.DeleteFunc(snap.Projects, func(p *model.Project) bool { return len(p.Builds) == 0 })
	}
	err = s.seeRemote(ctx, name, func(_ context.Context, f *remote.View, elsewhere *model.Snapshot) error {
		snap = f.Join(snap, elsewhere)
		snap.Watch = elsewhere.Watch
		return nil
	})
	return snap, err
}

// localProjects opens the projects of directories, for a deciding command. Without directories it is the project here, if it has a build.
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

// remoteTrouble prints why remote builds can't be seen, "" for nothing, and returns the error for the command.
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

// asOf returns why the data of a project on an unreachable host is outdated; "" for all others.
func asOf(p *model.Project) string {
	if !p.OutOfReach() {
		return ""
	}
	return "  (" + p.Host.Why + ")"
}

// sshTarget returns the target of ssh in an address; ok is false for other addresses.
func sshTarget(address string) (target string, ok bool) {
	target, ok = strings.CutPrefix(address, "ssh://")
	return strings.TrimSuffix(target, "/"), ok || !strings.Contains(address, "://")
}
