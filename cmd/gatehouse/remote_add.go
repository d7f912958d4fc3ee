package main

// gatehouse remote add, and remove.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/parse/text/shell"
)

// remoteAddedJSON is the document of "gatehouse remote add --json".
type remoteAddedJSON struct {
	Schema   int          `json:"schema"`
	File     string       `json:"file"`     // path of the list of remotes
	Remote   remoteJSON   `json:"remote"`   // as it is now
	Keys     []memberJSON `json:"keys"`     // public keys to enter at the hub
	Next     []string     `json:"next"`     // commands to run here afterwards
	Findings []finding    `json:"findings"` // checks of its machines, as in remote doctor
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
	open                          bool
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

Adding to an existing remote extends it. The file is ~/.config/gatehouse/fleet.json.

With --json: {"schema", "file", "remote", "keys": [{"remote", "role", "name", "key"}],
"next", "findings": [{"what", "how", "said", "remedy"}]}.`,
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
	asUser, asHost := cmd.Flags().Changed("user"), cmd.Flags().Changed("host")
	switch {
	case len(machines) == 0 && (f.program != "" || len(f.dirs) > 0):
		return usageError{errors.New("--dir and --program: they are for a machine that ssh leads to")}
	case len(servers) == 0 && (asUser || asHost):
		return usageError{errors.New("--user and --host are for a hub: give its address")}
	case f.name == "" && len(servers) > 0:
		f.name = "hub"
	}
	f.name = cmp.Or(f.name, "ssh")
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
			err = f.addHub(config, x, servers, asUser, asHost)
		}
		return err
	})
	if err != nil {
		return err
	}
	members, err := config.Members(x)
	if err != nil {
		return err
	}
	next := f.nextCommands(config, x)
	if !s.asJSON {
		s.out.printf("%s: %s\n", f.name, shortPath(config.File(), s.user.Home))
		for _, m := range members {
			s.out.printf("enter at the hub:  gatehouse remote keys --%s %s\n", m.Role, shell.Word(m.Name+"="+m.Key))
		}
		for _, command := range next {
			s.out.printf("then here:  %s\n", command)
		}
	}
	d := remoteDoctor{doctor: doctor{env: s}, config: config, name: f.name, remote: &remote.Remote{SSH: x.SSH}}
	if len(machines) > 0 {
		ctx, cancel := context.WithCancel(cmd.Context())
		defer cancel()
		d.checkHosts(ctx)
	}
	if s.asJSON {
		out := remoteAddedJSON{statusSchema, config.File(), describeRemote(f.name, x), describeMembers(f.name, members), nonNil(next), nonNil(d.found)}
		return cmp.Or(s.out.printJSON(out), d.refuseBroken())
	}
	return d.printFindings()
}

// addHub adds the servers of a hub, and this machine's identities there.
func (f *remoteAddFlags) addHub(config *remote.Config, x *remote.Remote, servers []string, asUser, asHost bool) (err error) {
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
	if asUser || !asHost && x.User == nil && x.Host == nil {
		if x.User, err = f.makeIdentity(config, "user", remote.RoleApprover, f.user); err != nil {
			return err
		}
	}
	if asHost {
		x.Host, err = f.makeIdentity(config, "host", remote.RoleHost, f.host)
	}
	return err
}

// makeIdentity creates this machine's identity at the hub.
func (f *remoteAddFlags) makeIdentity(config *remote.Config, flag string, role remote.Role, name string) (*remote.Identity, error) {
	if name == "" {
		return nil, usageError{fmt.Errorf("--%s: the name is empty", flag)}
	}
	if err := remote.CheckName(name); err != nil {
		return nil, usageError{fmt.Errorf("--%s: %w", flag, err)}
	}
	if f.open {
		return &remote.Identity{Name: name}, nil
	}
	if role == remote.RoleApprover {
		role = "user" // in the file's name
	}
	return config.MakeKey(f.name, role, name)
}

// nextCommands returns what to run here once the keys are entered at the hub.
func (f *remoteAddFlags) nextCommands(config *remote.Config, x *remote.Remote) (next []string) {
	name := ""
	if len(config.Names()) > 1 {
		name = shell.Word(f.name)
	}
	if x.Host != nil {
		next = append(next, "gatehouse join"+withPrefix(" --remote=", name)+" DIR...")
	}
	if x.User != nil || len(x.SSH) > 0 {
		next = append(next, "gatehouse remote doctor"+withPrefix(" ", name)+"; gatehouse --remote"+withPrefix("=", name))
	}
	return next
}

// withPrefix returns the word after joint, "" if the word is empty.
func withPrefix(joint, word string) string {
	if word == "" {
		return ""
	}
	return joint + word
}

func newRemoteRemove(s *env) *cobra.Command {
	return s.withJSON(&cobra.Command{
		Use:   "remove NAME [HOST...]",
		Short: "Remove a remote, or machines that ssh leads to",
		Long: `Remove a remote; with HOST remove that machine, and the remote with its last one. The
file is ~/.config/gatehouse/fleet.json. Nothing changes on other machines: remove this
machine from the members of the hub there. Keys stay, and are used if the remote is added
again. A running gatehouse join continues until you stop it.

With --json: {"schema", "file", "name", "machines", "removed", "keys"}.`,
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
				return s.out.printJSON(remoteRemovedJSON{statusSchema, config.File(), name, targets, empty || len(targets) == 0, nonNil(keys)})
			}
			s.out.printf("%s: removed from %s\n", cmp.Or(strings.Join(targets, ", "), name), shortPath(config.File(), s.user.Home))
			if empty {
				s.out.printf("%s: removed, for it leads to no machine any more\n", name)
			}
			for _, key := range keys {
				s.out.printf("its key stays: %s\n", shortPath(key, s.user.Home))
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
