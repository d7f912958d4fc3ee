package main

// gatehouse remote list: the remotes, and the hosts of one.

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/remote"
)

// fleetsJSON is what "gatehouse remote list --json" prints.
type fleetsJSON struct {
	Schema int         `json:"schema"`
	Fleets []fleetJSON `json:"fleets"` // all, or the one that was named
}

// fleetJSON is one of them.
type fleetJSON struct {
	Name  string              `json:"name"`            // as it is called here
	Hub   []string            `json:"hub"`             // addresses of its servers
	SSH   []string            `json:"ssh"`             // machines that are reached through ssh
	User  string              `json:"user,omitempty"`  // as whom this machine looks
	Host  string              `json:"host,omitempty"`  // as what it joins
	Hosts []remote.HostReport `json:"hosts,omitempty"` // of the one that was named
}

func newRemoteList(s *surroundings) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [NAME]",
		Short: "Print the remotes, or the hosts of one",
		Long: `Print the remotes that this machine knows; with a NAME connect to it and print its
hosts: whether they are there, how many builds they have and how many things wait.

With --json: {"schema", "fleets": [{"name", "hub", "ssh", "user", "host", "hosts":
[{"name", "link", "live", "why", "as_of", "version", "builds", "waits", "trouble"}]}]}.`,
		Args:              atMostOne("remote"),
		ValidArgsFunction: s.completeRemotes,
		RunE: func(cmd *cobra.Command, args []string) error {
			fleets, err := remote.LoadConfig(s.configDir())
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return s.printFleets(fleets, asJSON)
			}
			return s.printHosts(cmd.Context(), fleets, args[0], asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print them as JSON")
	return cmd
}

// atMostOne is the rule for the arguments of a command that takes one or none.
func atMostOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usageError{fmt.Errorf("%q: %s takes one %s", args[1], cmd.CommandPath(), what)}
		}
		return nil
	}
}

// describe returns a fleet as it is printed.
func describe(name string, x *remote.Remote) fleetJSON {
	f := fleetJSON{Name: name, Hub: list(x.Hub), SSH: []string{}}
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

func (s *surroundings) printFleets(fleets *remote.Config, asJSON bool) error {
	all := []fleetJSON{}
	for _, name := range fleets.Names() {
		_, x, err := fleets.Named(name)
		if err != nil {
			return err
		}
		all = append(all, describe(name, x))
	}
	if asJSON {
		return s.printFleetJSON(all)
	}
	if len(all) == 0 {
		s.out.printf("no remote yet; add one: gatehouse remote add HOST\n")
	}
	for _, f := range all {
		var said []string
		if len(f.Hub) > 0 {
			said = append(said, "hub "+strings.Join(f.Hub, ", "))
		}
		for _, m := range f.SSH {
			said = append(said, "ssh "+m)
		}
		if f.User != "" {
			said = append(said, "as user "+f.User)
		}
		if f.Host != "" {
			said = append(said, "as host "+f.Host)
		}
		s.out.printf("%s  %s\n", f.Name, strings.Join(said, ", "))
	}
	return nil
}

func (s *surroundings) printFleetJSON(all []fleetJSON) error {
	return s.out.json(fleetsJSON{statusSchema, all})
}

// printHosts prints the hosts of a fleet, as they are now.
func (s *surroundings) printHosts(ctx context.Context, fleets *remote.Config, name string, asJSON bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f, err := s.openFleet(ctx, name)
	if err != nil {
		return err
	}
	if _, err := fleetSnapshot(ctx, f); err != nil {
		return err
	}
	hosts, problems := f.Hosts()
	if asJSON {
		name, x, err := fleets.Named(name)
		if err != nil {
			return err
		}
		shown := describe(name, x)
		shown.Hosts = hosts
		if err := s.printFleetJSON([]fleetJSON{shown}); err != nil {
			return err
		}
	} else {
		s.printReports(hosts, len(problems) == 0)
	}
	return s.fleetTrouble(strings.Join(problems, "; "))
}

// printReports prints how hosts are; reached is whether all could be asked: else nobody knows which there are.
func (s *surroundings) printReports(hosts []remote.HostReport, reached bool) {
	if len(hosts) == 0 && reached {
		s.out.printf("no host has joined yet; on each of them: gatehouse join\n")
	}
	width := 0
	for _, h := range hosts {
		width = max(width, len([]rune(h.Name)))
	}
	for _, h := range hosts {
		s.out.printf("%-*s  %s\n", width, h.Name, strings.Join(saidOf(h), ", "))
	}
}

// saidOf returns what there is to say of a host.
func saidOf(h remote.HostReport) []string {
	state := "there"
	if !h.Live {
		state = h.Why
	}
	said := []string{state, counted(h.Builds, "build"), fmt.Sprintf("%d waiting", h.Waits)}
	switch ahead := h.Ahead.Round(time.Second); {
	case ahead >= 2*time.Second:
		said = append(said, fmt.Sprintf("its clock is %v ahead", ahead))
	case ahead <= -2*time.Second:
		said = append(said, fmt.Sprintf("its clock is %v behind", -ahead))
	}
	if h.Trouble != "" {
		said = append(said, h.Trouble)
	}
	return said
}
