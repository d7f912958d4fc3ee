package main

// gatehouse fleet remove: take part in a fleet no more.

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/parse/fleet/hub"
)

func newFleetRemove(s *surroundings) *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME [ssh://HOST...]",
		Short: "Take part in a fleet no more, or reach some of its machines no more",
		Long: `Take part in a fleet no more; with ssh://HOST reach that machine no more, and stay in the
fleet, unless it was the last way to any. The file is ~/.config/gatehouse/fleet.json.
Nothing is changed on other machines: who keeps the hub takes this one out of its
members. Keys stay, and serve again where the fleet is added again. What runs, such as
gatehouse join, goes on until it ends.`,
		Example: "  gatehouse fleet remove work\n  gatehouse fleet remove home ssh://build-8",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || args[0] == "" {
				return usageError{errors.New("which fleet? gatehouse fleet list names them")}
			}
			return nil
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return s.completeFleets(cmd, args, word)
			}
			return s.reached(args[0]), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			name, targets := args[0], args[1:]
			var keys []string // of a fleet that is forgotten
			empty := false    // it has lost the last way to a machine
			fleets, err := hub.Change(cmd.Context(), s.configDir(), func(fleets *hub.Fleets) error {
				_, x, err := fleets.Named(name)
				if err != nil {
					return usageError{err}
				}
				for _, address := range targets {
					target, ssh := strings.CutPrefix(address, "ssh://")
					if !ssh || !x.Leave(strings.TrimSuffix(target, "/")) {
						return usageError{fmt.Errorf("%s: it is none of the machines that %s reaches through ssh; gatehouse fleet list names them", address, name)}
					}
				}
				empty = len(targets) > 0 && len(x.Hub)+len(x.SSH) == 0
				if len(targets) == 0 || empty {
					fleets.Remove(name)
					keys = []string{fleets.KeyFile(x.User), fleets.KeyFile(x.Host)}
				}
				return nil
			})
			if err != nil {
				return err
			}
			s.out.printf("%s: removed from %s\n", cmp.Or(strings.Join(targets, ", "), name), shortPath(fleets.File(), s.user.Home))
			if empty {
				s.out.printf("%s: removed, for it leads to no machine any more\n", name)
			}
			for _, key := range keys {
				if key != "" {
					s.out.printf("its key stays: %s\n", shortPath(key, s.user.Home))
				}
			}
			return nil
		},
	}
}

// reached completes the machines that a fleet reaches through ssh.
func (s *surroundings) reached(fleet string) (all []string) {
	fleets, err := hub.Load(s.configDir())
	if err != nil {
		return nil
	}
	_, x, err := fleets.Named(fleet)
	if err != nil {
		return nil
	}
	for _, m := range x.SSH {
		all = append(all, "ssh://"+m.Target)
	}
	return all
}
