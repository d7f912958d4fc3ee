package tui

// The help: the key table and the meaning of the signs.

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/dialog"
	"gatehouse/tui/draw"
)

// help is the dialog.
type help struct {
	*dialog.Dialog
	dashboard *dashboard
}

func (d *dashboard) showHelp() {
	h := &help{dashboard: d}
	h.Dialog = dialog.New(d, h)
	d.Open(h)
}

// Content implements [dialog.Subject].
func (h *help) Content(l *draw.Look, width int) dialog.Content {
	return dialog.Content{Title: "Keys and signs", Page: helpPage(l, h.dashboard.keys, width)}
}

// Field implements [dialog.Subject].
func (h *help) Field() *dialog.Field { return nil }

// Choices implements [dialog.Subject].
func (h *help) Choices() []dialog.Choice {
	closes := func() tea.Cmd { h.dashboard.Close(h); return nil }
	return []dialog.Choice{{Row: "back", Words: "close", Do: closes}, {Row: "help", Do: closes}, {Row: "quit", Do: closes}}
}

// helpPage lays out the rows of the key table and the signs.
func helpPage(l *draw.Look, table []binding, width int) *draw.Page {
	p := l.Page(width)
	p.Ours, p.Bright = true, true
	p.Labels = len("shift+tab") // all groups have the same width
	for len(table) > 0 {
		var facts []draw.Fact
		group := table[0].group
		for len(table) > 0 && table[0].group == group {
			names := draw.OrElse(table[0].keyNames(), ": palette")
			facts = append(facts, draw.Fact{Label: names, Value: table[0].words, Style: l.Theme.Dim})
			table = table[1:]
		}
		p.Heading(group)
		p.Facts(facts...)
	}
	p.Heading("Signs")
	p.Signs()
	return p
}
