package tui

// Dialogs: what stands over the panes and sees keys before they do. They are a stack; the one on top is asked.

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/draw"
)

// dialog is a part of the screen that takes the keys to itself while it is there.
type dialog interface {
	// press does what a key means in the dialog.
	press(d *dashboard, k stroke) tea.Cmd
	// box draws the dialog and says where it stands; nil for those that are drawn as a part of a pane.
	box(d *dashboard) ([]string, draw.Area)
	// hints are the keys that the footer offers while it is on top.
	hints() []draw.Hint
}

func (d *dashboard) open(x dialog) { d.dialogs = append(d.dialogs, x) }

// close takes the dialog on top away.
func (d *dashboard) close() { d.remove(d.dialogs[len(d.dialogs)-1]) }

// remove takes a dialog away, wherever it is in the stack.
func (d *dashboard) remove(x dialog) {
	d.dialogs = slices.DeleteFunc(d.dialogs, func(other dialog) bool { return other == x })
	if q, ok := x.(*question); ok {
		d.answered = answered{d.opts.now(), q.stage == writing}
	}
	d.tellLosses()
}

// top returns the dialog that sees keys first, nil where there is none.
func (d *dashboard) top() dialog {
	if len(d.dialogs) == 0 {
		return nil
	}
	return d.dialogs[len(d.dialogs)-1]
}

// paste gives a pasted text to the dialog on top. Elsewhere it means nothing: a text must not press keys.
func (d *dashboard) paste(text string) tea.Cmd {
	if top := d.top(); top != nil {
		return top.press(d, stroke{text: text})
	}
	return nil
}

// middle returns an area of some size in the middle of the body, or as much of it as there is.
func (d *dashboard) middle(width, height int) draw.Area {
	b := d.screen.body
	width, height = min(width, b.Width), min(height, b.Height)
	return draw.Area{X: b.X + (b.Width-width)/2, Y: b.Y + (b.Height-height)/2, Width: width, Height: height}
}
