package tui

// Dialogs stand over the panes and receive the keys. They are a stack; the top one is active.

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/decide"
	"gatehouse/tui/input"
)

// Open puts a dialog on top.
func (d *dashboard) Open(x decide.Dialog) { d.dialogs = append(d.dialogs, x) }

// Close removes a dialog from anywhere in the stack.
func (d *dashboard) Close(x decide.Dialog) {
	d.dialogs = slices.DeleteFunc(d.dialogs, func(other decide.Dialog) bool { return other == x })
}

// topDialog returns the dialog that receives keys, or nil.
func (d *dashboard) topDialog() decide.Dialog {
	if len(d.dialogs) == 0 {
		return nil
	}
	return d.dialogs[len(d.dialogs)-1]
}

// isTyping reports whether a dialog is a part of a pane, which stays in reach of the mouse.
func isTyping(x decide.Dialog) bool {
	switch x.(type) {
	case searching, choosing:
		return true
	}
	return false
}

// sight identifies what must be on the screen before a key decides anything: a revision of a dialog in a window of some size.
type sight struct {
	dialog        decide.Dialog
	revision      uint64
	width, height int
}

// currentSight returns what must be on the screen now.
func (d *dashboard) currentSight() sight {
	s := sight{dialog: d.topDialog(), width: d.screen.width, height: d.screen.height}
	if asks, ok := s.dialog.(interface{ Revision() uint64 }); ok {
		s.revision = asks.Revision()
	}
	return s
}

// pasteText passes a pasted text to the dialog on top. Without a dialog it is ignored: a text must not press keys.
func (d *dashboard) pasteText(text string) tea.Cmd {
	if top := d.topDialog(); top != nil {
		return top.Press(input.Stroke{Text: text})
	}
	return nil
}
