package tui

// The mouse: a click selects, or presses a key of the footer; the wheel moves the pane under it.

import (
	"slices"

	tea "charm.land/bubbletea/v2"

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

// spot is a key of the footer and its columns.
type spot struct {
	from, to int
	key      string
}

// handleClick presses the key of the footer under the pointer, or selects what is there and focuses its pane.
func (d *dashboard) handleClick(at tea.Mouse) tea.Cmd {
	if at.Button != tea.MouseLeft || d.screen.kind == tooSmall {
		return nil
	}
	if at.Y == d.screen.height-1 {
		f := d.newFooter()
		_, keys := f.Render(d.look, d.screen.width)
		if i := slices.IndexFunc(keys, func(s spot) bool { return s.from <= at.X && at.X < s.to }); i >= 0 {
			return d.pressKey(input.StrokeOf(keys[i].key))
		}
		return nil
	}
	d.toast.clear()
	switch d.topDialog().(type) {
	case nil, searching, choosing: // parts of panes
	default:
		return nil
	}
	if d.index.Empty() {
		return nil
	}
	if w := d.newBanner().wait; at.Y == bannerRow && w.Site != nil {
		d.tree.GoTo(w.At())
		d.focusOn(pane.TreeID)
	} else if p, s, ok := d.paneAt(at.X, at.Y); ok {
		d.clickPane(p, s, at)
	}
	d.noticeSelected()
	return nil
}

// clickPane focuses the pane of a slot, or the one whose name is at the point; a line of it is selected.
func (d *dashboard) clickPane(p pane.ID, s slot, at tea.Mouse) {
	if in := s.innerArea(p); in.Holds(at.X, at.Y) {
		pane.Click(d.panes[p], d.look, at.X-in.X, at.Y-in.Y, in.Width)
	} else if at.Y == s.area.Y {
		tabs, panes := d.tabsOf(s)
		d.look.Titles(tabs, s.area.Width, false)
		for i, t := range tabs {
			if x := at.X - s.area.X; x >= t.From && x < t.To {
				p = panes[i]
			}
		}
	}
	d.focusOn(p)
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
	if top, ok := d.topDialog().(interface{ Scroll(by int) }); ok {
		top.Scroll(by)
	} else if p, _, ok := d.paneAt(at.X, at.Y); ok {
		d.panes[p].Scroll(by)
	}
}
