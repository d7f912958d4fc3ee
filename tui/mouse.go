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

// wheelStep is how many lines one notch of the wheel moves.
const wheelStep = 3

// paneAt returns the pane in view at a point, and the slot it is in.
func (d *dashboard) paneAt(x, y int) (p pane.ID, s slot, ok bool) {
	for _, s := range slices.Backward(d.screen.slots) { // a shared edge has the names of the pane below
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

// handleClick selects, folds or switches what is under the pointer, and gives its pane the focus.
func (d *dashboard) handleClick(at tea.Mouse) tea.Cmd {
	if at.Button != tea.MouseLeft || d.screen.kind == tooSmall {
		return nil
	}
	if at.Y == d.screen.height-1 {
		return d.clickFooter(at.X)
	}
	d.toast.clear()
	switch top := d.topDialog().(type) {
	case clickable:
		return top.Click(d.look, d.screen.body, at.X, at.Y)
	case *help:
		d.Close(top)
		return nil
	}
	if d.index.Empty() {
		return nil
	}
	if d.clickMark(at.X, at.Y) {
		return nil
	}
	if at.Y == bannerRow {
		return d.clickBanner(at.X)
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
	if d.dragged = d.borderAt(at.X, at.Y); d.dragged != noBorder {
		return nil
	}
	if in := s.innerArea(p); in.Holds(at.X, at.Y) {
		d.clickInside(p, at.X-in.X, at.Y-in.Y)
	} else if at.Y == s.area.Y {
		d.focusOn(p)
	}
	d.noticeSelected()
	return nil
}

// doubleClick is how long after a click another one in the same place opens what is there.
const doubleClick = 400 * time.Millisecond

// lastClick is where and when the mouse was clicked last.
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

// clickMark shows what a count of the header is of, if one is at a point: the rows of its state, or the pane that lists it.
func (d *dashboard) clickMark(x, y int) bool {
	if y >= headerHeight(d.screen.kind) {
		return false
	}
	h := d.newHeader()
	h.Render(d.look, d.screen.kind, d.screen.width)
	for _, s := range h.spots {
		if s.row != y || x < s.from || x >= s.to {
			continue
		}
		if s.mark.state != index.StandsElsewise {
			d.setGraph(false)
			f := d.tree.Filter()
			was := f.Has(s.mark.state)
			*f = index.Filter{}
			if !was {
				f.Only(s.mark.state)
			}
			d.tree.Refilter()
			if was || d.tree.Hits > 0 {
				d.focusOn(pane.TreeID)
				return true
			}
			*f = index.Filter{} // what blocks need be no row
			d.tree.Refilter()
		}
		d.focusOn(s.mark.pane)
		return true
	}
	return false
}

// clickBanner presses the key at a column of the banner, and elsewhere goes to what it names.
func (d *dashboard) clickBanner(x int) tea.Cmd {
	b := d.newBanner()
	b.Render(d.look, d.screen.width)
	for _, s := range b.spots {
		if x >= s.from && x < s.to {
			return d.pressKey(input.StrokeOf(s.key))
		}
	}
	if b.wait.Site != nil {
		d.tree.GoTo(b.wait.At())
		d.focusOn(pane.TreeID)
		d.noticeSelected()
	}
	return nil
}

func (d *dashboard) clickFooter(x int) tea.Cmd {
	_, spots := d.newFooter().drawRow(d.look, d.screen.width)
	for _, s := range spots {
		if x >= s.from && x < s.to {
			return d.pressKey(input.StrokeOf(s.key))
		}
	}
	return nil
}

// clickTab shows the pane whose name stands at a column of a slot's upper edge, if one does.
func (d *dashboard) clickTab(s slot, x int) bool {
	tabs, panes := d.tabsOf(s)
	d.look.Edge(tabs, s.area.Width, "", false)
	for i, t := range tabs {
		if x >= t.From && x < t.To {
			d.focusOn(panes[i])
			return true
		}
	}
	return false
}

// clickInside clicks a point of a pane. What is typed or chosen meanwhile goes on.
func (d *dashboard) clickInside(p pane.ID, x, y int) {
	d.panes[p].Click(d.look, x, y, d.screen.innerArea(p).Width)
	d.focusOn(p)
}

// scrollAt moves what is under the pointer.
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
