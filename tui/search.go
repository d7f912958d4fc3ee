package tui

// Filters as the user sets them: typing a text, choosing states or a time. Both are dialogs in the bar of the pane they
// filter; the result changes with every key.

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/input"
	"gatehouse/tui/pane"
)

// filteredPane returns the pane that filters apply to: the focused one if it has a filter, else the tree.
func (d *dashboard) filteredPane() pane.Filtered {
	if in, ok := d.panes[d.focus].(pane.Filtered); ok {
		return in
	}
	return d.tree
}

// searched is a pane that shows only the matches of a text, or marks them.
type searched interface {
	Sought() string
	Seek(text string)
	SetMode(pane.Mode)
	Move(by int)
}

// searching is the dialog for typing a text.
type searching struct {
	dashboard *dashboard
	in        searched
	from      index.Place // the selected row before the search
}

func (d *dashboard) startSearch() tea.Cmd {
	in, finds := d.panes[d.focus].(searched)
	if !finds {
		d.bringFiltered()
		in = d.tree
	}
	if in == searched(d.tree) {
		d.bringFiltered()
	}
	s := searching{dashboard: d, in: in}
	if r, ok := d.tree.At(); ok {
		s.from = r.Place().Clone()
	}
	s.in.SetMode(pane.Typing)
	d.Open(s)
	return nil
}

// bringFiltered shows the pane that will be filtered.
func (d *dashboard) bringFiltered() {
	if d.filteredPane() == pane.Filtered(d.tree) {
		d.focusOn(pane.TreeID)
	}
}

// Press implements [decide.Dialog].
func (s searching) Press(k input.Stroke) tea.Cmd {
	end := func() {
		s.in.SetMode(pane.Resting)
		s.dashboard.Close(s)
	}
	switch k.Name {
	case "enter":
		end()
	case "esc":
		end()
		s.in.Seek("")
		if s.in == searched(s.dashboard.tree) {
			s.dashboard.tree.GoTo(s.from)
		}
	case "down", "ctrl+n":
		s.in.Move(1)
	case "up", "ctrl+p":
		s.in.Move(-1)
	default:
		was := s.in.Sought()
		if k.Name == "backspace" && was == "" {
			end()
			return nil
		}
		if text, ok := input.Typed(was, k); ok && text != was {
			s.in.Seek(text)
		}
	}
	return nil
}

// Box implements [decide.Dialog].
func (searching) Box(*draw.Look, draw.Area) ([]string, draw.Area) { return nil, draw.Area{} }

// Hints implements [decide.Dialog].
func (searching) Hints() []draw.Hint {
	return []draw.Hint{{Key: "enter", Words: "keep"}, {Key: "esc", Words: "clear"}, {Key: "up", Words: ""}, {Key: "down", Words: "move"}}
}

// choosing is the dialog for switching states on and off.
type choosing struct {
	dashboard *dashboard
	in        pane.Filtered
}

func (d *dashboard) startChoosing() tea.Cmd {
	d.bringFiltered()
	c := choosing{d, d.filteredPane()}
	c.in.SetMode(pane.Choosing)
	d.Open(c)
	return nil
}

// Press implements [decide.Dialog].
func (c choosing) Press(k input.Stroke) tea.Cmd {
	switch k.Name {
	case "esc", "enter", "f":
		c.in.SetMode(pane.Resting)
		c.dashboard.Close(c)
		return nil
	}
	for i, st := range index.States {
		if k.Name == st.Key {
			c.in.Filter().States ^= 1 << i
			c.in.Refilter()
		}
	}
	return nil
}

// Box implements [decide.Dialog].
func (choosing) Box(*draw.Look, draw.Area) ([]string, draw.Area) { return nil, draw.Area{} }

// Hints implements [decide.Dialog].
func (choosing) Hints() []draw.Hint {
	hints := []draw.Hint{{Key: "enter", Words: "done"}}
	for _, st := range index.States {
		hints = append(hints, draw.Hint{Key: st.Key, Words: st.Word})
	}
	return hints
}

// clearFilter removes the filter.
func (d *dashboard) clearFilter() {
	in := d.filteredPane()
	*in.Filter() = index.Filter{}
	in.Refilter()
}
