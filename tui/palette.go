package tui

// The palette: all rows of the key table, with a search.

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/dialog"
	"gatehouse/tui/draw"
	"gatehouse/tui/input"
)

// command is an entry of the palette.
type command struct {
	binding
	why string // why it can't be chosen now, "" when it can
}

// palette is the dialog. Typing filters its entries.
type palette struct {
	*dialog.Dialog
	dashboard *dashboard
	commands  []command
	find      input.Editor
	query     string // of the matches
	matches   []command
	selected  int
}

// showPalette lists the rows of the key table; those that do not work now come last, with the reason.
func (d *dashboard) showPalette() {
	p := &palette{dashboard: d}
	p.Dialog = dialog.New(d, p)
	for _, b := range d.keys {
		c := command{binding: b}
		if b.off != nil {
			c.why = b.off(d)
		}
		if !b.inDialog {
			p.commands = append(p.commands, c)
		}
	}
	slices.SortStableFunc(p.commands, func(a, b command) int { return min(len(a.why), 1) - min(len(b.why), 1) })
	p.search("")
	d.Open(p)
}

// search finds the commands that contain all words of a query. Those with words that begin with them come first.
func (p *palette) search(query string) {
	p.query, p.matches, p.selected = query, nil, 0
	words := strings.Fields(strings.ToLower(query))
	var inside []command
	for _, c := range p.commands {
		text := " " + strings.ToLower(c.words+" "+c.keyNames()+" "+c.name)
		begin, hold := true, true
		for _, w := range words {
			begin, hold = begin && strings.Contains(text, " "+w), hold && strings.Contains(text, w)
		}
		switch {
		case begin:
			p.matches = append(p.matches, c)
		case hold:
			inside = append(inside, c)
		}
	}
	p.matches = append(p.matches, inside...)
}

// Field implements [dialog.Subject].
func (p *palette) Field() *dialog.Field {
	return &dialog.Field{Editor: &p.find, Label: "Find", Remark: "type to find, enter to choose", Rows: 1}
}

// Choices implements [dialog.Subject].
func (p *palette) Choices() []dialog.Choice {
	move := func(by int) func() tea.Cmd {
		return func() tea.Cmd {
			p.selected = max(0, min(p.selected+by, len(p.matches)-1))
			return nil
		}
	}
	closes := func() tea.Cmd { p.dashboard.Close(p); return nil }
	return []dialog.Choice{{Words: "choose", Marked: true, Do: p.runSelected}, {Row: "back", Words: "close", Do: closes},
		{Key: "down", Do: move(1)}, {Key: "up", Do: move(-1)}, {Key: "pgdown", Do: move(8)}, {Key: "pgup", Do: move(-8)}}
}

// runSelected runs the selected command, or says why it can't and stays open.
func (p *palette) runSelected() tea.Cmd {
	if p.search(p.find.Value()); p.selected >= len(p.matches) {
		return nil
	}
	c := p.matches[p.selected]
	if c.why != "" {
		return p.dashboard.showRefusal(c.why)
	}
	p.dashboard.Close(p)
	return c.do(p.dashboard)
}

// paletteRows is the height of the list, in rows.
const paletteRows = 18

// Content implements [dialog.Subject].
func (p *palette) Content(l *draw.Look, width int) dialog.Content {
	if query := p.find.Value(); query != p.query {
		p.search(query)
	}
	page := l.Page(width)
	for i, c := range p.matches {
		page.Lines = append(page.Lines, c.Line(l, width, i == p.selected))
	}
	if len(p.matches) == 0 {
		page.Text(l.Theme.Dim, "nothing matches")
	}
	for len(page.Lines) < paletteRows { // so that nothing moves while the user types
		page.BlankLine()
	}
	p.Sheet.Top = draw.Scrolled(p.Sheet.Top, p.selected, len(p.matches), max(p.Sheet.Height, 1))
	return dialog.Content{Title: "Commands", Page: page}
}

// Line draws the command; if it is selected and can't be chosen, with the reason instead of its keys.
func (c command) Line(l *draw.Look, width int, selected bool) string {
	r := l.Ribbon(width)
	st := draw.Style("")
	note, noteWidth := l.MeasureExactly(c.keyNames())
	if c.why != "" {
		st = l.Theme.Dim
		if selected {
			note, noteWidth = l.Measure(c.why)
		}
	}
	if selected {
		r.Sign(l.Theme.Pointer, l.Glyphs.Marker)
		r.Under = l.Theme.Selected
	}
	r.To(2)
	noteWidth = min(noteWidth, width/2)
	r.AddWithin(st, c.words, width-r.Width-noteWidth-2)
	r.To(width - noteWidth - 1)
	r.ExactlyWithin(l.Theme.Dim, note, noteWidth)
	r.To(width)
	return r.Line()
}
