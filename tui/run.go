package tui

// Running the dashboard on a terminal. What ends it, and how long that may take:
//
//	ctx ends (a signal) ┐
//	q                   │   the framework ends by itself and restores the screen: at once, or
//	the terminal's end  ├─► after endLimit it is left alone ─► the terminal is restored all the same ─► Run returns
//	a panic             ┘
//
// The framework may hang because it waits for something that never comes. Nothing here waits for the framework.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/index"
	"gatehouse/tui/tty"
)

// endLimit is how long the framework has to end by itself. It takes some milliseconds.
const endLimit = 300 * time.Millisecond

// errQuit is the cancellation cause of the program's context after the user has quit.
var errQuit = errors.New("quit")

// Fault is a panic that ended the dashboard.
type Fault struct {
	What  any
	Stack []byte // of the goroutine
}

func (f *Fault) Error() string { return fmt.Sprintf("the dashboard failed: %v", f.What) }

// Run shows a dashboard on the terminal until the user quits, and returns nil then. When ctx ends first it returns the
// context's error, when the terminal goes away [tty.ErrGone], after a panic a [Fault]. It returns within a second after
// each, and has restored the terminal then, as far as the terminal lets it.
func Run(ctx context.Context, feed model.Feed, opts Options) error {
	if opts.Input == nil {
		keys, _, err := tea.OpenTTY()
		if err != nil {
			return fmt.Errorf("keys can't be read: %w", err)
		}
		defer keys.Close()
		opts.Input = keys
	}
	if opts.Output == nil {
		opts.Output = os.Stdout
	}
	t := tty.Open(opts.Input, opts.Output)
	parent := ctx
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil) // releases the command that waits for the feed

	l := newLive(ctx, feed, opts, t, end)
	l.canvas.Enter()
	program := tea.NewProgram(l, programOptions(ctx, l)...)
	over := make(chan error, 1)
	go func() {
		_, err := program.Run()
		over <- err
	}()
	go l.forwardSignals(ctx, program)

	var err error
	ended := false
	select {
	case err = <-over:
		ended = true
	case <-t.Gone():
		end(tty.ErrGone)
	case <-ctx.Done():
	}
	t.Leave()
	if !ended {
		select {
		case err = <-over:
			ended = true
		case <-time.After(endLimit):
		}
	}
	l.canvas.Leave()
	t.Close(ended)
	if d := l.dashboard; ended && opts.Keeper != nil && d.index.Snap.Version > 0 {
		if err := d.saver()(lastKeep); err != nil && opts.Unsaved != nil && !d.reportedUnsaved {
			opts.Unsaved(err)
		}
	}
	return runResult(parent, ctx, l, err)
}

// runResult returns the reason why a dashboard has ended; err is the error of the framework.
func runResult(parent, ctx context.Context, l *live, err error) error {
	var fault *Fault
	switch {
	case errors.As(context.Cause(ctx), &fault):
		return fault
	case parent.Err() != nil:
		return parent.Err()
	case context.Cause(ctx) == errQuit:
		return nil
	case isClosed(l.terminal.Gone()):
		return tty.ErrGone
	}
	return err
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// programOptions returns the options of the framework.
func programOptions(ctx context.Context, l *live) []tea.ProgramOption {
	opts, t := l.dashboard.opts, l.terminal
	width, height := t.Size()
	options := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithoutRenderer(), tea.WithFPS(1), tea.WithColorProfile(opts.Profile), tea.WithWindowSize(width, height),
		tea.WithInput(t.Input()), tea.WithOutput(t.Output()), tea.WithFilter(l.filterMessage),
		// Signals end the context, from outside: the framework's own handler and its event loop can block each other for good
		// when both happen at the same moment.
		tea.WithoutSignalHandler(),
	}
	if opts.Env != nil {
		options = append(options, tea.WithEnvironment(opts.Env))
	}
	return options
}

// snapshotMsg brings a new snapshot, already indexed.
type snapshotMsg struct {
	index *index.Index
	kept  *memory // with the first one, if there is a keeper
}

// feedEndedMsg reports that there will be no more snapshots.
type feedEndedMsg struct{ err error }

// waitFor returns the command that waits for a snapshot newer than another. Indexing and comparing with the last one are done
// here, outside the loop that handles keys.
func waitFor(ctx context.Context, feed model.Feed, keeper Keeper) func(before *index.Index) tea.Cmd {
	return func(before *index.Index) tea.Cmd {
		return func() tea.Msg {
			snap, err := feed.Next(ctx, before.Snap.Version)
			if err != nil {
				return feedEndedMsg{err}
			}
			msg := snapshotMsg{index: index.New(snap, before)}
			if keeper != nil && before.Snap.Version == 0 {
				msg.kept = loadMemory(keeper, msg.index)
			}
			return msg
		}
	}
}
