package tui

// The one Bubble Tea model: its state, and what messages do to it. What keys do is in actions.go, drawing in view.go.

import (
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// dashboard is all there is to know about the screen.
type dashboard struct {
	opts Options
	keys []binding
	wait func(after uint64) tea.Cmd // the command that brings the next snapshot; nil outside of a terminal

	index  *index
	ended  error // why no snapshot will come any more
	screen screen
	focus  pane

	tree    tree
	detail  scroller
	aside   scroller
	help    scroller
	helping bool
	still   bool   // nobody can press a key: no selection, no footer
	said    string // why the last key did nothing

	look     *look
	dark     *bool // the terminal's background, nil until it answers
	profile  colorprofile.Profile
	pages    pageKeys
	drawings drawings
}

// minuteMsg says that ages may have changed.
type minuteMsg time.Time

func newDashboard(opts Options, wait func(uint64) tea.Cmd) *dashboard {
	if opts.Theme == "" {
		opts.Theme = ThemeAuto
	}
	d := &dashboard{opts: opts, wait: wait, keys: bindings(), profile: opts.Profile}
	d.look = &look{glyphs: newGlyphs(opts.ASCII || wantsASCII(opts.Env)), now: opts.now()}
	d.fitTheme(d.profile)
	d.show(newIndex(nil))
	return d
}

// Init waits for the first snapshot and asks the terminal what it is like.
func (d *dashboard) Init() tea.Cmd {
	cmds := []tea.Cmd{d.wait(0), nextMinute(d.look.now)}
	if d.opts.Theme == ThemeAuto {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	return tea.Batch(cmds...)
}

// nextMinute returns the command that wakes at the beginning of the next minute: the only clock there is.
func nextMinute(now time.Time) tea.Cmd {
	return tea.Tick(time.Minute-now.Sub(now.Truncate(time.Minute)), func(t time.Time) tea.Msg { return minuteMsg(t) })
}

// Update takes in what happened. It opens no file and waits for nothing.
func (d *dashboard) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		cmd = d.press(msg.String())
	case tea.MouseClickMsg:
		d.click(msg.Mouse())
	case tea.MouseWheelMsg:
		d.wheel(msg.Mouse())
	case tea.WindowSizeMsg:
		d.resize(msg.Width, msg.Height)
	case snapshotMsg:
		d.tellTime()
		d.show(msg.index)
		cmd = d.wait(msg.index.snap.Version)
	case feedEndedMsg:
		d.ended = msg.err
	case minuteMsg:
		d.tellTime()
		d.settle()
		cmd = nextMinute(d.look.now)
	case tea.BackgroundColorMsg:
		dark := msg.IsDark()
		d.dark = &dark
		d.fitTheme(d.profile)
	case tea.ColorProfileMsg:
		d.fitTheme(msg.Profile)
	}
	return d, cmd
}

// show swaps in a snapshot.
func (d *dashboard) show(ix *index) {
	d.index = ix
	d.tree.load(ix)
	d.settle()
}

// resize fits everything to a terminal of some size.
func (d *dashboard) resize(width, height int) {
	d.screen = screenFor(width, height)
	if d.screen.kind != tooSmall && !d.screen.shows(d.focus) {
		d.focus = paneTree
	}
	d.settle()
}

// tellTime makes ages count from now.
func (d *dashboard) tellTime() {
	l := *d.look
	l.now = d.opts.now()
	d.look = &l
}

// fitTheme chooses the theme by the wish, the terminal's colours and its background.
func (d *dashboard) fitTheme(profile colorprofile.Profile) {
	d.profile = profile
	l := *d.look
	l.theme = newTheme(themeFor(d.opts.Theme, profile, d.dark))
	d.look = &l
	d.settle()
}
