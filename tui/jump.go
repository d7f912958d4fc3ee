package tui

// Going to the pane in which an agent runs, by the terminal's own command. Nothing is typed into it.

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
)

// jumpedMsg says what came of a jump.
type jumpedMsg struct{ said, command string }

// agent returns the node of the agent's that is selected: a session, or what one asks; nil for all else.
func (d *dashboard) agent() *model.Node {
	s, ok := d.subject()
	if !ok || s.Node == nil || s.Site.Build == nil || s.Site.Build.ID != model.AgentsBuild {
		return nil
	}
	return s.Node
}

// jump returns the command that goes there.
func (d *dashboard) jump() tea.Cmd {
	answerer, ctx, node := d.opts.Answerer, d.ctx, d.agent().ID
	return func() tea.Msg {
		said, command := answerer.Jump(ctx, node)
		return jumpedMsg{said, command}
	}
}

// jumped says what was done; a command that leads there is copied.
func (d *dashboard) jumped(msg jumpedMsg) tea.Cmd {
	if msg.command != "" {
		return d.toClipboard(msg.command)
	}
	return d.tell(msg.said)
}

// whyNoJump says why there is nowhere to go.
func (d *dashboard) whyNoJump() string {
	switch {
	case d.agent() == nil:
		return "no live agent is selected"
	case d.opts.Answerer == nil:
		return "nothing is known here of the agent's pane"
	}
	return ""
}
