package tui

// Filtering as a user does it: typing a text, choosing states and topics. Both are dialogs that stand in the bar of what they
// filter, which changes with every key.

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// filtered is a pane with a filter.
type filtered interface {
	its() *index.Filter
	inMode(barMode)
	refilter()
	topics() []string // what there is to filter by besides states, in the order of their keys
	Move(by int)
}

func (t *tree) its() *index.Filter     { return &t.filter }
func (t *timeline) its() *index.Filter { return &t.filter }
func (t *tree) inMode(m barMode)       { t.mode = m; t.revision++ }
func (t *timeline) inMode(m barMode)   { t.mode = m; t.revision++ }
func (t *tree) topics() []string       { return nil }
func (t *timeline) topics() []string   { return t.index.Topics }

// filtering returns the pane that filters are about: the timeline or the inbox when it has the focus, else the tree.
func (d *dashboard) filtering() filtered {
	switch d.focus {
	case paneTimeline:
		return &d.timeline
	case paneInbox:
		return &d.inbox
	}
	return &d.tree
}

// searching is the dialog in which a text is typed.
type searching struct{ in filtered }

func (d *dashboard) startSearch() tea.Cmd {
	d.bringFiltered()
	s := searching{d.filtering()}
	s.in.inMode(barTyping)
	d.open(s)
	return nil
}

// bringFiltered shows the pane that is going to be filtered.
func (d *dashboard) bringFiltered() {
	if d.filtering() == filtered(&d.tree) {
		d.setGraph(false)
		d.focusOn(paneTree)
	}
}

func (s searching) press(d *dashboard, k stroke) tea.Cmd {
	f := s.in.its()
	end := func() {
		s.in.inMode(barResting)
		d.close()
	}
	switch k.name {
	case "enter":
		end()
	case "esc":
		f.Search("")
		end()
		s.in.refilter()
	case "down", "ctrl+n":
		s.in.Move(1)
	case "up", "ctrl+p":
		s.in.Move(-1)
	default:
		if k.name == "backspace" && f.Text == "" {
			end()
			return nil
		}
		if text, ok := typed(f.Text, k); ok && text != f.Text {
			f.Search(text)
			s.in.refilter()
		}
	}
	return nil
}

func (searching) box(*dashboard) ([]string, draw.Area) { return nil, draw.Area{} }

func (searching) hints() []draw.Hint {
	return []draw.Hint{{Key: "enter", Words: "keep"}, {Key: "esc", Words: "clear"}, {Key: "up", Words: ""}, {Key: "down", Words: "move"}}
}

// choosing is the dialog in which states are switched on and off.
type choosing struct{ in filtered }

func (d *dashboard) startChoosing() tea.Cmd {
	d.bringFiltered()
	c := choosing{d.filtering()}
	c.in.inMode(barChoosing)
	d.open(c)
	return nil
}

func (c choosing) press(d *dashboard, k stroke) tea.Cmd {
	switch k.name {
	case "esc", "enter", "f":
		c.in.inMode(barResting)
		d.close()
		return nil
	}
	for i, st := range index.States {
		if k.name == st.Key {
			toggleState(c.in, i)
		}
	}
	for i, topic := range c.in.topics() {
		if k.name == strconv.Itoa(i+1) {
			toggleTopic(c.in, topic)
		}
	}
	return nil
}

func toggleTopic(in filtered, topic string) {
	in.its().ToggleTopic(topic)
	in.refilter()
}

func toggleState(in filtered, i int) {
	in.its().States ^= 1 << i
	in.refilter()
}

func (choosing) box(*dashboard) ([]string, draw.Area) { return nil, draw.Area{} }

func (choosing) hints() []draw.Hint {
	hints := make([]draw.Hint, 0, len(index.States)+1)
	for _, st := range index.States {
		hints = append(hints, draw.Hint{Key: st.Key, Words: st.Word})
	}
	return append(hints, draw.Hint{Key: "enter", Words: "done"})
}

// clearFilter lets everything pass again.
func (d *dashboard) clearFilter() {
	in := d.filtering()
	*in.its() = index.Filter{}
	in.refilter()
}
