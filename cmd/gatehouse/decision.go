package main

// gatehouse decision: what people have decided about an ultraplan project, written down.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/parse/ultraplan/record"
)

// writtenJSON is what "gatehouse decision --json" prints.
type writtenJSON struct {
	Schema int                 `json:"schema"`
	Result string              `json:"result"` // written, already or dry-run
	Files  []record.FileChange `json:"files"`  // that were written, or would be
	Notes  []string            `json:"notes"`  // what is to be known of it
}

func newDecision(s *surroundings) *cobra.Command {
	var dir string
	var d record.Decision
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "decision TEXT",
		Short: "Write down a decision about an ultraplan project",
		Long: `Write a decision that was made into an ultraplan project: into the list
“Decisions” of STATE.md, with the phase that it is about, and into the table
“Key Decisions” of PROJECT.md where there is one. One that stands there already
is not written twice.

With --json: {"schema", "result", "files": [{"file", "made", "edits"}], "notes"};
the result is written, already or dry-run.`,
		Example: "  gatehouse decision 'Oil, not gas' --text 'the harbour has no pipe'",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || strings.TrimSpace(strings.Join(args, " ")) == "" {
				return usageError{errors.New("which decision? write it behind the command")}
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			p, _, err := s.project(dir)
			if err != nil {
				return err
			}
			if d.Why == "-" {
				if d.Why, err = readText(s.stdin); err != nil {
					return err
				}
			}
			d.Text = strings.Join(args, " ")
			done, err := record.New(p.Root(), s.user.System, s.now).Decide(cmd.Context(), d)
			var none *record.NoPlan
			switch {
			case errors.As(err, &none):
				return usageError{err}
			case err != nil:
				return err
			}
			return s.sayDecided(done, d.DryRun, asJSON)
		},
	}
	wordsFlag(cmd, &d.Why, "why", "the reason in `words`, for PROJECT.md")
	yesFlag(cmd, new(bool))
	cmd.Flags().StringVar(&d.Phase, "phase", "", "the `number` of the phase that it is about; that of STATE.md")
	cmd.Flags().BoolVarP(&d.DryRun, "dry-run", "n", false, "print what would be written, and write nothing")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what was done as JSON")
	cmd.Flags().StringVar(&dir, "dir", ".", "the project's `directory`")
	complete(cmd, "dir", completeDirs)
	return cmd
}

// sayDecided prints what was written.
func (s *surroundings) sayDecided(done *record.Decided, dryRun, asJSON bool) error {
	result, said := "written", "wrote"
	switch {
	case done.Already:
		result = resultAlready
	case dryRun:
		result, said = resultDryRun, "would write"
	}
	if asJSON {
		return s.out.json(writtenJSON{statusSchema, result, list(done.Files), list(done.Notes)})
	}
	if done.Already {
		s.out.printf("the decision stands there already; nothing was written\n")
	}
	for _, f := range done.Files {
		s.out.printf("%s %s\n", said, f.File)
		s.printEdits(f.Edits)
	}
	for _, note := range done.Notes {
		s.complain("%s", fmt.Sprint(note))
	}
	return nil
}
