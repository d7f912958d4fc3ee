package tui

// Toasts: the result of a key, in the footer until the next key or for a few seconds.

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/decide"
)

// toastLasts is how long a toast stays: long enough to read a line twice.
const toastLasts = 5 * time.Second

// toast is a short message.
type toast struct {
	text  string
	good  bool // something was done; otherwise the reason why not
	id    uint64
	since time.Time
	timed bool // a command waits for the end of its time
}

// clear removes the toast.
func (t *toast) clear() { t.text = "" }

// Say shows a toast. However many there are in a short time, only one command waits.
func (d *dashboard) Say(text string, good bool) tea.Cmd {
	timed := d.toast.timed
	d.toast = toast{text: text, good: good, id: d.toast.id + 1, since: d.opts.currentTime(), timed: true}
	if timed {
		return nil
	}
	return d.timeToast(toastLasts)
}

func (d *dashboard) timeToast(left time.Duration) tea.Cmd {
	id := d.toast.id
	return d.tick(left, func(time.Time) tea.Msg { return decide.Result{Take: func() tea.Cmd { return d.toastGone(id) }} })
}

// toastGone removes the toast with a number, or waits for a newer one.
func (d *dashboard) toastGone(id uint64) tea.Cmd {
	switch t := &d.toast; {
	case t.id == id || t.text == "":
		t.text, t.timed = "", false
		if len(d.notices) == 0 {
			return nil
		}
		next := d.notices[0]
		d.notices = d.notices[1:]
		return d.showRefusal(next)
	default:
		return d.timeToast(min(max(toastLasts-d.opts.currentTime().Sub(t.since), 0), toastLasts))
	}
}

// showDone reports that something was done.
func (d *dashboard) showDone(text string) tea.Cmd { return d.Say(text, true) }

// showRefusal says why something was not done.
func (d *dashboard) showRefusal(why string) tea.Cmd { return d.Say(why, false) }

// nextNotice returns the command that waits for a message from outside; nil if there is no source.
func (d *dashboard) nextNotice() tea.Cmd {
	if d.opts.Notices == nil {
		return nil
	}
	ctx, notices := d.ctx, d.opts.Notices
	return func() tea.Msg {
		select {
		case text := <-notices:
			return decide.Result{Take: func() tea.Cmd { return tea.Batch(d.addNotice(text), d.nextNotice()) }}
		case <-ctx.Done():
			return nil
		}
	}
}

// addNotice queues a message that no key has caused, until no other message is shown.
func (d *dashboard) addNotice(text string) tea.Cmd {
	if d.toast.text != "" {
		d.notices = append(d.notices, text)
		return nil
	}
	return d.showRefusal(text)
}
