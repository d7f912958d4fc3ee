package main

// The flags and errors of commands that record something in an ultraplan project.

import (
	"errors"

	"github.com/spf13/cobra"

	"gatehouse/parse/ultraplan/record"
)

// recordFlags are the flags of a command that writes into an ultraplan project.
type recordFlags struct {
	dir            string
	dryRun, asJSON bool
}

// addTo gives a command the flags.
func (r *recordFlags) addTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.dir, "dir", thisDir, "the project's `directory`")
	cmd.Flags().BoolVarP(&r.dryRun, "dry-run", "n", false, "print what would be written, and write nothing")
	cmd.Flags().BoolVar(&r.asJSON, "json", false, "print what was done as JSON")
	completeFlag(cmd, "dir", completeDirs)
}

// newRecorder returns the recorder of the project.
func (r *recordFlags) newRecorder(s *env) (*record.Recorder, error) {
	p, _, err := s.openProject(r.dir, commandSearch)
	if err != nil {
		return nil, err
	}
	return record.New(p.Root(), s.user.System, s.now), nil
}

// resultWords returns the word for what was done, and for people the verb of the files that were written.
func (r *recordFlags) resultWords(already bool) (result, said string) {
	switch {
	case already:
		return resultAlready, "wrote"
	case r.dryRun:
		return resultDryRun, "would write"
	}
	return "written", "wrote"
}

// printFiles prints the files that were written, or would be.
func (s *env) printFiles(said string, files []record.FileChange) {
	for _, f := range files {
		s.out.printf("%s %s\n", said, f.File)
		s.printEdits(f.Edits)
	}
}

// noPlanIsUsage makes an error about a plan that does not exist one of the command line's.
func noPlanIsUsage(err error) error {
	if errors.As(err, new(*record.NoPlan)) {
		return usageError{err}
	}
	return err
}
