package tui

// Changing the layout of the screen by keys.

import (
	"gatehouse/tui/pane"
)

// sizeStep is the number of columns by which a key widens the tree.
const sizeStep = 4

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
