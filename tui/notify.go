package tui

// Telling a user who looks elsewhere that something began to wait: once, when it begins. The window's title says it all
// the time.

import (
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model/line"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// Notify says how a user is called.
type Notify string

// The ways to call. The title of the window counts what waits in each of them.
const (
	NotifyBell Notify = "bell" // the terminal's bell, which most of them show as a mark on the tab
	NotifyOSC9 Notify = "osc9" // a notification of the desktop, by OSC 9, and the bell
	NotifyOff  Notify = "off"
)

// NotifyWays returns the ways to call.
func NotifyWays() []string {
	return []string{string(NotifyBell), string(NotifyOSC9), string(NotifyOff)}
}

// ParseNotify returns the way of a name, or an error that lists the names.
func ParseNotify(name string) (Notify, error) {
	switch n := Notify(name); n {
	case NotifyBell, NotifyOSC9, NotifyOff:
		return n, nil
	}
	return "", fmt.Errorf("no way to notify %q: choose bell, osc9 or off", name)
}

// noteLimit is the longest notification, in bytes.
const noteLimit = 200

// notify returns the command that calls the user for what began to wait, and for a decision of theirs that was overwritten;
// nil where nothing has happened or they are looking.
func (d *dashboard) notify(ix *index.Index) tea.Cmd {
	if len(ix.Began)+len(ix.Losses) == 0 || d.opts.Notify == NotifyOff || d.focused != nil && *d.focused {
		return nil
	}
	out := "\a"
	if d.opts.Notify == NotifyOSC9 {
		what, text := "waits for you: ", ""
		if len(ix.Losses) > 0 { // as a rule it waits again, too, which need not be said
			l := ix.Losses[0]
			what, text = "overwritten: ", draw.Join(draw.PartJoint, l.Site.Name, draw.Join(" ", l.Name, "was "+l.Verb.Words().Past+", and is not any more"))
		} else {
			w := ix.Began[0]
			text = draw.Join(draw.PartJoint, w.Site.Name, w.Place, w.Text)
		}
		if n := max(len(ix.Began), len(ix.Losses)) - 1; n > 0 {
			text += " and " + strconv.Itoa(n) + " more"
		}
		text = draw.Foreign(text)
		if len(text) > noteLimit {
			text = line.Clean(text[:noteLimit])
		}
		// Not at the beginning: terminals take OSC 9 with a number first for something else.
		out = "\x1b]9;" + what + text + "\x1b\\" + out
	}
	return tea.Raw(out)
}
