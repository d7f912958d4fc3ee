package main

// gatehouse decision: what people have decided about an ultraplan project, written down.

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/parse/ultraplan/record"
)

// writtenJSON is the document of "gatehouse decision --json".
type writtenJSON struct {
	Schema int                 `json:"schema"`
	Result string              `json:"result"` // written, already or dry-run
	Files  []record.FileChange `json:"files"`  // that were written, or would be
	Notes  []string            `json:"notes"`  // what is to be known of it
}

func newDecision(s *env) *cobra.Command {
	var r recordFlags
	var d record.Decision
	cmd := &cobra.Command{
		Use:   "decision TEXT",
		Short: "Record a decision in an ultraplan project",
		Long: `Record a decision in an ultraplan project: in the list “Decisions” of STATE.md, with
the phase that it is about, and in the table “Key Decisions” of PROJECT.md if there
is one. An existing decision is not written twice.

With --json: {"schema", "result", "files": [{"file", "made", "edits"}], "notes"};
the result is written, already or dry-run.`,
		Example: "  gatehouse decision 'Oil, not gas' --text 'the harbor has no pipe'",
		Args: func(cmd *cobra.Command, args []string) error {
			if strings.TrimSpace(strings.Join(args, " ")) == "" {
				return usageError{errors.New("which decision? write it after the command")}
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.readWords(&d.Why); err != nil {
				return err
			}
			recorder, err := r.newRecorder(s)
			if err != nil {
				return err
			}
			d.Text, d.DryRun = strings.Join(args, " "), r.dryRun
			done, err := recorder.Decide(cmd.Context(), d)
			if err != nil {
				return noPlanIsUsage(err)
			}
			return s.printRecorded(done, &r)
		},
	}
	r.addTo(s, cmd)
	wordsFlag(cmd, &d.Why, "why", "the reason in `words`, for PROJECT.md")
	yesFlag(cmd, new(bool))
	cmd.Flags().StringVar(&d.Phase, "phase", "", "the `number` of the phase that it is about; by default that of STATE.md")
	return cmd
}

// printRecorded prints what was written.
func (s *env) printRecorded(done *record.Decided, r *recordFlags) error {
	result, said := r.resultWords(done.Already)
	if s.asJSON {
		return s.out.printJSON(writtenJSON{statusSchema, result, nonNil(done.Files), nonNil(done.Notes)})
	}
	if done.Already {
		s.out.printf("the decision is there already; nothing was written\n")
	}
	s.printFiles(said, done.Files)
	for _, note := range done.Notes {
		s.complain("%s", note)
	}
	return nil
}
