package tui

// The notice that another writer has put something else over a decision. It stays until the user has seen it, and offers to
// decide again.

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
)

// lost is a decision that was overwritten: the dialog that says so.
type lost struct {
	at     place
	deed   deed
	name   string
	text   string // the reason, the request
	file   string
	values []string // that are gone
	sheet  sheet
}

// tellLosses opens the notice of the first loss as soon as no other dialog is open: it must not take keys that are meant for
// another.
func (d *dashboard) tellLosses() {
	if len(d.dialogs) == 0 && len(d.losses) > 0 {
		d.open(d.losses[0])
	}
}

func (x *lost) press(d *dashboard, k stroke) tea.Cmd {
	switch k.name {
	case "esc", "n", "q":
		x.dismiss(d)
	case "enter", "y":
		x.dismiss(d)
		return x.decideAgain(d)
	case "j", "down":
		x.scroll(1)
	case "k", "up":
		x.scroll(-1)
	}
	return nil
}

func (x *lost) scroll(by int) { x.sheet.scroll(by) }

func (x *lost) dismiss(d *dashboard) {
	d.losses = d.losses[1:]
	d.markRows()
	d.remove(x)
}

// decideAgain opens the question anew, with the text as it was.
func (x *lost) decideAgain(d *dashboard) tea.Cmd {
	home := d.index.site(x.at)
	if home == nil || home.build == nil || x.at.node != "" && home.nodes[x.at.node].node == nil {
		return d.refuse(x.name + " is gone from the build")
	}
	d.keep(draft{x.at, x.deed.verb}, x.text)
	return d.askAbout(target{home, home.nodes[x.at.node].node}, x.deed.verb)
}

func (x *lost) box(d *dashboard) ([]string, area) {
	lines, a, _ := x.draw(d)
	return lines, a
}

func (x *lost) draw(d *dashboard) ([]string, area, []button) {
	l := d.look
	width := min(d.screen.body.width, dialogWidth) - 4
	p := l.page(width)
	p.item(l.theme.wait, l.glyphs.of(model.Waiting), l.theme.wait, "Another writer has put something else over your decision.")
	p.below("", join(": ", x.name, x.deed.past))
	p.gap()
	p.facts(fact{label: "file", value: x.file}, fact{label: "lost", value: list(x.values)}, fact{label: "you wrote", value: x.text})
	p.gap()
	p.text(l.theme.dim, "Nothing is written again by itself: look at the gate as it is now, and decide again if you still mean it.")
	x.sheet.lines = p.lines
	return d.drawDialog("Overwritten", &x.sheet, nil, x.buttons())
}

func (x *lost) buttons() []button {
	return []button{{key: "y", words: "decide again", first: true}, {key: "esc", words: "leave it"}}
}

func (x *lost) hints() []hint { return []hint{{"j", ""}, {"k", "scroll"}, {"esc", "leave it"}} }

func (x *lost) click(d *dashboard, px, py int) tea.Cmd {
	_, a, buttons := x.draw(d)
	return clickButton(d, x, a, buttons, px, py)
}
