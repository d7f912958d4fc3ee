package tui

// Filters as the user sets them: typing a text, choosing states. Both are dialogs in the bar of the pane they filter; the result changes
// with every key.

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/decide"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/input"
	"gatehouse/tui/pane"
)

// filteredPane returns the pane that filters apply to: the focused one if it has a filter, else the tree.
func (d *dashboard) filteredPane() pane.Pane {
	if in := d.panes[d.focus]; in.Base().HasFilter {
		return in
	}
	return d.tree
}

// inBar is a dialog that is drawn in the bar of a pane.
type inBar struct {
	dashboard *dashboard
	in        pane.Pane
	from      index.Place // the selected row before
}

// openInBar brings the pane that will be filtered into view, in a mode.
func (d *dashboard) openInBar(mode pane.Mode) inBar {
	b := inBar{dashboard: d, in: d.filteredPane()}
	if b.in == pane.Pane(d.tree) {
		d.focusOn(pane.TreeID)
	}
	if r, ok := d.tree.At(); ok {
		b.from = r.Place().Clone()
	}
	b.in.Base().Mode = mode
	return b
}

// end closes the dialog x, which b is a part of. The filter stays.
func (b inBar) end(x decide.Dialog) {
	b.in.Base().Mode = pane.Resting
	b.dashboard.Close(x)
}

// Box implements [decide.Dialog].
func (inBar) Box(*draw.Look, draw.Area) ([]string, draw.Area) { return nil, draw.Area{} }

// searching is the dialog for typing a text.
type searching struct{ inBar }

func (d *dashboard) startSearch() { d.Open(searching{d.openInBar(pane.Typing)}) }

// Press implements [decide.Dialog].
func (s searching) Press(k input.Stroke) tea.Cmd {
	filter := &s.in.Base().Filter
	text := input.Typed(filter.Text, k)
	switch {
	case k.Name == "enter", k.Name == "backspace" && filter.Text == "":
		s.end(s)
	case k.Name == "esc":
		s.end(s)
		filter.Search("")
		s.in.Refilter()
		if s.in == pane.Pane(s.dashboard.tree) {
			s.dashboard.tree.GoTo(s.from)
		}
	case k.Name == "down", k.Name == "ctrl+n":
		s.in.Move(1)
	case k.Name == "up", k.Name == "ctrl+p":
		s.in.Move(-1)
	case text != filter.Text:
		filter.Search(text)
		s.in.Refilter()
	}
	return nil
}

// Hints implements [decide.Dialog].
func (searching) Hints() []draw.Hint {
	return []draw.Hint{{Key: "enter", Words: "keep"}, {Key: "esc", Words: "clear"}, {Key: "up", Words: ""}, {Key: "down", Words: "move"}}
}

// choosing is the dialog for switching states on and off.
type choosing struct{ inBar }

func (d *dashboard) startChoosing() { d.Open(choosing{d.openInBar(pane.Choosing)}) }

// Press implements [decide.Dialog].
func (c choosing) Press(k input.Stroke) tea.Cmd {
	switch k.Name {
	case "esc", "enter", "f":
		c.end(c)
		return nil
	}
	for i, st := range index.States {
		if k.Name == st.Key {
			c.in.Base().Filter.States ^= 1 << i
			c.in.Refilter()
		}
	}
	return nil
}

// Hints implements [decide.Dialog].
func (choosing) Hints() []draw.Hint {
	hints := []draw.Hint{{Key: "enter", Words: "done"}}
	for _, st := range index.States {
		hints = append(hints, draw.Hint{Key: st.Key, Words: st.Word()})
	}
	return hints
}

// clearFilter removes the filter.
func (d *dashboard) clearFilter() {
	in := d.filteredPane()
	in.Base().Filter = index.Filter{}
	in.Refilter()
}
