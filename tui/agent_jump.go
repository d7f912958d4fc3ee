package tui

// Live agents: jumping to the agent's pane with the terminal's own command, and the diff of its working tree.

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/decide"
	"gatehouse/tui/index"
)

// selectedAgent returns the place of the selected session or question; ok is false for other rows.
func (d *dashboard) selectedAgent() (at index.Place, ok bool) {
	s, ok := d.selectedSubject()
	if !ok || s.Node == nil || s.Site.Build == nil || s.Site.Build.ID != model.AgentsBuild {
		return at, false
	}
	return s.Site.Place(s.Node.ID), true
}

// jumpToAgent returns the command that goes to the pane of the selected agent.
func (d *dashboard) jumpToAgent() tea.Cmd {
	at, _ := d.selectedAgent()
	return d.Jump(at.Node)
}

// Jump implements [decide.Host]. A command that leads to the agent is copied.
func (d *dashboard) Jump(node string) tea.Cmd {
	answerer, ctx, command := d.opts.Answerer, d.ctx, ""
	jump := func() (said string, _ error) {
		said, command = answerer.Jump(ctx, node)
		return said, nil
	}
	return decide.Request(jump, func(said string, _ error) tea.Cmd {
		if command != "" {
			return d.toClipboard(command)
		}
		return d.showDone(said)
	})
}

// showDiff shows the changes in the working tree of the selected agent.
func (d *dashboard) showDiff() tea.Cmd {
	at, _ := d.selectedAgent()
	return d.decisions.ShowDiff(d.opts.Answerer, at)
}

// whyNoAgent says why the pane and the working tree of an agent are out of reach.
func (d *dashboard) whyNoAgent() string {
	if _, ok := d.selectedAgent(); !ok {
		return "no live agent is selected"
	}
	if d.opts.Answerer == nil {
		return "live agents cannot be reached from here"
	}
	return ""
}
