package decide

// The dialog that shows the diff of the working tree of an agent's session.

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/input"
)

// diffBox is the dialog. Instead of a diff it has a state that says why there is none.
type diffBox struct {
	owner              *Decisions
	where, text, state string
	sheet              draw.Sheet
	body               askBody
}

// DiffMsg brings a diff, or why there is none.
type DiffMsg struct {
	box         *diffBox
	text, state string
}

// ShowDiff opens the diff of the working tree of the session that a node is or belongs to.
func (d *Decisions) ShowDiff(answerer model.Answerer, at index.Place) tea.Cmd {
	x := &diffBox{owner: d, state: "reading" + d.Look.Glyphs.Ellipsis}
	if home := d.Index.Site(at); home != nil {
		x.where = home.Where()
	}
	d.host.Open(x)
	ctx, node := d.Context, strings.Clone(at.Node)
	return func() tea.Msg {
		text, err := answerer.Diff(ctx, node)
		switch {
		case err != nil:
			return DiffMsg{x, "", upper(err.Error())}
		case strings.TrimSpace(text) == "":
			return DiffMsg{x, "", "Nothing has changed in the working tree since the session began."}
		}
		return DiffMsg{x, text, ""}
	}
}

// Press implements [Dialog].
func (x *diffBox) Press(k input.Stroke) tea.Cmd {
	if !x.sheet.Press(k.Name) && (k.Name == "esc" || k.Name == "q" || k.Name == "D") {
		x.owner.host.Close(x)
	}
	return nil
}

// Scroll moves the window over the diff.
func (x *diffBox) Scroll(by int) { x.sheet.Scroll(by) }

// Hints implements [Dialog].
func (x *diffBox) Hints() []draw.Hint {
	return []draw.Hint{{Key: "j", Words: ""}, {Key: "k", Words: "scroll"}, {Key: "esc", Words: "close"}}
}

// Box implements [Dialog].
func (x *diffBox) Box(l *draw.Look, a draw.Area) ([]string, draw.Area) {
	in := draw.InBox(a)
	if of := (bodyOf{theme: l.Theme, width: in.PageWidth()}); x.body.of != of {
		p := l.Page(of.width)
		p.Text(l.Theme.Wait, x.state)
		x.body = askBody{of: of}
		if x.text != "" {
			x.body.diff(l, x.text)
		}
		x.sheet.Lines, x.sheet.Rest = p.Lines, &x.body
	}
	x.sheet.Fit(in.Height)
	title := draw.Join(draw.PartJoint, "Changes in the working tree", x.where)
	return l.Box([]draw.Tab{{Text: title, Front: true}}, x.sheet.Note(l), x.sheet.Render(l, in.Width, in.Height, false), a.Width, a.Height, true), a
}
