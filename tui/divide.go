package tui

// Dividing the screen otherwise, by keys and by dragging the borders between panes.

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/pane"
)

// sizeStep is how many columns a key makes the tree wider.
const sizeStep = 4

// border is one that the mouse can drag.
type border uint8

const (
	noBorder     border = iota
	rightOfTree         // between the tree and what is beside it
	aboveTheRest        // between the upper panes and what is below them
)

// divide makes the tree wider and what is below it taller, as far as that leaves something of the others.
func (d *dashboard) divide(wide, tall int) {
	before, was := d.layout, d.screen.treeArea()
	d.layout.wide += wide
	d.layout.tall += tall
	d.arrange()
	if d.screen.treeArea() == was { // it is at its limit, and does not go on beyond it
		d.layout = before
		d.arrange()
	}
}

// treeArea returns that of the slot of the tree.
func (s *screen) treeArea() [2]int {
	if s.kind == tooSmall {
		return [2]int{}
	}
	a := s.slots[s.slotOf(pane.TreeID)].area
	return [2]int{a.Width, a.Height}
}

// whyNoDivision says why the screen can't be divided otherwise.
func (d *dashboard) whyNoDivision() string {
	switch {
	case d.layout.zoom:
		return d.keyOf("zoom") + " gives the other panes their room back first"
	case !d.screen.split:
		return "the pane has the whole screen"
	}
	return d.whyNoBuild()
}

// borderAt returns the border that is at a point: the edges that the tree shares with the panes beside and below it.
func (d *dashboard) borderAt(x, y int) border {
	if d.layout.zoom || !d.screen.split || len(d.dialogs) > 0 {
		return noBorder
	}
	tree := d.screen.slots[d.screen.slotOf(pane.TreeID)].area
	right, bottom := tree.X+tree.Width-1, tree.Y+tree.Height-1
	switch {
	case right < d.screen.width-1 && x == right && y > tree.Y && y < bottom:
		return rightOfTree
	case bottom < d.screen.body.Y+d.screen.body.Height-1 && y == bottom && x < right:
		return aboveTheRest
	}
	return noBorder
}

// drag moves the border that is dragged to where the mouse is.
func (d *dashboard) drag(at tea.Mouse) {
	if d.dragged == noBorder || d.screen.kind == tooSmall {
		return
	}
	tree := d.screen.slots[d.screen.slotOf(pane.TreeID)].area
	if d.dragged == rightOfTree {
		d.divide(at.X-(tree.X+tree.Width-1), 0)
		return
	}
	d.divide(0, tree.Y+tree.Height-1-at.Y)
}
