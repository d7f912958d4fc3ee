package tui

// Changing the layout of the screen by keys and by dragging the borders between panes.

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/pane"
)

// sizeStep is the number of columns by which a key widens the tree.
const sizeStep = 4

// border is a border that the mouse can drag.
type border uint8

const (
	noBorder     border = iota
	rightOfTree         // between the tree and the panes to its right
	aboveTheRest        // between the upper and the lower panes
)

// changeDivision resizes the tree, and leaves some space for the other panes.
func (d *dashboard) changeDivision(wide, tall int) {
	before, was := d.layout, d.screen.treeArea()
	d.layout.wide += wide
	d.layout.tall += tall
	d.updateScreen()
	if d.screen.treeArea() == was { // the limit is reached
		d.layout = before
		d.updateScreen()
	}
}

// treeArea returns the width and height of the tree's slot.
func (s *screen) treeArea() [2]int {
	if s.kind == tooSmall {
		return [2]int{}
	}
	a := s.slots[s.slotOf(pane.TreeID)].area
	return [2]int{a.Width, a.Height}
}

// whyNoDivision says why the layout of the screen can't be changed.
func (d *dashboard) whyNoDivision() string {
	switch {
	case d.layout.zoom:
		return d.keyOf("zoom") + " gives the other panes their room back first"
	case !d.screen.split:
		return "the pane has the whole screen"
	}
	return d.whyNoBuild()
}

// borderAt returns the border at a point: an edge between the tree and the panes to its right or below it.
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

// dragBorder moves the dragged border to the mouse.
func (d *dashboard) dragBorder(at tea.Mouse) {
	if d.dragged == noBorder || d.screen.kind == tooSmall {
		return
	}
	tree := d.screen.slots[d.screen.slotOf(pane.TreeID)].area
	if d.dragged == rightOfTree {
		d.changeDivision(at.X-(tree.X+tree.Width-1), 0)
		return
	}
	d.changeDivision(0, tree.Y+tree.Height-1-at.Y)
}
