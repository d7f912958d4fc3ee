package main

// gatehouse remote list: list the remotes, and the hosts of one.

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
)

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
hosts: whether they are there, how many builds they have and how many things wait.

With --json: {"schema", "fleets": [{"name", "hub", "ssh", "user", "host", "hosts":
[{"name", "link", "live", "why", "as_of", "version", "builds", "waits", "trouble"}]}]}.`,
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
		return s.out.printJSON(remotesJSON{statusSchema, all})
	}
	if len(all) == 0 {
		s.out.printf("no remote yet; add one: gatehouse remote add HOST\n")
	}
	for _, f := range all {
		var parts []string
		if len(f.Hub) > 0 {
			parts = append(parts, "hub "+strings.Join(f.Hub, ", "))
		}
		for _, m := range f.SSH {
			parts = append(parts, "ssh "+m)
		}
		if f.User != "" {
			parts = append(parts, "as user "+f.User)
		}
		if f.Host != "" {
			parts = append(parts, "as host "+f.Host)
		}
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
			if err := s.out.printJSON(remotesJSON{statusSchema, []remoteJSON{shown}}); err != nil {
				return err
			}
		} else {
			s.printReports(hosts, len(problems) == 0)
		}
		return s.remoteTrouble(strings.Join(problems, "; "))
	})
}

// printReports prints the state of hosts. reached is false if some did not answer: then hosts may be missing.
func (s *env) printReports(hosts []remote.HostReport, reached bool) {
	if len(hosts) == 0 && reached {
		s.out.printf("no host has joined yet; on each of them: gatehouse join\n")
	}
	width := 0
	for _, h := range hosts {
		width = max(width, len([]rune(h.Name)))
	}
	for _, h := range hosts {
		s.out.printf("%-*s  %s\n", width, h.Name, strings.Join(describeHost(h), ", "))
	}
}

// describeHost returns the state of a host in words.
func describeHost(h remote.HostReport) []string {
	state := "there"
	if !h.Live {
		state = h.Why
	}
	parts := []string{state, countOf(h.Builds, "build"), fmt.Sprintf("%d waiting", h.Waits)}
	if h.Trouble != "" {
		parts = append(parts, h.Trouble)
	}
	return parts
}
