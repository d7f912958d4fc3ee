package main

// gatehouse demo: a simulated build in a directory of its own, and the dashboard on it.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/demo"
	"gatehouse/parse/disk/journal"
)

func newDemo(s *surroundings) *cobra.Command {
	var l look
	var dir string
	var headless bool
	speed := speedFlag(1)
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show a simulated build, live",
		Long: `Play four simulated builds in three projects: real files in a temporary directory,
written step by step. The dashboard shows them live.

In the GSD build a plan is blocked, a verification fails and STATE.md lags behind;
it asks you twice, and goes on by itself when you let it wait. Beside it an agent
runs a loop. It stops at its gates until you decide, in the dashboard or with
gatehouse approve, skip, changes, retry, pause and abort in another terminal, and
does what you say. In a project below, a fctry build goes on chunk by chunk: one fails
its verification and is tried again, and of another it asks you something that you
answer by putting an item into its inbox. In another one, ultraplan has its tasks
executed: one fails and succeeds at the second attempt, and one fails three times,
and waits until you have it tried once more, or skip it. There an agent
asks you three things, too, as live agents do, and waits for the answer: in the dashboard,
or by gatehouse answer.

The directory is removed at the end, unless --dir names one.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opts, err := l.options(s, cmd)
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
				root, err := filepath.Abs(at)
				if err != nil {
					return err
				}
				log := journal.Open(s.user.System, s.user.Journal, root)
				logs := []*journal.Log{log}
				defer func() { err = errors.Join(err, done(logs)) }()
				build, err := demo.New(at, demo.Options{Speed: float64(speed), Once: headless, Changes: changesOf(log), Asks: s.demoAsks(headless), Self: s.processes.Self()})
				if err != nil {
					return err
				}
				for _, dir := range build.Dirs()[1:] {
					beside, err := filepath.Abs(dir)
					if err != nil {
						return err
					}
					logs = append(logs, journal.Open(s.user.System, s.user.Journal, beside))
				}
				if headless {
					s.out.printf("%s\n", at)
					if err := s.out.Flush(); err != nil { // now: whoever reads it wants to look on
						return err
					}
					return build.Run(ctx)
				}
				projects, err := open(s, build.Dirs())
				if err != nil {
					return err
				}
				opts.TitlePath, opts.Unfolded = shortPath(at, s.user.Home), true
				ctx, stop := context.WithCancel(ctx)
				defer stop()
				played := make(chan error, 1)
				go func() {
					defer stop() // a build that cannot go on is not worth looking at
					played <- build.Run(ctx)
				}()
				s.apart = true
				shown := s.dashboard(ctx, parse.Opened(projects...), opts, "")
				stop()
				if err := <-played; err != nil && !errors.Is(err, context.Canceled) {
					return err
				}
				return shown
			})
		},
	}
	l.addTo(cmd)
	l.addLiveTo(cmd)
	cmd.Flags().StringVar(&dir, "dir", "", "write the build into this `directory` and keep it")
	cmd.Flags().Var(&speed, "speed", "how `much` faster than real time to play")
	cmd.Flags().BoolVar(&headless, "headless", false, "only write the files, one round, without a dashboard")
	return cmd
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

// demoAsks returns where the demo's agent asks: as every other agent of the user, if somebody can see it there.
func (s *surroundings) demoAsks(headless bool) *ask.Store {
	if headless || s.user.Journal == "" {
		return nil
	}
	return s.user.Asks
}

// changesOf returns how the demo's agent hears what is to be changed at a gate. It reads the journal, as "gatehouse wait"
// does, but passes on nothing else: what you approve can still be undone for a moment.
func changesOf(log *journal.Log) func(build, gate string) (string, bool) {
	return func(build, gate string) (string, bool) {
		all, _ := log.Read() // what can't be read is not heard
		for _, d := range all {
			if d.Build == build && d.Node == gate && !d.Undone && !d.Interrupted && d.Verb != model.VerbUndo {
				return d.Text, d.Verb == model.VerbChanges && !d.Reported && log.Reported(d.ID) == nil
			}
		}
		return "", false
	}
}

// maxSpeed is how much faster a build can be played: a round takes well below
// a second then, and the disk is still given time to breathe.
const maxSpeed = 1000

// speedFlag is the value of --speed.
type speedFlag float64

// Set implements the flag's interface.
func (f *speedFlag) Set(text string) error {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n > 0 && n <= maxSpeed) { // NaN is neither
		return usageError{fmt.Errorf("--speed %s: write a number above 0 and up to %d, like 2 or 0.5", text, maxSpeed)}
	}
	*f = speedFlag(n)
	return nil
}

func (f *speedFlag) String() string { return strconv.FormatFloat(float64(*f), 'g', -1, 64) }

// Type implements the flag's interface.
func (f *speedFlag) Type() string { return "number" }
