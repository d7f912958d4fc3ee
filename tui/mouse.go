package tui

// The mouse: everything visible can be clicked, and the wheel moves the pane under it.

import (
	"time"

	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/input"
	"gatehouse/tui/pane"
)

// wheelStep is the number of lines per notch of the wheel.
const wheelStep = 3

// paneAt returns the visible pane at a point, and its slot.
func (d *dashboard) paneAt(x, y int) (p pane.ID, s slot, ok bool) {
	for _, s := range slices.Backward(d.screen.slots) { // a shared edge shows the names of the pane below
		if s.area.Holds(x, y) {
			return d.frontPane(s), s, true
		}
	}
	return 0, slot{}, false
}

// clickable is a dialog that handles clicks.
type clickable interface {
	Click(l *draw.Look, body draw.Area, x, y int) tea.Cmd
}

// handleClick selects, folds or switches the thing under the pointer, and focuses its pane.
func (d *dashboard) handleClick(at tea.Mouse) tea.Cmd {
	if at.Button != tea.MouseLeft || d.screen.kind == tooSmall {
		return nil
	}
	spot := d.spotAt(at.X, at.Y)
	if at.Y == d.screen.height-1 {
		return d.clickSpot(spot)
	}
	d.toast.clear()
	switch top := d.topDialog().(type) {
	case clickable:
		return top.Click(d.look, d.screen.body, at.X, at.Y)
	}
	if d.index.Empty() {
		return nil
	}
	if spot != nil {
		return d.clickSpot(spot)
	}
	if at.Y == bannerRow {
		d.goToBanner()
		return nil
	}
	p, s, ok := d.paneAt(at.X, at.Y)
	if !ok {
		return nil
	}
	if again := d.clicked.isDouble(at, d.opts.currentTime()); again && s.innerArea(p).Holds(at.X, at.Y) {
		return d.pressKey(input.StrokeOf("enter"))
	}
	if at.Y == s.area.Y && d.clickTab(s, at.X-s.area.X) {
		d.noticeSelected()
		return nil
	}
	if in := s.innerArea(p); in.Holds(at.X, at.Y) {
		d.panes[p].Click(d.look, at.X-in.X, at.Y-in.Y, in.Width) // the text that is being typed continues
		d.focusOn(p)
	} else if at.Y == s.area.Y {
		d.focusOn(p)
	}
	d.noticeSelected()
	return nil
}

// doubleClick is the longest time between the two clicks of a double click.
const doubleClick = 400 * time.Millisecond

// lastClick is the position and time of the last click.
type lastClick struct {
	x, y int
	at   time.Time
}

// isDouble reports whether a click is the second of two.
func (c *lastClick) isDouble(m tea.Mouse, now time.Time) bool {
	is := c.x == m.X && c.y == m.Y && !c.at.IsZero() && now.Sub(c.at) < doubleClick
	*c = lastClick{x: m.X, y: m.Y, at: now}
	if is {
		c.at = time.Time{}
	}
	return is
}

// spot is a clickable part of a row: it presses a key, or shows the rows behind a count.
type spot struct {
	row, from, to int
	key           string
	count         *count
}

// placeSpots moves spots from a ribbon to its position on the screen.
func placeSpots(all []spot, row, x int) {
	for i := range all {
		all[i].row, all[i].from, all[i].to = row, all[i].from+x, all[i].to+x
	}
}

// spotAt returns the spot of the header, the banner or the footer at a point, or nil.
func (d *dashboard) spotAt(x, y int) *spot {
	h, f := d.newHeader(), d.newFooter()
	h.Render(d.look, d.screen.kind, d.screen.width)
	_, keys := f.drawRow(d.look, d.screen.width)
	placeSpots(keys, d.screen.height-1, 0)
	all := slices.Concat(h.spots, h.banner.spots, keys)
	if i := slices.IndexFunc(all, func(s spot) bool { return s.row == y && s.from <= x && x < s.to }); i >= 0 {
		return &all[i]
	}
	return nil
}

func (d *dashboard) clickSpot(s *spot) tea.Cmd {
	switch {
	case s == nil:
	case s.key != "":
		return d.pressKey(input.StrokeOf(s.key))
	default:
		d.showCounted(s.count)
	}
	return nil
}

// showCounted shows the rows behind a count, or the pane with the list. A second click clears the filter.
func (d *dashboard) showCounted(c *count) {
	if c.state != index.StandsElsewise {
		f := d.tree.Filter()
		was := f.Has(c.state)
		*f = index.Filter{}
		if !was {
			f.Only(c.state)
		}
		d.tree.Refilter()
		if was || d.tree.Hits > 0 {
			d.focusOn(pane.TreeID)
			return
		}
		*f = index.Filter{} // a blocker may have no row
		d.tree.Refilter()
	}
	d.focusOn(c.pane)
}

// goToBanner selects the row of the banner's question.
func (d *dashboard) goToBanner() {
	if w := d.newBanner().wait; w.Site != nil {
		d.tree.GoTo(w.At())
		d.focusOn(pane.TreeID)
		d.noticeSelected()
	}
}

// clickTab shows the pane whose name is at a column of a slot's upper edge, if there is one.
func (d *dashboard) clickTab(s slot, x int) bool {
	tabs, panes := d.tabsOf(s)
	d.look.Titles(tabs, s.area.Width, false)
	for i, t := range tabs {
		if x >= t.From && x < t.To {
			d.focusOn(panes[i])
			return true
		}
	}
	return false
}

// scrollAt moves the pane or dialog under the pointer.
func (d *dashboard) scrollAt(at tea.Mouse) {
	by := wheelStep
	switch at.Button {
	case tea.MouseWheelUp:
		by = -wheelStep
	case tea.MouseWheelDown:
	default:
		return
	}
	switch top := d.topDialog().(type) {
	case pane.Scroller:
		top.Scroll(by)
		return
	case *menu:
		top.move(by / wheelStep)
		return
	}
	p, _, ok := d.paneAt(at.X, at.Y)
	if !ok {
		return
	}
	if c, ok := d.panes[p].(pane.Scroller); ok {
		c.Scroll(by)
		return
	}
	d.panes[p].Move(by)
}
