package main

// gatehouse logs rotate: old logs of ultraplan put away.

import (
	"github.com/spf13/cobra"

	"gatehouse/parse/ultraplan/record"
)

func newLogs(s *surroundings) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "logs",
		Short: "Put old logs away",
		Long:  "Put old logs of an ultraplan project away: gatehouse logs rotate.",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newRotate(s))
	return cmd
}

// rotatedJSON is what "gatehouse logs rotate --json" prints.
type rotatedJSON struct {
	Schema int            `json:"schema"`
	Moved  []record.Moved `json:"moved"` // what was moved, or would be
	Kept   []string       `json:"kept"`  // what could not be moved, and why
}

func newRotate(s *surroundings) *cobra.Command {
	var dir string
	var dryRun, asJSON bool
	cmd := &cobra.Command{
		Use:   "rotate",
		Short: "Move old logs into the archive",
		Long: `Move execution logs of more than 30 days ago, and all sessions that are over but
the last ten, from .ultraplan/logs into .ultraplan/logs/archive, where they keep
their paths. Summaries of days stay, and nothing is ever deleted or replaced.

With --json: {"schema", "moved": [{"from", "to"}], "kept"}; kept says what could
not be moved, and why.`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, _, err := s.project(dir)
			if err != nil {
				return err
			}
			rot, err := record.New(p.Root(), s.user.System, s.now).Rotate(cmd.Context(), dryRun)
			if err != nil {
				return err
			}
			return s.sayRotated(rot, dryRun, asJSON)
		},
	}
	cmd.Flags().BoolVarP(&dryRun, "dry-run", "n", false, "print what would be moved, and move nothing")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what was moved as JSON")
	cmd.Flags().StringVar(&dir, "dir", ".", "the project's `directory`")
	complete(cmd, "dir", completeDirs)
	return cmd
}

// sayRotated prints what was moved.
func (s *surroundings) sayRotated(rot *record.Rotation, dryRun, asJSON bool) error {
	if asJSON {
		if err := s.out.json(rotatedJSON{statusSchema, list(rot.Moved), list(rot.Kept)}); err != nil {
			return err
		}
	} else {
		verb := "moved"
		if dryRun {
			verb = "would move"
		}
		for _, m := range rot.Moved {
			same := ""
			if m.Same {
				same = ", beside the same that is there already"
			}
			s.out.printf("%s %s → %s%s\n", verb, m.From, m.To, same)
		}
		if len(rot.Moved)+len(rot.Kept) == 0 {
			s.out.printf("nothing is old enough to be moved\n")
		}
	}
	for _, why := range rot.Kept {
		s.complain("%s", why)
	}
	if len(rot.Kept) > 0 {
		return refusal{}
	}
	return nil
}
