package main

// gatehouse remote: the list of other machines, their keys, and whether they can be reached; and what --remote needs.

import (
	"cmp"
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

// remoteFlag gives a command --remote: for all remotes, or with =NAME for one.
func (s *env) remoteFlag(cmd *cobra.Command, name *string, usage string) {
	cmd.Flags().BoolFunc("remote", usage, func(value string) error {
		if *name = value; value == "true" { // a bare --remote
			*name = allRemotes
		}
		return nil
	})
	completeFlag(cmd, "remote", s.completeRemotes)
}

// remoteBuildsFlag gives a command --remote for builds.
func (s *env) remoteBuildsFlag(cmd *cobra.Command, name *string) {
	s.remoteFlag(cmd, name, "include other machines; with `=NAME` only this remote")
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
		if name, _, err = config.Named(strings.TrimPrefix(name, allRemotes)); err != nil {
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
		w, err := remote.NewSSH(m)
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

// remoteAddedJSON is the document of "gatehouse remote add --json".
type remoteAddedJSON struct {
	Schema   int             `json:"schema"`
	File     string          `json:"file"`     // path of the list of remotes
	Remote   remoteJSON      `json:"remote"`   // as it is now
	Keys     []remote.Member `json:"keys"`     // public keys to enter at the hub
	Next     []string        `json:"next"`     // commands to run here afterwards
	Findings []finding       `json:"findings"` // checks of its machines, as in remote doctor
}

// remoteRemovedJSON is the document of "gatehouse remote remove --json".
type remoteRemovedJSON struct {
	Schema   int      `json:"schema"`
	File     string   `json:"file"`     // path of the list of remotes
	Name     string   `json:"name"`     // of the remote
	Machines []string `json:"machines"` // those named on the command line, which are removed
	Removed  bool     `json:"removed"`  // the remote itself is removed
	Keys     []string `json:"keys"`     // files of its keys, which stay
}

// remoteAddFlags are the flags of remote add.
type remoteAddFlags struct {
	name, user, host, ca, program string
	dirs                          []string
	replicas                      int
	open, asUser, asHost          bool
}

func newRemoteAdd(s *env) *cobra.Command {
	var f remoteAddFlags
	cmd := &cobra.Command{
		Use:   "add ADDRESS...",
		Short: "Add a machine that ssh leads to, or a hub",
		Long: `Add a machine that ssh leads to (build-7, me@build-7, ssh://me@build-7:2222), or a hub
(tls://hub.example:4222).

A machine is reached at once. At a hub, every user and every host has a name and a key.
The key is made here and stays here. Enter what is printed at the hub: gatehouse remote
keys writes its configuration. Without --user and --host it is you.

Adding to an existing remote extends it. The file is ~/.config/gatehouse/fleet.json.`,
		Example: "  gatehouse remote add build-7\n  gatehouse remote add me@build-8 --dir src/shop --dir src/api\n" +
			"  gatehouse remote add tls://hub.example:4222\n  gatehouse remote add tls://hub.example:4222 --host build-7",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"tls://", "ssh://"}, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		},
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || args[0] == "" {
				return usageError{errors.New("which machine or hub? gatehouse remote add HOST")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.addRemote(cmd, s, args) },
	}
	cmd.Flags().StringVar(&f.name, "name", "", "the `NAME` of the remote, by default ssh or hub")
	completeFlag(cmd, "name", s.completeRemotes)
	cmd.Flags().StringVar(&f.user, "user", s.user.Name, "look as this `name`, by default your login name")
	cmd.Flags().StringVar(&f.host, "host", hostName(), "join as this `name`, by default this machine's")
	completeWords(cmd, "host", hostName())
	completeWords(cmd, "user", s.user.Name)
	cmd.Flags().StringVar(&f.ca, "ca", "", "`file` with the certificates that signed the hub's, if the system does not know them")
	cmd.Flags().IntVar(&f.replicas, "replicas", 0, "keep what hosts publish on this `number` of servers of a cluster")
	cmd.Flags().BoolVar(&f.open, "no-key", false, "for a hub that asks for no keys: for a try on one machine")
	cmd.Flags().StringArrayVar(&f.dirs, "dir", nil, "show only this `directory` of the machine; repeatable")
	cmd.Flags().StringVar(&f.program, "program", "", "`path` of gatehouse on the machine, if ssh's commands do not find it")
	s.jsonFlag(cmd, "print what was added as JSON")
	return cmd
}

// addRemote adds addresses to the remote, and tries to reach machines.
func (f *remoteAddFlags) addRemote(cmd *cobra.Command, s *env, addresses []string) error {
	var machines []remote.Machine
	var servers []string
	for _, a := range addresses {
		if target, ok := sshTarget(a); ok {
			machines = append(machines, remote.Machine{Target: target, Program: f.program, Dirs: f.dirs})
		} else {
			servers = append(servers, a)
		}
	}
	f.asUser, f.asHost = cmd.Flags().Changed("user"), cmd.Flags().Changed("host")
	switch {
	case len(machines) == 0 && (f.program != "" || len(f.dirs) > 0):
		return usageError{errors.New("--dir and --program: they are for a machine that ssh leads to")}
	case len(servers) == 0 && (f.asUser || f.asHost):
		return usageError{errors.New("--user and --host are for a hub: give its address")}
	case f.name == "" && len(servers) > 0:
		f.name = "hub"
	case f.name == "":
		f.name = "ssh"
	}
	if err := remote.CheckName(f.name); err != nil {
		return usageError{err}
	}
	var x *remote.Remote
	config, err := remote.ChangeConfig(cmd.Context(), s.configDir(), func(config *remote.Config) (err error) {
		x = config.Add(f.name)
		for _, m := range machines {
			if err := x.AddMachine(m); err != nil {
				return usageError{err}
			}
		}
		if len(servers) > 0 {
			err = f.addHub(config, x, servers)
		}
		return err
	})
	if err != nil {
		return err
	}
	members, err := config.Members(f.name)
	if err != nil {
		return err
	}
	next := f.nextCommands(config, x)
	if !s.asJSON {
		s.out.printf("%s: %s\n", f.name, s.shortPath(config.File()))
		for _, m := range members {
			s.out.printf("enter at the hub:  gatehouse remote keys --%s %s\n", m.Role, shell.Word(m.Name+"="+m.Key))
		}
		for _, command := range next {
			s.out.printf("then here:  %s\n", command)
		}
	}
	d := doctor{env: s, found: []finding{}}
	if len(machines) > 0 {
		d.checkHosts(cmd.Context(), f.name)
	}
	if s.asJSON {
		out := remoteAddedJSON{remote.Schema, config.File(), describeRemote(f.name, x), members, nonNil(next), d.found}
		return cmp.Or(s.out.printJSON(out), d.refuseBroken())
	}
	return d.printFindings()
}

// addHub adds the servers of a hub, and this machine's identities there.
func (f *remoteAddFlags) addHub(config *remote.Config, x *remote.Remote, servers []string) (err error) {
	x.Hub, x.Replicas = servers, max(x.Replicas, f.replicas)
	if f.ca != "" {
		if x.CA, err = filepath.Abs(f.ca); err != nil {
			return err
		}
		if _, err := os.Stat(x.CA); err != nil {
			return usageError{fmt.Errorf("--ca: %w", err)}
		}
	}
	if err := (remote.Hub{URLs: x.Hub}).Check(); err != nil {
		return usageError{err}
	}
	if f.asUser || !f.asHost && x.User == nil && x.Host == nil {
		if x.User, err = f.makeIdentity(config, "user", f.user); err != nil {
			return err
		}
	}
	if f.asHost {
		x.Host, err = f.makeIdentity(config, "host", f.host)
	}
	return err
}

// makeIdentity creates this machine's identity at the hub, as a user or a host.
func (f *remoteAddFlags) makeIdentity(config *remote.Config, as, name string) (*remote.Identity, error) {
	err := remote.CheckName(name)
	switch {
	case name == "":
		return nil, usageError{fmt.Errorf("--%s: the name is empty", as)}
	case err != nil:
		return nil, usageError{fmt.Errorf("--%s: %w", as, err)}
	case f.open:
		return &remote.Identity{Name: name}, nil
	}
	return config.MakeKey(f.name, as, name)
}

// nextCommands returns what to run here once the keys are entered at the hub.
func (f *remoteAddFlags) nextCommands(config *remote.Config, x *remote.Remote) (next []string) {
	join, doctor, dashboard := "gatehouse join", "gatehouse remote doctor", "gatehouse --remote"
	if len(config.Names()) > 1 {
		name := shell.Word(f.name)
		join, doctor, dashboard = join+" --remote="+name, doctor+" "+name, dashboard+"="+name
	}
	if x.Host != nil {
		next = append(next, join+" DIR...")
	}
	if x.User != nil || len(x.SSH) > 0 {
		next = append(next, doctor+"; "+dashboard)
	}
	return next
}

func newRemoteRemove(s *env) *cobra.Command {
	return s.withJSON(&cobra.Command{
		Use:   "remove NAME [HOST...]",
		Short: "Remove a remote, or machines that ssh leads to",
		Long: `Remove a remote; with HOST remove that machine, and the remote with its last one. The
file is ~/.config/gatehouse/fleet.json. Nothing changes on other machines: remove this
machine from the members of the hub there. Keys stay, and are used if the remote is added
again. A running gatehouse join continues until you stop it.`,
		Example: "  gatehouse remote remove hub\n  gatehouse remote remove ssh build-8",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || args[0] == "" {
				return usageError{errors.New("which remote? gatehouse remote list names them")}
			}
			return nil
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return s.completeRemotes(cmd, args, word)
			}
			return s.sshMachines(args[0]), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			name, targets := args[0], args[1:]
			var keys []string // of a removed remote
			empty := false    // its last machine was removed
			config, err := remote.ChangeConfig(cmd.Context(), s.configDir(), func(config *remote.Config) error {
				_, x, err := config.Named(name)
				if err != nil {
					return usageError{err}
				}
				for _, address := range targets {
					if target, ok := sshTarget(address); !ok || !x.RemoveMachine(target) {
						return usageError{fmt.Errorf("%s: it is none of the machines that %s reaches through ssh; gatehouse remote list names them", address, name)}
					}
				}
				empty = len(targets) > 0 && len(x.Hub)+len(x.SSH) == 0
				if len(targets) == 0 || empty {
					config.Remove(name)
					keys = []string{config.KeyFile(x.User), config.KeyFile(x.Host)}
				}
				return nil
			})
			if err != nil {
				return err
			}
			keys = slices.DeleteFunc(keys, func(key string) bool { return key == "" })
			if s.asJSON {
				return s.out.printJSON(remoteRemovedJSON{remote.Schema, config.File(), name, targets, empty || len(targets) == 0, nonNil(keys)})
			}
			s.out.printf("%s: removed from %s\n", cmp.Or(strings.Join(targets, ", "), name), s.shortPath(config.File()))
			if empty {
				s.out.printf("%s: removed, for it leads to no machine any more\n", name)
			}
			for _, key := range keys {
				s.out.printf("its key stays: %s\n", s.shortPath(key))
			}
			return nil
		},
	}, "print what was removed as JSON")
}

// sshMachines completes the machines that a remote reaches through ssh.
func (s *env) sshMachines(name string) (all []string) {
	config, err := remote.LoadConfig(s.configDir())
	if err != nil {
		return nil
	}
	_, x, err := config.Named(name)
	if err != nil {
		return nil
	}
	for _, m := range x.SSH {
		all = append(all, "ssh://"+m.Target)
	}
	return all
}

// remotesJSON is the document of "gatehouse remote list --json".
type remotesJSON struct {
	Schema int          `json:"schema"`
	Fleets []remoteJSON `json:"fleets"` // all, or the one that was named
}

// remoteJSON is a remote as it is printed.
type remoteJSON struct {
	Name  string              `json:"name"`            // as it is called here
	Hub   []string            `json:"hub"`             // addresses of its servers
	SSH   []string            `json:"ssh"`             // machines that are reached through ssh
	User  string              `json:"user,omitempty"`  // the name of this machine's user there
	Host  string              `json:"host,omitempty"`  // as what it joins
	Hosts []remote.HostReport `json:"hosts,omitempty"` // of the one that was named
}

func newRemoteList(s *env) *cobra.Command {
	return s.withJSON(&cobra.Command{
		Use:   "list [NAME]",
		Short: "Print the remotes, or the hosts of one",
		Long: `Print the remotes that this machine knows; with a NAME connect to it and print its
hosts: whether they are there, how many builds they have and how many things wait.`,
		Args:              atMostOneArg("remote"),
		ValidArgsFunction: s.completeRemotes,
		RunE: func(cmd *cobra.Command, args []string) error {
			fleets, err := remote.LoadConfig(s.configDir())
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return s.printRemotes(fleets)
			}
			return s.printHosts(cmd.Context(), fleets, args[0])
		},
	}, "print them as JSON")
}

// atMostOneArg is the argument rule of commands that take at most one.
func atMostOneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usageError{fmt.Errorf("%q: %s takes one %s", args[1], cmd.CommandPath(), what)}
		}
		return nil
	}
}

// describeRemote returns the printed form of a remote.
func describeRemote(name string, x *remote.Remote) remoteJSON {
	f := remoteJSON{Name: name, Hub: nonNil(x.Hub), SSH: []string{}}
	for _, m := range x.SSH {
		f.SSH = append(f.SSH, m.Target)
	}
	if x.User != nil {
		f.User = x.User.Name
	}
	if x.Host != nil {
		f.Host = x.Host.Name
	}
	return f
}

func (s *env) printRemotes(fleets *remote.Config) error {
	all := []remoteJSON{}
	for _, name := range fleets.Names() {
		_, x, err := fleets.Named(name)
		if err != nil {
			return err
		}
		all = append(all, describeRemote(name, x))
	}
	if s.asJSON {
		return s.out.printJSON(remotesJSON{remote.Schema, all})
	}
	if len(all) == 0 {
		s.out.printf("no remote yet; add one: gatehouse remote add HOST\n")
	}
	for _, f := range all {
		var parts []string
		add := func(what, value string) {
			if value != "" {
				parts = append(parts, what+" "+value)
			}
		}
		add("hub", strings.Join(f.Hub, ", "))
		for _, m := range f.SSH {
			add("ssh", m)
		}
		add("as user", f.User)
		add("as host", f.Host)
		s.out.printf("%s  %s\n", f.Name, strings.Join(parts, ", "))
	}
	return nil
}

// printHosts prints the current hosts of a remote.
func (s *env) printHosts(ctx context.Context, fleets *remote.Config, name string) error {
	return s.seeRemote(ctx, name, func(_ context.Context, f *remote.View, _ *model.Snapshot) error {
		hosts, problems := f.Hosts()
		if s.asJSON {
			name, x, err := fleets.Named(name)
			if err != nil {
				return err
			}
			shown := describeRemote(name, x)
			shown.Hosts = hosts
			if err := s.out.printJSON(remotesJSON{remote.Schema, []remoteJSON{shown}}); err != nil {
				return err
			}
		} else if len(hosts) == 0 && len(problems) == 0 { // with problems, hosts may be missing
			s.out.printf("no host has joined yet; on each of them: gatehouse join\n")
		} else {
			width := 0
			for _, h := range hosts {
				width = max(width, len([]rune(h.Name)))
			}
			for _, h := range hosts {
				s.out.printf("%-*s  %s\n", width, h.Name, describeHost(h))
			}
		}
		return s.remoteTrouble(strings.Join(problems, "; "))
	})
}

// describeHost returns the state of a host in words.
func describeHost(h remote.HostReport) string {
	state := "there"
	if !h.Live {
		state = h.Why
	}
	parts := []string{state, countOf(h.Builds, "build"), fmt.Sprintf("%d waiting", h.Waits)}
	if h.Trouble != "" {
		parts = append(parts, h.Trouble)
	}
	return strings.Join(parts, ", ")
}

// keysJSON is the document of "gatehouse remote keys --json".
type keysJSON struct {
	Schema int             `json:"schema"`
	Keys   []remote.Member `json:"keys"`             // of this machine, or of the members that the flags name
	Config string          `json:"config,omitempty"` // the hub's configuration for the members that the flags name
}

func newRemoteKeys(s *env) *cobra.Command {
	given := map[remote.Role]*[]string{remote.RoleHost: {}, remote.RoleViewer: {}, remote.RoleApprover: {}}
	cmd := &cobra.Command{
		Use:   "keys [NAME]",
		Short: "Print this machine's public keys, or the configuration of a hub",
		Long: `Print the public keys of this machine, in the form that this command takes.

With --host, --viewer and --approver print the part of nats-server's configuration
that lets these members in, with the permissions of each: a host publishes its own
builds and answers; a viewer looks; an approver may also ask hosts to decide. Each host
still refuses users that it does not list itself (gatehouse join --allow).`,
		Example:           "  gatehouse remote keys\n  gatehouse remote keys --host build-7=UABC... --approver alice=UDEF... --viewer bob=UGHI... >members.conf",
		Args:              atMostOneArg("remote"),
		ValidArgsFunction: s.completeRemotes,
		RunE: func(_ *cobra.Command, args []string) error {
			members, err := parseMembers(given)
			if err != nil {
				return usageError{err}
			}
			if len(members) == 0 {
				return s.printKeys(args)
			}
			text, err := remote.ServerConfig(members)
			if err != nil {
				return usageError{err}
			}
			if s.asJSON {
				return s.out.printJSON(keysJSON{remote.Schema, members, text})
			}
			s.out.printf("# made by gatehouse remote keys; in nats-server's configuration: include members.conf\n")
			for l := range strings.Lines(text) {
				s.out.printf("%s\n", strings.TrimSuffix(l, "\n"))
			}
			return nil
		},
	}
	cmd.Flags().StringArrayVar(given[remote.RoleHost], "host", nil, "a host, as `NAME=KEY`; repeatable, like the others")
	cmd.Flags().StringArrayVar(given[remote.RoleViewer], "viewer", nil, "a user who looks, as `NAME=KEY`")
	cmd.Flags().StringArrayVar(given[remote.RoleApprover], "approver", nil, "a user who may decide, as `NAME=KEY`")
	s.jsonFlag(cmd, "print them as JSON")
	return cmd
}

// parseMembers reads the members in the flags. Names are unique in their place, and keys are unique.
func parseMembers(given map[remote.Role]*[]string) (members []remote.Member, err error) {
	seen := map[string]bool{}
	for _, role := range []remote.Role{remote.RoleHost, remote.RoleViewer, remote.RoleApprover} {
		for _, text := range *given[role] {
			i := strings.LastIndexByte(text, '=')
			if i < 0 {
				return nil, fmt.Errorf("--%s %s: write it as NAME=KEY", role, text)
			}
			m := remote.Member{Role: role, Name: text[:i], Key: text[i+1:]}
			if err := m.Check(); err != nil {
				return nil, err
			}
			place := "user " + m.Name
			if role == remote.RoleHost {
				place = "host " + m.Name
			}
			if seen[place] || seen[m.Key] {
				return nil, fmt.Errorf("%s: its name or its key is there twice", text)
			}
			seen[place], seen[m.Key] = true, true
			members = append(members, m)
		}
	}
	return members, nil
}

// printKeys prints the public keys of this machine.
func (s *env) printKeys(args []string) error {
	fleets, err := remote.LoadConfig(s.configDir())
	if err != nil {
		return err
	}
	names := fleets.Names()
	if len(args) > 0 {
		names = args
	}
	if len(names) == 0 && !s.asJSON {
		s.out.printf("no remote yet; \"gatehouse remote add\" makes a key\n")
	}
	keys := []remote.Member{}
	for _, name := range names {
		if _, _, err := fleets.Named(name); err != nil {
			return usageError{err}
		}
		members, err := fleets.Members(name)
		if err != nil {
			return err
		}
		keys = append(keys, members...)
		if s.asJSON {
			continue
		}
		for _, m := range members {
			s.out.printf("%s  --%s %s\n", name, m.Role, shell.Word(m.Name+"="+m.Key))
		}
		if len(members) == 0 {
			s.out.printf("%s  no key\n", name)
		}
	}
	if s.asJSON {
		return s.out.printJSON(keysJSON{Schema: remote.Schema, Keys: keys})
	}
	return nil
}

func newRemoteDoctor(s *env) *cobra.Command {
	return s.withJSON(&cobra.Command{
		Use:   "doctor [NAME]",
		Short: "Check each step on the way to other machines",
		Long: `Check each step on the way to other machines, a line each, with what to do:
the address, the key, the connection, what the hub lets this machine do, what it keeps,
and every host.

Exits 1 if something is broken.`,
		Args:              atMostOneArg("remote"),
		ValidArgsFunction: s.completeRemotes,
		RunE: func(cmd *cobra.Command, args []string) error {
			config, err := remote.LoadConfig(s.configDir())
			if err != nil {
				return err
			}
			name, x, err := config.Named(strings.Join(args, ""))
			if err != nil {
				return usageError{err}
			}
			d := doctor{env: s}
			ctx, cancel := context.WithTimeout(cmd.Context(), time.Minute)
			defer cancel()
			reached := true
			if len(x.Hub) > 0 && x.Host != nil {
				reached = d.checkMember(config, name, x, "host")
			}
			if len(x.Hub) > 0 && x.User != nil {
				reached = d.checkMember(config, name, x, "user") && reached
			}
			if reached && (len(x.Hub) == 0 || x.Host == nil || x.User != nil || len(x.SSH) > 0) {
				d.checkHosts(ctx, name)
			}
			return d.printFindings()
		},
	}, "print them as JSON")
}

// checkMember connects to the hub of a remote as a host or a user, and reports whether that works.
func (d *doctor) checkMember(config *remote.Config, name string, x *remote.Remote, as string) bool {
	id := x.User
	if as == "host" {
		id = x.Host
	}
	what, key, members := as+" "+id.Name, "the hub asks for no key", "enter the keys of all members where the hub is: gatehouse remote keys"
	h, err := config.HubOf(name, x, id)
	if err == nil && id.Key != "" {
		key, err = config.Public(id)
		key = "key " + key
	}
	if err != nil {
		d.addFinding(findingBroken, what, err.Error(), "")
		return false
	}
	d.addFinding(findingOK, what, key, "")
	p, err := remote.Probe(h, as == "host")
	if err != nil {
		why, remedy, _ := strings.Cut(err.Error(), "; ")
		remedy = cmp.Or(remedy, "see that it runs there (nats-server -c hub.conf), and that this machine may reach it")
		d.addFinding(findingBroken, "hub", strings.Join(h.URLs, ", ")+": "+why, remedy)
		return false
	}
	d.addFinding(findingOK, "hub", fmt.Sprintf("%s: %v there and back", strings.Join(h.URLs, ", "), p.RTT.Round(100*time.Microsecond)), "")
	switch {
	case !p.Checks:
		d.addFinding(findingAdvice, "hub", "it does not check who says what: whoever reaches it can be anybody", members)
	case as == "user" && !p.Decides:
		d.addFinding(findingAdvice, "hub", "the hub lets you look, and not decide", members)
	case as == "user":
		d.addFinding(findingOK, "hub", "it lets you ask hosts to decide; each has its own list (gatehouse join --allow)", "")
	}
	return true
}

// checkHosts checks the hosts of a remote, through the hub and ssh.
func (d *doctor) checkHosts(ctx context.Context, name string) {
	var hosts []remote.HostReport
	var problems []string
	err := d.seeRemote(ctx, name, func(_ context.Context, f *remote.View, _ *model.Snapshot) error {
		hosts, problems = f.Hosts()
		return nil
	})
	if err != nil {
		d.addFinding(findingBroken, "hosts", err.Error(), "")
		return
	}
	for _, trouble := range problems {
		why, remedy, _ := strings.Cut(trouble, "; ")
		d.addFinding(findingBroken, "hosts", why, remedy)
	}
	join := "there: gatehouse join --remote=" + shell.Word(name) + " DIR..."
	if len(hosts) == 0 && len(problems) == 0 {
		d.addFinding(findingAdvice, "hosts", "none has joined yet", join)
	}
	for _, h := range hosts {
		switch text := describeHost(h); {
		case h.Trouble != "":
			d.addFinding(findingBroken, h.Name, text, "bring gatehouse there and here to one version: gatehouse --version")
		case !h.Live || h.Builds == 0:
			d.addFinding(findingAdvice, h.Name, text, join)
		default:
			d.addFinding(findingOK, h.Name, text, "")
		}
	}
}
