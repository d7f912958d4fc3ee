package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/parse/agents/hook"
	"gatehouse/parse/agents/setup"
)

// installedJSON is the document of "gatehouse install --json" and "uninstall --json".
type installedJSON struct {
	Schema  int          `json:"schema"`
	Result  string       `json:"result"`         // done, already or dry-run
	File    string       `json:"file"`           // path of the client's settings
	Removed bool         `json:"removed"`        // nothing else was in the file, so it goes
	Edits   []model.Edit `json:"edits"`          // the values that change
	Next    string       `json:"next,omitempty"` // what is left to do
}

func newInstall(s *env) *cobra.Command {
	return newSetup(s, setup.Place.Install, "installed", "all hooks are installed", &cobra.Command{
		Use:   "install CLIENT",
		Short: "Install Gatehouse's hooks in an agent",
		Long: `Install Gatehouse's hooks in an agent: claude, codex or opencode. Then its sessions appear
here, and its questions, plans and permissions wait here too.

The command writes without asking; --dry-run prints each edit instead. Only Gatehouse's
own entries change. Run it again after gatehouse has moved.

The hooks are for all your projects (--user), or for one (--project): then they go to the
file with your own settings of the project, such as .claude/settings.local.json.`,
		Example: "  gatehouse install claude --dry-run\n  gatehouse install claude && gatehouse doctor",
	})
}

func newUninstall(s *env) *cobra.Command {
	return newSetup(s, setup.Place.Uninstall, "uninstalled", "no hooks are installed", &cobra.Command{
		Use:   "uninstall CLIENT",
		Short: "Remove Gatehouse's hooks from an agent",
		Long: `Remove Gatehouse's hooks from an agent. Every other byte of its settings stays as it is. A
file with nothing else in it is removed.`,
	})
}

// newSetup completes a command that plans a change of a client's settings, prints it and executes it.
func newSetup(s *env, plan func(setup.Place) (*setup.Plan, error), done, nothing string, cmd *cobra.Command) *cobra.Command {
	var isUser, isProject, isDry bool
	var dir string
	cmd.ValidArgs = hook.Clients()
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) != 1 || !slices.Contains(hook.Clients(), args[0]) {
			return usageError{errors.New("name one client: " + strings.Join(hook.Clients(), ", "))}
		}
		return nil
	}
	cmd.Flags().BoolVar(&isUser, "user", false, "for all your projects (default)")
	cmd.Flags().BoolVar(&isProject, "project", false, "for one project")
	cmd.Flags().StringVar(&dir, "dir", ".", "`directory` of the project")
	cmd.Flags().BoolVarP(&isDry, "dry-run", "n", false, "print each edit and write nothing")
	s.jsonFlag(cmd, "print what was done as JSON")
	completeFlag(cmd, "dir", completeDirs)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if isUser && isProject {
			return usageError{errors.New("use --user or --project, not both")}
		}
		dir, err := workingDir(dir)
		if err != nil {
			return err
		}
		place := s.setupPlace(args[0], dir)
		place.IsProject = isProject
		p, err := plan(place)
		if err != nil {
			return err
		}
		file, out := shortPath(p.File, s.user.Home), installedJSON{statusSchema, resultDone, p.File, p.RemovesFile, nonNil(p.Edits), p.Next}
		if p.IsEmpty() {
			if out.Result = resultAlready; s.asJSON {
				return s.out.printJSON(out)
			}
			s.out.printf("%s: %s; nothing to do\n", file, nothing)
			return nil
		}
		removed := "removed"
		if isDry {
			done, removed, out.Result = "would write", "would remove", resultDryRun
		} else if err := p.Write(cmd.Context()); err != nil {
			return err
		}
		if s.asJSON {
			return s.out.printJSON(out)
		}
		for _, e := range p.Edits {
			if isDry {
				s.out.printf("  %s:%d:%d  %s: %s → %s\n", file, e.Pos.Line, e.Pos.Col, e.Label, shortenValue(e.Old), shortenValue(e.New))
			}
		}
		if p.RemovesFile {
			s.out.printf("%s: %s (nothing else was in it)\n", removed, file)
		} else {
			s.out.printf("%s: %s\n", done, file)
		}
		if p.Next != "" && !isDry {
			s.out.printf("%s\n", p.Next)
		}
		return nil
	}
	return cmd
}

// setupPlace returns a client of this user.
func (s *env) setupPlace(client, dir string) setup.Place {
	return setup.Place{Client: client, Home: s.user.Home, Env: s.getenv, Dir: dir, Program: programPath()}
}

// programPath returns the path of this program for hooks: the one in PATH if it is this program, because that path survives an update,
// otherwise the path of the running one.
func programPath() string {
	self, err := os.Executable()
	if err != nil {
		return "gatehouse"
	}
	found, _ := exec.LookPath("gatehouse")
	mine, errMine := os.Stat(self)
	other, errOther := os.Stat(found)
	if filepath.IsAbs(found) && errMine == nil && errOther == nil && os.SameFile(mine, other) {
		return found
	}
	return self
}
