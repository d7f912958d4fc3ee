package tui

// The one Bubble Tea model: its state, and what messages do to it. What keys do is in actions.go and what follows, drawing
// in view.go.

import (
	"context"
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

// dashboard is all there is to know about the screen.
type dashboard struct {
	opts Options
	keys []binding
	wait func(before *index.Index) tea.Cmd // the command that brings the next snapshot; nil outside of a terminal

	index *index.Index

	shown  uint64 // how many snapshots were shown so far
	ended  error  // why no snapshot will come any more
	screen screen
	layout layout
	focus  pane.ID
	master pane.ID // the list whose selection the other panes are about
	turn   uint64
	used   [pane.Count]uint64 // when each pane had the focus last, in turns

	panes    [pane.Count]pane.Pane
	tree     *pane.Tree
	file     *pane.File
	timeline *pane.Timeline
	scene    pane.Scene
	seen     index.Seen

	ctx       context.Context // ends with the program, and with it what the actor is asked for
	end       func()          // ends it
	terminal  *tty.Terminal
	canvas    *tty.Canvas
	tick      func(time.Duration, func(time.Time) tea.Msg) tea.Cmd
	decisions *decide.Decisions
	// reopen goes to where one was when the dashboard was left, with the first snapshot; nil afterwards.
	reopen      func()
	written     written
	toldUnsaved bool // that nothing can be kept was said

	dialogs    []decide.Dialog // the last one sees keys first
	touched    bool            // somebody has pressed a key or used the mouse
	unseen     bool            // a key came before what it may be about was on the screen
	toast      toast
	notices    []string // that wait until they can be said
	status     string   // what the terminal was told of the program's status last
	complained string   // what went wrong last with telling the user, as it was said
	noMouse    bool
	dragged    border // by the mouse
	clicked    lastClick
	still      bool  // nobody can press a key: no selection, no footer
	column     bool  // everything is in one column
	focused    *bool // whether the terminal is looked at, nil until it says so

	look     *draw.Look
	dark     *bool // the terminal's background, nil until it answers
	profile  colorprofile.Profile
	drawings [pane.Count]drawing
}

// minuteMsg says that ages may have changed.
type minuteMsg time.Time

func newDashboard(opts Options, wait func(*index.Index) tea.Cmd) *dashboard {
	if opts.Theme == "" {
		opts.Theme = draw.ThemeAuto
	}
	d := &dashboard{opts: opts, wait: wait, keys: rebound(allowed(bindings(), opts.ReadOnly), opts.Keys), profile: opts.Profile, noMouse: opts.NoMouse,
		ctx: context.Background(), end: func() {}, tick: tea.Tick}
	d.look = &draw.Look{Glyphs: draw.NewGlyphs(opts.ASCII || wantsASCII(opts.Env)), Now: opts.now(), Links: knowsLinks(opts.Env)}
	d.panes = pane.New()
	d.tree, d.file, d.timeline = d.panes[pane.TreeID].(*pane.Tree), d.panes[pane.FileID].(*pane.File), d.panes[pane.TimelineID].(*pane.Timeline)
	d.scene = pane.Scene{InView: d.inView, Subject: d.subject, Offers: d.offersFor, Now: opts.now}
	d.index, d.tree.Unfolded, d.tree.Shows = index.New(nil, nil), opts.Unfolded, opts.Columns
	answerer := opts.Answerer
	if opts.ReadOnly {
		answerer = nil
	}
	d.decisions = decide.New(d.ctx, d, opts.Actor, answerer)
	d.file.Looks = &d.decisions.Looks
	d.reopen = d.openAtWork
	d.fitTheme(d.profile)
	d.show(d.index)
	return d
}

// Init waits for the first snapshot and asks the terminal what it is like.
func (d *dashboard) Init() tea.Cmd {
	cmds := []tea.Cmd{d.wait(d.index), nextMinute(d.look.Now)}
	if d.opts.Theme == draw.ThemeAuto {
		cmds = append(cmds, tea.Raw(ansi.RequestBackgroundColor))
	}
	return tea.Batch(append(cmds, d.nextNotice())...)
}

// nextMinute returns the command that wakes at the beginning of the next minute: the only clock there is.
func nextMinute(now time.Time) tea.Cmd {
	return tea.Tick(time.Minute-now.Sub(now.Truncate(time.Minute)), func(t time.Time) tea.Msg { return minuteMsg(t) })
}

// Update takes in what happened. It opens no file and waits for nothing.
func (d *dashboard) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := d.take(msg)
	d.layOut()
	return d, tea.Batch(cmd, d.readFile())
}

func (d *dashboard) take(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case tea.PasteMsg, tea.MouseClickMsg, tea.MouseWheelMsg:
		d.touched = true
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return d.press(input.Stroke{Name: msg.String(), Text: msg.Text})
	case tea.PasteMsg:
		return d.paste(msg.Content)
	case tea.MouseClickMsg:
		return d.click(msg.Mouse())
	case tea.MouseMotionMsg:
		d.drag(msg.Mouse())
	case tea.MouseReleaseMsg:
		d.dragged = noBorder
	case tea.MouseWheelMsg:
		d.wheel(msg.Mouse())
	case tea.WindowSizeMsg:
		d.resize(msg.Width, msg.Height)
	case snapshotMsg:
		d.tellTime()
		recalled := d.recalled(msg.kept)
		if said := msg.index.SinceVisit(d.look.Now); msg.kept != nil && said != "" {
			recalled = tea.Batch(recalled, d.notice(said))
		}
		d.show(msg.index)
		return tea.Batch(recalled, d.wait(msg.index), d.notify(msg.index), d.tellStatus(), d.decisions.TellOverwritten(msg.index.Losses), d.decisions.Reconsider())
	case toldMsg:
		return d.told(msg)
	case ranMsg:
		return d.complain(msg.err)
	case feedEndedMsg:
		d.ended = msg.err
	case minuteMsg:
		d.tellTime()
		return tea.Batch(nextMinute(d.look.Now), d.save())
	case noticeMsg:
		return tea.Batch(d.notice(string(msg)), d.nextNotice())
	case savedMsg:
		return d.saved(msg.err)
	case pane.TextMsg:
		d.file.Take(msg, &d.scene)
	case jumpedMsg:
		return d.jumped(msg)
	case pathMsg:
		return d.start(msg)
	case programEndedMsg:
		return d.programEnded(msg)
	case toastGoneMsg:
		return d.toastGone(msg)
	case tea.FocusMsg:
		d.setFocused(true)
	case tea.BlurMsg:
		d.setFocused(false)
	case tea.BackgroundColorMsg:
		dark := msg.IsDark()
		d.dark = &dark
		d.fitTheme(d.profile)
	case tea.ColorProfileMsg:
		d.fitTheme(msg.Profile)
	default:
		return d.decisions.Take(msg)
	}
	return nil
}

// show swaps in a snapshot.
func (d *dashboard) show(ix *index.Index) {
	d.index = ix
	d.shown++
	d.mark() // what is marked stands in no run
	for _, p := range d.panes {
		if p, ok := p.(pane.Loader); ok {
			p.Load(ix)
		}
	}
	d.decisions.Load(ix)
	if d.reopen != nil && ix.Snap.Version > 0 {
		d.reopen()
		d.reopen = nil
	} else {
		d.followWork()
	}
	d.goToFile()
	d.layOut()
	d.proveToast()
}

// openAtWork selects what waits, else what runs, where nobody has been before. Of several projects it is the row of the whole: what is
// in one would hide the others.
func (d *dashboard) openAtWork() {
	if d.index.Start != (index.Place{}) && !d.still {
		d.openAt(d.index.Start)
	}
}

// openAt selects a place that nobody has chosen.
func (d *dashboard) openAt(at index.Place) {
	if len(d.index.Snap.Projects) > 1 && !d.opts.Unfolded {
		at.Node = ""
	}
	d.tree.Open(at)
}

// followWork selects what has begun to wait, or what runs where the work has left what is selected, for as long as nobody has touched
// anything.
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

// isIdle reports whether nothing of a row waits or runs.
func (d *dashboard) isIdle(r index.Row) bool {
	if r.Node == nil {
		_, asks := r.Site.Question()
		return !asks && r.Site.Running() == nil
	}
	stands := r.Site.Standing(r.Node)
	return stands != index.StandsWaiting && stands != index.StandsRunning
}

// goToFile selects the row of the file that was asked for, as soon as there is one.
func (d *dashboard) goToFile() {
	if at, ok := d.index.RowOf(d.opts.At); ok && d.opts.At != "" {
		d.tree.GoTo(at)
		d.opts.At = ""
	}
}

// mark makes the marks of what the user has not seen anew.
func (d *dashboard) mark() {
	d.seen.Update(d.index)
	d.tree.SetMarks(d.seen.Marks)
}

// resize fits everything to a terminal of some size.
func (d *dashboard) resize(width, height int) {
	d.layout.graph = d.tree.AsGraph
	d.screen = screenFor(width, height, d.layout)
	if narrow := width < doubleFrom; narrow != d.look.Narrow {
		l := *d.look
		l.Narrow = narrow
		d.look, d.decisions.Look = &l, &l
	}
	d.layOut()
}

// arrange divides the screen anew after the layout changed.
func (d *dashboard) arrange() { d.resize(d.screen.width, d.screen.height) }

func (d *dashboard) setFocused(on bool) { d.focused = &on }

// tellTime makes ages count from now.
func (d *dashboard) tellTime() {
	l := *d.look
	l.Now = d.opts.now()
	d.look = &l
}

// fitTheme chooses the theme by the wish, the terminal's colours and its background.
func (d *dashboard) fitTheme(profile colorprofile.Profile) {
	d.profile = profile
	l := *d.look
	theme := draw.ThemeFor(d.opts.Theme, profile, d.dark)
	l.Theme = draw.NewStyles(theme)
	if theme != draw.ThemeMono {
		l.Theme.Repaint(d.opts.Colors)
	}
	d.look, d.decisions.Look = &l, &l
	d.layOut()
}

// What deciding needs of the dashboard besides dialogs and files: see [decide.Host].

// Files reads the files of a project; nil where none can be read.
func (d *dashboard) Files() model.Files { return d.opts.Files }

// Unseen reports whether the dialog on top is not on the screen yet as it is.
func (d *dashboard) Unseen() bool { return d.unseen }

// TooSmall reports whether there is too little room to show anything.
func (d *dashboard) TooSmall() bool { return d.screen.kind == tooSmall }

// Remark says something else than their status beside some rows.
func (d *dashboard) Remark(remarks map[index.Place]string) { d.tree.SetRemarks(remarks) }

// Now returns the time.
func (d *dashboard) Now() time.Time { return d.opts.now() }

// Select implements [decide.Host].
func (d *dashboard) Select(at index.Place) {
	d.tree.GoTo(at)
	d.master = pane.TreeID
}

// Tick returns a command that waits.
func (d *dashboard) Tick(wait time.Duration, then func(time.Time) tea.Msg) tea.Cmd {
	return d.tick(wait, then)
}

// Leave is the command that ends the program. Ending its context does not wait for its input to be read to the end: the framework
// gives that half a second where more has come, another key or a terminal's answer.
func (d *dashboard) Leave() tea.Msg {
	d.end()
	return tea.QuitMsg{}
}
