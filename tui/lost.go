package tui

// The notice that another writer has put something else over a decision. It stays until the user has seen it, and offers to
// decide again.

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// lost is a decision that was overwritten: the dialog that says so.
type lost struct {
	at     index.Place
	verb   model.Verb
	name   string
	text   string // the reason, the request
	file   string
	values []string // that are gone
	sheet  draw.Sheet
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
		x.Scroll(1)
	case "k", "up":
		x.Scroll(-1)
	}
	return nil
}

func (x *lost) Scroll(by int) { x.sheet.Scroll(by) }

func (x *lost) dismiss(d *dashboard) {
	d.losses = d.losses[1:]
	d.markRows()
	d.remove(x)
}

// decideAgain opens the question anew, with the text as it was.
func (x *lost) decideAgain(d *dashboard) tea.Cmd {
	home := d.index.Site(x.at)
	if home == nil || home.Build == nil || x.at.Node != "" && home.Nodes[x.at.Node].Node == nil {
		return d.refuse(x.name + " is gone from the build")
	}
	d.keep(draft{x.at, x.verb}, x.text)
	return d.askAbout(target{home, home.Nodes[x.at.Node].Node}, x.verb)
}

func (x *lost) box(d *dashboard) ([]string, draw.Area) {
	lines, a, _ := x.draw(d)
	return lines, a
}

func (x *lost) draw(d *dashboard) ([]string, draw.Area, []button) {
	l := d.look
	width := min(d.screen.body.Width, dialogWidth) - 4
	p := l.Page(width)
	p.Item(l.Theme.Wait, l.Glyphs.Of(model.Waiting), l.Theme.Wait, "Another writer has put something else over your decision.")
	p.Below("", draw.Join(": ", x.name, x.verb.Words().Past))
	p.Gap()
	p.Facts(draw.Fact{Label: "file", Value: x.file}, draw.Fact{Label: "lost", Value: joined(x.values)}, draw.Fact{Label: "you wrote", Value: x.text})
	p.Gap()
	p.Text(l.Theme.Dim, "Nothing is written again by itself: look at the gate as it is now, and decide again if you still mean it.")
	x.sheet.Lines = p.Lines
	return d.drawDialog("Overwritten", &x.sheet, nil, x.buttons())
}

func (x *lost) buttons() []button {
	return []button{{key: "y", words: "decide again", first: true}, {key: "esc", words: "leave it"}}
}

func (x *lost) hints() []draw.Hint {
	return []draw.Hint{{Key: "j", Words: ""}, {Key: "k", Words: "scroll"}, {Key: "esc", Words: "leave it"}}
}

func (x *lost) click(d *dashboard, px, py int) tea.Cmd {
	_, a, buttons := x.draw(d)
	return clickButton(d, x, a, buttons, px, py)
}
