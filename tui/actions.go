package tui

// What keys and mouse do.

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// wheelStep is how many lines one notch of the wheel moves.
const wheelStep = 3

// press does what a key stands for, or says why it can't. A key that is not in the table does nothing.
func (d *dashboard) press(name string) tea.Cmd {
	d.said = ""
	for _, b := range d.keys {
		if !key.Matches(pressed(name), b.on) {
			continue
		}
		if b.off != nil {
			if why := b.off(d); why != "" {
				d.said = why
				return nil
			}
		}
		cmd := b.do(d)
		d.settle()
		return cmd
	}
	return nil
}

// move goes some lines down, or up, in what has the focus.
func (d *dashboard) move(by int) {
	switch {
	case d.helping:
		d.help.scroll(by, d.pageHeight())
	case d.focus == paneTree:
		d.tree.choose(d.tree.selected + by)
	default:
		d.scrollerOf(d.focus).scroll(by, d.pageHeight())
	}
}

// pageHeight returns how many lines what has the focus shows.
func (d *dashboard) pageHeight() int {
	if d.helping {
		return d.helpArea().height
	}
	return d.screen.panes[d.focus].height
}

func (d *dashboard) focusOn(p pane) {
	if d.screen.shows(p) {
		d.focus = p
	}
}

// nextPane moves the focus to the next pane on the screen.
func (d *dashboard) nextPane(by int) {
	n := len(d.screen.panes)
	for i := 1; i <= n; i++ {
		if p := pane((int(d.focus) + i*by + i*n) % n); d.screen.shows(p) {
			d.focus = p
			return
		}
	}
}

// back leaves the help, then the pane.
func (d *dashboard) back() {
	if d.helping {
		d.helping = false
		return
	}
	d.focus = paneTree
}

func (d *dashboard) toggleHelp() { d.helping = !d.helping }

// nextWait selects the next or previous thing that waits, beginning with the first.
func (d *dashboard) nextWait(by int) {
	waits := d.index.waits
	next := 0
	if by < 0 {
		next = len(waits) - 1
	}
	if r, ok := d.tree.at(); ok {
		for i, w := range waits {
			if w.place() == r.place() {
				next = (i + by + len(waits)) % len(waits)
				break
			}
		}
	}
	d.tree.goTo(waits[next].place())
}

// click selects the row under the pointer, and gives its pane the focus.
func (d *dashboard) click(at tea.Mouse) {
	p, ok := d.screen.hit(at.X, at.Y, d.focus)
	if !ok || d.helping || at.Button != tea.MouseLeft || d.index.empty() {
		return
	}
	d.said = ""
	d.focus = p
	if i := d.tree.top + at.Y - d.screen.panes[p].y; p == paneTree && i < len(d.tree.rows) {
		d.tree.choose(i)
	}
	d.settle()
}

// wheel moves what is under the pointer.
func (d *dashboard) wheel(at tea.Mouse) {
	by := wheelStep
	switch at.Button {
	case tea.MouseWheelUp:
		by = -wheelStep
	case tea.MouseWheelDown:
	default:
		return
	}
	p, ok := d.screen.hit(at.X, at.Y, d.focus)
	if !ok {
		return
	}
	before := d.focus
	d.focus = p
	d.move(by)
	d.focus = before
	d.settle()
}
