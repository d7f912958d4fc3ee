package main

// gatehouse logs rotate: old logs of ultraplan put away.

import (
	"github.com/spf13/cobra"

	"gatehouse/parse/ultraplan/record"
)

func newLogs(s *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "logs",
		Short: "Archive old logs",
		Long:  "Archive old logs of an ultraplan project: gatehouse logs rotate.",
	}
	cmd.AddCommand(newRotate(s))
	return cmd
}

// rotatedJSON is the document of "gatehouse logs rotate --json".
type rotatedJSON struct {
	Schema int            `json:"schema"`
	Moved  []record.Moved `json:"moved"` // what was moved, or would be
	Kept   []string       `json:"kept"`  // what could not be moved, and why
}

func newRotate(s *env) *cobra.Command {
	var r recordFlags
	cmd := &cobra.Command{
		Use:   "rotate",
		Short: "Move old logs into the archive",
		Long: `Move execution logs of more than 30 days ago, and all sessions that are over but
the last ten, from .ultraplan/logs into .ultraplan/logs/archive, where they keep
their paths. Summaries of days stay, and nothing is ever deleted or replaced.

With --json: {"schema", "moved": [{"from", "to"}], "kept"}; kept says what could
not be moved, and why.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			recorder, err := r.newRecorder(s)
			if err != nil {
				return err
			}
			rot, err := recorder.Rotate(cmd.Context(), r.dryRun)
			if err != nil {
				return err
			}
			return s.printRotated(rot, &r)
		},
	}
	r.addTo(cmd)
	return cmd
}

// printRotated prints what was moved.
func (s *env) printRotated(rot *record.Rotation, r *recordFlags) error {
	if r.asJSON {
		if err := s.out.printJSON(rotatedJSON{statusSchema, nonNil(rot.Moved), nonNil(rot.Kept)}); err != nil {
			return err
		}
	} else {
		verb := "moved"
		if r.dryRun {
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
