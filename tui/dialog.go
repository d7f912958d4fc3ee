package tui

// Dialogs: what stands over the panes and sees keys before they do. They are a stack; the one on top is asked.

import (
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// stroke is a key that was pressed: its name as the framework spells it, and the text it stands for, if any.
type stroke struct{ name, text string }

// strokeOf returns the stroke of a key by its name, as the key table has it.
func strokeOf(name string) stroke {
	switch {
	case name == "space":
		return stroke{name, " "}
	case utf8.RuneCountInString(name) == 1:
		return stroke{name, name}
	}
	return stroke{name: name}
}

// dialog is a part of the screen that takes the keys to itself while it is there.
type dialog interface {
	// press does what a key means in the dialog.
	press(d *dashboard, k stroke) tea.Cmd
	// box draws the dialog and says where it stands; nil for those that are drawn as a part of a pane.
	box(d *dashboard) ([]string, area)
	// hints are the keys that the footer offers while it is on top.
	hints() []hint
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

// inputLimit is how long a text may get that is typed, in runes. Longer ones come from a paste that went wrong.
const inputLimit = 200

// typed returns a text after a key for one line of text; ok is false for keys that mean something else there.
func typed(text string, k stroke) (after string, ok bool) {
	switch {
	case k.name == "backspace" || k.name == "ctrl+h":
		_, n := utf8.DecodeLastRuneInString(text)
		return text[:len(text)-n], true
	case k.name == "ctrl+u":
		return "", true
	case k.name == "ctrl+w":
		text = strings.TrimRight(text, " ")
		return text[:strings.LastIndexByte(text, ' ')+1], true
	case k.text == "":
		return text, false
	}
	return clip(text + oneLine(k.text)), true
}

// oneLine makes a pasted text one that can be typed: without line ends and control characters.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r < ' ' || r == 0x7f:
			return -1
		}
		return r
	}, text)
}

func clip(text string) string {
	if utf8.RuneCountInString(text) > inputLimit {
		return string([]rune(text)[:inputLimit])
	}
	return text
}

// paste gives a pasted text to the dialog on top. Elsewhere it means nothing: a text must not press keys.
func (d *dashboard) paste(text string) tea.Cmd {
	if top := d.top(); top != nil {
		return top.press(d, stroke{text: text})
	}
	return nil
}

// middle returns an area of some size in the middle of the body, or as much of it as there is.
func (d *dashboard) middle(width, height int) area {
	b := d.screen.body
	width, height = min(width, b.width), min(height, b.height)
	return area{b.x + (b.width-width)/2, b.y + (b.height-height)/2, width, height}
}

// inBox returns what is left for text in a box: its edges are taken.
func inBox(a area) area { return area{a.x + 1, a.y + 1, max(a.width-2, 0), max(a.height-2, 0)} }
