package main

// gatehouse loop new: create a state from the definition of a loop.

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

func newLoop(s *env) *cobra.Command {
	return withCommands(&cobra.Command{
		Use:   "loop",
		Short: "Start a loop",
		Long:  "Start a loop: gatehouse loop new LOOP.json writes the state that its agents follow.",
	}, newLoopNew(s))
}

// newLoopJSON is the document of "gatehouse loop new --json".
type newLoopJSON struct {
	Schema int    `json:"schema"`
	File   string `json:"file"`  // the state, as an absolute path; "" with --stdout
	State  string `json:"state"` // its content
}

func newLoopNew(s *env) *cobra.Command {
	var dir string
	var toStdout bool
	cmd := &cobra.Command{
		Use:   "new LOOP.json",
		Short: "Write the state of a new loop",
		Long: `Write the state of a new loop from its definition, and print where. The file is
named after the loop: audit-loop starts audit-state.json. A state that exists is
never replaced.

With --json: {"schema", "file", "state"}.`,
		Example:           "  gatehouse loop new ~/loops/audit-loop/loop.json --dir ~/src/shop",
		Args:              oneArg("definition", "name the definition of the loop, loop.json"),
		ValidArgsFunction: cobra.FixedCompletions([]string{"json"}, cobra.ShellCompDirectiveFilterFileExt),
		RunE: func(cmd *cobra.Command, args []string) error {
			definition, err := readDefinition(args[0])
			if err != nil {
				return err
			}
			text, file, err := loop.Generate(definition, s.now())
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			out := newLoopJSON{Schema: statusSchema, State: text}
			if !toStdout {
				if out.File, err = s.createState(cmd.Context(), dir, file, text); err != nil {
					return err
				}
			}
			switch {
			case s.asJSON:
				return s.out.printJSON(out)
			case toStdout:
				s.out.printDocument(text)
			default:
				s.out.printf("%s\n", out.File)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "dir", ".", "write it into this `directory`")
	cmd.Flags().BoolVar(&toStdout, "stdout", false, "print it instead")
	s.jsonFlag(cmd, "print what was written as JSON")
	completeFlag(cmd, "dir", completeDirs)
	return cmd
}

// createState writes a new state, and returns its path.
func (s *env) createState(ctx context.Context, dir, file, text string) (string, error) {
	if dir == "" {
		return "", usageError{errors.New("--dir: the name of a directory is empty; write . for this one")}
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	w, err := statefile.NewStore(s.user.System).Create(ctx, statefile.Target{Path: filepath.Join(abs, file), Within: []string{abs}}, text)
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("%s: this loop has been started already; gatehouse resume --plan says where it is; once it is complete or failed, gatehouse restart starts it over", filepath.Join(dir, file))
	}
	if err != nil {
		return "", err
	}
	return w.Path, nil
}

// readDefinition reads a definition by its path, unless it is not a regular file or too large.
func readDefinition(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usageError{fmt.Errorf("%s: no such file", name)}
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, usageError{fmt.Errorf("%s: not a regular file; name the definition of the loop, loop.json", name)}
	case info.Size() > peek.Limit:
		return nil, fmt.Errorf("%s: the file is larger than 8 MiB; no definition is", name)
	}
	return os.ReadFile(name)
}
