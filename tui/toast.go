package tui

// Toasts: what came of a key, in the footer until the next key or for a few seconds.

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// toastLasts is how long a toast stays: long enough to read a line twice.
const toastLasts = 5 * time.Second

// toast is a short message.
type toast struct {
	text string
	good bool // something was done; else it says why not
	id   uint64
}

// toastGoneMsg says that a toast was there long enough.
type toastGoneMsg uint64

func (t *toast) gone(id toastGoneMsg) {
	if t.id == uint64(id) {
		t.text = ""
	}
}

// clear takes the toast away.
func (t *toast) clear() { t.text = "" }

func (d *dashboard) say(text string, good bool) tea.Cmd {
	d.toast = toast{text, good, d.toast.id + 1}
	id := d.toast.id
	return d.tick(toastLasts, func(time.Time) tea.Msg { return toastGoneMsg(id) })
}

// tell says that something was done.
func (d *dashboard) tell(text string) tea.Cmd { return d.say(text, true) }

// refuse says why something was not done.
func (d *dashboard) refuse(why string) tea.Cmd { return d.say(why, false) }
