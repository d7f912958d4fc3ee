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

// ShowDiff opens the diff of the working tree of the session that a node is or belongs to. If there is no diff, its state says why.
func (d *Decisions) ShowDiff(answerer model.Answerer, at index.Place) tea.Cmd {
	where, text, state := "", "", "reading"+d.Look.Glyphs.Ellipsis
	if home := d.Index.Site(at); home != nil {
		where = home.Where
	}
	x := dialog.NewReader(d.host, func(l *draw.Look, width int) dialog.Content {
		p, b := l.Page(width), dialog.NewText(width)
		p.Text(l.Theme.Wait, state)
		if text != "" {
			b.Diff(l, text)
		}
		return dialog.Content{Title: "Changes in the working tree", Where: where, Page: p, Body: b}
	}, func(x *dialog.Dialog) { d.host.Close(x) }, "back", "quit", "diff")
	d.host.Open(x)
	ctx, node := d.Context, strings.Clone(at.Node)
	return Request(func() (string, error) { return answerer.Diff(ctx, node) }, func(diff string, err error) tea.Cmd {
		switch {
		case err != nil:
			state = capitalize(err.Error())
		case strings.TrimSpace(diff) == "":
			state = "Nothing has changed in the working tree since the session began."
		default:
			text, state = diff, ""
		}
		x.Revise()
		return nil
	})
}
