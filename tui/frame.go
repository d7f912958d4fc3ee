package tui

// Frames without a terminal: for gatehouse --once, for pictures and for tests.

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"gatehouse/model"
	"gatehouse/tui/decide"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/input"
	"gatehouse/tui/pane"
)

// Once returns one frame of a snapshot for output without keys: nothing is selected and no keys are offered. Lines
// are at most width columns wide, without trailing blanks, and each ends with a newline. There are at most height
// lines; with height 0 everything is in one column, which can be read from top to bottom, and aloud.
func Once(snap *model.Snapshot, width, height int, opts Options) string {
	d := newDashboard(opts, nil)
	d.still, d.tree.Still, d.layout.still = true, true, true
	d.showSnapshot(index.New(snap, nil))
	if d.column = height <= 0; d.column {
		height = smallestHeight
	}
	d.resizeTo(width, height)
	lines := strings.Split(d.paintFrame(opts.Profile), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n"
}

// inColumn returns everything in one column: the header, the tree, the waits, and the state of the build.
func (d *dashboard) inColumn() []string {
	if d.screen.kind == tooSmall {
		return tooSmallFrame(d.look, d.index, d.screen.width, d.screen.height)
	}
	width := d.screen.width
	lines := d.drawHeader(max(min(d.screen.kind, single), sidebar), width)
	if d.index.Empty() {
		return append(lines, emptyPage(d.look, d.index, d.opts, width-2).Lines...)
	}
	for _, p := range [...]pane.ID{pane.TreeID, pane.WaitsID, pane.DetailID} {
		c := d.panes[p]
		s := &d.scene
		s.Index, s.Look = d.index, d.look
		s.Row, _ = d.tree.At()
		s.InView = func(other pane.ID) bool { return other == pane.WaitsID }
		c.Lay(s, draw.Area{Width: width, Height: columnHeight}, true)
		n := c.(interface{ Lines() int }).Lines()
		if p == pane.DetailID && len(d.index.Sites) > 1 || n == 0 {
			continue // with several builds the table is enough
		}
		lines = append(lines, "")
		if p != pane.TreeID {
			r := d.look.Ribbon(width)
			r.Gap(1)
			r.Add(d.look.Theme.Strong, c.Title(s, true))
			lines = append(lines, r.Line())
		}
		lines = append(lines, c.Render(d.look, width, n, false)...)
	}
	return lines
}

// columnHeight is more than the number of lines of any pane.
const columnHeight = 1 << 20

// FrameAfter returns the dashboard of a snapshot on a terminal of width by height after some keys, each named as in the key table: "j",
// "enter", "shift+tab". The dashboard showed other snapshots before, so that it knows the changes. The frame has exactly height lines,
// each exactly width columns wide, joined by newlines.
func FrameAfter(before []*model.Snapshot, snap *model.Snapshot, width, height int, opts Options, keys ...string) string {
	v := NewVisit(width, height, opts)
	for _, earlier := range before {
		v.Show(earlier)
	}
	v.Show(snap)
	v.Press(keys...)
	return v.Frame()
}

// Visit is a dashboard without a terminal. Press returns after all effects of the keys.
type Visit struct{ d *dashboard }

// NewVisit opens a dashboard without a snapshot.
func NewVisit(width, height int, opts Options) *Visit {
	d := newDashboard(opts, nil)
	d.resizeTo(width, height)
	return &Visit{d}
}

// Show shows a snapshot, at the current time of the clock.
func (v *Visit) Show(snap *model.Snapshot) {
	v.d.updateTime()
	v.d.showSnapshot(index.New(snap, v.d.index))
}

// Press presses keys, each named as in the key table.
func (v *Visit) Press(keys ...string) { v.d.enterKeys(keys...) }

// Frame returns the screen, as [FrameAfter] does.
func (v *Visit) Frame() string {
	v.Press()
	return v.d.paintFrame(v.d.opts.Profile)
}

// enterKeys presses keys and runs all their commands at once, without timers.
func (d *dashboard) enterKeys(keys ...string) {
	d.tick = func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil }
	d.layOut()
	d.carryOut(d.readFile())
	for _, key := range keys {
		d.carryOut(d.pressKey(input.StrokeOf(key)))
		d.carryOut(d.readFile())
	}
}

// carryOut runs a command, and passes its message to the dashboard.
func (d *dashboard) carryOut(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			d.carryOut(c)
		}
	case pane.TextMsg, pathMsg, decide.Result:
		_, next := d.Update(msg)
		d.carryOut(next)
	}
}

// paintFrame returns the frame in the colors of a profile.
func (d *dashboard) paintFrame(profile colorprofile.Profile) string {
	if profile != d.profile {
		d.fitTheme(profile)
	}
	if profile == colorprofile.Unknown {
		profile = colorprofile.NoTTY
	}
	var out strings.Builder
	w := colorprofile.Writer{Forward: &out, Profile: profile}
	frame := d.renderFrame
	if d.column {
		frame = func() string { return strings.Join(d.inColumn(), "\n") }
	}
	w.WriteString(frame()) // a strings.Builder never fails
	return out.String()
}
