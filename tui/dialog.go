package tui

// Dialogs: what stands over the panes and sees keys before they do. They are a stack; the one on top is asked.

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/decide"
	"gatehouse/tui/input"
)

// Open puts a dialog on top.
func (d *dashboard) Open(x decide.Dialog) { d.dialogs = append(d.dialogs, x) }

// Close takes a dialog away, wherever it is in the stack.
func (d *dashboard) Close(x decide.Dialog) {
	d.dialogs = slices.DeleteFunc(d.dialogs, func(other decide.Dialog) bool { return other == x })
	d.decisions.TellLosses()
}

// HasDialog reports whether there is any.
func (d *dashboard) HasDialog() bool { return len(d.dialogs) > 0 }

// top returns the dialog that sees keys first, nil where there is none.
func (d *dashboard) top() decide.Dialog {
	if len(d.dialogs) == 0 {
		return nil
	}
	return d.dialogs[len(d.dialogs)-1]
}

// sight is what has to be on the screen before a key decides anything: a dialog as it is, in a window of a size.
type sight struct {
	dialog        decide.Dialog
	revision      uint64
	width, height int
}

// sight returns what has to be seen now.
func (d *dashboard) sight() sight {
	s := sight{dialog: d.top(), width: d.screen.width, height: d.screen.height}
	if asks, ok := s.dialog.(decide.Revised); ok {
		s.revision = asks.Revision()
	}
	return s
}

// paste gives a pasted text to the dialog on top. Elsewhere it means nothing: a text must not press keys.
func (d *dashboard) paste(text string) tea.Cmd {
	if top := d.top(); top != nil {
		return top.Press(input.Stroke{Text: text})
	}
	return nil
}
