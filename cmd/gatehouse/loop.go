package main

// gatehouse loop new: create a state from the definition of a loop.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/remote"
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
never replaced.`,
		Example:           "  gatehouse loop new ~/loops/audit-loop/loop.json --dir ~/src/shop",
		Args:              oneArg("definition", "name the definition of the loop, loop.json"),
		ValidArgsFunction: cobra.FixedCompletions([]string{"json"}, cobra.ShellCompDirectiveFilterFileExt),
		RunE: func(cmd *cobra.Command, args []string) error {
			definition, err := readRegular(args[0])
			if err != nil {
				return err
			}
			text, file, err := loop.Generate([]byte(definition), s.now())
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			out := newLoopJSON{Schema: remote.Schema, State: text}
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
	cmd.Flags().StringVar(&dir, "dir", thisDir, "write it into this `directory`")
	cmd.Flags().BoolVar(&toStdout, "stdout", false, "print it instead")
	s.jsonFlag(cmd, "print what was written as JSON")
	return cmd
}

// createState writes a new state, and returns its path.
func (s *env) createState(ctx context.Context, dir, file, text string) (string, error) {
	abs, err := workingDir(dir)
	if err != nil {
		return "", err
	}
	at := statefile.Target{Path: filepath.Join(abs, file), Within: []string{abs}}
	err = statefile.NewStore(s.user.System).Create(ctx, at, text)
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("%s: this loop has been started already; gatehouse resume --plan says where it is; "+
			"once it is complete or failed, gatehouse restart starts it over", filepath.Join(dir, file))
	}
	return peek.Resolve(at.Path), err
}
