package main

// gatehouse demo: simulated builds in a directory of their own, and the dashboard on them.

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
			if err != nil {
				return err
			}
			if !headless {
				if err := s.needsTerminal(); err != nil {
					return err
				}
			}
			// From here on there is a directory to be removed.
			return s.untilSignal(cmd.Context(), func(ctx context.Context) (err error) {
				at, done, err := demoDir(dir)
				if err != nil {
					return err
				}
				player, err := demo.New(at, demo.Options{Now: s.now, Speed: speed, Alone: headless, Run: s.runForDemo})
				if err != nil {
					return errors.Join(err, done(nil))
				}
				projects, err := openDirs(s, player.Dirs())
				if err != nil {
					return errors.Join(err, done(nil))
				}
				var logs []*journal.Log
				for _, p := range projects {
					logs = append(logs, journal.Open(s.user.System, s.user.Journal, p.Root()))
				}
				defer func() { err = errors.Join(err, done(logs)) }()
				if headless {
					s.out.printf("%s\n", at)
					if err := s.out.Flush(); err != nil { // now, so that a reader can follow
						return err
					}
					return player.Play(ctx)
				}
				opts.TitlePath, opts.Unfolded = shortPath(at, s.user.Home), true
				ctx, stop := context.WithCancel(ctx)
				defer stop()
				played := make(chan error, 1)
				go func() {
					err := player.Play(ctx)
					if err != nil {
						stop() // a build that cannot go on is not worth looking at
					}
					played <- err
				}()
				s.apart = true
				shown := s.showDashboard(ctx, parse.Opened(projects...), opts, "")
				stop()
				if err := <-played; err != nil && !errors.Is(err, context.Canceled) {
					return err
				}
				if s.user.Asks != nil {
					for _, p := range projects {
						s.user.Asks.Forget(p.Root())
					}
				}
				return shown
			})
		},
	}
	l.addTo(cmd)
	l.addLiveTo(cmd)
	cmd.Flags().StringVar(&dir, "dir", "", "write the builds into this `directory` and keep them")
	cmd.Flags().Func("speed", "play this `number` of times faster", func(text string) (err error) {
		if speed, err = strconv.ParseFloat(text, 64); err != nil || !(speed > 0 && speed <= maxSpeed) { // NaN is neither
			return usageError{fmt.Errorf("--speed %s: write a number above 0 and up to %d, like 2 or 0.5", text, maxSpeed)}
		}
		return nil
	})
	cmd.Flags().BoolVar(&headless, "headless", false, "write only the files, until the builds wait for someone; open no dashboard")
	return cmd
}

// runForDemo runs a command of an agent of the demo in this process.
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

// demoDir returns the directory to play in, and what to do with it and with the
// journals of what was decided in it afterwards.
func demoDir(dir string) (at string, done func([]*journal.Log) error, err error) {
	if dir != "" {
		return dir, func([]*journal.Log) error { return nil }, nil
	}
	temp, err := os.MkdirTemp("", "gatehouse-demo-")
	if err != nil {
		return "", nil, err
	}
	if real, err := filepath.EvalSymlinks(temp); err == nil {
		temp = real // the journal is named by the real place
	}
	return filepath.Join(temp, demo.Name), func(logs []*journal.Log) error {
		err := os.RemoveAll(temp)
		for _, log := range logs {
			if gone := os.Remove(log.File()); !errors.Is(gone, fs.ErrNotExist) {
				err = errors.Join(err, gone)
			}
		}
		return err
	}, nil
}

// maxSpeed is how much faster a build can be played: a round takes well below
// a second then, and the disk is still given time to breathe.
const maxSpeed = 1000
