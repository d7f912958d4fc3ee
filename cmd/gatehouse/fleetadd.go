package main

// gatehouse fleet add: take part in a fleet.

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/parse/fleet/hub"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/text/shell"
)

func newFleetAdd(s *surroundings) *cobra.Command {
	var user, host, ca, program string
	var dirs []string
	var replicas int
	var open bool
	cmd := &cobra.Command{
		Use:   "add NAME [ADDRESS...]",
		Short: "Take part in a fleet, as somebody who looks or as a host",
		Long: `Take part in a fleet. An ADDRESS is that of a hub's server (tls://hub.example:4222),
or a machine that is reached through ssh (ssh://build-8, ssh://me@build-8:2222).

Somebody who looks has a name and a key at the hub, and so has a host. The key is made
here and stays here; what is printed has to be entered at the hub by whoever keeps
it: gatehouse fleet keys writes the configuration. Without --user and --host it is you.

A fleet that is there is added to. The file is ~/.config/gatehouse/fleet.json.`,
		Example: "  gatehouse fleet add work tls://hub.example:4222 --ca hub.pem\n  gatehouse fleet add work tls://hub.example:4222 --host build-7\n" +
			"  gatehouse fleet add home ssh://build-8 --dir src/shop --dir src/api",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || args[0] == "" {
				return usageError{errors.New("which fleet? give it a name of your own")}
			}
			if err := hub.CheckName(args[0]); err != nil {
				return usageError{err}
			}
			return nil
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return s.completeFleets(cmd, args, word)
			}
			return []string{"tls://", "ssh://"}, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			name := args[0]
			fleets, err := hub.Change(cmd.Context(), s.configDir(), func(fleets *hub.Fleets) (err error) {
				x := fleets.Add(name)
				if err := addresses(x, args[1:], program, dirs); err != nil {
					return usageError{err}
				}
				if x.Replicas = max(x.Replicas, replicas); ca != "" {
					if x.CA, err = filepath.Abs(ca); err != nil {
						return err
					}
					if _, err := os.Stat(x.CA); err != nil {
						return usageError{fmt.Errorf("--ca: %w", err)}
					}
				}
				return identities(fleets, name, x, cmd.Flags().Changed("user"), user, cmd.Flags().Changed("host"), host, open)
			})
			if err != nil {
				return err
			}
			s.out.printf("%s: %s\n", name, shortPath(fleets.File(), s.user.Home))
			return s.printNext(fleets, name, fleets.Add(name))
		},
	}
	cmd.Flags().StringVar(&user, "user", s.user.Name, "look as this `name`, by default your login name")
	cmd.Flags().StringVar(&host, "host", hostName(), "join as this `name`, by default this machine's")
	offer(cmd, "host", hostName())
	offer(cmd, "user", s.user.Name)
	cmd.Flags().StringVar(&ca, "ca", "", "`file` with the certificates that the hub's is signed by, where the system does not know them")
	cmd.Flags().IntVar(&replicas, "replicas", 0, "on how many servers of a cluster the hub keeps what hosts say")
	cmd.Flags().BoolVar(&open, "no-key", false, "for a hub that asks for no keys: for a try on one machine")
	cmd.Flags().StringArrayVar(&dirs, "dir", nil, "with ssh://: a `directory` there that is shown, may be given several times")
	cmd.Flags().StringVar(&program, "program", "", "with ssh://: where gatehouse is there, if not in the `path` of ssh's commands")
	return cmd
}

// addresses adds addresses to a fleet.
func addresses(x *hub.Fleet, all []string, program string, dirs []string) error {
	var servers []string
	for _, a := range all {
		target, ssh := strings.CutPrefix(a, "ssh://")
		if !ssh {
			u, err := url.Parse(a)
			if err != nil || u.Host == "" {
				return fmt.Errorf("%s: write it as tls://hub.example:4222 or ssh://build-8", a)
			}
			servers = append(servers, a)
			continue
		}
		if err := x.Reach(hub.Machine{Target: strings.TrimSuffix(target, "/"), Program: program, Dirs: dirs}); err != nil {
			return err
		}
	}
	if len(servers) > 0 {
		x.Hub = servers
	}
	if len(servers) == len(all) && (program != "" || len(dirs) > 0) {
		return errors.New("--dir and --program: they are for ssh://")
	}
	return nil
}

// identities makes this machine a user or a host of the fleet's hub.
func identities(fleets *hub.Fleets, name string, x *hub.Fleet, asUser bool, user string, asHost bool, host string, open bool) (err error) {
	switch {
	case len(x.Hub) == 0 && (asUser || asHost):
		return usageError{errors.New("--user and --host are for a hub: give its address")}
	case len(x.Hub) == 0:
		return nil
	}
	if err := (link.Hub{URLs: x.Hub, Name: "x"}).Check(); err != nil {
		return usageError{err}
	}
	if !asHost && x.User == nil && x.Host == nil {
		asUser = true
	}
	identity := func(role hub.Role, called string) (*hub.Identity, error) {
		switch {
		case called == "":
			return nil, usageError{fmt.Errorf("--%s: the name is empty", role)}
		case hub.CheckName(called) != nil:
			return nil, usageError{fmt.Errorf("--%s: %w", role, hub.CheckName(called))}
		case open:
			return &hub.Identity{Name: called}, nil
		}
		return fleets.MakeKey(name, role, called)
	}
	if asUser {
		if x.User, err = identity("user", user); err != nil {
			return err
		}
	}
	if asHost {
		x.Host, err = identity(hub.Host, host)
	}
	return err
}

// printNext says what is to be done next.
func (s *surroundings) printNext(fleets *hub.Fleets, name string, x *hub.Fleet) error {
	members, err := fleets.Members(x)
	if err != nil {
		return err
	}
	for _, m := range members {
		s.out.printf("enter at the hub:  gatehouse fleet keys --%s %s\n", m.Role, shell.Word(m.Name+"="+m.Key))
	}
	if x.Host != nil {
		s.out.printf("then here:  gatehouse join --fleet %s DIR...\n", shell.Word(name))
	}
	if x.User != nil || len(x.SSH) > 0 {
		s.out.printf("then here:  gatehouse fleet doctor %s; gatehouse --fleet %s\n", shell.Word(name), shell.Word(name))
	}
	return nil
}
