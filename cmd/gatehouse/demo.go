package main

// gatehouse demo: simulated builds in their own directory, and the dashboard on them.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/demo"
	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/disk/journal"
	"gatehouse/tui"
)

func newDemo(s *env) *cobra.Command {
	var l displayFlags
	var dir string
	var headless bool
	speed := 1.0
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show simulated builds, live",
		Long: `Play simulated builds: real files in a temporary directory, written step by step. The
dashboard shows them live.

The first minute teaches: a loop asks whether its outline is right, and goes on when you
have answered. Then the other builds begin. A GSD build asks you twice, a plan is blocked,
a verification finds a gap, and STATE.md lags behind. ultraplan has a task fail three
times, and waits until you retry or skip it. A chunk of a fctry build fails its
verification. An agent asks three questions, as live agents do.

You answer in the dashboard, or in another terminal with gatehouse approve, skip, changes,
retry, pause, abort and answer.

The directory is removed at the end, unless --dir names one.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opts, err := l.tuiOptions(s, cmd)
			if err == nil && !headless {
				err = s.needsTerminal()
			}
			if err != nil {
				return err
			}
			return s.untilSignal(cmd.Context(), func(ctx context.Context) error {
				if dir != "" {
					return s.playDemo(ctx, dir, speed, headless, opts)
				}
				temp, err := os.MkdirTemp("", "gatehouse-demo-")
				if err != nil {
					return err
				}
				err = s.playDemo(ctx, filepath.Join(realPath(temp), demo.Name), speed, headless, opts)
				return errors.Join(err, s.removeDemo(realPath(temp)))
			})
		},
	}
	l.addTo(cmd)
	cmd.Flags().StringVar(&dir, "dir", "", "write the builds into this `directory` and keep them")
	cmd.Flags().Func("speed", "play this `number` of times faster", func(text string) (err error) {
		if speed, err = strconv.ParseFloat(text, 64); err != nil || !(speed > 0 && speed <= maxSpeed) { // this also refuses NaN
			return usageError{fmt.Errorf("--speed %s: write a number above 0 and up to %d, like 2 or 0.5", text, maxSpeed)}
		}
		return nil
	})
	cmd.Flags().BoolVar(&headless, "headless", false, "write only the files, until the builds wait for someone; open no dashboard")
	return cmd
}

// playDemo plays the builds into a directory, and shows them unless headless is true.
func (s *env) playDemo(ctx context.Context, dir string, speed float64, headless bool, opts tui.Options) error {
	player, err := demo.New(dir, demo.Options{Now: s.now, Speed: speed, Alone: headless, Run: s.runForDemo})
	if err != nil {
		return err
	}
	if headless {
		s.out.printf("%s\n", dir)
		return errors.Join(s.out.Flush(), player.Play(ctx)) // flushed now, so that a reader can follow
	}
	projects, err := openDirs(s, player.Dirs())
	if err != nil {
		return err
	}
	opts.TitlePath, opts.Unfolded, s.apart = s.shortPath(dir), true, true
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	played := make(chan error, 1)
	go func() {
		err := player.Play(ctx)
		if err != nil {
			stop() // a stopped build is of no interest
		}
		played <- err
	}()
	shown := s.showDashboard(ctx, parse.Opened(projects...), opts, "")
	stop()
	if err := <-played; !errors.Is(err, context.Canceled) {
		shown = errors.Join(err, shown)
	}
	for _, p := range projects {
		if s.user.Asks != nil {
			s.user.Asks.Forget(p.Root())
		}
	}
	return shown
}

// removeDemo removes a directory with builds, and the journals of decisions about them.
func (s *env) removeDemo(dir string) (err error) {
	roots, _ := filepath.Glob(filepath.Join(dir, demo.Name, "*"))
	for _, root := range roots {
		if gone := os.Remove(journal.Open(s.user.System, s.user.Journal, root).File()); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return errors.Join(err, os.RemoveAll(dir))
}

// runForDemo runs a command of the demo's agent in this process.
func (s *env) runForDemo(ctx context.Context, c demo.Command) (code int) {
	agent := &env{stdin: strings.NewReader(c.Stdin), stdout: io.Discard, stderr: io.Discard, environ: s.environ, user: s.user, now: s.now, agents: s.agents, processes: s.processes}
	agent.user.Asks, agent.user.Agents, agent.user.AgentsChanged = nil, nil, nil
	return run(ctx, agent, append(c.Args, "--dir", c.Dir))
}

// builtOnly is a feed without the projects that have no build yet.
type builtOnly struct{ model.Feed }

// Next implements [model.Feed].
func (f builtOnly) Next(ctx context.Context, after uint64) (*model.Snapshot, error) {
	snap, err := f.Feed.Next(ctx, after)
	if err != nil {
		return nil, err
	}
	built := *snap
	built.Projects = slices.DeleteFunc(slices.Clone(snap.Projects), func(p *model.Project) bool { return len(p.Builds) == 0 })
	return &built, nil
}

// maxSpeed bounds the speed of a build: a round takes well below
// a second then, and the disk can still keep up.
const maxSpeed = 1000
