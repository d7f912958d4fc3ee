package tui

// The footer: a message, else the keys that work now; on the right the position in the list. The keys can be clicked.

import (
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/decide"
	"gatehouse/tui/draw"
	"gatehouse/tui/pane"
)

// targetWidth is the width of a name, in columns.
const targetWidth = 28

// footer is the last row.
type footer struct {
	toast    toast
	hints    []draw.Hint
	help     []draw.Hint // on the right, always shown
	position string
}

func (d *dashboard) newFooter() footer {
	f := footer{toast: d.toast}
	if top := d.topDialog(); top != nil {
		f.hints = top.Hints()
		return f
	}
	in, ok := d.panes[d.focus].(pane.List)
	if !ok {
		in = d.tree
	}
	n, of := in.Position()
	if of > 0 && !d.index.Empty() {
		f.position = strconv.Itoa(n) + "/" + strconv.Itoa(of)
	}
	shown := d.newBanner().keys // the banner offers these
	for _, b := range d.keys {
		if b.hint == "" || len(b.on.Keys()) == 0 || b.off != nil && b.off(d) != "" {
			continue
		}
		h := draw.Hint{Key: b.on.Keys()[0], Words: b.hint}
		if b.verbs != nil {
			if h.Words = d.hintOf(b); h.Words == model.VerbRetry.Words().Short && b.name == string(model.VerbApprove) {
				continue // this key has an entry of its own
			}
		}
		switch {
		case b.name == "help":
			f.help = append(f.help, h)
		case !slices.ContainsFunc(shown, func(k draw.Hint) bool { return k.Key == draw.KeyName(h.Key) }):
			f.hints = append(f.hints, h)
		}
	}
	return f
}

// hintOf returns the words for the decision that a row of the table would make now.
func (d *dashboard) hintOf(b binding) string {
	verb, t, _ := d.chooseVerb(b.verbs...)
	words := b.hint
	if len(b.verbs) > 1 {
		words = verb.Words().Short
	}
	if verb == model.VerbUndo && t.Node != nil {
		words += " " + d.look.Clipped(t.Name(), targetWidth)
	}
	return words
}

// Render draws the row, and returns the positions of its keys.
func (f footer) Render(l *draw.Look, width int) (string, []spot) {
	end := l.Ribbon(width)
	if f.toast.text != "" {
		f.help = nil
	}
	helpSpots := drawHints(&end, f.help)
	if f.position != "" {
		end.Add(l.Theme.Dim, f.position+" ")
	}
	r := l.Ribbon(width - end.Width)
	r.Gap(1)
	if f.toast.text != "" {
		st := l.Theme.Wait
		if f.toast.good {
			st = l.Theme.OK
		}
		r.AddWithin(st, f.toast.text, r.Room-r.Width-2)
		return r.Line() + end.Cut(), nil
	}
	spots := drawHints(&r, f.hints)
	for _, h := range helpSpots {
		spots = append(spots, spot{h.from + r.Room, h.to + r.Room, h.key})
	}
	return r.Line() + end.Cut(), spots
}

// drawHints writes the keys that fit, with their words.
func drawHints(r *draw.Ribbon, hints []draw.Hint) (spots []spot) {
	for _, h := range hints {
		key := draw.KeyName(h.Key)
		if r.Width+utf8.RuneCountInString(key)+1+r.Look.Width(h.Words)+2 > r.Room {
			break
		}
		from := r.Width
		r.Exactly(r.Look.Theme.Strong, key)
		r.Gap(1)
		if h.Words != "" {
			r.Add(r.Look.Theme.Dim, h.Words)
			r.Gap(2)
		}
		spots = append(spots, spot{from, r.Width, h.Key})
	}
	return spots
}

// Toasts: the result of a key, in the footer until the next key or for a few seconds.

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
