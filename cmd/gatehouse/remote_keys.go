package main

// gatehouse remote keys: public keys, and a hub's configuration.

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/parse/text/shell"
)

// keysJSON is the document of "gatehouse remote keys --json".
type keysJSON struct {
	Schema int          `json:"schema"`
	Keys   []memberJSON `json:"keys"`             // of this machine, or of the members that the flags name
	Config string       `json:"config,omitempty"` // the hub's configuration for the members that the flags name
}

// memberJSON is a member of a hub with its public key.
type memberJSON struct {
	Remote string      `json:"remote,omitempty"` // name of the remote; absent for members that flags name
	Role   remote.Role `json:"role"`
	Name   string      `json:"name"` // at the hub
	Key    string      `json:"key"`  // public
}

// describeMembers returns members as they are printed.
func describeMembers(of string, members []remote.Member) []memberJSON {
	all := []memberJSON{}
	for _, m := range members {
		all = append(all, memberJSON{of, m.Role, m.Name, m.Key})
	}
	return all
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
still refuses users that it does not list itself (gatehouse join --allow).

With --json: {"schema", "keys": [{"remote", "role", "name", "key"}], "config"}.`,
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
				return s.out.printJSON(keysJSON{statusSchema, describeMembers("", members), text})
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
	keys := []memberJSON{}
	for _, name := range names {
		_, x, err := fleets.Named(name)
		if err != nil {
			return usageError{err}
		}
		members, err := fleets.Members(x)
		if err != nil {
			return err
		}
		if s.asJSON {
			keys = append(keys, describeMembers(name, members)...)
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
		return s.out.printJSON(keysJSON{Schema: statusSchema, Keys: keys})
	}
	return nil
}
