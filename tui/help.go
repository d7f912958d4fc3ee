package tui

// The help: the key table and the meaning of the signs, with a search.

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/dialog"
	"gatehouse/tui/draw"
	"gatehouse/tui/input"
)

// help is the dialog.
type help struct {
	*dialog.Dialog
	dashboard *dashboard
	find      input.Editor
	typing    bool
}

func (d *dashboard) showHelp() {
	h := &help{dashboard: d}
	h.Dialog = dialog.New(d, h)
	d.Open(h)
}

// Content implements [dialog.Subject].
func (h *help) Content(l *draw.Look, width int) dialog.Content {
	title := "Keys and signs"
	if text := h.find.Value(); text != "" {
		title += " /" + text
	}
	return dialog.Content{Title: title, Page: helpPage(l, h.dashboard.keys, width, h.find.Value())}
}

// Field implements [dialog.Subject].
func (h *help) Field() *dialog.Field {
	if !h.typing {
		return nil
	}
	return &dialog.Field{Editor: &h.find, Label: "Find", Rows: 1}
}

// Choices implements [dialog.Subject].
func (h *help) Choices() []dialog.Choice {
	search := func(on bool, text string) func() tea.Cmd {
		return func() tea.Cmd {
			h.typing = on
			h.find.Set(text)
			return nil
		}
	}
	closes := func() tea.Cmd { h.dashboard.Close(h); return nil }
	find, text := dialog.Choice{Row: "search", Words: "find", Do: search(true, "")}, h.find.Value()
	switch {
	case h.typing:
		return []dialog.Choice{{Words: "keep", Marked: true, Do: search(false, text)}, {Row: "back", Words: "clear", Do: search(false, "")}}
	case text != "":
		return []dialog.Choice{find, {Row: "back", Words: "clear", Do: search(false, "")}, {Row: "help", Do: closes}, {Row: "quit", Do: closes}}
	}
	return []dialog.Choice{find, {Row: "back", Words: "close", Do: closes}, {Row: "help", Do: closes}, {Row: "quit", Do: closes}}
}

// helpPage lays out the rows of the key table that contain a text, and without a text the signs too.
func helpPage(l *draw.Look, table []binding, width int, query string) *draw.Page {
	p := l.Page(width)
	p.Ours, p.Bright = true, true
	p.Labels = len("shift+tab") // all groups have the same width
	query = strings.ToLower(query)
	group := ""
	var facts []draw.Fact
	flush := func() {
		if len(facts) > 0 {
			p.Heading(group)
			p.Facts(facts...)
			facts = nil
		}
	}
	for _, b := range table {
		if b.group != group {
			flush()
			group = b.group
		}
		if !strings.Contains(strings.ToLower(b.words+" "+b.keyNames()+" "+b.name), query) {
			continue
		}
		names := b.keyNames()
		if names == "" {
			names = ": palette"
		}
		facts = append(facts, draw.Fact{Label: names, Value: b.words, Style: l.Theme.Dim})
	}
	flush()
	if query == "" {
		p.Heading("Signs")
		p.Signs()
	}
	return p
}
