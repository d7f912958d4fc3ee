package tui

// The help: the key table and what the signs mean, to be scrolled and searched.

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/draw"
)

// helpWidth is how wide the help gets: two columns of words, not the whole of a wide screen.
const helpWidth = 68

// help is the dialog.
type help struct {
	sheet  draw.Sheet
	query  string
	typing bool
	look   *draw.Look // what it was laid out for
	width  int
	laid   string // the query of the page that is laid out
}

func (h *help) press(d *dashboard, k stroke) tea.Cmd {
	if h.typing {
		switch k.name {
		case "enter":
			h.typing = false
		case "esc":
			h.typing, h.query = false, ""
		default:
			if text, ok := typed(h.query, k); ok {
				h.query = text
			}
		}
		return nil
	}
	page := max(h.sheet.Height, 2)
	switch k.name {
	case "?", "q":
		d.close()
	case "esc":
		if h.query != "" {
			h.query = ""
		} else {
			d.close()
		}
	case "/":
		h.typing = true
	case "j", "down":
		h.sheet.Scroll(1)
	case "k", "up":
		h.sheet.Scroll(-1)
	case "ctrl+d":
		h.sheet.Scroll(page / 2)
	case "ctrl+u":
		h.sheet.Scroll(-page / 2)
	case "pgdown", "space":
		h.sheet.Scroll(page)
	case "pgup":
		h.sheet.Scroll(-page)
	case "g", "home":
		h.sheet.Scroll(-draw.FarAway)
	case "G", "end":
		h.sheet.Scroll(draw.FarAway)
	}
	return nil
}

func (h *help) Scroll(by int) { h.sheet.Scroll(by) }

func (h *help) box(d *dashboard) ([]string, draw.Area) {
	b := d.screen.body
	a := d.middle(helpWidth, b.Height)
	in := draw.InBox(a)
	if h.look != d.look || h.width != in.Width || h.laid != h.query {
		fromTop := h.laid != h.query
		h.look, h.width, h.laid = d.look, in.Width, h.query
		h.sheet.Set(helpPage(d.look, d.keys, in.PageWidth(), h.query), fromTop)
	}
	h.sheet.Fit(in.Height)
	title := "Keys and signs"
	if h.typing || h.query != "" {
		title += " /" + h.query
	}
	return d.look.Box([]draw.Tab{{Text: title, Front: true, Typed: h.typing}}, h.sheet.Note(d.look), h.sheet.Render(d.look, in.Width, in.Height, true), a.Width, a.Height, true), a
}

func (h *help) hints() []draw.Hint {
	if h.typing {
		return []draw.Hint{{Key: "enter", Words: "keep"}, {Key: "esc", Words: "clear"}}
	}
	return []draw.Hint{{Key: "esc", Words: "close"}, {Key: "j", Words: ""}, {Key: "k", Words: "scroll"}, {Key: "/", Words: "find"}}
}

// helpPage lays out the rows of the key table that hold a text, and without one the signs too.
func helpPage(l *draw.Look, table []binding, width int, query string) *draw.Page {
	p := l.Page(width)
	p.Ours = true
	p.Labels = len("shift+tab") // all groups alike
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
		if !strings.Contains(strings.ToLower(b.words+" "+b.names()), query) {
			continue
		}
		names := b.names()
		if names == "" {
			names = ": palette"
		}
		facts = append(facts, draw.Fact{Label: names, Value: b.words})
	}
	flush()
	if query == "" {
		p.Heading("Signs")
		p.Signs()
	}
	return p
}
