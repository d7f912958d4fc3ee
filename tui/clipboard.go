package tui

// Copying by OSC 52: only texts that are composed here, cleaned and bounded in length.

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/model/line"
	"gatehouse/tui/draw"
	"gatehouse/tui/pane"
)

// copyLimit is the longest copied text, in bytes: some terminals drop more than a few thousand.
const copyLimit = 2000

// copySelected copies the selection in one line, with its position in the file: ready to be handed to an agent.
func (d *dashboard) copySelected() tea.Cmd {
	s, ok := d.selectedSubject()
	if !ok {
		return nil
	}
	text := s.Text
	switch {
	case d.focus == pane.FileID:
		return d.copyPlace()
	case text != "":
	case s.Node != nil:
		text = s.Node.Name()
	case len(s.Run) > 0:
		text = s.Run[0].Name() + " – " + s.Run[len(s.Run)-1].Name()
	default:
		text = draw.Join(draw.PartJoint, s.Site.Where(), s.Site.Title())
	}
	if at := s.Source.String(); at != "" {
		text += " (" + at + ")"
	}
	return d.toClipboard(text)
}

// copyPlace copies the file and line of the selection.
func (d *dashboard) copyPlace() tea.Cmd {
	s, _ := d.selectedSubject()
	return d.toClipboard(d.selectedPos(s).String())
}

func (d *dashboard) toClipboard(text string) tea.Cmd {
	text = line.Clean(draw.Plain(text))
	if len(text) > copyLimit {
		text = line.Clean(text[:copyLimit]) // a character cut in two is replaced
	}
	return tea.Batch(tea.Raw(ansi.SetSystemClipboard(text)), d.showDone("copied: "+text))
}
