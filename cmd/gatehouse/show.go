package main

// gatehouse show: print a file of a project, also from another machine.

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
	"gatehouse/parse"
)

// showJSON is the document of "gatehouse show --json".
type showJSON struct {
	Schema int    `json:"schema"`
	File   string `json:"file"` // as it was named, relative to the project's directory
	Text   string `json:"text"` // its content, without control characters
}

func newShow(s *env) *cobra.Command {
	var dir, name string
	cmd := &cobra.Command{
		Use:   "show FILE",
		Short: "Print a file of a project",
		Long: `Print a file of a project: a state file, a plan, a deliverable. FILE is relative to the
project's directory, as "gatehouse status --json" names it. From another machine, only
files that its builds name are printed. Control characters are removed.`,
		Example: "  gatehouse show .planning/STATE.md\n  gatehouse show SKETCH.md --remote --dir build-7:shop",
		Args:    oneArg("file", "which file? name one, relative to the project's directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := s.textOf(cmd.Context(), name, dir, args[0])
			if s.asJSON && (err == nil || text != "") { // of a file that is too large, the beginning is printed
				return cmp.Or(s.out.printJSON(showJSON{statusSchema, args[0], cleanLines(text)}), err)
			}
			for l := range strings.Lines(text) {
				s.out.printf("%s\n", strings.TrimSuffix(l, "\n"))
			}
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "dir", thisDir, "the project's `directory`; with --remote HOST:PROJECT")
	s.jsonFlag(cmd, "print it as JSON")
	completeFlag(cmd, "dir", completeDirs)
	s.remoteFlag(cmd, &name, "print a file of another machine; with `=NAME` of this remote")
	return cmd
}

// textOf returns the text of a file of a project, here or on another machine.
func (s *env) textOf(ctx context.Context, name, dir, file string) (text string, err error) {
	if name == "" || !isRemoteDir(dir) {
		projects, err := openDirs(s, []string{dir})
		if err != nil {
			return "", err
		}
		return parse.Files(projects).Text(projects[0].Root(), file)
	}
	err = s.seeRemote(ctx, name, func(_ context.Context, f *remote.View, snap *model.Snapshot) error {
		root, err := findRemoteRoot(snap, dir)
		switch {
		case err != nil && snap.Watch != "":
			return s.remoteTrouble(snap.Watch)
		case err != nil:
			return err
		}
		text, err = f.Text(root, file)
		return err
	})
	return text, err
}
