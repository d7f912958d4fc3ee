package tui

// The dashboard as the framework runs it: the parts that only a terminal and a program need.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"gatehouse/model"
	"gatehouse/tui/index"
	"gatehouse/tui/tty"
)

// live is a dashboard on a terminal.
//
//   - Nothing new is drawn while the terminal has not taken the last frame, nor for each of many keys that arrive
//     together: the frame would be outdated at once. Keys still work, except those that decide something unseen.
//   - A panic ends the program. The terminal is restored before the panic is reported.
type live struct {
	dashboard *dashboard
	terminal  *tty.Terminal
	canvas    *tty.Canvas
	end       context.CancelCauseFunc

	shown   tea.View // the last frame
	at      time.Time
	drawn   sight // what the last frame showed
	seen    sight // what the terminal has taken
	behind  bool  // the terminal has not taken the last frame yet
	waiting bool  // a command waits for the terminal
	hasty   bool  // keys arrive so fast that they are drawn together
	pausing bool  // a command waits for the next drawing
}

// keyInterval is the minimum time between the drawings for two keys. Nobody types or looks as fast, and drawing happens more
// often than writing: see framesPerSecond.
const keyInterval = 15 * time.Millisecond

// caughtUpMsg reports that the terminal has taken everything drawn.
type caughtUpMsg struct{ redraw bool }

// drawMsg reports that it is time to draw the effects of keys.
type drawMsg struct{}

// continuedMsg reports that the process continues after it was stopped from outside.
type continuedMsg struct{}

func newLive(ctx context.Context, feed model.Feed, opts Options, t *tty.Terminal, end context.CancelCauseFunc) *live {
	if opts.Profile == colorprofile.Unknown {
		opts.Profile = colorprofile.Detect(opts.Output, opts.Env)
	}
	d := newDashboard(opts, waitFor(ctx, feed, opts.Keeper))
	d.ctx, d.end, d.terminal, d.decisions.Context = ctx, func() { end(errQuit) }, t, ctx
	d.canvas = t.NewCanvas(opts.Env, opts.Profile)
	return &live{dashboard: d, terminal: t, canvas: d.canvas, end: end}
}

// forwardSignals sends the program the signals of the terminal.
func (l *live) forwardSignals(ctx context.Context, program *tea.Program) {
	for {
		select {
		case <-l.terminal.Resized():
			width, height := l.terminal.Size()
			program.Send(tea.WindowSizeMsg{Width: width, Height: height})
		case <-l.terminal.Continued():
			program.Send(continuedMsg{})
		case <-ctx.Done():
			return
		}
	}
}

// filterMessage sees every message before the framework does. It clamps window sizes, because the framework allocates for any size,
// and writes raw output at once, because the framework writes only now and then.
func (l *live) filterMessage(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		msg.Width, msg.Height = tty.Clamp(msg.Width, msg.Height)
		return msg
	case tea.RawMsg:
		l.canvas.Write(fmt.Sprint(msg.Msg))
		return nil
	}
	return msg
}

// endByPanic ends the program after a panic.
func (l *live) endByPanic(what any) { l.end(&Fault{what, debug.Stack()}) }

// Init implements [tea.Model].
func (l *live) Init() tea.Cmd { return l.guardCommand(l.dashboard.Init()) }

// Update implements [tea.Model]. When it returns, changes are on their way to the screen.
func (l *live) Update(msg tea.Msg) (m tea.Model, cmd tea.Cmd) {
	defer func() {
		if what := recover(); what != nil {
			l.endByPanic(what)
			m, cmd = l, nil
		}
	}()
	if !l.terminal.IsBehind() {
		l.seen = l.drawn
	}
	l.dashboard.unseen = l.dashboard.currentSight() != l.seen
	l.hasty = false
	switch msg := msg.(type) {
	case caughtUpMsg:
		l.waiting = false
		if msg.redraw {
			l.canvas.Redraw()
		}
	case drawMsg:
		l.pausing = false
	case continuedMsg:
		cmd = tea.Exec(guest{l.canvas, func() error { return nil }}, nil) // the framework releases the terminal and sets it up again
	case tea.KeyMsg, tea.MouseMsg, tea.FocusMsg, tea.BlurMsg:
		_, cmd = l.dashboard.Update(msg)
		l.hasty = time.Since(l.at) < keyInterval
	default:
		l.fitCanvas(msg)
		_, cmd = l.dashboard.Update(msg)
	}
	cmd = tea.Batch(cmd, l.drawLater())
	l.drawFrame()
	return l, l.guardCommand(cmd)
}

// fitCanvas adapts the canvas to what the terminal reports.
func (l *live) fitCanvas(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		l.canvas.Resize(msg.Width, msg.Height)
	case tea.ModeReportMsg:
		l.canvas.SetMode(msg.Mode, msg.Value)
	}
}

// drawLater returns the command that draws later what is not drawn now, or nil.
func (l *live) drawLater() (cmd tea.Cmd) {
	if l.behind = l.terminal.IsBehind(); l.behind && !l.waiting {
		l.waiting = true
		cmd = func() tea.Msg { return caughtUpMsg{l.terminal.CaughtUp()} }
	}
	if l.hasty && !l.pausing {
		l.pausing = true
		cmd = tea.Batch(cmd, tea.Tick(keyInterval-time.Since(l.at), func(time.Time) tea.Msg { return drawMsg{} }))
	}
	return cmd
}

// drawFrame shows the current dashboard, unless it has to wait.
func (l *live) drawFrame() {
	if !l.behind && !l.hasty {
		l.shown, l.drawn, l.at = l.dashboard.View(), l.dashboard.currentSight(), time.Now()
		l.canvas.Draw(tty.Picture{Frame: l.shown.Content, Title: l.shown.WindowTitle, Mouse: l.shown.MouseMode != tea.MouseModeNone})
	}
}

// View implements [tea.Model]. The framework does not draw it.
func (l *live) View() tea.View { return l.shown }

// guardCommand wraps a command so that its panic ends the program, as a panic in Update does.
func (l *live) guardCommand(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if what := recover(); what != nil {
				l.endByPanic(what)
				msg = nil
			}
		}()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = l.guardCommand(batch[i])
			}
		}
		return msg
	}
}

// Other programs on the terminal.

// guest runs something while the framework and the canvas have released the terminal.
type guest struct {
	canvas *tty.Canvas
	do     func() error
}

// guestTime is the minimum duration of a guest: the framework stops its clock when it releases the terminal, but does not wait until it has
// stopped, and would stop the clock that it has just restarted.
const guestTime = 50 * time.Millisecond

// Run implements [tea.ExecCommand].
func (g guest) Run() error {
	leave := time.After(guestTime)
	defer func() { <-leave }()
	g.canvas.Leave()
	defer g.canvas.Enter()
	return g.do()
}

// The guest uses the terminal's own streams instead of those of the framework.

func (guest) SetStdin(io.Reader)  {}
func (guest) SetStdout(io.Writer) {}
func (guest) SetStderr(io.Writer) {}

// runInTerminal returns the command that gives the terminal to a program until it ends.
func (d *dashboard) runInTerminal(cmd *exec.Cmd, then func(error) tea.Msg) tea.Cmd {
	return tea.Exec(guest{d.canvas, func() error {
		if lent := d.opts.Lent; lent != nil {
			lent(true)
			defer lent(false)
		}
		return d.terminal.Exec(d.ctx, cmd)
	}}, then)
}

// whyNoShell says why the dashboard can't be suspended to a shell.
func (d *dashboard) whyNoShell() string {
	if runtime.GOOS == "windows" {
		return "there is no shell to go back to here"
	}
	return ""
}

// suspendProgram returns the command that gives the terminal to the shell until the shell continues the dashboard.
func (d *dashboard) suspendProgram() tea.Cmd {
	return tea.Exec(guest{d.canvas, func() error { return d.terminal.Suspend(d.ctx) }}, nil)
}

// Running the dashboard on a terminal. What ends it, and how long that may take:
//
//	ctx ends (a signal) ┐
//	q                   │   the framework ends by itself and restores the screen: at once, or
//	the terminal's end  ├─► after endLimit it is left alone ─► the terminal is restored all the same ─► Run returns
//	a panic             ┘
//
// The framework may hang because it waits for something that never comes. Nothing here waits for the framework.

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
	width, height := t.Size()
	options := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithoutRenderer(), tea.WithFPS(1), tea.WithColorProfile(l.dashboard.opts.Profile), tea.WithWindowSize(width, height),
		tea.WithInput(t.Input()), tea.WithOutput(t.Output()), tea.WithFilter(l.filterMessage),
		// Signals end the context, from outside: the framework's own handler and its event loop can block each other for good
		// when both happen at the same moment.
		tea.WithoutSignalHandler(),
	}
	if opts.Env != nil {
		options = append(options, tea.WithEnvironment(opts.Env))
	}
	program := tea.NewProgram(l, options...)
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
	case l.terminal.IsGone():
		return tty.ErrGone
	}
	return err
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
