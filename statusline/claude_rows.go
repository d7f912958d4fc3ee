// The rows of a protocol that has a layout of its own for an agent's status line, as fctry has. An agent shows each row
// separately and cuts off the excess, so each is fitted separately.

package statusline

import (
	"gatehouse/model/line"
	"gatehouse/parse/nearest"
)

// maxRows is how many rows an agent's line may have.
const maxRows = 2

// usableShare is how many percent of an agent's window it can use before it compacts, by fctry's estimate.
const usableShare = 84

// findRows returns the facts of the only build that was found, if it has rows of its own.
func findRows(l *Line) (rows line.AgentRows, ok bool) {
	if !l.OK || len(l.Found) != 1 {
		return nil, false
	}
	rows, ok = l.Found[0].Facts.(line.AgentRows)
	return rows, ok
}

// composeRows returns the rows of a build, a line break between them.
func composeRows(rows line.AgentRows, found *nearest.Found, place *nearest.Place, agent *agentInput, project string, c *Command) (all []byte) {
	if c.Git == NoGit {
		c.Git = GitBranch
	}
	repo := askRepository(*place, c.Git, c.Environment)
	about := line.Agent{Project: project}
	about.Used, about.Metered = agent.context.percentOf(usableShare)
	cols := 0
	if c.Cols > 0 {
		cols = max(1, c.Cols-agentMargin)
	}
	for row := range maxRows {
		var text line.Text
		rows.ComposeRow(&text, row, &about)
		if len(text.Bytes()) == 0 {
			continue
		}
		if row == 0 {
			addAgents(&text, found)
		}
		text.Fit(cols)
		if row == 0 {
			repo.addTo(&text, cols)
		}
		if len(all) > 0 {
			all = append(all, '\n')
		}
		all = c.Sink.writeText(all, &text, c.Colored)
	}
	return all
}
