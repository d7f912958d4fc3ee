package main

// gatehouse demo: a simulated build in a directory of its own, and the dashboard on it.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"gatehouse/parse"
	"gatehouse/parse/demo"
)

func newDemo(s *surroundings) *cobra.Command {
	var l look
	var dir string
	var headless bool
	speed := speedFlag(1)
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show a simulated build, live",
		Long: `Play a simulated GSD build: real files in a temporary directory, written step by
step, with a gate that asks you, a plan that is blocked, a verification that
fails, and a STATE.md that lags behind. The dashboard shows it live. The
directory is removed at the end, unless --dir names one.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opts, err := l.options(s)
			if err != nil {
				return err
			}
			if !headless {
				if err := s.needsTerminal(); err != nil {
					return err
				}
			}
			// From here on there is a directory to be removed.
			return untilSignal(cmd.Context(), func(ctx context.Context) (err error) {
				at, done, err := demoDir(dir)
				if err != nil {
					return err
				}
				defer func() { err = errors.Join(err, done()) }()
				build, err := demo.New(at, demo.Options{Speed: float64(speed), Once: headless})
				if err != nil {
					return err
				}
				if headless {
					s.out.printf("%s\n", at)
					if err := s.out.Flush(); err != nil { // now: whoever reads it wants to look on
						return err
					}
					return build.Run(ctx)
				}
				project, err := parse.Open(at, s.user)
				if err != nil {
					return err
				}
				opts.TitlePath = shortPath(at, s.user.Home)
				ctx, stop := context.WithCancel(ctx)
				defer stop()
				played := make(chan error, 1)
				go func() {
					defer stop() // a build that cannot go on is not worth looking at
					played <- build.Run(ctx)
				}()
				shown := s.dashboard(ctx, []*parse.Project{project}, opts)
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

// demoDir returns the directory to play in, and what to do with it afterwards.
func demoDir(dir string) (at string, done func() error, err error) {
	if dir != "" {
		return dir, func() error { return nil }, nil
	}
	temp, err := os.MkdirTemp("", "gatehouse-demo-")
	if err != nil {
		return "", nil, err
	}
	return filepath.Join(temp, demo.Name), func() error { return os.RemoveAll(temp) }, nil
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
