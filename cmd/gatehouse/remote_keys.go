package main

// gatehouse remote keys: public keys, and a hub's configuration.

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/parse/text/shell"
)

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
	if len(names) == 0 {
		s.out.printf("no remote yet; \"gatehouse remote add\" makes a key\n")
	}
	for _, name := range names {
		_, x, err := fleets.Named(name)
		if err != nil {
			return usageError{err}
		}
		members, err := fleets.Members(x)
		if err != nil {
			return err
		}
		for _, m := range members {
			s.out.printf("%s  --%s %s\n", name, m.Role, shell.Word(m.Name+"="+m.Key))
		}
		if len(members) == 0 {
			s.out.printf("%s  no key\n", name)
		}
	}
	return nil
}
