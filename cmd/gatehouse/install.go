package main

// gatehouse install and uninstall: have the client of an agent run the hooks, and no longer.

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/parse/agents/setup"
)

// installing are the flags of both.
type installing struct {
	project bool
	user    bool
	dir     string
	dryRun  bool
}

func newInstall(s *surroundings) *cobra.Command {
	var f installing
	cmd := &cobra.Command{
		Use:   "install CLIENT",
		Short: "Have an agent's client ask you here",
		Long: `Have the client of an agent run gatehouse at its events, so that what it asks appears
here and can be answered here: claude, opencode; codex while a dashboard is open; of gemini,
that it waits.

Writes without asking, and prints what; with --dry-run it only prints. Nothing but
gatehouse's own entries changes in the settings. Again it changes nothing; after
gatehouse has moved it writes the new path.

By default it is for all projects of yours (--user). With --project it is for one, where
the client keeps what is yours alone, as .claude/settings.local.json.`,
		Example: "  gatehouse install claude --dry-run\n  gatehouse install claude && gatehouse doctor",
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, s, args[0], setup.Place.Install, "installed", "all hooks are there")
		},
	}
	f.addTo(cmd)
	return cmd
}

func newUninstall(s *surroundings) *cobra.Command {
	var f installing
	cmd := &cobra.Command{
		Use:   "uninstall CLIENT",
		Short: "Have an agent's client ask you no longer here",
		Long: `Take gatehouse's entries out of the settings of an agent's client, and nothing else: the
other way round of gatehouse install. Its own prompts are as they were.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, s, args[0], setup.Place.Uninstall, "taken out", "there is no hook of gatehouse's")
		},
	}
	f.addTo(cmd)
	return cmd
}

func (f *installing) addTo(cmd *cobra.Command) {
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usageError{errors.New("which client? " + strings.Join(setup.Clients(), ", "))}
		}
		return nil
	}
	cmd.ValidArgs = setup.Clients()
	cmd.Flags().BoolVar(&f.user, "user", false, "for all projects of yours; so without --project")
	cmd.Flags().BoolVar(&f.project, "project", false, "for one project")
	cmd.Flags().StringVar(&f.dir, "dir", ".", "the `directory` of the project")
	cmd.Flags().BoolVarP(&f.dryRun, "dry-run", "n", false, "print what would be written, and write nothing")
	complete(cmd, "dir", completeDirs)
}

// run plans a change, prints it, and makes it.
func (f *installing) run(cmd *cobra.Command, s *surroundings, client string, change func(setup.Place) (*setup.Plan, error), done, nothing string) error {
	if f.user && f.project {
		return usageError{errors.New("say --user or --project, not both")}
	}
	dir, err := workingDir(f.dir)
	if err != nil {
		return err
	}
	place := s.setupPlace(client, dir)
	if f.project {
		place.Scope = setup.Project
	}
	plan, err := change(place)
	if errors.Is(err, setup.ErrClient) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	file := shortPath(plan.File, s.user.Home)
	if plan.Nothing() {
		s.out.printf("%s: %s; nothing was written\n", file, nothing)
		return nil
	}
	if f.dryRun {
		s.out.printf("would write %s\n", file)
	} else if err := plan.Write(cmd.Context()); err != nil {
		return err
	}
	for _, e := range plan.Edits {
		s.out.printf("  %s:%d:%d  %s: %s → %s\n", file, e.Pos.Line, e.Pos.Col, e.Label, shortened(e.Old), shortened(e.New))
	}
	if f.dryRun {
		return nil
	}
	s.out.printf("%s: %s\n", done, file)
	if next := place.Next(); next != "" && done == "installed" {
		s.out.printf("%s\n", next)
	}
	return nil
}

// setupPlace returns where a client is set up, for this user.
func (s *surroundings) setupPlace(client, dir string) setup.Place {
	return setup.Place{Client: client, Home: s.user.Home, Env: s.variable, Dir: dir, Program: s.program("gatehouse")}
}

// program returns the path by which others are to call this program: the one that is found in PATH where that is this one, since it
// stays when a new version is installed, else the one that runs.
func (s *surroundings) program(name string) string {
	self, err := os.Executable()
	if err != nil {
		return name
	}
	found, err := exec.LookPath(name)
	if err != nil || !filepath.IsAbs(found) {
		return self
	}
	mine, err := os.Stat(self)
	its, err2 := os.Stat(found)
	if err == nil && err2 == nil && os.SameFile(mine, its) {
		return found
	}
	return self
}
