package tui

// The palette: all rows of the key table, and other choices from a list, with a search.

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/draw"
	"gatehouse/tui/input"
)

// choice is one entry of a menu.
type choice struct {
	text string
	note string // on the right, our own text: the key, a size
	name string // an alternative name for the search
	off  string // why it can't be chosen now, "" when it can
	do   func(*dashboard) tea.Cmd
}

// menu lets the user choose one of several entries. Typing filters them.
type menu struct {
	dashboard *dashboard
	title     string
	choices   []choice
	query     string
	matches   []int // numbers of the choices that match the query
	selected  int
	top       int
}

func newMenu(d *dashboard, title string, choices []choice) *menu {
	m := &menu{dashboard: d, title: title, choices: choices}
	m.searchChoices("")
	return m
}

// newPalette lists the rows of the key table; those that do not work now come last, with the reason.
func newPalette(d *dashboard) *menu {
	var choices []choice
	for _, b := range d.keys {
		if b.inDialog {
			continue
		}
		c := choice{text: b.words, note: b.keyNames(), name: b.name, do: b.do}
		if b.off != nil {
			c.off = b.off(d)
		}
		choices = append(choices, c)
	}
	slices.SortStableFunc(choices, func(a, b choice) int { return min(len(a.off), 1) - min(len(b.off), 1) }) // available entries on top
	return newMenu(d, "Commands", choices)
}

// searchChoices returns the choices that contain all words of a query. Choices with words that begin with them come first.
func (m *menu) searchChoices(query string) {
	m.query, m.matches, m.selected, m.top = query, nil, 0, 0
	words := strings.Fields(strings.ToLower(query))
	var inside []int
	for i, c := range m.choices {
		text := " " + strings.ToLower(c.text+" "+c.note+" "+c.name)
		begin, hold := true, true
		for _, w := range words {
			begin, hold = begin && strings.Contains(text, " "+w), hold && strings.Contains(text, w)
		}
		switch {
		case begin:
			m.matches = append(m.matches, i)
		case hold:
			inside = append(inside, i)
		}
	}
	m.matches = append(m.matches, inside...)
}

// Press implements [decide.Dialog].
func (m *menu) Press(k input.Stroke) tea.Cmd {
	switch k.Name {
	case "esc":
		m.dashboard.Close(m)
	case "enter":
		return m.runSelected()
	case "down", "ctrl+n", "tab", "ctrl+j":
		m.move(1)
	case "up", "ctrl+p", "shift+tab", "ctrl+k":
		m.move(-1)
	case "pgdown", "ctrl+d":
		m.move(8)
	case "pgup":
		m.move(-8)
	case "home":
		m.move(-draw.FarAway)
	case "end":
		m.move(draw.FarAway)
	default:
		if text, ok := input.Typed(m.query, k); ok {
			m.searchChoices(text)
		}
	}
	return nil
}

func (m *menu) move(by int) { m.selected = max(0, min(m.selected+by, len(m.matches)-1)) }

// runSelected runs the selected entry, or says why it can't and stays open.
func (m *menu) runSelected() tea.Cmd {
	if m.selected >= len(m.matches) {
		return nil
	}
	c := m.choices[m.matches[m.selected]]
	if c.off != "" {
		return m.dashboard.showRefusal(c.off)
	}
	m.dashboard.Close(m)
	return c.do(m.dashboard)
}

// menuArea returns the area of the menu, which does not change while the user types.
func (m *menu) menuArea(l *draw.Look, body draw.Area) draw.Area {
	width := 0
	for _, c := range m.choices {
		_, note := l.MeasureExactly(c.note)
		width = max(width, l.Width(c.text)+note)
	}
	return body.Middle(min(max(width+8, 44), 76), min(len(m.choices)+3, 22))
}

// Box implements [decide.Dialog].
func (m *menu) Box(l *draw.Look, body draw.Area) ([]string, draw.Area) {
	a := m.menuArea(l, body)
	in := draw.InBox(a)
	lines := make([]string, 0, in.Height)
	r := l.Ribbon(in.Width)
	r.Gap(1)
	r.Sign(l.Theme.Accent, l.Glyphs.Folded)
	r.Gap(1)
	r.Add(l.Theme.Strong, l.TailOf(m.query, in.Width-6))
	r.Sign(l.Theme.Accent, l.Glyphs.Cursor)
	if m.query == "" {
		r.Add(l.Theme.Dim, " type to find, enter to choose")
	}
	lines = append(lines, r.Line())
	m.top = draw.Scrolled(m.top, m.selected, len(m.matches), in.Height-1)
	for i := m.top; i < len(m.matches) && len(lines) < in.Height; i++ {
		lines = append(lines, m.drawChoice(l, m.choices[m.matches[i]], in.Width, i == m.selected))
	}
	if len(m.matches) == 0 {
		r := l.Ribbon(in.Width)
		r.Gap(3)
		r.Add(l.Theme.Dim, "nothing matches")
		lines = append(lines, r.Line())
	}
	note := draw.MoreNote(l, m.top, in.Height-1, len(m.matches))
	return l.Box([]draw.Tab{{Text: m.title, Front: true}}, note, draw.Filled(lines, in.Width, in.Height), a.Width, a.Height, true), a
}

func (m *menu) drawChoice(l *draw.Look, c choice, width int, selected bool) string {
	r := l.Ribbon(width)
	st := draw.Style("")
	note, noteWidth := l.MeasureExactly(c.note)
	if c.off != "" {
		st = l.Theme.Dim
		if selected {
			note, noteWidth = l.Measure(c.off)
		}
	}
	if selected {
		r.Sign(l.Theme.Pointer, l.Glyphs.Marker)
		r.Under = l.Theme.Selected
	}
	r.To(1)
	r.Gap(2)
	noteWidth = min(noteWidth, width/2)
	r.AddWithin(st, c.text, width-r.Width-noteWidth-3)
	r.To(width - noteWidth - 1)
	r.ExactlyWithin(l.Theme.Dim, note, noteWidth)
	r.To(width)
	return r.Line()
}

// Hints implements [decide.Dialog].
func (m *menu) Hints() []draw.Hint {
	return []draw.Hint{{Key: "enter", Words: "choose"}, {Key: "up", Words: ""}, {Key: "down", Words: "move"}, {Key: "esc", Words: "close"}}
}
