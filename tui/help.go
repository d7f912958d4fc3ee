package tui

// The help: the key table and the meaning of the signs.

import (
	"gatehouse/tui/dialog"
	"gatehouse/tui/draw"
)

func (d *dashboard) showHelp() {
	d.Open(dialog.NewReader(d, func(l *draw.Look, width int) dialog.Content {
		return dialog.Content{Title: "Keys and signs", Page: helpPage(l, d.keys, width)}
	}, func(x *dialog.Dialog) { d.Close(x) }, "back", "help", "quit"))
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
