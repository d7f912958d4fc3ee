package tui

// The help: the key table and what the signs mean, to be scrolled and searched.

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// helpWidth is how wide the help gets: two columns of words, not the whole of a wide screen.
const helpWidth = 68

// help is the dialog.
type help struct {
	sheet  sheet
	query  string
	typing bool
	look   *look // what it was laid out for
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
	page := max(h.sheet.height, 2)
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
		h.sheet.scroll(1)
	case "k", "up":
		h.sheet.scroll(-1)
	case "ctrl+d":
		h.sheet.scroll(page / 2)
	case "ctrl+u":
		h.sheet.scroll(-page / 2)
	case "pgdown", "space":
		h.sheet.scroll(page)
	case "pgup":
		h.sheet.scroll(-page)
	case "g", "home":
		h.sheet.scroll(-farAway)
	case "G", "end":
		h.sheet.scroll(farAway)
	}
	return nil
}

func (h *help) scroll(by int) { h.sheet.scroll(by) }

func (h *help) box(d *dashboard) ([]string, area) {
	b := d.screen.body
	a := d.middle(helpWidth, b.height)
	in := inBox(a)
	if h.look != d.look || h.width != in.width || h.laid != h.query {
		fromTop := h.laid != h.query
		h.look, h.width, h.laid = d.look, in.width, h.query
		h.sheet.set(helpPage(d.look, d.keys, in.pageWidth(), h.query), fromTop)
	}
	h.sheet.fit(in.height)
	title := "Keys and signs"
	if h.typing || h.query != "" {
		title += " /" + h.query
	}
	return d.look.box([]tab{{text: title, front: true, typed: h.typing}}, h.sheet.note(d.look), h.sheet.Render(d.look, in.width, in.height, true), a.width, a.height, true), a
}

func (h *help) hints() []hint {
	if h.typing {
		return []hint{{"enter", "keep"}, {"esc", "clear"}}
	}
	return []hint{{"esc", "close"}, {"j", ""}, {"k", "scroll"}, {"/", "find"}}
}

// helpPage lays out the rows of the key table that hold a text, and without one the signs too.
func helpPage(l *look, table []binding, width int, query string) *page {
	p := l.page(width)
	p.ours = true
	p.labels = len("shift+tab") // all groups alike
	query = strings.ToLower(query)
	group := ""
	var facts []fact
	flush := func() {
		if len(facts) > 0 {
			p.heading(group)
			p.facts(facts...)
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
		facts = append(facts, fact{label: names, value: b.words})
	}
	flush()
	if query == "" {
		p.heading("Signs")
		p.signs()
	}
	return p
}
