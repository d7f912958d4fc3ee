package main

// gatehouse loop new: a new state from the definition of a loop.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"gatehouse/parse/disk/peek"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/loop"
)

func newLoop(s *surroundings) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "loop",
		Short: "Begin a loop",
		Long:  "Begin a loop: gatehouse loop new LOOP.json writes the state that its agents go by.",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newLoopNew(s))
	return cmd
}

func newLoopNew(s *surroundings) *cobra.Command {
	var dir string
	var toStdout bool
	cmd := &cobra.Command{
		Use:   "new LOOP.json",
		Short: "Write the state of a new loop",
		Long: `Write the state of a new loop from its definition, and print where. Its name is the
loop's, as the protocol has it: audit-loop begins audit-state.json. A state that
exists is never replaced.`,
		Example: "  gatehouse loop new ~/loops/audit-loop/loop.json --dir ~/src/shop",
		Args: func(cmd *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				return usageError{errors.New("which loop? name its definition, loop.json")}
			case 1:
				return nil
			}
			return usageError{fmt.Errorf("%q: %s takes one definition", args[1], cmd.CommandPath())}
		},
		ValidArgsFunction: cobra.FixedCompletions([]string{"json"}, cobra.ShellCompDirectiveFilterFileExt),
		RunE: func(cmd *cobra.Command, args []string) error {
			definition, err := readDefinition(args[0])
			if err != nil {
				return err
			}
			text, file, notes, err := loop.Generate(definition, s.now())
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			for _, note := range notes {
				s.complain("%s: %s", args[0], note)
			}
			if toStdout {
				s.out.document(text)
				return nil
			}
			return s.begin(cmd.Context(), dir, file, text)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", ".", "write it into this `directory`")
	cmd.Flags().BoolVar(&toStdout, "stdout", false, "print it instead")
	complete(cmd, "dir", completeDirs)
	return cmd
}

// begin writes a new state.
func (s *surroundings) begin(ctx context.Context, dir, file, text string) error {
	if dir == "" {
		return usageError{errors.New("--dir: the name of a directory is empty; write . for this one")}
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	w, err := statefile.NewStore(s.user.System).Create(ctx, statefile.Target{Path: filepath.Join(abs, file), Within: []string{abs}}, text)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s: this loop has begun already; gatehouse resume --plan says where it stands, and to begin anew move the file away", filepath.Join(dir, file))
	}
	if err != nil {
		return err
	}
	s.out.printf("%s\n", w.Path)
	return nil
}

// readDefinition reads a file that somebody names, unless it is no file or a giant.
func readDefinition(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usageError{fmt.Errorf("%s: there is no such file", name)}
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, usageError{fmt.Errorf("%s: this is no file; name the definition of a loop, loop.json", name)}
	case info.Size() > peek.Limit:
		return nil, fmt.Errorf("%s: the file is larger than 8 MiB, which no definition is", name)
	}
	return os.ReadFile(name)
}
