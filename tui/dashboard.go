package tui

// The one Bubble Tea model: its state, and the effects of messages. Keys are handled in key_actions.go and the files after it, drawing
// in view.go.

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/model"
	"gatehouse/tui/decide"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/input"
	"gatehouse/tui/pane"
	"gatehouse/tui/tty"
)

// dashboard is the complete state of the screen.
type dashboard struct {
	opts Options
	keys []binding
	wait func(before *index.Index) tea.Cmd // the command that brings the next snapshot

	index *index.Index

	ended  error // why there will be no more snapshots
	screen screen
	layout layout
	focus  pane.ID
	master pane.ID // the list whose selection the other panes show
	turn   uint64
	used   [pane.Count]uint64 // when each pane last had the focus, as a counter

	panes    [pane.Count]pane.Pane
	tree     *pane.Tree
	file     *pane.File
	timeline *pane.Timeline
	scene    pane.Scene
	seen     index.Seen

	ctx       context.Context // of the program and of requests to the actor
	end       func()          // cancels ctx
	terminal  *tty.Terminal
	canvas    *tty.Canvas
	tick      func(time.Duration, func(time.Time) tea.Msg) tea.Cmd
	decisions *decide.Decisions
	// reopen restores the last selection with the first snapshot; nil afterwards.
	reopen          func()
	written         written
	reportedUnsaved bool // an error of the keeper was shown

	dialogs    []decide.Dialog // the last one sees keys first
	touched    bool            // a key or the mouse was used
	unseen     bool            // a key came before its dialog was on the screen
	toast      toast
	notices    []string // not shown yet
	complained string   // the last error of the notifier that was shown
	noMouse    bool
	still      bool  // no keys: no selection, no footer
	column     bool  // everything is in one column
	focused    *bool // whether the terminal has the focus; nil if unknown

	look    *draw.Look
	dark    *bool // the terminal's background, nil until it answers
	profile colorprofile.Profile
}

// minuteMsg says that ages may have changed.
type minuteMsg time.Time

func newDashboard(opts Options, wait func(*index.Index) tea.Cmd) *dashboard {
	if opts.Theme == "" {
		opts.Theme = draw.ThemeAuto
	}
	if wait == nil {
		wait = func(*index.Index) tea.Cmd { return nil }
	}
	rows := slices.DeleteFunc(bindings(), func(b binding) bool { return opts.ReadOnly && b.writes })
	d := &dashboard{opts: opts, wait: wait, keys: rebindRows(rows, opts.Keys), profile: opts.Profile, noMouse: opts.NoMouse,
		ctx: context.Background(), end: func() {}, tick: tea.Tick}
	d.look = &draw.Look{Glyphs: draw.NewGlyphs(opts.ASCII || wantsASCII(opts.Env)), Now: opts.currentTime()}
	d.panes = pane.New()
	d.tree, d.file, d.timeline = d.panes[pane.TreeID].(*pane.Tree), d.panes[pane.FileID].(*pane.File), d.panes[pane.TimelineID].(*pane.Timeline)
	offers := func(r index.Row) []draw.Hint { return d.offersOf(decide.Target{Site: r.Site, Node: r.Node}) }
	d.scene = pane.Scene{InView: d.inView, Subject: d.selectedSubject, Offers: offers}
	d.index, d.tree.Unfolded = index.New(nil, nil), opts.Unfolded
	answerer := opts.Answerer
	if opts.ReadOnly {
		answerer = nil
	}
	d.decisions = decide.New(d.ctx, d, opts.Actor, answerer)
	d.reopen = d.openAtWork
	d.fitTheme(d.profile)
	d.showSnapshot(d.index)
	return d
}

// Init waits for the first snapshot and asks the terminal about its colors.
func (d *dashboard) Init() tea.Cmd {
	cmds := []tea.Cmd{d.wait(d.index), nextMinute(d.look.Now)}
	if d.opts.Theme == draw.ThemeAuto {
		cmds = append(cmds, tea.Raw(ansi.RequestBackgroundColor))
	}
	return tea.Batch(append(cmds, d.nextNotice())...)
}

// nextMinute returns the command that wakes at the beginning of the next minute, the only clock of the dashboard.
func nextMinute(now time.Time) tea.Cmd {
	return tea.Tick(time.Minute-now.Sub(now.Truncate(time.Minute)), func(t time.Time) tea.Msg { return minuteMsg(t) })
}

// Update handles a message. It opens no file and never waits.
func (d *dashboard) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := d.handleMessage(msg)
	d.layOut()
	return d, tea.Batch(cmd, d.readFile())
}

func (d *dashboard) handleMessage(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case tea.PasteMsg, tea.MouseClickMsg, tea.MouseWheelMsg:
		d.touched = true
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return d.pressKey(input.Stroke{Name: msg.String(), Text: msg.Text})
	case tea.PasteMsg:
		return d.pasteText(msg.Content)
	case tea.MouseClickMsg:
		return d.handleClick(msg.Mouse())
	case tea.MouseWheelMsg:
		d.scrollAt(msg.Mouse())
	case tea.WindowSizeMsg:
		d.resizeTo(msg.Width, msg.Height)
	case snapshotMsg:
		d.updateTime()
		recalled := d.restoreMemory(msg.kept)
		if summary := msg.index.SinceVisit(d.look.Now); msg.kept != nil && summary != "" {
			recalled = tea.Batch(recalled, d.addNotice(summary))
		}
		d.showSnapshot(msg.index)
		return tea.Batch(recalled, d.wait(msg.index), d.notifyUser(msg.index), d.decisions.TellOverwritten(msg.index.Losses), d.decisions.Reconsider())
	case feedEndedMsg:
		d.ended = msg.err
	case minuteMsg:
		d.updateTime()
		return tea.Batch(nextMinute(d.look.Now), d.saveState())
	case pane.TextMsg:
		d.file.Take(msg, &d.scene)
	case pathMsg:
		return d.startProgram(msg)
	case tea.FocusMsg, tea.BlurMsg:
		_, on := msg.(tea.FocusMsg)
		d.focused = &on
	case tea.BackgroundColorMsg:
		dark := msg.IsDark()
		d.dark = &dark
		d.fitTheme(d.profile)
	case tea.ColorProfileMsg:
		d.fitTheme(msg.Profile)
	case decide.Result:
		return msg.Take()
	}
	return nil
}

// showSnapshot swaps in a snapshot.
func (d *dashboard) showSnapshot(ix *index.Index) {
	d.index = ix
	d.updateMarks() // marked rows are not part of a run
	d.tree.Load(ix)
	d.timeline.Load(ix, d.look.Now)
	d.decisions.Load(ix)
	if d.reopen != nil && ix.Snap.Version > 0 {
		d.reopen()
		d.reopen = nil
	} else {
		d.followWork()
	}
	if at, ok := d.index.RowOf(d.opts.At); ok && d.opts.At != "" { // as soon as there is a row of the requested file
		d.tree.GoTo(at)
		d.opts.At = ""
	}
	d.layOut()
}

// openAtWork selects the first wait, else running work, in projects without a saved selection. Of several projects it selects a whole
// build: a row inside one would hide the others.
func (d *dashboard) openAtWork() {
	if d.index.Start != (index.Place{}) && !d.still {
		d.openAt(d.index.Start)
	}
}

// openAt selects a place that the user has not chosen.
func (d *dashboard) openAt(at index.Place) {
	site := d.index.Site(at)
	isShown := site != nil && site.Build != nil && site.Build.ID == model.AgentsBuild // its rows are never folded at first
	if len(d.index.Snap.Projects) > 1 && !d.opts.Unfolded && !isShown {
		at.Node = ""
	}
	d.tree.Open(at)
}

// followWork selects a new wait, or running work if the selection is idle, until the user presses the first key.
func (d *dashboard) followWork() {
	if d.touched || d.still || d.reopen != nil || d.opts.At != "" {
		return
	}
	for _, w := range d.index.Began {
		if w.IsCurrent() && !w.OutOfReach() {
			d.openAt(w.At())
			return
		}
	}
	if r, ok := d.tree.At(); ok && r.Site.Build != nil && !d.isIdle(r) || d.index.Start == (index.Place{}) {
		return
	}
	d.openAt(d.index.Start)
}

// isIdle reports whether a row neither waits nor runs.
func (d *dashboard) isIdle(r index.Row) bool {
	if r.Node == nil {
		_, asks := r.Site.Question()
		return !asks && r.Site.Running() == nil
	}
	stands := r.Site.Standing(r.Node)
	return stands != index.StandsWaiting && stands != index.StandsRunning
}

// updateMarks marks the changes that the user has not seen.
func (d *dashboard) updateMarks() {
	d.seen.Update(d.index)
	d.tree.Marks = d.seen.Marks
}

// resizeTo fits everything to a terminal of the given size.
func (d *dashboard) resizeTo(width, height int) {
	d.screen = screenFor(width, height, d.layout)
	d.changeLook(func(l *draw.Look) { l.Narrow = width < doubleFrom })
	d.layOut()
}

// updateScreen lays out the screen again after a change of the layout.
func (d *dashboard) updateScreen() { d.resizeTo(d.screen.width, d.screen.height) }

// updateTime sets the time from which ages count.
func (d *dashboard) updateTime() {
	d.changeLook(func(l *draw.Look) { l.Now = d.opts.currentTime() })
}

// changeLook replaces the look; commands may still use the last one.
func (d *dashboard) changeLook(change func(*draw.Look)) {
	l := *d.look
	change(&l)
	d.look, d.decisions.Look = &l, &l
}

// fitTheme chooses the theme by the user's option, the terminal's colors and its background.
func (d *dashboard) fitTheme(profile colorprofile.Profile) {
	d.profile = profile
	d.changeLook(func(l *draw.Look) { l.Theme = draw.NewStyles(draw.ThemeFor(d.opts.Theme, profile, d.dark)) })
	d.layOut()
}

// The methods that decisions need, apart from dialogs and files: see [decide.Host].

func (d *dashboard) Files() model.Files { return d.opts.Files }
func (d *dashboard) Unseen() bool       { return d.unseen }
func (d *dashboard) TooSmall() bool     { return d.screen.kind == tooSmall }
func (d *dashboard) Now() time.Time     { return d.opts.currentTime() }

func (d *dashboard) Select(at index.Place) {
	d.tree.GoTo(at)
	d.master = pane.TreeID
}

func (d *dashboard) Tick(wait time.Duration, then func(time.Time) tea.Msg) tea.Cmd {
	return d.tick(wait, then)
}

// Leave returns the command that ends the program. Ending the context avoids waiting for the input to be read to the end: the framework
// allows half a second for that if more input has arrived, another key or a terminal's answer.
func (d *dashboard) Leave() tea.Msg {
	d.end()
	return tea.QuitMsg{}
}

// Dialogs stand over the panes and receive the keys. They are a stack; the top one is active.

// Open puts a dialog on top.
func (d *dashboard) Open(x decide.Dialog) { d.dialogs = append(d.dialogs, x) }

// Close removes a dialog from anywhere in the stack.
func (d *dashboard) Close(x decide.Dialog) {
	d.dialogs = slices.DeleteFunc(d.dialogs, func(other decide.Dialog) bool { return other == x })
}

// topDialog returns the dialog that receives keys, or nil.
func (d *dashboard) topDialog() decide.Dialog {
	if len(d.dialogs) == 0 {
		return nil
	}
	return d.dialogs[len(d.dialogs)-1]
}

// sight identifies what must be on the screen before a key decides anything: a revision of a dialog in a window of some size.
type sight struct {
	dialog        decide.Dialog
	revision      uint64
	width, height int
}

// currentSight returns what must be on the screen now.
func (d *dashboard) currentSight() sight {
	s := sight{dialog: d.topDialog(), width: d.screen.width, height: d.screen.height}
	if asks, ok := s.dialog.(interface{ Revision() uint64 }); ok {
		s.revision = asks.Revision()
	}
	return s
}

// pasteText passes a pasted text to the dialog on top. Without a dialog it is ignored: a text must not press keys.
func (d *dashboard) pasteText(text string) tea.Cmd {
	if top := d.topDialog(); top != nil {
		return top.Press(input.Stroke{Text: text})
	}
	return nil
}
