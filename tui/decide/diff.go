package decide

// The dialog that shows the diff of the working tree of an agent's session.

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/dialog"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// diffBox is the dialog. If there is no diff, its state says why.
type diffBox struct {
	*dialog.Dialog
	owner              *Decisions
	where, text, state string
}

// ShowDiff opens the diff of the working tree of the session that a node is or belongs to.
func (d *Decisions) ShowDiff(answerer model.Answerer, at index.Place) tea.Cmd {
	x := &diffBox{owner: d, state: "reading" + d.Look.Glyphs.Ellipsis}
	if home := d.Index.Site(at); home != nil {
		x.where = home.Where()
	}
	x.Dialog = dialog.New(d.host, x)
	d.host.Open(x)
	ctx, node := d.Context, strings.Clone(at.Node)
	return Request(func() (string, error) { return answerer.Diff(ctx, node) }, func(text string, err error) tea.Cmd {
		switch x.text, x.state = text, ""; {
		case err != nil:
			x.text, x.state = "", capitalize(err.Error())
		case strings.TrimSpace(text) == "":
			x.text, x.state = "", "Nothing has changed in the working tree since the session began."
		}
		x.Revise()
		return nil
	})
}

// Choices implements [dialog.Subject].
func (x *diffBox) Choices() []dialog.Choice {
	closes := func() tea.Cmd { x.owner.host.Close(x); return nil }
	return []dialog.Choice{{Row: "back", Words: "close", Do: closes}, {Row: "quit", Do: closes}, {Row: "diff", Do: closes}}
}

// Field implements [dialog.Subject].
func (x *diffBox) Field() *dialog.Field { return nil }

// Content implements [dialog.Subject].
func (x *diffBox) Content(l *draw.Look, width int) dialog.Content {
	p, b := l.Page(width), dialog.NewText(width)
	p.Text(l.Theme.Wait, x.state)
	if x.text != "" {
		b.Diff(l, x.text)
	}
	return dialog.Content{Title: "Changes in the working tree", Where: x.where, Page: p, Body: b}
}
