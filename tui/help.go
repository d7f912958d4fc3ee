package tui

// The help: the key table and the meaning of the signs, with a search.

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/draw"
	"gatehouse/tui/input"
)

// helpWidth is how wide the help gets: two columns of words, not the whole of a wide screen.
const helpWidth = 68

// help is the dialog.
type help struct {
	dashboard *dashboard
	sheet     draw.Sheet
	query     string
	typing    bool
	look      *draw.Look // of the current layout
	width     int
	laid      string // the query of the page that is laid out
}

// Press implements [decide.Dialog].
func (h *help) Press(k input.Stroke) tea.Cmd {
	if h.typing {
		switch k.Name {
		case "enter":
			h.typing = false
		case "esc":
			h.typing, h.query = false, ""
		default:
			if text, ok := input.Typed(h.query, k); ok {
				h.query = text
			}
		}
		return nil
	}
	switch k.Name {
	case "?", "q":
		h.dashboard.Close(h)
	case "esc":
		if h.query != "" {
			h.query = ""
		} else {
			h.dashboard.Close(h)
		}
	case "/":
		h.typing = true
	default:
		h.sheet.Press(k.Name)
	}
	return nil
}

func (h *help) Scroll(by int) { h.sheet.Scroll(by) }

// Box implements [decide.Dialog].
func (h *help) Box(l *draw.Look, body draw.Area) ([]string, draw.Area) {
	a := body.Middle(helpWidth, body.Height)
	in := draw.InBox(a)
	if h.look != l || h.width != in.Width || h.laid != h.query {
		if h.laid != h.query {
			h.sheet.Top = 0
		}
		h.look, h.width, h.laid = l, in.Width, h.query
		h.sheet.Lines = helpPage(l, h.dashboard.keys, in.PageWidth(), h.query).Lines
	}
	h.sheet.Fit(in.Height)
	title := "Keys and signs"
	if h.typing || h.query != "" {
		title += " /" + h.query
	}
	return l.Box([]draw.Tab{{Text: title, Front: true, Typed: h.typing}}, h.sheet.Note(l), h.sheet.Render(l, in.Width, in.Height, true), a.Width, a.Height, true), a
}

// Hints implements [decide.Dialog].
func (h *help) Hints() []draw.Hint {
	if h.typing {
		return []draw.Hint{{Key: "enter", Words: "keep"}, {Key: "esc", Words: "clear"}}
	}
	return []draw.Hint{{Key: "esc", Words: "close"}, {Key: "j", Words: ""}, {Key: "k", Words: "scroll"}, {Key: "/", Words: "find"}}
}

// helpPage lays out the rows of the key table that hold a text, and without one the signs too.
func helpPage(l *draw.Look, table []binding, width int, query string) *draw.Page {
	p := l.Page(width)
	p.Ours, p.Bright = true, true
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
		p.Heading("Where there is little room")
		p.Codes()
	}
	return p
}
